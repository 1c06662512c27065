// What a document is that is no EPCIS document itself.

/** What a document is that is not EPCIS: its kind with an advice, or a title. */
export interface Foreign {
  readonly kind?: string;
  readonly advice?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly isOther?: boolean;
  readonly isTable?: boolean;
}

/** An entry of JSON that may be anything. */
export type Entry = Readonly<Record<string, unknown>>;

/** Says what entries of JSON are; undefined if it is not known. `all(fits)` says whether a test holds for each of them. */
export type OtherJson = (entries: readonly unknown[], all: (fits: (entry: Entry) => unknown) => boolean) => Foreign | undefined;

/** What a SOAP message holds: a document, or what else it is. */
export type Unwrapped =
  | {
      /** A character at `n` of the message is at `n + shift` of this text, behind the name of the document element. */
      readonly text: string;
      readonly shift: number;
      readonly foreign?: undefined;
    }
  | { readonly text?: undefined; readonly foreign: Foreign };
