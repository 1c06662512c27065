// The verdict in one sentence: what is wrong, where, who has to mend it, and what it blocks; under it a line for each answer.
import { type IndustryPack, SEVERITIES } from '../../../wasm/js/engine/answers.ts';
import type { Findings, Range } from '../engine/answers.ts';
import type { Parts } from '../page/state.ts';
import { button, type Child, h, icon, put } from '../shared/dom.ts';
import { MARKS, rich, type Tone } from '../shared/parts.ts';
import { showLine } from './verdict-line.ts';
import { found as foundErrors, schemasOf } from './verdict-view.ts';
import { count, entryOf, eventsText } from '../shared/words.ts';

/** What becomes of a valid document that fails the rules of an industry. */
const BLOCKED: Readonly<Record<IndustryPack, string>> = {
  dscsa: 'a partner in the US may put the shipment aside',
  'serialised-medicine': 'a receiver of medicines may put the shipment aside',
  fsma204: 'the records that FSMA 204 asks for are not complete',
  gdst: 'a buyer who asks for GDST may refuse it',
  walmart: 'Walmart may refuse it',
};
/** The report of the checks, if they could be made. */
const findingsOf = ({ checks }: Parts): (Findings & { readonly found: readonly string[] }) | undefined => (checks?.problem === undefined ? checks : undefined);

interface Around {
  choose(tab: string): unknown;
  readonly isUnchecked: boolean | undefined;
  print(): unknown;
}

/**
 * Fills the room of the summary in the panel of the verdict, and the line above the others, from the answers that are there. `parts` are those answers; `choose(tab)`
 * opens the tab of another one; `print()` opens the report to print. `isUnchecked`: the checks were not asked, and will not be until their tab is chosen.
 */
export function showSummary(panel: HTMLElement, line: HTMLElement, parts: Parts, { choose, isUnchecked, print }: Around): void {
  const room = panel.querySelector('.summary');
  if (room === null || parts.verdict === undefined) return;
  // What is valid and fails a check is not shown as good.
  const banner = panel.querySelector('.banner.good');
  if (banner !== null && (findingsOf(parts)?.counts.error ?? 0) > 0) {
    banner.className = 'banner warn';
    put(banner.querySelector('.banner-mark')!, icon('warn'));
  }
  const sentence = sentenceOf(parts, isUnchecked);
  showLine(line, panel.querySelector('.banner')?.className.split(' ')[1] as Tone, sentence);
  put(
    room,
    h('p', { class: 'verdict-sentence' }, rich(sentence)),
    linesOf(parts, choose, isUnchecked),
    // The command line, which makes the same report, takes neither NDJSON nor SOAP for it.
    !['lines', 'soap'].includes(parts.verdict.shape ?? '') &&
      button('print', 'Report to print and sign', print, { class: 'button quiet', id: 'verdict-print' }),
  );
}

/** The first part of a message: what is wrong, without examples and advice. */
function shortened(message: string): string {
  const [first = ''] = message.split(/; |, such as | as in RFC 3339/);
  const words = Array.from(first);
  return words.length > 160 ? `${words.slice(0, 159).join('')}…` : first;
}

/** Where an error is: `event 3, line 12`. */
function whereOf(path: string | undefined, place: Range | undefined): string {
  const [, index] = /\/eventList\/(\d+)/.exec(path ?? '') ?? [];
  const words = [
    path?.includes('vocabularyElementList') && 'the master data',
    index !== undefined && `event ${Number(index) + 1}`,
    place?.line !== undefined && `line ${place.line.toLocaleString('en')}`,
  ].filter(Boolean);
  return words.length === 0 ? 'the document' : words.join(', ');
}

const more = (number: number) => (number > 1 ? `, and ${count(number - 1, 'more error')}` : '');

function sentenceOf(parts: Parts, isUnchecked: boolean | undefined): string {
  const { verdict, hashes } = parts;
  if (verdict === undefined) return '';
  const events = parts.events?.problem === undefined ? parts.events : undefined;
  const checks = findingsOf(parts);
  const who = events?.sender === undefined ? 'the sender of the file' : `${events.sender}, who sent the file,`;
  const mends = (number: number) => `${who} has to mend ${number > 1 ? 'them' : 'it'}`;
  if (verdict.problem !== undefined) {
    const { location } = verdict.problem;
    return `The text breaks off or is damaged${location === undefined ? '' : ` in line ${location.line.toLocaleString('en')}`}; ${mends(1)}, and until then it cannot be read`;
  }
  const { errors, valid } = verdict;
  if (!valid) {
    const [first] = errors;
    if (first === undefined) return `${shortened(verdict.refused?.detail ?? 'It cannot be read')}; ${mends(1)}, and until then a gateway refuses the file`;
    const total = errors.length;
    const where = whereOf(first.path ?? first.source?.path, parts.places?.errors[0]);
    const same = errors.filter(({ message }) => message === first.message).length;
    return `In ${where}: ${shortened(first.message)}${same > 1 ? `, ${same.toLocaleString('en')} times` : ''}${more(total - same + 1)}; ${mends(total)}, and until then a gateway refuses the whole file`;
  }
  const worst = checks?.findings?.find(({ severity }) => severity === 'error');
  if (checks !== undefined && worst !== undefined) {
    const where = whereOf(worst.pointer ?? worst.path, checks.places[checks.findings.indexOf(worst)]);
    const packs = checks.rules.filter(({ severity, count: number }) => severity === 'error' && number > 0).map(({ rule }) => rule.split('/')[0] ?? '');
    const blocked = packs.map((name) => entryOf(BLOCKED, name)).find((words) => words !== undefined) ?? 'a partner who checks it may send it back';
    return `Valid, but in ${where}: ${shortened(worst.message)}${more(checks.counts.error)}; ${mends(checks.counts.error)}: a gateway takes the file, but ${blocked}`;
  }
  const wrong = hashes?.tally?.['matches-none'] ?? 0;
  if (wrong > 0)
    return `Valid, but ${count(wrong, 'eventID')} ${wrong === 1 ? 'does' : 'do'} not match ${wrong === 1 ? 'its event' : 'their events'}, which may have been changed; ${mends(wrong)}: until then ${wrong === 1 ? 'this name proves' : 'these names prove'} nothing`;
  const warnings = checks?.counts?.warning ?? 0;
  if (warnings > 0) return `Valid; ${count(warnings, 'warning')} of the checks ${warnings === 1 ? 'is' : 'are'} worth a look, and nothing is blocked`;
  if (checks !== undefined && checks.events > 0)
    return `Nothing is wrong: the file is valid, and no check found a problem${(verdict.repeated ?? []).length > 0 ? ', but names are repeated in it' : ''}; there is nothing to mend`;
  if (events !== undefined && events.total === 0) return 'The file is valid, and it has no events';
  return isUnchecked ? 'The file is valid; open Checks to look for what no schema can find' : 'The file is valid; the checks are not done yet';
}

/** A line for each answer: its result, marked by a sign and words, and a button that opens it. */
function linesOf(parts: Parts, choose: Around['choose'], isUnchecked: boolean | undefined): Child {
  const { verdict, events, hashes, translation } = parts;
  const lines: HTMLElement[] = [];
  const line = (tab: string, tone: Tone, title: string, words: string) =>
    lines.push(
      h(
        'button',
        { type: 'button', class: `other ${tone}`, onclick: () => choose(tab) },
        h('span', { class: 'other-mark' }, icon(MARKS[tone])),
        h('b', {}, title),
        h('span', {}, words),
        icon('jump'),
      ),
    );
  if (verdict === undefined || verdict.problem !== undefined) return false;
  const { valid, errors } = verdict;
  const { json, xml = json } = schemasOf(verdict);
  lines.push(
    h(
      'p',
      { class: `other is-fixed ${valid ? 'good' : 'bad'}` },
      h('span', { class: 'other-mark' }, icon(valid ? 'check' : 'cross')),
      h('b', {}, 'Schema'),
      h('span', {}, valid ? `meets the official ${xml}` : `${foundErrors(errors.length)} by the official ${xml}`),
    ),
  );
  const checks = findingsOf(parts);
  if (checks !== undefined && checks.events > 0) {
    const { counts, notApplicable } = checks;
    const words = SEVERITIES.filter((severity) => counts[severity] > 0).map((severity) => count(counts[severity], severity));
    const found =
      checks.found.length > 0 ? `, with the rules for ${checks.found.map((name) => name.toUpperCase()).join(', ')}, which the file is made for` : '';
    const tone = counts.error > 0 ? 'bad' : counts.warning > 0 ? 'warn' : valid && notApplicable === undefined ? 'good' : 'calm';
    line(
      'checks',
      tone,
      'Checks',
      `${words.join(', ') || (notApplicable === undefined ? `no ${valid ? '' : 'other '}problems found` : 'not checked for all that you chose')}${found}`,
    );
  } else if (parts.checks === undefined && isUnchecked) line('checks', 'calm', 'Checks', 'not asked yet');
  if (events?.problem === undefined && events !== undefined && events.total > 0)
    line(
      'events',
      'calm',
      'Events',
      `${eventsText(events.total - events.others, events.others)}${events.flow.flows > 0 ? `, ${count(events.flow.flows, 'flow')} of items between them` : ''}${events.total > events.others ? ': see how items flow' : ''}`,
    );
  if (hashes?.problem === undefined && hashes !== undefined && hashes.total > 0) {
    const { tally, total, agreeing } = hashes;
    const wrong = tally['matches-none'];
    if (wrong > 0) line('hash', 'bad', 'Hash', `${count(wrong, 'eventID')} ${wrong === 1 ? 'does not match its' : 'do not match their'} event`);
    else if (tally.matches > 0) line('hash', valid ? 'good' : 'calm', 'Hash', `${count(tally.matches, 'eventID')} verified as the hash of the event`);
    else line('hash', 'calm', 'Hash', agreeing === total ? 'the three profiles agree' : 'the three profiles give different hashes');
  }
  const translated = translation?.problem === undefined ? translation : undefined;
  const wrong = translated?.errors?.length ?? 0;
  if (wrong > 0) line('translate', 'bad', 'Translate', `to JSON-LD that is not valid: ${foundErrors(wrong)}`);
  else if (translated !== undefined) {
    const { isClean, summary } = translated.report;
    const to = translated.direction === 'to-json' ? 'JSON-LD' : `XML ${translated.version}`;
    line('translate', isClean ? (valid ? 'good' : 'calm') : 'warn', 'Translate', isClean ? `to ${to} and back, nothing lost` : `to ${to}: ${summary}`);
  }
  return h('div', { class: 'others' }, lines);
}
