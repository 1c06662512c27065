// Reports a run of `node --test`: a line for each file with its time, every failed test in full with the command that runs its file
// alone, and the reasons of skipped tests; at the end the failed tests once more, each in short. The times and the reasons are kept: see
// times.ts.
import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';
import { keepSkipped, keepTime } from './times.ts';

/** The characters of a failure that are told once more at the end. */
const MOST = 1500;
const root = new URL('..', import.meta.url).pathname;

export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const failed = new Map<string, string[]>();
  const skipped = new Map<string, number>();
  for await (const { type, data } of events) {
    const file = data !== undefined && 'file' in data && data.file !== undefined ? relative(root, data.file) : '';
    switch (type) {
      case 'test:fail': {
        // A suite fails because of its tests, which are reported themselves.
        const { error } = data.details;
        if ('failureType' in error && error.failureType === 'subtestsFailed') break;
        const cause = error.cause ?? error;
        const told = typeof cause === 'string' ? cause : inspect(cause, { depth: 6 });
        failed.set(file, [...(failed.get(file) ?? []), `${data.name}\n${told.slice(0, MOST)}`]);
        yield `\n✖ ${file}:${data.line}: ${data.name}\n${told}\n`;
        yield `    run it alone: node --test ${file}\n\n`;
        break;
      }
      case 'test:pass':
        if (data.skip !== undefined && data.skip !== false) {
          const reason = data.skip === true ? 'no reason given' : data.skip;
          skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
        }
        break;
      case 'test:stderr':
      case 'test:stdout':
        yield data.message;
        break;
      case 'test:summary': {
        const { passed, skipped: left } = data.counts;
        if (file === '') break;
        const seconds = data.duration_ms / 1000;
        keepTime({ name: file, seconds });
        const bad = failed.get(file)?.length;
        yield `${data.success ? '✔' : '✖'} ${file}: ${passed} passed${bad ? `, ${bad} FAILED` : ''}${left ? `, ${left} skipped` : ''}, ${seconds.toFixed(1)} s\n`;
        break;
      }
    }
  }
  for (const [reason, count] of skipped) {
    keepSkipped({ count, reason });
    yield `${count} tests skipped: ${reason}\n`;
  }
  if (failed.size === 0) return;
  // Once more, because the end of a log is what is looked at.
  for (const [file, tests] of failed) yield `\nred: node --test ${file}\n${tests.slice(0, 3).join('\n')}\n`;
}
