// The panel of the checks: the findings beyond the errors of the schemas, those of one rule together.
import { h, icon, put } from './dom.js';
import { banner, refusal, rich, trail, waiting } from './parts.js';
import { count } from './words.js';

/** How many places of a rule are shown at first, and how many more with each press of its button. */
const SHOWN = { first: 5, more: 200 };
const SEVERITIES = ['error', 'warning', 'hint'];
const LOOK = { error: '', warning: 'is-loss', hint: 'is-note' };
const USUAL = 'identifiers, contradictions between events, vocabulary';
const DOCS = 'https://github.com/epcis-edge/epcis-edge/blob/main/docs/checks';

const foundIn = (counts) => SEVERITIES.filter((severity) => counts[severity] > 0).map((severity) => count(counts[severity], severity));

/** Builds the panel. `page` has the state of the page and its actions. Returns `{show}`, which fills it for the shown document. */
export function makeChecks(panel, { state, ask, jumpTo, showBadge }) {
  function answer(report) {
    const { counts, events, findings } = report;
    const asked = `${count(events, 'event')} checked: ${USUAL}`;
    const total = counts.error + counts.warning + counts.hint;
    const { valid } = state.parts.verdict;
    return [
      total > 0
        ? banner(counts.error > 0 ? 'bad' : counts.warning > 0 ? 'warn' : 'calm', foundIn(counts).join(', '), asked)
        : banner(valid ? 'good' : 'calm', 'No problems found', valid ? asked : `${asked}. But the document is not valid.`),
      total > 0 && h('ol', { class: 'errors findings', 'aria-label': 'Findings' }, groupsOf(report).map(group)),
      total > findings.length &&
        h('p', { class: 'fine' }, `The first ${findings.length.toLocaleString('en')} of ${total.toLocaleString('en')} places are listed.`),
      h('p', { class: 'fine' }, 'The schema cannot check these things. A document can pass one and fail the other.'),
    ];
  }

  /** A rule with its places. */
  function group({ rule, severity, message, source, count: total, places }) {
    const [pack, id] = rule.split('/');
    const list = h('ol', { class: 'finding-places' });
    let drawn = 0;
    const draw = (next) => {
      list.append(...places.slice(drawn, drawn + next).map((place) => placeOf(place, message)));
      drawn += next;
      rest.hidden = drawn >= places.length;
      rest.textContent = `and ${(places.length - drawn).toLocaleString('en')} more`;
    };
    const rest = h('button', {
      type: 'button',
      class: 'link finding-rest',
      onclick: () => {
        const at = drawn;
        draw(SHOWN.more);
        list.children[at].querySelector('button').focus();
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
        h('a', { href: `${DOCS}/${pack}.md#${id}`, rel: 'noopener', target: '_blank' }, rule),
      ),
      list,
      rest,
    );
  }

  /** One place of a rule, with its own message if that says more than the rule's. */
  function placeOf({ message, found, path, line, place, step, entry }, common) {
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
      put(panel, waiting('Checking'));
      const report = (state.parts.checks ??= await ask('checks'));
      if (report === undefined) throw new Error('the checks could not be loaded');
      showBadge('checks', report);
      if (report.problem !== undefined)
        put(
          panel,
          refusal(report.problem, () => jumpTo(report.places[0])),
        );
      else if (report.events === 0) put(panel, banner('calm', 'No events', 'There is nothing to check.'));
      else put(panel, answer(report));
    },
  };
}

/** The rules with findings, the severest first: each with its `places` in document order. */
function groupsOf({ rules, findings, places, subjects }) {
  const own = new Map(rules.map((rule) => [rule.rule, { ...rule, places: [] }]));
  const groups = new Set();
  for (const [at, finding] of findings.entries()) {
    const one = own.get(finding.rule);
    one.places.push({ ...finding, place: places[at], ...subjects[at] });
    groups.add(one);
  }
  return [...groups].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
}
