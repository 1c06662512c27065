// The panel of the checks: the choice of packs, and the findings beyond the errors of the schemas, those of one rule together.
import { type IndustryPack, type PackName, SEVERITIES, type Severity } from '../../../wasm/js/engine/answers.ts';
import type { ChecksAnswer, Findings, Range } from '../engine/answers.ts';
import type { Page } from '../page/page.ts';
import { docsOf } from '../../../wasm/document/check-document.ts';
import { askedOf } from './asked.ts';
import { makeParameters } from './check-parameters.ts';
import { announce, button, type Child, h, icon, put } from '../shared/dom.ts';
import { banner, refusal, rich, trail, waiting } from '../shared/parts.ts';
import { count } from '../shared/words.ts';

/** How many places of a rule are shown at first, and how many more with each press of its button. */
const SHOWN = { first: 5, more: 200 };
const LOOK: Readonly<Record<Severity, string>> = { error: '', warning: 'is-loss', hint: 'is-note' };
const USUAL = 'identifiers, contradictions between events, vocabulary';

/** The packs of industries. `name` is the word for a pack in sentences, `releases` tells whose releases it knows. */
interface Industry {
  readonly title: string;
  readonly about?: string;
  readonly name: string;
  readonly releases?: string;
}

/** A finding at its place in the text. */
type Placed = Findings['findings'][number] & { readonly place: Range | undefined; readonly step?: string; readonly entry?: string };
/** A rule with its findings. */
type Ruled = Findings['rules'][number] & { readonly places: Placed[] };

const ABOUT: Readonly<Record<IndustryPack, Industry>> = {
  'serialised-medicine': { title: 'Medicines', about: 'any country', name: 'medicines' },
  dscsa: { title: 'DSCSA', about: 'US medicines', name: 'DSCSA', releases: 'GS1 US' },
  fsma204: { title: 'FSMA 204', about: 'US food', name: 'FSMA 204' },
  walmart: { title: 'Walmart', name: 'Walmart' },
  gdst: { title: 'GDST', about: 'seafood', name: 'GDST' },
};
/** The packs in the order in which they are offered. */
const INDUSTRIES = Object.entries(ABOUT).map(([id, about]) => ({ id, ...about }));
/**
 * The packs that are suggested, the surest first: DSCSA and GDST have words of their own, but lots and serials are found in documents of
 * every industry. Walmart's suppliers know that they are.
 */
const SUGGESTIONS: Readonly<Partial<Record<PackName, string>>> = {
  dscsa: 'This looks like a DSCSA document: check it for DSCSA',
  gdst: 'This looks like a GDST document: check it for GDST',
  fsma204: 'If this is food for the US: check it for FSMA 204',
  'serialised-medicine': 'If these are medicines: check them as medicines',
};

/** The packs whose findings a receiver of medicines reports to the supplier. */
const REPORTED = ['serialised-medicine', 'dscsa'];

const named = (list: readonly Pick<Industry, 'name'>[]) => list.map(({ name }) => name).join(', ');
const foundIn = (counts: Findings['counts']) => SEVERITIES.filter((severity) => counts[severity] > 0).map((severity) => count(counts[severity], severity));

/** Builds the panel. `page` has the state of the page and its actions. Returns `{show}`, which fills it for the shown document. */
export function makeChecks(panel: HTMLElement, { state, session, engine, ask, answered, jumpTo, drawCode, quietly }: Page): { show(): Promise<void> } {
  const boxes = INDUSTRIES.map(({ id }) => h('input', { type: 'checkbox', value: id, onchange: () => quietly(choose()) }));
  const choice = h(
    'fieldset',
    { class: 'packs' },
    h('legend', {}, 'Check for:'),
    INDUSTRIES.map(({ title, about }, at) =>
      h('label', { class: 'pack' }, boxes[at], h('span', {}, title, about !== undefined && h('span', { class: 'pack-about' }, ` (${about})`))),
    ),
  );
  const room = h('div', {});
  const form = makeParameters(state.parameters, {
    changed(parameters) {
      state.parameters = parameters;
      session.keep('parameters', parameters);
      quietly(again());
    },
    glnFaults: (list) => engine.tool('glnFaults', { list }),
    quietly,
  });

  /** Takes the choice from the boxes, and checks again. */
  async function choose() {
    const found = state.parts.checks?.found ?? [];
    const isChecked = (id: string) => boxes.find(({ value }) => value === id)?.checked === true;
    const known = boxes.map(({ value }) => value);
    // A pack that the document is made for is asked without being chosen. Taken back, it is not asked of any document.
    state.unwanted = known.filter((id) => (found.includes(id) || state.unwanted.includes(id)) && !isChecked(id));
    state.packs = known.filter((id) => isChecked(id) && !found.includes(id));
    session.keep('packs', state.packs);
    session.keep('unwanted', state.unwanted);
    await again();
  }

  /** Checks again, after the choice or what the packs are told has changed. */
  async function again() {
    drawCode();
    const report = await draw();
    if (report !== undefined) announce(spoken(report));
  }

  /** Checks, if that was not done for this document and choice, and draws the report. Returns it, unless another choice was made meanwhile. */
  async function draw(): Promise<ChecksAnswer | undefined> {
    const asked = askedOf(state);
    const { parts } = state;
    if (parts.checks?.asked !== asked) {
      const report = await ask('checks', { packs: state.packs, unwanted: state.unwanted, parameters: state.parameters });
      if (report === undefined) throw new Error('the checks could not be loaded');
      answered({ part: 'checks', value: report });
    }
    const report = parts.checks;
    if (report?.asked !== asked) return undefined;
    const isAskable = report.problem === undefined && report.events > 0;
    if (isAskable && INDUSTRIES.every(({ id }) => !isAsked(report, id))) parts.fitting ??= await ask('fitting', Object.keys(SUGGESTIONS) as PackName[]);
    if (state.parts !== parts || askedOf(state) !== asked) return undefined;
    for (const box of boxes) box.checked = state.packs.includes(box.value) || report.found.includes(box.value);
    form.show(INDUSTRIES.filter(({ id }) => isAsked(report, id)));
    drawCode();
    if (report.problem !== undefined)
      put(
        room,
        refusal(report.problem, () => jumpTo(report.places[0])),
      );
    else if (report.events === 0) put(room, banner('calm', 'No events', 'There is nothing to check.'));
    else put(room, suggestion(report, parts.fitting), answer(report));
    return report;
  }

  /** Whether the rules of a pack were asked: it was chosen, and it is for this document. */
  const isAsked = (report: ChecksAnswer, id: string) =>
    report.found.includes(id) || (state.packs.includes(id) && !(report.problem === undefined && report.notApplicable?.some(({ pack }) => pack === id)));

  /** A button that chooses the pack that the document seems to be made for. */
  function suggestion(report: ChecksAnswer, fitting: readonly string[] = []): Child {
    const id = (Object.keys(SUGGESTIONS) as PackName[]).find((one) => fitting.includes(one));
    return (
      id !== undefined &&
      INDUSTRIES.every((one) => !isAsked(report, one.id)) &&
      h(
        'p',
        { class: 'pack-suggestion' },
        button('right', SUGGESTIONS[id] ?? '', () => {
          const box = boxes.find(({ value }) => value === id);
          if (box === undefined) return;
          box.checked = true;
          box.focus();
          quietly(choose());
        }),
      )
    );
  }

  function answer(report: Findings & { readonly found: readonly string[]; readonly asked: string }): Child {
    const { counts, events, findings, found = [], notApplicable = [], releases = [] } = report;
    const foreign = INDUSTRIES.flatMap(({ id, name }) => notApplicable.filter(({ pack }) => pack === id).map(({ message }) => ({ name, message })));
    const packs = INDUSTRIES.filter(({ id }) => isAsked(report, id)).map(({ id, name, releases: whose }) => {
      const own = releases.find(({ pack }) => pack === id);
      return own === undefined ? name : `${name} (${whose} ${own.release})`;
    });
    const asked = `${count(events, 'event')} checked: ${[USUAL, ...packs].join(', ')}`;
    const total = counts.error + counts.warning + counts.hint;
    const valid = state.parts.verdict?.valid;
    return [
      total > 0
        ? banner(counts.error > 0 ? 'bad' : counts.warning > 0 ? 'warn' : 'calm', foundIn(counts).join(', '), asked)
        : foreign.length > 0
          ? banner('calm', `Not checked for ${named(foreign)}`, `${asked}. No problems found there.`)
          : banner(valid ? 'good' : 'calm', 'No problems found', valid ? asked : `${asked}. But the document is not valid.`),
      total > 0 && REPORTED.some((id) => isAsked(report, id)) && exceptions(),
      found.length > 0 &&
        h(
          'p',
          { class: 'remark' },
          icon('info'),
          h('span', {}, `Checked for ${named(INDUSTRIES.filter(({ id }) => found.includes(id)))}, too: the document is made for it.`),
        ),
      foreign.map(({ name, message }) => h('p', { class: 'remark' }, icon('info'), h('span', {}, `Not checked for ${name}: ${message}.`))),
      total > 0 && h('ol', { class: 'errors findings', 'aria-label': 'Findings' }, groupsOf(report).map(group)),
      total > findings.length &&
        h('p', { class: 'fine' }, `The first ${findings.length.toLocaleString('en')} of ${total.toLocaleString('en')} places are listed.`),
      h('p', { class: 'fine' }, 'The schema cannot check these things. A document can pass one and fail the other.'),
    ];
  }

  /** The button that opens the form of the exception report, and that form. Both stay, so that what is typed is there after another check. */
  let reporting: HTMLElement | undefined;
  function exceptions() {
    if (reporting !== undefined) return reporting;
    const form = h('div', { id: 'exceptions', hidden: true });
    const open: HTMLButtonElement = button(
      'right',
      'Exception report for the supplier',
      async () => {
        form.hidden = !form.hidden;
        open.setAttribute('aria-expanded', String(!form.hidden));
        if (form.hidden) return;
        if (form.childElementCount === 0) {
          const { showExceptions } = await import('./panel-exceptions.ts');
          showExceptions(form, ask);
        }
        form.querySelector('input')?.focus();
      },
      { 'aria-expanded': 'false', 'aria-controls': 'exceptions' },
    );
    return (reporting = h('div', { class: 'exceptions' }, open, form));
  }

  /** A rule with its places. */
  function group({ rule, severity, message, source, count: total, places }: Ruled): HTMLElement {
    const list = h('ol', { class: 'finding-places' });
    let drawn = 0;
    const draw = (next: number) => {
      list.append(...places.slice(drawn, drawn + next).map((place) => placeOf(place, message)));
      drawn += next;
      rest.hidden = drawn >= places.length;
      rest.textContent = `and ${(places.length - drawn).toLocaleString('en')} more`;
    };
    const rest: HTMLButtonElement = h('button', {
      type: 'button',
      class: 'link finding-rest',
      onclick: () => {
        const at = drawn;
        draw(SHOWN.more);
        list.children[at]?.querySelector('button')?.focus();
      },
    });
    draw(SHOWN.first);
    return h(
      'li',
      { class: `finding ${LOOK[severity]}` },
      h('p', { class: 'error-message' }, h('b', {}, severity), ' ', rich(message), total > 1 && h('span', { class: 'chip' }, count(total, 'place'))),
      h(
        'p',
        { class: 'finding-source' },
        [source.document, source.clause].filter(Boolean).join(', '),
        ' · ',
        h('a', { href: docsOf(rule), rel: 'noopener', target: '_blank' }, rule),
      ),
      list,
      rest,
    );
  }

  /** One place of a rule, with its own message if that says more than the rule's. */
  function placeOf({ message, found, path, line, place, step, entry }: Placed, common: string): HTMLElement {
    const value = found ?? entry;
    return h(
      'li',
      {},
      h(
        'button',
        { type: 'button', class: 'error finding-place', onclick: () => jumpTo(place) },
        h(
          'span',
          { class: 'error-message' },
          message !== common && rich(message),
          message !== common && value !== undefined && ': ',
          value !== undefined && h('code', {}, value),
        ),
        h(
          'span',
          { class: 'error-place' },
          entry === undefined ? trail(path) : h('span', { title: path }, 'master data'),
          step !== undefined && h('span', {}, step),
          h('span', { class: 'error-line' }, `line ${(place?.line ?? line).toLocaleString('en')}`),
        ),
        icon('jump'),
      ),
    );
  }

  return {
    async show() {
      put(panel, choice, form.room, room);
      for (const box of boxes) box.checked = state.packs.includes(box.value);
      if (state.parts.checks?.asked !== askedOf(state)) put(room, waiting('Checking'));
      await draw();
    },
  };
}

/** The rules with findings, the severest first: each with its `places` in document order. */
function groupsOf({ rules, findings, places, subjects }: Findings): Ruled[] {
  const own = new Map(rules.map((rule): [string, Ruled] => [rule.rule, { ...rule, places: [] }]));
  const groups = new Set<Ruled>();
  for (const [at, finding] of findings.entries()) {
    const one = own.get(finding.rule);
    if (one === undefined) continue;
    one.places.push({ ...finding, place: places[at], ...subjects[at] });
    groups.add(one);
  }
  return [...groups].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
}

/** A report in a few words, for screen readers. */
function spoken(report: ChecksAnswer): string {
  if (report.problem !== undefined) return report.problem.title;
  const { counts, notApplicable = [] } = report;
  const foreign = INDUSTRIES.filter(({ id }) => notApplicable.some(({ pack }) => pack === id));
  const words = foundIn(counts).join(', ') || 'No problems found';
  return foreign.length === 0 ? words : `${words}; not checked for ${named(foreign)}`;
}
