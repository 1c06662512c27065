// The crates that are compiled into the product's WebAssembly, for the dependency policy and the bill of materials.
import { execFileSync } from 'node:child_process';

/** The packages of the product. */
export const PRODUCT = ['epcis-edge-worker', 'epcis-edge-wasm'];

/** The files of the product, by the feature that they are built with; without one, the Worker alone. */
const BUILDS = ['', 'pictures', 'streams', 'checks', 'following', 'reports', 'spreadsheets', 'proofs', 'agent'];

const unlike = (line: string): never => {
  throw new Error(`cargo tree has another form: ${line}`);
};

/** The lines of `cargo tree` for crates of WebAssembly. */
const tree = (edges: string, format: string, args: readonly string[]): string[] =>
  execFileSync('cargo', ['tree', '--locked', '--target=wasm32-unknown-unknown', `--edges=${edges}`, `--format=${format}`, '--no-dedupe', ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
    .split('\n')
    .filter(Boolean);

/**
 * Pairs of a build, as scripts/cargo-wasm.sh makes it, and what is compiled for the core in it, procedural macros among it: a map from
 * `name v1.2.3` to the lists of features.
 */
export function featuresUnderCore(): [build: string, features: Map<string, string>][] {
  const under = new Set(tree('normal,build', '{p}', ['--prefix=none', '--package=epcis-edge-core']).map((line) => line.split(' (')[0]));
  return BUILDS.map((feature) => {
    const asked = feature === '' ? [] : ['--package=epcis-edge-wasm', '--no-default-features', `--features=epcis-edge-wasm/${feature}`];
    const features = new Map<string, Set<string>>();
    for (const line of tree('normal,build', '{p}\t{f}', ['--prefix=none', '--package=epcis-edge-worker', ...asked])) {
      const [, crate = '', list = ''] = /^(.*?)(?: \(.*)?\t(.*?)(?: \(\*\))?$/.exec(line) ?? unlike(line);
      if (under.has(crate)) features.set(crate, (features.get(crate) ?? new Set<string>()).add(list));
    }
    return [feature || 'the Worker', new Map([...features].map(([crate, lists]) => [crate, [...lists].sort().join(' and ')]))];
  });
}

export interface Crate {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression, empty if the crate has none. */
  readonly licence: string;
  /** Whether it is of this workspace. */
  readonly isOurs: boolean;
  /** The crates that it depends on, as `name@version`. */
  readonly needs: Set<string>;
}

/** The crates of the product, sorted by name and version, without those that only build it, such as procedural macros. */
export function productCrates(): Crate[] {
  const crates = new Map<string, Crate>();
  /** The crates from the root to the current line. */
  const path: Crate[] = [];
  for (const line of tree('normal,no-proc-macro', '\t{p}\t{l}', ['--prefix=depth', ...PRODUCT.map((name) => `--package=${name}`)])) {
    // Such as `2⇥ahash v0.8.12⇥MIT OR Apache-2.0`; behind the version there may be a folder.
    const [, depth, name = '', version = '', folder, licence = ''] = /^(\d+)\t(\S+) v(\S+)(?: \((\/.*)\))?[^\t]*\t(.*)$/.exec(line) ?? unlike(line);
    const id = `${name}@${version}`;
    const crate = crates.get(id) ?? { name, version, licence: licence.replaceAll('/', ' OR '), isOurs: folder !== undefined, needs: new Set() };
    crates.set(id, crate);
    path.length = Number(depth);
    path.at(-1)?.needs.add(id);
    path.push(crate);
  }
  return [...crates].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, crate]) => crate);
}
