// @ts-nocheck
// The formats of `check` and `validate` for pipelines: annotations of GitHub, and JUnit XML.
//
// Why is a warning a skipped test in JUnit XML?
// JUnit has no warnings. Of a test that passed, GitLab and Azure show the name alone, so the message would be lost. A failed test would
// say that the document is wrong, although the exit code is 0. Of a skipped test, GitLab, Azure and Jenkins all show the message.
import { nameOf } from './each.ts';
import { Usage } from './files.ts';
import { harmless, harmlessInXml } from './harmless.ts';
import { lineOf, placeOf } from './places.ts';

/** The names of these formats. */
export const PIPELINES = ['github', 'junit'];

/** The format that the options choose. @throws {Usage} if there is no such format, or `--json` contradicts it */
export function formatOf(options, formats, oneOf) {
  const format = oneOf('format', options.format, formats) ?? (options.json ? 'json' : 'text');
  if (options.json && format !== 'json') throw new Usage(`--json means --format json and contradicts --format ${format}`);
  return format;
}

/**
 * A report in one of these formats. Each document is written as soon as it is judged, because NDJSON may have any number of them.
 */
export class PipelineReport {
  #parts;
  #output;
  #hasBegun = false;

  constructor(parts, output) {
    this.#parts = parts;
    this.#output = output;
  }

  /**
   * The report of a format, or `undefined` if the format is none for pipelines.
   *
   * @param how the `command`, the words `fine` for a document without problems, and `isStrict` if warnings are failures, too
   */
  static of(format, output, how) {
    if (format === 'junit') return new PipelineReport(new JUnit(how), output);
    return format === 'github' ? new PipelineReport(ANNOTATIONS, output) : undefined;
  }

  /**
   * Adds a document.
   *
   * @param problems each with `severity`, `rule`, `path` and `message`, most with `line` and `column`, some with `found` and `related`
   * @param unlisted how many more problems there are, by severity
   */
  add(label, problems, unlisted = {}) {
    return this.#write(this.#parts.document(label, problems, unlisted));
  }

  /** Adds an input that could not be read or processed. */
  refuse(label, refusal) {
    return this.#write(this.#parts.refused(label, refusal));
  }

  end() {
    return this.#write(this.#parts.end);
  }

  #write(text) {
    const begin = this.#hasBegun ? '' : this.#parts.begin;
    this.#hasBegun = true;
    return this.#output.write(`${begin}${text}`, this.#parts.kind);
  }
}

/** A problem as a sentence, with its place. */
const sentence = ({ path, found, message }) => `${path || 'the document'}${found === undefined ? '' : ` \`${found}\``}: ${message}`;

const LEVELS = { error: 'error', warning: 'warning', hint: 'notice' };
// GitHub's escapes for line ends keep an annotation on one line. It has no escape for the older form of its commands, `##[`.
const escaped = (value) => harmless(String(value).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')).replaceAll('##[', '##\\[');
const escapedProperty = (value) => escaped(value).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** A workflow command of GitHub. */
function annotation(level, properties, message) {
  const given = Object.entries(properties).filter(([, value]) => value !== undefined);
  return `::${level} ${given.map(([name, value]) => `${name}=${escapedProperty(value)}`).join(',')}::${escaped(message)}\n`;
}

/** Annotations of a pull request at GitHub: one for each problem. */
const ANNOTATIONS = {
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

const attributes = (values) =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${harmlessInXml(value)}"`)
    .join('');

/**
 * JUnit XML, as far as the schema of the xUnit plugin of Jenkins has it, which is the strictest of the known ones. A document is a test
 * suite and a problem is a test. All names in a suite differ, because GitLab drops a test whose name was there before.
 */
class JUnit {
  kind = 'xml';
  end = '</testsuites>\n';
  #fine;
  #failing;

  constructor({ command, fine, isStrict }) {
    this.begin = `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attributes({ name: `epcis-edge ${command}` })}>\n`;
    this.#fine = fine;
    this.#failing = isStrict ? ['error', 'warning'] : ['error'];
  }

  document(label, problems, unlisted) {
    const tests = problems.map((problem) => this.#test(label, problem));
    for (const [severity, count] of Object.entries(unlisted).filter(([, count]) => count > 0)) {
      const message = `${count} more of severity ${severity}, counted but not listed`;
      tests.push({ name: `not listed: ${severity}`, result: this.#resultOf(severity), type: 'not-listed', message, text: `${nameOf(label)}: ${message}` });
    }
    return suite(label, tests.length === 0 ? [{ name: this.#fine }] : tests);
  }

  refused(label, { message, problem: { title, type } }) {
    return suite(label, [{ name: title, result: 'error', type, message, text: `${nameOf(label)}: ${message}` }]);
  }

  #resultOf(severity) {
    return this.#failing.includes(severity) ? 'failure' : 'skipped';
  }

  #test(label, problem) {
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

/** A test suite. */
function suite(label, tests) {
  const name = nameOf(label);
  const count = (result) => tests.filter((test) => test.result === result).length;
  const times = new Map();
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
