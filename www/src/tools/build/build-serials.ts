// Several events in their order from one list of serials: commissioned, packed, shipped, received.

/** The most lines of a list, the longest line and the longest serial (GS1 General Specifications, AI 21), in characters. */
export const MOST = { lines: 1000, line: 200, serial: 20, minutes: 10_080 };
import type { JudgedItem } from './build-tools.ts';
import type { Draft } from './build-further.ts';

/** The steps, with the disposition that the CBV has after each. */
const DISPOSITIONS: Readonly<Record<string, string>> = { commissioning: 'active', packing: 'in_progress', shipping: 'in_transit', receiving: 'in_progress' };
/** A serial in a Digital Link (GS1 General Specifications, character set 82). */
const SERIAL = /^[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]+$/;
/** What begins a whole identifier, in a list that shall have serials only. */
const WHOLE = /^(?:urn:epc:|https?:\/\/|\(\d{2,4}\))/i;

const shown = (text: string) => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

/** The identifier of a serial with its GTIN. */
const serialised = (gtin: string, serial: string) => `(01)${gtin}(21)${serial}`;

interface Line {
  readonly number: number;
  readonly text: string;
}

/** The filled lines of a text, each with its number: `[{number, text}]`. */
export const linesOf = (text: string): Line[] =>
  text
    .split(/\r?\n/)
    .map((line, at) => ({ number: at + 1, text: line.trim() }))
    .filter((line) => line.text !== '');

/**
 * Reads a list of items: `{ids, faults}`. A fault says its line, what was found, and what was expected. With a `gtin`, each line is a serial.
 * `judge(list)` asks the engine, as `judged` of `build-tools.ts`.
 */
export async function itemsOf(
  text: string,
  gtin: string,
  judge: (list: readonly string[]) => Promise<readonly JudgedItem[]> | readonly JudgedItem[],
): Promise<{ readonly ids: readonly string[]; readonly faults: readonly string[] }> {
  const lines = linesOf(text);
  if (lines.length === 0) return { ids: [], faults: ['There is no item yet: type or paste one a line.'] };
  if (lines.length > MOST.lines)
    return { ids: [], faults: [`Found ${lines.length.toLocaleString('en')} lines, expected at most ${MOST.lines.toLocaleString('en')}: split the list.`] };
  const faults = new Map<number, string>();
  const refuse = ({ number, text: found }: Line, expected: string) =>
    faults.has(number) || faults.set(number, `Line ${number}: found ${shown(found)}, expected ${expected}.`);
  for (const line of lines) {
    if (line.text.length > MOST.line) refuse(line, `at most ${MOST.line} characters`);
    else if (gtin === '') continue;
    else if (WHOLE.test(line.text)) refuse(line, 'a serial alone, since a GTIN is given above');
    else if (line.text.length > MOST.serial) refuse(line, `a serial of at most ${MOST.serial} characters`);
    else if (!SERIAL.test(line.text)) refuse(line, 'a serial of letters, digits and signs that GS1 allows, without blanks');
  }
  const fine = lines.filter(({ number }) => !faults.has(number));
  // Brackets in a serial would be read as those of an element string: a Digital Link has none.
  const typed = fine.map(({ text: own }) => (gtin === '' ? own : `https://id.gs1.org/01/${gtin.padStart(14, '0')}/21/${encodeURIComponent(own)}`));
  const answers = await judge(typed);
  const first = new Map<string, number>();
  const ids: string[] = [];
  for (const [at, { id, urn, problem }] of answers.entries()) {
    const line = fine[at]!;
    const before = first.get(id ?? '');
    if (problem !== undefined) refuse(line, `the identifier of one item, such as ${serialised('09521141123454', 'A1')}: ${problem}`.replace(/\.$/, ''));
    else if (urn === undefined) refuse(line, `a GS1 identifier, such as ${serialised('09521141123454', 'A1')}`);
    else if (!urn.startsWith('urn:epc:id:')) refuse(line, 'one item with its serial, not a product or a lot');
    else if (/^urn:epc:id:[sp]gln:/.test(urn)) refuse(line, 'an item, not a place or a party');
    else if (before !== undefined) refuse(line, `each item once: it is in line ${before}, too`);
    else {
      first.set(id, line.number);
      ids.push(id);
    }
  }
  return { ids, faults: [...faults].sort(([one], [other]) => one - other).map(([, words]) => words) };
}

/** The local time some minutes after one as `2026-03-04T11:00`, in the same form. */
function later(time: string, minutes: number): string {
  const at = new Date(`${time.length === 16 ? `${time}:00` : time}Z`);
  at.setUTCMinutes(at.getUTCMinutes() + minutes);
  return at.toISOString().slice(0, 19);
}

/** What the events of serials are made of. */
export interface Serials {
  readonly ids: readonly string[];
  readonly parent: string;
  readonly readPoint: string;
  readonly bizLocation: string;
  readonly destination: string;
  readonly order: string;
  readonly issuer: string;
  readonly time: string;
  readonly offset: string;
  readonly minutes: number;
  readonly isReceived: boolean;
}

/**
 * The drafts of the steps, each later than the one before. `given` has `ids`, `parent` (an SSCC), `readPoint`, `bizLocation`,
 * `destination`, `order` and `issuer` (its GLN, or empty for that of the destination), `time`, `offset`, `minutes` between two steps, and
 * `isReceived`. A place may be empty.
 */
export function draftsOfSerials({ ids, parent, readPoint, bizLocation, destination, order, issuer, time, offset, minutes, isReceived }: Serials): Draft[] {
  const items = ids.join('\n');
  const here = { readPoint, bizLocation };
  const from = bizLocation || readPoint;
  const moved = {
    action: 'OBSERVE',
    epcList: parent,
    bizTransactionList: order === '' ? [] : [['po', order, issuer]],
    sourceList: from === '' ? [] : [['location', from]],
    destinationList: destination === '' ? [] : [['location', destination]],
  };
  const steps: readonly (Draft & { readonly bizStep: string })[] = [
    { type: 'ObjectEvent', action: 'ADD', bizStep: 'commissioning', epcList: items, ...here },
    { type: 'AggregationEvent', action: 'ADD', bizStep: 'packing', parentID: parent, childEPCs: items, ...here },
    // What is shipped is on its way: it has no business location.
    { type: 'ObjectEvent', bizStep: 'shipping', ...moved, readPoint },
    ...(isReceived ? [{ type: 'ObjectEvent', bizStep: 'receiving', ...moved, readPoint: destination, bizLocation: destination }] : []),
  ];
  return steps.map((draft, at) => ({
    ...draft,
    disposition: DISPOSITIONS[draft.bizStep],
    eventTime: later(time, at * minutes),
    eventTimeZoneOffset: offset,
  }));
}
