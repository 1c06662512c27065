// Keys of the transparency log, made from random bytes in the format of notes (C2SP signed-note).
import { createHash, generateKeyPairSync } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The signature types: the byte before a key. */
const TYPES = { log: 1, witness: 4 };

/**
 * A new key of a log or a witness.
 *
 * @param kind `log` or `witness`
 * @param name the origin of the log, or the name of the witness: host and path
 * @returns `{ skey, vkey }`: the secret signing key, and the key to verify with
 */
export function makeLogKey(kind, name) {
  if (!/^[^\s+]+$/.test(name)) throw new Error(`the name of a key is ${name}, expected one without white space or +`);
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const [seed, key] = [d, x].map((text) => Buffer.from(text, 'base64url'));
  const type = Buffer.from([TYPES[kind]]);
  const id = createHash('sha256').update(`${name}\n`).update(type).update(key).digest('hex').slice(0, 8);
  const text = (bytes) => Buffer.concat([type, bytes]).toString('base64');
  return { skey: `PRIVATE+KEY+${name}+${id}+${text(seed)}`, vkey: `${name}+${id}+${text(key)}` };
}

/**
 * The key of the log of a self-hosted gateway, created if it has none. It is stored with its data, since the origin of a log never
 * changes, even if the address does.
 *
 * @param folder the folder of `log-keys.json`, which only its owner can read
 * @param address the address of the gateway, whose host becomes the name of a new key
 * @returns as {@link makeLogKey}
 */
export function keptLogKey(folder, address) {
  const file = join(folder, 'log-keys.json');
  if (!existsSync(file)) {
    const { host } = new URL(address);
    const made = { log: makeLogKey('log', `${host}/log`) };
    // With `wx`, a dangling link is not followed.
    writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  }
  chmodSync(file, 0o600);
  return JSON.parse(readFileSync(file, 'utf8')).log;
}
