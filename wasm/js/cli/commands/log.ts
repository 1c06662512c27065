// The commands about proofs of the transparency log: prove, verify-proof, verify-proofs, disclose, verify-disclosure; and requests
// to a gateway. The engine does the verification.
import { readFileSync } from 'node:fs';
import { EpcisError } from '../../engine/error.ts';
import type { Problem, TranslationError } from '../../engine/index.ts';
import type { DisclosureStep, ProofStep, ProofsVerdict, ProofVerdict, ProvedEvent } from '../../proof/index.ts';
import type { Run } from '../command.ts';
import { guarded, NotFound, Usage } from '../files.ts';
import { type Line, paint } from '../harmless.ts';
import { type Output, writeWhole } from '../output.ts';
import * as proofs from '../../proof/node.ts';

/** The timeout of a request to a gateway, in milliseconds. */
const PATIENCE = 30_000;
/** The longest answer that is read, in bytes: a document with one event is the longest. */
const MAX_ANSWER = 64 * 1024 * 1024;
/** The longest refusal that is read, in bytes, even if the limit of the answer is lower. */
const MAX_REFUSAL = 64 * 1024;

/** The address of a gateway, without a trailing slash. @throws {Usage} if it cannot be one */
export function gatewayOf(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new Usage(`${text} is not an address, expected that of a gateway, such as https://epcis.example.com`);
  }
  if (!['http:', 'https:'].includes(url.protocol)) throw new Usage(`${text} is not a web address, expected http:// or https://`);
  if (url.username || url.password) throw new Usage('the address of the gateway contains a password: give the key in the variable EPCIS_EDGE_KEY');
  if (url.search || url.hash) throw new Usage(`${text} has a query or a fragment, expected only the address of a gateway`);
  return url.href.replace(/\/+$/, '');
}

/** The key of `EPCIS_EDGE_KEY`. @throws {Usage} if there is none, or if no header could have it */
export function queryKey(): string {
  const key = process.env.EPCIS_EDGE_KEY;
  if (!key) throw new Usage('set EPCIS_EDGE_KEY to a key of the gateway that has the right to query');
  if (!/^[\x21-\x7e]+$/.test(key)) throw new Usage('EPCIS_EDGE_KEY is not a key: it has spaces, line ends or characters beyond ASCII');
  return key;
}

/** The stem of the names of files about a gateway: its host. */
export const stemOf = (gateway: string): string => new URL(gateway).host.replaceAll(/[^a-z0-9.-]/gi, '_');

/** The error of an answer that no gateway should give, such as something other than a proof or an event. */
export const unexpected = (detail: string): EpcisError => new EpcisError(detail, notOfAGateway(detail));

/** The error of an answer that is longer than expected. */
export class TooLong extends EpcisError {
  constructor(detail: string) {
    super(detail, notOfAGateway(detail));
  }
}

const notOfAGateway = (detail: string): Problem => ({
  type: 'epcisException:ValidationException',
  title: 'Not the answer of a gateway',
  status: 422,
  detail,
});

/** The first words of an answer, for an error message. */
function wordsOf(bytes: Uint8Array): string {
  if (bytes.length === 0) return 'nothing';
  const text = new TextDecoder().decode(bytes.subarray(0, 200)).trim();
  return text.length > 60 ? `\`${text.slice(0, 60)}…\`` : `\`${text}\``;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The problem document in an answer, without members of the wrong type; `undefined` if the answer is none. */
function problemIn(bytes: Buffer, status: number): Problem | undefined {
  let given: Readonly<Record<string, unknown>> | null;
  try {
    given = JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
  if (!isText(given?.type) || !given.type.startsWith('epcisException:')) return undefined;
  const list: (Partial<TranslationError> | null)[] = Array.isArray(given.errors) ? given.errors : [];
  const errors = list.filter((one) => typeof one?.path === 'string' && isText(one.message));
  return {
    type: given.type as Problem['type'],
    title: isText(given.title) ? given.title : 'A refusal without a title',
    status,
    ...(isText(given.detail) ? { detail: given.detail } : {}),
    ...(errors.length > 0 ? { errors: errors.map((one) => ({ path: one?.path, message: one?.message }) as TranslationError) } : {}),
  };
}

/**
 * Fetches the bytes at an address. A refusal is thrown as an error with its problem document.
 *
 * @throws {TooLong} if the answer has more than `most` bytes
 */
export async function fetched(address: string, headers: Readonly<Record<string, string>> = {}, most = MAX_ANSWER, body?: string): Promise<Buffer<ArrayBuffer>> {
  let response: Response;
  let bytes: Buffer<ArrayBuffer>;
  let length = 0;
  let limit: number;
  try {
    // Redirects are not followed: the user named this gateway, so no other host gets the key or is trusted.
    const asked = body === undefined ? { method: 'GET' } : { method: 'POST', body };
    response = await fetch(address, { ...asked, headers, redirect: 'manual', signal: AbortSignal.timeout(PATIENCE) });
    const parts: Uint8Array[] = [];
    // A refusal may be longer than the expected answer.
    limit = response.ok ? most : Math.max(most, MAX_REFUSAL);
    for await (const part of response.body ?? []) {
      length += part.length;
      if (length > limit) break;
      parts.push(part);
    }
    bytes = Buffer.concat(parts);
  } catch (error) {
    const { cause, message } = error as { readonly cause?: { readonly message?: string }; readonly message?: string };
    throw new NotFound(`cannot fetch ${address}: ${cause?.message || message || 'no answer'}`);
  }
  if (length > limit) {
    const detail = `${address} answered more than ${limit} bytes`;
    throw response.ok ? new TooLong(detail) : unexpected(detail);
  }
  if (response.ok) return bytes;
  throw refusalOf(address, response, bytes);
}

/** The error of a refusal. */
function refusalOf(address: string, response: Response, bytes: Buffer): Error {
  const { status } = response;
  const problem = problemIn(bytes, status);
  if (problem) return new EpcisError(`${address}: ${problem.detail ?? problem.title}`, problem);
  const location = response.headers.get('location');
  if (status >= 300 && status < 400 && location !== null)
    return new NotFound(`${address} answered ${status} and leads to ${location}: redirects are not followed, name the gateway itself`);
  return new NotFound(`${address} answered ${status} without a problem document: ${wordsOf(bytes)}`);
}

export const textOf = (file: string): string => guarded(file, () => readFileSync(file, 'utf8'));

/** The beginning of a proof (C2SP tlog-proof). */
const PROOF = /^c2sp\.org\/tlog-proof@v\d+\n/;

/** The first byte of a COSE receipt: the tag of COSE_Sign1 (RFC 9052). */
const RECEIPT = 0xd2;

/** Whether bytes are a JSON object. */
function isObject(bytes: Buffer): boolean {
  try {
    const value = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

export const prove: Run = async (names, options, output) => {
  const { query } = options;
  const [name = '', event = ''] = names;
  if (names.length !== (query === undefined ? 2 : 1)) throw new Usage('name a gateway, and an event by its eventID or hash, or give --query');
  const gateway = gatewayOf(name);
  const log = `${gateway}/log`;
  const key = queryKey();
  const { declaration, event: file } = options;
  if (query !== undefined) {
    if (declaration !== undefined || file !== undefined || options.json)
      throw new Usage('--query excludes --declaration, --event and --json: its pages include the events');
    try {
      return await proveAll(log, query, { authorization: `Bearer ${key}` }, output);
    } catch (error) {
      output.cut();
      throw error;
    }
  }
  if (declaration !== undefined && !/^[1-9]\d{0,8}$/.test(declaration))
    throw new Usage(`--declaration takes the number of an error declaration, counted from 1, not ${declaration}`);
  if (!event.isWellFormed()) throw new Usage('the eventID has half of a surrogate pair');
  const headers = { authorization: `Bearer ${key}` };
  if (options.format !== undefined && !['tlog', 'cose'].includes(options.format)) throw new Usage(`--format takes tlog or cose, not ${options.format}`);
  if (options.format === 'cose' && options.json) throw new Usage('--json is only for --format tlog: a receipt is binary');
  const asked = `event=${encodeURIComponent(event)}${declaration === undefined ? '' : `&declaration=${declaration}`}`;
  const isReceipt = options.format === 'cose';
  // A tlog-proof is also needed for --event: it says which of the returned events it proves.
  if (!isReceipt || file !== undefined) {
    const proof = await fetched(`${log}/proof?${asked}`, headers);
    if (!PROOF.test(proof.subarray(0, 100).toString('latin1'))) throw unexpected(`${log}/proof answered ${wordsOf(proof)}, expected a tlog-proof`);
    if (file !== undefined) await writeEvent(file, `${gateway}/events/${encodeURIComponent(event)}`, headers, proof);
    if (options.json) await output.json({ gateway, event, proof: proof.toString('utf8') });
    else if (!isReceipt) await output.write(proof);
  }
  if (isReceipt) {
    const receipt = await fetched(`${log}/proof?${asked}&format=cose`, headers);
    if (receipt[0] !== RECEIPT) throw unexpected(`${log}/proof answered ${wordsOf(receipt)}, expected a COSE receipt`);
    await output.write(receipt);
  }
  return 0;
};

/** Writes the event that a proof is about. The gateway returns it together with its error declarations. */
async function writeEvent(file: string, address: string, headers: Readonly<Record<string, string>>, proof: Buffer): Promise<void> {
  const bytes = await fetched(address, { ...headers, accept: 'application/json' });
  if (!isObject(bytes)) throw unexpected(`${address} answered ${wordsOf(bytes)}, expected an event`);
  const { provedEvent } = await import('../../mcp/audit.ts');
  writeWhole(file, Buffer.from(provedEvent(bytes, proof.toString('utf8'))));
}

/** The title of a proved event. It names an error declaration as such, so that it is not mistaken for the event itself. */
function titleOf({ path, type, epc, eventID, errorDeclaration }: ProvedEvent): string {
  const declares = errorDeclaration ? `error declaration: ${errorDeclaration.reason ?? 'no reason given'}, of ` : '';
  return `${declares}${type} ${epc ?? eventID}${path === '' ? '' : ` at ${path}`}:`;
}

/** Reads a proof from a file: a COSE receipt as bytes, a tlog-proof as text. */
function proofOf(file: string): string | Uint8Array {
  const bytes = guarded(file, () => readFileSync(file));
  return bytes[0] === RECEIPT ? bytes : bytes.toString('utf8');
}

export const verifyProof: Run = async (names, options, output) => {
  const [eventFile = '', proofFile = ''] = names;
  if (names.length !== 2) throw new Usage('name a file with the event and one with its proof');
  if (options.policy === undefined) throw new Usage('--policy is missing, expected a file that says which log and which witnesses are trusted');
  const event = guarded(eventFile, () => readFileSync(eventFile));
  const verdict = proofs.verifyProof(event, proofOf(proofFile), textOf(options.policy));
  if (options.json) await output.json({ file: eventFile, ...verdict });
  else if (!verdict.valid || !options.quiet)
    await output.say(
      `${eventFile}: ${verdict.valid ? `${verdict.event ? `${titleOf(verdict.event)} ` : ''}${whenOf(verdict)}` : 'NOT proved'}`,
      ...stepsOf(verdict),
    );
  return verdict.valid ? 0 : 4;
};

const stepsOf = ({ steps }: { readonly steps: readonly (ProofStep | DisclosureStep)[] }): Line[] =>
  steps.map(({ step, holds, detail }) => ['  ', holds ? paint('green', 'holds') : paint('red', 'FAILS'), `  ${step.padEnd(10)} ${detail}`]);

/** The words about a proof that holds: when and where the event was logged. */
function whenOf({
  loggedBefore,
  loggedBeforeBy,
  index,
  size,
  origin,
}: Pick<ProofVerdict, 'loggedBefore' | 'loggedBeforeBy' | 'index' | 'size' | 'origin'>): string {
  const before = loggedBefore ? `logged before ${loggedBefore} (${loggedBeforeBy.join(', ')})` : 'logged; no witness has dated it';
  // A COSE receipt does not sign index and size.
  const where = index === null ? '' : `at index ${index} of ${size} leaves, `;
  return `${before}, ${where}${origin}`;
}

/** Writes the proofs of all events that a query finds: one page per line, each under its own head. */
async function proveAll(log: string, query: string, headers: Readonly<Record<string, string>>, output: Output): Promise<number> {
  let asked: URLSearchParams;
  try {
    asked = new URLSearchParams(query);
  } catch {
    throw new Usage('--query takes parameters as /events does, such as EQ_bizStep=shipping&GE_eventTime=2026-01-01T00:00:00Z');
  }
  for (let token: string | undefined; ; ) {
    if (token !== undefined) asked.set('nextPageToken', token);
    const address = `${log}/proofs?${asked}`;
    const page: Buffer<ArrayBuffer> = await fetched(address, headers);
    const read = pageOf(page);
    if (read === undefined) throw unexpected(`${log}/proofs answered ${wordsOf(page)}, expected a page of proofs`);
    await output.write(Buffer.concat([page, Buffer.from('\n')]));
    if (read.nextPageToken === undefined || read.nextPageToken === token) return 0;
    token = read.nextPageToken;
  }
}

/** What a page of proofs says of the next; `undefined` if the bytes are no such page. */
function pageOf(bytes: Buffer): { readonly nextPageToken: string | undefined } | undefined {
  try {
    const { type, nextPageToken } = JSON.parse(bytes.toString('utf8'));
    const isPage = type === 'epcis-edge/proofs/v1' && (nextPageToken === undefined || isText(nextPageToken));
    return isPage && !bytes.includes(10) ? { nextPageToken } : undefined;
  } catch {
    return undefined;
  }
}

export const verifyProofs: Run = async (names, options, output) => {
  const [file = ''] = names;
  if (names.length !== 1) throw new Usage('name a file with proofs, one page per line');
  if (options.policy === undefined) throw new Usage('--policy is missing, expected a file that says which log and which witnesses are trusted');
  const policy = textOf(options.policy);
  const bytes = guarded(file, () => readFileSync(file));
  const failed: (ProofsVerdict['failed'][number] & { readonly page: number })[] = [];
  const pages: Omit<ProofsVerdict, 'failed'>[] = [];
  const all = { valid: true, count: 0, proved: 0, unproved: 0, failed, pages };
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(10, start);
    const line = bytes.subarray(start, end < 0 ? bytes.length : end);
    start = end < 0 ? bytes.length : end + 1;
    if (line.length === 0) continue;
    const { steps, failed: fresh, ...page } = proofs.verifyProofs(line, policy);
    pages.push({ ...page, steps });
    all.valid &&= page.valid;
    for (const what of ['count', 'proved', 'unproved'] as const) all[what] += page[what];
    failed.push(...fresh.map((one) => ({ page: pages.length, ...one })));
  }
  if (pages.length === 0) all.valid = false;
  if (options.json) await output.json({ file, ...all });
  else if (!all.valid || !options.quiet) {
    const heads = pages.flatMap(({ steps }, n) => steps.filter(({ holds }) => !holds).map(({ step, detail }) => `  page ${n + 1}: FAILS  ${step} ${detail}`));
    const faults = failed.map(({ page, path, eventID, step, detail }) => `  page ${page}, ${path} ${eventID ?? ''}: FAILS  ${step} ${detail}`);
    const last = pages.at(-1);
    const before = all.valid && last?.loggedBefore ? `, logged before ${last.loggedBefore} (${last.loggedBeforeBy.join(', ')})` : '';
    const without = all.unproved > 0 ? `; ${all.unproved} events without a proof` : '';
    await output.say(`${file}: ${all.proved} of ${all.count} events proved${before}, ${plural(pages.length, 'page', 'pages')}${without}`, ...heads, ...faults);
  }
  return all.valid ? 0 : 4;
};

/** The titles of problems that are faults of the chosen fields, not of the event. */
const OF_THE_CHOICE = ['No such field', 'Field not disclosable'];

export const disclose: Run = async (names, options, output) => {
  const [eventFile = '', proofFile = ''] = names;
  if (names.length !== 2) throw new Usage('name a file with the event and one with its proof');
  if (!options.show) throw new Usage('--show is missing, expected names of fields separated by commas, such as epcList,eventTime,bizStep');
  const event = guarded(eventFile, () => readFileSync(eventFile));
  const proof = textOf(proofFile);
  let disclosure: string;
  try {
    disclosure = proofs.disclose(event, proof, options.show.split(','));
  } catch (error) {
    if (!(error instanceof EpcisError) || !OF_THE_CHOICE.includes(error.problem.title)) throw error;
    throw new Usage(error.message);
  }
  await output.print(disclosure, 'json');
  return 0;
};

const plural = (count: number | null, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

export const verifyDisclosure: Run = async (names, options, output) => {
  const [file = ''] = names;
  if (names.length !== 1) throw new Usage('name a file with a disclosure');
  if (options.policy === undefined) throw new Usage('--policy is missing, expected a file that says which log and which witnesses are trusted');
  const verdict = proofs.verifyDisclosure(
    guarded(file, () => readFileSync(file)),
    textOf(options.policy),
  );
  if (options.json) await output.json({ file, ...verdict });
  else if (!verdict.valid) await output.say(`${file}: NOT proved, do not believe the fields that it shows`, ...stepsOf(verdict));
  else if (!options.quiet) {
    const { fields, withheld, recordTime, who, capturedBy } = verdict;
    await output.say(
      `${file}: part of an event that was ${whenOf(verdict)}`,
      ...fields.map(({ pointer, value }) => `  shows  ${pointer} ${value}`),
      `  ${plural(withheld, 'other field is', 'other fields are')} withheld`,
      `  recorded at ${recordTime} by ${capturedBy}, observed by ${who}`,
      ...stepsOf(verdict),
    );
  }
  return verdict.valid ? 0 : 4;
};
