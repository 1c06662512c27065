// The panel of the verdict: whether the document is valid, and its errors with their places.
import { button, h, icon, put } from './dom.js';
import { banner, more, refusal } from './parts.js';
import { errorContent, found, schemasOf, verdictWords } from './verdict-view.js';
import { count, eventsText, moment } from './words.js';

const SHOWN = 60;

/** Fills the panel. `jump(index)` goes to the place of an error. */
export function showVerdict(panel, verdict, { jump, download }) {
  if (verdict.problem !== undefined) {
    put(
      panel,
      refusal(verdict.problem, () => jump(0)),
    );
    return;
  }
  const { errors, repeated } = verdict;
  const isXml = verdict.format === 'xml';
  const isList = verdict.shape === 'array' || verdict.shape === 'lines';
  const tools = isXml ? [] : [button('download', 'Verdict', () => download('verdict'), { class: 'button quiet' })];
  const listNote =
    isList &&
    h(
      'p',
      { class: 'remark' },
      icon('info'),
      `${verdict.shape === 'array' ? 'An array of events' : 'NDJSON, one event per line'}: each is validated as an event of a document. To capture them, put them into an EPCISDocument.`,
    );
  if (isXml) {
    showXml(panel, verdict, { jump });
    return;
  }
  put(
    panel,
    banner(...verdictWords(verdict), ...tools),
    listNote,
    ...listed(errors, 0, jump),
    ...listed(repeated, errors.length, jump),
    ...overviewOf(verdict),
    pin(verdict),
  );
}

/** Shows the two verdicts on XML: that of the XML schema of its version, and that of the JSON schema on its translation. */
function showXml(panel, verdict, { jump }) {
  const { errors, inSource, refused } = verdict;
  const version = verdict.sourceVersion ?? verdict.source.version;
  const { json: schema, xml: source } = schemasOf(verdict);
  const inTranslation = errors.length - inSource;
  const row = (tone, title, words) =>
    h('li', { class: tone }, icon({ good: 'check', bad: 'cross', calm: 'info' }[tone]), h('b', {}, title), h('span', {}, words));
  const isTranslationFine = verdict.isTranslationValid === true;
  put(
    panel,
    banner(...verdictWords(verdict)),
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

/** The list of errors, with a button for more. `first` is the index of its first error among all errors. */
function listed(errors, first, jump) {
  if (errors.length === 0) return [];
  const list = h('ol', { class: 'errors' });
  const draw = (from, to) => list.append(...errors.slice(from, to).map((error, at) => item(error, first + from + at, jump)));
  draw(0, SHOWN);
  let drawn = SHOWN;
  const rest =
    errors.length > SHOWN &&
    more('Show 200 more', () => {
      draw(drawn, drawn + 200);
      drawn += 200;
      return drawn >= errors.length;
    });
  return [list, rest];
}

function item(error, index, jump) {
  return h(
    'li',
    { dataset: { item: index } },
    h(
      'button',
      {
        type: 'button',
        class: `error ${error.follows ? 'is-consequence' : error.keyword === 'repeated name' ? 'is-loss' : ''}`,
        onclick: () => jump(index),
        dataset: { error: index },
      },
      ...errorContent(error, h('span', { class: 'error-line', dataset: { line: index } })),
      icon('jump'),
    ),
  );
}

/** Adds the line numbers to the errors, once they are known. */
export function showErrorLines(panel, places) {
  for (const mark of panel.querySelectorAll('[data-line]')) {
    const place = places[Number(mark.dataset.line)];
    if (place !== undefined) mark.textContent = `line ${place.line.toLocaleString('en')}`;
  }
}

/** Adds buttons for corrections: one for each, one for all of a kind, and one for all. `correct(fixes)` applies them. */
export function showFixes(panel, fixes, correct) {
  for (const old of panel.querySelectorAll('.fixes')) old.remove();
  const kinds = new Map();
  for (const fix of fixes) kinds.set(fix.kind, [...(kinds.get(fix.kind) ?? []), fix]);
  const own = (words, chosen) => button('wrench', words, () => correct(chosen), { class: 'button fix' });
  for (const fix of fixes) {
    const twins = kinds.get(fix.kind);
    panel
      .querySelector(`[data-item="${fix.error}"]`)
      ?.append(
        h(
          'div',
          { class: 'fixes' },
          own(`Change to ${fix.to}`, [fix]),
          twins.length > 1 && own(`Change all ${twins.length.toLocaleString('en')} like it`, twins),
        ),
      );
  }
  if (fixes.length > 1)
    panel.querySelector('.errors')?.before(h('div', { class: 'fixes all' }, own(`Make all ${fixes.length.toLocaleString('en')} suggested corrections`, fixes)));
}

function overviewOf({ overview }) {
  if (overview === undefined || overview.total + overview.others === 0) return [];
  const { first, last } = overview;
  const facts = [
    ['Document', overview.type.replace(/^EPCIS/, 'EPCIS ') || 'no type'],
    ['Version', overview.schemaVersion],
    ['Events', overview.others === 0 ? overview.total.toLocaleString('en') : eventsText(overview.total, overview.others)],
    ['From', first === undefined ? '' : period(first, last)],
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
function period(first, last) {
  const [from, to] = [first, last].map(({ time, offset }) => moment(time, offset));
  return from === to ? from : `${from} to ${to}`;
}

/** Shows a line for each of the other tabs under the verdict: its result, and a button that opens it. */
export function showOthers(panel, { verdict, checks, events, hashes, translation }, choose) {
  const room = panel.querySelector('.others') ?? h('div', { class: 'others' });
  const line = (tab, title, words, tone = '') =>
    h('button', { type: 'button', class: `other ${tone}`, onclick: () => choose(tab) }, h('b', {}, title), h('span', {}, words), icon('jump'));
  const lines = [];
  if (checks?.events > 0) {
    const { counts, notApplicable } = checks;
    const words = ['error', 'warning', 'hint'].filter((severity) => counts[severity] > 0).map((severity) => count(counts[severity], severity));
    lines.push(
      line(
        'checks',
        'Checks',
        words.join(', ') || (notApplicable === undefined ? `no ${verdict.valid ? '' : 'other '}problems found` : 'not checked for all that you chose'),
        counts.error > 0 ? 'bad' : counts.warning > 0 ? 'warn' : '',
      ),
    );
  }
  if (events?.total > 0)
    lines.push(
      line(
        'events',
        'Events',
        `${eventsText(events.total - events.others, events.others)}${events.flow.flows > 0 ? `, ${count(events.flow.flows, 'flow')} of items between them` : ''}${events.total > events.others ? ': see how items flow' : ''}`,
      ),
    );
  if (hashes?.total > 0) {
    const { tally, total, agreeing } = hashes;
    const wrong = tally['matches-none'];
    lines.push(
      wrong > 0
        ? line('hash', 'Hash', `${count(wrong, 'eventID')} ${wrong === 1 ? 'does not match its' : 'do not match their'} event`, 'bad')
        : line(
            'hash',
            'Hash',
            tally.matches > 0
              ? `${count(tally.matches, 'eventID')} verified as the hash of the event`
              : agreeing === total
                ? 'the three profiles agree'
                : 'the three profiles give different hashes',
          ),
    );
  }
  if (translation?.report !== undefined && translation.problem === undefined) {
    const { isClean, summary } = translation.report;
    const to = translation.direction === 'to-json' ? 'JSON-LD' : `XML ${translation.version}`;
    lines.push(line('translate', 'Translate', isClean ? `to ${to} and back, nothing lost` : `to ${to}: ${summary}`, isClean ? '' : 'warn'));
  }
  put(room, lines);
  if (lines.length > 0 && !room.isConnected) panel.querySelector('.fine:last-child')?.before(room);
}

function pin({ schema, source }) {
  const own = source === undefined ? '' : `${source.artefact}, version ${source.version}; `;
  return h('p', { class: 'fine' }, `${own}${schema.artefact}, version ${schema.version}, SHA-256 `, h('code', {}, schema.sha256));
}
