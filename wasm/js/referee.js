// The second opinion on a verdict: in the file of the agent process, for it is too large for pages.
import { agent } from './agent.js';
import { refusing } from './error.js';

/** The verdict of an engine on a document of at most 64 KiB. */
export const validateBy = (document, name) => refusing(() => agent().validateBy(document, name));
