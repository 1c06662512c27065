// The hashes of the events of a document: those of all events, the pre-hash string of one, and the search for a hash.
import { attempt, calmed } from '../../../wasm/document/attempt.ts';

const PROFILES = ['CBV2.0', 'CBV2.1', 'REF2025'];
/** The number of rows in a page of the table of hashes. */
const PAGE = 50;
/** The characters of a pre-hash string that are shown; a longer string is not divided into pieces. */
const LONGEST_CUT = 100_000;

/** The hashes of all events that {@link hashesOf} computed, a list for each profile; undefined before it did. */
const computed = (input) => input.once('hashes', () => ({})).value;
/** What the engine says of each eventID; empty before {@link hashesOf} asked. */
const verifiedOf = (input) => input.once('verified', () => ({})).value ?? [];

/** The hashes of one event by profile, of the lists that {@link computed} returns. */
const byProfile = (lists, index) => Object.fromEntries(PROFILES.map((profile, which) => [profile, lists[which][index]]));

/** The document with only one event, so that its namespaces still apply. `own` replaces the text of that event. */
function alone({ json, nodes }, index, own) {
  const { text } = json;
  const { list, events } = nodes;
  const node = events[index];
  const words = own ?? text.slice(node.from, node.to);
  return list === undefined ? text.slice(0, node.from) + words + text.slice(node.to) : `${text.slice(0, list.from)}[${words}]${text.slice(list.to)}`;
}

/** The hashes of all events: how many agree under all profiles, how many eventIDs match, and the first page of rows. */
export function hashesOf(input, isValid) {
  if (input.foreign !== undefined) return { total: 0, problem: input.refusal };
  const { engine } = input;
  const { bytes, problem } = input.json;
  if (problem !== undefined) return { total: 0, problem };
  const all = input.once('hashes', () => attempt(() => PROFILES.map((profile) => engine.hash(bytes, { profile }))));
  if (all.problem !== undefined) return { total: 0, problem: input.faultOfList() ?? calmed(input.ofList(all.problem)) };
  const { value: verified = [] } = input.once('verified', () => attempt(() => engine.verify(bytes)));
  const [first, ...others] = all.value;
  const tally = { matches: 0, 'matches-none': 0, 'not-hash-form': 0 };
  const matched = new Map();
  for (const { result, profiles } of verified) {
    tally[result] += 1;
    for (const profile of profiles) matched.set(profile, (matched.get(profile) ?? 0) + 1);
  }
  const digest = (uri) => uri.slice(0, uri.indexOf('?'));
  const agreeing = first.filter((uri, index) => others.every((list) => digest(list[index]) === digest(uri))).length;
  return {
    total: first.length,
    agreeing,
    tally,
    matched: Object.fromEntries(matched),
    page: hashPage(input, 0),
    isValid,
    isTranslated: input.format === 'xml',
    losses: input.format === 'xml' ? input.translated.value.fidelityReport.losses.lost : 0,
  };
}

/** The rows of a page of the table of hashes. */
export function hashPage(input, from) {
  const lists = computed(input);
  const verified = verifiedOf(input);
  return (lists?.[0] ?? []).slice(from, from + PAGE).map((_, at) => {
    const index = from + at;
    const event = input.events[index];
    return {
      index,
      hashes: byProfile(lists, index),
      verified: verified[index],
      eventID: typeof event?.eventID === 'string' ? event.eventID : undefined,
      type: String(event?.type ?? ''),
      bizStep: typeof event?.bizStep === 'string' ? event.bizStep : '',
    };
  });
}

/** The text of the download of all hashes. */
export function hashesText(input) {
  const lists = computed(input);
  const verified = verifiedOf(input);
  return JSON.stringify(
    (lists?.[0] ?? []).map((_, index) => ({
      event: index,
      eventID: input.events[index]?.eventID,
      ...byProfile(lists, index),
      verified: verified[index],
    })),
    null,
    2,
  );
}

/** The pre-hash strings of one event, divided into pieces: `{[profile]: {hash, text, length, pieces}}`. */
export function preHashOf(input, index) {
  if (input.nodes.events[index] === undefined) return undefined;
  const document = alone(input, index);
  return Object.fromEntries(
    PROFILES.map((profile) => {
      const [{ hash, preHash, pieces }] = input.engine.preHash(document, { profile, pieces: true });
      const isLong = preHash.length > LONGEST_CUT;
      return [profile, { hash, text: preHash.slice(0, LONGEST_CUT), length: preHash.length, pieces: isLong ? [] : pieces }];
    }),
  );
}

/** Finds the events that have a hash: `{digest, label, found: [{index, profile, uri}]}`. Undefined if `text` is not a hash. */
export function findHash(input, text) {
  const [, digest, label] = /^(?:ni:\/\/\/sha-256;)?([0-9a-f]{64})(?:\?ver=(CBV2\.[01]))?$/i.exec(text.trim()) ?? [];
  if (digest === undefined) return undefined;
  const wanted = `ni:///sha-256;${digest.toLowerCase()}`;
  const found = [];
  (computed(input) ?? []).forEach((list, which) => {
    list.forEach((uri, index) => {
      if (found.length < 300 && uri.startsWith(wanted)) found.push({ index, profile: PROFILES[which], uri });
    });
  });
  return { digest: digest.toLowerCase(), label, found };
}

/** Explains why an eventID in hash form is not the hash of its event. */
export async function explainHash(input, index) {
  const event = input.events[index];
  const own = input.textOf(index);
  if (own === undefined || typeof event?.eventID !== 'string') return undefined;
  const { explain } = await import('./explain.js');
  return explain(event.eventID, own, (words) =>
    PROFILES.flatMap((profile) => {
      const { value } = attempt(() => input.engine.hash(alone(input, index, words), { profile }));
      return value === undefined ? [] : [{ profile, hash: value[0] }];
    }),
  );
}

/** The hashes under a profile: `{value: [{event, hash, pieces}]}`, or `{problem}`. Beyond `most` events there are no `pieces`. */
export function hashedUnder(input, profile, most) {
  const problem = input.foreign === undefined ? input.json.problem : input.refusal;
  if (problem !== undefined) return { problem };
  const { engine, events } = input;
  const { bytes } = input.json;
  const { value, problem: refused } = attempt(() =>
    events.length <= most ? engine.preHash(bytes, { profile, pieces: true }) : engine.hash(bytes, { profile }).map((hash) => ({ hash })),
  );
  return refused === undefined ? { value: value.map((entry, at) => ({ ...entry, event: events[at] })) } : { problem: input.ofList(refused) };
}
