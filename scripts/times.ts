// The times of steps and of test files, and the reasons of skipped tests, of the runs in this checkout.
//
//     times.ts                 writes target/times.json, and prints the longest fifty
//     times.ts new             forgets the skipped tests of the last run
//     times.ts skipped REASON  keeps that a suite was skipped
//
// Many programs keep times at once, so each appends whole lines to target/times.ndjson, as step.sh does too.
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const target = new URL('../target/', import.meta.url).pathname;
const times = join(target, 'times.ndjson');
const skipped = join(target, 'skipped.ndjson');

function append(file: string, record: object): void {
  mkdirSync(target, { recursive: true });
  appendFileSync(file, `${JSON.stringify(record)}\n`);
}

interface Time {
  readonly name: string;
  readonly seconds: number;
  /** Where they are known. */
  readonly processor?: number;
}

interface Skipped {
  readonly count: number | string;
  readonly reason: string;
}

/** Keeps the time of a step or of a test file: seconds by the clock, and of the processor. */
export const keepTime = (record: Time): void => append(times, { ...record, at: new Date().toISOString() });

/** Keeps that `count` tests were skipped for a reason. */
export const keepSkipped = (record: Skipped): void => append(skipped, record);

const records = (file: string) =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    : [];

/** What was skipped since the ring began: pairs of a count and a reason. */
export const skippedTests = (): Skipped[] => records(skipped);

const [, program = '', command, ...others] = process.argv;
if (import.meta.url === pathToFileURL(program).href) {
  if (command === 'new' && others.length === 0) {
    rmSync(skipped, { force: true });
  } else if (command === 'skipped' && others[0] !== undefined && others.length === 1) {
    keepSkipped({ count: 'a suite', reason: others[0] });
  } else if (command !== undefined) {
    console.error(`found the arguments ${process.argv.slice(2).join(' ')}\n    what to do: give none, 'new', or 'skipped' and a reason`);
    process.exit(2);
  } else {
    // The last run of each name counts.
    const last = [...new Map(records(times).map((record: Time) => [record.name, record])).values()].sort((one, other) => other.seconds - one.seconds);
    mkdirSync(target, { recursive: true });
    writeFileSync(join(target, 'times.json'), `${JSON.stringify(last, null, 1)}\n`);
    for (const { name, seconds, processor } of last.slice(0, 50)) {
      console.log(
        `${seconds.toFixed(1).padStart(8)} s ${processor === undefined ? ''.padStart(22) : `${processor.toFixed(0).padStart(7)} s of processor`}  ${name}`,
      );
    }
    if (last.length === 0) console.log('no times are known yet: make test keeps them');
  }
}
