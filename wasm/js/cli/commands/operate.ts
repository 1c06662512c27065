// The commands for operators of a gateway: show or restart its log, and compare its database with the log. They need the key of
// the log.
import { rmSync } from 'node:fs';
import { signOrder } from '../../mcp/audit.ts';
import type { Run } from '../command.ts';
import { stateIn, Usage } from '../files.ts';
import { harmless, tell } from '../harmless.ts';
import { fetched, gatewayOf, stemOf, unexpected } from './log.ts';
import { writeWhole } from '../output.ts';

/** The signing key of the log, as `npm run deploy` made it. */
function logKey(): string {
  const key = process.env.EPCIS_EDGE_LOG_KEY;
  if (!key) throw new Usage('set EPCIS_EDGE_LOG_KEY to the signing key of the log: one key of the secret LOG_KEY of the deployment');
  return key.trim();
}

/** A JSON object that a gateway answers, of which nothing is sure. */
type Answer = Readonly<Record<string, unknown>>;

/** Sends a signed order to a gateway, and returns its answer. */
async function ordered(gateway: string, order: string): Promise<Answer> {
  const body = signOrder(logKey(), order, Date.now());
  const answer = await fetched(`${gateway}/log/order`, { 'content-type': 'text/plain' }, undefined, body);
  return jsonOf(answer, `${gateway}/log/order`);
}

function jsonOf(bytes: Buffer, address: string): Answer {
  try {
    const value = JSON.parse(bytes.toString('utf8'));
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Reported below.
  }
  throw unexpected(`${address} did not answer with JSON`);
}

/** The status of a log, as the gateway answers it. */
interface Status {
  readonly origin?: string;
  readonly state?: string;
  readonly reason?: string;
  readonly size?: number;
  readonly eventsWithoutLeaf?: number;
  readonly oldestWaitsSeconds?: number;
  readonly witnesses?: readonly { readonly name: string; readonly size?: number; readonly lastCosigned?: string }[];
}

/** The status of the log, as lines for people. */
function statusLines({ origin, state, reason, size, eventsWithoutLeaf = 0, oldestWaitsSeconds, witnesses = [] }: Status): string[] {
  const waiting = eventsWithoutLeaf > 0 ? `, ${eventsWithoutLeaf} events without a leaf, the oldest for ${oldestWaitsSeconds} s` : '';
  return [
    `${origin}: ${state}, ${size} leaves${waiting}`,
    ...(reason ? [`  ${reason}`] : []),
    ...witnesses.map(({ name, size: seen, lastCosigned }) => `  ${name}: ${lastCosigned ? `cosigned ${seen} leaves at ${lastCosigned}` : 'has not cosigned'}`),
  ];
}

export const log: Run = async (names, options, output) => {
  const [what = '', name = ''] = names;
  if (names.length !== 2 || !['status', 'restart'].includes(what)) throw new Usage('expected status or restart, and the address of a gateway');
  const gateway = gatewayOf(name);
  const status = what === 'status' ? jsonOf(await fetched(`${gateway}/log/status`), `${gateway}/log/status`) : await ordered(gateway, 'restart');
  if (options.json) await output.json({ gateway, ...status });
  else await output.say(...statusLines(status as Status));
  if (what === 'restart' && !options.json) tell('the witnesses are asked again before anything is signed: see `epcis-edge log status` in a minute');
  return status.state === 'ok' ? 0 : 4;
};

/** The state of a comparison. */
interface Comparison {
  readonly gateway: string;
  readonly next: number;
  muted: number;
  heads: number;
  readonly faults: Fault[];
}

/** A leaf that is not as it should be. */
interface Fault {
  readonly leaf: number;
  readonly found: string;
}

/** Reads the state of an interrupted comparison; undefined if there is none. */
function keptIn(file: string, gateway: string): Comparison | undefined {
  const text = stateIn(file);
  if (text === undefined) return undefined;
  try {
    const kept = JSON.parse(text);
    if (kept.gateway === gateway && Number.isSafeInteger(kept.next) && Array.isArray(kept.faults)) return kept;
  } catch {
    // Reported below.
  }
  throw new Usage(`${file} is not a state file of fsck for ${gateway}: remove it to begin at the first leaf`);
}

/** A page of leaves that were compared. */
interface Page {
  readonly next?: number;
  readonly size: number;
  readonly muted: number;
  readonly heads: number;
  readonly faults: readonly Fault[];
}

/** The page in an answer; undefined if it is none, or does not lead on. */
function pageIn(answer: Answer, from: number): Page | undefined {
  const { faults, size, next } = answer as unknown as Partial<Page>;
  const isPage = Array.isArray(faults) && Number.isSafeInteger(size) && (next === undefined || next > from);
  return isPage ? (answer as unknown as Page) : undefined;
}

/** The maximum number of faults reported. */
const MAX_FAULTS = 1000;

export const fsck: Run = async (names, options, output) => {
  const [name = ''] = names;
  if (names.length !== 1) throw new Usage('name a gateway');
  const gateway = gatewayOf(name);
  const file = options.state ?? `${stemOf(gateway)}.fsck.json`;
  const kept: Comparison = keptIn(file, gateway) ?? { gateway, next: 0, muted: 0, heads: 0, faults: [] };
  const began = kept.next;
  let next: number | undefined = kept.next;
  let size = 0;
  while (next !== undefined) {
    const page = pageIn(await ordered(gateway, `check ${next}`), next);
    if (page === undefined) throw unexpected(`${gateway}/log/order did not answer with a page of leaves`);
    ({ next, size } = page);
    kept.muted += page.muted;
    kept.heads += page.heads;
    kept.faults.push(...page.faults.slice(0, MAX_FAULTS - kept.faults.length));
    if (process.stderr.isTTY && !options.quiet) process.stderr.write(`\r${harmless(gateway)}: ${next ?? size} of ${size} leaves\x1b[K`);
    // An interrupted comparison continues here.
    if (next !== undefined) writeWhole(file, `${JSON.stringify({ ...kept, next })}\n`);
  }
  if (process.stderr.isTTY && !options.quiet) process.stderr.write('\r\x1b[K');
  rmSync(file, { force: true });
  const { muted, heads, faults } = kept;
  if (options.json) await output.json({ gateway, from: began, size, heads, muted, faults });
  else if (faults.length > 0 || !options.quiet) {
    const without = muted > 0 ? `, ${muted} without a salt` : '';
    const from = began > 0 ? ` from leaf ${began}` : '';
    const head = faults.length > 0 ? `${faults.length} faults` : 'database and log agree';
    await output.say(`${gateway}: ${head}; ${size} leaves${from}, ${heads} heads${without}`, ...faults.map(({ leaf, found }) => `  leaf ${leaf}: ${found}`));
  }
  return faults.length > 0 ? 4 : 0;
};
