// The engine's thread of the page: its stages, and its questions about a document or without one.
import type * as checks from '../../../wasm/js/check/browser.ts';
import type { ExceptionSender, PackName } from '../../../wasm/js/check/index.ts';
import type { Profile } from '../../../wasm/js/engine/index.ts';
import type { DisclosureVerdict } from '../../../wasm/js/proof/index.ts';
import { attempt, notLoaded } from '../../../wasm/document/attempt.ts';
import { recognisersFor } from '../../../wasm/document/detect.ts';
import type { AskedReport, FileKind } from '../tools/reports/document-reports.ts';
import type * as Reports from '../tools/reports/document-reports.ts';
import type { Built, Typed } from '../tools/build/build-tools.ts';
import type { TableWanted, TableRow } from '../table/table.ts';
import type { TableChoice } from '../table/table-events.ts';
import type { GatewayAnswer } from '../tools/gateway/gateway-item.ts';
import type { TranslationAnswer, XmlVersion } from '../translate/document-translation.ts';
import type { Choice } from '../verdict/asked.ts';
import type { VerdictAnswer } from '../verdict/document-verdict.ts';
import type { JudgedFile } from '../verdict/verdict-file.ts';
import type { Attempt, ChecksAnswer, Problem } from './answers.ts';
import { type Download, OpenDocument, type Repair } from './document.ts';
import type { Opening } from './document-story.ts';
import type { Follow } from '../item/document-follow.ts';
import { engine, init } from './page-engine.ts';
import { type Port, serve } from './thread.ts';

declare const CHECK_WASM: string;
declare const FOLLOW_WASM: string;
declare const PROOF_WASM: string;

const STAGES = ['verdict', 'events', 'hashes', 'translation', 'places'] as const;
export type Stage = (typeof STAGES)[number] | 'checks';

/** How the page opens a document: `first` is the stage whose answer is shown, `checks` whether the checks are wanted. */
export interface PageOptions extends Pick<Opening, 'isText' | 'width'> {
  readonly back?: XmlVersion;
  readonly first?: string | undefined;
  readonly checks?: boolean;
  readonly choice?: Choice;
}

/** The stages of a document: first the verdict, then the answer of the chosen tab, then the others in order. */
function stagesOf({ first, checks }: PageOptions): Stage[] {
  const isStage = (name: string | undefined): name is (typeof STAGES)[number] => (STAGES as readonly (string | undefined)[]).includes(name);
  const wanted: Stage[] =
    isStage(first) && first !== 'verdict' ? ['verdict', first, ...STAGES.filter((stage) => stage !== 'verdict' && stage !== first)] : [...STAGES];
  return checks ? [...wanted, 'checks'] : wanted;
}

/** The answers of the stages before. */
interface Before {
  readonly parts: { readonly verdict?: unknown; readonly translation?: unknown };
  readonly options: PageOptions;
}

function answer(own: OpenDocument, stage: Stage, { parts, options }: Before): unknown {
  if (stage === 'places') return own.places(parts.verdict as VerdictAnswer, parts.translation as TranslationAnswer | undefined, 25, repair);
  return stage === 'checks' ? checksOf(own, options.choice) : own[stage]();
}

const QUESTIONS = {
  eventPage: (own: OpenDocument, from: number) => own.eventPage(from),
  hashPage: (own: OpenDocument, from: number) => own.hashPage(from),
  preHash: (own: OpenDocument, index: number) => own.preHash(index),
  find: (own: OpenDocument, text: string) => own.find(text),
  window: (own: OpenDocument, at: number) => own.window(at),
  source: (own: OpenDocument, index: number) => own.source(index),
  place: (own: OpenDocument, index: number) => own.place(index),
  inDocument: (own: OpenDocument) => own.inDocument(),
  columns: async (own: OpenDocument) => (await import('../table/table-events.ts')).columnsOf(own.table.text),
  tableEvents: async (own: OpenDocument, choice: TableChoice) => (await import('../table/table-events.ts')).eventsOf(own.table, choice),
  download: async (own: OpenDocument, what: Download | 'csv') => {
    if (what !== 'csv') return own.download(what);
    const { csvOf } = await table();
    return csvOf(own.listed.events, sought);
  },
  path: async (own: OpenDocument, id: string) => withFollow((follow) => own.path(follow, id)),
  item: async (own: OpenDocument, id: string) => withFollow((follow) => own.item(follow, id)),
  masterData: (own: OpenDocument) => own.masterData(),
  extras: async (own: OpenDocument) => (await import('../events/document-extras.ts')).extrasOf(own.input),
  // What the tool Reports asks: the items of the document, a preview, or a file.
  reportItems: (own: OpenDocument) => withReports(({ items }) => items(own.input)),
  reportPreview: (own: OpenDocument, asked: AskedReport) => withReports(({ preview }) => preview(own.input, asked)),
  reportFile: (own: OpenDocument, asked: AskedReport & { readonly kind: FileKind }) => withReports(({ file }) => file(own.input, asked)),
  explain: (own: OpenDocument, index: number) => own.explain(index),
  /** Some rows of the table: `{total, all, rows, choices}`. `total` counts the rows found, `all` the events. */
  table: async (own: OpenDocument, { from, count, ...wanted }: TableWanted & { readonly from: number; readonly count: number }) => {
    const { chosenRows, pageOf, rowsOf } = await table();
    const rows = own.rows(rowsOf);
    sought = chosenRows(rows, wanted, engine.identifiers);
    return pageOf(rows, sought, from, count);
  },
  // The engines of the checks, of proofs and of following are loaded with the first question.
  checks: checksOf,
  fitting: (own: OpenDocument, packs: readonly PackName[]) => withCheck(({ check }) => own.fitting(check, packs)),
  exceptions: (own: OpenDocument, sender: ExceptionSender) => withCheck(({ exceptionReport }) => own.exceptions(exceptionReport, sender)),
  proof: async (own: OpenDocument, { proof, policy }: { readonly proof: string | Uint8Array; readonly policy: string }) =>
    own.proved((await proofs()).verifyProof, proof, policy),
  disclosable: async (own: OpenDocument, proof: string) => own.proved((await proofs()).disclosable, proof),
  disclose: async (own: OpenDocument, { proof, show }: { readonly proof: string; readonly show: readonly string[] }) =>
    own.proved((await proofs()).disclose, proof, show),
  // The translation of the same document to another XML version.
  back: async (own: OpenDocument, version: XmlVersion) => {
    own.back = version;
    const translation = own.translation();
    return { translation, places: await own.places(own.verdict(), translation, 25, repair) };
  },
};

/** The report of the usual checks and of these packs; undefined if their engine cannot be loaded. */
function checksOf(own: OpenDocument, choice?: Choice): Promise<ChecksAnswer | undefined> {
  return withCheck(({ check }) => own.checks(check, choice));
}

/** Those of the usual checks alone, about a text. */
const checksOfText = (text: string) => checksOf(new OpenDocument(engine, new TextEncoder().encode(text), {}));

/** A text with its characters repaired; undefined if the engine of checks cannot be loaded. */
const repair: Repair = (text, options) => withCheck((engine) => engine.repair(text, options));

/** Calls `use` with the functions of the engine of checks; undefined if that cannot be loaded. */
async function withCheck<Answer>(use: (engine: typeof checks) => Answer | Promise<Answer>): Promise<Answer | undefined> {
  try {
    const engine = await import('../../../wasm/js/check/browser.ts');
    await engine.init(new URL(CHECK_WASM, self.location.href));
    return await use(engine);
  } catch (error) {
    console.warn(error);
    return undefined;
  }
}

/** Loads the engine of proofs. */
async function proofs() {
  const proofs = await import('../../../wasm/js/proof/browser.ts');
  await proofs.init(new URL(PROOF_WASM, self.location.href));
  return proofs;
}

/** Why an engine is not there. */
interface NotLoaded {
  readonly model?: undefined;
  readonly problem: Problem;
}

/** Calls `use` with the function of the following engine; `{problem}` if that cannot be loaded. */
async function withFollow<Answer>(use: (follow: Follow) => Answer | Promise<Answer>): Promise<Answer | NotLoaded> {
  let follow: Follow;
  try {
    const engine = await import('../../../wasm/js/follow/browser.ts');
    await engine.init(new URL(FOLLOW_WASM, self.location.href));
    follow = engine.follow;
  } catch (error) {
    return notLoaded(error, 'The engine that follows items');
  }
  return use(follow);
}

/** Calls `use` with the functions that make reports; `{problem}` if their engine cannot be loaded. */
async function withReports<Answer>(
  use: (reports: typeof Reports) => Answer | Promise<Answer>,
): Promise<Answer | { readonly problem: Problem; readonly events?: undefined }> {
  let reports: typeof Reports;
  try {
    reports = await import('../tools/reports/document-reports.ts');
    await reports.load();
  } catch (error) {
    return notLoaded(error, 'The engine that makes reports');
  }
  return use(reports);
}

const buildTools = () => import('../tools/build/build-tools.ts');
const gatewayItem = () => import('../tools/gateway/gateway-item.ts');
const table = () => import('../table/table.ts');
/** The rows last found for the table, for its CSV download. */
let sought: readonly TableRow[] = [];

/** Bytes as a message carries them. */
export type Bytes = Uint8Array | ArrayBuffer;

/** The questions that need no open document. */
const TOOLS = {
  unzip: async (bytes: ArrayBuffer) => (await import('../editor/unzip.ts')).unzip(new Uint8Array(bytes)),
  verifyDisclosure: async ({
    disclosure,
    policy,
  }: {
    readonly disclosure: string | Uint8Array;
    readonly policy: string;
  }): Promise<Attempt<DisclosureVerdict>> => {
    const { verifyDisclosure } = await proofs();
    return attempt(() => verifyDisclosure(disclosure, policy));
  },
  convert: async (text: string) => (await import('../tools/convert/convert.ts')).convert(text, engine.identifiers),
  // What the tool Build asks of typed identifiers.
  glnFaults: async (typed: Typed) => (await buildTools()).glnFaults(typed, engine.identifiers),
  read: async (typed: Typed) => (await buildTools()).read(typed, engine.identifiers),
  judged: async (typed: Typed) => (await buildTools()).judged(typed, engine.identifiers),
  judge: async (built: { readonly document: Built; readonly isNamed: boolean }) => (await buildTools()).judge(built, engine, checksOfText),
  /** The verdict on a file as a page to print: `{html}` or `{problem}`. */
  verdict: async (
    file: JudgedFile,
  ): Promise<{ readonly html: string; readonly problem?: undefined } | { readonly html?: undefined; readonly problem: Problem }> => {
    try {
      const { verdictPage } = await import('../verdict/verdict-file.ts');
      return { html: await verdictPage(file, engine) };
    } catch (error) {
      return notLoaded(error, 'The engine that makes reports');
    }
  },
  /** The page of an item from a gateway's answer, the identifiers in it to ask names for, and one of its events as JSON. */
  itemOf: async (given: GatewayAnswer) => (await gatewayItem()).itemOf(given, engine.identifiers),
  itemWants: async (text: string) => (await gatewayItem()).wantedOf(text, engine.identifiers),
  itemSource: async ({ text, position }: { readonly text: string; readonly position: number }) => (await gatewayItem()).sourceOf(text, position),
  compare: async ({ left, right, profile }: { readonly left: Bytes; readonly right: Bytes; readonly profile: Profile }) => {
    const { compareDocuments } = await import('../tools/compare/compare.ts');
    const [one, other] = await Promise.all([left, right].map((bytes) => recognisersFor(new Uint8Array(bytes))));
    const open = (bytes: Bytes) => new OpenDocument(engine, new Uint8Array(bytes), { recognisers: bytes === left ? one : other });
    return compareDocuments([left, right], { open, eventName: engine.identifiers.eventName, profile });
  },
};

/** What the page asks about a document, and without one. */
export type Questions = typeof QUESTIONS;
export type Tools = typeof TOOLS;

serve<OpenDocument, PageOptions, Stage>(self as unknown as Port, {
  load: init,
  open: async (bytes, { back, isText, width }) => new OpenDocument(engine, bytes, { back, isText, width, recognisers: await recognisersFor(bytes) }),
  stagesOf,
  answer,
  questions: QUESTIONS,
  tools: TOOLS,
});
