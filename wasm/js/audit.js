// What an auditor computes, and whoever fetches a proof: in the file of the agent process, for no page does so.
import { agent } from './agent.js';
import { refusing } from './error.js';

/** The tiles that are needed to hold a head against the one that was kept: `[{path, length}]`. */
export const tiles = (head, policy, kept) => refusing(() => agent().auditTiles(kept, head, policy));

/** Checks these tiles, one behind the other: `{origin, oldSize, size, witnesses}`. */
export const check = (head, policy, bytes, kept) => refusing(() => agent().auditCheck(kept, head, policy, bytes));

/** The event of a document that a proof is about, byte for byte. */
export const provedEvent = (document, proof) => refusing(() => agent().provedEvent(document, proof));

/** An order to a log, signed with its key: `restart`, or `check` and the number of a leaf. */
export const signOrder = (key, order, now) => refusing(() => agent().signOrder(key, order, now));
