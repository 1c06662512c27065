// The files of `--master-data`: EPCIS documents with master data, or CSV.
import { type CsvRecord, recordsIn } from '../names/csv.ts';
import { EpcisError } from '../engine/error.ts';
import { Input, Usage } from './files.ts';
import { partsOf, vocabulariesIn, type VocabularyTexts } from './merged.ts';
import { type Element, elementsOf, vocabulariesOf } from '../names/names.ts';
import type { IsWanted } from './report-document.ts';
import { isXml } from './tools.ts';
import { translate, validate } from '../engine/node.ts';

const EXPECTED = 'an EPCIS document with a vocabularyList, or CSV with the columns id and name';

const cut = (text: string): string => `\`${text.length > 60 ? `${text.slice(0, 60)}…` : text}\``;

/** The bytes of a file. */
function bytesOf(file: string): Uint8Array {
  if (file === '-') throw new Usage('--master-data takes the name of a file, not standard input');
  const input = new Input(file);
  try {
    return input.whole('split it, and give --master-data for each part');
  } finally {
    input.close();
  }
}

function textOf(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Usage(`${file} is not text in UTF-8, expected ${EXPECTED}`);
  }
}

/** The value of JSON. @throws {EpcisError} with the place of what is wrong */
function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The engine says where.
    validate(text);
    throw new Usage(`${file} is not JSON, expected ${EXPECTED}`);
  }
}

/** Refuses a line of CSV. */
type Refuse = (line: number, found: string, expected: string) => never;
/** A row of CSV. */
interface Row extends Element {
  readonly id: string;
  readonly attributes: readonly { readonly id: string; readonly attribute: string | undefined }[];
}

/**
 * The rows of CSV as vocabulary elements, each column beside `id` as an attribute. The header row is read at once, a row when it is
 * taken: a file may have a million.
 */
function elementsInCsv(text: string, file: string): Generator<Row> {
  const refuse: Refuse = (line, found, expected) => {
    throw new Usage(`${file}:${line}: found ${found}, expected ${expected}`);
  };
  const records = recordsIn(text, refuse);
  const { value: header } = records.next();
  if (!header) throw new Usage(`${file} is empty, expected ${EXPECTED}`);
  const { line, fields: columns } = header;
  const expected = 'a header row such as `id,name,city`, with commas between the names of the columns';
  const missing = ['id', 'name'].find((name) => !columns.includes(name));
  if (missing !== undefined) refuse(line, `${cut(columns.join(','))}, without the column ${missing}`, expected);
  if (new Set(columns).size < columns.length) refuse(line, 'a column twice', expected);
  return elementsIn(records, columns, refuse);
}

function* elementsIn(records: Iterable<CsvRecord>, columns: readonly string[], refuse: Refuse): Generator<Row> {
  const at = columns.indexOf('id');
  for (const { line, fields } of records) {
    if (fields.length !== columns.length)
      refuse(line, `${fields.length} ${fields.length === 1 ? 'field' : 'fields'}`, `${columns.length}, as the header row has`);
    const id = fields[at] ?? '';
    if (!/^[a-z][a-z0-9+.-]*:\S+$/i.test(id)) refuse(line, `the id ${cut(id)}`, 'an EPC URN, a GS1 Digital Link or another URI');
    yield { id, attributes: columns.map((column, n) => ({ id: column, attribute: fields[n] })) };
  }
}

/** What a file has: a document of EPCIS, or rows of CSV, to be taken once. */
type Read =
  | { readonly document: unknown; readonly text: string; readonly rows?: undefined }
  | { readonly document?: undefined; readonly text?: undefined; readonly rows: Generator<Row> };

/**
 * Reads a file.
 *
 * @throws {Usage} if the file is neither a document with master data nor such CSV; of a row of CSV, when it is taken
 */
function read(file: string): Read {
  try {
    const bytes = bytesOf(file);
    const text = isXml(bytes) ? translate(bytes, { as: 'text', validate: false }).document : textOf(bytes, file);
    if (!/^\s*[{[]/.test(text)) return { rows: elementsInCsv(text, file) };
    const document = parsed(text, file);
    if (vocabulariesOf(document).length === 0) throw new Usage(`${file} has no master data, expected ${EXPECTED}`);
    return { document, text };
  } catch (error) {
    if (error instanceof EpcisError) throw new Usage(`${file}: ${error.message}`);
    throw error;
  }
}

/** The vocabulary elements in a file, to be taken once. @throws {Usage} as {@link read} */
export function elementsInFile(file: string): Iterable<Element | null> {
  const { document, rows } = read(file);
  return rows ?? elementsOf(document);
}

/**
 * Makes a function that returns the vocabularies in a file, with the elements whose `id` is wanted. A cell of CSV that is empty says
 * nothing.
 *
 * @throws {Usage} as {@link read}
 */
export function vocabulariesInFile(file: string): (isWanted: IsWanted) => readonly VocabularyTexts[] {
  const { text, rows } = read(file);
  return (isWanted) => {
    if (rows === undefined)
      return vocabulariesIn(text).map(({ front, elements }) => ({ front, elements: elements.filter((element) => isWanted(partsOf(element).id)) }));
    const elements: string[] = [];
    for (const { id, attributes } of rows)
      if (isWanted(id)) elements.push(JSON.stringify({ id, attributes: attributes.filter((one) => one.id !== 'id' && one.attribute !== '') }));
    return [{ front: '{}', elements }];
  };
}
