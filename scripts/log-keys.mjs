// Keys of the transparency log: made here, of random bytes, in the form that notes have (C2SP signed-note).
import { createHash, generateKeyPairSync } from 'node:crypto';

/** What a key signs, by the byte that stands before it. */
const TYPES = { log: 1, witness: 4 };

/**
 * A new key of a log or a witness.
 *
 * @param kind `log` or `witness`
 * @param name the origin of the log, or the name of the witness: host and path
 * @returns `{ skey, vkey }`: what signs, to be kept secret, and what verifies
 */
export function makeLogKey(kind, name) {
  if (!/^[^\s+]+$/.test(name)) throw new Error(`${name} is no name of a key, expected no white space and no +`);
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const [seed, key] = [d, x].map((text) => Buffer.from(text, 'base64url'));
  const type = Buffer.from([TYPES[kind]]);
  const id = createHash('sha256').update(`${name}\n`).update(type).update(key).digest('hex').slice(0, 8);
  const text = (bytes) => Buffer.concat([type, bytes]).toString('base64');
  return { skey: `PRIVATE+KEY+${name}+${id}+${text(seed)}`, vkey: `${name}+${id}+${text(key)}` };
}
