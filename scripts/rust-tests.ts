// Runs the Rust tests: builds the programs, runs them one after the other, and prints a line for each suite with its time. A failed
// test is printed in full, with the command that runs it alone. Arguments before `--` are cargo's, those after it the programs': a
// filter that no test passed is red, and so is a skipped name that no test has.
//
//     rust-tests.ts --profile once --workspace -- --skip postgres
import { spawn, spawnSync } from 'node:child_process';
import { basename, dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { keepSkipped, keepTime } from './times.ts';

const given = process.argv.slice(2);
const at = given.indexOf('--');
const [forCargo, forPrograms] = at < 0 ? [given, []] : [given.slice(0, at), given.slice(at + 1)];

const built = spawnSync('cargo', ['test', '--no-run', '--message-format=json-render-diagnostics', ...forCargo], {
  encoding: 'utf8',
  maxBuffer: 1 << 30,
  stdio: ['ignore', 'pipe', 'inherit'],
});
if (built.status !== 0) process.exit(built.status ?? 1);
const programs: Program[] = built.stdout
  .split('\n')
  .filter((line) => line.startsWith('{'))
  .map((line) => JSON.parse(line))
  .filter(({ reason, executable, profile }) => reason === 'compiler-artifact' && executable && profile.test)
  .map(({ executable, manifest_path, target }) => ({ executable, folder: dirname(manifest_path), target }));

interface Program {
  readonly executable: string;
  readonly folder: string;
  readonly target: { readonly name: string; readonly kind: readonly string[] };
}

/** The suite of a test: the module in a program of many, otherwise the whole program. */
function suiteOf({ folder, target }: Program, test: string): string {
  const name = basename(folder);
  if (target.kind[0] !== 'test') return `${name}, unit tests`;
  return `${name === 'tests' ? 'tests' : `${name}/tests`}/${target.name}/${test.split('::')[0]}.rs`;
}

/** The filters among the arguments of a program, and the names to skip. */
const { values, positionals: filters } = parseArgs({
  args: forPrograms,
  strict: false,
  allowPositionals: true,
  options: { skip: { type: 'string', multiple: true } },
});
const skips = (values.skip ?? []).map(String);
/** The tests that were chosen, and all tests if some are to be skipped. */
const chosen: string[] = [];
const known: string[] = [];

const red: string[] = [];
const ignored = new Map<string, number>();
for (const program of programs) {
  const suites = new Map<string, { passed: number; failed: number; ignored: number; seconds: number }>();
  if (skips.length > 0) known.push(spawnSync(program.executable, ['--list'], { cwd: program.folder, encoding: 'utf8' }).stdout);
  // The format with times is not stable, but the one that every program of this compiler writes.
  const run = spawn(program.executable, ['-Zunstable-options', '--format=json', '--report-time', ...forPrograms], {
    cwd: program.folder,
    env: { ...process.env, RUSTC_BOOTSTRAP: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => run.on('close', (status, signal) => resolve(signal ?? status)));
  for await (const line of createInterface({ input: run.stdout })) {
    if (!line.startsWith('{ "type": "test"')) {
      // What tests print themselves.
      if (!line.startsWith('{ "type"') && line !== '') console.log(line);
      continue;
    }
    const { event, name, exec_time: seconds = 0, stdout, message } = JSON.parse(line);
    if (event === 'started' || event === 'timeout') continue;
    chosen.push(name);
    const suite = suiteOf(program, name);
    const sums = suites.get(suite) ?? { passed: 0, failed: 0, ignored: 0, seconds: 0 };
    suites.set(suite, sums);
    sums.seconds += seconds;
    if (event === 'ok') sums.passed += 1;
    else if (event === 'ignored') {
      sums.ignored += 1;
      const reason = message ?? 'no reason given';
      ignored.set(reason, (ignored.get(reason) ?? 0) + 1);
    } else {
      sums.failed += 1;
      const kind = program.target.kind[0] === 'test' ? `--test ${program.target.name}` : '--lib';
      const command = `cargo test --profile once --manifest-path ${basename(program.folder)}/Cargo.toml ${kind} -- --exact ${name}`;
      red.push(command);
      console.log(`\n✖ ${name}\n${stdout ?? ''}\n    run it alone: ${command}\n`);
    }
  }
  const status = await ended;
  for (const [name, { passed, failed, ignored: left, seconds }] of [...suites].sort()) {
    keepTime({ name, seconds });
    console.log(
      `${failed ? '✖' : '✔'} ${name}: ${passed} passed${failed ? `, ${failed} FAILED` : ''}${left ? `, ${left} ignored` : ''}, ${seconds.toFixed(1)} s`,
    );
  }
  // A program that crashed has not told which test it was in.
  if (status !== 0 && [...suites.values()].every(({ failed }) => failed === 0)) {
    red.push(`${program.executable} ended with ${status}`);
  }
}
for (const [reason, count] of ignored) {
  keepSkipped({ count, reason });
  console.log(`${count} tests ignored: ${reason}`);
}
if (programs.length === 0) red.push('no test program was built');
for (const [names, among] of [
  [filters, chosen],
  [skips, known],
] as const)
  for (const name of names) if (!among.some((test) => test.includes(name))) red.push(`no test has ${name} in its name`);
if (red.length > 0) {
  console.log(`\nred:${red.map((command) => `\n    ${command}`).join('')}`);
  process.exit(1);
}
