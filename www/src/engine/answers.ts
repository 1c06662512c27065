// What the engine's thread answers to the page.
import type { Findings as Found } from '../../../wasm/document/document-places.ts';

export type { Attempt, Refused as Problem } from '../../../wasm/document/attempt.ts';

export type { Places, Shown as Range, Window } from '../../../wasm/document/document-places.ts';
export type { Edit, Fix } from '../../../wasm/document/fixes.ts';

/** The findings of the checks, each with its place and what it is about. */
export type Findings = Extract<Found, { readonly problem?: undefined }>;

/** `found` are the packs that the document is made for, `asked` the choice that this is the answer to. */
export type ChecksAnswer = (Findings | Exclude<Found, Findings>) & { readonly found: readonly string[]; readonly asked: string };
