// The formats of `check` and `validate` for pipelines: annotations of GitHub, and JUnit XML.
//
// Why is a warning a skipped test in JUnit XML?
// JUnit has no warnings. Of a test that passed, GitLab and Azure show the name alone, so the message would be lost. A failed test would
// say that the document is wrong, although the exit code is 0. Of a skipped test, GitLab, Azure and Jenkins all show the message.
import type { Severity } from '../check/index.ts';
import type { Place as PlaceInDocument } from '../engine/index.ts';
import type { Options } from './command.ts';
import { nameOf, type Place, type Refusal } from './each.ts';
import { Usage } from './files.ts';
import { harmless, harmlessInXml, type PayloadKind } from './harmless.ts';
import type { Output } from './output.ts';
import { lineOf, placeOf } from './places.ts';
import { oneOf } from './tools.ts';

/** The names of these formats. */
export const PIPELINES = ['github', 'junit'] as const;

/** The format that the options choose. @throws {Usage} if there is no such format, or `--json` contradicts it */
export function formatOf<Format extends string>(options: Options, formats: readonly Format[]): Format | 'json' | 'text' {
  const format = oneOf('format', options.format, formats) ?? (options.json ? 'json' : 'text');
  if (options.json && format !== 'json') throw new Usage(`--json means --format json and contradicts --format ${format}`);
  return format;
}

/** A problem of a document. */
export interface Found extends Omit<Partial<PlaceInDocument>, 'path'> {
  readonly severity: Severity;
  readonly rule: string;
  readonly path: string;
  readonly message: string;
  readonly found?: string | undefined;
  readonly related?: PlaceInDocument;
}

/** How many more problems there are than are listed, by severity. */
export type Unlisted = Readonly<Record<Severity, number>>;

/** The texts of a format. */
interface Parts {
  readonly kind: PayloadKind;
  readonly begin: string;
  readonly end: string;
  document(label: Place, problems: readonly Found[], unlisted: Unlisted | undefined): string;
  refused(label: Place, refusal: Refusal): string;
}

/** How a report is made. */
interface Making {
  readonly command: string;
  /** The words for a document without problems. */
  readonly fine: string;
  /** Whether warnings are failures, too. */
  readonly isStrict?: boolean | undefined;
}

/**
 * A report in one of these formats. Each document is written as soon as it is judged, because NDJSON may have any number of them.
 */
export class PipelineReport {
  readonly #parts: Parts;
  readonly #output: Output;
  #hasBegun = false;

  constructor(parts: Parts, output: Output) {
    this.#parts = parts;
    this.#output = output;
  }

  /** The report of a format, or `undefined` if the format is none for pipelines. */
  static of(format: string, output: Output, how: Making): PipelineReport | undefined {
    if (format === 'junit') return new PipelineReport(new JUnit(how), output);
    return format === 'github' ? new PipelineReport(ANNOTATIONS, output) : undefined;
  }

  /** Adds a document. */
  add(label: Place, problems: readonly Found[], unlisted?: Unlisted): Promise<void> {
    return this.#write(this.#parts.document(label, problems, unlisted));
  }

  /** Adds an input that could not be read or processed. */
  refuse(label: Place, refusal: Refusal): Promise<void> {
    return this.#write(this.#parts.refused(label, refusal));
  }

  end(): Promise<void> {
    return this.#write(this.#parts.end);
  }

  #write(text: string): Promise<void> {
    const begin = this.#hasBegun ? '' : this.#parts.begin;
    this.#hasBegun = true;
    return this.#output.write(`${begin}${text}`, this.#parts.kind);
  }
}

/** A problem as a sentence, with its place. */
const sentence = ({ path, found, message }: Found): string => `${path || 'the document'}${found === undefined ? '' : ` \`${found}\``}: ${message}`;

const LEVELS = { error: 'error', warning: 'warning', hint: 'notice' };
// GitHub's escapes for line ends keep an annotation on one line. It has no escape for the older form of its commands, `##[`.
const escaped = (value: unknown): string =>
  harmless(String(value).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')).replaceAll('##[', '##\\[');
const escapedProperty = (value: unknown): string => escaped(value).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** A workflow command of GitHub. */
function annotation(level: string, properties: Readonly<Record<string, unknown>>, message: string): string {
  const given = Object.entries(properties).filter(([, value]) => value !== undefined);
  return `::${level} ${given.map(([name, value]) => `${name}=${escapedProperty(value)}`).join(',')}::${escaped(message)}\n`;
}

/** Annotations of a pull request at GitHub: one for each problem. */
const ANNOTATIONS: Parts = {
  kind: 'text',
  begin: '',
  end: '',
  document: (label, problems) =>
    problems
      .map((problem) => {
        const place = { file: label.file, line: lineOf(label, problem), col: problem.column };
        return annotation(LEVELS[problem.severity], { ...place, title: problem.rule }, sentence(problem));
      })
      .join(''),
  refused: (label, { message, problem }) =>
    annotation('error', { file: label.file, line: lineOf(label, problem.location ?? {}), title: problem.title }, message),
};

const attributes = (values: Readonly<Record<string, unknown>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${harmlessInXml(value)}"`)
    .join('');

/**
 * JUnit XML, as far as the schema of the xUnit plugin of Jenkins has it, which is the strictest of the known ones. A document is a test
 * suite and a problem is a test. All names in a suite differ, because GitLab drops a test whose name was there before.
 */
class JUnit implements Parts {
  readonly kind = 'xml';
  readonly begin: string;
  readonly end = '</testsuites>\n';
  readonly #fine: string;
  readonly #failing: readonly string[];

  constructor({ command, fine, isStrict }: Making) {
    this.begin = `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attributes({ name: `epcis-edge ${command}` })}>\n`;
    this.#fine = fine;
    this.#failing = isStrict ? ['error', 'warning'] : ['error'];
  }

  document(label: Place, problems: readonly Found[], unlisted: Partial<Unlisted> = {}): string {
    const tests: Test[] = problems.map((problem) => this.#test(label, problem));
    for (const [severity, count] of Object.entries(unlisted).filter(([, count]) => count > 0)) {
      const message = `${count} more of severity ${severity}, counted but not listed`;
      tests.push({ name: `not listed: ${severity}`, result: this.#resultOf(severity), type: 'not-listed', message, text: `${nameOf(label)}: ${message}` });
    }
    return suite(label, tests.length === 0 ? [{ name: this.#fine }] : tests);
  }

  refused(label: Place, { message, problem: { title, type } }: Refusal): string {
    return suite(label, [{ name: title, result: 'error', type, message, text: `${nameOf(label)}: ${message}` }]);
  }

  #resultOf(severity: string): 'failure' | 'skipped' {
    return this.#failing.includes(severity) ? 'failure' : 'skipped';
  }

  #test(label: Place, problem: Found): Test {
    const { severity, rule, path, line, related } = problem;
    const place = line === undefined ? nameOf(label) : placeOf(label, problem);
    const other = related === undefined ? '' : `; see ${placeOf(label, related)}, ${related.path}`;
    const message = `${severity}: ${sentence(problem)}`;
    return {
      name: `${rule} at ${path || 'the document'}`,
      result: this.#resultOf(severity),
      type: rule,
      message,
      // GitLab shows this text alone, without the attributes.
      text: `${place}: ${message}${other} [${rule}]`,
    };
  }
}

/** A test in JUnit XML. */
interface Test {
  readonly name: string;
  /** Absent if it passed. */
  readonly result?: 'failure' | 'skipped' | 'error';
  readonly type?: string;
  readonly message?: string;
  readonly text?: string;
}

/** A test suite. */
function suite(label: Place, tests: readonly Test[]): string {
  const name = nameOf(label);
  const count = (result: Test['result']) => tests.filter((test) => test.result === result).length;
  const times = new Map<string, number>();
  const lines = tests.map(({ name: said, result, type, message, text }) => {
    const time = (times.get(said) ?? 0) + 1;
    times.set(said, time);
    const begin = `    <testcase${attributes({ classname: name, name: time === 1 ? said : `${said} (${time})`, time: 0 })}`;
    if (result === undefined) return `${begin}/>\n`;
    return `${begin}>\n      <${result}${attributes({ message, type })}>${harmlessInXml(text)}</${result}>\n    </testcase>\n`;
  });
  const counts = { tests: tests.length, failures: count('failure'), errors: count('error'), skipped: count('skipped'), time: 0 };
  return `  <testsuite${attributes({ name, ...counts })}>\n${lines.join('')}  </testsuite>\n`;
}
