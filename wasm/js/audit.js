// The calls of the engine for audits, mirrors and proofs. They are in the engine of the agent process, since no page needs them.
import { agent } from './agent.js';
import { refusing } from './error.js';

/** The tiles needed to compare a head with the kept one: `[{path, length}]`. */
export const tiles = (head, policy, kept) => refusing(() => agent().auditTiles(kept, head, policy));

/** Checks the bytes of these tiles, concatenated: `{origin, oldSize, size, witnesses, cosignatures}`. */
export const check = (head, policy, bytes, kept) => refusing(() => agent().auditCheck(kept, head, policy, bytes));

/** The tiles that are not full, lowest first, where a mirror begins: `[{path, length}]`. */
export const edge = (head, policy) => refusing(() => agent().mirrorEdge(head, policy));

/** Checks the bytes of the tiles of {@link edge}, concatenated. @throws {EpcisError} if they do not give the root of the head */
export const checkEdge = (head, policy, bytes) => refusing(() => agent().mirrorCheckEdge(head, policy, bytes));

/** The parts whose hashes a tile holds: `{tiles: [{path, length}], entries}`. `entries` is a path, only for a tile of leaves. */
export const below = (path) => refusing(() => agent().mirrorBelow(path));

/** Checks the bytes of a full tile against its hash in the tile above. @throws {EpcisError} if they differ */
export const checkTile = (path, bytes, above) => refusing(() => agent().mirrorCheckTile(path, bytes, above));

/** Checks the bytes of entries against their hashes in the tile of leaves. @throws {EpcisError} if they differ */
export const checkEntries = (path, bytes, tile) => refusing(() => agent().mirrorCheckEntries(path, bytes, tile));

/** The bytes of the event in a document that a proof is about. */
export const provedEvent = (document, proof) => refusing(() => agent().provedEvent(document, proof));

/** Signs an order to a log with its key: `restart`, `end`, or `check` and the number of a leaf. */
export const signOrder = (key, order, now) => refusing(() => agent().signOrder(key, order, now));
