// The crates that are compiled into the product's WebAssembly, for the dependency policy and the bill of materials.
import { execFileSync } from 'node:child_process';

/** The packages of the product. */
export const PRODUCT = ['epcis-edge-worker', 'epcis-edge-wasm'];

/**
 * The crates of the product, without those that only build it, such as procedural macros.
 *
 * @returns a list of `{ name, version, licence, isOurs, needs }`, sorted by name and version: `licence` is an SPDX expression, empty if
 *   the crate has none; `isOurs` is true for crates of this workspace; `needs` is the set of `name@version` that the crate depends on
 */
export function productCrates() {
  const tree = execFileSync(
    'cargo',
    [
      'tree',
      '--locked',
      '--target=wasm32-unknown-unknown',
      '--edges=normal,no-proc-macro',
      '--prefix=depth',
      '--format=\t{p}\t{l}',
      '--no-dedupe',
      ...PRODUCT.map((name) => `--package=${name}`),
    ],
    { encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  const crates = new Map();
  /** The crates from the root to the current line. */
  const path = [];
  for (const line of tree.split('\n').filter(Boolean)) {
    // Such as `2⇥ahash v0.8.12⇥MIT OR Apache-2.0`; behind the version there may be a folder.
    const [depth, described, licence] = line.split('\t');
    const [, name, version, folder] = /^(\S+) v(\S+)(?: \((\/.*)\))?/.exec(described);
    const id = `${name}@${version}`;
    if (!crates.has(id)) crates.set(id, { name, version, licence: licence.replaceAll('/', ' OR '), isOurs: folder !== undefined, needs: new Set() });
    path.length = Number(depth);
    path.at(-1)?.needs.add(id);
    path.push(crates.get(id));
  }
  return [...crates].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, crate]) => crate);
}
