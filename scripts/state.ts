// Folders that only one process may use at a time. The state of a gateway is one: KV and R2 of Miniflare are not coordinated across
// processes.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { realpathSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The longest socket path that every system accepts. */
const MAX_PATH = 100;

/** The socket of a folder. It stops answering when its process ends, so a leftover file without an answer means nothing. */
function socketOf(folder: string): string {
  const path = realpathSync(folder);
  const inside = join(path, 'gateway.sock');
  if (Buffer.byteLength(inside) <= MAX_PATH) return inside;
  return join(tmpdir(), `epcis-edge-${createHash('sha256').update(path).digest('hex').slice(0, 16)}.sock`);
}

async function answers(socket: string): Promise<boolean> {
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

/** Claims a folder for this process. Returns a function that releases it; undefined if another process has it. */
export async function claim(folder: string): Promise<(() => void) | undefined> {
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
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      if (await answers(socket)) return undefined;
      rmSync(socket, { force: true });
    }
  }
  return undefined;
}
