// An engine that breaks: with less memory than it needs, everything else as it is deployed.
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { send, start, vectorFile } from './gateway.js';

const built = fileURLToPath(new URL('../build', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'epcis-engine-test-'));
const PAGE = 65_536;

/** An unsigned number in LEB128, and how many bytes it has. */
function read(bytes, at) {
  let [value, shift, end] = [0, 0, at];
  do {
    value += (bytes[end] & 127) * 2 ** shift;
    shift += 7;
    end += 1;
  } while (bytes[end - 1] > 127);
  return { value, end };
}

function written(value) {
  const bytes = [];
  do {
    bytes.push((value % 128) + (value > 127 ? 128 : 0));
    value = Math.floor(value / 128);
  } while (value > 0);
  return Buffer.from(bytes);
}

/** The module, its memory described as `describe` says of what it is. */
function withMemory(module, describe) {
  for (let at = 8; at < module.length; ) {
    const { value: length, end: start } = read(module, at + 1);
    if (module[at] === 5) {
      const least = read(module, start + 2);
      const [flags, most] = [module[start + 1], read(module, least.end)];
      assert.equal(flags, 1, 'the memory of the Worker has an end');
      const { minimum, maximum } = describe({ minimum: least.value, maximum: most.value });
      const section = Buffer.concat([Buffer.from([1, 1]), written(minimum), written(maximum)]);
      return Buffer.concat([module.subarray(0, at + 1), written(section.length), section, module.subarray(start + length)]);
    }
    at = start + length;
  }
  return assert.fail('no memory in the module');
}

let gateway;
before(async () => {
  const module = readFileSync(join(built, 'index_bg.wasm'));
  const small = withMemory(module, ({ minimum, maximum }) => {
    assert.ok(maximum * PAGE <= 96e6, 'an isolate has 128 MB for everything');
    return { minimum, maximum: minimum + 64 };
  });
  writeFileSync(join(folder, 'index_bg.wasm'), small);
  copyFileSync(join(built, 'index.js'), join(folder, 'index.js'));
  gateway = await start({ BASE_URL: 'http://127.0.0.1' }, { build: folder });
});
after(async () => {
  await gateway?.dispose();
  rmSync(folder, { recursive: true });
});

const headers = { 'content-type': 'application/json' };
const validate = (body, query = '') => send(gateway.address, { method: 'POST', path: `/validate${query}`, headers }, body);
const good = vectorFile('validate/valid-all-event-types/input.json');

/** A list that the second engine keeps some hundred times over, which is more than there is. */
const breaking = () => validate(Buffer.from(`[${'1,'.repeat(30_000)}1]`), '?engine=jsonschema');

test('a body for which there is no memory is refused, may come again, and the engine goes on', async () => {
  const large = Buffer.from(`[${'1,'.repeat(4_000_000)}1]`);
  for (let round = 0; round < 3; round += 1) {
    const refused = await validate(large);
    const problem = JSON.parse(refused.body);
    assert.equal(refused.status, 503, problem.detail);
    assert.equal(refused.headers['content-type'], 'application/problem+json');
    assert.equal(refused.headers['retry-after'], '1');
    assert.equal(problem.type, 'epcisException:ImplementationException');
    const served = await validate(good);
    assert.equal(served.status, 200);
  }
});

test('memory that is not to be had is a typed answer, and the next request is served', async () => {
  for (let round = 0; round < 3; round += 1) {
    const broken = await breaking();
    assert.equal(broken.status, 500);
    assert.equal(broken.headers['content-type'], 'application/problem+json');
    const problem = JSON.parse(broken.body);
    assert.equal(problem.type, 'epcisException:ImplementationException');
    assert.equal(problem.status, 500);
    const served = await validate(good);
    assert.equal(served.status, 200);
    assert.equal(JSON.parse(served.body).valid, true);
  }
});

test('whoever is served by the same engine is answered, too', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => (index === 10 ? breaking() : validate(good))));
  assert.equal(answers[10].status, 500);
  for (const { status, body } of answers) {
    assert.ok(status === 200 || status === 500);
    assert.match(JSON.parse(body).type, /^(OK|epcisException:ImplementationException)$/);
  }
});
