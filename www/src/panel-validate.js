// Is it valid, and what is wrong where.
import { button, h, icon, put } from './dom.js';
import { banner, more, refusal, rich, trail } from './parts.js';
import { count, wallClock } from './words.js';

const SHOWN = 60;

/** Fills the panel; `jump(index)` goes to the place of an error. */
export function showVerdict(panel, verdict, { jump, download }) {
  if (verdict.problem !== undefined) {
    put(
      panel,
      refusal(verdict.problem, () => jump(0)),
    );
    return;
  }
  const { errors, valid } = verdict;
  const isXml = verdict.format === 'xml';
  const schema = `EPCIS ${verdict.schema.version} JSON schema`;
  const source = isXml && `EPCIS ${verdict.source.version} XML schema`;
  const tools = button('download', 'Verdict', () => download('verdict'), { class: 'button quiet' });
  if (valid) {
    put(
      panel,
      banner('good', 'Valid', isXml ? `Meets the official ${source}; its translation meets the ${schema}` : `Meets the official ${schema}`, !isXml && tools),
      ...overviewOf(verdict),
      pin(verdict),
    );
    return;
  }
  const inSource = isXml ? verdict.inSource : 0;
  const found = (number, kind) => `${number >= 1000 ? 'more than 1,000 errors' : count(number, 'error')} by the ${kind}`;
  const isBoth = inSource > 0 && inSource < errors.length;
  const said = isXml
    ? [found(inSource, source), found(errors.length - inSource, schema)].filter((_, at) => (at === 0 ? inSource > 0 : errors.length > inSource))
    : [found(errors.length, `official ${schema}`)];
  put(
    panel,
    banner('bad', 'Not valid', sentence(said.join('; ')), !isXml && tools),
    isBoth && h('h3', { class: 'caption' }, 'In the XML'),
    ...listed(errors.slice(0, isXml ? inSource : undefined), 0, jump),
    isBoth && h('h3', { class: 'caption' }, 'In its translation'),
    ...(isXml ? listed(errors.slice(inSource), inSource, jump) : []),
    ...overviewOf(verdict),
    pin(verdict),
  );
}

const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The errors, as many as are looked at, and a way to more; `first` is the number of the first among all. */
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
    {},
    h(
      'button',
      { type: 'button', class: 'error', onclick: () => jump(index), dataset: { error: index } },
      h('span', { class: 'error-message' }, rich(error.message ?? error.detail ?? '')),
      h(
        'span',
        { class: 'error-place' },
        trail(error.source?.path ?? error.path),
        h('span', { class: 'error-line', dataset: { line: index } }),
        h('span', { class: 'error-keyword' }, error.keyword),
      ),
      icon('jump'),
    ),
  );
}

/** The lines of the errors, once they are known. */
export function showErrorLines(panel, places) {
  for (const mark of panel.querySelectorAll('[data-line]')) {
    const place = places[Number(mark.dataset.line)];
    if (place !== undefined) mark.textContent = `line ${place.line.toLocaleString('en')}`;
  }
}

function overviewOf({ overview }) {
  if (overview === undefined || overview.total === 0) return [];
  const { first, last } = overview;
  const facts = [
    ['Document', overview.type.replace(/^EPCIS/, 'EPCIS ') || 'no type'],
    ['Version', overview.schemaVersion],
    ['Events', overview.total.toLocaleString('en')],
    ['Covers', first === undefined ? '' : period(first, last)],
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

/** `14 to 18 Sep 2026`, leaving out what both ends share. */
function period(first, last) {
  const [from, to] = [first, last].map((time) => wallClock(new Date(time).toISOString(), '+00:00').day.split(' '));
  if (from.join() === to.join()) return to.join(' ');
  const shared = from[2] !== to[2] ? 3 : from[1] !== to[1] ? 2 : 1;
  return `${from.slice(0, shared).join(' ')} to ${to.join(' ')}`;
}

/** Under a verdict: what the other answers are, in a line each, with the way there. */
export function showOthers(panel, { events, hashes, translation }, choose) {
  const room = panel.querySelector('.others') ?? h('div', { class: 'others' });
  const line = (tab, title, words, tone = '') =>
    h('button', { type: 'button', class: `other ${tone}`, onclick: () => choose(tab) }, h('b', {}, title), h('span', {}, words), icon('jump'));
  const lines = [];
  if (events?.total > 0)
    lines.push(
      line(
        'events',
        'Events',
        `${count(events.total, 'event')}${events.flow.edges.length > 0 ? `, ${count(events.flow.edges.length, 'flow')} of items between them` : ''}: see the picture`,
      ),
    );
  if (hashes?.total > 0) {
    const { tally, total, agreeing } = hashes;
    const wrong = tally['matches-none'];
    lines.push(
      wrong > 0
        ? line('hash', 'Hash', `${count(wrong, 'eventID')} in hash form ${wrong === 1 ? 'is' : 'are'} not the hash of the event`, 'bad')
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
    const { isClean, losses } = translation.report;
    const to = translation.direction === 'to-json' ? 'JSON-LD' : `XML ${translation.version}`;
    lines.push(
      line(
        'translate',
        'Translate',
        isClean ? `to ${to} and back without a loss` : `to ${to}: ${count(losses, 'place')} ${losses === 1 ? 'does' : 'do'} not come back`,
        isClean ? '' : 'warn',
      ),
    );
  }
  put(room, lines);
  if (lines.length > 0 && !room.isConnected) panel.querySelector('.fine:last-child')?.before(room);
}

function pin({ schema, source }) {
  const own = source === undefined ? '' : `${source.artefact}, version ${source.version}; `;
  return h('p', { class: 'fine' }, `${own}${schema.artefact}, version ${schema.version}, SHA-256 `, h('code', {}, schema.sha256));
}
