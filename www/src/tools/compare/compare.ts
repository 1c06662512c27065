// Compares two documents, in the engine's thread: which events are the same, and why hashes differ.
import type { PreHashPiece, Profile } from '../../../../wasm/js/engine/index.ts';
import type { Problem } from '../../engine/answers.ts';
import type { Bytes } from '../../engine/engine.worker.ts';
import type { OpenDocument } from '../../engine/document.ts';
import type { Hashed } from '../../hash/document-hashes.ts';
import { instantOf } from '../../shared/words.ts';

/** The maximum number of events per document for a comparison piece by piece. */
const MOST = 2000;
/** The maximum number of pairs in the result. */
const PAIRS = 300;
/** The members of an event that no hash includes. */
const UNHASHED = ['eventID', 'recordTime', 'errorDeclaration'];

/** A piece that only one of two events has, or that differs. */
export interface Difference {
  readonly field: string;
  readonly left: string | undefined;
  readonly right: string | undefined;
}

/** Two events that belong together, or one that has no other. */
export interface Pair {
  readonly left?: number;
  readonly right?: number;
  /** What pairs them. */
  readonly by?: string;
  readonly isSame?: boolean;
  readonly differences?: readonly Difference[];
  readonly unhashed?: readonly string[];
}

/** How two lists of events compare. */
export interface Compared {
  readonly problem?: undefined;
  readonly same: number;
  readonly different: number;
  readonly onlyLeft: number;
  readonly onlyRight: number;
  readonly pairs: readonly Pair[];
  readonly omitted: number;
}

export type Comparison =
  | (Compared & { readonly left: number; readonly right: number; readonly isLarge: boolean })
  | { readonly problem: Problem; readonly side: 'left' | 'right' };

const digestOf = (uri: string) => uri.slice(0, uri.indexOf('?'));

/** The pieces that are in only one of two lists, by field: `[{field, left, right}]`. */
export function differences(left: readonly PreHashPiece[], right: readonly PreHashPiece[]): Difference[] {
  const rest = new Map<string, number>();
  for (const { text } of right) rest.set(text, (rest.get(text) ?? 0) + 1);
  const onlyLeft = left.filter(({ text }) => {
    const number = rest.get(text) ?? 0;
    if (number > 0) rest.set(text, number - 1);
    return number === 0;
  });
  const onlyRight = [...right].reverse().filter(({ text }) => {
    const number = rest.get(text) ?? 0;
    if (number > 0) rest.set(text, number - 1);
    return number > 0;
  });
  onlyRight.reverse();
  const fields = [...new Set([...onlyLeft, ...onlyRight].map(({ field }) => field ?? 'other'))];
  return fields.flatMap((field) => {
    const of = (list: readonly PreHashPiece[]) => list.filter((piece) => (piece.field ?? 'other') === field).map(({ text }) => text);
    const [a, b] = [of(onlyLeft), of(onlyRight)];
    return Array.from({ length: Math.max(a.length, b.length) }, (_, at) => ({ field, left: a[at], right: b[at] }));
  });
}

/**
 * Compares two lists of `{event, hash, pieces}`: `{same, different, onlyLeft, onlyRight, pairs: [{left, right, by, isSame, differences,
 * unhashed}], omitted}`. Events with the same hash are the same. The rest are paired by eventID, then by type, time and step, then by type
 * and time, then by type and order. `eventName` of the engine gives the form in which eventIDs are compared.
 */
export function compare(left: readonly Hashed[], right: readonly Hashed[], eventName: (eventID: string) => string): Compared {
  const taken = new Set<number>();
  const pairs = new Map<number, { readonly right: number; readonly by: string }>();
  const pairBy = (by: string, keyOf: (entry: Hashed) => string | undefined) => {
    const places = new Map<string | undefined, number[]>();
    right.forEach((entry, at) => {
      const key = taken.has(at) ? undefined : keyOf(entry);
      if (key !== undefined) places.set(key, [...(places.get(key) ?? []), at]);
    });
    left.forEach((entry, at) => {
      if (pairs.has(at)) return;
      const found = places.get(keyOf(entry))?.shift();
      if (found === undefined) return;
      pairs.set(at, { right: found, by });
      taken.add(found);
    });
  };
  pairBy('hash', ({ hash }) => digestOf(hash));
  pairBy('eventID', ({ event }) => (typeof event?.eventID === 'string' ? eventName(event.eventID) : undefined));
  pairBy('type, time and step', ({ event }) => JSON.stringify([event?.type, instantOf(event?.eventTime) || event?.eventTime, event?.bizStep]));
  pairBy('type and time', ({ event }) => JSON.stringify([event?.type, instantOf(event?.eventTime) || event?.eventTime]));
  // Pair the rest of each type in order.
  pairBy('type and order', ({ event }) => String(event?.type));
  const all: Pair[] = [];
  left.forEach((entry, at) => {
    const { right: other, by }: Partial<{ readonly right: number; readonly by: string }> = pairs.get(at) ?? {};
    if (other === undefined) {
      all.push({ left: at });
      return;
    }
    const twin = right[other]!;
    const unhashed = UNHASHED.filter((name) => JSON.stringify(entry.event?.[name]) !== JSON.stringify(twin.event?.[name]));
    all.push({
      left: at,
      right: other,
      by: by!,
      isSame: by === 'hash',
      differences: by === 'hash' ? [] : differences(entry.pieces ?? [], twin.pieces ?? []),
      unhashed,
    });
  });
  right.forEach((_, at) => !taken.has(at) && all.push({ right: at }));
  const count = (fits: (pair: Pair) => boolean | undefined) => all.filter(fits).length;
  // Put the pairs that differ first.
  const shown = [...all].sort((a, b) => Number(a.isSame ?? false) - Number(b.isSame ?? false)).slice(0, PAIRS);
  return {
    same: count(({ isSame }) => isSame),
    different: count(({ isSame }) => isSame === false),
    onlyLeft: count((pair) => pair.right === undefined),
    onlyRight: count((pair) => pair.left === undefined),
    pairs: shown,
    omitted: all.length - shown.length,
  };
}

/**
 * Compares two documents under a profile: as {@link compare} does, with the numbers of events and whether they are too many to be
 * compared piece by piece; or `{problem, side}`. `open` opens each.
 */
export function compareDocuments(
  [left, right]: readonly [Bytes, Bytes],
  { open, eventName, profile }: { readonly open: (bytes: Bytes) => OpenDocument; readonly eventName: (eventID: string) => string; readonly profile: Profile },
): Comparison {
  const hashed = (bytes: Bytes) => {
    const own = open(bytes);
    return own.format === 'empty'
      ? { problem: { type: 'about:blank', title: 'There is nothing to compare', detail: 'One of the two documents is empty.' } }
      : own.hashed(profile, MOST);
  };
  const [a, b] = [hashed(left), hashed(right)];
  if (a.problem !== undefined) return { problem: a.problem, side: 'left' };
  if (b.problem !== undefined) return { problem: b.problem, side: 'right' };
  return { ...compare(a.value, b.value, eventName), left: a.value.length, right: b.value.length, isLarge: Math.max(a.value.length, b.value.length) > MOST };
}
