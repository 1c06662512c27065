// Display names of identifiers, CBV words, event types and times.

import type { EPCISEvent } from '../js/engine/index.ts';
import { KEYS } from './keys.ts';

/** A part of a URI without its escapes, or as it is if they are damaged. */
export const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const shortened = (text: string, length = 44): string => (text.length <= length ? text : `${text.slice(0, length - 14)}…${text.slice(-13)}`);

/** The display names of an identifier. */
export interface DisplayNames {
  readonly text: string;
  readonly short: string;
  /** The kind of its key, or `''`. */
  readonly kind: string;
  /** The family that similar items share: the GTIN of a serial or lot, otherwise the kind of key. */
  readonly family?: string;
}

/** @param canonical its canonical Digital Link URI, if it has one */
export function nameOf(identifier: string, canonical?: string): DisplayNames {
  const path = canonical?.startsWith('https://id.gs1.org/') ? canonical.slice(19).split('/') : [];
  const parts: (readonly [name: string, value: string])[] = [];
  for (let at = 0; at + 1 < path.length; at += 2) {
    const [name, value] = [entryOf(KEYS, path[at] ?? ''), path[at + 1]];
    if (name !== undefined && value !== undefined) parts.push([name, decoded(value)]);
  }
  const [first, ...more] = parts;
  if (first === undefined) return { text: shortened(identifier), short: shortened(identifier, 22), kind: '' };
  const [kind, value] = first;
  const last = more.at(-1);
  return {
    kind,
    text: parts.map(([name, part]) => `${name} ${part}`).join(' · '),
    short: last !== undefined ? `${last[0]} ${shortened(last[1], 18)}` : `${kind} …${value.slice(-5)}`,
    family: `${kind} ${kind === 'GTIN' ? value : ''}`.trim(),
  };
}

/** The bare word of a CBV value in any spelling: `shipping` for `urn:epcglobal:cbv:bizstep:shipping`. */
export function bareWord(value: string): string {
  const match = /^(?:urn:epcglobal:cbv:[a-z]+:|https?:\/\/(?:ref\.)?gs1\.org\/(?:cbv|voc)\/(?:[A-Za-z]+-)?|(?:cbv|gs1):(?:[A-Za-z]+-)?)(.+)$/.exec(value);
  return match?.[1] ?? value;
}

/** A text with a capital letter first, as a sentence or a title begins. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
/** A text with a small letter first, as it stands inside of a sentence. */
export const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** A word as a phrase: `Retail selling` for `retail_selling`. */
export function phrase(word: string): string {
  const text = bareWord(word).replaceAll('_', ' ');
  return text.includes(':') ? shortened(text, 36) : capital(text);
}

/** The last part of a URI or prefixed name as words: `fishing event` for `urn:gdst:bizStep:fishingEvent`. */
export const ownWords = (uri: string): string =>
  shortened(
    (uri.split(/[#/:]/).findLast((part) => part !== '') ?? '')
      .replace(/^(?:BizStep|Disp)-/, '')
      .replaceAll('_', ' ')
      .replace(/([a-z])([A-Z])(?=[a-z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`),
    36,
  );

const TONES: Readonly<Record<EPCISEvent['type'], string>> = {
  ObjectEvent: 'object',
  AggregationEvent: 'aggregation',
  TransactionEvent: 'transaction',
  TransformationEvent: 'transformation',
  AssociationEvent: 'association',
};

/** What a table says of a word, and not what every object has: a document may say `constructor`. */
export const entryOf = <Value>(table: Readonly<Record<string, Value>>, word: string): Value | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined;

/** The colour family of an event type. */
export const toneOf = (type: string): string => entryOf(TONES, type) ?? 'other';

/** The short name of an event type: `Object` for `ObjectEvent`. */
export const typeName = (type: string): string => (entryOf(TONES, type) ? type.slice(0, -5) : shortened(bareWord(String(type)), 30));

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (number: number): string => String(number).padStart(2, '0');

const OFFSET = /([+-])(\d\d):(\d\d)$/;
const TIME = /^(\d{4}-\d\d-(\d\d))T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

/** The instant of a time with a zone, in milliseconds. NaN for anything else: an impossible date, no zone, a leap second. */
export function instantOf(time: unknown): number {
  if (typeof time !== 'string') return NaN;
  const [, date = '', day] = TIME.exec(time) ?? [];
  // Date.parse turns 30 February into a day in March.
  return new Date(Date.parse(date)).getUTCDate() === Number(day) ? Date.parse(time.toUpperCase()) : NaN;
}

/** A local time. */
export interface WallClock {
  readonly day: string;
  readonly clock: string;
  readonly zone: string;
}

/**
 * The local time of an instant: in the zone `offset` of its event, or without one in the zone of the time itself. Undefined if `time` is
 * not a time with a zone.
 */
export function wallClock(time: unknown, offset?: unknown): WallClock | undefined {
  const instant = instantOf(time);
  if (Number.isNaN(instant)) return undefined;
  const [zone = 'UTC', sign, hours, minutes] = OFFSET.exec(typeof offset === 'string' && /^[+-]\d\d:\d\d$/.test(offset) ? offset : String(time)) ?? [];
  const shift = sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  const local = new Date(instant + shift * 60_000);
  return {
    day: `${local.getUTCDate()} ${MONTHS[local.getUTCMonth()]} ${local.getUTCFullYear()}`,
    clock: `${two(local.getUTCHours())}:${two(local.getUTCMinutes())}${local.getUTCSeconds() ? `:${two(local.getUTCSeconds())}` : ''}`,
    zone,
  };
}

/** A time as every part of the page shows it: `4 Mar 2026, 11:00:30 +01:00`. Anything that is not a time stays unchanged. */
export function moment(time: unknown, offset?: unknown): string {
  const clock = wallClock(time, offset);
  return clock === undefined ? String(time) : `${clock.day}, ${clock.clock} ${clock.zone}`;
}
