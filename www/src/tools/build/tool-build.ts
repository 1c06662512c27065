// The Build tool: a form that makes events and validates them while the user types.
import { blank, type BuildState, documentOf, type Fault, faultsOf, isBlank, prefixesOf, transactionsOf } from './build-event.ts';
import { makeForm } from './build-form.ts';
import { type Draft, furtherOf, textIn } from './build-further.ts';
import { makeStarts } from './build-starts.ts';
import type { check } from '../../../../wasm/js/check/index.ts';
import type { Around, Tool } from '../../page/modes.ts';
import { announce, button, copyButton, h, put } from '../../shared/dom.ts';
import { FIELDS_OF } from '../../shared/fields.ts';
import { banner, rich } from '../../shared/parts.ts';
import { count, ownWords, phrase, typeName } from '../../shared/words.ts';

/** The events, and which of them is shown. */
interface State extends BuildState {
  drafts: Draft[];
  at: number;
  namespaces: Map<string, string>;
  around: string;
  isNamed: boolean;
}

/** What is listed: a fault, or a finding. */
type Listed = Partial<Fault> & { readonly message: string; readonly found?: string };

interface Told {
  readonly valid: boolean;
  readonly faults: readonly Listed[];
  readonly findings: ReturnType<typeof check>['findings'] | undefined;
  readonly counts: ReturnType<typeof check>['counts'] | undefined;
  readonly events: number;
}

/** The pause in typing after which the document is validated, in milliseconds. */
const QUIET = 120;
/** The maximum number of errors or findings listed. */
const LISTED = 8;
/** The name under which the session keeps the drafts. */
const KEPT = 'build';

/** The event and the form field of an error path: `{index, name}`. */
function placeOf(path = ''): { readonly index: number | undefined; readonly name: string | undefined } {
  const [, index, name] = /^\/epcisBody\/eventList\/(\d+)(?:\/([^/]+))?/.exec(path) ?? [];
  return { index: index === undefined ? undefined : Number(index), name: name === 'sensorElementList' ? 'sensorReport' : name };
}

/** The state of the form from the kept value, without anything the form does not know. */
function restored(value: unknown): State {
  const kept = value as Partial<State> | null | undefined;
  const drafts = Array.isArray(kept?.drafts) ? kept.drafts.filter((draft: Draft | null) => draft !== null && Object.hasOwn(FIELDS_OF, draft.type)) : [];
  if (kept === null || kept === undefined || drafts.length === 0) return { drafts: [blank()], at: 0, namespaces: new Map(), around: '', isNamed: false };
  return {
    drafts,
    at: Math.min(kept.at ?? 0, drafts.length - 1),
    namespaces: kept.namespaces instanceof Map ? kept.namespaces : new Map(),
    around: typeof kept.around === 'string' ? kept.around : '',
    isNamed: kept.isNamed === true,
  };
}

/** Builds the tool. */
export async function makeBuild(room: HTMLElement, { engine, session, openText, leave, tabs }: Around): Promise<Tool> {
  const state = restored(await session.kept(KEPT));
  /** The number of errors of each event. */
  let wrong: number[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let turn = 0;
  let built = '';

  const form = makeForm({
    changed() {
      state.drafts[state.at] = form.read();
      put(removed);
      changed();
    },
    addressed: (prefix, address) => state.namespaces.set(prefix, address),
  });

  /** The draft of an event, a new one if there is none. */
  const draftAt = (index: number) => state.drafts[index] ?? blank();

  /** Keeps the drafts, and validates the document after a pause in typing. */
  function changed() {
    session.keep(KEPT, state);
    form.showPrefixes(prefixesOf(draftAt(state.at), state.around), state.namespaces);
    list();
    clearTimeout(timer);
    timer = setTimeout(judge, QUIET);
  }

  // The events of the document.
  function titleOf(draft: Draft): string {
    const { type } = draft;
    const bizStep = textIn(draft, 'bizStep');
    const step = bizStep || furtherOf(textIn(draft, 'further')).value.bizStep;
    if (typeof step !== 'string' || step === '') return typeName(type);
    return `${typeName(type)}, ${(bizStep ? phrase(step) : ownWords(step)).toLowerCase()}`;
  }
  const focusShown = () => events.querySelector<HTMLElement>('[aria-current]')?.focus();
  const events = h('ol', { class: 'build-events', 'aria-label': 'Events of the document' });
  const removed = h('div', { class: 'build-removed' });
  function list() {
    const isFocused = events.contains(document.activeElement);
    put(
      events,
      state.drafts.map((draft, index) =>
        h(
          'li',
          {},
          h(
            'button',
            { type: 'button', class: 'build-event', 'aria-current': index === state.at ? 'true' : undefined, onclick: () => show(index) },
            h('b', {}, index + 1),
            h('span', {}, ` ${titleOf(draft)}`),
            (wrong[index] ?? 0) > 0 && h('span', { class: 'badge' }, wrong[index], h('span', { class: 'unseen' }, ' to fill in or correct')),
          ),
        ),
      ),
    );
    if (isFocused) focusShown();
  }

  /** Shows an event in the form. */
  function show(index: number): void {
    state.at = index;
    form.fill(draftAt(index));
    changed();
  }

  /** Inserts an event after the shown one. */
  function insert(draft: Draft, words: string): void {
    put(removed);
    state.drafts.splice(state.at + 1, 0, draft);
    wrong.splice(state.at + 1, 0, 0);
    show(state.at + 1);
    form.focus('type');
    announce(`${words}: event ${state.at + 1} of ${state.drafts.length}`);
  }

  /** Removes the shown event. If it is the only one, a new draft replaces it. */
  function remove(): void {
    const { at } = state;
    const draft = draftAt(at);
    state.drafts.splice(at, 1);
    const isLast = state.drafts.length === 0;
    wrong.splice(at, 1);
    if (isLast) state.drafts.push(blank());
    show(Math.min(at, state.drafts.length - 1));
    const undo = () => {
      state.drafts.splice(at, isLast ? 1 : 0, draft);
      wrong.splice(at, 0, 0);
      put(removed);
      show(at);
      form.focus('type');
      announce(`Event ${at + 1} is back`);
    };
    offerUndo(`Event ${at + 1} is removed.`, undo);
  }

  /** Says what was done to the list of events, with a button that undoes it. */
  function offerUndo(words: string, undo: () => void): void {
    put(removed, h('span', {}, words), button('undo', 'Undo', undo, { class: 'button quiet' }));
    announce(words);
    focusShown();
  }

  /** Replaces all drafts. `made` has `drafts`, and may have `namespaces` and `around`. */
  function replace(made: Pick<BuildState, 'drafts'> & Partial<State | BuildState>, words: string): void {
    const { drafts, at, namespaces, around: text } = state;
    const set = (own: Partial<State>, index: number) => {
      Object.assign(state, own);
      around.value = state.around;
      const details = around.closest('details');
      if (details !== null) details.open ||= state.around !== '';
      wrong = [];
      show(index);
    };
    set({ ...made, drafts: [...made.drafts], namespaces: new Map([...namespaces, ...(made.namespaces ?? [])]) }, 'at' in made ? (made.at ?? 0) : 0);
    offerUndo(words, () => {
      put(removed);
      set({ drafts, namespaces, around: text }, at);
      focusShown();
      announce('It is as before');
    });
  }

  /** Adds drafts after all others. An event in which nothing is filled in is replaced. */
  function append(drafts: readonly Draft[]): void {
    const before = state.drafts.filter((draft) => !isBlank(draft));
    replace({ drafts: [...before, ...drafts], at: before.length }, `${count(drafts.length, 'event')} made.`);
  }
  const starts = makeStarts({
    engine,
    append,
    template: ({ title, state: stateOf }) =>
      replace(stateOf(), `Template ${title}: ${count(stateOf().drafts.length, 'event')}, with example identifiers to replace.`),
  });

  // The verdict on them.
  const named: HTMLInputElement = h('input', {
    type: 'checkbox',
    id: 'build-hash',
    onchange: () => {
      state.isNamed = named.checked;
      changed();
    },
  });
  named.checked = state.isNamed;
  const around: HTMLTextAreaElement = h('textarea', {
    class: 'field',
    id: 'build-around',
    rows: '4',
    spellcheck: 'false',
    autocomplete: 'off',
    placeholder: '{"sender": "https://id.gs1.org/417/9521141000014"}',
    oninput: () => {
      state.around = around.value;
      changed();
    },
  });
  around.value = state.around;
  const verdict = h('div', { 'aria-live': 'polite' });
  const output = h('pre', { class: 'raw', tabindex: '0', role: 'region', 'aria-label': 'The document as JSON' });
  const result = h('div', { class: 'build-result', hidden: true });
  let told = '';

  /** Shows the verdict of the engine, unless it is the same as before: screen readers would repeat it. */
  function tell({ valid, faults, findings, counts, events: number }: Told): void {
    const what = JSON.stringify([valid, faults, findings, number]);
    if (what === told) return;
    told = what;
    const countOf = (severity: 'error' | 'warning' | 'hint') => counts?.[severity] ?? 0;
    const meets = `The ${number === 1 ? 'event meets' : 'events meet'} the official JSON schema`;
    const found: readonly Listed[] = valid ? (findings ?? []) : faults;
    put(
      verdict,
      !valid
        ? banner('calm', 'Still needed', `${count(faults.length, 'thing')} to fill in or correct`)
        : findings === undefined
          ? banner('calm', 'Valid', `${meets}. The checks could not be loaded: are you offline?`)
          : findings.length === 0
            ? banner('good', 'Valid', `${meets}, and the checks find nothing`)
            : banner(
                countOf('error') > 0 ? 'bad' : countOf('warning') > 0 ? 'warn' : 'calm',
                `Valid, but the checks find ${(['error', 'warning', 'hint'] as const)
                  .filter((severity) => countOf(severity) > 0)
                  .map((severity) => count(countOf(severity), severity))
                  .join(', ')}`,
                'The schema cannot check these things.',
              ),
      found.length > 0 && h('ul', { class: 'build-errors' }, found.slice(0, LISTED).map(item)),
      found.length > LISTED && h('p', { class: 'fine' }, `And ${found.length - LISTED} more.`),
    );
  }

  function item({ message, found, path }: Listed): HTMLElement {
    const { index, name } = placeOf(path);
    const go = () => {
      if (index !== undefined && index !== state.at) show(index);
      form.focus(name);
    };
    return h(
      'li',
      {},
      index !== undefined && state.drafts[index] !== undefined && [h('button', { type: 'button', class: 'link', onclick: go }, `Event ${index + 1}`), ' '],
      rich(message),
      found !== undefined && [': ', h('code', {}, found)],
    );
  }

  async function judge(): Promise<void> {
    const own = (turn += 1);
    const typed = new Set<string>();
    const note = (id: string) => (typed.add(id), id);
    documentOf(state, { spell: note, glnOf: (id) => (note(id), undefined) });
    const written = [...typed];
    const read = await engine.tool('read', { list: written });
    const table = new Map(written.map((id, at) => [id, read[at]]));
    const ids = { spell: (id: string) => table.get(id)?.id ?? id, glnOf: (id: string) => table.get(id)?.gln };
    const document = documentOf(state, ids);
    const { text, errors, problem, findings, counts } = await engine.tool('judge', { document, isNamed: state.isNamed });
    if (own !== turn) return;
    const mine = faultsOf(state, ids);
    // What this form says of a place says more than the engine does.
    const faults: Listed[] = [...mine, ...errors.filter(({ path }) => !mine.some((fault) => fault.path !== '' && `${path}/`.startsWith(`${fault.path}/`)))];
    form.sayTransactions(transactionsOf(draftAt(state.at), ids).map(({ words, fault }) => words ?? fault?.replaceAll('`', '')));
    // Say why there is no hash, if no other error does.
    if (faults.length === 0 && problem !== undefined) faults.push({ message: problem.detail ?? problem.title });
    built = text;
    output.textContent = built;
    result.hidden = false;
    wrong = state.drafts.map((_, index) => faults.filter(({ path }) => placeOf(path).index === index).length);
    list();
    tell({ valid: faults.length === 0, faults, findings, counts, events: state.drafts.length });
  }

  put(
    room,
    h('h2', { class: 'tool-title' }, 'Build events'),
    h(
      'p',
      { class: 'tool-about' },
      'Fill in what happened; identifiers in any spelling become GS1 Digital Links. The document is validated and checked while you type.',
    ),
    starts.own,
    events,
    h(
      'div',
      { class: 'form-row build-tools' },
      button('plus', 'Add event', () => insert(blank(), 'Added'), { class: 'button quiet' }),
      // A duplicate must not have the same eventID.
      button('copy', 'Duplicate', () => insert({ ...structuredClone(draftAt(state.at)), eventID: '' }, 'Duplicated'), { class: 'button quiet' }),
      button('clear', 'Remove', remove, { class: 'button quiet' }),
      removed,
    ),
    form.own,
    result,
  );
  put(
    result,
    h('label', { class: 'form-check', for: 'build-hash' }, named, ' Name each event by its hash (eventID)'),
    h(
      'details',
      { class: 'plain', open: state.around !== '' },
      h('summary', {}, 'Sender, receiver, master data'),
      h('div', { class: 'form-field' }, h('label', { for: 'build-around' }, 'Further members of the document, as JSON'), around),
    ),
    verdict,
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
    output,
  );
  show(state.at);
  return {};
}
