// The calls of the engine for audits and proofs. They are in the engine of the agent process, since no page needs them.
import type { Audit } from '../engine/answers.ts';
import { refusing } from '../engine/error.ts';
import { agent } from './agent.ts';

/** The tiles needed to compare a head with the kept one. */
export const tiles = (head: string, policy: string, kept?: string): { readonly path: string; readonly length: number }[] =>
  refusing(() => agent().auditTiles(kept, head, policy));

/** Checks the bytes of these tiles, concatenated. */
export const check = (head: string, policy: string, bytes: Uint8Array, kept?: string): Audit => refusing(() => agent().auditCheck(kept, head, policy, bytes));

/** The bytes of the event in a document that a proof is about. */
export const provedEvent = (document: Uint8Array, proof: string): string => refusing(() => agent().provedEvent(document, proof));

/** Signs an order to a log with its key: `restart`, `end`, or `check` and the number of a leaf. */
export const signOrder = (key: string, order: string, now: number): string => refusing(() => agent().signOrder(key, order, now));
