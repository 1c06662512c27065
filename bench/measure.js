// Only ratios from a single run: the contenders run in turn, round after round; the result is the median of the ratios of all rounds.
import { readFileSync, readdirSync } from 'node:fs';
import { cpus } from 'node:os';

/** Milliseconds per call, repeated until the total is long enough to measure. */
function timed(call, least) {
  let calls = 0;
  const start = performance.now();
  let spent;
  do {
    call();
    calls += 1;
    spent = performance.now() - start;
  } while (spent < least);
  return spent / calls;
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/**
 * Compares contenders with the first of them.
 *
 * @param contenders name to function; every function does the same work
 * @returns name to `{ms, ratio}`: the median time, and how many times faster than the first
 */
export function compare(contenders, { rounds = 15, least = 60 } = {}) {
  const names = Object.keys(contenders);
  for (const name of names) timed(contenders[name], least);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) times[name].push(timed(contenders[name], least));
  }
  return Object.fromEntries(
    names.map((name) => [name, { ms: median(times[name]), ratio: median(times[name].map((ms, round) => times[names[0]][round] / ms)) }]),
  );
}

export const number = (value, digits = 1) => value.toLocaleString('en', { maximumFractionDigits: digits, minimumFractionDigits: digits });

export function target(reached, wanted) {
  return reached >= wanted ? `reached (${number(wanted)})` : `MISSED (${number(wanted)})`;
}

export function machine() {
  return `${new Date().toISOString().slice(0, 10)}, ${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, node ${process.versions.node}`;
}

/** Processor seconds used by this process and its descendants, by program name. */
export function worked() {
  const processes = new Map();
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
      const [, parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // User and system time, in hundredths of a second.
      processes.set(Number(id), {
        name: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')),
        parent: Number(parent),
        ticks: Number(rest[9]) + Number(rest[10]),
      });
    } catch {
      // The process has ended meanwhile.
    }
  }
  const isOurs = (id) => id === process.pid || (processes.has(id) && isOurs(processes.get(id).parent));
  const seconds = {};
  for (const [id, { name, ticks }] of processes) {
    if (isOurs(id)) seconds[id === process.pid ? 'this process' : name] = (seconds[id === process.pid ? 'this process' : name] ?? 0) + ticks / 100;
  }
  return seconds;
}
