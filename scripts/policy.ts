// The dependency policy: the licences allowed in the product, only one version of each crate in it, one compile of the core for all of its
// files, and lock files that are true.
// `cargo-deny` gives the same verdict, but would build 141 more crates in every run, and counts procedural macros among repeated crates.
// Known vulnerabilities are looked up if the advisory data is reachable; the output says whether they were.
import { execFileSync, spawnSync } from 'node:child_process';
import { featuresUnderCore, productCrates } from './crates.ts';

const LICENCES = new Set([
  '0BSD',
  'Apache-2.0',
  'Apache-2.0 WITH LLVM-exception',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BSL-1.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unicode-3.0',
  'Unlicense',
  'Zlib',
]);
// Crates allowed twice in the product, with the reason.
const TWICE = new Map([['matchit', '`worker` has 0.7 for a router that is not used here, and that the linker leaves out']]);

const failures: string[] = [];

/** Whether the licences above satisfy an SPDX expression. */
function isAllowed(expression: string): boolean {
  const tokens = expression.match(/\(|\)|[^\s()]+/g) ?? [];
  let at = 0;
  const licence = (): boolean => {
    if (tokens[at] === '(') {
      at += 1;
      const inner = alternatives();
      at += 1;
      return inner;
    }
    let name = tokens[at++] ?? '';
    if (tokens[at] === 'WITH') {
      name += ` WITH ${tokens[at + 1]}`;
      at += 2;
    }
    return LICENCES.has(name);
  };
  const conjunction = () => {
    let all = licence();
    while (tokens[at] === 'AND') {
      at += 1;
      all = licence() && all;
    }
    return all;
  };
  const alternatives = () => {
    let any = conjunction();
    while (tokens[at] === 'OR') {
      at += 1;
      any = conjunction() || any;
    }
    return any;
  };
  return tokens.length > 0 && alternatives();
}

const crates = productCrates();
const versions = new Map<string, Set<string>>();
for (const { name, version, licence } of crates) {
  versions.set(name, (versions.get(name) ?? new Set<string>()).add(version));
  if (!isAllowed(licence)) failures.push(`${name} ${version} has the licence "${licence}", which is not on the list`);
}
for (const [name, found] of versions) {
  if (found.size > 1 && !TWICE.has(name)) failures.push(`${name} is in the product in versions ${[...found].join(' and ')}`);
}
console.log(`${versions.size} crates in the product: licences and duplicates checked`);

const audit = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8', timeout: 60_000 });
let report: { readonly metadata?: { readonly vulnerabilities?: { readonly high: number; readonly critical: number } } } | undefined;
try {
  report = JSON.parse(audit.stdout);
} catch {
  report = undefined;
}
if (report?.metadata?.vulnerabilities) {
  const { high, critical } = report.metadata.vulnerabilities;
  if (high + critical > 0) failures.push(`npm audit: ${high} high and ${critical} critical advisories`);
  console.log('advisories of npm packages: checked');
} else {
  console.log('advisories of npm packages: NOT checked, the advisory data cannot be reached from here');
}
const deny = spawnSync('cargo', ['deny', '--version'], { encoding: 'utf8' });
if (deny.status === 0) {
  const advisories = spawnSync('cargo', ['deny', 'check', 'advisories'], { encoding: 'utf8', timeout: 120_000 });
  if (advisories.status === 0) console.log('advisories of crates: checked');
  else if (/fetch|clone|network/i.test(advisories.stderr)) console.log('advisories of crates: NOT checked, the advisory data cannot be reached from here');
  else failures.push(`cargo deny: ${advisories.stderr}`);
} else {
  console.log("advisories of crates: NOT checked, cargo-deny is not installed ('cargo install cargo-deny' adds it)");
}

// A crate under the core that has other features in another build is compiled again, and the core after it.
const [[first, usual] = ['', new Map<string, string>()], ...builds] = featuresUnderCore();
for (const [build, features] of builds) {
  for (const [crate, found] of features) {
    if (found !== usual.get(crate)) failures.push(`${crate} has the features ${found} in the build of ${build}, ${usual.get(crate)} in that of ${first}`);
  }
}

// Programs outside of the workspace have lock files of their own, which no build of `make test` reads.
for (const lock of execFileSync('git', ['ls-files', '*Cargo.lock'], { encoding: 'utf8' }).trim().split('\n')) {
  const manifest = lock.replace(/lock$/, 'toml');
  const { status } = spawnSync('cargo', ['metadata', '--locked', '--format-version', '1', '--manifest-path', manifest], { stdio: 'ignore' });
  if (status !== 0) failures.push(`${lock} is not what ${manifest} asks for: run cargo metadata --manifest-path ${manifest}, and commit it`);
}

for (const failure of failures) console.error(`policy: ${failure}`);
process.exit(failures.length ? 1 : 0);
