// What an auditor computes, and whoever fetches a proof: in the file of the agent process, for no page does so.
import { agent } from './agent.js';
import { refusing } from './error.js';

/** The tiles that are needed to hold a head against the one that was kept: `[{path, length}]`. */
export const tiles = (head, policy, kept) => refusing(() => agent().auditTiles(kept, head, policy));

/** Checks these tiles, one behind the other: `{origin, oldSize, size, witnesses, cosignatures}`. */
export const check = (head, policy, bytes, kept) => refusing(() => agent().auditCheck(kept, head, policy, bytes));

/** The tiles that are not full, the lowest first: where a mirror begins, `[{path, length}]`. */
export const edge = (head, policy) => refusing(() => agent().mirrorEdge(head, policy));

/** Throws tiles of the edge, one behind the other, that do not give the root of the head. */
export const checkEdge = (head, policy, bytes) => refusing(() => agent().mirrorCheckEdge(head, policy, bytes));

/** What a tile has the hashes of: `{tiles: [{path, length}], entries}`, the path of entries for a tile of leaves alone. */
export const below = (path) => refusing(() => agent().mirrorBelow(path));

/** Throws bytes that are not those of a full tile, whose hash is in the tile above. */
export const checkTile = (path, bytes, above) => refusing(() => agent().mirrorCheckTile(path, bytes, above));

/** Throws bytes that are not those of entries, whose hashes are in their tile. */
export const checkEntries = (path, bytes, tile) => refusing(() => agent().mirrorCheckEntries(path, bytes, tile));

/** The event of a document that a proof is about, byte for byte. */
export const provedEvent = (document, proof) => refusing(() => agent().provedEvent(document, proof));

/** An order to a log, signed with its key: `restart`, or `check` and the number of a leaf. */
export const signOrder = (key, order, now) => refusing(() => agent().signOrder(key, order, now));
