// The checks in the package and on the command line.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { EpcisError, check, exceptionReport } from '../js/check/node.ts';

const cli = fileURLToPath(new URL('../js/cli/cli.ts', import.meta.url));
const vectors = new URL('../../tests/vectors/check/', import.meta.url);
const NOW = new Date('2026-06-01T12:00:00Z');

function run(args, input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { input, encoding: 'utf8' });
  return { status, stdout, stderr };
}

const EVENT = { type: 'ObjectEvent', epcList: ['urn:epc:id:sgtin:9521141.12345.1'], eventTimeZoneOffset: '+00:00', eventTime: '2026-01-01T00:00:00+01:00' };
const XML = '<ObjectEvent>\n<epcList><epc>urn:epc:id:sgtin:9521141.12345.1</epc></epcList></ObjectEvent>';
const PACK = {
  version: 1,
  name: 'mine',
  rules: [{ id: 'no-place', severity: 'warning', message: 'no place', source: { document: 'ours' }, when: { value: 'readPoint', exists: false } }],
};

/** The document of a case: its own, or a base with changes (RFC 6902, of which the vectors use `add`, `remove` and `replace`). */
function documentOf({ document, base, patch }) {
  if (base === undefined) return document;
  const changed = JSON.parse(readFileSync(new URL(`bases/${base}.json`, vectors), 'utf8'));
  for (const { op, path, value } of patch) {
    const [last, ...way] = path
      .slice(1)
      .split('/')
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reverse();
    const inside = way.reduceRight((place, name) => place[name], changed);
    if (!Array.isArray(inside) && op === 'remove') delete inside[last];
    else if (!Array.isArray(inside)) inside[last] = value;
    else inside.splice(last === '-' ? inside.length : Number(last), op === 'add' ? 0 : 1, ...(op === 'remove' ? [] : [value]));
  }
  return changed;
}

test('every vector is answered as the core answers it', () => {
  let count = 0;
  for (const pack of readdirSync(vectors).filter((folder) => folder !== 'bases')) {
    const packs = ['identifiers', 'consistency', 'cbv', pack].filter((name, at, all) => all.indexOf(name) === at);
    for (const file of readdirSync(new URL(`${pack}/`, vectors))) {
      const { rule, breaks, nearly } = JSON.parse(readFileSync(new URL(`${pack}/${file}`, vectors), 'utf8'));
      for (const one of breaks) {
        const found = check(documentOf(one), { now: NOW, packs, parameters: one.parameters }).findings.filter((finding) => finding.rule === rule);
        const paths = found.map(({ path }) => path);
        assert.deepEqual(paths, one.at, rule);
      }
      for (const one of nearly) assert.deepEqual(check(documentOf(one), { now: NOW.getTime(), packs: [pack], parameters: one.parameters }).findings, [], rule);
      count += 1;
    }
  }
  assert.ok(count >= 150);
});

test('packs are chosen, and one of your own is asked', () => {
  const { packs, counts, rules, findings } = check(EVENT);
  assert.deepEqual(packs, ['identifiers', 'consistency', 'cbv']);
  assert.deepEqual(counts, { error: 1, warning: 0, hint: 1 });
  assert.equal(rules.length, 2);
  assert.deepEqual(
    findings.map(({ rule }) => rule),
    ['identifiers/key-length', 'consistency/other-offset'],
  );
  assert.deepEqual(check(EVENT, { packs: ['cbv'] }).findings, []);
  for (const pack of [PACK, JSON.stringify(PACK), new TextEncoder().encode(JSON.stringify(PACK))]) {
    assert.deepEqual(check(EVENT, { pack }).packs, ['mine']);
    assert.equal(check(EVENT, { pack, packs: ['identifiers'] }).findings.length, 2);
  }
  const { findings: ofXml } = check(XML, { packs: ['identifiers'] });
  assert.deepEqual(
    ofXml.map(({ path, line, column, pointer }) => [path, line, column, pointer]),
    [['/ObjectEvent/epcList[1]/epc[1]', 2, 10, '/epcList/0']],
  );
});

test('what cannot be asked is refused', () => {
  assert.throws(() => check(EVENT, { packs: ['gs1'] }), /the option packs of check has "gs1", expected an array of names of packs: identifiers/);
  assert.throws(() => check(EVENT, { packs: ['cbv', 5] }), /the option packs of check has 5, expected/);
  assert.throws(() => check(EVENT, { packs: [] }), /the option packs of check is empty, expected/);
  assert.throws(() => check(EVENT, { packs: 'cbv' }), TypeError);
  assert.throws(() => check(EVENT, { pack: 7 }), TypeError);
  assert.throws(() => check(EVENT, { now: 'today' }), TypeError);
  assert.throws(() => check(EVENT, { rules: [] }), /check has no option "rules"/);
  assert.throws(
    () => check(EVENT, { pack: { ...PACK, version: 2 } }),
    (error) => error instanceof EpcisError && error.problem.location.path === '/version',
  );
  assert.throws(() => check({}), EpcisError);
});

const folder = mkdtempSync(join(tmpdir(), 'epcis-check-'));
const saved = (name, text) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

test('the command line: text, JSON, exit codes', () => {
  const file = saved('event.json', JSON.stringify(EVENT));
  const { status, stdout } = run(['check', file]);
  assert.equal(status, 4);
  assert.match(stdout, /: 1 error, 1 hint\n {2}\S+event\.json:1:\d+ error \/epcList\/0 `urn:epc:id:sgtin:9521141\.12345\.1`: .* \[identifiers\/key-length\]\n/);
  assert.deepEqual(run(['check', '--packs', 'cbv', '--quiet', file]), { status: 0, stdout: '', stderr: '' });
  assert.equal(run(['check', '--packs', 'consistency', '--strict', file]).status, 0);
  const json = JSON.parse(run(['check', '--json', file]).stdout);
  assert.deepEqual([json.file, json.counts], [file, { error: 1, warning: 0, hint: 1 }]);
  assert.deepEqual(JSON.parse(run(['check', '--format', 'json', file]).stdout), json);

  const pack = saved('pack.json', JSON.stringify(PACK));
  const own = run(['check', '--pack', pack, '--json'], XML);
  assert.deepEqual([own.status, JSON.parse(own.stdout).findings[0].path], [0, '/ObjectEvent']);
  assert.equal(run(['check', '--pack', pack, '--strict'], XML).status, 4);

  const lines = run(['check', '--packs', 'identifiers'], `${JSON.stringify({ type: 'ObjectEvent' })}\n${JSON.stringify(EVENT)}\n`);
  assert.match(lines.stdout, /^-:1: no problems found\n-:2: 1 error\n {2}-:2:\d+ error/);
});

test('the command line: mistakes are told before a file is read', () => {
  for (const [args, words] of [
    [['--packs', 'gs1'], /there is no pack "gs1", expected identifiers, consistency, cbv/],
    [['--packs', 'cbv,'], /there is no pack "", expected/],
    [['--format', 'xml'], /--format is xml, expected text or json or sarif or github or junit/],
    [['--json', '--format', 'sarif'], /--json means --format json/],
    [['--pack', saved('broken.json', '{"version": 2}')], /broken\.json: the pack has `2` here, expected the version 1/],
  ]) {
    const { status, stderr } = run(['check', ...args, 'nothing.json']);
    assert.equal(status, 2, stderr);
    assert.match(stderr, words);
  }
  assert.equal(run(['check', '--pack', 'nothing.json', 'x.json']).status, 3);
});

test('the command line: annotations of a pull request', () => {
  const file = saved('odd,name.json', JSON.stringify({ type: 'ObjectEvent', epcList: ['100%\n'] }));
  const { stdout, status } = run(['check', '--format', 'github', file]);
  assert.equal(status, 4);
  assert.equal(
    stdout,
    `::error file=${join(folder, 'odd%2Cname.json')},line=1,col=34,title=cbv/bare-identifier::/epcList/0 \`100%25%0A\`: a bare word where a URI is meant\n`,
  );
});

test('the command line: columns are those that editors count', () => {
  const file = saved('wide.json', '{"type":"ObjectEvent","eventID":"x:1",\n"x:𝄞":1,"epcList":["a"]}');
  const [finding] = JSON.parse(run(['check', '--json', file]).stdout).findings;
  assert.deepEqual([finding.line, finding.column], [2, 23]);
  const [{ results }] = JSON.parse(run(['check', '--format', 'sarif', file]).stdout).runs;
  assert.deepEqual(results[0].locations[0].physicalLocation.region, { startLine: 2, startColumn: 21 });
});

test('the command line: SARIF is one log of all files', () => {
  const files = [saved('one.json', JSON.stringify(EVENT)), saved('two.xml', XML)];
  const log = JSON.parse(run(['check', '--format', 'sarif', ...files]).stdout);
  assert.equal(log.version, '2.1.0');
  const [{ tool, results }] = log.runs;
  assert.deepEqual(
    results.map(({ ruleId, level }) => [ruleId, level]),
    [
      ['identifiers/key-length', 'error'],
      ['consistency/other-offset', 'note'],
      ['identifiers/key-length', 'error'],
    ],
  );
  for (const { ruleId, ruleIndex, locations } of results) {
    assert.equal(tool.driver.rules[ruleIndex].id, ruleId);
    const [{ physicalLocation }] = locations;
    assert.match(physicalLocation.artifactLocation.uri, /^file:\/\/\/.*\.(json|xml)$/);
    assert.ok(physicalLocation.region.startLine >= 1 && physicalLocation.region.startColumn >= 1);
  }
});

const MEDICINE = readFileSync(fileURLToPath(new URL('../../www/examples/dscsa-shipment.json', import.meta.url)));
const MEDICINE_XML = readFileSync(fileURLToPath(new URL('../../docs/profiles-dscsa.xml', import.meta.url)));
const SENDER = { email: 'dscsa@pharmacy.example' };

test('an exception report has the findings of a document, JSON or XML', () => {
  const report = exceptionReport(MEDICINE, SENDER, { now: NOW });
  assert.deepEqual(
    [report.timestamp, report.po_number, report.sender_information, report.case_resolved],
    [NOW.getTime() / 1000, 'PO-7731', { ...SENDER, gln: '9521141002001' }, false],
  );
  assert.deepEqual(
    report.exceptions.missing_product_data.map(({ product_serial: serial }) => serial),
    ['201', '202', '203', '204', '205', '206'],
  );
  assert.deepEqual(
    report.exceptions.master_data_errors.gln_errors.map(({ invalid_gln: gln }) => gln),
    ['9521141002001'],
  );
  assert.match(report.other_errors[0], /^serialised-medicine\/shipping-with-place: /);
  assert.deepEqual(exceptionReport(MEDICINE.toString('utf8'), SENDER, { now: NOW.getTime() }), report);
  const uuids = JSON.stringify(report).match(/"[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"/g);
  assert.equal(new Set(uuids).size, 10);
  assert.equal(exceptionReport(MEDICINE, SENDER).exception_case_uuid, report.exception_case_uuid);

  const all = { ...SENDER, phone: '+1 614 555 0100', gln: '9521141002001', poNumber: 'PO-1' };
  const begun = Math.floor(Date.now() / 1000);
  const ofXml = exceptionReport(MEDICINE_XML, all);
  const { poNumber, ...information } = all;
  assert.deepEqual([ofXml.po_number, ofXml.sender_information], [poNumber, information]);
  assert.deepEqual(
    ofXml.exceptions.missing_product_data.map(({ product_serial: serial }) => serial),
    ['14'],
  );
  assert.ok(ofXml.timestamp >= begun && ofXml.timestamp * 1000 <= Date.now());
});

test('an exception report is refused without a sender, an order, or exceptions', () => {
  for (const [call, sentence] of [
    [
      () => exceptionReport(MEDICINE),
      /the sender is undefined, expected an object with the members email, phone, gln, poNumber, of which only email is needed/,
    ],
    [() => exceptionReport(MEDICINE, 'a@b.example'), /the sender is "a@b\.example"/],
    [() => exceptionReport(MEDICINE, {}), /the member email of the sender is undefined, expected a string/],
    [() => exceptionReport(MEDICINE, { ...SENDER, gln: 9521141002001 }), /the member gln of the sender is 9521141002001/],
    [() => exceptionReport(MEDICINE, { ...SENDER, fax: '1' }), /the sender has the member "fax"/],
    [() => exceptionReport(MEDICINE, SENDER, { now: 'today' }), /the option now of exceptionReport is "today"/],
    [() => exceptionReport(MEDICINE, SENDER, { packs: [] }), /exceptionReport has no option "packs"/],
    [() => exceptionReport(MEDICINE, SENDER, NOW), /the third argument of exceptionReport is a Date/],
    [() => exceptionReport(new Map(), SENDER), /the document is a Map/],
  ])
    assert.throws(call, (error) => error instanceof TypeError && sentence.test(error.message), call.toString());
  const withoutOrder = JSON.parse(MEDICINE);
  for (const event of withoutOrder.epcisBody.eventList) delete event.bizTransactionList;
  const right = JSON.parse(readFileSync(new URL('bases/medicine.json', vectors), 'utf8'));
  for (const [call, sentence] of [
    [() => exceptionReport(MEDICINE, { email: 'me' }), /the e-mail address that the seller answers to/],
    [() => exceptionReport(MEDICINE, { ...SENDER, gln: '1' }), /a GLN of 13 digits/],
    [() => exceptionReport(withoutOrder, SENDER), /the argument `poNumber` is `the shipments in the document name no order`/],
    [() => exceptionReport(right, SENDER), /there is nothing to report: the packs dscsa and serialised-medicine find no error and no warning/],
    [() => exceptionReport(EVENT, SENDER), /there is nothing to report: .* this is no DSCSA document/],
    [() => exceptionReport('{', SENDER), /at line 1 column 2/],
  ])
    assert.throws(call, (error) => error instanceof EpcisError && sentence.test(error.message), call.toString());
});

test('the command line: the exception report of exactly one document', () => {
  const from = ['report', 'exceptions'];
  const email = ['--email', SENDER.email];
  const file = saved('medicine.json', MEDICINE);
  const untimed = ({ timestamp, message_uuid: uuid, ...rest }) => rest;
  const made = run([...from, file, ...email]);
  assert.deepEqual([made.status, made.stderr, untimed(JSON.parse(made.stdout))], [0, '', untimed(exceptionReport(MEDICINE, SENDER))]);
  const xml = saved('medicine.xml', MEDICINE_XML);
  const all = [...email, '--phone', '1', '--gln', '9521141002001', '--po', 'PO-1'];
  const target = join(folder, 'exceptions.json');
  assert.deepEqual(run([...from, xml, ...all, '-o', target, '--json']), { status: 0, stdout: '', stderr: '' });
  assert.deepEqual(
    untimed(JSON.parse(readFileSync(target, 'utf8'))),
    untimed(exceptionReport(MEDICINE_XML, { ...SENDER, phone: '1', gln: '9521141002001', poNumber: 'PO-1' })),
  );
  assert.equal(run([...from, ...email, '--format', 'json'], MEDICINE).status, 0, 'standard input');
  const withoutOrder = JSON.parse(MEDICINE);
  for (const event of withoutOrder.epcisBody.eventList) delete event.bizTransactionList;
  const right = saved('right.json', readFileSync(new URL('bases/medicine.json', vectors), 'utf8'));
  for (const [args, status, sentence] of [
    [[file], 2, /say whom the sender may ask: --email, followed by an address/],
    [[file, '--email', 'me'], 2, /the argument `email` is `"me"`/],
    [[file, ...email, '--gln', '1'], 2, /expected a GLN of 13 digits/],
    [[file, ...email, '--item', 'urn:x:1'], 2, /--item is not for the report exceptions/],
    [[file, ...email, '--gateway', 'https://epcis.example.com'], 2, /--gateway is not for the report exceptions/],
    [[file, ...email, '--format', 'csv'], 2, /--format is csv, but an exception report is JSON/],
    [[file, ...email, '-o', `${folder}/`], 2, /is a folder, but an exception report is one file of JSON/],
    [[file, xml, ...email], 2, /an exception report is about one document, not 2/],
    [['absent.json', ...email], 3, /there is no such file/],
    [[right, ...email], 3, /right\.json: there is nothing to report: /],
    [[saved('cut.json', '{'), ...email], 4, /cut\.json: .* at line 1 column 2/],
    [[saved('no-order.json', JSON.stringify(withoutOrder)), ...email], 4, /name no order.*\n {2}--po gives the number of the order\n/],
  ]) {
    const { status: found, stdout, stderr } = run([...from, ...args]);
    assert.deepEqual([found, stdout], [status, ''], `${args.join(' ')}: ${stderr}`);
    assert.match(stderr, sentence);
  }
});

test('packs are told who we are, and refuse what they do not ask', () => {
  const vector = JSON.parse(readFileSync(new URL('dscsa/receiver-other.json', vectors), 'utf8'));
  const [{ base, patch, parameters }] = vector.breaks;
  const document = documentOf({ base, patch });
  const found = (options) => check(document, { packs: ['dscsa'], now: NOW, ...options }).findings.map(({ rule }) => rule);
  assert.ok(found({ parameters }).includes('dscsa/receiver-other'));
  assert.ok(!found({}).includes('dscsa/receiver-other'));
  assert.throws(() => found({ parameters: { owner: 'x' } }), /the argument `parameters` has `owner`, expected a parameter of these packs: own, direction/);
  assert.throws(() => found({ parameters: { direction: 'up' } }), /has `up`, expected for direction one of inbound, outbound/);
  assert.throws(() => found({ parameters: { own: 7 } }), TypeError);
  assert.throws(() => found({ parameters: { own: [] } }), EpcisError);
});

test('the command line gives parameters', () => {
  const example = fileURLToPath(new URL('../../www/examples/dscsa-shipment.json', import.meta.url));
  const of = (...given) => run(['check', '--packs', 'dscsa', ...given.flatMap((one) => ['--parameter', one]), example]);
  const told = of('own=9521141003008', 'direction=inbound');
  assert.match(told.stdout, /receiver-other|buyer-other/);
  assert.doesNotMatch(of().stdout, /receiver-other|buyer-other/);
  for (const [wrong, reason] of [
    ['own', /--parameter has "own", expected NAME=VALUE/],
    ['=x', /expected NAME=VALUE/],
    ['other=x', /expected a parameter of these packs: own, direction/],
    ['direction=up', /one of inbound, outbound/],
  ]) {
    const refused = of(wrong);
    assert.equal(refused.status, 2, refused.stderr);
    assert.match(refused.stderr, reason);
  }
});
