// The folder of a gateway's state, which one gateway at a time has: KV and R2 of Miniflare do not know of each other across processes.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { realpathSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The longest path of a socket that every system takes. */
const MAX_PATH = 100;

/** A socket lives no longer than its process, however that ends; so a file that is left tells nothing, and one that answers does. */
function socketOf(folder) {
  const path = realpathSync(folder);
  const inside = join(path, 'gateway.sock');
  if (Buffer.byteLength(inside) <= MAX_PATH) return inside;
  return join(tmpdir(), `epcis-edge-${createHash('sha256').update(path).digest('hex').slice(0, 16)}.sock`);
}

async function answers(socket) {
  const client = connect(socket);
  try {
    await once(client, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    client.destroy();
  }
}

/**
 * Takes a folder for this process.
 *
 * @returns what gives it back; nothing where another process has it
 */
export async function claim(folder) {
  const socket = socketOf(folder);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const server = createServer((client) => client.destroy());
    try {
      server.listen(socket);
      await once(server, 'listening');
      server.unref();
      return () => {
        server.close();
        rmSync(socket, { force: true });
      };
    } catch (error) {
      if (error.code !== 'EADDRINUSE') throw error;
      if (await answers(socket)) return undefined;
      rmSync(socket, { force: true });
    }
  }
  return undefined;
}
