// The unit tests of the crates with files that changed since their tests were green here: what `make check` runs. What a change breaks in
// the tests of other crates is found by `make test`, which runs all of them.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const stamps = new URL('../target/stamps/units/', import.meta.url).pathname;
const begun = new Date();
const metadata = spawnSync('cargo', ['metadata', '--no-deps', '--format-version=1', '--locked'], {
  encoding: 'utf8',
  maxBuffer: 1 << 28,
  stdio: ['ignore', 'pipe', 'inherit'],
});
if (metadata.status !== 0) process.exit(1);

/** When something in a folder changed last, its names included. */
const changed = (folder: string): number =>
  Math.max(...[folder, ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))].map((path) => statSync(path).mtimeMs));
const green = (name: string): number => statSync(join(stamps, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;

interface Metadata {
  readonly packages: readonly {
    readonly name: string;
    readonly targets: readonly { readonly kind: readonly string[]; readonly test: boolean; readonly src_path: string }[];
  }[];
}

// The libraries with unit tests.
const { packages }: Metadata = JSON.parse(metadata.stdout);
const crates = packages
  .filter(({ targets }) => targets.some(({ kind, test }) => kind.includes('lib') && test))
  .map(({ name, targets }) => ({ name, source: targets.find(({ kind }) => kind.includes('lib'))?.src_path.replace(/\/[^/]*$/, '') ?? '' }))
  .filter(({ name, source }) => changed(source) > green(name));
if (crates.length === 0) process.exit(0);
const tested = spawnSync('cargo', ['test', '--profile', 'edit', '--quiet', '--lib', '--locked', ...crates.flatMap(({ name }) => ['--package', name])], {
  stdio: 'inherit',
});
if (tested.status !== 0) process.exit(1);
mkdirSync(stamps, { recursive: true });
for (const { name } of crates) {
  writeFileSync(join(stamps, name), '');
  // A file that was edited during the tests is newer than its stamp.
  utimesSync(join(stamps, name), begun, begun);
}
