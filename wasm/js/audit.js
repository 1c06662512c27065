// What an auditor computes: in the file of the agent process, for no page does so.
import { agent } from './agent.js';
import { refusing } from './error.js';

/** The tiles that are needed to hold a head against the one that was kept: `[{path, length}]`. */
export const tiles = (head, policy, kept) => refusing(() => agent().auditTiles(kept, head, policy));

/** Checks these tiles, one behind the other: `{origin, oldSize, size, witnesses, cosignatures}`. */
export const check = (head, policy, bytes, kept) => refusing(() => agent().auditCheck(kept, head, policy, bytes));
