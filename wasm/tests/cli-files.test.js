// Files written by the command line: complete or not at all, and never through a planted link.
// Invariant: The command line does not write through a planted link.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const vector = (name) => here(`../../tests/vectors/${name}`);
const [good, bad] = [vector('validate/valid-bare-event/input.json'), vector('validate/cbv-word-misspelt/input.json')];
const folder = mkdtempSync(join(tmpdir(), 'epcis-edge-files-'));
after(() => rmSync(folder, { recursive: true }));
const at = (name) => join(folder, name);
const text = (name) => readFileSync(at(name), 'utf8');
const leftovers = () => readdirSync(folder).filter((name) => name.includes('partial'));

function run(args, options = {}) {
  return spawnSync(process.execPath, [here('../js/cli/cli.ts'), ...args], { cwd: folder, encoding: 'utf8', ...options });
}

test('a link at the place of the output is replaced, and where it leads nothing is written', () => {
  writeFileSync(at('victim'), 'precious');
  symlinkSync('victim', at('planted'));
  symlinkSync('nowhere', at('dangling'));
  for (const name of ['planted', 'dangling']) {
    const { status, stderr } = run(['hash', good, '-o', name]);
    assert.equal(status, 0, stderr);
    assert.ok(lstatSync(at(name)).isFile(), name);
    assert.match(text(name), /^ni:/);
  }
  assert.equal(text('victim'), 'precious');
  assert.ok(!existsSync(at('nowhere')));
  assert.deepEqual(leftovers(), []);
});

test('names that were once used beside an output, planted as links, lead nowhere', async () => {
  writeFileSync(at('target'), 'precious');
  // Earlier versions used a predictable name with the process id.
  const child = spawn('bash', ['-c', `ln -s target "out.$$.partial"; exec "$0" "$@"`, process.execPath, here('../js/cli/cli.ts'), 'hash', good, '-o', 'out'], {
    cwd: folder,
  });
  assert.equal(await new Promise((resolve) => child.on('close', resolve)), 0);
  assert.equal(text('target'), 'precious');
  assert.match(text('out'), /^ni:/);
  for (const name of leftovers()) rmSync(at(name));
});

test('what is there stays where the command fails, and stays as private as it was', () => {
  writeFileSync(at('kept'), 'as it was');
  chmodSync(at('kept'), 0o600);
  for (const args of [
    ['hash', '--profile', 'none', good],
    ['check', '--packs', 'none', good],
    ['hash', '--context', 'absent', good],
    ['hash', 'absent'],
    ['translate', good],
  ]) {
    assert.notEqual(run([...args, '-o', 'kept']).status, 0);
    assert.equal(text('kept'), 'as it was', args.join(' '));
  }
  assert.equal(run(['validate', bad, '-o', 'kept']).status, 4);
  assert.match(text('kept'), /: 2 errors\n/);
  assert.equal(statSync(at('kept')).mode & 0o777, 0o600);
  assert.deepEqual(leftovers(), []);
});

test('devices, pipes and standard output are written as they are', () => {
  assert.equal(run(['hash', good, '-o', '/dev/null']).status, 0);
  assert.ok(lstatSync('/dev/null').isCharacterDevice());
  assert.match(run(['hash', good, '-o', '/dev/stdout']).stdout, /^ni:/);
  const script = `mkfifo pipe; (cat pipe > from-pipe) & "$0" "$1" hash "$2" -o pipe; wait; test -p pipe`;
  assert.equal(spawnSync('bash', ['-c', script, process.execPath, here('../js/cli/cli.ts'), good], { cwd: folder }).status, 0);
  assert.match(text('from-pipe'), /^ni:/);
  mkdirSync(at('a-folder'));
  const refused = run(['hash', good, '-o', 'a-folder']);
  assert.deepEqual([refused.status, /it is a folder/.test(refused.stderr)], [2, true]);
});

test('the event beside a proof and the state of an audit are written in the same way', async () => {
  const [proof, event, policy] = ['event.tlog-proof', 'event.json', 'trusted.policy'].map((name) => readFileSync(vector(`log/${name}`), 'utf8'));
  let given = event;
  const server = http.createServer((request, response) => {
    if (request.url.startsWith('/log/proof')) response.end(proof);
    else if (request.url.startsWith('/events/')) response.end(given);
    else response.writeHead(404).end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const ask = (...args) =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [here('../js/cli/cli.ts'), ...args], {
        cwd: folder,
        env: { ...process.env, EPCIS_EDGE_KEY: 'key' },
        stdio: 'ignore',
      });
      child.on('close', resolve);
    });
  try {
    const address = `http://127.0.0.1:${server.address().port}`;
    writeFileSync(at('evidence'), 'precious');
    symlinkSync('evidence', at('event.json'));
    assert.equal(await ask('prove', address, 'urn:uuid:1', '--event', 'event.json', '-o', 'event.tlog-proof'), 0);
    assert.deepEqual([text('event.json'), text('evidence'), lstatSync(at('event.json')).isFile()], [event, 'precious', true]);
    given = '<p>an error page</p>';
    assert.equal(await ask('prove', address, 'urn:uuid:1', '--event', 'event.json', '-o', 'event.tlog-proof'), 4);
    assert.deepEqual([text('event.json'), text('event.tlog-proof')], [event, proof], 'what was there stays');
    writeFileSync(at('policy'), policy);
    symlinkSync('evidence', at('state.json'));
    assert.notEqual(await ask('audit', address, '--state', 'state.json', '--policy', 'policy'), 0);
    assert.equal(text('evidence'), 'precious');
  } finally {
    server.close();
    server.closeAllConnections();
  }
  assert.deepEqual(leftovers(), []);
});

/** XML with one complete event, and the rest of the document. */
const xmlWith = (rest) =>
  `<EPCISDocument schemaVersion="1.2" creationDate="2026-01-01T00:00:00Z"><EPCISBody><EventList><ObjectEvent><eventTime>2026-01-01T00:00:00Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset><epcList><epc>urn:epc:id:sgtin:9521141.012345.1</epc></epcList><action>ADD</action></ObjectEvent>${rest}`;

test('no command empties or cuts what is there, whatever is wrong with its input', () => {
  writeFileSync(at('cut.xml'), xmlWith('<ObjectEvent><eve'));
  writeFileSync(at('broken.xml'), xmlWith('<ObjectEvent></EventList></EPCISBody></EPCISDocument>'));
  writeFileSync(at('cut.json'), '{"type": "ObjectEvent", ');
  writeFileSync(at('cut.ndjson'), '{"type": }\n{"type": ]}\n');
  writeFileSync(at('empty'), '');
  mkdirSync(at('no-documents'));
  const inputs = ['absent', 'no-documents', 'absent-*.json', 'empty', 'cut.json', 'cut.xml', 'broken.xml', 'cut.ndjson'];
  const documents = [
    ['validate'],
    ['check'],
    ['check', '--format', 'sarif'],
    ['hash'],
    ['verify'],
    ['to-xml'],
    ['to-xml', '--json'],
    ['report', 'fsma204'],
    ['report', 'fsma204', '--format', 'xlsx'],
  ];
  const translations = [['translate'], ['translate', '--ndjson'], ['translate', '--json']];
  const policy = ['--policy', vector('log/trusted.policy')];
  const proof = vector('log/event.tlog-proof');
  for (const args of [
    ...documents.flatMap((command) => inputs.map((input) => [...command, input])),
    ...translations.flatMap((command) => ['absent', 'empty', 'cut.json', 'cut.xml', 'broken.xml'].map((input) => [...command, input])),
    ...documents.map((command) => [...command, 'absent', 'cut.json']),
    ['id'],
    ['id', 'nothing'],
    ['verify-proof', 'absent', proof, ...policy],
    ['verify-proof', 'empty', 'absent', ...policy],
    ['verify-proofs', 'absent', ...policy],
    ['disclose', 'absent', proof, '--show', 'action'],
    ['disclose', 'empty', proof, '--show', 'action'],
    ['verify-disclosure', 'absent', ...policy],
  ]) {
    writeFileSync(at('precious'), 'as it was');
    const { status, stderr } = run([...args, '-o', 'precious']);
    assert.ok([2, 3, 4].includes(status), `${args.join(' ')}: ${status} ${stderr}`);
    assert.equal(text('precious'), 'as it was', args.join(' '));
  }
  const empty = run(['translate', '--ndjson', '-o', 'precious'], { input: readFileSync(at('cut.xml')) });
  assert.deepEqual([empty.status, text('precious')], [4, 'as it was'], 'standard input, too');
  // With a broken input beside a complete one, the file is not complete either.
  writeFileSync(at('whole.xml'), xmlWith('</EventList></EPCISBody></EPCISDocument>'));
  const two = run(['translate', '--ndjson', 'cut.xml', 'whole.xml', '-o', 'precious']);
  assert.deepEqual([two.status, text('precious')], [4, 'as it was']);
  // Events that the schema rejects are left out, and all others are written.
  writeFileSync(at('invalid.xml'), xmlWith('<ObjectEvent><eventTime>x</eventTime></ObjectEvent></EventList></EPCISBody></EPCISDocument>'));
  assert.equal(run(['translate', '--ndjson', 'invalid.xml', '-o', 'precious']).status, 4);
  assert.match(text('precious'), /^\{"@context".*\}\n$/);
  assert.deepEqual(leftovers(), []);
});

test('proofs of a query whose later page is refused replace no file', async () => {
  let asked = 0;
  const server = http.createServer((_, response) => {
    asked += 1;
    if (asked === 1) response.end('{"type":"epcis-edge/proofs/v1","nextPageToken":"t"}');
    else response.writeHead(200).end('<p>an error page</p>');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    writeFileSync(at('proofs'), 'as it was');
    const args = ['prove', `http://127.0.0.1:${server.address().port}`, '--query', 'EQ_bizStep=shipping', '-o', 'proofs'];
    const child = spawn(process.execPath, [here('../js/cli/cli.ts'), ...args], {
      cwd: folder,
      env: { ...process.env, EPCIS_EDGE_KEY: 'key' },
      stdio: 'ignore',
    });
    assert.equal(await new Promise((resolve) => child.on('close', resolve)), 4);
    assert.deepEqual([asked, text('proofs')], [2, 'as it was']);
  } finally {
    server.close();
    server.closeAllConnections();
  }
  assert.deepEqual(leftovers(), []);
});

test('prove asks for the receipt alone, unless it writes the event too', async () => {
  const [proof, event] = ['event.tlog-proof', 'event.json'].map((name) => readFileSync(vector(`log/${name}`)));
  const receipt = Buffer.from('d284', 'hex');
  let asked = [];
  let given = receipt;
  const server = http.createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://x');
    asked.push(searchParams.has('format') ? 'receipt' : pathname.startsWith('/log/proof') ? 'proof' : 'event');
    response.end({ receipt: given, proof, event }[asked.at(-1)]);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const ask = async (...args) => {
    asked = [];
    const all = ['prove', `http://127.0.0.1:${server.address().port}`, 'urn:uuid:1', '-o', 'proved', ...args];
    const child = spawn(process.execPath, [here('../js/cli/cli.ts'), ...all], { cwd: folder, env: { ...process.env, EPCIS_EDGE_KEY: 'key' } });
    let said = '';
    child.stderr.on('data', (chunk) => (said += chunk));
    return [await new Promise((resolve) => child.on('close', resolve)), asked, said];
  };
  try {
    assert.deepEqual(await ask('--format', 'cose'), [0, ['receipt'], '']);
    assert.deepEqual(readFileSync(at('proved')), receipt);
    assert.deepEqual(await ask('--format', 'cose', '--event', 'proved.json'), [0, ['proof', 'event', 'receipt'], '']);
    assert.deepEqual(await ask('--format', 'tlog'), [0, ['proof'], '']);
    // A page is not a receipt.
    given = Buffer.from('<p>an error page</p>');
    const [code, , said] = await ask('--format', 'cose');
    assert.deepEqual([code, readFileSync(at('proved'))], [4, proof]);
    assert.match(said, /\/log\/proof answered `<p>an error page<\/p>`, expected a COSE receipt/);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
