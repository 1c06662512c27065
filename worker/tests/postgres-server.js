// A separate PostgreSQL for the tests, and in front of it PgBouncer, which pools transactions as Hyperdrive does. They use a
// temporary folder and free loopback ports, and end with this process.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isOn } from '../../scripts/given.mjs';
import { connect } from '../../scripts/postgres.mjs';
import { freePort } from './port.js';

const USER = 'epcis';
/** The password is never checked, but Miniflare refuses addresses without one. */
const SIGNED = `${USER}:none`;

/** The paths of the programs, or the reason why they are missing. */
export function programs() {
  try {
    const script = fileURLToPath(new URL('../../scripts/postgres.sh', import.meta.url));
    const lines = execFileSync(script, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    const [postgres, initdb, pgbouncer] = lines.trim().split('\n');
    return { postgres, initdb, pgbouncer };
  } catch (error) {
    if (isOn('EPCIS_EDGE_REQUIRE_POSTGRES')) throw error;
    return {
      missing: `PostgreSQL is not here and cannot be installed: ${String(error.stderr ?? error.message)
        .trim()
        .split('\n')
        .slice(-2)
        .join(' ')}`,
    };
  }
}

/** The user that runs the server: PostgreSQL does not run as root. */
function owner() {
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

async function until(what, isSo, milliseconds = 300_000) {
  const deadline = Date.now() + milliseconds;
  for (;;) {
    let last;
    try {
      if (await isSo()) return;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) throw new Error(`${what}: ${last?.message ?? 'not in time'}`);
    await setTimeout(50);
  }
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
 * Starts both servers. `settings` are PostgreSQL's, and `isDurable` makes it wait for the disk. With `diskBytes`, its data is on a
 * small disk, returned as `disk` (see `smallDisk` and `cannotMount`); with `isWalApart`, its write-ahead log is not.
 *
 * `direct(database)` and `pooled(database)` return addresses. `kill(name)` ends `postgres` or `pgbouncer` with SIGKILL,
 * `start(name)` starts it again on its port, and `isRunning(name)` tells whether it is running. `signal(name, signal)` sends another
 * signal: after SIGSTOP a server is as silent as behind a broken network, until SIGCONT.
 *
 * `move()` moves the data to another PostgreSQL while callers go on, as docs/moving.md describes. Returns for how many milliseconds
 * their statements waited.
 */
export async function startPostgres({ settings = {}, isDurable = false, diskBytes, isWalApart = false } = {}) {
  const found = programs();
  if (found.missing) throw new Error(found.missing);
  const folder = mkdtempSync(join(tmpdir(), 'epcis-postgres-'));
  const as = owner();
  if (as.uid !== undefined) chownSync(folder, as.uid, as.gid);
  const disk = diskBytes === undefined ? undefined : smallDisk(join(folder, 'disk'), diskBytes, as);
  let data = join(folder, disk ? 'disk/data' : 'data');
  const environment = { ...process.env, LC_ALL: 'C.UTF-8', TZ: 'UTC' };
  const places = ['-D', data, ...(isWalApart ? ['--waldir', join(folder, 'wal')] : [])];
  execFileSync(found.initdb, [...places, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync', '--no-instructions'], {
    ...as,
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ports = { postgres: await freePort(), pgbouncer: await freePort() };
  const configured = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 80,
    shared_buffers: '256MB',
    max_wal_size: '4GB',
    // Rare checkpoints: pages that captures keep changing are not written again and again.
    checkpoint_timeout: '15min',
    ...(isDurable ? {} : { fsync: 'off', full_page_writes: 'off' }),
    ...settings,
  };
  const pooling = join(folder, 'pgbouncer.ini');
  const pool = (databases) =>
    writeFileSync(
      pooling,
      `[databases]
${databases.map((name) => `${name} = host=127.0.0.1 port=${ports.postgres} user=${USER}`).join('\n')}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ports.pgbouncer}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 20
max_client_conn = 500
ignore_startup_parameters = extra_float_digits,options
server_connect_timeout = 3
server_login_retry = 1
query_wait_timeout = 10
server_lifetime = 600
log_connections = 0
log_disconnections = 0
admin_users = ${USER}
`,
    );
  pool(['*']);
  const commands = {
    postgres: () => [
      found.postgres,
      ['-D', data, '-p', String(ports.postgres), ...Object.entries(configured).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    ],
    pgbouncer: () => [found.pgbouncer, ['-q', pooling]],
  };
  const running = {};
  const log = join(folder, 'log');
  const spawned = (name) => {
    const [program, args] = commands[name]();
    const output = openSync(log, 'a');
    const child = spawn(program, args, { ...as, cwd: folder, env: environment, stdio: ['ignore', output, output] });
    closeSync(output);
    child.unref();
    running[name] = child;
    return child;
  };
  const start = async (name) => {
    let child = spawned(name);
    const port = ports[name];
    await until(`${name} did not start\n${readFileSync(log, 'utf8').slice(-2000)}`, async () => {
      if (child.exitCode !== null) {
        const said = readFileSync(log, 'utf8').slice(-2000);
        // The processes of a PostgreSQL that was killed may end after it, and no other starts before that.
        if (said.includes('is still in use')) child = spawned(name);
        throw new Error(`it ended with ${child.exitCode}: ${said}`);
      }
      // PgBouncer's own database answers even without PostgreSQL.
      const client = await connect(`postgres://${SIGNED}@127.0.0.1:${port}/${name === 'pgbouncer' ? 'pgbouncer' : 'postgres'}`);
      await client.end();
      return true;
    });
  };
  const kill = async (name) => {
    const child = running[name];
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    // Waited for, even if nothing else keeps this process running.
    child.ref();
    child.kill('SIGKILL');
    await exit;
  };
  const direct = (database) => `postgres://${SIGNED}@127.0.0.1:${ports.postgres}/${database}`;
  const connected = async (address, work) => {
    const client = await connect(address);
    try {
      return await work((sql) => client.query(sql).then(({ rows }) => rows));
    } finally {
      await client.end();
    }
  };
  let moves = 0;
  const move = async () => {
    const [old, left, primary] = [running.postgres, data, direct('postgres')];
    moves += 1;
    data = join(folder, `data-${moves}`);
    const copy = ['-d', primary, '-D', data, '--write-recovery-conf', '--checkpoint=fast', '--no-sync'];
    await promisify(execFile)(join(dirname(found.initdb), 'pg_basebackup'), copy, { ...as, cwd: folder, env: environment });
    ports.postgres = await freePort();
    await start('postgres');
    return await connected(`postgres://${SIGNED}@127.0.0.1:${ports.pgbouncer}/pgbouncer`, async (pooler) => {
      const from = performance.now();
      await pooler('PAUSE');
      // A fast shutdown sends the standby everything.
      const [databases, [{ end }]] = await connected(primary, async (ask) => [
        await ask("SELECT datname FROM pg_database WHERE datname LIKE 'epcis%'"),
        await ask('SELECT pg_current_wal_flush_lsn() AS end'),
      ]);
      const exit = once(old, 'exit');
      old.kill('SIGINT');
      await exit;
      rmSync(left, { recursive: true });
      await connected(direct('postgres'), async (ask) => {
        await until('the standby has everything', async () => (await ask(`SELECT pg_last_wal_replay_lsn() >= '${end}' AS has_all`))[0].has_all);
        await ask('SELECT pg_promote()');
      });
      pool([...databases.map(({ datname }) => datname), '*']);
      await pooler('RELOAD');
      await pooler('RESUME');
      return performance.now() - from;
    });
  };
  const dispose = () => {
    for (const child of Object.values(running)) child.kill('SIGKILL');
    disk?.dispose();
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    } catch (error) {
      // At the end of the process other servers have to be disposed of, too.
      console.error(`${folder} is left: ${error.message}`);
    }
  };
  process.once('exit', dispose);
  // If this process is ended from outside, the servers end too.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  try {
    await start('postgres');
    await start('pgbouncer');
  } catch (error) {
    dispose();
    throw error;
  }
  return {
    ports,
    log,
    kill,
    start,
    move,
    signal: (name, signal) => running[name].kill(signal),
    isRunning: (name) => running[name].exitCode === null && running[name].signalCode === null,
    disk,
    direct,
    pooled: (database) => `postgres://${SIGNED}@127.0.0.1:${ports.pgbouncer}/${database}`,
  };
}

/** Starts both servers for this process, whose gateways then have their stores there. See `startPostgres`. */
export async function serveFromPostgres(options) {
  const servers = await startPostgres(options);
  process.env.EPCIS_EDGE_STORE = 'postgres';
  process.env.EPCIS_EDGE_SERVERS = JSON.stringify({ direct: servers.direct(''), pooled: servers.pooled('') });
  return servers;
}
