// Only ratios from a single run: the contenders run in turn, round after round; the result is the median of the ratios of all rounds.
import { readFileSync, readdirSync } from 'node:fs';
import { cpus } from 'node:os';

/** Milliseconds per call, repeated until the total is long enough to measure. */
function timed(call: () => unknown, least: number) {
  let calls = 0;
  const start = performance.now();
  let spent: number;
  do {
    call();
    calls += 1;
    spent = performance.now() - start;
  } while (spent < least);
  return spent / calls;
}

/** The number at a part of a sorted list. */
export const quantile = (sorted: readonly number[], part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;

/** The middle of some numbers. */
export const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;

/**
 * Compares contenders with the first of them.
 *
 * @param contenders name to function; every function does the same work
 * @returns name to `{ms, ratio}`: the median time, and how many times faster than the first
 */
export function compare<Name extends string>(contenders: Readonly<Record<Name, () => unknown>>, { rounds = 15, least = 60 } = {}) {
  const all = (Object.keys(contenders) as Name[]).map((name) => ({ name, call: contenders[name], times: [] as number[] }));
  for (const { call } of all) timed(call, least);
  for (let round = 0; round < rounds; round += 1) {
    for (const { call, times } of all) times.push(timed(call, least));
  }
  const first = all[0]?.times ?? [];
  const found = all.map(({ name, times }) => [name, { ms: median(times), ratio: median(times.map((ms, round) => (first[round] ?? NaN) / ms)) }]);
  return Object.fromEntries(found) as Record<Name, { readonly ms: number; readonly ratio: number }>;
}

export const number = (value: number, digits = 1) => value.toLocaleString('en', { maximumFractionDigits: digits, minimumFractionDigits: digits });

export function target(reached: number, wanted: number) {
  return reached >= wanted ? `reached (${number(wanted)})` : `MISSED (${number(wanted)})`;
}

export function machine() {
  return `${new Date().toISOString().slice(0, 10)}, ${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, node ${process.versions.node}`;
}

/** Processor seconds used by this process and its descendants, by program name. */
export function worked(): Readonly<Record<string, number>> {
  const processes = new Map<number, { readonly name: string; readonly parent: number; readonly ticks: number }>();
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
  const isOurs = (id: number): boolean => {
    const parent = processes.get(id)?.parent;
    return id === process.pid || (parent !== undefined && isOurs(parent));
  };
  const seconds: Record<string, number> = {};
  for (const [id, { name, ticks }] of processes) {
    if (!isOurs(id)) continue;
    const program = id === process.pid ? 'this process' : name;
    seconds[program] = (seconds[program] ?? 0) + ticks / 100;
  }
  return seconds;
}
