// Tries hostile bodies: at a gateway in workerd that reports the memory of its engine, or at the server.
import { build } from 'esbuild';
import { fork } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeLogKey } from '../../scripts/log-keys.ts';
import { database, isOnServer, makeKey, send, start } from '../../worker/tests/gateway.js';
import type { Answer, Asked } from '../gateway.ts';
import type { Call } from './proofs.ts';
import type { SentShape, Shape } from './shape.ts';

/** What came of a shape at a length. */
export interface Result {
  readonly status: number;
  /** The type that the answer states, if it states one. */
  readonly type: string | number | undefined;
  readonly milliseconds: number;
  readonly memory: number;
  readonly answered: number;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The most memory that any endpoint may use. An isolate has 128 MB for everything. */
export const MAX_MEMORY = 96e6;

/** Starts the gateways: one without a log, and one with a log when a shape needs it. */
export async function startHostile() {
  const folder = isOnServer() ? undefined : await hostileWorker();
  const gateways = new Map<boolean, ReturnType<typeof startOne>>();
  /** Growing a log works behind answers, which would be measured, too: only shapes about the log have one. */
  const gatewayOf = (isLogged: boolean) => {
    const known = gateways.get(isLogged) ?? startOne(folder, isLogged ? { LOG_KEY: makeLogKey('log', 'gateway.example.com/log').skey } : {});
    gateways.set(isLogged, known);
    return known;
  };
  return {
    /** Tries a shape at a length. */
    try: async (shape: Shape, length: number): Promise<Result> =>
      'call' in shape ? verified(shape.call, shape.args(length)) : (await gatewayOf(shape.logged === true)).try(shape, Buffer.from(shape.body(length))),
    async dispose() {
      for (const gateway of gateways.values()) await (await gateway).dispose();
      if (folder) rmSync(folder, { recursive: true });
    },
  };
}

/** Builds the Worker that reports the memory of its engine. Returns its folder. The engine's JavaScript is in the build folder of the Worker. */
async function hostileWorker(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'epcis-hostile-'));
  // Only the stamp tells which build is the last one.
  const profile = existsSync(join(root, 'target/stamps/worker.release')) ? 'release' : 'serve';
  await build({
    entryPoints: [join(root, 'bench/hostile/worker.ts')],
    bundle: true,
    format: 'esm',
    logLevel: 'warning',
    alias: { engine: join(root, 'target/worker', profile, 'epcis_edge.js') },
    external: ['./index_bg.wasm', 'cloudflare:*'],
    outfile: join(folder, 'index.js'),
  });
  copyFileSync(join(root, 'worker/build/index_bg.wasm'), join(folder, 'index_bg.wasm'));
  return folder;
}

/** Calls a function of verifier.ts in a process of its own. The result is that of `try`. */
function verified(call: Call, args: unknown[]): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const child = fork(join(root, 'bench/hostile/verifier.ts'), { serialization: 'advanced' });
  child.once('message', (result) => resolve(result as Result));
  child.once('error', reject);
  child.once('exit', (code) => reject(new Error(`the verifier ended with ${code}`)));
  child.send({ call, args });
  return promise;
}

async function startOne(folder: string | undefined, bindings: Readonly<Record<string, string>>) {
  const data = folder === undefined ? mkdtempSync(join(tmpdir(), 'epcis-hostile-')) : undefined;
  const begun = async () => {
    const place = folder === undefined ? { persistTo: data } : { build: folder };
    const gateway = await start({ BASE_URL: 'http://127.0.0.1', RATE_LIMIT: 'off', ...bindings }, place);
    return { ...gateway, database: await database(gateway.gateway), ...(data ? ofServer(gateway.process.pid) : ofWorkerd(gateway.address)) };
  };
  let gateway = await begun();
  /** Begins with a fresh engine, or a fresh process of the server. */
  const anew = async () => {
    if (!data) return send(gateway.address, { method: 'GET', path: '/hostile/anew' });
    await gateway.dispose();
    gateway = await begun();
  };
  let accounts = 0;
  /** A key of an account without events. Capturing a body twice would measure the handling of duplicates. */
  const newKey = () =>
    makeKey(gateway.database, { account: `https://example.com/accounts/hostile/${accounts++}`, observer: 'https://id.gs1.org/417/9521141000009' });
  const key = await newKey();
  let isFilled = false;
  return {
    /**
     * Tries one body with a fresh engine. The time is the time until the
     * answer, or the processor time of workerd if that is less, because other work then delayed it.
     */
    async try({ path, mediaType, keyed, headers: more, follow, stored, verify }: SentShape, body: Uint8Array): Promise<Result> {
      if (stored && !isFilled) {
        isFilled = true;
        const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
        const filled = await send(gateway.address, { method: 'POST', path: '/capture', headers }, Buffer.from(stored(4 << 20)));
        if (filled.status !== 202) throw new Error(`the store was not filled: ${filled.status} ${filled.body}`);
      }
      await anew();
      const { memory, worked } = gateway;
      const bearer = keyed && !stored ? await newKey() : key;
      const headers: Readonly<Record<string, string>> = { ...more, 'content-type': mediaType, ...(keyed ? { authorization: `Bearer ${bearer}` } : {}) };
      const timed = async (request: Asked, body?: Uint8Array) => {
        const before = worked();
        const began = performance.now();
        const answer = await send(gateway.address, request, body);
        return { answer, milliseconds: Math.min(performance.now() - began, worked() - before) };
      };
      let { answer, milliseconds } = await timed({ method: 'POST', path, headers }, body);
      const { location } = answer.headers;
      if (follow && answer.status < 300) {
        const { authorization = '' } = headers;
        const { question, path } = follow(answer);
        const asked: [request: Asked, body?: Uint8Array] =
          question === undefined ? [{ method: 'GET', path, headers: { authorization } }] : [{ method: 'POST', path, headers }, Buffer.from(question)];
        ({ answer, milliseconds } = await timed(...asked));
        // A leaf comes seconds after the capture.
        for (let tries = 0; path.startsWith('/log/') && answer.status === 404 && tries < 300; tries += 1) {
          await setTimeout(100);
          ({ answer, milliseconds } = await timed(...asked));
        }
        if (verify && answer.status === 200) {
          const get = async (path: string) => (await send(gateway.address, { method: 'GET', path, headers: { authorization } })).body;
          const policy = (await get('/log/policy')).toString();
          if (verify === 'verifyProofs') return verified(verify, [answer.body, policy]);
          const isText = answer.headers['content-type']?.startsWith('text/');
          return verified(verify, [await get(location ?? ''), isText ? answer.body.toString() : answer.body, policy]);
        }
      }
      return { status: answer.status, type: typeOf(answer), milliseconds, memory: await memory(), answered: answer.body.length };
    },
    async dispose() {
      await gateway.dispose();
      if (data) rmSync(data, { recursive: true });
    },
  };
}

/** The memory of the engine in workerd, and the processor time of workerd. */
const ofWorkerd = (address: URL) => ({
  memory: async (): Promise<number> => JSON.parse((await send(address, { method: 'GET', path: '/hostile/memory' })).body.toString()),
  worked: processorTime('workerd'),
});

/** The memory of a server at most, above that at rest, and its processor time. */
function ofServer(pid: number) {
  const status = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
  const atRest = status('VmRSS');
  return { memory: async () => status('VmHWM') - atRest, worked: processorTime('epcis-edge-serv') };
}

/**
 * Returns a function for the processor time, in milliseconds and steps of ten, of all child processes with this name. If the
 * system does not report it, the function returns the clock time.
 */
function processorTime(name: string) {
  const stat = (process: string) => {
    try {
      // The name is in parentheses and may contain spaces. After it come the state, the parent, and from the twelfth field on the times.
      const [, named, rest = ''] = /^\d+ \((.*)\) (.*)/s.exec(readFileSync(`/proc/${process}/stat`, 'utf8')) ?? [];
      const fields = rest.split(' ');
      return { named, parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) };
    } catch {
      return undefined;
    }
  };
  const processes = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  const ours = processes.filter((process) => {
    const found = stat(process);
    return found?.parent === globalThis.process.pid && found.named === name;
  });
  if (ours.length === 0) return () => performance.now();
  return () => ours.reduce((sum, process) => sum + (stat(process)?.ticks ?? 0), 0) * 10;
}

/** The type that an answer states; undefined if it states none. */
function typeOf({ status, headers, body }: Answer): string | number | undefined {
  // A capture through the REST binding answers with the location of its job only.
  if (status === 202 && body.length === 0 && headers.location) return 'a job';
  if (status === 200 && /^(text\/plain|application\/cose)\b/.test(headers['content-type'] ?? '')) return 'a proof';
  if (!/^application\/(json|problem\+json)/.test(headers['content-type'] ?? '')) return undefined;
  let answer: {
    readonly jsonrpc?: string;
    readonly type?: string;
    readonly error?: { readonly code: number };
    readonly result?: { readonly structuredContent?: { readonly type?: string } };
  };
  try {
    answer = JSON.parse(body.toString());
  } catch {
    return undefined;
  }
  if (answer.jsonrpc === '2.0') return answer.error?.code ?? answer.result?.structuredContent?.type ?? (answer.result && 'a result');
  return answer.type;
}

/** Why an endpoint must not give such an answer; undefined if the answer is acceptable. */
export function fault({ status, type, memory }: Pick<Result, 'status' | 'type' | 'memory'>): string | undefined {
  if (status >= 500) return `status ${status}`;
  if (type === undefined || type === '') return 'an answer without a type';
  if (type === 'epcisException:ImplementationException') return `an unexpected fault`;
  if (memory > MAX_MEMORY) return `${(memory / 1e6).toFixed(0)} MB of memory`;
  return undefined;
}
