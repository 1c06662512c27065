// The HTTP front of workerd in `make serve`.
//
// Why is it needed?
// Miniflare answers requests that it does not understand (`GET *`, an invalid host, a header of its own) with a stack trace and
// paths of this machine. It waits for an announced body without a time limit, and serves the bucket of documents below
// `/cdn-cgi/` to anyone without a key. Cloudflare does none of this. So Node parses every request first. Requests that Node
// refuses, and error pages of Miniflare, are answered in the gateway's form: as a problem document.
import http from 'node:http';
import net from 'node:net';
import type { Duplex } from 'node:stream';

/** The maximum length of a request head. It exceeds what the gateway itself refuses with a better answer. */
const MAX_HEAD = 64 * 1024;
/** How long a client may send nothing in the middle of a request, in milliseconds. */
const PATIENCE = 30_000;
/** How long a whole request may take to arrive, in milliseconds. */
const WHOLE = 10 * 60_000;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** Hop-by-hop headers, which are not forwarded (RFC 9110, 7.6.1). */
const OF_NEIGHBOURS = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
];
/** Paths that Miniflare answers itself. */
const OF_MINIFLARE = /^\/(cdn-cgi|__cf_local)(\/|$)/i;

/** A refusal in the gateway's form: a problem document and headers. */
interface Refusal {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

function problemOf(status: number, exception: string, title: string, detail: string, headers: Record<string, string> = {}): Refusal {
  const body = `${JSON.stringify({ type: `epcisException:${exception}`, title, status, detail })}\n`;
  return {
    status,
    body,
    headers: {
      'content-type': 'application/problem+json',
      'content-length': String(Buffer.byteLength(body)),
      'access-control-allow-origin': '*',
      ...headers,
    },
  };
}

const malformed = (detail: string): Refusal => problemOf(400, 'ValidationException', 'Malformed request', detail);
const unknownMethod = (method: string | undefined): Refusal =>
  problemOf(405, 'ImplementationException', 'Method not allowed', `the method \`${method}\` is not supported`, { allow: METHODS.join(', ') });
const tooSlow = () => problemOf(408, 'ImplementationException', 'Request Timeout', 'the rest of the request did not come in time', { connection: 'close' });
const fault = () => problemOf(500, 'ImplementationException', 'Unexpected fault', 'the gateway could not answer; its log says why');
const away = () => problemOf(503, 'ImplementationException', 'Not ready', 'the gateway does not answer for now', { 'retry-after': '1' });
const broken = () =>
  problemOf(502, 'ImplementationException', 'No answer', 'the gateway stopped before it answered: it is not known whether the request was processed');

/** The refusal for an error of Node's parser. */
function ofParser(error: NodeJS.ErrnoException): Refusal {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return tooSlow();
  if (error.code === 'HPE_HEADER_OVERFLOW')
    return problemOf(431, 'ImplementationException', 'Request head too large', `the request line and headers are longer than ${MAX_HEAD} bytes`);
  if (error.code === 'HPE_INVALID_METHOD')
    return problemOf(501, 'ImplementationException', 'Method not implemented', 'the request does not begin with an HTTP method');
  return malformed('this is not an HTTP/1.1 request');
}

/** Writes a refusal directly to a socket that has no response object. */
function written(socket: Duplex, { status, body, headers }: Refusal): void {
  // A socket passed to a handler has no other error listener: without this one, a client that disconnects would end the process.
  socket.on('error', () => socket.destroy());
  if (!socket.writable) return void socket.destroy();
  const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  // A client that does not read the answer is cut off.
  if (socket instanceof net.Socket) socket.setTimeout(1000, () => socket.destroy());
}

type Target = { readonly host: string; readonly path: string; readonly refusal?: never } | { readonly refusal: Refusal };

/** The path and the host of a request, or a refusal. */
function targetOf({ method = '', url = '', rawHeaders, httpVersion }: http.IncomingMessage, port: number): Target {
  if (!METHODS.includes(method)) return { refusal: unknownMethod(method) };
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts > 1) return { refusal: malformed(`there are ${hosts} Host headers, expected one`) };
  if (hosts === 0 && httpVersion !== '1.0') return { refusal: malformed('there is no Host header') };
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  let host = rawHeaders[at < 0 ? -1 : at + 1] ?? `127.0.0.1:${port}`;
  let path = url;
  // A request to a proxy names the host in its target (RFC 9112, 3.2.2).
  const [, named, rest = ''] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url) ?? [];
  if (named !== undefined) [host, path] = [named, rest.startsWith('/') ? rest : `/${rest}`];
  if (!/^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(host) || !URL.canParse(`http://${host}/`))
    return { refusal: malformed('the Host header is not a host name') };
  if (!path.startsWith('/')) return { refusal: malformed('the request has `*` or no path, expected a path that begins with /') };
  if (!URL.canParse(`http://${host}${path}`)) return { refusal: malformed('the path cannot be read') };
  if (OF_MINIFLARE.test(new URL(`http://${host}${path}`).pathname))
    return { refusal: problemOf(404, 'NoSuchResourceException', 'Resource not found', 'there is no such resource') };
  return { host, path };
}

/** An answer to a request that Node has parsed. */
type Response = http.ServerResponse & { readonly req: http.IncomingMessage };

/** The headers of a request or an answer to forward. Headers of Miniflare's own are dropped. */
function handedOn(rawHeaders: readonly string[]): string[] {
  const named = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'connection');
  const dropped = new Set([...OF_NEIGHBOURS, ...named.flatMap((value) => value.toLowerCase().split(/\s*,\s*/))]);
  // Needed to know where the body ends.
  dropped.delete('content-length');
  const headers: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [given = '', value = ''] = rawHeaders.slice(at, at + 2);
    const name = given.toLowerCase();
    const isNobodys = dropped.has(name) || name.startsWith('mf-') || name === 'host';
    // Miniflare has its own refusal for clients that do not accept unencoded answers.
    const isRefusing = name === 'accept-encoding' && /(identity|\*)\s*;\s*q\s*=\s*0(\.0*)?\s*(,|$)/i.test(value);
    if (!isNobodys && !isRefusing) headers.push(given, value);
  }
  return headers;
}

/** Whether an answer is Miniflare's own: the gateway refuses with JSON. */
function isForeign({ statusCode = 0, headers }: http.IncomingMessage): boolean {
  const type = headers['content-type'] ?? '';
  return statusCode >= 500 ? !/^application\/([\w.+-]+\+)?json\b/i.test(type) : statusCode >= 400 && /^text\/(plain|html)\b/i.test(type);
}

/**
 * A connection to workerd. If workerd closes it after an answer, for instance that the body is too long, further writes fail.
 * These errors are ignored, so that the answer can still be read.
 */
function connected({ hostname, port }: URL): net.Socket {
  const socket = net.connect(Number(port), hostname);
  for (const name of ['_write', '_writev'] as const) {
    const own = socket[name]?.bind(socket) as (...args: unknown[]) => void;
    socket[name] = (...args: unknown[]) => {
      const done = args.pop() as (error?: Error | null) => void;
      own(...args, (error?: NodeJS.ErrnoException | null) => done(['EPIPE', 'ECONNRESET'].includes(error?.code ?? '') ? null : error));
    };
  }
  return socket;
}

interface Front {
  readonly to: URL;
  readonly port?: number;
  readonly log?: (message: string) => void;
  readonly patience?: number;
}

/**
 * Starts the front of the gateway at an address. `port` of loopback is listened on; 0 is a free port. `log` receives messages for the operator
 * about faults that callers do not see. `patience` is how long a client may send nothing in the middle of a request, in milliseconds.
 */
export async function startFront({ to, port = 0, log = () => {}, patience = PATIENCE }: Front): Promise<{ address: URL; close(): Promise<void> }> {
  const server = http.createServer(
    {
      maxHeaderSize: MAX_HEAD,
      headersTimeout: patience,
      requestTimeout: WHOLE,
      connectionsCheckingInterval: Math.min(patience, 5000),
      requireHostHeader: false,
    },
    answer,
  );

  const portOf = (): number => (server.address() as net.AddressInfo).port;

  /** Sends a refusal and closes the connection; the rest of the request is ignored. */
  function refuse(response: Response, { status, body, headers }: Refusal): void {
    if (response.headersSent) return void response.destroy();
    response.writeHead(status, { ...headers, connection: 'close' });
    response.end(response.req.method === 'HEAD' ? undefined : body);
  }

  function answer(request: http.IncomingMessage, response: Response): void {
    const target = targetOf(request, portOf());
    if (target.refusal) {
      request.resume();
      return void refuse(response, target.refusal);
    }
    const headers = handedOn(request.rawHeaders);
    headers.push('Host', target.host);
    if (request.headers['cf-connecting-ip'] === undefined) headers.push('CF-Connecting-IP', request.socket.remoteAddress ?? '127.0.0.1');
    const hasBody = request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
    if (hasBody && request.headers['content-length'] === undefined) headers.push('Transfer-Encoding', 'chunked');
    const onward = http.request({
      hostname: to.hostname,
      port: to.port,
      method: request.method,
      path: target.path,
      headers,
      setHost: false,
      createConnection: () => connected(to),
    });
    let isSent = false;
    let isAnswered = false;
    let isOver = false;
    let timer: NodeJS.Timeout | undefined;
    /** Ends the exchange once it is answered or the client is gone; the rest of the request is read and dropped. */
    const end = (refusal?: Refusal): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      onward.destroy();
      request.removeAllListeners('data').resume();
      if (refusal) refuse(response, refusal);
    };
    const watch = () => {
      clearTimeout(timer);
      timer = setTimeout(() => end(tooSlow()), patience);
    };
    onward.on('socket', (socket) => socket.once('connect', () => (isSent = true)));
    onward.on('error', (error) => {
      // An answer may come before the whole body was accepted; errors for the rest of the body do not matter then.
      if (isOver || isAnswered) return;
      log(`${request.method} ${target.path.slice(0, 200)}: workerd: ${error.message}`);
      end(isSent ? broken() : away());
    });
    onward.on('response', (given) => {
      clearTimeout(timer);
      if (isForeign(given)) {
        log(`${request.method} ${target.path.slice(0, 200)}: answered ${given.statusCode} with an answer that is not the gateway's`);
        given.resume();
        return end((given.statusCode ?? 0) >= 500 ? fault() : malformed('the request could not be read'));
      }
      isAnswered = true;
      request.removeAllListeners('data').resume();
      response.writeHead(given.statusCode ?? 502, handedOn(given.rawHeaders));
      given.pipe(response);
      given.on('error', () => response.destroy());
    });
    // A client that leaves is not answered.
    response.on('close', () => end());
    response.on('error', () => end());
    if (!hasBody) return void onward.end();
    // The gateway may refuse the request by its head alone.
    onward.flushHeaders();
    watch();
    request.on('data', (chunk) => {
      clearTimeout(timer);
      request.pause();
      onward.write(chunk, () => {
        // Until now the gateway was slow, not the client.
        if (isOver || isAnswered) return;
        watch();
        request.resume();
      });
    });
    request.on('end', () => {
      clearTimeout(timer);
      if (!isOver && !isAnswered) onward.end();
    });
    request.on('error', () => end());
  }

  server.on('connect', (request, socket) => written(socket, unknownMethod(request.method)));
  server.on('checkExpectation', (request, response) => {
    request.resume();
    refuse(response, problemOf(417, 'ImplementationException', 'Expectation failed', 'the only supported expectation is 100-continue'));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => (error.code === 'ECONNRESET' ? socket.destroy() : written(socket, ofParser(error))));

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    address: new URL(`http://127.0.0.1:${portOf()}`),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
