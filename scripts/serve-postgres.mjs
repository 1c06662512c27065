// Serves the built Worker in real workerd with a PostgreSQL, without Cloudflare. docs/workerd.md says how to run it as a service.
import { mkdirSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Log, LogLevel } from 'miniflare';
import { root } from './deployment.mjs';
import { startFront } from './front.mjs';
import { keptLogKey } from './log-keys.mjs';
import { prepare } from './postgres.mjs';
import { claim } from './state.mjs';
import { startWorkerd, variables as documented, wakeEachMinute } from './workerd.mjs';

const usage = `npm run serve:postgres -- --database <url> [--base-url <address>] [--host <ip>] [--port <number>]
                          [--state <folder>] [--documents kv|r2] [--var <N=value>]

  --database  PostgreSQL, or a transaction pooler in front of it, such as postgres://epcis:secret@db.example.com:5432/epcis;
              or set DATABASE_URL, which keeps the password out of the list of processes
  --migrate   the address for migrations if --database is a pooler; default: --database
  --base-url  the public address of the gateway; default: http://127.0.0.1:<port>
  --host      the IP address where it listens. Behind any but loopback, callers could claim any address of their own in
              CF-Connecting-IP: only a proxy that sets this header may reach it; default: 127.0.0.1
  --port      the port where it listens, behind a proxy; default: 8787
  --state     the folder of documents as received and of the key of the log; default: .wrangler/postgres
  --documents how documents are kept there: kv or r2, both by Miniflare; documents already in the other store stay readable; default: kv
  --var       a variable of worker/wrangler.toml, such as RATE_LIMIT=off; may be repeated`;

function fail(message) {
  console.error(`${message}\n\n${usage}`);
  process.exit(1);
}

const option = { type: 'string' };
let values;
try {
  ({ values } = parseArgs({
    options: {
      database: option,
      migrate: option,
      'base-url': option,
      host: option,
      port: option,
      state: option,
      documents: option,
      var: { type: 'string', multiple: true },
      help: { type: 'boolean' },
    },
  }));
} catch (error) {
  fail(error.message);
}
if (values.help) {
  console.log(usage);
  process.exit(0);
}
const database = values.database ?? process.env.DATABASE_URL;
if (!/^postgres(ql)?:\/\//.test(database ?? '')) fail('--database must be an address that begins with postgres://');
// workerd connects with these alone, whatever PostgreSQL would believe without them.
if (!/^postgres(ql)?:\/\/[^\s:@/]+:[^\s@/]+@[^\s@/]+\/[^\s/?]+/.test(database)) {
  fail('--database must name a user, a password, a host and a database: postgres://user:password@host/name');
}
const port = Number(values.port ?? 8787);
if (!Number.isInteger(port) || port < 1 || port > 65_535) fail('--port must be a number from 1 to 65535');
const host = values.host ?? '127.0.0.1';
if (isIP(host) === 0) fail(`--host must be an IP address, such as 0.0.0.0, not ${host}`);
const address = (values['base-url'] ?? `http://127.0.0.1:${port}`).replace(/\/$/, '');
if (!/^https?:\/\/[^\s/?#]+$/.test(address)) fail('--base-url must be http:// or https:// and a host, nothing more');
const variables = {};
// The key of the log is a secret; here it is given only to change it.
const known = [...Object.keys(documented()), 'LOG_KEY'];
for (const pair of values.var ?? []) {
  const [, name, value] = /^([A-Z][A-Z0-9_]*)=(.*)$/s.exec(pair) ?? fail(`--var must be NAME=value, not ${pair}`);
  if (!known.includes(name)) fail(`there is no variable ${name}, expected ${known.join(', ')}`);
  variables[name] = value;
}
if (values.documents !== undefined) variables.DOCUMENTS = values.documents;
if (!['', 'kv', 'r2'].includes(variables.DOCUMENTS ?? '')) fail('--documents must be kv or r2');
const state = values.state ? resolve(values.state) : join(root, '.wrangler/postgres');
mkdirSync(state, { recursive: true });
const unclaim = await claim(state);
if (unclaim === undefined) {
  console.error(
    `another gateway uses the state in ${state}\n    what to do: stop it, or give this one its own folder with --state; two gateways with one database need the same log-keys.json in their folders`,
  );
  process.exit(1);
}

console.log('==> migrations');
const applied = await prepare(values.migrate ?? database).catch((error) => {
  console.error(error.message);
  process.exit(1);
});
console.log(applied.length ? applied.join('\n') : 'no new migrations');

console.log('\n==> key of the log');
const log = keptLogKey(state, address);
console.log(log.vkey);

console.log('\n==> workerd');
const bindings = { BASE_URL: address, LOG_KEY: log.skey, ...variables };
const served = await startWorkerd({ bindings, hyperdrive: database, persistTo: join(state, 'v3'), log: new Log(LogLevel.WARN) }).catch((error) => {
  console.error(`workerd did not start: ${error.message}`);
  process.exit(1);
});
const front = await startFront({ to: served.address, host, port, log: (message) => console.error(message) }).catch(async (error) => {
  console.error(`cannot listen on ${host}, port ${port}: ${error.message}\n    what to do: --port 8788 uses another port`);
  await served.dispose();
  process.exit(1);
});
const asleep = await wakeEachMinute(served);
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    asleep();
    Promise.allSettled([front.close(), served.dispose()]).finally(() => {
      unclaim();
      process.exit();
    });
  });
}
console.log(`
epcis-edge is at ${address}, listening on http://${isIP(host) === 6 ? `[${host}]` : host}:${port}
    npm run keys -- create --database <url> --account <uri> --observer <uri>   makes a capture key`);
