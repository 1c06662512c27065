// A second validation engine. It is in the engine of the agent process, since it is too large for pages.
import { agent } from './agent.ts';
import { refusing } from '../engine/error.ts';
import type { Verdict } from '../engine/index.ts';

/** The verdict of the engine `jsonschema` on a document of at most 64 KiB. */
export const validateBySecondEngine = (document: Uint8Array): Verdict => refusing(() => agent().validateBySecondEngine(document));
