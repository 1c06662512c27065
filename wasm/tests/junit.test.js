// JUnit XML, as `check` and `validate` write it. xmllint reads it, and compares it with what the servers read.
// Invariant: No character of a document or a file name breaks a report for pipelines.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { harmlessInXml } from '../js/cli/harmless.ts';
import { PipelineReport } from '../js/cli/pipelines.ts';
import { EVENT } from './an-event.js';

const cli = fileURLToPath(new URL('../js/cli/cli.ts', import.meta.url));
const xmllint = execFileSync(fileURLToPath(new URL('../../scripts/xmllint.sh', import.meta.url)), { encoding: 'utf8' }).trim();
const folder = mkdtempSync(join(tmpdir(), 'epcis-edge-junit-'));
after(() => rmSync(folder, { recursive: true }));
const save = (name, text) => {
  writeFileSync(join(folder, name), text);
  return name;
};

/** The part of the schema of Jenkins' xUnit plugin (junit-10.xsd) that a report uses; it allows no other attribute. */
const DTD = save(
  'junit.dtd',
  `<!ELEMENT testsuites (testsuite*)>
<!ATTLIST testsuites name CDATA #REQUIRED>
<!ELEMENT testsuite (testcase+)>
<!ATTLIST testsuite name CDATA #REQUIRED tests NMTOKEN #REQUIRED failures NMTOKEN #REQUIRED errors NMTOKEN #REQUIRED skipped NMTOKEN #REQUIRED
  time NMTOKEN #REQUIRED>
<!ELEMENT testcase (failure|error|skipped)?>
<!ATTLIST testcase classname CDATA #REQUIRED name CDATA #REQUIRED time NMTOKEN #REQUIRED>
<!ELEMENT failure (#PCDATA)>
<!ATTLIST failure message CDATA #REQUIRED type CDATA #REQUIRED>
<!ELEMENT error (#PCDATA)>
<!ATTLIST error message CDATA #REQUIRED type CDATA #REQUIRED>
<!ELEMENT skipped (#PCDATA)>
<!ATTLIST skipped message CDATA #REQUIRED type CDATA #REQUIRED>
`,
);

function lint(args, xml) {
  const { status, stdout, stderr } = spawnSync(xmllint, ['--nonet', ...args, '-'], { cwd: folder, input: xml, encoding: 'utf8', maxBuffer: 1 << 28 });
  assert.equal(status, 0, stderr);
  return stdout;
}

/** The string value of an XPath expression. */
const stringAt = (xml, path) => lint(['--xpath', `string(${path})`], xml).replace(/\n$/, '');

/** Checks what holds for every report: form, names, counts. */
function sound(xml) {
  lint(['--noout', '--dtdvalid', DTD], xml);
  // Begun by a value, a line could be a command of a runner.
  assert.ok(!/\n(?! *<)./.test(xml), 'each line begins with a tag');
  const suites = Number(stringAt(xml, 'count(//testsuite)'));
  for (let at = 1; at <= Math.min(suites, 5); at += 1) {
    const suite = `//testsuite[${at}]`;
    for (const [name, path] of [
      ['tests', 'testcase'],
      ['failures', 'testcase/failure'],
      ['errors', 'testcase/error'],
      ['skipped', 'testcase/skipped'],
    ])
      assert.equal(stringAt(xml, `${suite}/@${name}`), stringAt(xml, `count(${suite}/${path})`), name);
  }
  // GitLab keeps one test of those with the same class and name.
  const keys = [...xml.matchAll(/<testcase (classname="[^"]*" name="[^"]*")/g)].map(([, key]) => key);
  assert.equal(new Set(keys).size, keys.length);
  return xml;
}

function run(args, input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { cwd: folder, input, encoding: 'utf8', maxBuffer: 1 << 28 });
  return { status, stdout, stderr };
}

/** A report of documents, each an array of problems and the label. */
async function reportOf(documents, how = { command: 'check', fine: 'no problems found' }) {
  const written = [];
  const output = { write: async (text) => written.push(text) };
  const report = PipelineReport.of('junit', output, how);
  for (const [label, problems, unlisted] of documents) await report.add(label, problems, unlisted);
  await report.end();
  return written.join('');
}

const PROBLEM = { severity: 'error', rule: 'mine/rule', path: '/a', message: 'is wrong', line: 3, column: 4 };

test('every character of a value leaves the XML well-formed, and is shown', async () => {
  const all = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit)).join('');
  const evil = `\u{1f4a9}\u{10ffff}\ud800 \udc00 ]]> <![CDATA[ <!-- --> &lt; &#0; <?x ?> "'\t\r\n ::error::x ##[add-mask]x`;
  for (const value of [all, evil]) {
    const problem = { ...PROBLEM, rule: `r${value}`, path: `/${value}`, found: value, message: value, related: { path: value, line: 1, column: 1 } };
    const xml = sound(await reportOf([[{ file: value }, [problem]]]));
    // The value as it is read, next to how it is meant to look.
    const shown = harmlessInXml(value).replace(
      /&(amp|lt|gt|quot|#91|#35);/g,
      (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#91': '[', '#35': '#' })[name],
    );
    assert.equal(stringAt(xml, '//testsuite/@name'), shown);
    assert.equal(stringAt(xml, '//failure/@type'), `r${shown}`);
    assert.equal(stringAt(xml, '//failure/@message'), `error: /${shown} \`${shown}\`: ${shown}`);
    assert.equal(stringAt(xml, '//failure'), `${shown}:3:4: error: /${shown} \`${shown}\`: ${shown}; see ${shown}:1:1, ${shown} [r${shown}]`);
    assert.ok(!xml.includes('##['));
  }
  assert.equal(harmlessInXml('\0\x1b\n\ud800\ufffe\uffff<"'), '\\x00\\x1b\\n\\u{d800}\\u{fffe}\\u{ffff}&lt;&quot;');
  // What XML allows and no terminal obeys is not changed.
  const plain = all.replace(/[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]/g, '');
  assert.equal(stringAt(await reportOf([[{ file: plain }, []]]), '//testsuite/@name'), plain);
});

test('a suite for each document: failures, skipped tests, and one test that passed', async () => {
  const problems = [PROBLEM, { ...PROBLEM, severity: 'warning', path: '' }, { ...PROBLEM, severity: 'hint', path: '/b' }, PROBLEM, PROBLEM];
  const documents = [
    [{ file: 'a.json' }, problems],
    [{ file: 'b.ndjson', line: 7 }, []],
    [{ file: '-' }, [{ severity: 'error', rule: 'required', path: '', message: 'lacks `type`' }], { error: 2, warning: 0, hint: 1 }],
  ];
  assert.equal(
    sound(await reportOf(documents)),
    `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="epcis-edge check">
  <testsuite name="a.json" tests="5" failures="3" errors="0" skipped="2" time="0">
    <testcase classname="a.json" name="mine/rule at /a" time="0">
      <failure message="error: /a: is wrong" type="mine/rule">a.json:3:4: error: /a: is wrong [mine/rule]</failure>
    </testcase>
    <testcase classname="a.json" name="mine/rule at the document" time="0">
      <skipped message="warning: the document: is wrong" type="mine/rule">a.json:3:4: warning: the document: is wrong [mine/rule]</skipped>
    </testcase>
    <testcase classname="a.json" name="mine/rule at /b" time="0">
      <skipped message="hint: /b: is wrong" type="mine/rule">a.json:3:4: hint: /b: is wrong [mine/rule]</skipped>
    </testcase>
    <testcase classname="a.json" name="mine/rule at /a (2)" time="0">
      <failure message="error: /a: is wrong" type="mine/rule">a.json:3:4: error: /a: is wrong [mine/rule]</failure>
    </testcase>
    <testcase classname="a.json" name="mine/rule at /a (3)" time="0">
      <failure message="error: /a: is wrong" type="mine/rule">a.json:3:4: error: /a: is wrong [mine/rule]</failure>
    </testcase>
  </testsuite>
  <testsuite name="b.ndjson:7" tests="1" failures="0" errors="0" skipped="0" time="0">
    <testcase classname="b.ndjson:7" name="no problems found" time="0"/>
  </testsuite>
  <testsuite name="-" tests="3" failures="2" errors="0" skipped="1" time="0">
    <testcase classname="-" name="required at the document" time="0">
      <failure message="error: the document: lacks \`type\`" type="required">-: error: the document: lacks \`type\` [required]</failure>
    </testcase>
    <testcase classname="-" name="not listed: error" time="0">
      <failure message="2 more of severity error, counted but not listed" type="not-listed">-: 2 more of severity error, counted but not listed</failure>
    </testcase>
    <testcase classname="-" name="not listed: hint" time="0">
      <skipped message="1 more of severity hint, counted but not listed" type="not-listed">-: 1 more of severity hint, counted but not listed</skipped>
    </testcase>
  </testsuite>
</testsuites>
`,
  );
  const strict = sound(await reportOf(documents, { command: 'check', fine: 'no problems found', isStrict: true }));
  assert.equal(stringAt(strict, 'count(//failure)'), '6');
  assert.equal(stringAt(strict, 'count(//skipped)'), '2');
});

const good = save('good.json', JSON.stringify(EVENT));
const wrong = save('wrong.json', JSON.stringify({ ...EVENT, eventTime: '2026-01-01T00:00:00+01:00', epcList: ['urn:epc:id:sgtin:9521141.12345.1'] }));
const word = save('word.json', JSON.stringify({ ...EVENT, bizStep: 'shiping' }, undefined, 1));

test('the command line: check', () => {
  const { status, stdout, stderr } = run(['check', '--format', 'junit', wrong, good]);
  assert.deepEqual([status, stderr], [4, '']);
  sound(stdout);
  assert.equal(stringAt(stdout, '/testsuites/@name'), 'epcis-edge check');
  assert.equal(stringAt(stdout, '//testsuite[@name="wrong.json"]/@failures'), '1');
  assert.equal(stringAt(stdout, '//testcase[failure]/@name'), 'identifiers/key-length at /epcList/0');
  assert.match(stringAt(stdout, '//failure'), /^wrong\.json:1:\d+: error: \/epcList\/0 `urn:epc:id:sgtin:9521141\.12345\.1`: .* \[identifiers\/key-length\]$/);
  assert.equal(stringAt(stdout, '//testcase[skipped]/@name'), 'consistency/other-offset at /eventTime');
  assert.match(stringAt(stdout, '//skipped/@message'), /^hint: \/eventTime `2026-/);
  assert.equal(stringAt(stdout, '//testcase[@classname="good.json"]/@name'), 'no problems found');
  assert.equal(run(['check', '--format', 'junit', good]).status, 0);
});

test('the command line: a warning fails with --strict alone, as the exit code does', () => {
  const rule = { id: 'no-place', severity: 'warning', message: 'no place', source: { document: 'ours' }, when: { value: 'readPoint', exists: false } };
  const pack = save('pack.json', JSON.stringify({ version: 1, name: 'mine', rules: [rule] }));
  const lenient = run(['check', '--format', 'junit', '--pack', pack, good]);
  assert.deepEqual([lenient.status, stringAt(sound(lenient.stdout), '//skipped/@type')], [0, 'mine/no-place']);
  const strict = run(['check', '--format', 'junit', '--pack', pack, '--strict', good]);
  assert.deepEqual([strict.status, stringAt(sound(strict.stdout), '//failure/@type')], [4, 'mine/no-place']);
});

test('the command line: validate, of JSON, XML and NDJSON', () => {
  const xml = save('bad.xml', '<ObjectEvent/>');
  const lines = save('lines.ndjson', `${JSON.stringify(EVENT)}\n${JSON.stringify({ ...EVENT, bizStep: 'shiping' })}\n{"type":}\n`);
  const { status, stdout } = run(['validate', '--format', 'junit', '--quiet', good, word, xml, lines]);
  assert.equal(status, 4);
  sound(stdout);
  assert.equal(stringAt(stdout, '/testsuites/@name'), 'epcis-edge validate');
  assert.equal(stringAt(stdout, '//testcase[@classname="good.json"]/@name'), 'valid');
  assert.match(stringAt(stdout, '//testsuite[@name="word.json"]/testcase/failure'), /^word\.json:10:13: error: \/bizStep: found `shiping`, .* \[\w+\]$/);
  assert.match(stringAt(stdout, '//testsuite[@name="bad.xml"]/testcase/*'), /^bad\.xml/);
  assert.equal(stringAt(stdout, '//testsuite[@name="lines.ndjson:1"]/@failures'), '0');
  assert.match(stringAt(stdout, '//testsuite[@name="lines.ndjson:2"]/testcase/failure'), /^lines\.ndjson:2:\d+: error: \/bizStep: /);
  assert.match(stringAt(stdout, '//testsuite[@name="lines.ndjson:3"]/testcase/error/@message'), /^the JSON text is malformed: .* at line 3 column /);
});

test('the command line: what cannot be read or judged is an error, also if nothing else is there', () => {
  save('cut.json', '{"type":\n');
  for (const command of ['check', 'validate']) {
    save('report.xml', 'of yesterday');
    const { status, stdout } = run([command, '--format', 'junit', 'cut.json', 'absent.json', 'no-*.json', '-o', 'report.xml']);
    assert.deepEqual([status, stdout], [4, '']);
    const report = sound(readFileSync(join(folder, 'report.xml'), 'utf8'));
    assert.equal(stringAt(report, 'count(//error)'), '3');
    assert.match(stringAt(report, '//testsuite[1]//error'), /^cut\.json: the JSON text ends too early, at line 2 /);
    assert.equal(stringAt(report, '//testsuite[2]/testcase/@name'), 'No such file');
    assert.equal(stringAt(report, '//testsuite[3]//error'), 'no-*.json: no file matches no-*.json');
  }
});

test('the command line: more findings than are listed are counted', () => {
  const eventList = Array.from({ length: 1_500 }, () => ({ ...EVENT, epcList: ['a'] }));
  const document = { type: 'EPCISDocument', schemaVersion: '2.0', creationDate: '2026-01-01T00:00:00Z', epcisBody: { eventList } };
  const { status, stdout } = run(['check', '--packs', 'cbv', '--format', 'junit'], JSON.stringify(document));
  assert.equal(status, 4);
  sound(stdout);
  assert.equal(stringAt(stdout, 'count(//failure)'), '1001');
  assert.equal(stringAt(stdout, '//testcase[last()]/failure/@message'), '500 more of severity error, counted but not listed');
});
