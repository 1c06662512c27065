// The command `report`: makes a report of the events of files, or has a gateway make it, and writes it.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { PACKS, REPORTS } from '../../engine/answers.ts';
import { isReport } from '../../report/report-arguments.ts';
import { check, exceptionReport } from '../../check/node.ts';
import type { ExceptionReport, ExceptionSender } from '../../check/index.ts';
import type { FollowRequest } from '../../follow/index.ts';
import type { Report, ReportName, ReportSheet } from '../../report/index.ts';
import type { Options, Run } from '../command.ts';
import { complain, EXIT, each, type Label, nameOf, type Refusal } from '../each.ts';
import { EpcisError } from '../../engine/error.ts';
import { codeOf as codeOfError, ENDINGS, inputs, isFolder, Usage } from '../files.ts';
import { harmlessJson, paint, tell } from '../harmless.ts';
import { fetched, gatewayOf, queryKey, unexpected } from './log.ts';
import { vocabulariesInFile } from '../master-data.ts';
import { hash, validate, verify } from '../../engine/node.ts';
import { type Output, refused as cannotWrite, writeWhole } from '../output.ts';
import { type Document, documentsIn, type Question, questionOf } from '../question.ts';
import { oneDocument } from '../report-document.ts';
import * as reports from '../../report/node.ts';
import { type VerdictReport, verdictReport } from '../../report/verdict-report.ts';
import { oneOf } from '../tools.ts';
import * as workbooks from '../../xlsx/node.ts';
import { version } from '../version.ts';

const EXCEPTIONS = 'exceptions';
const VERDICT = 'verdict';
const NAMES = [...REPORTS, EXCEPTIONS, VERDICT];
const FORMATS = ['csv', 'xlsx', 'html', 'json'] as const;
type Format = (typeof FORMATS)[number];

/** A report of the engine, or one that is written like those. */
type AnyReport = Report | VerdictReport;
const toCsv = (report: AnyReport, sheet?: string): string => reports.toCsv(report as Report, sheet);

/** How a report is written. */
interface Writing {
  /** @param text the report as text, if it came as one */
  write(report: AnyReport, text?: string): unknown;
}
/** The options of the sender of an exception report, which all other reports refuse. */
const SENDER = ['email', 'phone', 'gln', 'po'] as const;
/** The options that an exception report has. */
const OF_EXCEPTIONS = [...SENDER, 'format', 'json', 'quiet', 'output'];

/** The options that a verdict has. */
const OF_A_VERDICT = ['format', 'sheet', 'json', 'quiet', 'output'];

/** The most inputs that a report names as missing. */
const NAMED = 20;

/** Makes the report of the engine that a name has. */
const made = (document: Document | object, name: ReportName, question: Question): Report => reports.report(document, name, question as FollowRequest);

export const report: Run = async ([name, ...files], options, output) => {
  if (name === undefined) throw new Usage(`name a report: ${NAMES.join(', ')}`);
  if (name === EXCEPTIONS) return exceptions(files, options, output);
  if (name === VERDICT) return verdict(files, options, output);
  if (!isReport(name)) throw new Usage(`there is no report "${name}", expected ${NAMES.join(', ')}`);
  const stranger = SENDER.find((option) => options[option] !== undefined);
  if (stranger !== undefined) throw new Usage(`--${stranger} is for the report ${EXCEPTIONS}`);
  const question = askedIn(name, options);
  const how = writingOf(options, output);
  if (options.gateway !== undefined) return ofGateway(options.gateway, name, question, files, options, how);
  const given = (options['master-data'] ?? []).map(vocabulariesInFile);
  const missing = new Missing();
  let first: { readonly document: Document; readonly found: Report } | undefined;
  const { documents, code } = await documentsIn(files, options, {
    // Finds the errors of this document and their places. For a single document this is already the report.
    tried(document) {
      const found = made(document, name, question);
      first ??= { document, found };
    },
    refused: (label, refusal) => missing.add(label, refusal),
  });
  if (documents.length === 0) return code;
  const one = oneDocument(
    documents.map(({ document }) => document),
    given,
  );
  const found = one === first?.document ? first.found : made(one, name, question);
  tellGaps(found.gaps, options);
  missing.tell(options);
  await how.write(missing.markedIn(found));
  return Math.max(code, codeOf(found));
};

/** The exit code of a report: `notFound` if no event has anything for it. */
const codeOf = ({ type }: Report): number => (type === 'EMPTY' ? EXIT.notFound : EXIT.ok);

/** The question of the options. It is tried on one event before a file is read. @throws {Usage} */
function askedIn(name: ReportName, options: Options): Question {
  const question = questionOf(options);
  const count = question.items?.length ?? 0;
  if (name === 'recall' && count === 0) throw new Usage('a recall is about items: --item, followed by an identifier');
  if (name === 'passport' && count !== 1) throw new Usage(`a passport is about one item, not ${count}: --item, followed by its identifier`);
  if (count === 0) {
    const { items, from, to, ...rest } = question;
    if (Object.values(rest).some((value) => value !== undefined))
      throw new Usage('without --item the report is about all events, and only --from and --to may choose some of them');
  }
  try {
    made({ type: 'ObjectEvent' }, name, question);
  } catch (error) {
    if (error instanceof EpcisError) throw new Usage(error.message);
    throw error;
  }
  return question;
}

/** The format that the options choose: by its name, by the name of the file, or by `--json`. @throws {Usage} */
function formatOf({ format: given, json, output }: Options): Format {
  const format = oneOf('format', given, FORMATS);
  const ofFile = isFolder(output) ? 'csv' : FORMATS.find((known) => output?.toLowerCase().endsWith(`.${known}`));
  if (json && format !== undefined && format !== 'json') throw new Usage(`--json means --format json and contradicts --format ${format}`);
  if (json && format === undefined && (ofFile ?? 'json') !== 'json') throw new Usage(`--json means --format json and contradicts the name ${output}`);
  return format ?? ofFile ?? (json ? 'json' : 'csv');
}

/** How the options have a report written. @throws {Usage} before a file is read */
function writingOf(options: Options, output: Output): Writing {
  const format = formatOf(options);
  const { sheet, output: target } = options;
  if (sheet !== undefined && format !== 'csv') throw new Usage(`--sheet is for CSV: ${format} has all sheets`);
  if (isFolder(target)) {
    if (format !== 'csv') throw new Usage(`${target} is a folder, for CSV with a file for each sheet: name a file for ${format}`);
    if (sheet !== undefined) throw new Usage(`--sheet names one sheet, but ${target} is a folder, for a file for each sheet: name a file`);
    return { write: (report) => writeTables(report, target) };
  }
  if (format === 'xlsx' && output.isTerminal) throw new Usage('a terminal cannot show XLSX: name a file, as in -o report.xlsx, or send it to a program with |');
  return {
    write(report, text) {
      if (format === 'json') return output.print(harmlessJson(text ?? JSON.stringify(report)));
      if (format === 'xlsx') return output.write(workbooks.toXlsx(report as Report));
      if (format === 'html') return output.write(reports.toHtml(report as Report));
      const names = report.sheets.map(({ name }) => name);
      if (sheet !== undefined && !names.includes(sheet)) throw new Usage(`there is no sheet "${sheet}", expected ${names.join(', ')}`);
      return output.write(toCsv(report, sheet), 'csv');
    },
  };
}

/** A name in kebab case: `initial-packing` for `Initial packing`. */
const kebab = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 100);

/** The names of files for sheets. Two sheets never have the same. */
function filesFor(sheets: readonly ReportSheet[]): string[] {
  const names = sheets.map(({ name }) => kebab(name));
  return names.map((name, n) => (name === '' || names.indexOf(name) < n ? `sheet-${n + 1}.csv` : `${name}.csv`));
}

/**
 * Writes a file for each sheet that has rows. The file of a sheet without rows is replaced if it is there: it is that of an earlier report.
 */
function writeTables(report: AnyReport, folder: string): void {
  const files = filesFor(report.sheets);
  const all = report.sheets.map((sheet, n) => ({ sheet, file: join(folder, files[n] ?? '') }));
  try {
    mkdirSync(folder);
  } catch (error) {
    if (codeOfError(error) !== 'EEXIST') throw cannotWrite(folder, error);
  }
  const tables = all.filter(({ sheet, file }) => sheet.rows.length > 0 || existsSync(file));
  const texts = tables.map(({ sheet, file }) => [file, toCsv(report, sheet.name)] as const);
  for (const [file, text] of texts) writeWhole(file, text);
}

/** Says on standard error what a report could not see. */
function tellGaps(gaps: readonly string[], { quiet }: Options): void {
  if (quiet) return;
  for (const gap of gaps) tell([paint('bold', 'epcis-edge'), ': ', paint('yellow', gap)]);
}

/** The inputs that could not be read, and so are not in a report. NDJSON may have any number of them. */
class Missing {
  readonly #says: string[] = [];
  #count = 0;

  add(label: Label, { message }: Refusal): void {
    this.#count += 1;
    if (this.#says.length === NAMED) return;
    const name = label.file === '-' ? nameOf({ ...label, file: 'standard input' }) : nameOf(label);
    this.#says.push(`${name} is not in this report: ${message.replace(`cannot read ${label.file}: `, () => '')}.`);
  }

  /** Each input was told about when it was refused. */
  tell({ quiet }: Options): void {
    if (this.#count === 0 || quiet) return;
    tell([paint('bold', 'epcis-edge'), ': ', paint('yellow', `the report is not complete: it lacks ${this.#count} of the inputs, which it names`)]);
  }

  /** The report with a sentence about each of them, in its gaps and in its sheet `About`. */
  markedIn(report: Report): Report {
    const about = report.sheets.at(-1);
    if (this.#count === 0 || about === undefined) return report;
    const more = this.#count - this.#says.length;
    const says = [...this.#says, ...(more > 0 ? [`${more} more inputs are not in this report.`] : [])];
    const rows = says.map((sentence) => about.columns.map(({ id }) => (id === 'what' ? 'Missing' : id === 'says' ? sentence : '')));
    const sheets = [...report.sheets.slice(0, -1), { ...about, rows: [...about.rows, ...rows] }];
    return { ...report, sheets, gaps: [...report.gaps, ...says] };
  }
}

async function ofGateway(gateway: string, name: ReportName, question: Question, files: readonly string[], options: Options, how: Writing): Promise<number> {
  if (files.length > 0) throw new Usage('--gateway and files exclude each other');
  if (options['master-data'] !== undefined) throw new Usage('--gateway and --master-data exclude each other: the gateway has master data of its own');
  const address = `${gatewayOf(gateway)}/report/${name}`;
  const headers = { authorization: `Bearer ${queryKey()}`, 'content-type': 'application/json', accept: 'application/json' };
  const text = (await fetched(address, headers, undefined, JSON.stringify(question))).toString('utf8');
  const found = reportIn(text);
  if (found === undefined) throw unexpected(`${address} did not answer a report`);
  tellGaps(found.gaps, options);
  await how.write(found, text.trim());
  return codeOf(found);
}

const textsIn = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string');

/**
 * The report in a text; `undefined` if it is none. It has the members that this package knows: those of a newer gateway would not be
 * accepted by the engine.
 */
function reportIn(text: string): Report | undefined {
  try {
    const { type, report, made, asked, from, to, sheets, gaps } = JSON.parse(text) as Report;
    if (!['OK', 'EMPTY'].includes(type) || !textsIn(gaps)) return undefined;
    const known = sheets.map(({ name, columns, rows }) => ({ name, columns: columns.map(({ id, title, source }) => ({ id, title, source })), rows }));
    const found = { type, report, made, asked, from, to, sheets: known, gaps } as Report;
    // The engine checks all others.
    toCsv(found);
    return found;
  } catch (error) {
    // Not JSON, or members of other types.
    if (!(error instanceof SyntaxError || error instanceof TypeError || error instanceof EpcisError)) throw error;
    return undefined;
  }
}

/** Refuses the options that a report does not have. */
function requireOptions(name: string, options: Options, known: readonly string[]): void {
  const stranger = Object.keys(options).find((option) => !known.includes(option));
  if (stranger !== undefined) throw new Usage(`--${stranger} is not for the report ${name}`);
}

async function verdict(files: readonly string[], options: Options, output: Output): Promise<number> {
  requireOptions(VERDICT, options, OF_A_VERDICT);
  const how = writingOf(options, output);
  const count = inputs(files, ENDINGS.both).length;
  if (count !== 1) throw new Usage(`a verdict is about one document, not ${count}`);
  const engines = { validate, check, verify, hash, isOurs: (error: unknown) => error instanceof EpcisError, packs: PACKS, version: version() };
  return each<Uint8Array<ArrayBuffer>>(files, options, {
    endings: ENDINGS.both,
    line: false,
    hint: 'a verdict is about one document',
    whole: (bytes) => bytes,
    async print({ file }, bytes) {
      const name = file === '-' ? 'standard input' : basename(file);
      const document = { name, bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
      const report = verdictReport(document, engines, new Date());
      tellGaps(report.gaps, options);
      await how.write(report);
      return EXIT.ok;
    },
  });
}

async function exceptions(files: readonly string[], options: Options, output: Output): Promise<number> {
  requireOptions(EXCEPTIONS, options, OF_EXCEPTIONS);
  const { email, phone, gln, po: poNumber, format = 'json', output: target } = options;
  if (format !== 'json') throw new Usage(`--format is ${format}, but an exception report is JSON`);
  if (isFolder(target)) throw new Usage(`${target} is a folder, but an exception report is one file of JSON`);
  if (email === undefined) throw new Usage('say whom the sender may ask: --email, followed by an address');
  const sender = { email, phone, gln, poNumber };
  trySender(sender);
  const count = inputs(files, ENDINGS.both).length;
  if (count !== 1) throw new Usage(`an exception report is about one document, not ${count}`);
  let refusal: unknown;
  return each<{ readonly found?: ExceptionReport; readonly error?: EpcisError }>(files, options, {
    endings: ENDINGS.both,
    line: false,
    hint: 'an exception report is about one document',
    whole(bytes) {
      try {
        return { found: exceptionReport(bytes, sender) };
      } catch (error) {
        refusal = error;
        // A document without exceptions is no wrong one.
        if (isNothing(error)) return { error };
        throw error;
      }
    },
    mistaken: () => isAbout('poNumber', refusal) && '--po gives the number of the order',
    async print(label, { found, error }) {
      if (error) complain(error, label, options.json);
      else await output.json(found);
      return error ? EXIT.notFound : EXIT.ok;
    },
  });
}

/** Whether the engine refused an argument of this name. */
const isAbout = (argument: string, error: unknown): boolean => error instanceof EpcisError && error.message.startsWith(`the argument \`${argument}\` is `);

/** Whether the engine found nothing to report in a document. */
const isNothing = (error: unknown): error is EpcisError => error instanceof EpcisError && error.problem.status === 404;

/** Tries the sender of an exception report on one event, before a file is read. @throws {Usage} */
function trySender(sender: ExceptionSender): void {
  try {
    exceptionReport({ type: 'ObjectEvent' }, sender);
  } catch (error) {
    // The event has no exceptions.
    if (isNothing(error)) return;
    if (error instanceof EpcisError) throw new Usage(error.message);
    throw error;
  }
}
