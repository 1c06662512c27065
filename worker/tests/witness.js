// A witness for tests of a log that asks one: it cosigns what its log has signed, from the size that it cosigned last. It does not
// check that a tree continues the one before it.
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import http from 'node:http';
import { makeLogKey } from '../../scripts/log-keys.ts';

/** The last part of a key of a note, without the byte of its type. */
const bytesOf = (key) =>
  Buffer.from(
    key
      .split('+')
      .slice(key.startsWith('PRIVATE+') ? 4 : 2)
      .join('+'),
    'base64',
  ).subarray(1);
const der = (prefix, bytes, type) => ({ key: Buffer.concat([Buffer.from(prefix, 'hex'), bytes]), format: 'der', type });

/** Serves what `answer(body, response)` answers to POST requests, on a free port unless one is named. */
export async function serving(answer, port = 0) {
  const server = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text) => (body += text));
    request.on('end', () => answer(body, response));
  });
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => (server.closeAllConnections(), server.close()) };
}

/** A witness of the log with this key: `{line, url, close}`, where `line` is its line in a policy. */
export async function witnessOf(vkey, name = 'W') {
  const key = makeLogKey('witness', `${name.toLowerCase()}.example.com/witness`);
  const signing = createPrivateKey(der('302e020100300506032b657004220420', bytesOf(key.skey), 'pkcs8'));
  const logKey = createPublicKey(der('302a300506032b6570032100', bytesOf(vkey), 'spki'));
  let last = 0;
  const served = await serving((body, response) => {
    const [head, text, signatures] = body.split('\n\n');
    const size = Number(text.split('\n')[1]);
    const signature = Buffer.from(signatures.split('\n')[0].split(' ')[2], 'base64').subarray(4);
    if (!verify(null, Buffer.from(`${text}\n`), logKey, signature)) return response.writeHead(403).end();
    if (Number(/^old (\d+)/.exec(head)[1]) !== last || size < last) return response.writeHead(409, { 'content-type': 'text/x.tlog.size' }).end(`${last}\n`);
    last = size;
    const seconds = Math.floor(Date.now() / 1000);
    const time = Buffer.alloc(8);
    time.writeBigUInt64BE(BigInt(seconds));
    const [cosigner, id] = key.vkey.split('+');
    const cosigned = sign(null, Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}\n`), signing);
    return response.end(`— ${cosigner} ${Buffer.concat([Buffer.from(id, 'hex'), time, cosigned]).toString('base64')}\n`);
  });
  return { ...served, line: `witness ${name} ${key.vkey} ${served.url}` };
}
