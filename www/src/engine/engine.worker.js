// The engine's thread of the page: its stages, and its questions about a document or without one.
/* global CHECK_WASM, FOLLOW_WASM, PROOF_WASM */
import { attempt, notLoaded } from '../../../wasm/document/attempt.ts';
import { recognisersFor } from '../../../wasm/document/detect.ts';
import { OpenDocument } from './document.js';
import { engine, init } from './page-engine.js';
import { serve } from './thread.js';

const STAGES = ['verdict', 'events', 'hashes', 'translation', 'places'];

/** The stages of a document: first the verdict, then the answer of the chosen tab, then the others in order. */
function stagesOf({ first, checks }) {
  const wanted =
    STAGES.includes(first) && first !== 'verdict' ? ['verdict', first, ...STAGES.filter((stage) => stage !== 'verdict' && stage !== first)] : [...STAGES];
  return checks ? [...wanted, 'checks'] : wanted;
}

function answer(own, stage, { parts, options }) {
  if (stage === 'places') return own.places(parts.verdict, parts.translation, 25, repair);
  return stage === 'checks' ? checksOf(own, options.choice) : own[stage]();
}

const QUESTIONS = {
  eventPage: (own, from) => own.eventPage(from),
  hashPage: (own, from) => own.hashPage(from),
  preHash: (own, index) => own.preHash(index),
  find: (own, text) => own.find(text),
  window: (own, at) => own.window(at),
  source: (own, index) => own.source(index),
  place: (own, index) => own.place(index),
  inDocument: (own) => own.inDocument(),
  columns: async (own) => (await import('../table/table-events.js')).columnsOf(own.table.text),
  tableEvents: async (own, choice) => (await import('../table/table-events.js')).eventsOf(own.table, choice),
  download: async (own, what) => {
    if (what !== 'csv') return own.download(what);
    const { csvOf } = await table();
    return csvOf(own.listed.events, sought);
  },
  path: async (own, id) => withFollow((follow) => own.path(follow, id)),
  item: async (own, id) => withFollow((follow) => own.item(follow, id)),
  masterData: (own) => own.masterData(),
  extras: async (own) => (await import('../events/document-extras.js')).extrasOf(own.input),
  // What the tool Reports asks: a preview, a file, or the items of the document.
  report: async (own, { what, ...asked }) => {
    let reports;
    try {
      reports = await import('../tools/reports/document-reports.js');
      await reports.load();
    } catch (error) {
      return notLoaded(error, 'The engine that makes reports');
    }
    return own.reported(reports[what], asked);
  },
  explain: (own, index) => own.explain(index),
  /** Some rows of the table: `{total, all, rows, choices}`. `total` counts the rows found, `all` the events. */
  table: async (own, { from, count, ...wanted }) => {
    const { chosenRows, pageOf, rowsOf } = await table();
    const rows = own.rows(rowsOf);
    sought = chosenRows(rows, wanted, engine.identifiers);
    return pageOf(rows, sought, from, count);
  },
  // The engines of the checks, of proofs and of following are loaded with the first question.
  checks: checksOf,
  fitting: (own, packs) => withCheck(({ check }) => own.fitting(check, packs)),
  exceptions: (own, sender) => withCheck(({ exceptionReport }) => own.exceptions(exceptionReport, sender)),
  proof: async (own, { proof, policy }) => own.proved((await proofs()).verifyProof, proof, policy),
  disclosable: async (own, proof) => own.proved((await proofs()).disclosable, proof),
  disclose: async (own, { proof, show }) => own.proved((await proofs()).disclose, proof, show),
  // The translation of the same document to another XML version.
  back: async (own, version) => {
    own.back = version;
    const translation = own.translation();
    return { translation, places: await own.places(own.verdict(), translation, 25, repair) };
  },
};

/** The report of the usual checks and of these packs; undefined if their engine cannot be loaded. */
function checksOf(own, packs) {
  return withCheck(({ check }) => own.checks(check, packs));
}

/** Those of the usual checks alone, about a text. */
const checksOfText = (text) => checksOf(new OpenDocument(engine, new TextEncoder().encode(text), {}));

/** A text with its characters repaired; undefined if the engine of checks cannot be loaded. */
const repair = (text, options) => withCheck((engine) => engine.repair(text, options));

/** Calls `use` with the functions of the engine of checks; undefined if that cannot be loaded. */
async function withCheck(use) {
  try {
    const engine = await import('../../../wasm/js/check/browser.ts');
    await engine.init(new URL(CHECK_WASM, self.location));
    return await use(engine);
  } catch (error) {
    console.warn(error);
    return undefined;
  }
}

/** Loads the engine of proofs. */
async function proofs() {
  const proofs = await import('../../../wasm/js/proof/browser.ts');
  await proofs.init(new URL(PROOF_WASM, self.location));
  return proofs;
}

/** Calls `use` with the function of the following engine; `{problem}` if that cannot be loaded. */
async function withFollow(use) {
  let follow;
  try {
    const engine = await import('../../../wasm/js/follow/browser.ts');
    await engine.init(new URL(FOLLOW_WASM, self.location));
    follow = engine.follow;
  } catch (error) {
    return notLoaded(error, 'The engine that follows items');
  }
  return use(follow);
}

const table = () => import('../table/table.js');
/** The rows last found for the table, for its CSV download. */
let sought = [];

/** The questions that need no open document. */
const TOOLS = {
  unzip: async (bytes) => (await import('../editor/unzip.js')).unzip(new Uint8Array(bytes)),
  verifyDisclosure: async ({ disclosure, policy }) => {
    const { verifyDisclosure } = await proofs();
    return attempt(() => verifyDisclosure(disclosure, policy));
  },
  convert: async (text) => (await import('../tools/convert/convert.js')).convert(text, engine.identifiers),
  build: async (asked) => (await import('../tools/build/build-tools.js'))[asked.what](asked, engine.identifiers),
  judge: async (built) => (await import('../tools/build/build-tools.js')).judge(built, engine, checksOfText),
  /** The verdict on a file as a page to print: `{html}` or `{problem}`. */
  verdict: async (file) => {
    try {
      const { verdictPage } = await import('../verdict/verdict-file.js');
      return { html: await verdictPage(file, engine) };
    } catch (error) {
      return notLoaded(error, 'The engine that makes reports');
    }
  },
  /** The page of an item from a gateway's answer, the identifiers in it to ask names for, and one of its events as JSON. */
  itemOf: async (given) => (await import('../tools/gateway/gateway-item.js')).itemOf(given, engine.identifiers),
  itemWants: async (text) => (await import('../tools/gateway/gateway-item.js')).wantedOf(text, engine.identifiers),
  itemSource: async ({ text, position }) => (await import('../tools/gateway/gateway-item.js')).sourceOf(text, position),
  compare: async ({ left, right, profile }) => {
    const { compareDocuments } = await import('../tools/compare/compare.js');
    const [one, other] = await Promise.all([left, right].map((bytes) => recognisersFor(new Uint8Array(bytes))));
    const open = (bytes) => new OpenDocument(engine, new Uint8Array(bytes), { recognisers: bytes === left ? one : other });
    return compareDocuments([left, right], { open, eventName: engine.identifiers.eventName, profile });
  },
};

serve(self, {
  load: init,
  open: async (bytes, { back, isText, width }) => new OpenDocument(engine, bytes, { back, isText, width, recognisers: await recognisersFor(bytes) }),
  stagesOf,
  answer,
  questions: QUESTIONS,
  tools: TOOLS,
});
