// The panel of the checks: findings beyond the errors of the schemas.
import { h, icon, put } from './dom.js';
import { banner, more, refusal, rich, trail, waiting } from './parts.js';
import { count } from './words.js';

const SHOWN = 60;
const LOOK = { error: '', warning: 'is-loss', hint: 'is-note' };
const PACKS = 'identifiers, contradictions between events, vocabulary';

/** Fills the panel. `jumpTo(place)` goes to a place in the text, `showBadge` shows how much was found. */
export async function showChecks(panel, { valid }, { state, ask, jumpTo, showBadge }) {
  put(panel, waiting('Checking'));
  const report = (state.parts.checks ??= await ask('checks'));
  if (report === undefined) throw new Error('the checks could not be loaded');
  showBadge('checks', report);
  if (report.problem !== undefined) {
    put(
      panel,
      refusal(report.problem, () => jumpTo(report.places[0])),
    );
    return;
  }
  const { counts, events, findings, places, rules } = report;
  const words = ['error', 'warning', 'hint'].filter((severity) => counts[severity] > 0).map((severity) => count(counts[severity], severity));
  if (events === 0) {
    put(panel, banner('calm', 'No events', 'There is nothing to check.'));
    return;
  }
  const asked = `${count(events, 'event')} checked: ${PACKS}`;
  const tone = counts.error > 0 ? 'bad' : counts.warning > 0 ? 'warn' : findings.length > 0 ? 'calm' : 'good';
  const list = h('ol', { class: 'errors', 'aria-label': 'Findings' });
  const draw = (from, to) => list.append(...findings.slice(from, to).map((finding, at) => item(finding, places[from + at], { jumpTo, rules })));
  draw(0, SHOWN);
  let drawn = SHOWN;
  const total = counts.error + counts.warning + counts.hint;
  put(
    panel,
    words.length === 0
      ? banner(valid ? 'good' : 'calm', 'No problems found', valid ? asked : `${asked}. But the document is not valid.`)
      : banner(tone, words.join(', '), asked),
    findings.length > 0 && list,
    findings.length > SHOWN &&
      more('Show 200 more', () => {
        draw(drawn, drawn + 200);
        drawn += 200;
        return drawn >= findings.length;
      }),
    total > findings.length && h('p', { class: 'fine' }, `The first ${findings.length.toLocaleString('en')} of ${total.toLocaleString('en')} are listed.`),
    h('p', { class: 'fine' }, 'The schema cannot check these things. A document can pass one and fail the other.'),
  );
}

function item({ rule, severity, message, path, line, found }, place, { jumpTo, rules }) {
  const { source } = rules.find((one) => one.rule === rule) ?? {};
  return h(
    'li',
    {},
    h(
      'button',
      { type: 'button', class: `error ${LOOK[severity]}`, onclick: () => jumpTo(place) },
      h('span', { class: 'error-message' }, h('b', {}, severity), ' ', rich(message), found !== undefined && [': ', h('code', {}, found)]),
      h(
        'span',
        { class: 'error-place' },
        trail(path),
        h('span', { class: 'error-line' }, `line ${(place?.line ?? line).toLocaleString('en')}`),
        h('span', { class: 'error-keyword', title: source && [source.document, source.clause].filter(Boolean).join(', ') }, rule),
      ),
      icon('jump'),
    ),
  );
}
