// The engine's thread: opens a document, answers stage by stage, and lets a newer document overtake between the stages.
import { init, hash, identifiers, preHash, toXml, translate, validate, verify } from 'epcis-edge';
import { init as initProof, verifyProof } from 'epcis-edge/proof';
import { OpenDocument } from './document.js';

const engine = { hash, identifiers, preHash, toXml, translate, validate, verify, verifyProof };
let loaded;
let current = 0;
let document;

/** Lets messages that came meanwhile be seen first. */
const breath = () =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(port1.close());
    port2.postMessage(undefined);
  });

const STAGES = ['verdict', 'events', 'hashes', 'translation', 'places'];

async function open({ id, bytes, back, isText, first }) {
  current = id;
  const started = performance.now();
  await loaded;
  if (current !== id) return;
  document = new OpenDocument(engine, new Uint8Array(bytes), { back, isText });
  const own = document;
  // Small documents get their places with the verdict; of large ones, the answer that is looked at comes first.
  const wanted =
    STAGES.includes(first) && first !== 'verdict' ? ['verdict', first, ...STAGES.filter((stage) => stage !== 'verdict' && stage !== first)] : STAGES;
  const parts = {};
  for (const [index, stage] of wanted.entries()) {
    self.postMessage({ kind: 'stage', id, stage, index, of: wanted.length });
    await breath();
    if (current !== id) return;
    const before = performance.now();
    const value = stage === 'places' ? own.places(parts.verdict, parts.translation, 25) : own[stage]();
    parts[stage] = value;
    self.postMessage({ kind: 'part', id, part: stage, value, milliseconds: performance.now() - before, isExact: own.isExact });
  }
  self.postMessage({ kind: 'done', id, milliseconds: performance.now() - started });
}

const QUESTIONS = {
  eventPage: (own, from) => own.eventPage(from),
  hashPage: (own, from) => own.hashPage(from),
  preHash: (own, index) => own.preHash(index),
  find: (own, text) => own.find(text),
  window: (own, at) => own.window(at),
  source: (own, index) => own.source(index),
  place: (own, index) => own.place(index),
  download: (own, what) => own.download(what),
  // Its engine is loaded by those who verify a proof.
  proof: async (own, { proof, policy }) => {
    await initProof(new URL(PROOF_WASM, self.location));
    return own.proof(proof, policy);
  },
  // The way back in another version: one stage of the same document.
  back: (own, version) => {
    own.back = version;
    const translation = own.translation();
    return { translation, places: own.places(own.verdict(), translation, 25) };
  },
};

self.onmessage = async ({ data }) => {
  switch (data.kind) {
    case 'load':
      loaded = init(data.module);
      loaded.then(
        () => self.postMessage({ kind: 'loaded' }),
        (error) => self.postMessage({ kind: 'failed', id: data.id, message: String(error?.message ?? error) }),
      );
      break;
    case 'open':
      try {
        await open(data);
      } catch (error) {
        self.postMessage({ kind: 'failed', id: data.id, message: String(error?.message ?? error) });
      }
      break;
    case 'ask':
      try {
        if (data.document !== current || document === undefined) throw new Error('superseded');
        self.postMessage({ kind: 'answer', question: data.question, value: await QUESTIONS[data.about](document, data.argument) });
      } catch (error) {
        self.postMessage({ kind: 'answer', question: data.question, error: String(error?.message ?? error) });
      }
      break;
  }
};
