// Costly proofs, receipts, disclosures and pages of proofs, for those who verify them; and what an operator orders.
import { readFileSync } from 'node:fs';
import { type Bodies, filled, repeated, type Unit } from './text.ts';

const vector = (name: string) => readFileSync(new URL(`../../tests/vectors/log/${name}`, import.meta.url));
const text = (name: string) => vector(name).toString();
const HASH = `${'A'.repeat(43)}=`;
const policy = text('trusted.policy');
const event = vector('keyed.json');
const proof = text('keyed.tlog-proof');
const [checkpoint = ''] = proof.split('\n\n').slice(1, 2);
const disclosure = JSON.parse(text('keyed.disclosure.json'));
const receipt = Buffer.from(JSON.parse(text('receipt.json')).receipts[0].receipt, 'hex');
const rest = (of: object) => JSON.stringify(of).slice(1);
/** A disclosure whose fields are these. */
const shown = (length: number, unit: Unit) => {
  const { fields: _, type: __, ...others } = disclosure;
  return filled(length, `{"type":"${disclosure.type}","fields":[`, unit, `],${rest(others)}`);
};
const field = (n: number, path: string, value = '1') => `{"pointer":"/n${n}","value":${value},"index":${n},"salt":"${'0'.repeat(64)}","path":[${path}]}`;
const page = (length: number, unit: Unit, more = '') =>
  filled(length, `{"type":"epcis-edge/proofs/v1","checkpoint":${JSON.stringify(proof.slice(proof.indexOf('\n\n') + 2))},${more}"proofs":[`, unit, ']}');

/** A function of verifier.ts. */
export type Call = 'verifyProof' | 'verifyProofs' | 'verifyDisclosure' | 'verifyAll';

/** By name a function of verifier.ts, and its arguments for a length. */
export const verified: Readonly<Record<string, readonly [call: Call, args: (length: number) => unknown[]]>> = {
  'a proof of hashes without end': ['verifyProof', (length) => [event, proof.replace('\n\n', `\n${repeated(length, '', `${HASH}\n`, '')}\n`), policy]],
  'a proof with a long statement': ['verifyProof', (length) => [event, proof.replace(/extra .*/, `extra ${'B'.repeat(length)}`), policy]],
  'a proof with signatures without end': ['verifyProof', (length) => [event, proof + repeated(length, '', `${proof.trim().split('\n').at(-1)}\n`, ''), policy]],
  'a policy of keys without end': ['verifyProof', (length) => [event, proof, policy + repeated(length, '', policy.split('\n')[1]!.replace('W1', 'W2'), '\n')]],
  'a policy of groups without end': [
    'verifyProof',
    (length) => [event, proof, policy + filled(length, '', (n) => `group g${n} all W1`, '\nquorum W1\n', '\n')],
  ],
  'an event of members without end': [
    'verifyProof',
    (length) => [Buffer.from(filled(length, '{"type":"ObjectEvent",', (n) => `"ex:n${n}":${n}`, '}')), proof, policy],
  ],
  'an event of one long list': [
    'verifyProof',
    (length) => [Buffer.from(filled(length, '{"type":"ObjectEvent","epcList":[', (n) => `"urn:x:${n}"`, ']}')), proof, policy],
  ],
  'an event of deep lists': [
    'verifyProof',
    (length) => [Buffer.from(filled(length, '{"type":"ObjectEvent","a":[', () => '[[[[[[[[[[]]]]]]]]]]', ']}')), proof, policy],
  ],
  'events without end': [
    'verifyProof',
    (length) => [Buffer.from(filled(length, '[', (n) => `{"type":"ObjectEvent","eventID":"urn:x:${n}"}`, ']')), proof, policy],
  ],
  'a receipt of zeros': ['verifyProof', (length) => [event, new Uint8Array(length), policy]],
  'a receipt of nested arrays': ['verifyProof', (length) => [event, new Uint8Array(length).fill(0x81), policy]],
  'a receipt of long arrays': ['verifyProof', (length) => [event, Buffer.concat([Buffer.from('9a7fffffff', 'hex'), Buffer.alloc(length)]), policy]],
  'a receipt of a long string': [
    'verifyProof',
    (length) => [event, Buffer.concat([receipt.subarray(0, 3), Buffer.from('5a7fffffff', 'hex'), Buffer.alloc(length)]), policy],
  ],
  'a receipt with more behind it': ['verifyProof', (length) => [event, Buffer.concat([receipt, Buffer.alloc(length)]), policy]],
  'a disclosure of many fields': ['verifyDisclosure', (length) => [shown(length, (n) => field(n, `"${HASH}"`)), policy]],
  'a disclosure of one field many times': ['verifyDisclosure', (length) => [shown(length, () => JSON.stringify(disclosure.fields[0])), policy]],
  'a disclosure of long paths': ['verifyDisclosure', (length) => [shown(length, (n) => field(n, Array(63).fill(`"${HASH}"`).join(','))), policy]],
  'a disclosure of one path without end': [
    'verifyDisclosure',
    (length) => [
      shown(length / 2, () =>
        field(
          1,
          filled(length / 2, '', () => `"${HASH}"`, ''),
        ),
      ),
      policy,
    ],
  ],
  'a disclosure of deep values': ['verifyDisclosure', (length) => [shown(length, (n) => field(n, '', `${'['.repeat(100)}${']'.repeat(100)}`)), policy]],
  'a disclosure of one long value': ['verifyDisclosure', (length) => [shown(length / 2, (n) => field(n, '', `"${'\\n'.repeat(length / 2)}"`)), policy]],
  'a page of empty proofs': ['verifyProofs', (length) => [page(length, () => '{}'), policy]],
  'a page of wrong proofs': [
    'verifyProofs',
    (length) => [page(length, (n) => `{"event":{"eventID":"urn:x:${n}"},"index":${n},"salt":"${'0'.repeat(64)}","statement":"","path":["${HASH}"]}`), policy],
  ],
  'a page of events without proof': ['verifyProofs', (length) => [page(10, () => '{}', `"unproved":[${filled(length, '', () => '"urn:x:1"', '')}],`), policy]],
  'a page with a long checkpoint': [
    'verifyProofs',
    (length) => [`{"type":"epcis-edge/proofs/v1","checkpoint":"${'\\n'.repeat(length / 2)}","proofs":[]}`, policy],
  ],
};

/** What is sent to `POST /log/order`, which takes 16 KiB. */
const MAX_ORDER = 16 << 10;
export const orders: Bodies = {
  'an order of lines without end': (length) => repeated(length, 'epcis-edge/log-order/v1\n', 'x\n', `\n${checkpoint}`),
  'an order with signatures without end': (length) =>
    repeated(Math.min(length, MAX_ORDER), 'epcis-edge/log-order/v1\nrestart\n\n', `— epcis.example.com/log ${HASH}\n`, ''),
};
