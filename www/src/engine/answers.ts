// What the engine's thread answers to the page.
import type { CheckReport } from '../../../wasm/js/check/index.ts';
import type { Problem as Refused } from '../../../wasm/js/engine/index.ts';

/** Why there is no answer: a refusal of the engine, or what the page itself says. */
export interface Problem extends Partial<Pick<Refused, 'status' | 'location' | 'errors' | 'fidelityReport' | 'sourceVerdict'>> {
  readonly type?: string;
  readonly title: string;
  readonly detail?: string | undefined;
  /** Whether it is no fault of the document. */
  readonly isOther?: boolean | undefined;
  /** Whether it is a table, which the page can turn into events. */
  readonly isTable?: boolean | undefined;
  /** Whether it is a message of the EPCIS interface. */
  readonly isMessage?: boolean | undefined;
}

/** An answer, or why there is none. */
export type Attempt<Value> = { readonly value: Value; readonly problem?: undefined } | { readonly value?: undefined; readonly problem: Problem };

/** A range in the text of a document, with its line. */
export interface Range {
  readonly from: number;
  readonly to: number;
  readonly line: number;
}

/** A change of a text. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** A suggested correction of an error, given by its index. */
export interface Fix {
  readonly error?: number;
  readonly label: string;
  readonly edits: readonly Edit[];
}

/** The places of errors, notes of the translation and the first events; undefined if unknown. */
export interface Places {
  readonly errors: readonly (Range | undefined)[];
  readonly notes: readonly (Range | undefined)[];
  readonly events: readonly (Range | undefined)[];
  readonly fixes: readonly Fix[];
}

/** The findings of the checks, each with its place and what it is about. */
export interface Findings extends CheckReport {
  readonly problem?: undefined;
  readonly places: readonly (Range | undefined)[];
  readonly related: readonly (Range | undefined)[];
  readonly subjects: readonly { readonly step?: string; readonly entry?: string }[];
}

/** `found` are the packs that the document is made for, `asked` the choice that this is the answer to. */
export type ChecksAnswer = (Findings | { readonly problem: Problem; readonly places: readonly (Range | undefined)[] }) & {
  readonly found: readonly string[];
  readonly asked: string;
};

/** The part of a large document around an offset: it begins at offset `base`, in line `line`. */
export interface Window {
  readonly text: string;
  readonly base: number;
  readonly line: number;
  readonly isWholeLine: boolean;
}
