// A separate PostgreSQL for the tests. It uses a temporary folder and a free loopback port, and ends with this process.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isOn } from '../../scripts/given.ts';
import { connect } from '../../scripts/postgres.ts';
import { freePort } from '../../worker/tests/port.js';

const USER = 'epcis';

/** The paths of the programs, or the reason why they are missing; with `citus.sh`, of those of Citus. */
export function programs(name = 'postgres.sh') {
  try {
    const script = fileURLToPath(new URL(`../../scripts/${name}`, import.meta.url));
    const lines = execFileSync(script, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    const [postgres, initdb] = lines.trim().split('\n');
    return { postgres, initdb };
  } catch (error) {
    if (isOn('EPCIS_EDGE_REQUIRE_POSTGRES')) throw error;
    return {
      missing: `${name === 'citus.sh' ? 'Citus' : 'PostgreSQL'} is not here and cannot be installed: ${String(error.stderr ?? error.message)
        .trim()
        .split('\n')
        .slice(-2)
        .join(' ')}`,
    };
  }
}

/** The user that runs the server: PostgreSQL does not run as root. */
export function owner() {
  if (process.getuid() !== 0) return {};
  const idOf = (name, flag) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  for (const name of ['postgres', 'nobody']) {
    try {
      return { uid: idOf(name, '-u'), gid: idOf(name, '-g') };
    } catch {
      // Try the next one.
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is neither a user postgres nor nobody');
}

/** The reason why no file system can be mounted here, or `undefined` if one can. */
export function cannotMount() {
  const folder = mkdtempSync(join(tmpdir(), 'epcis-mount-'));
  try {
    mountMemory(folder, 1_000_000);
    execFileSync('umount', [folder], { stdio: 'ignore' });
    return undefined;
  } catch (error) {
    return `a file system of its own cannot be mounted: ${String(error.stderr || error.message).trim()}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const mountMemory = (folder, bytes) =>
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=0755`, 'epcis-edge', folder], { stdio: ['ignore', 'ignore', 'pipe'] });

/** A disk of this many bytes: a real file system in memory. `dispose` unmounts it. */
function smallDisk(folder, bytes, as) {
  mkdirSync(folder);
  mountMemory(folder, bytes);
  let isMounted = true;
  const dispose = () => {
    if (isMounted) execFileSync('umount', ['--lazy', folder], { stdio: 'ignore' });
    isMounted = false;
  };
  // Unmounted even if something fails below.
  process.once('exit', dispose);
  if (as.uid !== undefined) chownSync(folder, as.uid, as.gid);
  const ballast = join(folder, 'ballast');
  return {
    /** Fills the disk, leaving this many bytes free. */
    fill(left) {
      const { bavail, bsize } = statfsSync(folder);
      writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - left)), { flag: 'a' });
    },
    /** The number of free bytes. */
    free() {
      const { bavail, bsize } = statfsSync(folder);
      return bavail * bsize;
    },
    /** Frees everything that `fill` took. */
    relieve: () => rmSync(ballast, { force: true }),
    dispose,
  };
}

/**
 * Starts a PostgreSQL, by the programs `found`. `settings` are its own, and `isDurable` makes it wait for the disk. With `diskBytes`, its data is on a small disk,
 * returned as `disk` (see `smallDisk` and `cannotMount`); with `isWalApart`, its write-ahead log is not.
 *
 * `address(database)` returns an address. `kill()` ends it with SIGKILL, `start()` starts it again on its port, and `isRunning()` tells
 * whether it is running.
 */
export async function startPostgres({ found = programs(), settings = {}, isDurable = false, diskBytes, isWalApart = false } = {}) {
  if (found.missing) throw new Error(found.missing);
  const folder = mkdtempSync(join(tmpdir(), 'epcis-postgres-'));
  const as = owner();
  if (as.uid !== undefined) chownSync(folder, as.uid, as.gid);
  const disk = diskBytes === undefined ? undefined : smallDisk(join(folder, 'disk'), diskBytes, as);
  const data = join(folder, disk ? 'disk/data' : 'data');
  const options = { ...as, cwd: folder, env: { ...process.env, LC_ALL: 'C.UTF-8', TZ: 'UTC' } };
  const places = ['-D', data, ...(isWalApart ? ['--waldir', join(folder, 'wal')] : [])];
  execFileSync(found.initdb, [...places, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync', '--no-instructions'], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const port = await freePort();
  const address = (database) => `postgres://${USER}@127.0.0.1:${port}/${database}`;
  const configured = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '256MB',
    max_wal_size: '4GB',
    // Rare checkpoints: pages that captures keep changing are not written again and again.
    checkpoint_timeout: '15min',
    ...(isDurable ? {} : { fsync: 'off', full_page_writes: 'off' }),
    ...settings,
  };
  const log = join(folder, 'log');
  let child;
  const spawned = () => {
    const output = openSync(log, 'a');
    const given = Object.entries(configured).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    child = spawn(found.postgres, ['-D', data, '-p', String(port), ...given], { ...options, stdio: ['ignore', output, output] });
    closeSync(output);
    child.unref();
  };
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const start = async () => {
    spawned();
    for (let n = 0; ; n += 1) {
      try {
        const client = await connect(address('postgres'));
        return await client.end();
      } catch (error) {
        const said = readFileSync(log, 'utf8').slice(-2000);
        if (n === 6000) throw new Error(`PostgreSQL did not start: ${error.message}\n${said}`);
        // The processes of a PostgreSQL that was killed may end after it, and no other starts before that.
        if (!isRunning() && said.includes('is still in use')) spawned();
        await setTimeout(50);
      }
    }
  };
  const kill = async () => {
    if (!isRunning()) return;
    const exit = once(child, 'exit');
    // Waited for, even if nothing else keeps this process running.
    child.ref();
    child.kill('SIGKILL');
    await exit;
  };
  const dispose = () => {
    child?.kill('SIGKILL');
    disk?.dispose();
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    } catch (error) {
      // At the end of the process other servers have to be disposed of, too.
      console.error(`${folder} is left: ${error.message}`);
    }
  };
  process.once('exit', dispose);
  // If this process is ended from outside, PostgreSQL ends too.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  try {
    await start();
  } catch (error) {
    dispose();
    throw error;
  }
  return { address, log, kill, start, isRunning, disk };
}
