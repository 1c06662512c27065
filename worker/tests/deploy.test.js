// The deployment script, against a stand-in for wrangler that simulates a Cloudflare account: it keeps created resources in a file
// and records every call. What Cloudflare does with these commands is not tested here. The last test runs the real wrangler, which
// checks the configuration and the bundle without an account.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'epcis-deploy-test-'));
after(() => rmSync(scratch, { recursive: true }));

// A separate checkout, because the real one may belong to a real deployment.
const checkout = join(scratch, 'checkout');
mkdirSync(join(checkout, 'worker'), { recursive: true });
cpSync(join(root, 'scripts'), join(checkout, 'scripts'), { recursive: true });
cpSync(join(root, 'worker/migrations'), join(checkout, 'worker/migrations'), { recursive: true });
copyFileSync(join(root, 'worker/wrangler.toml'), join(checkout, 'worker/wrangler.toml'));
symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
symlinkSync(join(root, 'worker/build'), join(checkout, 'worker/build'));
symlinkSync(join(root, 'www'), join(checkout, 'www'));
symlinkSync(join(root, 'wasm'), join(checkout, 'wasm'));

const state = join(scratch, 'account.json');
const standIn = join(scratch, 'wrangler');
writeFileSync(
  standIn,
  `#!${process.execPath}
const { readFileSync, writeFileSync } = require('node:fs');
const account = JSON.parse(readFileSync(${JSON.stringify(state)}, 'utf8'));
const args = process.argv.slice(2);
const flag = (name) => args[args.indexOf(name) + 1];
const config = args.includes('--config') ? JSON.parse(readFileSync(flag('--config'), 'utf8')) : undefined;
account.calls.push({ args, config, account: process.env.CLOUDFLARE_ACCOUNT_ID });
const save = () => writeFileSync(${JSON.stringify(state)}, JSON.stringify(account));
const command = args.filter((arg) => !arg.startsWith('-')).join(' ');
save();
if (account.fails && command.startsWith(account.fails)) {
  console.error('the account says no');
  process.exit(1);
}
if (command === 'whoami') console.log(JSON.stringify({ loggedIn: true, accounts: account.accounts }));
else if (command === 'd1 list') console.log(JSON.stringify(account.databases));
else if (command.startsWith('d1 create')) account.databases.push({ uuid: 'd-' + account.databases.length, name: args[2] });
else if (command === 'kv namespace list') console.log(JSON.stringify(account.namespaces));
else if (command.startsWith('kv namespace create')) account.namespaces.push({ id: 'n-' + account.namespaces.length, title: args[3] });
else if (command.startsWith('r2 bucket create')) {
  account.buckets ??= [];
  if (account.buckets.includes(args[3])) {
    console.error('✘ [ERROR] The bucket you tried to create already exists, and you own it. [code: 10004]');
    process.exit(1);
  }
  account.buckets.push(args[3]);
} else if (command.startsWith('d1 migrations apply')) account.migrated.push(config.d1_databases.find(({ binding }) => binding === args[3]).database_id);
else if (command.startsWith('d1 execute')) console.log('[]');
else if (command.startsWith('secret list')) console.log(JSON.stringify((account.secrets ?? []).map(({ name }) => ({ name, type: 'secret_text' }))));
else if (command.startsWith('secret put')) account.secrets = [...(account.secrets ?? []), { name: args[2], value: readFileSync(0, 'utf8') }];
else if (command.startsWith('deploy')) {
  const target = config.routes ? config.routes[0].pattern : 'https://' + config.name + '.someone.workers.dev';
  writeFileSync(process.env.WRANGLER_OUTPUT_FILE_PATH, JSON.stringify({ type: 'wrangler-session' }) + '\\n'
    + JSON.stringify({ type: 'deploy', targets: account.hasSubdomain ? [target] : [] }) + '\\n');
} else process.exit(9);
save();
`,
  { mode: 0o755 },
);

beforeEach(() => {
  rmSync(join(checkout, 'deployment.json'), { force: true });
  change({ accounts: [{ id: 'a-1', name: 'One' }], databases: [], namespaces: [], migrated: [], calls: [], secrets: [], hasSubdomain: true });
});

const account = () => JSON.parse(readFileSync(state, 'utf8'));
const change = (more) => writeFileSync(state, JSON.stringify({ ...(existsSync(state) ? account() : {}), fails: null, ...more }));
const deployment = () => JSON.parse(readFileSync(join(checkout, 'deployment.json'), 'utf8'));

function run(script, args, env = { WRANGLER: standIn }) {
  const { CLOUDFLARE_ACCOUNT_ID: _, ...rest } = process.env;
  return spawnSync(process.execPath, [join(checkout, 'scripts', script), ...args], { cwd: checkout, encoding: 'utf8', env: { ...rest, ...env } });
}

function deploys(...args) {
  const { status, stdout, stderr } = run('deploy.ts', args);
  assert.equal(status, 0, stderr);
  return stdout;
}

function refuses(message, ...args) {
  const { status, stderr } = run('deploy.ts', args);
  assert.equal(status, 1);
  assert.match(stderr, message);
}

/** The commands of an account that change something. */
const changes = () =>
  account()
    .calls.map(({ args }) => args)
    .filter(
      ([first, second, third]) =>
        `${first} ${second}` !== 'secret list' &&
        first !== 'whoami' &&
        !['d1 list', 'kv list'].includes(`${first} ${third ?? 'list'}`) &&
        !(first === 'd1' && third === '--json'),
    );

test('a policy of the log that the Worker could not read is not deployed', () => {
  const vkey = 'witness.example.com/w1+969980cf+BCmsuuFBvMrwsi4alNNNC8c2HlJtC/4SyJeUvJMilm3X';
  const first = ['--base-url', 'https://epcis.example.com/'];
  refuses(/LOG_POLICY: .*expected the vkey of a witness, of type 4, at line 1/, ...first, '--var', 'LOG_POLICY=witness W nonsense; quorum W');
  refuses(/LOG_POLICY: .*expected a line with the quorum, at line 1/, ...first, '--var', `LOG_POLICY=witness W ${vkey}`);
  assert.deepEqual(changes(), []);
  deploys(...first, '--var', `LOG_POLICY=witness W ${vkey} https://witness.example.com; quorum W`);
});

test('a first deployment creates, migrates, deploys, in this order, and says what comes next', () => {
  const told = deploys('--base-url', 'https://epcis.example.com/', '--location', 'weur', '--var', 'MAX_BODY_BYTES=1000000');
  assert.deepEqual(changes(), [
    ['d1', 'create', 'epcis-edge', '--location', 'weur'],
    ['kv', 'namespace', 'create', 'epcis-edge-documents'],
    ['d1', 'migrations', 'apply', 'DB', '--remote', '--config', 'deployment.wrangler.json'],
    ['deploy', '--config', 'deployment.wrangler.json'],
    ['secret', 'put', 'LOG_KEY', '--config', 'deployment.wrangler.json'],
  ]);
  const { config, account: where } = account().calls.at(-1);
  assert.equal(where, 'a-1');
  assert.deepEqual(account().migrated, ['d-0']);
  assert.equal(config.main, 'build/index.js');
  assert.equal(config.account_id, 'a-1');
  assert.deepEqual(config.routes, [{ pattern: 'epcis.example.com', custom_domain: true }]);
  assert.equal(config.workers_dev, false);
  assert.equal(config.d1_databases[0].binding, 'DB');
  assert.equal(config.d1_databases[0].database_id, 'd-0');
  assert.deepEqual(config.kv_namespaces, [{ binding: 'DOCUMENTS_KV', id: 'n-0' }]);
  assert.equal(config.vars.BASE_URL, 'https://epcis.example.com');
  assert.equal(config.vars.EXTENSION_NAMESPACE, 'https://epcis.example.com/ns/spine/');
  assert.equal(config.vars.MAX_BODY_BYTES, '1000000');
  assert.match(told, /epcis-edge is at https:\/\/epcis\.example\.com\n/);
  assert.match(told, /npm run keys -- create --remote --account/);
});

test('events are kept in objects where that is asked for at first, or after a move out of D1, and never leave them', () => {
  const last = () => account().calls.findLast(({ args }) => args[0] === 'deploy').config;
  const told = deploys('--base-url', 'https://epcis.example.com', '--store', 'objects', '--jurisdiction', 'eu');
  assert.match(told, /events are in objects of the class Account, which must never be removed/);
  const made = last();
  assert.equal(made.main, 'build/objects.js');
  assert.deepEqual(made.durable_objects, { bindings: [{ name: 'ACCOUNTS', class_name: 'Account' }] });
  assert.deepEqual(made.migrations, [{ tag: 'v1', new_sqlite_classes: ['Account'] }]);
  assert.deepEqual([made.vars.ACCOUNTS_JURISDICTION, made.vars.ACCOUNTS_LOCATION], ['eu', '']);
  assert.equal(made.d1_databases[0].database_id, 'd-0', 'the directory is in D1');
  for (const args of [
    ['--store', 'd1'],
    ['--store', 'd1', '--moved'],
  ])
    refuses(/keeps its events in objects: without their class Cloudflare would delete them/, ...args);
  refuses(/was created with --jurisdiction eu/, '--jurisdiction', 'us');
  refuses(/was created without --location/, '--location', 'weur');
  deploys();
  assert.deepEqual(last(), made);
  // Another deployment, which began in D1.
  const other = ['--deployment', join(scratch, 'north.json'), '--name', 'north'];
  deploys(...other, '--base-url', 'https://north.example.com', '--location', 'weur');
  assert.equal(last().durable_objects, undefined);
  refuses(/this deployment has no objects yet/, ...other, '--store', 'objects', '--moved');
  refuses(/nothing may be stored while the store is moved/, ...other, '--store', 'objects');
  deploys(...other, '--store', 'objects', '--var', 'READ_ONLY=on');
  assert.deepEqual([last().main, last().vars.STORE, last().vars.ACCOUNTS_LOCATION], ['build/objects.js', 'd1', 'weur']);
  refuses(/keeps its events in objects/, ...other, '--store', 'd1');
  deploys(...other, '--store', 'objects', '--moved', '--var', 'READ_ONLY=');
  assert.deepEqual([last().main, last().vars.STORE], ['build/objects.js', 'objects']);
});

test('documents go to a bucket where that is asked for, and what was in KV stays bound, either way', () => {
  deploys('--base-url', 'https://epcis.example.com');
  const before = account().calls.findLast(({ args }) => args[0] === 'deploy').config;
  assert.deepEqual([before.r2_buckets, before.vars.DOCUMENTS], [[], '']);
  change({ calls: [] });
  const told = deploys('--documents', 'r2');
  assert.deepEqual(
    changes().filter(([command]) => command === 'r2'),
    [['r2', 'bucket', 'create', 'epcis-edge-documents']],
  );
  assert.match(told, /documents {3}R2, epcis-edge-documents\n/);
  const { config } = account().calls.findLast(({ args }) => args[0] === 'deploy');
  assert.equal(config.vars.DOCUMENTS, 'r2');
  assert.deepEqual(config.r2_buckets, [{ binding: 'DOCUMENTS_BUCKET', bucket_name: 'epcis-edge-documents' }]);
  assert.deepEqual(config.kv_namespaces, before.kv_namespaces);
  // The choice is remembered. Taking it back leaves the bucket bound.
  for (const [args, chosen] of [
    [[], 'r2'],
    [['--documents', 'kv'], ''],
    [['--documents', 'r2'], 'r2'],
  ]) {
    change({ calls: [] });
    deploys(...args);
    const { config: next } = account().calls.findLast(({ args: [first] }) => first === 'deploy');
    assert.deepEqual([next.vars.DOCUMENTS, next.r2_buckets], [chosen, config.r2_buckets]);
    assert.ok(!changes().some(([command]) => command === 'r2'));
  }
  refuses(/has documents in the bucket epcis-edge-documents[\s\S]*keep it/, '--bucket', 'another');
});

test('a bucket that the account has is taken, in the place of the database; one that cannot be made is told', () => {
  change({ buckets: ['evidence'] });
  deploys('--base-url', 'https://epcis.example.com', '--documents', 'r2', '--bucket', 'evidence', '--jurisdiction', 'eu');
  const create = account().calls.find(({ args }) => args[0] === 'r2');
  assert.deepEqual(create.args, ['r2', 'bucket', 'create', 'evidence', '--jurisdiction', 'eu']);
  assert.deepEqual(account().buckets, ['evidence']);
  const { config } = account().calls.findLast(({ args }) => args[0] === 'deploy');
  assert.deepEqual(config.r2_buckets, [{ binding: 'DOCUMENTS_BUCKET', bucket_name: 'evidence', jurisdiction: 'eu' }]);
  rmSync(join(checkout, 'deployment.json'));
  change({ fails: 'r2 bucket create', calls: [] });
  refuses(/the account says no[\s\S]*R2 switched on/, '--base-url', 'https://epcis.example.com', '--documents', 'r2');
  assert.ok(!account().calls.some(({ args }) => args[0] === 'deploy'));
  change({});
  deploys();
  assert.deepEqual(account().buckets, ['evidence', 'epcis-edge-documents']);
});

test('a second run creates nothing, and knows what the first one was told', () => {
  deploys('--base-url', 'https://epcis.example.com', '--var', 'MAX_BODY_BYTES=1000000');
  const first = deployment();
  change({ calls: [] });
  deploys();
  assert.deepEqual(
    changes().map(([command]) => command),
    ['d1', 'deploy'],
  );
  assert.deepEqual(deployment(), first);
  assert.equal(account().calls.at(-1).config.vars.MAX_BODY_BYTES, '1000000');
  // The address may change, but not the namespace of the stored events.
  deploys('--base-url', 'https://events.example.com', '--no-route', '--var', 'MAX_BODY_BYTES=');
  const { vars, routes } = account().calls.at(-1).config;
  assert.deepEqual([vars.BASE_URL, vars.EXTENSION_NAMESPACE, vars.MAX_BODY_BYTES], ['https://events.example.com', 'https://epcis.example.com/ns/spine/', '']);
  assert.equal(routes, undefined);
  refuses(/the namespace of this deployment is https:\/\/epcis\.example\.com\/ns\/spine\/.*keep it/s, '--var', 'EXTENSION_NAMESPACE=https://other.example/');
});

test('the key of the log is made once, kept as a secret alone, and its loss is told', () => {
  const told = deploys('--base-url', 'https://epcis.example.com');
  const { log } = deployment();
  const [one] = account().secrets;
  assert.match(one.value, /^PRIVATE\+KEY\+epcis\.example\.com\/log\+[0-9a-f]{8}\+A[Q-Za-f]/);
  // The key that is printed and saved only verifies. It cannot sign.
  assert.match(log.vkey, /^epcis\.example\.com\/log\+[0-9a-f]{8}\+A[Q-Za-f]/);
  assert.equal(one.value.split('+')[3], log.vkey.split('+')[1]);
  assert.ok(!`${told}${JSON.stringify(deployment())}${JSON.stringify(account().calls)}`.includes(one.value));
  assert.ok(told.includes(log.vkey));
  deploys('--base-url', 'https://events.example.com');
  assert.equal(account().secrets.length, 1);
  assert.deepEqual(deployment().log, log);
  change({ secrets: [] });
  refuses(/the secret LOG_KEY of epcis\.example\.com\/log\+.* is gone/);
});

test('without an address the one under workers.dev is asked for and set', () => {
  const told = deploys('--name', 'gateway');
  const deployed = account().calls.filter(({ args }) => args[0] === 'deploy');
  assert.deepEqual(
    deployed.map(({ config }) => config.vars.BASE_URL),
    ['', 'https://gateway.someone.workers.dev'],
  );
  assert.deepEqual(
    deployed.map(({ config }) => config.workers_dev),
    [true, true],
  );
  assert.equal(deployment().namespace, 'https://gateway.someone.workers.dev/ns/spine/');
  assert.match(told, /is at https:\/\/gateway\.someone\.workers\.dev/);
  rmSync(join(checkout, 'deployment.json'));
  change({ hasSubdomain: false });
  refuses(/the Worker refuses to serve.*--base-url/s, '--name', 'gateway');
});

test('what breaks off goes on where it broke off', () => {
  for (const fails of ['d1 create', 'kv namespace create', 'd1 migrations', 'deploy']) {
    change({ fails });
    const { status, stderr, stdout } = run('deploy.ts', ['--base-url', 'https://epcis.example.com']);
    assert.equal(status, 1, fails);
    assert.match(stdout + stderr, /the account says no/);
    assert.match(stderr, /what to do/);
  }
  assert.equal(account().migrated.length, 1);
  change({});
  deploys();
  const { databases, namespaces } = account();
  assert.deepEqual([databases.length, namespaces.length], [1, 1]);
});

test('resources of that name are taken, lost ones are told', () => {
  change({ databases: [{ uuid: 'mine', name: 'epcis-edge' }], namespaces: [{ id: 'also-mine', title: 'epcis-edge-documents' }] });
  deploys('--base-url', 'https://epcis.example.com');
  assert.deepEqual([deployment().database.id, deployment().documents.id], ['mine', 'also-mine']);
  change({ databases: [] });
  refuses(/no database with the identifier mine any more.*deployment\.json/s);
});

test('an account is chosen, and not left by accident', () => {
  const accounts = [
    { id: 'a-1', name: 'One' },
    { id: 'a-2', name: 'Two' },
  ];
  change({ accounts });
  refuses(/2 accounts\na-1 {2}One\na-2 {2}Two\n.*--account/s, '--base-url', 'https://epcis.example.com');
  assert.deepEqual(changes(), []);
  deploys('--base-url', 'https://epcis.example.com', '--account', 'a-2');
  assert.equal(account().calls.at(-1).account, 'a-2');
  refuses(/is in the account a-2, not in a-1/, '--account', 'a-1');
  change({ accounts: [accounts[0]] });
  refuses(/has no account a-2/);
  change({ fails: 'whoami' });
  refuses(/wrangler login/);
});

test('what cannot be meant is refused before anything is done', () => {
  for (const [message, ...args] of [
    [/--base-url must be/, '--base-url', 'epcis.example.com'],
    [/https/, '--base-url', 'http://epcis.example.com'],
    [/nothing more/, '--base-url', 'https://epcis.example.com/gateway'],
    [/--name must/, '--name', 'My Gateway'],
    [/exclude each other/, '--location', 'weur', '--jurisdiction', 'eu'],
    [/--location must be one of weur, .*, not mars/, '--location', 'mars'],
    [/--jurisdiction must be one of eu, fedramp, us, not/, '--jurisdiction', 'EU'],
    [/--store must be d1 or objects, not postgres/, '--store', 'postgres'],
    [/--moved needs --store objects/, '--moved'],
    [/ACCOUNTS_LOCATION is set by --location/, '--var', 'ACCOUNTS_LOCATION=weur'],
    [/STORE is set by --store/, '--var', 'STORE=d1'],
    [/--var must/, '--var', 'oops'],
    [/--base-url/, '--var', 'BASE_URL=https://x.example'],
    [/--documents must be kv or r2/, '--documents', 's3'],
    [/set by --documents/, '--var', 'DOCUMENTS=r2'],
    [/--bucket needs/, '--bucket', 'evidence'],
    [/--bucket must be/, '--documents', 'r2', '--bucket', 'No_Bucket'],
    [/ends with/, '--var', 'EXTENSION_NAMESPACE=https://x.example'],
    [/no-such/, '--no-such'],
  ]) {
    refuses(message, ...args);
  }
  writeFileSync(join(checkout, 'deployment.json'), 'no JSON');
  refuses(/does not describe a deployment: expected a JSON object/);
  assert.deepEqual(account().calls, []);
});

test('the keys go where the deployment lies', () => {
  const refused = run('keys.ts', ['list', '--remote']);
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /'npm run deploy' makes one/);
  deploys('--base-url', 'https://epcis.example.com', '--deployment', 'north.json', '--name', 'north');
  const { status, stderr } = run('keys.ts', ['create', '--remote', '--deployment', 'north.json', '--account', 'urn:a', '--observer', 'urn:o']);
  assert.equal(status, 0, stderr);
  const { args, config } = account().calls.at(-1);
  assert.deepEqual(args.slice(0, 4), ['d1', 'execute', 'DB', '--remote']);
  assert.equal(config.d1_databases[0].database_id, 'd-0');
});

test('a dry run shows each command and changes nothing; the real wrangler takes the configuration and the bundle', () => {
  const { status, stdout, stderr } = run('deploy.ts', ['--base-url', 'https://epcis.example.com', '--documents', 'r2', '--dry-run'], {});
  assert.equal(status, 0, stderr);
  for (const command of [
    'wrangler whoami --json',
    'wrangler d1 create epcis-edge',
    'wrangler kv namespace create epcis-edge-documents',
    'wrangler r2 bucket create epcis-edge-documents',
    'wrangler d1 migrations apply DB --remote --config deployment.wrangler.json',
    'wrangler deploy --config deployment.wrangler.json',
  ]) {
    assert.ok(stdout.includes(`    ${command}\n`), command);
  }
  assert.match(stdout, /env\.BASE_URL \("https:\/\/epcis\.example\.com"\)/);
  assert.match(stdout, /env\.DOCUMENTS_BUCKET \(epcis-edge-documents\)/);
  assert.match(stdout, /--dry-run: exiting now\.[^]*nothing was changed/);
  assert.ok(!existsSync(join(checkout, 'deployment.json')));
  assert.deepEqual(account().calls, []);
});

test('what is uploaded: the Worker, its engine and the files of the page, below the limit of the free plan', () => {
  const page = readdirSync(join(root, 'www/dist'), { recursive: true, withFileTypes: true });
  const files = page.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name).slice(join(root, 'www/dist/').length));
  const fixed = [
    '_headers',
    '_redirects',
    'bridge.html',
    'component-extras.js',
    'component.html',
    'component.js',
    'icon.svg',
    'index.html',
    'openapi.json',
    'sw.js',
  ];
  for (const file of fixed) assert.ok(files.includes(file), file);
  for (const engine of ['engine', 'check', 'follow', 'proof', 'report', 'xlsx']) {
    assert.equal(files.filter((file) => new RegExp(`^assets/${engine}-[0-9A-F]{8}\\.wasm$`).test(file)).length, 1, engine);
  }
  const others = files.filter((file) => !fixed.includes(file));
  const examples = JSON.parse(readFileSync(join(root, 'www/dist/examples/index.json'), 'utf8')).map(({ file }) => file);
  for (const file of others) {
    const [folder, name] = file.split('/');
    if (folder === 'docs') assert.match(file, /\.(css|html|js|json|png)$/);
    else if (folder === 'assets') assert.match(name, /^[\w.-]+-[0-9A-Z]{8}\.(css|js|wasm)$/);
    else assert.ok(folder === 'examples' && ['index.json', ...examples].includes(name), file);
  }
  for (const [entry, ...more] of [['index.js'], ['objects.js', '--store', 'objects']]) {
    const dry = run('deploy.ts', ['--base-url', 'https://epcis.example.com', ...more, '--dry-run'], {});
    assert.equal(dry.status, 0, dry.stderr);
    const [, size] = /Total Upload: .* \/ gzip: ([\d.]+) KiB/.exec(dry.stdout);
    assert.ok(Number(size) < 3000, `${entry}: ${size} KiB`);
    // Wrangler counts folders, too.
    assert.equal(Number(/Read (\d+) files from the assets directory/.exec(dry.stdout)[1]), page.length);
    const outdir = join(scratch, `upload-${entry}`);
    const wrangler = join(root, 'node_modules/.bin/wrangler');
    const config = join(checkout, 'worker/deployment.wrangler.json');
    const { status, stderr } = spawnSync(wrangler, ['deploy', '--dry-run', '--outdir', outdir, '--config', config], { encoding: 'utf8', cwd: scratch });
    assert.equal(status, 0, stderr);
    // Wrangler writes a map and a text beside what it would upload.
    const uploaded = readdirSync(outdir).filter((file) => !/^README\.md$|\.map$/.test(file));
    assert.deepEqual(uploaded.map((file) => file.replace(/^[0-9a-f]{40}-/, '')).sort(), [entry, 'index_bg.wasm'].sort());
  }
});
