// The Worker as deployed, except that its engine has only 4 MiB more memory than it starts with.
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { start } from './gateway.js';

const built = fileURLToPath(new URL('../build', import.meta.url));
const PAGE = 65_536;

/** Reads an unsigned LEB128 number. Returns it and its end. */
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

/** The module with another memory: `describe` maps the old minimum and maximum to new ones. */
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

/** Starts a gateway with little memory. `dispose()` ends it. */
export async function startSmall(settings) {
  const module = readFileSync(join(built, 'index_bg.wasm'));
  const small = withMemory(module, ({ minimum, maximum }) => {
    assert.ok(maximum * PAGE <= 96e6, 'an isolate has 128 MB for everything');
    return { minimum, maximum: minimum + 64 };
  });
  const folder = mkdtempSync(join(tmpdir(), 'epcis-engine-test-'));
  writeFileSync(join(folder, 'index_bg.wasm'), small);
  copyFileSync(join(built, 'index.js'), join(folder, 'index.js'));
  const gateway = await start(settings, { build: folder });
  const dispose = async () => {
    await gateway.dispose();
    rmSync(folder, { recursive: true });
  };
  return { ...gateway, dispose };
}
