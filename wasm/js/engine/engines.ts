// What the compiled engines export (`wasm/src`), and what they answer where that is not what an entry point returns.
import type {
  Audit,
  CheckReport,
  DisclosableField,
  DisclosureVerdict,
  EventHash,
  GS1Key,
  PreHashed,
  Problem,
  ProofsVerdict,
  ProofVerdict,
  Repair,
  SchemaError,
  SchemaPin,
  Verdict,
  Verification,
  XmlTranslation,
  XmlVerdict,
} from './answers.ts';
import type { JsonLd, StreamReport, Translation } from './index.ts';

/** A document as an engine gets it: `undefined` if its text is in the memory of the engine already. */
export type Handed = Uint8Array | string | undefined;

/** The memory of an engine, into which texts are written. */
export interface TextEngine {
  /** Makes room for a text of so many bytes, and returns its place. */
  roomForText(length: number): number;
  endOfText(length: number): void;
  memoryOfEngine(): WebAssembly.Memory;
}

/** The errors of JSON, if there are any; of XML the whole verdict, since the schema depends on the document. */
export type Judged = readonly SchemaError[] | XmlVerdict | undefined;

/** The engine of documents. */
export interface DocumentEngine extends TextEngine {
  validate(document: Handed): Judged;
  validateBytes(document: Uint8Array | string): Judged;
  schemaPin(): SchemaPin;
  hash(document: Handed, profile?: string, context?: string, undeclared?: string, pieces?: boolean): EventHash[];
  preHash(document: Handed, profile?: string, context?: string, undeclared?: string, pieces?: boolean): PreHashed[];
  verify(document: Handed, context?: string, undeclared?: string): Verification[];
  translate(xml: Handed, asText: boolean, keepsErrors: boolean): Translation<JsonLd | string>;
  toXml(document: Handed, version?: string): XmlTranslation;
  toDigitalLink(identifier: string): string | undefined;
  toEpcUrn(digitalLink: string, companyPrefixLength: number): string;
  checkDigit(digits: string): string;
  eventName(eventID: string): string;
  keys(): GS1Key[];
}

/** The form of the events that a stream gives. */
export type Form = 'ndjson' | 'text' | 'object';

/** What a stream has translated: lines of NDJSON as bytes, or a list of events. */
export interface Translated {
  readonly events?: Uint8Array | readonly unknown[];
  readonly error?: Error & { readonly problem: Problem };
  readonly report?: StreamReport;
}

/** An object in the memory of an engine, which `free` gives back. */
interface Held {
  free(): void;
}

/** The engine of documents with its streams. */
export interface StreamEngine extends DocumentEngine {
  readonly Judging: new () => Held & { push(chunk: Uint8Array | string): void; finish(): Judged };
  readonly Translating: new () => Held & { push(chunk: Uint8Array | string, form: Form): Translated; finish(form: Form): Translated };
  readonly WritingXml: new (
    version?: string,
  ) => Held & {
    look(chunk: Uint8Array): void;
    looked(): void;
    push(chunk: Uint8Array): Uint8Array | undefined;
    finish(): { readonly xml: Uint8Array; readonly report: XmlTranslation['report']; readonly meteredEvents: number };
  };
}

export interface ChecksEngine extends TextEngine {
  check(document: Handed, packs: string | undefined, pack: string | undefined, parameters: string | undefined, now: number): CheckReport;
  repair(text: Uint8Array | string, zones: boolean): Repair;
  /** An exception report as JSON. */
  exceptions(document: Handed, sender: string, now: number): string;
}

/** Its answers are JSON. */
export interface FollowEngine extends TextEngine {
  follow(document: Handed, request: string): string;
  readonly Following: new (document: Handed) => Held & { follow(request: string): string };
}

export interface ReportEngine extends TextEngine {
  /** A report as JSON. */
  report(document: Handed, name: string, request: string, made: number): string;
  csv(report: string, sheet?: string): string;
  html(report: string): string;
}

export interface SpreadsheetEngine {
  xlsx(report: string): Uint8Array & { readonly buffer: ArrayBuffer };
}

export interface ProofEngine {
  verifyProof(event: Uint8Array, proof: string, policy: string, now: number): ProofVerdict;
  verifyReceipt(event: Uint8Array, receipt: Uint8Array, policy: string): ProofVerdict;
  disclosable(event: Uint8Array, proof: string): DisclosableField[];
  /** `show` has the names with U+0000 between them. */
  disclose(event: Uint8Array, proof: string, show: string): string;
  verifyProofs(proofs: Uint8Array, policy: string, now: number): ProofsVerdict;
  verifyDisclosure(disclosure: Uint8Array, policy: string, now: number): DisclosedProof;
}

/** What of a verdict on a disclosure is about the proof stands in a member of its own. */
interface DisclosedProof extends Pick<DisclosureVerdict, 'valid' | 'steps' | 'fields' | 'withheld' | 'recordTime' | 'who' | 'capturedBy'> {
  readonly proof: Pick<DisclosureVerdict, 'origin' | 'index' | 'size' | 'loggedBefore' | 'loggedBeforeBy' | 'cosignatures'>;
}

/** The engine of the agent process. */
export interface AgentEngine {
  readonly Agent: new (
    account: string,
    observer: string,
    namespace: string,
    contexts: string,
    hashEventIDs: string,
    entropy: Uint8Array,
  ) => {
    message(message: Uint8Array, now: number): string | undefined;
    integrate(entropy: Uint8Array): void;
    logSize(): number;
    takeDetail(): string | undefined;
  };
  auditTiles(kept: string | undefined, head: string, policy: string): { readonly path: string; readonly length: number }[];
  auditCheck(kept: string | undefined, head: string, policy: string, tiles: Uint8Array): Audit;
  provedEvent(document: Uint8Array, proof: string): string;
  signOrder(key: string, order: string, now: number): string;
  validateBySecondEngine(document: Uint8Array): Verdict;
}
