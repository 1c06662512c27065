// A process that verifies, so that its engine is new and its memory that of one call: `call` is a function of `epcis-edge/proof`.
import { initSync } from '../../wasm/dist/proof/epcis_edge.js';
import * as proofs from '../../wasm/js/proof/node.ts';

/** What the fields of an event are chosen by: all of them, each by its pointer. */
const each = (fields) => fields.filter(({ canBeShown }) => canBeShown).map(({ pointer }) => pointer);

/** The processor time of the longest call of the engine, in milliseconds. */
let longest = 0;
const timed =
  (call) =>
  (...args) => {
    const before = process.cpuUsage();
    try {
      return call(...args);
    } finally {
      const { user, system } = process.cpuUsage(before);
      longest = Math.max(longest, (user + system) / 1000);
    }
  };
const [verifyProof, verifyProofs, disclosable, disclose, verifyDisclosure] = [
  proofs.verifyProof,
  proofs.verifyProofs,
  proofs.disclosable,
  proofs.disclose,
  proofs.verifyDisclosure,
].map(timed);

const CALLS = {
  verifyProof,
  verifyProofs,
  verifyDisclosure,
  /** What a holder and a reader do with the proof of an event, one after the other. */
  verifyAll(event, proof, policy) {
    const disclosure = disclose(event, proof, each(disclosable(event, proof)));
    return [verifyProof(event, proof, policy), verifyDisclosure(disclosure, policy)].find(({ valid }) => !valid) ?? { valid: true };
  },
};

process.once('message', async ({ call, args }) => {
  await proofs.init();
  // The module is loaded already; this call only returns its memory.
  const { memory } = initSync();
  let answer;
  try {
    answer = CALLS[call](...args);
  } catch (error) {
    // A refusal has a problem document; anything else is a fault.
    answer = error.problem;
    if (answer === undefined) console.error(error);
  }
  process.send({
    status: answer === undefined ? 500 : 200,
    type: answer?.type ?? (answer?.valid === undefined ? undefined : `valid: ${answer.valid}`),
    milliseconds: longest,
    memory: memory.buffer.byteLength,
    answered: JSON.stringify(answer ?? '').length,
  });
  process.disconnect();
});
