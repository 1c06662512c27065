// Is it valid, and what is wrong where.
import { button, h, icon, put } from './dom.js';
import { banner, more, refusal, rich, trail } from './parts.js';
import { count, span, wallClock } from './words.js';

const SHOWN = 60;

/** Fills the panel; `jump(index)` goes to the place of an error. */
export function showVerdict(panel, verdict, { jump, download }) {
  if (verdict.problem !== undefined) {
    put(panel, refusal(verdict.problem, () => jump(0)));
    return;
  }
  const { errors, valid } = verdict;
  const isXml = verdict.format === 'xml';
  const schema = verdict.schema && `EPCIS ${verdict.schema.version} schema`;
  const tools = button('download', 'Verdict', () => download('verdict'), { class: 'button quiet' });
  if (valid) {
    put(panel,
      banner('good', 'Valid', isXml ? `EPCIS ${verdict.version} XML; its translation meets the official ${schema}` : `Meets the official ${schema}`, !isXml && tools),
      ...overviewOf(verdict),
      pin(verdict));
    return;
  }
  const isCut = errors.length >= 1000;
  const list = h('ol', { class: 'errors' });
  const draw = (from, to) => list.append(...errors.slice(from, to).map((error, at) => item(error, from + at, jump)));
  draw(0, SHOWN);
  let drawn = SHOWN;
  put(panel,
    banner('bad', 'Not valid', `${isCut ? 'More than a thousand things' : count(errors.length, 'thing')} the official ${schema} does not accept`, !isXml && tools),
    list,
    errors.length > SHOWN && more('Show 200 more', () => {
      draw(drawn, drawn + 200);
      drawn += 200;
      return drawn >= errors.length;
    }),
    ...overviewOf(verdict),
    pin(verdict));
}

function item(error, index, jump) {
  return h('li', {}, h('button', { type: 'button', class: 'error', onclick: () => jump(index), dataset: { error: index } },
    h('span', { class: 'error-message' }, rich(error.message ?? error.detail ?? '')),
    h('span', { class: 'error-place' }, trail(error.source?.path ?? error.path), h('span', { class: 'error-line', dataset: { line: index } }), h('span', { class: 'error-keyword' }, error.keyword)),
    icon('jump')));
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
  const day = (time) => wallClock(new Date(time).toISOString(), '+00:00').day;
  const { first, last } = overview;
  const facts = [
    ['Document', overview.type.replace(/^EPCIS/, 'EPCIS ') || 'no type'],
    ['Version', overview.schemaVersion],
    ['Events', overview.total.toLocaleString('en')],
    ['Covers', first === undefined ? '' : last - first < 86_400_000 ? day(first) : `${span(last - first)}`],
    ['First', first === undefined || last - first < 86_400_000 ? '' : day(first)],
    ['Last', first === undefined || last - first < 86_400_000 ? '' : day(last)],
  ].filter(([, value]) => value !== '');
  return [
    h('section', { class: 'overview', 'aria-label': 'At a glance' },
      h('h3', { class: 'caption' }, 'At a glance'),
      h('dl', { class: 'facts' }, facts.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value)))),
      h('div', { class: 'share-bar', 'aria-hidden': 'true' }, overview.kinds.map(({ tone, number }) => {
        const part = h('span', { class: `tone-${tone}` });
        part.style.flexGrow = String(number);
        return part;
      })),
      h('ul', { class: 'legend' }, overview.kinds.map(({ type, tone, number }) => h('li', {}, h('span', { class: `dot tone-${tone}` }), `${type} `, h('b', {}, number.toLocaleString('en'))))),
      overview.contexts.length > 0 && h('details', { class: 'plain' }, h('summary', {}, 'Declared vocabularies'), h('ul', { class: 'contexts' }, overview.contexts.map((context) => h('li', {}, context))))),
  ];
}

function pin({ schema }) {
  return schema === undefined ? '' : h('p', { class: 'fine' }, `${schema.artefact}, version ${schema.version}, SHA-256 `, h('code', {}, schema.sha256));
}
