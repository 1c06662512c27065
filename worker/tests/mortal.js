// A gateway in a separate process, over the store of a folder. Its workerd, or its server, can be killed.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The workerd, or the server, that a process of ours started. */
function workerdOf(parent) {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,comm='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  const found = lines.filter(([, ppid, name]) => Number(ppid) === parent && /workerd|^epcis-edge/.test(name));
  assert.equal(found.length, 1, 'the host has one');
  return Number(found[0][0]);
}

/**
 * Starts it. `options` are those of `open` that JSON can say; see store.js.
 *
 * Returns its address and key, `kill()` for its workerd or server, and `end()` for the rest.
 */
export async function startMortal(folder, options = {}) {
  const host = spawn(process.execPath, [fileURLToPath(new URL('host.js', import.meta.url)), folder, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  host.stderr.setEncoding('utf8').on('data', (text) => (said = (said + text).slice(-2000)));
  const ended = once(host, 'close').then(() => assert.fail(`the host ended before it served: ${said}`));
  // Later it ends on purpose.
  ended.catch(() => undefined);
  const [line] = await Promise.race([once(createInterface(host.stdout), 'line'), ended]);
  const workerd = workerdOf(host.pid);
  let isKilled = false;
  const kill = () => {
    if (!isKilled) process.kill(workerd, 'SIGKILL');
    isKilled = true;
  };
  const dispose = () => {
    kill();
    host.kill('SIGKILL');
  };
  // Before others, such as one that removes the folder.
  process.prependOnceListener('exit', dispose);
  return {
    ...JSON.parse(line),
    kill,
    async end() {
      process.removeListener('exit', dispose);
      dispose();
      if (host.exitCode === null && host.signalCode === null) await once(host, 'exit');
    },
  };
}
