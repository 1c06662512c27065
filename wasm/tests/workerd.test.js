// The package bundled for workerd, as in a user's Worker, in real workerd.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { inWorkerd } from './in-workerd.js';

const source = `
import { hash, validate } from 'epcis-edge';
export default {
  async fetch(request) {
    const body = new Uint8Array(await request.arrayBuffer());
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
