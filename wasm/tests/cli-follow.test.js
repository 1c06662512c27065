// The command `follow`: files, lines, XML, several documents as one list of events, names of master data, a gateway.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { follow } from '../js/follow/node.ts';
import { eventsIn, merged } from '../js/cli/merged.ts';
import { hash } from '../js/engine/node.ts';
import { files, outcome, read } from './vectors.js';

const cli = fileURLToPath(new URL('../js/cli/cli.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'epcis-edge-follow-'));
after(() => rmSync(folder, { recursive: true }));
const { NO_COLOR, FORCE_COLOR, NODE_DISABLE_COLORS, EPCIS_EDGE_KEY, ...ENV } = process.env;

function run(args, { input = '', env = {} } = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'follow', ...args], { cwd: folder, input, encoding: 'utf8', env: { ...ENV, ...env } });
  return { status, stdout, stderr, lines: stdout.split('\n').filter(Boolean) };
}
function file(name, text) {
  writeFileSync(join(folder, name), typeof text === 'string' ? text : JSON.stringify(text));
  return name;
}

const OFFICIAL = 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld';
const documentOf = (eventList, namespace = 'https://a.example/') => ({
  '@context': [OFFICIAL, { ex: namespace }],
  type: 'EPCISDocument',
  schemaVersion: '2.0',
  creationDate: '2026-03-05T00:00:00Z',
  epcisBody: { eventList },
});
const at = (hour) => ({ eventTime: `2026-03-04T${String(hour).padStart(2, '0')}:00:00Z`, eventTimeZoneOffset: '+00:00' });
const SSCC = 'urn:epc:id:sscc:9521141.1234567890';
const PALLET = 'https://id.gs1.org/00/195211412345678900';

const made = {
  type: 'TransformationEvent',
  ...at(8),
  inputQuantityList: [{ epcClass: 'urn:x:milk', quantity: 40, uom: 'KGM' }],
  outputEPCList: ['urn:x:cheese'],
  bizStep: 'commissioning',
};
const packed = { type: 'AggregationEvent', ...at(10), action: 'ADD', parentID: SSCC, childEPCs: ['urn:x:cheese'], bizStep: 'packing' };
const shipped = { type: 'ObjectEvent', ...at(11), action: 'OBSERVE', epcList: [PALLET], bizStep: 'shipping', readPoint: { id: 'urn:x:dock' } };
const unpacked = { type: 'AggregationEvent', ...at(12), action: 'DELETE', parentID: SSCC };
const story = [made, packed, shipped, unpacked];
const whole = file('whole.json', documentOf(story));

test('follow: the life of an item, of what it was made of, contents, what is missing', () => {
  const { lines, ...told } = run([whole, '--item', 'urn:x:cheese']);
  assert.deepEqual(told, {
    status: 0,
    stderr: '',
    stdout: `urn:x:cheese: 4 events
  began 2026-03-04T08:00:00Z; last at urn:x:dock, since 2026-03-04T11:00:00Z
  2026-03-04T08:00:00Z  made of urn:x:milk, commissioning
  2026-03-04T10:00:00Z  packed into ${PALLET}, packing
  2026-03-04T11:00:00Z  inside ${PALLET}: seen, shipping, at urn:x:dock
  2026-03-04T12:00:00Z  inside ${PALLET}: everything taken out of it
urn:x:milk: 1 event
  2026-03-04T08:00:00Z  used to make urn:x:cheese, commissioning, 40 KGM
4 events of 3 things
`,
  });
  assert.deepEqual(run([whole, '--item', SSCC, '--item', 'urn:x:nobody']).lines, [
    'urn:x:nobody: no event found',
    `${PALLET} (${SSCC}): 3 events`,
    '  last at urn:x:dock, since 2026-03-04T11:00:00Z',
    '  2026-03-04T10:00:00Z  1 thing packed into it, packing',
    '  2026-03-04T11:00:00Z  seen, shipping, at urn:x:dock',
    '  2026-03-04T12:00:00Z  everything taken out of it',
    `${PALLET}: 1 row of contents`,
    '  urn:x:cheese: from 2026-03-04T10:00:00Z until 2026-03-04T12:00:00Z',
    '3 events of 2 things',
  ]);
  const nearer = run([whole, '--item', 'urn:x:milk', '--depth', '1']);
  assert.equal(nearer.status, 0);
  assert.match(nearer.stdout, /^not complete: more is tied to it or inside of it than --depth allows: urn:x:cheese$/m);
});

test('follow: what is possible, withdrawn, after its end', () => {
  const lot = { epcClass: 'urn:x:lot', quantity: 1, uom: 'KGM' };
  const name = file('doubtful.json', [
    { type: 'AggregationEvent', ...at(1), action: 'ADD', parentID: 'urn:x:one', childQuantityList: [lot] },
    { type: 'AggregationEvent', ...at(2), action: 'ADD', parentID: 'urn:x:other', childQuantityList: [lot] },
    { type: 'ObjectEvent', ...at(3), action: 'OBSERVE', epcList: ['urn:x:one'] },
    { type: 'ObjectEvent', ...at(4), action: 'DELETE', epcList: ['urn:x:thing'] },
    { type: 'ObjectEvent', ...at(5), action: 'OBSERVE', epcList: ['urn:x:thing'], eventID: 'urn:uuid:1' },
    {
      type: 'ObjectEvent',
      ...at(5),
      action: 'OBSERVE',
      epcList: ['urn:x:thing'],
      eventID: 'urn:uuid:1',
      errorDeclaration: {
        declarationTime: '2026-03-05T00:00:00Z',
        reason: 'urn:epcglobal:cbv:er:incorrect_data',
        correctiveEventIDs: ['urn:uuid:2'],
      },
    },
  ]);
  const { lines } = run([name, '--item', 'urn:x:lot', '--item', 'urn:x:thing']);
  for (const line of [
    '  2026-03-04T01:00:00Z  packed into urn:x:one, 1 KGM',
    '  2026-03-04T03:00:00Z  inside urn:x:one: seen, possible',
    '  2026-03-04T04:00:00Z  ended',
    '  2026-03-04T05:00:00Z  seen, after its end, withdrawn, incorrect_data; corrected by urn:uuid:2',
  ])
    assert.ok(lines.includes(line), `${line}\n${lines.join('\n')}`);
});

test('follow: each option is a member of the question, and --json gives the answer of the package', () => {
  const document = documentOf(story);
  for (const [args, question] of [
    [[], {}],
    [['--direction', 'back'], { direction: 'back' }],
    [['--direction=forth', '--contents', 'followed'], { direction: 'forth', contents: 'followed' }],
    [['--from', '2026-03-04T09:00:00Z', '--to', '2026-03-04T11:00:00+00:00'], { from: '2026-03-04T09:00:00Z', to: '2026-03-04T11:00:00+00:00' }],
    [['--depth', '1'], { depth: 1 }],
    [['--max-events', '2'], { maxEvents: 2 }],
    [['--kin'], { kin: true }],
    [['--through', 'packing'], { through: ['packing'] }],
    [['--through', 'packing, association', '--contents', 'none'], { through: ['packing', 'association'], contents: 'none' }],
  ]) {
    const { status, stdout, stderr } = run([whole, '--item', SSCC, '--item', 'urn:x:cheese', '--json', ...args]);
    assert.deepEqual([status, stderr], [0, ''], args.join(' '));
    const expected = follow(document, { items: [SSCC, 'urn:x:cheese'], ...question });
    assert.deepEqual(JSON.parse(stdout), { files: [{ file: whole, events: 4 }], names: {}, ...expected }, args.join(' '));
  }
});

test('follow: wrong usage is 2, what is not found 3, what cannot be read 4', () => {
  const bad = file('bad.json', '{"type": }');
  const item = ['--item', 'urn:x:cheese'];
  for (const [args, status, sentence] of [
    [[whole], 2, /name an item: --item/],
    [[whole, '--item', 'cheese'], 2, /expected 1 to 100 identifiers/],
    [[whole, ...item, '--direction', 'up'], 2, /--direction is up, expected back or forth or both/],
    [[whole, ...item, '--contents', 'all'], 2, /--contents is all, expected listed or followed or none/],
    [[whole, ...item, '--depth', '0'], 2, /--depth is 0, expected a whole number from 1 to 64/],
    [[whole, ...item, '--depth', '1.5'], 2, /--depth is 1\.5/],
    [[whole, ...item, '--max-events', '10001'], 2, /--max-events is 10001, expected a whole number from 1 to 10000/],
    [[whole, ...item, '--through', 'packing,air'], 2, /there is no tie "air", expected packing, transformation, association/],
    [[whole, ...item, '--from', 'yesterday'], 2, /a time with its zone/],
    [[whole, ...item, '--from', '2026-03-04T09:00:00Z', '--to', '2026-03-04T09:00:00Z'], 2, /a time after `from`/],
    [[whole, ...item, '--kin', '--direction', 'back'], 2, /--kin and --direction exclude each other/],
    [[whole, ...item, '--near'], 2, /Unknown option '--near'/],
    [[whole, ...item, '--gateway', 'https://epcis.example.com'], 2, /--gateway and files exclude each other/],
    [[...item, '--gateway', 'https://epcis.example.com'], 2, /set EPCIS_EDGE_KEY/],
    [[...item, '--gateway', 'epcis.example.com'], 2, /is not an address/],
    [['absent.json', ...item], 3, /there is no such file/],
    [[bad, ...item], 4, /^bad\.json: .*malformed.* at line 1 column 10/],
    [[file('none.json', documentOf([])), ...item], 4, /^none\.json: no event was found/],
  ]) {
    const { status: found, stdout, stderr } = run(args);
    assert.deepEqual([found, stdout], [status, ''], args.join(' '));
    assert.match(stderr, sentence, args.join(' '));
  }
  const nobody = run([whole, '--item', 'urn:x:nobody']);
  assert.deepEqual([nobody.status, nobody.stdout], [3, 'urn:x:nobody: no event found\n0 events of 0 things\n']);
  assert.equal(JSON.parse(run([whole, '--item', 'urn:x:nobody', '--json']).stdout).type, 'EMPTY');
  // The others are followed, and the answer says that something is missing.
  const partly = run([whole, bad, 'absent.json', ...item]);
  assert.equal(partly.status, 4);
  assert.match(partly.stdout, /packed into/);
  assert.match(partly.stdout, /^not complete: not every file was read$/m);
  assert.match(partly.stderr, /^bad\.json: .*\nabsent\.json: /);
});

test('follow: several files, lines and standard input are one list of events, in the order given', () => {
  const parts = story.map((event, n) => file(`part${n}.json`, documentOf([event])));
  const args = ['--item', 'urn:x:cheese', '--json'];
  const expected = follow(story, { items: 'urn:x:cheese' });
  const bare = ({ events, ...answer }) => ({ ...answer, events: events.map(({ event: { '@context': _, ...event }, ...rest }) => ({ ...rest, event })) });
  const found = JSON.parse(run([...parts, ...args]).stdout);
  assert.deepEqual(
    found.files,
    parts.map((name) => ({ file: name, events: 1 })),
  );
  const { files: _, names, ...answer } = found;
  assert.deepEqual([names, bare(answer)], [{}, expected]);
  const lines = story.map((event) => JSON.stringify(event)).join('\n');
  const { files: ofLines, names: __, ...fromLines } = JSON.parse(run([file('story.ndjson', lines), ...args]).stdout);
  assert.deepEqual(fromLines, expected);
  assert.deepEqual(ofLines[3], { file: 'story.ndjson', line: 4, events: 1 });
  const { files: ofInput, names: ___, ...fromInput } = JSON.parse(run(['-', ...args], { input: JSON.stringify(documentOf(story)) }).stdout);
  assert.deepEqual([ofInput, fromInput], [[{ file: '-', events: 4 }], expected]);
  // For people, each line names its file.
  assert.match(run([...parts, '--item', 'urn:x:cheese']).stdout, / {2}2026-03-04T10:00:00Z {2}packed into .*, packing {2}part1\.json\n/);
  // Of equal times, the order of the arguments counts: packed and unpacked, or the other way round.
  const [into, out] = [file('in.json', [{ ...packed, ...at(1) }]), file('out.json', [{ ...unpacked, ...at(1) }])];
  const after = file('after.json', [shipped]);
  assert.equal(JSON.parse(run([into, out, after, ...args]).stdout).events.length, 2);
  assert.equal(JSON.parse(run([out, into, after, ...args]).stdout).events.length, 2);
  assert.match(run([out, into, after, '--item', 'urn:x:cheese']).stdout, /inside .*: seen, shipping/);
  assert.doesNotMatch(run([into, out, after, '--item', 'urn:x:cheese']).stdout, /seen, shipping/);
});

test('follow: an event keeps the prefixes of its document, so that its hash stays', () => {
  const one = file('one.json', documentOf([{ ...packed, 'ex:lot': 'A' }], 'https://a.example/'));
  const two = file('two.json', documentOf([{ ...shipped, 'ex:lot': 'A', '@context': { own: 'https://own.example/' } }], 'https://b.example/'));
  const { events } = JSON.parse(run([one, two, '--item', SSCC, '--json']).stdout);
  assert.deepEqual(
    events.map(({ event }) => event['@context']),
    [
      [OFFICIAL, { ex: 'https://a.example/' }],
      [OFFICIAL, { ex: 'https://b.example/' }, { own: 'https://own.example/' }],
    ],
  );
  // A declaration without an eventID finds its event in another file by this hash, if the prefixes mean the same.
  const declaration = { ...packed, 'zz:lot': 'A', errorDeclaration: { declarationTime: '2026-03-05T00:00:00Z' } };
  const declares = (namespace) => ({ ...documentOf([declaration]), '@context': [OFFICIAL, { zz: namespace }] });
  for (const [namespace, withdrawn] of [
    ['https://a.example/', true],
    ['https://b.example/', false],
  ]) {
    const name = file('declaration.json', declares(namespace));
    const answer = JSON.parse(run([one, name, '--item', SSCC, '--json']).stdout);
    assert.equal(answer.events[0].withdrawn, withdrawn, namespace);
  }
  const undeclared = file('undeclared.json', [{ ...shipped, 'no:lot': 'A' }]);
  const refused = run([undeclared, 'declaration.json', '--item', SSCC]);
  assert.deepEqual([refused.status, refused.stdout], [4, '']);
  assert.match(refused.stderr, /the prefix `no` of `no:lot` is not declared/);
  assert.equal(run([undeclared, '--item', SSCC]).status, 0);
});

test('follow: the events of every vector stay the same in a list of several documents', () => {
  let compared = 0;
  for (const name of files('.json')) {
    const text = new TextDecoder().decode(read(name));
    const expected = outcome(() => hash(text, { undeclared: 'keep' }));
    if (expected.problem) continue;
    const found = outcome(() => hash(merged([eventsIn(text)]), { undeclared: 'keep' }));
    assert.deepEqual(found, expected, name);
    compared += 1;
  }
  assert.ok(compared > 100, `${compared} compared`);
  for (const text of ['[ 1 ]', '[\n{"a" : "\\\\\\""} ,\t[1,{"]":"}"}]\n]', '[-1.50e3 ,true, null]'])
    assert.deepEqual(
      `[${eventsIn(text).join(',')}]`,
      `[${JSON.parse(text.replace('-1.50e3', '"number"'))
        .map((value) => (value === 'number' ? '-1.50e3' : JSON.stringify(value)))
        .join(',')}]`.replace('{"a":', '{"a" : '),
    );
});

test('follow: XML is translated, and its losses are told', () => {
  const xml = readFileSync(fileURLToPath(new URL('../../tests/vectors/translate/extensions-lossy/input.xml', import.meta.url)));
  const event = `<ObjectEvent><eventTime>2026-03-04T13:00:00Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset><epcList><epc>${SSCC}</epc></epcList><action>OBSERVE</action></ObjectEvent>`;
  const name = file(
    'seen.xml',
    `<EPCISDocument schemaVersion="1.2" creationDate="2026-01-01T00:00:00Z"><EPCISBody><EventList>${event}</EventList></EPCISBody></EPCISDocument>`,
  );
  const alone = run([name, '--item', PALLET]);
  assert.equal(alone.status, 0);
  assert.match(alone.stdout, /2026-03-04T13:00:00Z {2}seen\n/);
  assert.match(alone.stderr, /^seen\.xml: /);
  const { stdout, stderr } = run([whole, name, '--item', PALLET, '--json', '--quiet']);
  assert.equal(stderr, '');
  assert.equal(JSON.parse(stdout).events.length, 4);
  file('lossy.xml', xml.toString('utf8'));
  assert.match(run(['lossy.xml', '--item', PALLET]).stderr, /1 value is lost in a round trip/);
});

/** An element of master data with one attribute. */
const element = (id, value, attribute = 'name') => ({ id, attributes: [{ id: `urn:epcglobal:cbv:mda#${attribute}`, attribute: value }] });
/** A document with master data in its header. */
const described = (events, ...elements) => ({
  ...documentOf(events),
  epcisHeader: { epcisMasterData: { vocabularyList: [{ type: 'urn:epcglobal:epcis:vtype:Location', vocabularyElementList: elements }] } },
});
const CHEESE = ['--item', 'urn:x:cheese'];

test('follow: names of headers stand beside identifiers, wherever these are shown', () => {
  const salt = { ...packed, childEPCs: undefined, childQuantityList: [{ epcClass: 'urn:epc:class:lgtin:9521141.012345.L1', quantity: 3 }] };
  const events = [...story.slice(0, 3), salt];
  const elements = [
    element('urn:x:milk', 'Milk'),
    element('urn:x:dock', ' Dock\n "4" '),
    element(SSCC, 'Pallet'),
    element('urn:epc:idpat:sgtin:9521141.012345.*', 'Salt', 'descriptionShort'),
  ];
  const name = file('named.json', described(events, ...elements));
  assert.equal(
    run([name, ...CHEESE]).stdout,
    `urn:x:cheese: 4 events
  began 2026-03-04T08:00:00Z; last at urn:x:dock "Dock '4'", inside ${PALLET} "Pallet", since 2026-03-04T11:00:00Z
  2026-03-04T08:00:00Z  made of urn:x:milk "Milk", commissioning
  2026-03-04T10:00:00Z  packed into ${PALLET} "Pallet", packing
  2026-03-04T10:00:00Z  inside ${PALLET} "Pallet": 1 thing packed into it, packing
  2026-03-04T11:00:00Z  inside ${PALLET} "Pallet": seen, shipping, at urn:x:dock "Dock '4'"
urn:x:milk "Milk": 1 event
  2026-03-04T08:00:00Z  used to make urn:x:cheese, commissioning, 40 KGM
4 events of 3 things
`,
  );
  const { stdout } = run([name, '--item', SSCC, '--item', 'urn:x:dock', '--item', 'urn:x:milk', '--depth', '1']);
  for (const line of [
    'urn:x:dock "Dock \'4\'": no event found',
    `${PALLET} (${SSCC}) "Pallet": 3 events`,
    `${PALLET} "Pallet": 2 rows of contents`,
    '  https://id.gs1.org/01/09521141123454/10/L1 "Salt": from 2026-03-04T10:00:00Z, still inside, 3',
  ])
    assert.ok(stdout.split('\n').includes(line), `${line}\n${stdout}`);
  // For programs, each identifier in its spellings; the answer itself is the same.
  const { names, ...answer } = JSON.parse(run([name, ...CHEESE, '--json']).stdout);
  const ofSalt = { 'urn:epc:class:lgtin:9521141.012345.L1': 'Salt' };
  assert.deepEqual(names, { 'urn:x:dock': 'Dock "4"', 'urn:x:milk': 'Milk', [SSCC]: 'Pallet', [PALLET]: 'Pallet', ...ofSalt });
  file('named.json', documentOf(events));
  assert.deepEqual(JSON.parse(run([name, ...CHEESE, '--json']).stdout), { names: {}, ...answer });
});

test('follow: a name is short, on one line, and does nothing to a terminal', () => {
  const name = file('hostile.json', described(story, element('urn:x:milk', `A\x1b[31m\u202e\n::x${'y'.repeat(100)}`), element('urn:x:none', { a: 1 })));
  assert.equal(run([name, ...CHEESE]).lines[2], `  2026-03-04T08:00:00Z  made of urn:x:milk "A\\x1b[31m\\u{202e} ::x${'y'.repeat(69)}…", commissioning`);
  assert.match(run([name, ...CHEESE, '--json']).stdout, /"urn:x:milk":"A\\u001b\[31m\\u202e ::xy+…"/);
});

const MILL = readFileSync(fileURLToPath(new URL('../../tests/vectors/translate/master-data-document/input.xml', import.meta.url)), 'utf8').replace(
  'urn:epc:id:sgln:952123.000001.0',
  SSCC,
);

test('follow: names of --master-data count before those of headers, and the first file before the next', () => {
  const parts = [story.slice(0, 2), story.slice(2)].map((events, n) =>
    file(`header${n}.json`, described(events, element('urn:x:dock', `Dock ${n}`), element('urn:x:milk', 'Milk of a header'))),
  );
  const json = file('master.json', described([], element('urn:x:milk', 'Milk')));
  const xml = file('master.xml', MILL);
  const csv = file(
    'master.csv',
    '\ufeffdescriptionShort,id,name\r\n\r\nLong milk,urn:x:milk,\n"Not, ""this""","urn:x:dock","Dock, ""the\r\nfirst"""\n,urn:x:cheese,Käse',
  );
  const namesBy = (...files) => JSON.parse(run([...parts, ...CHEESE, '--json', ...files.flatMap((name) => ['--master-data', name])]).stdout).names;
  const ofCsv = { 'urn:x:dock': 'Dock, "the first"', 'urn:x:milk': 'Long milk', 'urn:x:cheese': 'Käse' };
  assert.deepEqual(namesBy(), { 'urn:x:dock': 'Dock 0', 'urn:x:milk': 'Milk of a header' });
  assert.deepEqual(namesBy(json, xml), { 'urn:x:dock': 'Dock 0', 'urn:x:milk': 'Milk', [SSCC]: 'Mill', [PALLET]: 'Mill' });
  assert.deepEqual(namesBy(csv, json), ofCsv);
  assert.deepEqual(namesBy(json, csv), { ...ofCsv, 'urn:x:milk': 'Milk' });
});

test('follow: the headers of XML and of lines give names, too', () => {
  const list = /<VocabularyList>.*<\/VocabularyList>/s.exec(MILL)[0];
  const header = `<EPCISHeader><extension><EPCISMasterData>${list}</EPCISMasterData></extension></EPCISHeader>`;
  const event = `<ObjectEvent><eventTime>2026-03-04T13:00:00Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset><epcList><epc>${SSCC}</epc></epcList><action>OBSERVE</action></ObjectEvent>`;
  const xml = `<EPCISDocument xmlns:mill="urn:mill" schemaVersion="1.2" creationDate="2026-01-01T00:00:00Z">${header}<EPCISBody><EventList>${event}</EventList></EPCISBody></EPCISDocument>`;
  assert.match(run([file('mill.xml', xml), '--item', PALLET, '--quiet']).stdout, / \(urn:epc:id:sscc:\S+\) "Mill": 1 event$/m);
  const lines = [described(story, element('urn:x:milk', 'Milk of a line')), shipped].map((document) => JSON.stringify(document));
  const { names } = JSON.parse(run([file('named.ndjson', lines.join('\n')), ...CHEESE, '--json']).stdout);
  assert.deepEqual(names, { 'urn:x:milk': 'Milk of a line' });
});

test('follow: a wrong file of --master-data is refused, with its line', () => {
  const header = 'id,name\n';
  for (const [text, sentence] of [
    ['', /wrong is empty, expected an EPCIS document with a vocabularyList, or CSV with the columns id and name/],
    ['id;name\nurn:x:a;A\n', /wrong:1: found `id;name`, without the column id, expected a header row such as `id,name,city`, with commas/],
    ['id,Name\n', /wrong:1: found `id,Name`, without the column name/],
    ['id,name,id\n', /wrong:1: found a column twice/],
    [`${header}\nurn:x:a,A,B\n`, /wrong:3: found 3 fields, expected 2, as the header row has/],
    [`${header}urn:x:a\n`, /wrong:2: found 1 field, expected 2/],
    [`${header}9521141123454,A\n`, /wrong:2: found the id `9521141123454`, expected an EPC URN, a GS1 Digital Link or another URI/],
    [`${header}"urn:x:a","A\nB"\n"urn:x:b","`, /wrong:4: found a quote that does not end/],
    [`${header}urn:x:a,A "B"\n`, /wrong:2: found a quote within a field, expected quotes around the whole field/],
    [`${header}urn:x:a,"A" B\n`, /wrong:2: found ` ` after a field, expected a comma or a line end/],
    [`${header}urn:x:a,A\rurn:x:b,B`, /wrong:2: found `\\r` after a field/],
    ['{"type": }', /wrong: .*malformed.* at line 1 column 10/],
    [JSON.stringify(documentOf(story)), /wrong has no master data, expected an EPCIS document with a vocabularyList/],
    ['[1]', /wrong has no master data/],
    ['<a/>', /wrong: the document element `a` is not an EPCIS document.* at line 1 column 1/],
    [Buffer.from('id,name\nurn:x:a,K\xe4se\n', 'latin1'), /wrong is not text in UTF-8/],
  ]) {
    writeFileSync(join(folder, 'wrong'), text);
    const { status, stdout, stderr } = run([whole, ...CHEESE, '--master-data', 'wrong']);
    assert.deepEqual([status, stdout], [2, ''], `${text}\n${stderr}`);
    assert.match(stderr, sentence);
  }
  assert.equal(run([whole, ...CHEESE, '--master-data', 'absent.csv']).status, 3);
  assert.match(run(['-', ...CHEESE, '--master-data', '-']).stderr, /--master-data takes the name of a file, not standard input/);
});

/**
 * Runs the command against a server that answers `POST /follow` with `reply()`: `{status, text}`, and `GET /masterdata` with
 * `names(ids, query)`.
 */
async function withGateway(reply, args, env, names = () => ({ text: '{"type":"EMPTY","message":"none"}' })) {
  const asked = [];
  const named = [];
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://host');
    let body = '';
    for await (const chunk of request) body += chunk;
    const isOfNames = pathname === '/masterdata';
    if (isOfNames) named.push({ method: request.method, key: request.headers.authorization, ids: searchParams.getAll('id') });
    else asked.push({ method: request.method, url: request.url, key: request.headers.authorization, body: JSON.parse(body) });
    const { status = 200, text } = isOfNames ? names(searchParams.getAll('id'), searchParams) : reply();
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${server.address().port}`;
  const child = spawn(process.execPath, [cli, 'follow', '--gateway', `${address}/`, ...args], { cwd: folder, env: { ...ENV, ...env } });
  const out = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr']) child[stream].setEncoding('utf8').on('data', (text) => (out[stream] += text));
  const status = await new Promise((resolve) => child.on('close', resolve));
  await new Promise((resolve) => server.close(resolve));
  return { status, ...out, asked, named, address };
}

test('follow: a gateway is asked with the key of the environment', async () => {
  const { events, ...rest } = follow(story, { items: SSCC });
  const answer = { ...rest, events: events.map(({ index, ...event }) => event) };
  const env = { EPCIS_EDGE_KEY: 'a-key' };
  const args = ['--item', SSCC, '--depth', '3', '--contents', 'listed'];
  const text = JSON.stringify(answer);
  const shown = await withGateway(() => ({ text }), args, env);
  assert.equal(shown.status, 0, shown.stderr);
  assert.deepEqual(shown.asked, [{ method: 'POST', url: '/follow', key: 'Bearer a-key', body: { items: [SSCC], depth: 3, contents: 'listed' } }]);
  assert.equal(shown.stdout, run([whole, '--item', SSCC]).stdout);
  const { stdout, address } = await withGateway(
    () => ({ text: text.replace('"events":[{', '"events":[{"number":1.2345678901234567890,') }),
    ['--json', ...args],
    env,
  );
  assert.match(stdout, /1\.2345678901234567890/, 'its numbers keep their digits');
  assert.equal(JSON.parse(stdout).gateway, address);
  const problem = { type: 'epcisException:ValidationException', title: 'Argument refused', status: 400, detail: 'a class needs `from` and `to`' };
  for (const [reply, status, sentence] of [
    [{ status: 400, text: JSON.stringify(problem) }, 4, /a class needs `from` and `to`/],
    [{ status: 404, text: '<html>' }, 3, /without a problem document/],
    [{ text: '{}' }, 4, /did not answer what happened to an item/],
    [{ text: text.replace('"presences":[', '"presence":[') }, 4, /did not answer what happened to an item/],
    [{ text: JSON.stringify(follow(story, { items: 'urn:x:nobody' })) }, 3, /^$/],
  ]) {
    const refused = await withGateway(() => reply, args, env);
    assert.equal(refused.status, status, refused.stderr);
    assert.match(refused.stderr, sentence);
  }
});

test('follow: words that every object of JavaScript has are words like any other', async () => {
  for (const word of ['constructor', 'toString', '__proto__']) {
    const odd = [
      { type: 'AggregationEvent', ...at(1), action: word, parentID: 'urn:x:box', childEPCs: ['urn:x:thing'] },
      { type: 'ObjectEvent', ...at(2), action: word, epcList: ['urn:x:thing'] },
    ];
    for (const item of ['urn:x:box', 'urn:x:thing']) {
      const { status, stdout } = run([file('odd.json', odd), '--item', item]);
      assert.equal(status, 0);
      assert.match(stdout, /^ {2}2026-03-04T01:00:00Z {2}named$/m);
      assert.doesNotMatch(stdout, /native code|\[object/);
    }
    const text = JSON.stringify({ ...follow(odd, { items: 'urn:x:thing' }), incomplete: [{ reason: word, at: ['urn:x:thing'], total: 1 }] });
    const { stdout } = await withGateway(() => ({ text }), ['--item', 'urn:x:thing'], { EPCIS_EDGE_KEY: 'a-key' });
    assert.match(stdout, new RegExp(`not complete: ${word}: urn:x:thing`));
  }
});

test('follow: a gateway is asked for names, and those of --master-data count before its own', async () => {
  const text = JSON.stringify(follow(story, { items: SSCC, contents: 'listed' }));
  const env = { EPCIS_EDGE_KEY: 'a-key' };
  const args = ['--item', SSCC];
  const at = (...elements) => ({ text: JSON.stringify({ type: 'OK', elements: elements.map((one) => ({ ...one, type: 'Location' })) }) });
  const csv = file('of-mine.csv', 'id,name\nurn:x:dock,My dock\n');
  const names = () => at(element('urn:x:dock', 'Dock'), element(PALLET, 'Pallet'));
  const shown = await withGateway(() => ({ text }), [...args, '--master-data', csv], env, names);
  assert.deepEqual([shown.status, shown.stderr], [0, '']);
  assert.deepEqual(shown.named, [{ method: 'GET', key: 'Bearer a-key', ids: [PALLET, 'urn:x:dock', 'urn:x:cheese'] }]);
  assert.match(shown.stdout, /^https:\S+ \(urn:\S+\) "Pallet": 3 events\n {2}last at urn:x:dock "My dock", since/);
  const { stdout } = await withGateway(() => ({ text }), [...args, '--json'], env, names);
  const { gateway, names: found, ...answer } = JSON.parse(stdout);
  assert.deepEqual([found, answer], [{ 'urn:x:dock': 'Dock', [SSCC]: 'Pallet', [PALLET]: 'Pallet' }, JSON.parse(text)]);

  // Without names, the answer is shown all the same.
  const nameless = run([whole, ...args]).stdout;
  for (const [reply, words] of [
    [{ status: 404, text: '<html>' }, 'names could not be asked for: GATEWAY/masterdata answered 404 without a problem document: `<html>`'],
    [
      { status: 403, text: JSON.stringify({ type: 'epcisException:SecurityException', title: 'Forbidden', status: 403, detail: 'this key may not query' }) },
      'names could not be asked for: GATEWAY/masterdata: this key may not query',
    ],
    [{ text: '[]' }, 'names could not be asked for: GATEWAY/masterdata answered something else than master data'],
    [{ text: '{"type":"OK","elements":[{"id":"urn:x:a"}]}' }, 'names could not be asked for: GATEWAY/masterdata answered something else than master data'],
  ]) {
    const told = await withGateway(
      () => ({ text }),
      args,
      env,
      () => reply,
    );
    assert.deepEqual([told.status, told.stdout, told.stderr], [0, nameless, `epcis-edge: ${words.replace('GATEWAY', told.address)}\n`]);
  }
  const quiet = await withGateway(
    () => ({ text }),
    [...args, '--quiet'],
    env,
    () => ({ status: 404, text: '' }),
  );
  assert.deepEqual([quiet.stdout, quiet.stderr], [nameless, '']);
});

test('follow: at most ten requests for names, even if each page has a next one', async () => {
  const many = Array.from({ length: 1200 }, (_, n) => `urn:x:thing${n}`);
  const text = JSON.stringify(follow([{ ...packed, childEPCs: many }], { items: SSCC, contents: 'listed' }));
  const env = { EPCIS_EDGE_KEY: 'a-key' };
  const some = await withGateway(() => ({ text }), ['--item', SSCC], env);
  assert.deepEqual(
    some.named.map(({ ids }) => ids.length),
    Array(10).fill(100),
  );
  assert.equal(some.stderr, 'epcis-edge: names of 201 identifiers were not asked for, since there are at most 10 requests of 7,000 bytes\n');
  let page = 0;
  const endless = await withGateway(
    () => ({ text }),
    ['--item', SSCC],
    env,
    () => ({ text: JSON.stringify({ type: 'OK', elements: [element(many[page], `Thing ${page}`)], nextPageToken: `${(page += 1)}` }) }),
  );
  assert.equal(endless.named.length, 10);
  assert.match(endless.stdout, /urn:x:thing0 "Thing 0": from/);
  assert.match(endless.stderr, /^epcis-edge: names were not asked for/);
});
