// The hashes of the events of a document: those of all events, the pre-hash string of one, and the search for a hash.
import type { EventHash, PreHashed, PreHashPiece, Profile, Verification } from '../../../wasm/js/engine/index.ts';
import { PROFILES } from '../../../wasm/js/engine/answers.ts';
import { attempt, calmed } from '../../../wasm/document/attempt.ts';
import type { Attempt, Problem } from '../engine/answers.ts';
import type { AnyEvent } from '../events/event-model.ts';
import type { StoryInput } from '../flow/history.ts';
import type { Explained } from './explain.ts';

type ByProfile<Value> = Readonly<Partial<Record<Profile, Value>>>;
type Lists = readonly (readonly EventHash[])[];

/** A row of the table of hashes. */
export interface HashRow {
  readonly index: number;
  readonly hashes: ByProfile<EventHash>;
  readonly verified: Verification | undefined;
  readonly eventID: string | undefined;
  readonly type: string;
  readonly bizStep: string;
}

/** What is said of all hashes of a document. */
export interface HashesTold {
  readonly total: number;
  readonly problem?: undefined;
  readonly agreeing: number;
  readonly tally: Readonly<Record<Verification['result'], number>>;
  /** The number of eventIDs that match under each profile. */
  readonly matched: ByProfile<number>;
  readonly page: readonly HashRow[];
  readonly isValid: boolean | undefined;
  readonly isTranslated: boolean;
  readonly losses: number;
}

export type HashesAnswer = HashesTold | { readonly total: 0; readonly problem: Problem; readonly tally?: undefined };

/** The pre-hash string of an event under a profile. */
export interface PreHashText {
  readonly hash: EventHash;
  readonly text: string;
  readonly length: number;
  readonly pieces: readonly PreHashPiece[];
}

/** The events that have a hash. */
export interface FoundHash {
  readonly digest: string;
  readonly label: string | undefined;
  readonly found: readonly { readonly index: number; readonly profile: Profile; readonly uri: EventHash }[];
}

/** The hash of an event, with its pieces. */
export interface Hashed {
  readonly event: AnyEvent;
  readonly hash: EventHash;
  readonly pieces?: readonly PreHashPiece[];
}

/** The number of rows in a page of the table of hashes. */
const PAGE = 50;
/** The characters of a pre-hash string that are shown; a longer string is not divided into pieces. */
const LONGEST_CUT = 100_000;

/** What the engine answers about the document as JSON, asked once; or why it cannot be asked. */
const asked = <Answer>(input: StoryInput, name: string, ask: (bytes: Uint8Array) => Answer): Attempt<Answer> =>
  input.once(name, () => {
    const { bytes, problem } = input.json;
    return problem === undefined ? attempt(() => ask(bytes)) : { problem };
  });
/** The hashes of all events, a list for each profile. */
const computed = (input: StoryInput): Attempt<Lists> => asked(input, 'hashes', (bytes) => PROFILES.map((profile) => input.engine.hash(bytes, { profile })));
/** What the engine says of each eventID. */
const verifiedOf = (input: StoryInput): readonly Verification[] => asked(input, 'verified', (bytes) => input.engine.verify(bytes)).value ?? [];

/** The hashes of one event by profile, of the lists that {@link computed} returns. */
const byProfile = (lists: Lists | undefined, index: number): ByProfile<EventHash> =>
  Object.fromEntries(PROFILES.map((profile, which) => [profile, lists?.[which]?.[index]]));

/** The document with only one event, so that its namespaces still apply. `own` replaces the text of that event. */
function alone({ json, nodes }: StoryInput, index: number, own?: string): string {
  const { text = '' } = json;
  const { list, events } = nodes;
  const node = events[index]!;
  const words = own ?? text.slice(node.from, node.to);
  return list === undefined ? text.slice(0, node.from) + words + text.slice(node.to) : `${text.slice(0, list.from)}[${words}]${text.slice(list.to)}`;
}

/** The hashes of all events: how many agree under all profiles, how many eventIDs match, and the first page of rows. */
export function hashesOf(input: StoryInput, isValid: boolean | undefined): HashesAnswer {
  if (input.foreign !== undefined) return { total: 0, problem: input.refusal };
  const { problem } = input.json;
  if (problem !== undefined) return { total: 0, problem };
  const all = computed(input);
  if (all.problem !== undefined) return { total: 0, problem: input.faultOfList() ?? calmed(input.ofList(all.problem)) };
  const [first = [], ...others] = all.value;
  const tally = { matches: 0, 'matches-none': 0, 'not-hash-form': 0 };
  const matched = new Map<Profile, number>();
  for (const { result, profiles } of verifiedOf(input)) {
    tally[result] += 1;
    for (const profile of profiles) matched.set(profile, (matched.get(profile) ?? 0) + 1);
  }
  const digest = (uri = '') => uri.slice(0, uri.indexOf('?'));
  const agreeing = first.filter((uri, index) => others.every((list) => digest(list[index]) === digest(uri))).length;
  return {
    total: first.length,
    agreeing,
    tally,
    matched: Object.fromEntries(matched),
    page: hashPage(input, 0),
    isValid,
    isTranslated: input.format === 'xml',
    losses: input.format === 'xml' ? (input.translated.value?.fidelityReport.losses.lost ?? 0) : 0,
  };
}

/** The rows of a page of the table of hashes. */
export function hashPage(input: StoryInput, from: number): HashRow[] {
  const lists = computed(input).value;
  const verified = verifiedOf(input);
  return (lists?.[0] ?? []).slice(from, from + PAGE).map((_, at) => {
    const index = from + at;
    const event: AnyEvent | null | undefined = input.events[index];
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
export function hashesText(input: StoryInput): string {
  const lists = computed(input).value;
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
export function preHashOf(input: StoryInput, index: number): ByProfile<PreHashText> | undefined {
  if (input.nodes.events[index] === undefined) return undefined;
  const document = alone(input, index);
  return Object.fromEntries(
    PROFILES.map((profile) => {
      const { hash, preHash, pieces } = input.engine.preHash(document, { profile, pieces: true })[0]!;
      const isLong = preHash.length > LONGEST_CUT;
      return [profile, { hash, text: preHash.slice(0, LONGEST_CUT), length: preHash.length, pieces: isLong ? [] : pieces }];
    }),
  );
}

/** Finds the events that have a hash: `{digest, label, found: [{index, profile, uri}]}`. Undefined if `text` is not a hash. */
export function findHash(input: StoryInput, text: string): FoundHash | undefined {
  const [, digest, label] = /^(?:ni:\/\/\/sha-256;)?([0-9a-f]{64})(?:\?ver=(CBV2\.[01]))?$/i.exec(text.trim()) ?? [];
  if (digest === undefined) return undefined;
  const wanted = `ni:///sha-256;${digest.toLowerCase()}`;
  const found: { readonly index: number; readonly profile: Profile; readonly uri: EventHash }[] = [];
  (computed(input).value ?? []).forEach((list, which) => {
    list.forEach((uri, index) => {
      if (found.length < 300 && uri.startsWith(wanted)) found.push({ index, profile: PROFILES[which]!, uri });
    });
  });
  return { digest: digest.toLowerCase(), label, found };
}

/** Explains why an eventID in hash form is not the hash of its event. */
export async function explainHash(input: StoryInput, index: number): Promise<Explained | undefined> {
  const event: AnyEvent | null | undefined = input.events[index];
  const own = input.textOf(index);
  if (own === undefined || typeof event?.eventID !== 'string') return undefined;
  const { explain } = await import('./explain.ts');
  return explain(event.eventID, own, (words) =>
    PROFILES.flatMap((profile) => {
      const { value }: Attempt<readonly EventHash[]> = attempt(() => input.engine.hash(alone(input, index, words), { profile }));
      return value === undefined ? [] : [{ profile, hash: value[0]! }];
    }),
  );
}

/** The hashes under a profile: `{value: [{event, hash, pieces}]}`, or `{problem}`. Beyond `most` events there are no `pieces`. */
export function hashedUnder(input: StoryInput, profile: Profile, most: number): Attempt<Hashed[]> {
  if (input.foreign !== undefined) return { problem: input.refusal };
  const { engine, events } = input;
  const { bytes, problem } = input.json;
  if (problem !== undefined) return { problem };
  const { value, problem: refused }: Attempt<readonly Pick<PreHashed, 'hash' | 'pieces'>[]> = attempt(() =>
    events.length <= most ? engine.preHash(bytes, { profile, pieces: true }) : engine.hash(bytes, { profile }).map((hash) => ({ hash })),
  );
  return refused === undefined ? { value: value.map((entry, at) => ({ ...entry, event: events[at]! })) } : { problem: input.ofList(refused) };
}
