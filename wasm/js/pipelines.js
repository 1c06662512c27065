// The formats of `check` and `validate` for pipelines.
import { Usage } from './files.js';
import { harmless } from './harmless.js';
import { lineOf } from './places.js';

/** The names of these formats. */
export const PIPELINES = ['github'];

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

  constructor(parts, output) {
    this.#parts = parts;
    this.#output = output;
  }

  /** The report of a format, or `undefined` if the format is none for pipelines. */
  static of(format, output) {
    const parts = { github: ANNOTATIONS }[format];
    return parts && new PipelineReport(parts, output);
  }

  /**
   * Adds a document.
   *
   * @param problems each with `severity`, `rule`, `path`, `message`, `line` and `column`, some with `found`
   */
  add(label, problems) {
    return this.#output.write(this.#parts.document(label, problems));
  }

  /** Adds an input that could not be read or processed. */
  refuse(label, refusal) {
    return this.#output.write(this.#parts.refused(label, refusal));
  }
}

/** What is wrong where, in words. */
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
