// Following in wasm over one document: a supply chain of which everything, or a small part, is tied to what is asked for.
//
//     node bench/follow.ts
//     node bench/follow.ts --hostile [part of a shape's name]
//
// Each row is a process of its own, as the memory of an engine never shrinks. `--hostile` measures shapes that are made to be costly at
// five doubling lengths up to 10 MiB, and fails if the time grows faster than the document, or a bound is passed.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as engine from '../wasm/dist/follow/epcis_edge.js';
import { namedLike, oneOf } from '../scripts/given.ts';
import type { Followed, FollowRequest } from '../wasm/js/follow/index.ts';
import { follow } from '../wasm/js/follow/node.ts';
import { bytes, envelope } from './documents.ts';
import { GROUP, HOSTILE, type HostileShape, LOT, caseOf, chainEvents } from './follow-shapes.ts';
import { machine, median, number, target } from './measure.ts';
import { randomNumbers } from './random.ts';

const COUNTS = [3750, 7500, 15_000, 30_000];
const ROUNDS = 9;
/** The most milliseconds for 30,000 events. */
const WANTED = 150;
const LIMIT = 10 << 20;
const LENGTHS = [4, 3, 2, 1, 0].map((halvings) => LIMIT / 2 ** halvings);
const MAX_MEMORY = 128_000_000;
const MAX_MILLISECONDS = 5000;
const MAX_GROWTH = 2.5;
/** Below this many milliseconds, fixed costs and noise outweigh the cost of the document. */
const MEASURABLE = 150;

const random = randomNumbers(1);
/** The questions of the supply chain, by the number of its events. */
const QUESTIONS: Readonly<Record<string, (count: number) => FollowRequest>> = {
  'all of it: a recall, 1,000 events': () => ({ items: LOT, kin: true, maxEvents: 1000 }),
  'all of it: a recall, 10,000 events': () => ({ items: LOT, kin: true, maxEvents: 10_000 }),
  'a small part: one case and its contents': (count) => ({ items: caseOf(Math.floor((random() * count) / GROUP)), contents: 'followed' }),
  'nothing: an item that no event names': () => ({ items: 'urn:x:nobody' }),
};

/** Calls a function. Returns its result, and the time until then or the processor time, if that is less, in milliseconds. */
function timed<Result>(call: () => Result): { readonly result: Result; readonly ms: number } {
  const [start, before] = [performance.now(), process.cpuUsage()];
  const result = call();
  const spent = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return { result, ms: Math.min(spent, (user + system) / 1000) };
}

/** What was measured: milliseconds, and bytes. */
interface Measured {
  readonly ms: number;
  readonly engine: number;
  readonly parse: number;
  readonly memory: number;
  readonly length: number;
  readonly answer: number;
  readonly events: number;
  readonly gaps: readonly string[];
}

/** Measures a document in this process: the parts of a call of the package are the engine, and `JSON.parse` of its answer. */
function measured(text: Uint8Array, question: FollowRequest, rounds: number): Measured {
  // Loads the engine.
  follow({ type: 'ObjectEvent' }, { items: 'urn:x:nobody' });
  const asked = JSON.stringify(question);
  const [inEngine, parsing, whole]: [number[], number[], number[]] = [[], [], []];
  let found: Followed | undefined;
  let memory = 0;
  let length = 0;
  for (let round = 0; round < rounds; round += 1) {
    const { result: answer, ms } = timed(() => engine.follow(text, asked));
    memory ||= engine.memoryOfEngine().buffer.byteLength;
    const parsed = timed((): Followed => JSON.parse(answer));
    found = parsed.result;
    ({ length } = answer);
    inEngine.push(ms);
    parsing.push(parsed.ms);
    whole.push(ms + parsed.ms);
  }
  return {
    ms: median(whole),
    engine: median(inEngine),
    parse: median(parsing),
    memory,
    length: text.length,
    answer: length,
    events: found?.events.length ?? 0,
    gaps: found?.incomplete.map(({ reason }) => reason) ?? [],
  };
}

/** The document of a shape with about this many bytes, and its question. */
function hostile({ events, question }: HostileShape, length: number) {
  let parts = Math.floor(length / 40);
  let list = events(parts);
  let text = bytes(list);
  // Twice, as the length is not quite in proportion.
  for (let round = 0; round < 2; round += 1) {
    parts = Math.floor((parts * length) / text.length);
    list = events(parts);
    text = bytes(list);
  }
  return { text, question: typeof question === 'function' ? question(parts) : question };
}

/** Measures in a process of its own. */
function apart(...what: (string | number)[]): Measured {
  const out = execFileSync(process.execPath, [fileURLToPath(import.meta.url), '--one', ...what.map(String)], { encoding: 'utf8', maxBuffer: 1 << 26 });
  return JSON.parse(out);
}

const megabytes = (length: number) => number(length / 1e6);

function chains() {
  console.log(`## Following, in wasm\n\n${machine()}; p50 of ${ROUNDS} calls, from bytes. A time is processor time, if that is less.\n`);
  console.log(
    '| what is followed | events | document, MB | ms | engine, ms | JSON.parse of the answer, ms | events found | answer, MB | memory, MB | target, ms |',
  );
  console.log('|---|---|---|---|---|---|---|---|---|---|');
  for (const name of Object.keys(QUESTIONS)) {
    for (const count of COUNTS) {
      const { ms, engine: inEngine, parse, memory, length, answer, events, gaps } = apart('chain', name, count);
      const reached = count === 30_000 ? target(WANTED / ms, 1).replace(/\(.*\)/, `(${WANTED})`) : '';
      const cells = [name, number(count, 0), megabytes(length), number(ms), number(inEngine), number(parse)];
      console.log(`| ${[...cells, `${number(events, 0)} ${gaps.join(' ')}`, megabytes(answer), megabytes(memory), reached].join(' | ')} |`);
    }
  }
}

function shapes(wanted: string) {
  const chosen = namedLike(wanted, HOSTILE);
  console.log(`${machine()}; ${chosen.length} shapes, ${LENGTHS.map((length) => number(length / 1024, 0)).join(', ')} KiB\n`);
  console.log('| shape | ms at each length | MB of the engine at each length | answer, MB | bounds met | |\n|---|---|---|---|---|---|');
  let failures = 0;
  for (const { name } of chosen) {
    const results = LENGTHS.map((length) => apart('shape', name, length));
    // A row that grows too fast is measured again, since other work on the machine may be the cause.
    for (let round = 0; round < 2 && tooFast(results) !== undefined; round += 1) {
      for (const [index, length] of LENGTHS.entries()) {
        const again = apart('shape', name, length);
        if (again.ms < (results[index]?.ms ?? 0)) results[index] = again;
      }
    }
    const last = results.at(-1)!;
    const grows = tooFast(results);
    const wrong = [
      ...(grows === undefined ? [] : [`grows ${number(grows)} times a doubling`]),
      ...(last.memory > MAX_MEMORY ? [`over ${MAX_MEMORY / 1e6} MB`] : []),
      ...(last.ms > MAX_MILLISECONDS ? [`over ${MAX_MILLISECONDS} ms`] : []),
    ];
    failures += wrong.length;
    const each = (of: (one: Measured) => string) => results.map(of).join(', ');
    console.log(
      `| ${name} | ${each(({ ms }) => number(ms, 0))} | ${each(({ memory }) => number(memory / 1e6, 0))} | ${megabytes(last.answer)} | ${last.gaps.join(', ')} | ${wrong.join('; ')} |`,
    );
  }
  if (failures > 0) process.exitCode = 1;
}

/** How much the time grows with a doubling, averaged over two, if it is too much; `undefined` otherwise. */
function tooFast(results: readonly Measured[]): number | undefined {
  const rates = results.map(({ ms }, at) => (at < 2 || ms < MEASURABLE ? 0 : Math.sqrt(ms / Math.max(results[at - 2]?.ms ?? 0, MEASURABLE / 4))));
  const most = Math.max(...rates);
  return most > MAX_GROWTH ? most : undefined;
}

const [mode, kind, name = '', size] = process.argv.slice(2);
oneOf(['--one', '--hostile'], 'the first argument', mode);
if (mode === '--one') {
  if (kind === 'chain') {
    const count = Number(size);
    console.log(JSON.stringify(measured(bytes(envelope(chainEvents(count))), QUESTIONS[name]!(count), ROUNDS)));
  } else {
    const { text, question } = hostile(HOSTILE.find((shape) => shape.name === name)!, Number(size));
    console.log(JSON.stringify(measured(text, question, 1)));
  }
} else if (mode === '--hostile') {
  shapes(kind ?? '');
} else {
  chains();
}
