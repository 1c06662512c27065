// Explains why an eventID is not the hash of its event. Loaded on demand.
import type { EventHash, Profile } from '../../../wasm/js/engine/index.ts';
import { members, parseJson, rootOf } from '../../../wasm/document/places-json.ts';

/** The hash of a text under a profile. */
export interface ProfileHash {
  readonly profile: Profile;
  readonly hash: EventHash;
}

export interface Explained {
  readonly tried: readonly ProfileHash[];
  readonly without?: string;
  readonly profile?: Profile;
}

/** A member of an object in the text. */
interface Member {
  readonly name: string;
  readonly key: { readonly from: number };
  readonly value: { readonly to: number };
}

/**
 * Hashes an event again without each of its members in turn: `{tried: [{profile, hash}], without, profile}`. `tried` are the hashes of
 * the whole event. `without` is the member whose omission gives the eventID: it was added or changed after the event was named. It is
 * undefined if there is no such member. `hashesOf` hashes a text under all profiles.
 */
export function explain(eventID: string, source: string, hashesOf: (text: string) => readonly ProfileHash[]): Explained {
  const own = parseJson(source);
  const [, wanted] = /^ni:\/\/\/sha-256;([0-9a-f]{64})/i.exec(eventID) ?? [];
  const isIt = ({ hash }: ProfileHash) => hash.includes(wanted?.toLowerCase() ?? '-');
  const root = rootOf(own);
  const all: readonly Member[] = root === null ? [] : [...members(source, root)];
  for (const [at, { name, key, value }] of all.entries()) {
    if (name === 'type' || name === 'eventID') continue;
    const [from, to] = at + 1 < all.length ? [key.from, all[at + 1]!.key.from] : [at === 0 ? key.from : all[at - 1]!.value.to, value.to];
    const match = hashesOf(source.slice(0, from) + source.slice(to)).find(isIt);
    if (match !== undefined) return { tried: hashesOf(source), without: name, profile: match.profile };
  }
  return { tried: hashesOf(source) };
}
