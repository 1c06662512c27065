// @ts-nocheck
// The calls of the engine for audits and proofs. They are in the engine of the agent process, since no page needs them.
import { agent } from './agent.ts';
import { refusing } from '../engine/error.ts';

/** The tiles needed to compare a head with the kept one: `[{path, length}]`. */
export const tiles = (head, policy, kept) => refusing(() => agent().auditTiles(kept, head, policy));

/** Checks the bytes of these tiles, concatenated: `{origin, oldSize, size, witnesses, cosignatures}`. */
export const check = (head, policy, bytes, kept) => refusing(() => agent().auditCheck(kept, head, policy, bytes));

/** The bytes of the event in a document that a proof is about. */
export const provedEvent = (document, proof) => refusing(() => agent().provedEvent(document, proof));

/** Signs an order to a log with its key: `restart`, `end`, or `check` and the number of a leaf. */
export const signOrder = (key, order, now) => refusing(() => agent().signOrder(key, order, now));
