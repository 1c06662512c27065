// Build: a form that makes one event in a document, judged while it is filled in.
import { BizStep, BizTransactionType, Disposition, MeasurementType, SourceDestType } from 'epcis-edge/cbv';
import { button, copyButton, h, icon, put } from './dom.js';
import { banner, rich } from './parts.js';
import { count, phrase } from './words.js';

const CONTEXT = 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld';
const ACTIONS = ['OBSERVE', 'ADD', 'DELETE'];
/** How long nobody types before the event is judged, in milliseconds. */
const QUIET = 120;

/** What each type of event has beside what all have. */
const TYPES = {
  ObjectEvent: ['action', 'epcList', 'quantityList'],
  AggregationEvent: ['action', 'parentID', 'childEPCs', 'childQuantityList'],
  TransactionEvent: ['action', 'parentID', 'epcList', 'quantityList'],
  TransformationEvent: ['transformationID', 'inputEPCList', 'inputQuantityList', 'outputEPCList', 'outputQuantityList'],
  AssociationEvent: ['action', 'parentID', 'childEPCs', 'childQuantityList'],
};
const LABELS = {
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

const two = (number) => String(number).padStart(2, '0');

/** The offset of this computer now, `+01:00`. */
function ownOffset() {
  const minutes = -new Date().getTimezoneOffset();
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** This minute on the clock of the wall. */
function ownTime() {
  const now = new Date();
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}T${two(now.getHours())}:${two(now.getMinutes())}`;
}

/** Builds the tool. */
export function makeBuild(room, { engine, openText, leave, tabs }) {
  let timer;
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(judge, QUIET);
  };
  const field = (id, label, control, hint) =>
    h('div', { class: 'form-field', dataset: { field: id } }, h('label', { for: control.id }, label), control, hint && h('p', { class: 'fine' }, hint));
  const text = (id, attributes = {}) =>
    h('input', { class: 'field', id: `build-${id}`, autocomplete: 'off', spellcheck: 'false', oninput: changed, ...attributes });
  const lines = (id) =>
    h('textarea', {
      class: 'field',
      id: `build-${id}`,
      rows: '2',
      spellcheck: 'false',
      autocomplete: 'off',
      placeholder: '(01)09521141001233(21)A1',
      oninput: changed,
    });
  const choice = (id, words, isOptional = true) =>
    h(
      'select',
      { class: 'select', id: `build-${id}`, onchange: changed },
      isOptional && h('option', { value: '' }, 'none'),
      words.map((word) => h('option', { value: word }, word === word.toUpperCase() || /Event$/.test(word) ? word : phrase(word))),
    );

  /** Rows that can be added and removed; each has a control for every part. */
  function rows(id, label, parts) {
    const list = h('div', { class: 'form-rows' });
    const add = () => {
      const controls = parts.map(({ name, words, hint }) =>
        words === undefined
          ? h('input', {
              class: 'field',
              'aria-label': `${label}: ${name}`,
              placeholder: hint ?? name,
              autocomplete: 'off',
              spellcheck: 'false',
              oninput: changed,
            })
          : h(
              'select',
              { class: 'select', 'aria-label': `${label}: ${name}`, onchange: changed },
              h('option', { value: '' }, name),
              words.map((word) => h('option', { value: word }, phrase(word))),
            ),
      );
      const row = h(
        'div',
        { class: 'form-rows-row' },
        controls,
        h(
          'button',
          { type: 'button', class: 'button quiet icon-only', 'aria-label': `Remove from ${label}`, onclick: () => (row.remove(), changed()) },
          icon('cross'),
        ),
      );
      row.values = () => controls.map(({ value }) => value.trim());
      list.append(row);
      controls[0].focus();
    };
    return {
      own: h(
        'fieldset',
        { class: 'form-field', dataset: { field: id } },
        h('legend', {}, label),
        list,
        button('plus', `Add to ${label.toLowerCase()}`, add, { class: 'button quiet' }),
      ),
      values: () => [...list.children].map((row) => row.values()).filter((values) => values.some((value) => value !== '')),
    };
  }

  const type = h(
    'select',
    { class: 'select', id: 'build-type', onchange: () => (arrange(), changed()) },
    Object.keys(TYPES).map((name) => h('option', { value: name }, name)),
  );
  const controls = {
    eventTime: text('eventTime', { type: 'datetime-local', step: '1', value: ownTime() }),
    eventTimeZoneOffset: text('eventTimeZoneOffset', { value: ownOffset(), placeholder: '+01:00' }),
    action: choice('action', ACTIONS, false),
    bizStep: choice('bizStep', Object.keys(BizStep)),
    disposition: choice('disposition', Object.keys(Disposition)),
    readPoint: text('readPoint', { placeholder: '(414)9521141000014' }),
    bizLocation: text('bizLocation', { placeholder: '(414)9521141000014' }),
    parentID: text('parentID', { placeholder: '(00)095211410000000175' }),
    transformationID: text('transformationID', { placeholder: 'urn:uuid:…' }),
  };
  for (const name of ['epcList', 'childEPCs', 'inputEPCList', 'outputEPCList']) controls[name] = lines(name);
  const quantity = [{ name: 'class', hint: '(01)09521141001233(10)LOT' }, { name: 'quantity' }, { name: 'unit', hint: 'unit: KGM, or none' }];
  const groups = {
    bizTransactionList: rows('bizTransactionList', 'Business transactions', [{ name: 'type', words: Object.keys(BizTransactionType) }, { name: 'identifier' }]),
    sourceList: rows('sourceList', 'Sources', [{ name: 'type', words: Object.keys(SourceDestType) }, { name: 'identifier' }]),
    destinationList: rows('destinationList', 'Destinations', [{ name: 'type', words: Object.keys(SourceDestType) }, { name: 'identifier' }]),
    sensorReport: rows('sensorReport', 'Sensor readings', [
      { name: 'what is measured', words: Object.keys(MeasurementType) },
      { name: 'value' },
      { name: 'unit', hint: 'unit: CEL' },
    ]),
  };
  for (const name of ['quantityList', 'childQuantityList', 'inputQuantityList', 'outputQuantityList']) groups[name] = rows(name, LABELS[name], quantity);
  const named = h('input', { type: 'checkbox', id: 'build-hash', onchange: changed });

  const special = h('div', { class: 'form' });
  function arrange() {
    put(
      special,
      TYPES[type.value].map((name) => (groups[name] === undefined ? field(name, LABELS[name] ?? 'Action', controls[name]) : groups[name].own)),
    );
  }
  arrange();

  const number = (value) => (/^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value);
  const without = (object) =>
    Object.fromEntries(Object.entries(object).filter(([, value]) => value !== '' && value !== undefined && !(Array.isArray(value) && value.length === 0)));

  /** The document as the form has it; identifiers as they are typed. */
  function documentOf(spell) {
    const own = new Set(TYPES[type.value]);
    const offset = controls.eventTimeZoneOffset.value.trim();
    const time = controls.eventTime.value;
    const ids = (name) =>
      own.has(name)
        ? controls[name].value
            .split('\n')
            .map((line) => line.trim())
            .filter((line) => line !== '')
            .map(spell)
        : undefined;
    const one = (name) => (own.has(name) && controls[name].value.trim() !== '' ? spell(controls[name].value.trim()) : undefined);
    const quantities = (name) =>
      own.has(name)
        ? groups[name].values().map(([epcClass, amount, uom]) => without({ epcClass: spell(epcClass), quantity: amount === '' ? '' : number(amount), uom }))
        : undefined;
    const place = (name) => (controls[name].value.trim() === '' ? undefined : { id: spell(controls[name].value.trim()) });
    const pairs = (name, member) => groups[name].values().map(([kind, id]) => without({ type: kind, [member]: spell(id) }));
    const readings = groups.sensorReport.values().map(([kind, value, uom]) => without({ type: kind, value: value === '' ? '' : number(value), uom }));
    const event = {
      ...without({
        type: type.value,
        eventTime: time === '' ? '' : `${time.length === 16 ? `${time}:00` : time}${offset}`,
        eventTimeZoneOffset: offset,
        action: own.has('action') ? controls.action.value : undefined,
        bizStep: controls.bizStep.value,
        disposition: controls.disposition.value,
        transformationID: one('transformationID'),
        parentID: one('parentID'),
        epcList: ids('epcList'),
        quantityList: quantities('quantityList'),
        childEPCs: ids('childEPCs'),
        childQuantityList: quantities('childQuantityList'),
        inputEPCList: ids('inputEPCList'),
        inputQuantityList: quantities('inputQuantityList'),
        outputEPCList: ids('outputEPCList'),
        outputQuantityList: quantities('outputQuantityList'),
        readPoint: place('readPoint'),
        bizLocation: place('bizLocation'),
        bizTransactionList: pairs('bizTransactionList', 'bizTransaction'),
        sourceList: pairs('sourceList', 'source'),
        destinationList: pairs('destinationList', 'destination'),
        sensorElementList: readings.length === 0 ? [] : [{ sensorReport: readings }],
      }),
    };
    return { '@context': [CONTEXT], type: 'EPCISDocument', schemaVersion: '2.0', creationDate: event.eventTime ?? '', epcisBody: { eventList: [event] } };
  }

  const result = h('div', { class: 'build-result', 'aria-live': 'polite' });
  let built = '';
  let turn = 0;
  async function judge() {
    const own = (turn += 1);
    const typed = [];
    documentOf((id) => (typed.push(id), id));
    const spelt = await engine.tool('spell', typed);
    const table = new Map(typed.map((id, at) => [id, spelt[at]]));
    const document = documentOf((id) => table.get(id) ?? id);
    const { valid, errors, hashes, findings, counts } = await engine.tool('judge', JSON.stringify(document));
    if (own !== turn) return;
    if (named.checked && valid) document.epcisBody.eventList[0].eventID = hashes[0];
    built = `${JSON.stringify(document, null, 2)}\n`;
    put(
      result,
      valid
        ? findings === undefined
          ? banner('calm', 'Valid', 'The event meets the official JSON schema. The checks could not be loaded: are you offline?')
          : findings.length === 0
            ? banner('good', 'Valid', 'The event meets the official JSON schema, and the checks find nothing')
            : banner(
                counts.error > 0 ? 'bad' : counts.warning > 0 ? 'warn' : 'calm',
                `Valid, but the checks find ${['error', 'warning', 'hint']
                  .filter((severity) => counts[severity] > 0)
                  .map((severity) => count(counts[severity], severity))
                  .join(', ')}`,
                'The schema cannot check these things.',
              )
        : banner('calm', 'Not complete', `${count(errors.length, 'thing')} to fill in or correct`),
      (findings ?? errors).length > 0 &&
        h(
          'ul',
          { class: 'build-errors' },
          (findings ?? errors).slice(0, 8).map(({ message, found: what }) => h('li', {}, rich(message), what !== undefined && [': ', h('code', {}, what)])),
        ),
      h(
        'div',
        { class: 'form-row' },
        button(
          'open',
          'Open as document',
          () => {
            tabs.choose('validate');
            leave();
            openText(built, { name: 'built.json' });
          },
          { class: 'button main' },
        ),
        copyButton(() => built),
      ),
      h('pre', { class: 'raw', tabindex: '0', role: 'region', 'aria-label': 'The event as JSON' }, built),
    );
  }

  put(
    room,
    h('h2', { class: 'tool-title' }, 'Build an event'),
    h('p', { class: 'tool-about' }, 'Fill in what happened; identifiers in any spelling become GS1 Digital Links. The event is validated while you type.'),
    h(
      'form',
      { class: 'form', onsubmit: (event) => event.preventDefault() },
      field('type', 'Type of event', type),
      h(
        'div',
        { class: 'form-pair' },
        field('eventTime', 'Event time', controls.eventTime),
        field('eventTimeZoneOffset', 'Time zone offset', controls.eventTimeZoneOffset),
      ),
      special,
      h('div', { class: 'form-pair' }, field('bizStep', 'Business step', controls.bizStep), field('disposition', 'Disposition', controls.disposition)),
      h('div', { class: 'form-pair' }, field('readPoint', 'Read point', controls.readPoint), field('bizLocation', 'Business location', controls.bizLocation)),
      groups.bizTransactionList.own,
      groups.sourceList.own,
      groups.destinationList.own,
      groups.sensorReport.own,
      h('label', { class: 'form-check', for: 'build-hash' }, named, ' Name the event by its hash (eventID)'),
    ),
    result,
  );
  judge();
  return {};
}
