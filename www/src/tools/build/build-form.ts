// The form of the Build tool: the fields of one event. It is filled from a draft and read into a draft.
import { Action, BizStep, BizTransactionType, Disposition, ErrorReason, MeasurementType, SourceDestType } from 'epcis-edge/cbv';
import { ownTime } from './build-event.ts';
import { type Attributes, button, h, icon, put } from '../../shared/dom.ts';
import { EPC_LISTS, QUANTITY_LISTS } from '../../../../wasm/js/engine/fields.ts';
import { FIELDS_OF } from '../../shared/fields.ts';
import { lower, phrase } from '../../shared/words.ts';

import type { Draft, Field } from './build-further.ts';

/** A field with a text. */
type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** A part of a row: a text, or one of some words. */
interface RowPart {
  readonly name: string;
  readonly words?: readonly string[];
  readonly hint?: string;
  /** Whether one of the words is always chosen. */
  readonly isChosen?: boolean;
}

/** A field of rows. */
interface Rows {
  readonly own: HTMLElement;
  value: Field;
  say(notes: readonly (string | undefined)[]): void;
}

export interface Form {
  readonly own: HTMLElement;
  read(): Draft;
  fill(draft: Draft): void;
  showPrefixes(prefixes: readonly string[], namespaces: ReadonlyMap<string, string>): void;
  sayTransactions(notes: readonly (string | undefined)[]): void;
  focus(name: string | undefined): void;
}

const ACTIONS = Object.keys(Action);
const DISPOSITIONS = Object.keys(Disposition);
/** The labels of the fields of some event types. A field that is new in the standard has its name until it gets one here. */
const LABELS: Readonly<Record<string, string>> = {
  action: 'Action',
  epcList: 'Items, one a line',
  childEPCs: 'Children, one a line',
  inputEPCList: 'Inputs, one a line',
  outputEPCList: 'Outputs, one a line',
  quantityList: 'Quantities',
  childQuantityList: 'Child quantities',
  inputQuantityList: 'Input quantities',
  outputQuantityList: 'Output quantities',
  parentID: 'Parent',
  transformationID: 'Transformation ID',
};

/**
 * Builds the form. `changed()` is called when the user changes a field, `addressed(prefix, address)` when the user gives a prefix its
 * address. Returns `{own, read, fill, showPrefixes, sayTransactions, focus}`.
 */
export function makeForm({ changed, addressed }: { changed(): void; addressed(prefix: string, address: string): void }): Form {
  const field = (id: string, label: string, control: Control) => h('div', { class: 'form-field', dataset: { field: id } }, h('label', { for: control.id }, label), control);
  const input = (attributes: Attributes) => h('input', { class: 'field', autocomplete: 'off', spellcheck: 'false', oninput: changed, ...attributes });
  const text = (id: string, attributes: Attributes = {}) => input({ id: `build-${id}`, ...attributes });
  const lines = (id: string, placeholder = '(01)09521141001233(21)A1') =>
    h('textarea', { class: 'field', id: `build-${id}`, rows: '2', spellcheck: 'false', autocomplete: 'off', placeholder, oninput: changed });
  const options = (words: readonly string[]) => words.map((word) => h('option', { value: word }, /^[A-Z]+$|Event$/.test(word) ? word : phrase(word)));
  const choice = (id: string, words: readonly string[], isOptional = true) =>
    h('select', { class: 'select', id: `build-${id}`, onchange: changed }, isOptional && h('option', { value: '' }, 'none'), options(words));

  /**
   * A field of rows that can be added and removed. Each row has a control for every part; `say(list)`
   * writes a note below each row that has a value.
   */
  function rows(id: string, label: string, parts: readonly RowPart[]): Rows {
    const list = h('div', { class: 'form-rows' });
    /** The rows that are shown, with their values and notes. */
    const shown = new Map<Element, { values(): string[]; readonly note: HTMLElement }>();
    const there = () => [...list.children].flatMap((row) => shown.get(row) ?? []);
    const make = (values: readonly string[] = []): HTMLElement | undefined => {
      const own = parts.map(({ name, words, hint, isChosen }, at) => {
        const control: Control =
          words === undefined
            ? input({ 'aria-label': `${label}: ${name}`, placeholder: hint ?? name })
            : h(
                'select',
                { class: isChosen ? 'select is-short' : 'select', 'aria-label': `${label}: ${name}`, onchange: changed },
                !isChosen && h('option', { value: '' }, name),
                options(words),
              );
        const value = values[at];
        if (value !== undefined) control.value = value;
        return control;
      });
      const remove = () => {
        row.remove();
        add.focus();
        changed();
      };
      const note = h('p', { class: 'fine form-note', hidden: true, 'aria-live': 'polite' });
      const row: HTMLElement = h(
        'div',
        { class: 'form-rows-row' },
        own,
        h('button', { type: 'button', class: 'button quiet icon-only', 'aria-label': `Remove from ${label}`, onclick: remove }, icon('cross')),
        note,
      );
      shown.set(row, { values: () => own.map(({ value }) => value.trim()), note });
      list.append(row);
      return own[0];
    };
    const add = button('plus', `Add to ${lower(label)}`, () => make()?.focus(), { class: 'button quiet' });
    const isFilled = (values: readonly string[]) => values.some((value, at) => value !== '' && !parts[at]?.isChosen);
    return {
      own: h('fieldset', { class: 'form-field', dataset: { field: id } }, h('legend', {}, label), list, add),
      get value() {
        return there()
          .map((row) => row.values())
          .filter(isFilled);
      },
      say(notes) {
        const filled = there().filter((row) => isFilled(row.values()));
        for (const { note } of there()) if (!filled.some((row) => row.note === note)) note.hidden = true;
        for (const [at, { note }] of filled.entries()) {
          note.hidden = notes[at] === undefined;
          if (note.textContent !== (notes[at] ?? '')) note.textContent = notes[at] ?? '';
        }
      },
      set value(all: Field) {
        put(list);
        shown.clear();
        for (const values of Array.isArray(all) ? all : []) make(values);
      },
    };
  }

  const type = h(
    'select',
    { class: 'select', id: 'build-type', onchange: () => (arrange(), changed()) },
    Object.keys(FIELDS_OF).map((name) => h('option', { value: name }, name)),
  );
  const own = {
    eventID: text('eventID', { placeholder: 'urn:uuid:…' }),
    eventTime: text('eventTime', { type: 'datetime-local', step: '1' }),
    eventTimeZoneOffset: text('eventTimeZoneOffset', { placeholder: '+01:00' }),
    action: choice('action', ACTIONS, false),
    bizStep: choice('bizStep', Object.keys(BizStep)),
    disposition: choice('disposition', DISPOSITIONS),
    readPoint: text('readPoint', { placeholder: '(414)9521141000014' }),
    bizLocation: text('bizLocation', { placeholder: '(414)9521141000014' }),
    parentID: text('parentID', { placeholder: '(00)095211410000000175' }),
    transformationID: text('transformationID', { placeholder: 'urn:uuid:…' }),
    declarationTime: text('declarationTime', { type: 'datetime-local', step: '1' }),
    reason: choice('reason', Object.keys(ErrorReason)),
    correctiveEventIDs: lines('correctiveEventIDs', 'urn:uuid:…'),
    further: lines('further', '{"example:colour": "red"}'),
  };
  const controls: typeof own & Record<string, Control> = own;
  for (const name of EPC_LISTS) controls[name] = lines(name);
  const kind = (words: object) => ({ name: 'type', words: Object.keys(words) });
  const addresses = h('div', { class: 'form-rows' });
  const known = {
    bizTransactionList: rows('bizTransactionList', 'Business transactions', [
      kind(BizTransactionType),
      { name: 'identifier', hint: 'number, or a URI' },
      { name: 'GLN of its issuer', hint: 'GLN of its issuer, if not in the event' },
    ]),
    sourceList: rows('sourceList', 'Sources', [kind(SourceDestType), { name: 'identifier' }]),
    destinationList: rows('destinationList', 'Destinations', [kind(SourceDestType), { name: 'identifier' }]),
    sensorReport: rows('sensorReport', 'Sensor readings', [
      { name: 'what is measured', words: Object.keys(MeasurementType) },
      { name: 'value' },
      { name: 'unit', hint: 'unit: CEL' },
    ]),
    persistentDisposition: rows('persistentDisposition', 'Persistent dispositions', [
      { name: 'set or unset', words: ['set', 'unset'], isChosen: true },
      { name: 'disposition', words: DISPOSITIONS },
    ]),
    ilmd: rows('ilmd', 'Instance or lot master data (ilmd)', [{ name: 'name', hint: 'example:harvestDate' }, { name: 'value' }]),
  };
  const groups: typeof known & Record<string, Rows> = known;
  const quantity: readonly RowPart[] = [{ name: 'class', hint: '(01)09521141001233(10)LOT' }, { name: 'quantity' }, { name: 'unit', hint: 'unit: KGM, or none' }];
  for (const name of QUANTITY_LISTS) groups[name] = rows(name, LABELS[name] ?? name, quantity);
  for (const name of Object.values(FIELDS_OF).flat()) if (groups[name] === undefined) controls[name] ??= text(name);
  const all: readonly (readonly [string, { value: Field }])[] = Object.entries({ ...controls, ...groups });

  const declared = h('div', { class: 'form', id: 'build-declared' });
  const isError: HTMLInputElement = h('input', {
    type: 'checkbox',
    id: 'build-isError',
    'aria-controls': 'build-declared',
    onchange: () => {
      if (controls.declarationTime.value === '') controls.declarationTime.value = ownTime();
      arrange();
      changed();
    },
  });
  const special = h('div', { class: 'form' });
  const pair = (...fields: readonly HTMLElement[]) => h('div', { class: 'form-pair' }, fields);
  put(
    declared,
    pair(field('declarationTime', 'Time of the declaration, same offset', controls.declarationTime), field('reason', 'Reason', controls.reason)),
    field('correctiveEventIDs', 'Corrective events (eventID), one a line', controls.correctiveEventIDs),
  );

  /** Shows the fields of the chosen event type. */
  function arrange() {
    put(
      special,
      FIELDS_OF[type.value]
        ?.toSorted((one, other) => Number(other === 'action') - Number(one === 'action'))
        .map((name) => {
          const control = controls[name];
          return groups[name]?.own ?? (control && field(name, LABELS[name] ?? name, control));
        }),
    );
    // The addresses of prefixes are beside the names that use them.
    const ilmd = groups.ilmd.own;
    if (special.contains(ilmd)) ilmd.querySelector(':scope > .form-rows')?.after(addresses);
    else controls.further.after(addresses);
    declared.hidden = !isError.checked;
    isError.setAttribute('aria-expanded', String(isError.checked));
  }

  const form = h(
    'form',
    { class: 'form', 'aria-label': 'Event', onsubmit: (event) => event.preventDefault() },
    field('type', 'Type of event', type),
    pair(field('eventTime', 'Event time', controls.eventTime), field('eventTimeZoneOffset', 'Time zone offset', controls.eventTimeZoneOffset)),
    special,
    pair(field('bizStep', 'Business step', controls.bizStep), field('disposition', 'Disposition', controls.disposition)),
    groups.persistentDisposition.own,
    pair(field('readPoint', 'Read point', controls.readPoint), field('bizLocation', 'Business location', controls.bizLocation)),
    groups.bizTransactionList.own,
    groups.sourceList.own,
    groups.destinationList.own,
    groups.sensorReport.own,
    field('eventID', 'Event ID, where it is not the hash', controls.eventID),
    field('further', 'Further members, as JSON', controls.further),
    h(
      'fieldset',
      { class: 'form-field', dataset: { field: 'errorDeclaration' } },
      h('legend', {}, 'Error declaration'),
      h('label', { class: 'form-check', for: 'build-isError' }, isError, ' Declare that this event was in error'),
      declared,
    ),
  );

  /** Shows an address field for each prefix. Existing fields stay unchanged. */
  function showPrefixes(prefixes: readonly string[], namespaces: ReadonlyMap<string, string>): void {
    const there = new Map(([...addresses.children] as HTMLElement[]).map((one) => [one.dataset.prefix ?? '', one]));
    for (const [prefix, one] of there) if (!prefixes.includes(prefix)) one.remove();
    for (const prefix of prefixes) {
      if (there.has(prefix)) continue;
      const id = `build-prefix-${prefix}`;
      const address: HTMLInputElement = input({
        id,
        placeholder: 'https://example.com/ns/',
        value: namespaces.get(prefix) ?? '',
        oninput: () => (addressed(prefix, address.value.trim()), changed()),
      });
      addresses.append(h('div', { class: 'form-prefix', dataset: { prefix } }, h('label', { for: id }, 'Address of ', h('code', {}, `${prefix}:`)), address));
    }
  }

  return {
    own: form,
    read: () => ({ type: type.value, isError: isError.checked, ...Object.fromEntries(all.map(([name, control]) => [name, control.value])) }),
    fill(draft) {
      type.value = draft.type;
      isError.checked = draft.isError === true;
      for (const [name, control] of all) control.value = draft[name] ?? '';
      put(addresses);
      arrange();
    },
    showPrefixes,
    /** Writes below each business transaction what its number became. */
    sayTransactions: groups.bizTransactionList.say,
    /** Focuses a field, or the event type if there is no field of that name. */
    focus(name) {
      const place =
        form.querySelector(`[data-field="${CSS.escape(name ?? '')}"]`)?.querySelector<HTMLElement>('input, select, textarea, button') ?? type;
      place.focus();
      place.scrollIntoView({ block: 'center' });
    },
  };
}
