// The package bundled for workerd, as in a user's Worker, in real workerd.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { inWorkerd } from './in-workerd.js';

const source = `
import { hash, validate } from 'epcis-edge';
import { report, toHtml } from 'epcis-edge/report';
import { toXlsx } from 'epcis-edge/xlsx';
export default {
  async fetch(request) {
    const body = new Uint8Array(await request.arrayBuffer());
    if (new URL(request.url).pathname === '/report') {
      const made = report(body, 'fsma204');
      return Response.json({ type: made.type, html: toHtml(made).slice(0, 15), xlsx: [...toXlsx(made).subarray(0, 2)] });
    }
    return Response.json({ verdict: validate(body), hashes: hash(body, { undeclared: 'keep' }) });
  },
};`;

let own;
before(async () => {
  own = await inWorkerd(source);
});
after(() => own?.dispose());

test('the vectors get the same answers in workerd', async () => {
  const vectors = new URL('../../tests/vectors/hash/', import.meta.url);
  for (const name of readdirSync(vectors)) {
    const response = await own.worker.dispatchFetch('http://worker.example/', { method: 'POST', body: readFileSync(new URL(`${name}/input.json`, vectors)) });
    const { hashes } = await response.json();
    const expected = JSON.parse(readFileSync(new URL(`${name}/expected.json`, vectors), 'utf8'));
    assert.deepEqual(
      hashes,
      expected['CBV2.0'].map((event) => event.hash),
      name,
    );
  }
  const body = readFileSync(new URL('../../tests/vectors/validate/valid-bare-event/input.json', import.meta.url));
  const { verdict } = await (await own.worker.dispatchFetch('http://worker.example/', { method: 'POST', body })).json();
  assert.equal(verdict.valid, true);
});

test('a report is made and written in workerd', async () => {
  const body = readFileSync(new URL('../../www/examples/fsma204-lettuce.json', import.meta.url));
  const response = await own.worker.dispatchFetch('http://worker.example/report', { method: 'POST', body });
  assert.deepEqual(await response.json(), { type: 'OK', html: '<!doctype html>', xlsx: [0x50, 0x4b] });
});
