// The command `audit`: compares the newest head of a log with the head of the last audit, and keeps evidence if they contradict each
// other.
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import type { Audit } from '../../engine/answers.ts';
import { EpcisError } from '../../engine/error.ts';
import type { Problem } from '../../engine/index.ts';
import type { Run } from '../command.ts';
import { codeOf, NotFound, stateIn, Usage } from '../files.ts';
import { tell } from '../harmless.ts';
import { fetched, gatewayOf, stemOf, textOf, TooLong, unexpected } from './log.ts';
import { refused, writeWhole } from '../output.ts';

/** The longest head and the longest policy that the engine reads, in bytes. */
const MAX_HEAD = 64 * 1024;
const MAX_POLICY = 256 * 1024;
/** How far the clock of a witness may be ahead of ours, in seconds. */
const AHEAD = 60;
/** The latest time that the engine can represent. */
const END = Date.parse('9999-12-31T23:59:59Z');
/** The units of durations, the largest first. */
const UNITS = [
  { letter: 'd', seconds: 86_400, name: 'day' },
  { letter: 'h', seconds: 3600, name: 'hour' },
  { letter: 'm', seconds: 60, name: 'minute' },
  { letter: 's', seconds: 1, name: 'second' },
] as const;

type Engine = typeof import('../../mcp/audit.ts');

/** A head of a log, with the policy by which it is judged, and when it was seen. */
interface Head {
  readonly note: string;
  readonly policy: string;
  readonly seen: string | undefined;
}

/** The head of the last audit, with the name of its file. */
interface KeptHead extends Head {
  readonly file: string;
}

/** A tile of a log. */
interface Tile {
  readonly path: string;
  readonly bytes: Buffer;
}

/** What judges, and what is judged. */
interface Auditor {
  readonly engine: Engine;
  readonly gateway: string;
  readonly log: string;
  /** The name of the file for evidence. */
  readonly evidence: string;
}

/** What an audit finds against a log. */
type Finding = 'fork' | 'smaller' | 'tiles';

/** A problem document with what was found. */
interface AuditProblem extends Problem {
  readonly finding?: Finding;
  readonly proves?: string;
  evidence?: string;
  heads?: readonly object[];
}

/** A finding in full. */
interface Found {
  readonly finding: Finding;
  readonly tiles: readonly Tile[];
  readonly fault: string;
  /** Whether a smaller head is known to be the beginning of the kept one. */
  readonly isBeginning?: boolean;
}

/** A refusal of the engine or of a tile, with the tiles that were fetched before. */
class Contradiction extends Error {
  readonly refusal: EpcisError;
  readonly tiles: readonly Tile[];

  constructor(refusal: EpcisError, tiles: readonly Tile[]) {
    super(refusal.message);
    this.refusal = refusal;
    this.tiles = tiles;
  }

  get finding(): Finding | undefined {
    return (this.refusal.problem as AuditProblem).finding;
  }
}

const counted = (count: number, word: string, words = `${word}s`): string => `${count} ${count === 1 ? word : words}`;
const leavesOf = (count: string | number | undefined): string => counted(Number(count), 'leaf', 'leaves');

/** A duration in its two largest units. */
function lengthOf(seconds: number): string {
  const first = UNITS.findIndex((unit) => seconds >= unit.seconds);
  const [large, small] = [UNITS[first], UNITS[first + 1]];
  if (large === undefined) return '0 seconds';
  const rest = small === undefined ? 0 : Math.floor((seconds % large.seconds) / small.seconds);
  return [counted(Math.floor(seconds / large.seconds), large.name), ...(small !== undefined && rest > 0 ? [counted(rest, small.name)] : [])].join(' ');
}

/** The seconds of `90s`, `15m`, `2h` or `3d`. */
function durationOf(text: string): number {
  const [, count, letter] = /^([1-9]\d{0,5})([smhd])$/.exec(text) ?? [];
  const unit = UNITS.find((one) => one.letter === letter);
  if (unit === undefined) throw new Usage(`--max-age is ${text || 'empty'}, expected a number and s, m, h or d, such as 15m`);
  return Number(count) * unit.seconds;
}

/** What the last audit kept. */
interface Kept {
  readonly gateway: string;
  readonly policy: string;
  readonly head: string;
  readonly seen: string | undefined;
}

/** Reads the state of the last audit; undefined if there is none. */
function keptIn(file: string, engine: Engine): Kept | undefined {
  const text = stateIn(file);
  if (text === undefined) return undefined;
  const broken = new Usage(`${file} is not a state file of an audit; if you remove it, the next audit trusts the head that it finds`);
  let kept: Readonly<Record<string, unknown>> | null;
  try {
    kept = JSON.parse(text);
  } catch {
    throw broken;
  }
  const { gateway, policy, head, seen } = kept ?? {};
  if (typeof gateway !== 'string' || typeof policy !== 'string' || typeof head !== 'string') throw broken;
  if (seen !== undefined && seen !== null && typeof seen !== 'string') throw broken;
  // A head without the signature of the log would be worthless as evidence.
  if (!isSigned(engine, head, policy)) throw broken;
  return { gateway, policy, head, seen: seen ?? undefined };
}

/** Fetches the bytes of a tile. Another length contradicts the head. */
async function tileOf(log: string, path: string, length: number): Promise<Buffer> {
  const address = `${log}/${path}`;
  const other = (detail: string) => {
    const { problem } = unexpected(detail);
    return new EpcisError(detail, { ...problem, finding: 'tiles' } as AuditProblem);
  };
  let bytes: Buffer;
  try {
    bytes = await fetched(address, {}, length);
  } catch (error) {
    throw error instanceof TooLong ? other(error.message) : error;
  }
  if (bytes.length !== length) throw other(`${address} has ${bytes.length} bytes, expected ${length}`);
  return bytes;
}

/** Compares a head with an older one, by the tiles that this needs. @throws {Contradiction} instead of an EpcisError */
async function compared({ engine, log }: Auditor, newer: Head, older: Head | undefined): Promise<{ readonly audited: Audit; readonly tiles: readonly Tile[] }> {
  const tiles: Tile[] = [];
  try {
    for (const { path, length } of engine.tiles(newer.note, newer.policy, older?.note)) tiles.push({ path, bytes: await tileOf(log, path, length) });
    const audited = engine.check(newer.note, newer.policy, Buffer.concat(tiles.map(({ bytes }) => bytes)), older?.note);
    return { audited, tiles };
  } catch (error) {
    throw error instanceof EpcisError ? new Contradiction(error, tiles) : error;
  }
}

/** Finds out from the tiles whether a smaller head is the beginning of the kept one, or a fork. It may remain unknown. */
async function lookedInto(auditor: Auditor, newer: Head, older: Head): Promise<Partial<Found>> {
  try {
    await compared(auditor, older, newer);
    return { isBeginning: true };
  } catch (error) {
    if (!(error instanceof Contradiction || error instanceof NotFound)) throw error;
    return error instanceof Contradiction && error.finding === 'fork' ? { finding: 'fork', tiles: error.tiles } : {};
  }
}

const TITLES = { fork: 'The log has forked', smaller: 'The log is smaller than it was', tiles: 'The tiles do not match the log' };

/** The finding in plain words: what happened, and what the heads prove. */
function explained(newer: Head, older: Head | undefined, { finding, isBeginning, tiles, fault }: Found): readonly [detail: string, proves: string] {
  const [origin, size = ''] = newer.note.split('\n');
  const before = older?.note.split('\n')[1] ?? '';
  if (finding === 'fork') {
    const two =
      size === before
        ? `two different heads of ${leavesOf(size)}`
        : BigInt(size) > BigInt(before)
          ? `a head of ${leavesOf(size)} that does not begin with the kept one of ${before}`
          : `a head of ${leavesOf(size)} that is not the beginning of the kept one of ${before}`;
    const shown = tiles.length > 0 ? ' The file includes the tiles that show it.' : '';
    return [
      `${origin} has signed ${two}`,
      `This proves that the key of the log signed two histories. Only one can be true, and such heads cannot be made without the key.${shown}`,
    ];
  }
  if (finding === 'smaller') {
    const proves = isBeginning
      ? 'This is not a fork: the smaller head is the beginning of the kept one. It may come from a cache or from a copy that lags behind. If it stays smaller, the log was set back.'
      : 'Two signed heads of different sizes do not prove a fork: the smaller one may be an old one from a cache, or from a copy that lags behind. The tiles that would show it could not be fetched.';
    return [`${origin} now has ${leavesOf(size)}, but the kept head has ${before}`, proves];
  }
  const signed = older ? 'The heads are signed, the tiles are not' : 'The head is signed, the tiles are not';
  return [
    `the tiles of ${origin} do not match the signed root: ${fault}`,
    `${signed}, so this does not prove that the key of the log signed two histories. The server sends tiles that do not match its head: its storage is faulty, it serves a copy that lags behind, or it hides something.`,
  ];
}

/** Writes a new file under the first free name: `name`, `name-2`, … Returns that name. @throws {Usage} if it cannot be written */
function writeNew(name: string, text: string): string {
  const extension = extname(name);
  for (let n = 1; ; n += 1) {
    const file = n === 1 ? name : `${name.slice(0, name.length - extension.length)}-${n}${extension}`;
    let descriptor: number | undefined;
    try {
      // The flag `x` overwrites neither an existing file nor the target of a link.
      descriptor = openSync(file, 'wx');
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
      fsyncSync(descriptor);
      closeSync(descriptor);
      return file;
    } catch (error) {
      if (descriptor !== undefined) {
        closeSync(descriptor);
        rmSync(file, { force: true });
      }
      if (codeOf(error) !== 'EEXIST' || n > 10_000) throw refused(name, error);
    }
  }
}

/** The names of the witnesses in a policy. */
const witnessesOf = (policy: string): string[] =>
  policy
    .split('\n')
    .map((line) => line.split(/[ \t]+/).filter(Boolean))
    .filter(([word]) => word === 'witness')
    .map(([, name = '']) => name);

/** Writes the evidence of a contradiction, and returns the error to throw. */
async function contradicted(auditor: Auditor, first: Found, newer: Head, older: KeptHead | undefined): Promise<EpcisError> {
  const { gateway, evidence } = auditor;
  const found = first.finding === 'smaller' && older !== undefined ? { ...first, ...(await lookedInto(auditor, newer, older)) } : first;
  const { finding, tiles } = found;
  const [detail, proves] = explained(newer, older, found);
  const heads = [...(older === undefined ? [] : [older]), newer].map(({ note, seen, policy }) => ({
    seen: seen ?? null,
    note,
    ...(policy === newer.policy ? {} : { policy }),
  }));
  const text = JSON.stringify(
    {
      finding,
      proves,
      gateway,
      origin: newer.note.split('\n')[0],
      policy: newer.policy,
      heads,
      // A smaller head needs no tiles.
      ...(finding === 'smaller' || tiles.length === 0 ? {} : { tiles: tiles.map(({ path, bytes }) => ({ path, base64: bytes.toString('base64') })) }),
    },
    null,
    2,
  );
  const both = heads.length > 1 ? 'Both heads are' : 'The head is';
  const problem: AuditProblem = { type: 'epcisException:ValidationException', title: TITLES[finding], status: 422, detail, finding, proves };
  const lines = [proves];
  try {
    problem.evidence = writeNew(evidence, `${text}\n`);
    lines.push(`${both} in ${problem.evidence}.`);
  } catch (failed) {
    if (!(failed instanceof Usage)) throw failed;
    // If the file cannot be written, the heads are printed, so that they are not lost.
    problem.heads = heads;
    lines.push(`${failed.message}. Keep what follows: ${both.toLowerCase()} here.`, ...heads.flatMap(({ note }) => note.trimEnd().split('\n')));
  }
  if (older) lines.push(`${older.file} still has the head of ${leavesOf(older.note.split('\n')[1])}.`);
  const names = witnessesOf(newer.policy);
  const whom = `${names.length > 0 ? `the witnesses of your policy (${names.join(', ')}), to ` : ''}others who audit this log, and to the operator of ${gateway}`;
  const what = problem.evidence ?? 'it';
  lines.push(finding === 'fork' ? `Send ${what} to ${whom}.` : `Audit again in a while. If it stays so, send ${what} to ${whom}.`);
  return Object.assign(new EpcisError(detail, problem), { hint: lines });
}

/** Whether a log that the policy trusts has signed a head. */
function isSigned(engine: Engine, head: string, policy: string): boolean {
  try {
    engine.tiles(head, policy);
    return true;
  } catch (error) {
    if (error instanceof EpcisError) return false;
    throw error;
  }
}

/** A cosignature, with its age and whether it is dated in the future. */
interface Cosignature {
  readonly name: string;
  readonly time: string;
  readonly ago: number;
  readonly ahead: number;
  readonly inFuture: boolean;
}

/** All cosignatures, and the newest of those that are not dated in the future. */
interface Cosignatures {
  readonly all: readonly Cosignature[];
  readonly last: Cosignature | undefined;
}

function dated(cosignatures: Audit['cosignatures'], now: number): Cosignatures {
  const all = cosignatures.map(({ name, time }) => {
    const at = Date.parse(time) / 1000;
    return { name, time, ago: Math.max(now - at, 0), ahead: at - now, inFuture: at - now > AHEAD };
  });
  const [last] = all.filter(({ inFuture }) => !inFuture).sort((one, other) => one.ago - other.ago);
  return { all, last };
}

const shortly = (time: string): string => time.replace('.000Z', 'Z');

/** Says why the cosignatures are too old for `--max-age`; undefined if they are not. */
function staleness({ last }: Cosignatures, { text, seconds }: { readonly text: string; readonly seconds: number }): string | undefined {
  if (last === undefined) return `no trusted witness has cosigned this head, and --max-age ${text} asks for a cosignature`;
  if (last.ago <= seconds) return undefined;
  return `the newest cosignature is ${lengthOf(last.ago)} old (${shortly(last.time)}, by ${last.name}), older than --max-age ${text}`;
}

export const audit: Run = async ([name, ...others], options, output) => {
  if (name === undefined || others.length > 0) throw new Usage('name a gateway');
  for (const name of ['state', 'evidence'] as const) if (options[name] === '') throw new Usage(`--${name} is empty, expected the name of a file`);
  const age = options['max-age'];
  const maxAge = age === undefined ? undefined : { text: age, seconds: durationOf(age) };
  const engine = await import('../../mcp/audit.ts');
  const gateway = gatewayOf(name);
  const log = `${gateway}/log`;
  const host = stemOf(gateway);
  const file = options.state ?? `${host}.audit.json`;
  const kept = keptIn(file, engine);
  if (kept && kept.gateway !== gateway) throw new Usage(`${file} belongs to an audit of ${kept.gateway}, choose another --state for ${gateway}`);
  const given = options.policy === undefined ? undefined : textOf(options.policy);
  const isTrusted = given !== undefined || kept !== undefined;
  // A kept policy is not replaced by what the gateway says later.
  const policy = given ?? kept?.policy ?? (await fetched(`${log}/policy`, {}, MAX_POLICY)).toString('utf8');
  const head = (await fetched(`${log}/checkpoint`, {}, MAX_HEAD)).toString('utf8');
  const seen = new Date().toISOString();
  const newer = { note: head, policy, seen };
  const evidence = options.evidence ?? join(dirname(file), `${host}.evidence-${seen.replaceAll(/[-:]|\.\d+/g, '')}.json`);
  const auditor = { engine, gateway, log, evidence };
  try {
    engine.tiles(head, policy);
  } catch (error) {
    if (error instanceof EpcisError && error.problem.type === 'epcisException:SecurityException')
      error.hint =
        'A head without the signature of the log is no evidence against it: anyone can make one. Check the address, and whether the log has a new key.';
    throw error;
  }
  const older = kept && { note: kept.head, policy: kept.policy, seen: kept.seen, file };
  const { audited, tiles } = await compared(auditor, newer, older).catch(async (error: unknown) => {
    if (!(error instanceof Contradiction)) throw error;
    const { finding, tiles, refusal } = error;
    throw finding === undefined ? refusal : await contradicted(auditor, { finding, tiles, fault: refusal.message }, newer, older);
  });
  // The file is replaced as a whole, since the kept head is the evidence of the next audit.
  writeWhole(file, `${JSON.stringify({ gateway, policy, head, seen }, null, 2)}\n`);
  const cosigned = dated(audited.cosignatures, Date.now() / 1000);
  const { origin, oldSize, size, witnesses } = audited;
  if (options.json)
    await output.json({
      gateway,
      origin,
      oldSize,
      size,
      witnesses,
      cosignatures: cosigned.all.map(({ name, time, inFuture }) => ({ name, time, ...(inFuture ? { inFuture } : {}) })),
      lastCosigned: cosigned.last?.time ?? null,
      seen,
      tiles: tiles.length,
      state: file,
    });
  else {
    if (!options.quiet) {
      const grown =
        oldSize === undefined || oldSize === null
          ? 'seen for the first time'
          : size === oldSize
            ? 'unchanged'
            : `grown from ${oldSize}, earlier leaves unchanged`;
      const { last } = cosigned;
      await output.say(
        [
          `${origin}: ${leavesOf(size)}, ${grown}`,
          counted(witnesses, 'cosignature'),
          ...(last ? [`last cosigned ${shortly(last.time)}, ${lengthOf(last.ago)} ago, by ${last.name}`] : []),
          `kept in ${file}`,
        ].join('; '),
      );
      if (!isTrusted) tell('this policy comes from the gateway itself and is kept for the next audits: compare its keys with the operator, or give --policy');
    }
    for (const { name, time, ahead } of cosigned.all.filter(({ inFuture }) => inFuture)) {
      const when = Date.parse(time) > END ? 'after the year 9999' : `${shortly(time)}, ${lengthOf(ahead)} ahead of this clock`;
      tell(`the cosignature of ${name} is dated ${when}: it does not count as fresh`);
    }
  }
  const detail = maxAge && staleness(cosigned, maxAge);
  if (detail) throw new EpcisError(detail, { type: 'epcisException:ValidationException', title: 'Not cosigned lately', status: 422, detail });
  return 0;
};
