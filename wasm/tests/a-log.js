// A log made by a test: leaves, tiles, entries and signed heads, computed independently of the engine. Also the servers that
// publish it, correctly or not.
import { createHash, createPrivateKey, sign } from 'node:crypto';
import http from 'node:http';
import { makeLogKey } from '../../scripts/log-keys.ts';

const sha256 = (...pieces) => pieces.reduce((hash, piece) => hash.update(piece), createHash('sha256')).digest();
export const nodeOf = (left, right) => sha256(Buffer.from([1]), left, right);

/** The root over leaf hashes, as defined by RFC 6962. */
export function rootOf(hashes, start = 0, end = hashes.length) {
  if (end === start) return sha256();
  if (end - start === 1) return hashes[start];
  let half = 1;
  while (half * 2 < end - start) half *= 2;
  return nodeOf(rootOf(hashes, start, start + half), rootOf(hashes, start + half, end));
}

/** Functions that sign notes with a secret key in the form of `makeLogKey`. */
function signerOf({ skey }) {
  const [, , name, id, ...rest] = skey.split('+');
  const seed = Buffer.from(rest.join('+'), 'base64').subarray(1);
  const key = createPrivateKey({ key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]), format: 'der', type: 'pkcs8' });
  const line = (bytes) => `— ${name} ${Buffer.concat([Buffer.from(id, 'hex'), bytes]).toString('base64')}\n`;
  return {
    note: (text) => line(sign(null, Buffer.from(text), key)),
    cosignature(text, seconds) {
      const time = Buffer.alloc(8);
      time.writeBigUInt64BE(BigInt(seconds));
      return line(Buffer.concat([time, sign(null, Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`), key)]));
    },
  };
}

export const ORIGIN = 'epcis.example.com/log';

/** A witness, with the name that test policies use. */
export const witnessOf = (name) => ({ name, ...makeLogKey('witness', `${name}.example.com/witness`) });

/** A head of any size and root, signed with a log's key. `cosigned` has a pair `[witness, seconds]` for each cosignature. */
export function headOf(key, size, root, cosigned = []) {
  const text = `${ORIGIN}\n${size}\n${root.toString('base64')}\n`;
  return `${text}\n${signerOf(key).note(text)}${cosigned.map(([witness, seconds]) => signerOf(witness).cosignature(text, seconds)).join('')}`;
}

/** The text of a policy. */
export const policyOf = ({ vkey }, witnesses = [], quorum = 'none') =>
  `log ${vkey}\n${witnesses.map((witness) => `witness ${witness.name} ${witness.vkey}\n`).join('')}quorum ${quorum}\n`;

/** A number as a part of a path: groups of three digits. */
function grouped(number) {
  const groups = [String(number % 1000).padStart(3, '0')];
  for (let rest = Math.floor(number / 1000); rest > 0; rest = Math.floor(rest / 1000)) groups.unshift(`x${String(rest % 1000).padStart(3, '0')}`);
  return groups.join('/');
}

export class ALog {
  entries = [];
  #levels = [[]];

  constructor(key = makeLogKey('log', ORIGIN)) {
    this.key = key;
  }

  get size() {
    return this.entries.length;
  }

  /** A log with the same key and the same leaves. */
  copy() {
    const other = new ALog(this.key);
    for (const entry of this.entries) other.#push(entry);
    return other;
  }

  #push(entry) {
    this.entries.push(entry);
    let hash = sha256(Buffer.from([0]), entry);
    for (let level = 0; ; level += 1) {
      const hashes = (this.#levels[level] ??= []);
      hashes.push(hash);
      if (hashes.length % 256 !== 0) return;
      hash = rootOf(hashes.slice(-256));
    }
  }

  /** Appends leaves with entries as long as a gateway's. */
  grow(count, seed = 'a') {
    for (let n = 0; n < count; n += 1) this.#push(Buffer.concat([Buffer.from('epcis-edge/leaf/v1\n'), sha256(`${seed} ${this.size}`)]));
    return this;
  }

  root(size = this.size) {
    return rootOf(this.#levels[0], 0, size);
  }

  head(size = this.size, cosigned = []) {
    return headOf(this.key, size, this.root(size), cosigned);
  }

  /** All parts of the log at a size, by path. */
  parts(size = this.size) {
    const parts = new Map();
    const bundle = (entries) =>
      Buffer.concat(
        entries.flatMap((entry) => {
          const length = Buffer.alloc(2);
          length.writeUInt16BE(entry.length);
          return [length, entry];
        }),
      );
    for (let level = 0, count = size; count > 0; level += 1, count = Math.floor(count / 256)) {
      for (let start = 0; start < count; start += 256) {
        const end = Math.min(start + 256, count);
        const name = `${grouped(start / 256)}${end - start === 256 ? '' : `.p/${end - start}`}`;
        parts.set(`tile/${level}/${name}`, Buffer.concat(this.#levels[level].slice(start, end)));
        if (level === 0) parts.set(`tile/entries/${name}`, bundle(this.entries.slice(start, end)));
      }
    }
    return parts;
  }
}

/** A server on a free port. `answer(request, response)` returns `[status, body, headers]`, or writes the response itself. */
export async function serving(answer) {
  const asked = [];
  const server = http.createServer(async (request, response) => {
    asked.push(request.url);
    const given = await answer(request.url, response);
    if (given !== undefined) response.writeHead(given[0], given[2]).end(given[1]);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve)));
  return { address: `http://127.0.0.1:${server.address().port}`, asked, close };
}

/**
 * A gateway that publishes a log as its test says.
 *
 * `shown` may be changed at any time: `{ head, policy, parts }`, and `instead(path, response)` for a false answer.
 */
export async function gatewayOf(shown) {
  const server = await serving((url, response) => {
    const path = url.replace(/^\/log\//, '');
    const other = shown.instead?.(path, response);
    if (other !== undefined) return other === 'answered' ? undefined : other;
    if (path === 'checkpoint') return [200, shown.head];
    if (path === 'policy') return [200, shown.policy];
    const part = shown.parts.get(path);
    return part ? [200, part] : [404, '<p>nothing</p>'];
  });
  return { ...server, shown };
}

/** An endless body. */
export function endless(response) {
  response.writeHead(200);
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
  return 'answered';
}
