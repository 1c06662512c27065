// A process that verifies, so that its engine is new and its memory that of one call: `call` is a function of `epcis-edge/proof`.
import { initSync } from '../../wasm/dist/proof/epcis_edge.js';
import * as proofs from '../../wasm/js/proof/node.ts';
import type { Problem } from '../../wasm/js/engine/index.ts';
import type { Call } from './proofs.ts';
import type { Result } from './gateway.ts';

type Field = ReturnType<typeof proofs.disclosable>[number];

/** What the fields of an event are chosen by: all of them, each by its pointer. */
const each = (fields: readonly Field[]) => fields.filter(({ canBeShown }) => canBeShown).map(({ pointer }) => pointer);

/** The processor time of the longest call of the engine, in milliseconds. */
let longest = 0;
const timed =
  <Args extends unknown[], Given>(call: (...args: Args) => Given) =>
  (...args: Args): Given => {
    const before = process.cpuUsage();
    try {
      return call(...args);
    } finally {
      const { user, system } = process.cpuUsage(before);
      longest = Math.max(longest, (user + system) / 1000);
    }
  };
const verifyProof = timed(proofs.verifyProof);
const verifyProofs = timed(proofs.verifyProofs);
const disclosable = timed(proofs.disclosable);
const disclose = timed(proofs.disclose);
const verifyDisclosure = timed(proofs.verifyDisclosure);

/** What a call gives, as far as it is told. */
interface Told {
  readonly valid?: boolean;
  readonly type?: string;
}

const CALLS: Readonly<Record<Call, (...args: any[]) => Told>> = {
  verifyProof,
  verifyProofs,
  verifyDisclosure,
  /** What a holder and a reader do with the proof of an event, one after the other. */
  verifyAll(event: Uint8Array, proof: string, policy: string) {
    const disclosure = disclose(event, proof, each(disclosable(event, proof)));
    return [verifyProof(event, proof, policy), verifyDisclosure(disclosure, policy)].find(({ valid }) => !valid) ?? { valid: true };
  },
};

process.once('message', async (asked) => {
  const { call, args } = asked as { readonly call: Call; readonly args: unknown[] };
  await proofs.init();
  // The module is loaded already; this call only returns its memory.
  const { memory } = initSync();
  let answer: Told | undefined;
  try {
    answer = CALLS[call](...args);
  } catch (error) {
    // A refusal has a problem document; anything else is a fault.
    answer = (error as { readonly problem?: Problem }).problem;
    if (answer === undefined) console.error(error);
  }
  const result: Result = {
    status: answer === undefined ? 500 : 200,
    type: answer?.type ?? (answer?.valid === undefined ? undefined : `valid: ${answer.valid}`),
    milliseconds: longest,
    memory: memory.buffer.byteLength,
    answered: JSON.stringify(answer ?? '').length,
  };
  process.send?.(result);
  process.disconnect();
});
