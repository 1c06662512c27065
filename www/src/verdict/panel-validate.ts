// The panel of the verdict: whether the document is valid, and its errors with their places.
import type { Fix, Range } from '../engine/answers.ts';
import type { Page } from '../page/page.ts';
import type { Moment } from '../events/event-model.ts';
import { button, type Child, h, icon, put } from '../shared/dom.ts';
import { banner, MARKS, more, refusal, type Tone } from '../shared/parts.ts';
import { showLine } from './verdict-line.ts';
import { errorContent, found, schemasOf, verdictWords } from './verdict-view.ts';
import { eventsText, lower, moment } from '../shared/words.ts';

import type { Shape } from '../../../wasm/document/event-list.ts';
import type { Repeated, VerdictAnswer, VerdictError } from './document-verdict.ts';

type Jump = (index: number) => unknown;
/** What is listed: errors, and repeated names. */
type Listed = VerdictError | Repeated;

const SHOWN = 60;
/** What is said of a text that is no document. */
const SHAPES: Readonly<Partial<Record<Shape | 'event', string>>> = {
  array: 'An array of events: each is validated as an event of a document. To capture them, put them into an EPCISDocument.',
  lines: 'NDJSON, one event per line: each is validated as an event of a document. To capture them, put them into an EPCISDocument.',
  event: 'A single event without a document. To send it with others, put it into an EPCISDocument.',
  soap: 'Taken out of a SOAP message: the answers are about the EPCIS document in its Body.',
};

/** Fills the panel, and the line above the others. `jump(index)` goes to the place of an error. `verdict-summary.ts` adds the sentence. */
export function showVerdict(
  panel: HTMLElement,
  line: HTMLElement,
  verdict: VerdictAnswer,
  { jump, download, inDocument, makeEvents }: Pick<Page, 'download'> & { readonly jump: Jump; inDocument(): unknown; makeEvents(): unknown },
): void {
  if (verdict.problem !== undefined) {
    showLine(line, hasSentence(verdict) ? 'bad' : undefined, verdict.problem.title);
    put(
      panel,
      // It may get the button of a correction.
      h(
        'div',
        { 'data-item': 0 },
        refusal(verdict.problem, () => jump(0)),
      ),
      verdict.problem.isTable && h('p', {}, button('plus', 'Make events of it', makeEvents, { class: 'button main' })),
      hasSentence(verdict) && summaryRoom(),
    );
    return;
  }
  const [tone, title, detail] = verdictWords(verdict);
  showLine(line, tone, `${title}: ${lower(detail)}`);
  const { errors, repeated = [] } = verdict;
  const isXml = verdict.format === 'xml';
  const list = verdict.shape && SHAPES[verdict.shape];
  const tools = isXml ? [] : [button('download', 'Verdict', () => download('verdict'), { class: 'button quiet' })];
  const listNote =
    list !== undefined &&
    h('div', { class: 'remark' }, icon('info'), h('span', {}, list), !isXml && button('plus', 'Put into an EPCISDocument', inDocument, { class: 'button' }));
  if (isXml) {
    showXml(panel, verdict, { jump, listNote });
    return;
  }
  put(
    panel,
    banner(...verdictWords(verdict), ...tools),
    summaryRoom(),
    listNote,
    ...listed(errors, 0, jump),
    ...listed(repeated, errors.length, jump),
    ...overviewOf(verdict),
    pin(verdict),
  );
}

/** Shows the two verdicts on XML: that of the XML schema of its version, and that of the JSON schema on its translation. */
function showXml(panel: HTMLElement, verdict: VerdictAnswer, { jump, listNote }: { readonly jump: Jump; readonly listNote: Child }): void {
  const { errors, inSource = 0, refused } = verdict;
  const version = verdict.sourceVersion ?? verdict.source?.version;
  const { json: schema, xml: source } = schemasOf(verdict);
  const inTranslation = errors.length - inSource;
  const row = (tone: Tone, title: string, words: string) => h('li', { class: tone }, icon(MARKS[tone]), h('b', {}, title), h('span', {}, words));
  const isTranslationFine = verdict.isTranslationValid === true;
  put(
    panel,
    banner(...verdictWords(verdict)),
    listNote,
    summaryRoom(),
    h(
      'ul',
      { class: 'verdicts', 'aria-label': 'Verdicts' },
      row(
        verdict.isSourceValid ? 'good' : 'bad',
        `XML ${version}`,
        verdict.isSourceValid ? `meets the official ${source}` : `${found(inSource)} by the official ${source}`,
      ),
      refused === undefined
        ? row(
            // A valid translation of invalid XML is not marked green.
            isTranslationFine ? (verdict.isSourceValid ? 'good' : 'calm') : 'bad',
            'Translation',
            isTranslationFine
              ? `meets the official ${schema}${verdict.isSourceValid ? '' : ', though the XML is not valid'}`
              : inTranslation === 0
                ? `does not meet the official ${schema}, for the same reasons`
                : `${found(inTranslation)} by the official ${schema}`,
          )
        : row(refused.isOther ? 'calm' : 'bad', 'Translation', refused.isOther ? 'there is nothing to translate' : (refused.detail ?? refused.title)),
    ),
    inSource > 0 && inTranslation > 0 && h('h3', { class: 'caption' }, 'In the XML'),
    ...listed(errors.slice(0, inSource), 0, jump),
    inSource > 0 && inTranslation > 0 && h('h3', { class: 'caption' }, 'In its translation'),
    ...listed(errors.slice(inSource), inSource, jump),
    ...overviewOf(verdict),
    pin(verdict),
  );
}

/** What is no document of EPCIS at all has nothing to mend. */
const hasSentence = ({ problem, format }: VerdictAnswer) => !problem?.isOther && format !== 'foreign';
const summaryRoom = () => h('div', { class: 'summary' });

/** The indices of errors, those with the same words together, in the order of the first of each. */
function alike(errors: readonly Listed[]): number[][] {
  const groups = new Map<string, number[]>();
  for (const [at, error] of errors.entries()) {
    const key = `${error.keyword} ${'follows' in error && error.follows === true} ${error.message}`;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key)!.push(at);
  }
  return [...groups.values()];
}

/** The list of errors, equal ones as one with their number, with a button for more. `first` is the index of its first error among all. */
function listed(errors: readonly Listed[], first: number, jump: Jump): Child[] {
  if (errors.length === 0) return [];
  const groups = alike(errors);
  const list = h('ol', { class: 'errors' });
  const own = (at: number) => item(errors[at]!, first + at, jump);
  const draw = (from: number, to: number) => list.append(...groups.slice(from, to).map((group) => together(group, own)));
  draw(0, SHOWN);
  let drawn = SHOWN;
  const rest =
    groups.length > SHOWN &&
    more('Show 200 more', () => {
      draw(drawn, drawn + 200);
      drawn += 200;
      return drawn >= groups.length;
    });
  return [list, rest];
}

/** Equal errors: the first of them, their number, and a button that shows the places of the others. */
function together([first = 0, ...others]: readonly number[], own: (at: number) => HTMLElement): HTMLElement {
  const entry = own(first);
  if (others.length === 0) return entry;
  const rest = h('ol', { class: 'alike', hidden: true });
  const number = others.length.toLocaleString('en');
  let drawn = 0;
  const next = () => {
    rest.append(...others.slice(drawn, drawn + 200).map(own));
    drawn += 200;
    const panel = rest.closest('.panel');
    showErrorLines(rest, (panel && known.get(panel)) ?? []);
    return drawn >= others.length;
  };
  const toggle: HTMLButtonElement = h(
    'button',
    {
      type: 'button',
      class: 'link alike-toggle',
      'aria-expanded': 'false',
      onclick: () => {
        rest.hidden = !rest.hidden;
        toggle.setAttribute('aria-expanded', String(!rest.hidden));
        if (drawn === 0 && !next()) rest.after(more('Show 200 more', next));
      },
    },
    `${number} more like it`,
  );
  entry.querySelector('.error-place')?.prepend(h('b', { class: 'badge bad' }, `× ${(others.length + 1).toLocaleString('en')}`));
  entry.append(toggle, rest);
  return entry;
}

/** For each panel, the places of its errors, once they are known. */
const known = new WeakMap<Element, readonly (Range | undefined)[]>();

function item(error: Listed, index: number, jump: Jump): HTMLElement {
  return h(
    'li',
    { dataset: { item: index } },
    h(
      'button',
      {
        type: 'button',
        class: `error ${'follows' in error && error.follows ? 'is-consequence' : error.keyword === 'repeated name' ? 'is-loss' : ''}`,
        onclick: () => jump(index),
        dataset: { error: index },
      },
      ...errorContent(error, h('span', { class: 'error-line', dataset: { line: index } })),
      icon('jump'),
    ),
  );
}

/** Adds the line numbers to the errors, once they are known. */
export function showErrorLines(panel: HTMLElement, places: readonly (Range | undefined)[]): void {
  known.set(panel, places);
  for (const mark of panel.querySelectorAll<HTMLElement>('[data-line]')) {
    const place = places[Number(mark.dataset.line)];
    if (place !== undefined) mark.textContent = `line ${place.line.toLocaleString('en')}`;
  }
}

/** Adds buttons for corrections: one for each, one for all of a kind, and one for all. `correct(fixes)` applies them. */
export function showFixes(panel: HTMLElement, fixes: readonly Fix[], correct: (fixes: readonly Fix[]) => unknown): void {
  for (const old of panel.querySelectorAll('.fixes')) old.remove();
  const kinds = new Map<string, Fix[]>();
  for (const fix of fixes) kinds.set(fix.kind, [...(kinds.get(fix.kind) ?? []), fix]);
  const own = (words: string, chosen: readonly Fix[]) => button('wrench', words, () => correct(chosen), { class: 'button fix' });
  for (const fix of fixes) {
    const twins = kinds.get(fix.kind) ?? [];
    panel
      .querySelector(`[data-item="${fix.error}"]`)
      ?.append(
        h(
          'div',
          { class: 'fixes' },
          own(fix.says ?? `Change to ${fix.to}`, [fix]),
          twins.length > 1 && own(fix.saysAll ?? `Change all ${twins.length.toLocaleString('en')} like it`, twins),
        ),
      );
  }
  const sure = fixes.filter(({ isGuess }) => !isGuess);
  if (sure.length > 1)
    panel.querySelector('.errors')?.before(h('div', { class: 'fixes all' }, own(`Make all ${sure.length.toLocaleString('en')} suggested corrections`, sure)));
}

function overviewOf({ overview }: VerdictAnswer): Child[] {
  if (overview === undefined || overview.total + overview.others === 0) return [];
  const { first, last } = overview;
  const facts = [
    ['Document', overview.type.replace(/^EPCIS/, 'EPCIS ') || 'no type'],
    ['Version', overview.schemaVersion],
    ['Events', overview.others === 0 ? overview.total.toLocaleString('en') : eventsText(overview.total, overview.others)],
    ['From', first === undefined || last === undefined ? '' : period(first, last)],
  ].filter(([, value]) => value !== '');
  return [
    h(
      'section',
      { class: 'overview', 'aria-label': 'At a glance' },
      h('h3', { class: 'caption' }, 'At a glance'),
      h(
        'dl',
        { class: 'facts' },
        facts.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))),
      ),
      h(
        'div',
        { class: 'share-bar', 'aria-hidden': 'true' },
        overview.kinds.map(({ tone, number }) => {
          const part = h('span', { class: `tone-${tone}` });
          part.style.flexGrow = String(number);
          return part;
        }),
      ),
      h(
        'ul',
        { class: 'legend' },
        overview.kinds.map(({ type, tone, number }) =>
          h('li', {}, h('span', { class: `dot tone-${tone}` }), `${type} `, h('b', {}, number.toLocaleString('en'))),
        ),
      ),
      overview.contexts.length > 0 &&
        h(
          'details',
          { class: 'plain' },
          h('summary', {}, 'Declared vocabularies'),
          h(
            'ul',
            { class: 'contexts' },
            overview.contexts.map((context) => h('li', {}, context)),
          ),
        ),
    ),
  ];
}

/** The time from the first event to the last, each in its own time zone. */
function period(first: Moment, last: Moment): string {
  const [from, to]: [string, string] = [moment(first.time, first.offset), moment(last.time, last.offset)];
  return from === to ? from : `${from} to ${to}`;
}

function pin({ schema, source }: VerdictAnswer): Child {
  const own = source === undefined ? '' : `${source.artefact}, version ${source.version}; `;
  return h('p', { class: 'fine' }, `${own}${schema?.artefact}, version ${schema?.version}, SHA-256 `, h('code', {}, schema?.sha256));
}
