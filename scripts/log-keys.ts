// Keys of the transparency log, made from random bytes in the format of notes (C2SP signed-note).
import { createHash, generateKeyPairSync } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The signature types: the byte before a key. */
const TYPES = { log: 1, witness: 4 };

/** The secret signing key, and the key to verify with. */
export interface LogKey {
  readonly skey: string;
  readonly vkey: string;
}

/** A new key. `name` is the origin of the log, or the name of the witness: host and path. */
export function makeLogKey(kind: keyof typeof TYPES, name: string): LogKey {
  if (!/^[^\s+]+$/.test(name)) throw new Error(`the name of a key is ${name}, expected one without white space or +`);
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const [seed, key] = [d, x].map((text) => Buffer.from(text ?? '', 'base64url')) as [Buffer, Buffer];
  const type = Buffer.from([TYPES[kind]]);
  const id = createHash('sha256').update(`${name}\n`).update(type).update(key).digest('hex').slice(0, 8);
  const text = (bytes: Buffer): string => Buffer.concat([type, bytes]).toString('base64');
  return { skey: `PRIVATE+KEY+${name}+${id}+${text(seed)}`, vkey: `${name}+${id}+${text(key)}` };
}

/**
 * The key of the log of a self-hosted gateway, created if it has none. It is stored with its data, since the origin of a log never
 * changes, even if the address does.
 *
 * @param folder the folder of `log-keys.json`, which only its owner can read
 * @param address the address of the gateway, whose host becomes the name of a new key
 */
export function keptLogKey(folder: string, address: string): LogKey {
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
