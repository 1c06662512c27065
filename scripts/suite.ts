// Runs a suite of JavaScript tests: the files of a ring, with their times (reporter.ts).
//
//     suite.ts SUITE            the files that `make test` runs
//     suite.ts SUITE rest       the files that only `make test-all` runs
//     suite.ts SUITE again      the files that `make test-all` runs once more, because a release may fail where other builds do not
//     suite.ts                  what `make test` does not run, in a line
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { matchesGlob, resolve } from 'node:path';
import { oneOf, refuse } from './given.ts';
import { skippedTests } from './times.ts';

interface Suite {
  readonly files: string;
  readonly rest: Readonly<Record<string, readonly string[]>>;
  readonly again: readonly string[];
}

/** By suite: its files; those of `make test-all` alone, with what they need; those that also judge the files of a release. */
const SUITES: Record<string, Suite> = {
  worker: {
    files: 'worker/tests/*.test.js',
    rest: {
      'objects, and their faults': ['*-objects.test.js', 'account.test.js'],
      kills: ['*-kill.test.js'],
      'other programs with the log': ['log-peers.test.js'],
      'the log over D1': ['log.test.js'],
      'documents in R2': ['documents.test.js'],
      'commands of an operator': ['deploy.test.js', 'keys.test.js'],
      'faults and bounds of the release': ['engine.test.js', 'hostile.test.js', 'store-concurrency.test.js', 'store-following.test.js'],
    },
    again: ['page.test.js'],
  },
  server: {
    files: 'server/tests/*.test.js',
    rest: {
      'faults and kills of the server': ['faults.test.js', '*kill.test.js'],
      PostgreSQL: ['*-postgres.test.js', 'postgres-*.test.js'],
      Citus: ['*-citus.test.js', 'citus-*.test.js'],
      'the log of the server': ['log.test.js'],
      'much at once in the server': ['store-concurrency.test.js', 'store-following.test.js'],
    },
    again: [],
  },
  package: {
    files: 'wasm/tests/*.test.js',
    rest: {
      'what is in the files of the release': ['imports.test.js', 'stream.test.js', 'cli-long.test.js'],
      'other programs with the package': ['lsp-neovim.test.js', 'xlsx.test.js'],
    },
    again: ['cli-vectors.test.js', 'workerd.test.js'],
  },
  extension: { files: 'editors/vscode/tests/*.test.js', rest: {}, again: [] },
  page: {
    files: 'www/tests/*.test.js',
    rest: {
      'sizes of the page': ['documents.test.js'],
      'every tab by axe, and documents of 10 MB': ['axe.test.js', 'large.test.js'],
      'tools of the page': ['build*.test.js', 'map.test.js', 'readings.test.js', 'reports.test.js', 'taken.test.js', 'tools.test.js', 'window.test.js'],
      'pages of items': ['items*.test.js'],
      'Firefox and WebKit': ['browsers.test.js', 'component-browsers.test.js'],
      'bounds of the component': ['component-bounds.test.js'],
      pictures: ['screenshots.test.js'],
    },
    again: ['page.test.js', 'served.test.js'],
  },
  packaging: { files: 'wasm/packaging/*.test.js', rest: { 'the packed package': ['*.test.js'] }, again: [] },
  release: { files: 'tests/release/*.test.js', rest: { 'what a release ships': ['*.test.js'] }, again: [] },
  clients: { files: 'tests/clients/*.test.js', rest: { 'official and other clients': ['*.test.js'] }, again: [] },
  contexts: { files: 'tests/contexts/*.test.js', rest: { 'stored events as JSON-LD readers see them': ['*.test.js'] }, again: [] },
};

const named = (patterns: readonly string[], file: string): boolean => patterns.some((pattern) => matchesGlob(file, `**/${pattern}`));

/** The files of a suite in a ring. */
function filesOf({ files, rest, again }: Suite, ring: string): string[] {
  const patterns = ring === 'again' ? again : Object.values(rest).flat();
  const found = globSync(files).sort();
  for (const pattern of [...Object.values(rest).flat(), ...again])
    if (!found.some((file) => named([pattern], file))) refuse(`no file of ${files} is called ${pattern}`, 'correct SUITES in scripts/suite.ts');
  return found.filter((file) => named(patterns, file) === (ring !== 'test'));
}

const [name, ring = 'test', ...others] = process.argv.slice(2);
if (name === undefined) {
  const left = Object.values(SUITES).flatMap((suite) => {
    const files = filesOf(suite, 'rest');
    return Object.entries(suite.rest).map(([what, patterns]) => `${what} (${files.filter((file) => named(patterns, file)).length})`);
  });
  const skipped = skippedTests().map(({ count, reason }) => `\n    skipped here, ${count}: ${reason}`);
  console.log(
    `not run, make test-all does, files in brackets: ${left.join(', ')}; lints, bounds, referees, thousands of mutants, doc tests, sizes${skipped.join('')}`,
  );
} else {
  const suite = SUITES[name] ?? refuse(`the suite is ${name}`, `choose one of ${Object.keys(SUITES).join(', ')}`);
  oneOf(['test', 'rest', 'again'], 'the ring', ring);
  if (others.length > 0) refuse(`found ${others.join(' ')}`, 'name a suite, then nothing, rest or again');
  const files = filesOf(suite, ring);
  if (files.length === 0) refuse(`the suite ${name} has no files for ${ring}`, 'correct SUITES in scripts/suite.ts');
  // Two files at a time: a suite waits for its browser, its Worker or its programs half of the time.
  const { status } = spawnSync(process.execPath, ['--test', '--test-concurrency=2', '--test-reporter=./scripts/reporter.ts', ...files], {
    stdio: 'inherit',
    // Programs in TypeScript that tests start, hundreds of times, are compiled once: a command takes 0.10 s of processor, for 0.25.
    env: { ...process.env, NODE_COMPILE_CACHE: resolve('target/node-cache') },
  });
  process.exit(status ?? 1);
}
