// The door of the operator of a gateway over objects, for `npm run export`, `restore` and `move`: what `wrangler d1` is for D1. It is there
// only if the deployment has the secret OPERATOR_KEY.
import { type Env, objectOf, type Statement } from './account.ts';

const PATH = '/operator';

/** The longest body, in bytes: a call of an object takes 32 MiB at most. */
const MAX_BODY = 24 << 20;

/** The fewest characters of the secret. */
const MIN_KEY = 32;

const problem = (status: number, type: string, detail: string): Response =>
  new Response(`${JSON.stringify({ type: `epcisException:${type}`, title: 'Refused', status, detail })}\n`, {
    status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
  });

const digest = (text: string): Promise<ArrayBuffer> => crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));

/** Whether the request has the secret. Digests are compared, so that the time tells nothing of it. */
async function isOperator(request: Request, key: string): Promise<boolean> {
  const given = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1] ?? '';
  const [one, other] = await Promise.all([digest(given), digest(key)]);
  return crypto.subtle.timingSafeEqual(one, other);
}

/** The text of a body; undefined if it is too long. */
async function textOf(request: Request): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > MAX_BODY) return undefined;
    chunks.push(chunk);
  }
  return await new Blob(chunks).text();
}

/** The rows of each statement, `[text, values]`, run in the directory. */
async function inDirectory({ DB }: Env, statements: readonly Statement[]): Promise<string> {
  const all = await DB.batch(statements.map(([text, values]) => DB.prepare(text).bind(...values)));
  return JSON.stringify(all.map(({ results }) => results));
}

/** What the operator asks of an object, `a7`, `log` or `directory`: one of these three. */
interface Asked {
  readonly object: string;
  /** Answered with the rows of each. */
  readonly statements?: readonly Statement[];
  /** A bookmark, or milliseconds since 1970; answered with the bookmark that undoes it. */
  readonly restore?: string | number;
  /** Answered with its bytes. */
  readonly size?: true;
}

/** Answers a request of the operator. Returns undefined for any other request. */
export async function operate(request: Request, env: Env): Promise<Response | undefined> {
  if (new URL(request.url).pathname !== PATH || !env.OPERATOR_KEY) return undefined;
  if (env.OPERATOR_KEY.length < MIN_KEY) return problem(500, 'ImplementationException', `the secret OPERATOR_KEY is shorter than ${MIN_KEY} characters`);
  if (!(await isOperator(request, env.OPERATOR_KEY))) return problem(401, 'SecurityException', 'expected Authorization: Bearer and the secret OPERATOR_KEY');
  if (request.method !== 'POST') return problem(405, 'ImplementationException', `found ${request.method}, expected POST`);
  const text = await textOf(request);
  if (text === undefined) return problem(413, 'CaptureLimitExceededException', `the body is longer than ${MAX_BODY} bytes`);
  try {
    const { object, ...asked }: Asked = JSON.parse(text);
    const { statements, restore, size } = asked;
    if (Object.keys(asked).length !== 1 || (statements ?? restore ?? size) === undefined || !/^(log|directory|a[1-9][0-9]{0,6})$/.test(object)) {
      return problem(400, 'ValidationException', 'expected an object, a7, log or directory, and one of statements, restore and size');
    }
    if (object === 'directory') {
      if (statements !== undefined) return new Response(await inDirectory(env, statements));
      return problem(400, 'ValidationException', 'the directory is D1: wrangler d1 info and wrangler d1 time-travel are for it');
    }
    const there = objectOf(env, object);
    if (statements !== undefined) return new Response(await there.run(statements));
    return Response.json(restore === undefined ? await there.size() : await there.restore(restore));
  } catch (error) {
    return problem(400, 'ValidationException', `${(error as Error).message}`);
  }
}
