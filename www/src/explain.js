// Why an eventID is not the hash of its event, loaded when somebody asks.
import { members, parseJson, rootOf } from './places-json.js';

/**
 * `{tried: [{profile, hash}], without, profile}` for the text of an event, `without` the member that the event did not have, or had
 * otherwise, when it was named; undefined where leaving out one member does not give the eventID. `hashesOf` hashes a text.
 */
export function explain(eventID, source, hashesOf) {
  const own = parseJson(source);
  const [, wanted] = /^ni:\/\/\/sha-256;([0-9a-f]{64})/i.exec(eventID) ?? [];
  const isIt = ({ hash }) => hash.includes(wanted?.toLowerCase() ?? '-');
  const all = [...members(source, rootOf(own))];
  for (const [at, { name, key, value }] of all.entries()) {
    if (name === 'type' || name === 'eventID') continue;
    const [from, to] = at + 1 < all.length ? [key.from, all[at + 1].key.from] : [at === 0 ? key.from : all[at - 1].value.to, value.to];
    const match = hashesOf(source.slice(0, from) + source.slice(to)).find(isIt);
    if (match !== undefined) return { tried: hashesOf(source), without: name, profile: match.profile };
  }
  return { tried: hashesOf(source) };
}
