// Keys of the transparency log: made here, of random bytes, in the form that notes have (C2SP signed-note).
import { createHash, generateKeyPairSync } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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

/**
 * The keys of a gateway that serves itself, made when it has none: they stay with what is stored, since the origin of a log never
 * changes, whatever the address does.
 *
 * @param folder where they are kept, in `log-keys.json`, readable by its owner alone
 * @param address of the gateway, whose host names the keys that are made
 * @returns `{ log, witness }`, each as {@link makeLogKey} gives it
 */
export function keptLogKeys(folder, address) {
  const file = join(folder, 'log-keys.json');
  if (!existsSync(file)) {
    const { host } = new URL(address);
    const made = { log: makeLogKey('log', `${host}/log`), witness: makeLogKey('witness', `${host}/witness`) };
    // A link that leads nowhere is not followed.
    writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  }
  chmodSync(file, 0o600);
  return JSON.parse(readFileSync(file, 'utf8'));
}
