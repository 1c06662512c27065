// Hostile bodies for all endpoints in workerd: the engine's memory, and the time at five doubling lengths up to the limit.
//
//     node bench/hostile.ts [--short] [part of a shape's name]
//     EPCIS_EDGE_STORE=server EPCIS_EDGE_SERVER=target/server/epcis-edge-server node bench/hostile.ts …
//
// The second is the server over SQLite: the memory of the process above that at rest.
// A time is the time until the answer, or the gateway's processor time if that is less, since other work on the machine delays
// answers. Fails if an answer has no type, if the engine takes more than 96 MB, if a body takes more than five seconds, or if
// double the length takes more than 2.5 times as long, averaged over two doublings. `--short` tries bodies of 128 to 512 KiB instead.
import { parseArgs } from 'node:util';
import { namedLike } from '../scripts/given.ts';
import { fault, type Result, startHostile } from './hostile/gateway.ts';
import type { Shape } from './hostile/shape.ts';
import { shapes } from './hostile/shapes.ts';
import { machine, number } from './measure.ts';

const LIMIT = 10 << 20;
const { values, positionals } = parseArgs({ allowPositionals: true, options: { short: { type: 'boolean', default: false } } });
const LONGEST = values.short ? 512 << 10 : LIMIT;
const LENGTHS = (values.short ? [2, 1, 0] : [4, 3, 2, 1, 0]).map((halvings) => LONGEST / 2 ** halvings);
const MAX_MILLISECONDS = 5000;
const MAX_GROWTH = 2.5;
/** Below this many milliseconds, fixed costs and noise outweigh the cost of the body. */
const MEASURABLE = 150;

const chosen = namedLike(positionals.join(' '), shapes);
const gateway = await startHostile();
let failures = 0;

/** Measures a shape at every length. If the time grows too fast, measures again, since other work on the machine may be the cause. */
async function measured(shape: Shape): Promise<Result[]> {
  const results: Result[] = [];
  const run = async (index: number) => {
    const result = await gateway.try(shape, LENGTHS[index] ?? LONGEST);
    const before = results[index];
    results[index] = { ...result, milliseconds: Math.min(result.milliseconds, before?.milliseconds ?? Infinity) };
  };
  for (const index of LENGTHS.keys()) await run(index);
  for (let round = 0; round < 3; round += 1) {
    const index = tooFast(results);
    if (index === undefined) break;
    for (const at of [index - 2, index - 1, index]) await run(at);
  }
  return results;
}

/** The first length at which the time grew too fast, averaged over two doublings: a single one is often just noise. */
function tooFast(results: readonly Result[]): number | undefined {
  // Superlinear cost keeps growing. If a limit stops it, the next length costs no more.
  const goesOn = (at: number) => at + 1 === results.length || timeAt(results, at + 1) > 1.5 * timeAt(results, at);
  const index = results.findIndex(({ milliseconds }, at) => at > 1 && milliseconds > MEASURABLE && growth(results, at) > MAX_GROWTH && goesOn(at));
  return index < 0 ? undefined : index;
}

const timeAt = (results: readonly Result[], at: number): number => results[at]?.milliseconds ?? NaN;

function growth(results: readonly Result[], at: number): number {
  return Math.sqrt(timeAt(results, at) / Math.max(timeAt(results, at - 2), MEASURABLE / 4));
}

console.log(`${machine()}; ${chosen.length} shapes, ${LENGTHS.map((length) => number(length / 1024, 0)).join(', ')} KiB\n`);
console.log('| shape | status | ms at each length | MB of the engine | answer, kB | |\n|---|---|---|---|---|---|');
for (const shape of chosen) {
  const results = await measured(shape);
  const last = results.at(-1)!;
  const grows = tooFast(results);
  const wrong = [
    ...results.map(fault).filter(Boolean).slice(0, 1),
    last.milliseconds > MAX_MILLISECONDS && `${number(last.milliseconds / 1000)} s`,
    grows !== undefined && `grows ${number(growth(results, grows))} times`,
  ].filter(Boolean);
  if (wrong.length > 0) failures += 1;
  const times = results.map(({ milliseconds }) => number(milliseconds, 0)).join(' ');
  const memory = number(Math.max(...results.map(({ memory }) => memory)) / 1e6, 0);
  console.log(
    `| ${shape.name} | ${last.status} ${last.type} | ${times} | ${memory} | ${number(last.answered / 1000, 0)} | ${wrong.length > 0 ? `FAILED: ${wrong.join(', ')}` : ''} |`,
  );
}
await gateway.dispose();
console.log(`\n${chosen.length - failures} passed, ${failures} failed`);
process.exit(failures > 0 ? 1 : 0);
