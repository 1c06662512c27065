// The code size of the page's WebAssembly by crate and module, in bytes before compression.
//
//     node bench/composition.ts [levels of modules, default 2]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countOf } from '../scripts/given.ts';
import { number } from './measure.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const levels = countOf(process.argv[2] ?? '2', 'the number of levels');
const SECTIONS = { import: 2, code: 10, data: 11, custom: 0 };
const FUNCTION_NAMES = 1;
/** The kinds of imports that are expected: functions only. */
const IMPORTED = { function: 0 };

/** The page's file as shipped, but with function names. */
function named() {
  const folder = mkdtempSync(join(tmpdir(), 'epcis-composition-'));
  const run = (command: string, ...args: string[]) => execFileSync(command, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  run(
    'cargo',
    'build',
    '--quiet',
    '--profile',
    'release',
    '--locked',
    '-p',
    'epcis-edge-wasm',
    '--no-default-features',
    '--features',
    'pictures',
    '--target',
    'wasm32-unknown-unknown',
  );
  run('.tools/bindgen', 'target/wasm32-unknown-unknown/release/epcis_edge_wasm.wasm', folder, 'epcis_edge', 'names');
  const file = join(folder, 'named.wasm');
  run('node_modules/.bin/wasm-opt', '-O3', '-g', join(folder, 'epcis_edge_bg.wasm'), '-o', file);
  const bytes = readFileSync(file);
  rmSync(folder, { recursive: true });
  return bytes;
}

/** Reads integers and names of the binary format (WebAssembly Core Specification, section 5.2). */
class Reader {
  readonly bytes: Buffer;
  at = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
  byte(): number {
    return this.bytes[this.at++] ?? 0;
  }
  integer(): number {
    for (let value = 0, scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }
  name(): string {
    const length = this.integer();
    this.at += length;
    return this.bytes.toString('utf8', this.at - length, this.at);
  }
}

/** `{sizes, names, imported, data}`: function sizes in bytes; names by function index; the number of imports; bytes of data. */
function read(bytes: Buffer) {
  const found = { sizes: [] as number[], names: new Map<number, string>(), imported: 0, data: 0 };
  const reader = new Reader(bytes);
  reader.at = 8;
  while (reader.at < bytes.length) {
    const section = reader.byte();
    const length = reader.integer();
    const end = reader.at + length;
    if (section === SECTIONS.import) {
      for (let left = reader.integer(); left > 0; left -= 1) {
        reader.name();
        const imported = reader.name();
        if (reader.byte() !== IMPORTED.function) throw new Error(`only functions are imported, not ${imported}`);
        reader.integer();
        found.imported += 1;
      }
    } else if (section === SECTIONS.code) {
      for (let left = reader.integer(); left > 0; left -= 1) {
        const size = reader.integer();
        found.sizes.push(size);
        reader.at += size;
      }
    } else if (section === SECTIONS.data) {
      found.data = length;
    } else if (section === SECTIONS.custom && reader.name() === 'name') {
      while (reader.at < end) {
        const kind = reader.byte();
        const behind = reader.integer() + reader.at;
        for (let left = kind === FUNCTION_NAMES ? reader.integer() : 0; left > 0; left -= 1) found.names.set(reader.integer(), reader.name());
        reader.at = behind;
      }
    }
    reader.at = end;
  }
  return found;
}

/** For example `epcis_edge_document::hash` for `<epcis_edge_document::hash::tree::HashTree as core::fmt::Debug>::fmt::h0123`. */
function moduleOf(name: string) {
  const path = name.replace(/\[[0-9a-f]{16}\]/g, '').replace(/^[<&( ]+(mut |dyn )?/, '');
  const parts = path
    .split(/[<>, ]/)[0]!
    .split('::')
    .filter(Boolean);
  return parts.length < 2 ? 'exported to JavaScript' : parts.slice(0, levels).join('::');
}

const { sizes, names, imported, data } = read(named());
const modules = new Map();
for (const [index, size] of sizes.entries()) {
  const module = moduleOf(names.get(index + imported) ?? '');
  modules.set(module, (modules.get(module) ?? 0) + size);
}
const code = sizes.reduce((sum, size) => sum + size, 0);
console.log(
  `## What the page's WebAssembly is made of\n\n${number(code / 1000, 0)} kB of code in ${sizes.length} functions, ${number(data / 1000, 0)} kB of data.\n`,
);
console.log('| module | kB | of the code |\n|---|---|---|');
const shown = [...modules].sort(([, one], [, other]) => other - one).slice(0, 30);
for (const [module, size] of shown) console.log(`| ${module} | ${number(size / 1000)} | ${number((100 * size) / code)} % |`);
const rest = code - shown.reduce((sum, [, size]) => sum + size, 0);
console.log(`| all others | ${number(rest / 1000)} | ${number((100 * rest) / code)} % |`);
