// Serves the built Worker in real workerd, with local D1, KV and R2 under .wrangler/state, on loopback. Variables of
// worker/wrangler.toml can be set in the environment: DOCUMENTS=r2 keeps documents in R2, HASH_EVENT_IDS=refuse is another
// example. STORE=objects keeps each account in an object of its own, and only keys and the directory in D1;
// STORE=moving serves D1 while it is moved there.
// The first start makes a demo key and shows it once.
import { type SpawnSyncReturns, type StdioOptions, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Log, LogLevel } from 'miniflare';
import { root, wrangler } from './deployment.ts';
import { startFront } from './front.ts';
import { oneOf } from './given.ts';
import { keptLogKey } from './log-keys.ts';
import { claim } from './state.ts';
import { faultOf, startWorkerd, variables, wakeEachMinute } from './workerd.ts';

const state = join(root, '.wrangler/state');
const port = Number(process.env.PORT || 8787);
const address = `http://127.0.0.1:${port}`;

function fail(message: string, advice: string): never {
  console.error(`${message}\n    what to do: ${advice}`);
  process.exit(1);
}

/** The output of a command that succeeded. Its error output goes to the terminal. */
function printed(name: string, { status, stdout, error }: SpawnSyncReturns<string>): string {
  if (error || status !== 0) fail(`${name} failed: ${error?.message ?? stdout}`, 'read its message above');
  return stdout.trim();
}
const stdio: StdioOptions = ['ignore', 'pipe', 'inherit'];

if (!Number.isInteger(port) || port < 1 || port > 65_535) fail(`PORT is ${process.env.PORT}`, 'choose a port from 1 to 65535');
const given = Object.fromEntries(Object.keys(variables()).flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
const isTaken = await fetch(address, { signal: AbortSignal.timeout(2000) }).then(
  () => true,
  () => false,
);
if (isTaken) fail(`something answers on ${address} already`, 'stop it, or choose another port: PORT=8788 make serve');

mkdirSync(state, { recursive: true });
const unclaim = await claim(state);
if (unclaim === undefined) fail(`another gateway uses the state in ${state}`, 'stop it: two gateways would overwrite each other there');

const kept = join(state, 'store');
const known: string | undefined = existsSync(kept) ? readFileSync(kept, 'utf8') : existsSync(join(state, 'log-keys.json')) ? 'd1' : undefined;
const store = oneOf(['d1', 'moving', 'objects'], 'STORE', process.env.STORE || undefined) ?? known ?? 'd1';
/** What may follow: a store is moved from D1 to objects, and never leaves them. */
const NEXT: Readonly<Record<string, readonly string[]>> = { d1: ['d1', 'moving'], moving: ['moving', 'objects'], objects: ['objects'] };
if (known !== undefined && !NEXT[known]?.includes(store)) fail(`the events in ${state} are kept in ${known}`, `leave STORE out, or move ${state} away`);
if (known === undefined && store === 'moving') fail(`there is no store in ${state} to be moved`, 'leave STORE out');
if (store === 'moving' && process.env.READ_ONLY !== 'on') fail('nothing may be stored while the store is moved', 'READ_ONLY=on STORE=moving make serve');
writeFileSync(kept, store);

console.log('\n==> local D1 migrations');
console.log(printed('the migration', wrangler(['d1', 'migrations', 'apply', 'DB', '--local', '--persist-to', state], { stdio })));

console.log('\n==> capture keys');
const keys = (...args: string[]): string =>
  printed('scripts/keys.ts', spawnSync(process.execPath, [join(root, 'scripts/keys.ts'), ...args], { encoding: 'utf8', stdio }));
const listed = keys('list');
let key: string | undefined;
if (listed === 'there are no keys') {
  key = keys(
    'create',
    '--account',
    'https://example.com/accounts/demo',
    '--observer',
    'https://id.gs1.org/417/9521141000007',
    '--note',
    'made by the first start',
  );
  console.log('made one: see below');
} else {
  console.log(listed);
}

console.log('\n==> key of the log');
const log = keptLogKey(state, address);
console.log(log.vkey);

console.log('\n==> workerd');
const bindings = { BASE_URL: address, LOG_KEY: log.skey, OPERATOR_KEY: process.env.OPERATOR_KEY ?? '', ...given };
const messages: string[] = [];
let onMessage = (message: string): unknown => messages.push(message);
const served = await startWorkerd({
  bindings: { ...bindings, STORE: store === 'moving' ? 'd1' : store },
  store: store === 'd1' ? 'd1' : 'objects',
  persistTo: join(state, 'v3'),
  log: new Log(LogLevel.WARN),
  onMessage: (message) => onMessage(message),
}).catch((error) => fail(`workerd did not start: ${error.message}`, 'see the message above'));
const fault = await faultOf(served, messages);
if (fault) {
  await served.dispose();
  fail(fault, 'worker/wrangler.toml describes the values of each variable');
}
onMessage = (message: string) => console.error(message);
const front = await startFront({ to: served.address, port, log: (message) => console.error(message) }).catch(async (error) => {
  await served.dispose();
  fail(`cannot listen on ${address}: ${error.message}`, 'PORT=8788 make serve uses another port');
});
const asleep = await wakeEachMinute(served);
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    asleep();
    Promise.allSettled([front.close(), served.dispose()]).finally(() => process.exit());
  });
for (const [name, value] of Object.entries(given)) console.log(`${name} is ${value === '' ? 'empty' : value}, from the environment`);

const secret =
  key === undefined
    ? `  export KEY=…

Use a key that you created before; 'npm run keys -- create --account <uri> --observer <uri>' creates another.`
    : `  export KEY=${key}

That is the demo key. It is shown only once; 'npm run keys -- create' creates others.`;
console.log(`
epcis-edge is at ${address} (Ctrl-C stops it; the stored events stay in .wrangler/state):
the playground in a browser, the API for programs.

Without a key:

  curl -s ${address}/validate -H 'Content-Type: application/json' --data-binary @tests/vectors/validate/cbv-word-misspelt/input.json

With a key, find the events of one item (README.md has more):

${secret}

  curl -s ${address}/mcp -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '{"jsonrpc": "2.0", "id": 1,
    "method": "tools/call", "params": {"name": "trace", "arguments": {"epc": "urn:epc:id:sscc:9521141.1234567890"}}}'
`);
