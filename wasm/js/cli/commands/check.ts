// The command `check`: writes findings as text, JSON or SARIF, or in a format of pipelines.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { CheckFinding, CheckOptions, CheckReport, FoundRule, Severity } from '../../check/index.ts';
import type { Place } from '../../engine/index.ts';
import { aside } from '../aside.ts';
import type { Options, Run } from '../command.ts';
import { type Coloured, EXIT, each, type Label, membersOf, nameOf, type Work } from '../each.ts';
import { EpcisError } from '../../engine/error.ts';
import { Usage, guarded } from '../files.ts';
import { isPack } from '../../check/packs.ts';
import { PACKS, SEVERITIES } from '../../engine/answers.ts';
import { check as checked } from '../../check/node.ts';
import { type Colour, harmlessJson, type Line, type Painted, paint } from '../harmless.ts';
import { type Found, formatOf, PIPELINES, PipelineReport, type Unlisted } from '../pipelines.ts';
import { checkPlaced } from '../placed.ts';
import { lineOf, placeOf } from '../places.ts';
import { version } from '../version.ts';

const FORMATS = ['text', 'json', 'sarif', ...PIPELINES] as const;

export const check: Run = async (files, options, output) => {
  const format = formatOf(options, FORMATS);
  const how = chosen(options);
  const log = new Sarif();
  const report = PipelineReport.of(format, output, { command: 'check', fine: 'no problems found', isStrict: options.strict });
  const sums: Record<Severity, number> = { error: 0, warning: 0, hint: 0 };
  const work: Work<CheckReport> = {
    whole: (bytes) => (format === 'json' ? checked : checkPlaced)(bytes, how),
    aside: format === 'json' ? undefined : (bytes) => aside('checkPlaced', bytes, how),
    sum: format === 'text' ? ({ refused }) => [...severities(sums), ...(refused > 0 ? [['red', `${refused} not checked`] as const] : [])] : undefined,
    fine: 'no problems found',
    output,
    refused: (label, refusal) => report?.refuse(label, refusal),
    async print(label, found) {
      for (const severity of SEVERITIES) sums[severity] += found.counts[severity];
      if (format === 'json') await output.json({ ...membersOf(label), ...found });
      else if (format === 'sarif') log.add(label, found);
      else if (report) await report.add(label, [...notAsked(found), ...found.findings], unlisted(found));
      else if (!options.quiet || total(found) > 0) await output.say(...text(nameOf(label), label, found));
      const { error, warning } = found.counts;
      const isStrange = warning > 0 || found.notApplicable !== undefined;
      return error > 0 || (options.strict && isStrange) ? EXIT.invalid : EXIT.ok;
    },
  };
  const code = await each(files, { ...options, json: format === 'json' }, work);
  await report?.end();
  // An empty log would look like a success.
  if (format === 'sarif' && (log.hasDocuments || code === EXIT.ok)) await output.print(harmlessJson(JSON.stringify(log, undefined, 2)));
  return code;
};

/** What `--parameter NAME=VALUE` gives: of a name that is repeated, all values. */
function given(all: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const parameters: Record<string, string[]> = {};
  for (const one of all) {
    const [name, value] = [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)];
    if (name === '' || value === '' || !one.includes('=')) throw new Usage(`--parameter has "${one}", expected NAME=VALUE, such as direction=inbound`);
    const before = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    parameters[name] = [...(before ?? []), value];
  }
  return parameters;
}

/** The chosen packs. They are tried before the first file is read. */
function chosen({ packs, pack: file, parameter }: Options): CheckOptions {
  const how: { -readonly [Name in keyof CheckOptions]: CheckOptions[Name] } = {};
  if (parameter !== undefined) how.parameters = given(parameter);
  if (packs !== undefined) {
    const names = packs.split(',').map((name) => name.trim());
    how.packs = names.filter(isPack);
    const strange = names.find((name) => !isPack(name));
    if (strange !== undefined) throw new Usage(`there is no pack "${strange}", expected ${PACKS.join(', ')}; --pack takes a file with your own rules`);
  }
  if (file !== undefined) how.pack = guarded(file, () => readFileSync(file, 'utf8'));
  try {
    checked('[]', how);
  } catch (error) {
    if (error instanceof TypeError) throw new Usage(error.message);
    if (error instanceof EpcisError)
      throw new Usage(file === undefined || error.message.includes('`parameters`') ? error.message : `${file}: ${error.message}`);
    throw error;
  }
  return how;
}

const COLOURS: Readonly<Record<Severity, Colour>> = { error: 'red', warning: 'yellow', hint: 'cyan' };

const total = ({ counts: { error, warning, hint } }: CheckReport): number => error + warning + hint;
/** How many findings of each severity are counted but not listed. */
const unlisted = ({ counts, findings }: CheckReport): Unlisted => {
  const left = (severity: Severity) => counts[severity] - findings.filter((one) => one.severity === severity).length;
  return { error: left('error'), warning: left('warning'), hint: left('hint') };
};
const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** The counts of each severity in words, each with its colour. */
const severities = (counts: Readonly<Record<Severity, number>>): Coloured[] =>
  SEVERITIES.filter((severity) => counts[severity] > 0).map((severity) => [COLOURS[severity], counted(counts[severity], severity)]);

/** The packs that are for other documents, as hints. */
const notAsked = ({ notApplicable = [] }: CheckReport): Found[] =>
  notApplicable.map(({ pack, message }) => ({ rule: `${pack}/not-asked`, severity: 'hint', path: '', line: 1, column: 1, message: `not asked: ${message}` }));

/** The words about a document without findings. If no pack fits the document, they do not praise it. */
const nothing = (report: CheckReport): Painted => (report.packs.length === 0 ? paint('yellow', 'not checked') : paint('green', 'no problems found'));

function text(name: string, label: Label, report: CheckReport): Line[] {
  const foreign = report.notApplicable ?? [];
  const sums = severities(report.counts).flatMap(([colour, words], at) => [at > 0 ? ', ' : '', paint(colour, words)]);
  const lines: Line[] = [[paint('bold', name), ': ', ...(sums.length === 0 ? [nothing(report)] : sums)]];
  for (const { pack, message } of foreign) lines.push(['  ', paint('dim', `[${pack}]`), ` not asked: ${message}`]);
  for (const { pack, release } of report.releases ?? []) lines.push(['  ', paint('dim', `[${pack}]`), ` release ${release}`]);
  for (const finding of report.findings) {
    const { path, severity, message, found, related, rule } = finding;
    const what = found === undefined ? '' : ` \`${found}\``;
    const other = related === undefined ? '' : `; see ${placeOf(label, related)}, ${related.path}`;
    const place = paint('bold', placeOf(label, finding));
    lines.push(['  ', place, ' ', paint(COLOURS[severity], severity), ` ${path || '(the document)'}${what}: ${message}${other} `, paint('dim', `[${rule}]`)]);
  }
  const unlisted = total(report) - report.findings.length;
  if (unlisted > 0) lines.push(`  and ${unlisted} more, counted but not listed`);
  return lines;
}

/** A log in the Static Analysis Results Interchange Format (SARIF) 2.1.0. */
class Sarif {
  readonly #rules = new Map<string, FoundRule & { readonly index: number }>();
  readonly #results: object[] = [];
  #unlisted = 0;
  readonly #notAsked: string[] = [];
  hasDocuments = false;

  add(label: Label, report: CheckReport): void {
    this.hasDocuments = true;
    for (const rule of report.rules) if (!this.#rules.has(rule.rule)) this.#rules.set(rule.rule, { ...rule, index: this.#rules.size });
    for (const finding of report.findings) this.#results.push(this.#result(label, finding));
    this.#unlisted += total(report) - report.findings.length;
    for (const { rule, message } of notAsked(report)) this.#notAsked.push(`${nameOf(label)}: [${rule}] ${message}`);
  }

  #result(label: Label, finding: CheckFinding): object {
    const { rule, severity, message, found, path, pointer, related } = finding;
    const what = found === undefined ? '' : `\`${found}\`: `;
    return {
      ruleId: rule,
      ruleIndex: this.#rules.get(rule)?.index,
      level: severity === 'hint' ? 'note' : severity,
      message: { text: `${what}${message}` },
      locations: [location(label, finding)],
      ...(related === undefined ? {} : { relatedLocations: [location(label, related)] }),
      properties: { path, ...(pointer === undefined ? {} : { pointer }) },
    };
  }

  toJSON(): object {
    const rules = [...this.#rules.values()].map(({ rule, severity, message, source }) => ({
      id: rule,
      shortDescription: { text: message },
      help: { text: source.clause === undefined ? source.document : `${source.document}, ${source.clause}` },
      defaultConfiguration: { level: severity === 'hint' ? 'note' : severity },
    }));
    const more = this.#unlisted === 0 ? [] : [`${this.#unlisted} more findings are counted but not listed`];
    const notifications = [...this.#notAsked, ...more].map((text) => ({ level: 'note', message: { text } }));
    return {
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'epcis-edge', version: version(), rules } },
          columnKind: 'utf16CodeUnits',
          results: this.#results,
          ...(notifications.length === 0 ? {} : { invocations: [{ executionSuccessful: true, toolExecutionNotifications: notifications }] }),
        },
      ],
    };
  }
}

/** A relative path as a URI reference. `?` and `#` are escaped, and `./` before a colon keeps the first part from being a scheme. */
function relative(file: string): string {
  const path = encodeURI(file).replaceAll('?', '%3F').replaceAll('#', '%23');
  return /^[^/]*:/.test(path) ? `./${path}` : path;
}

function location(label: Label, place: Place): object {
  const uri = label.file === '-' ? 'stdin' : /^([a-z]:)?[\\/]/i.test(label.file) ? pathToFileURL(label.file).href : relative(label.file);
  return {
    physicalLocation: { artifactLocation: { uri }, region: { startLine: lineOf(label, place), startColumn: place.column } },
    logicalLocations: [{ fullyQualifiedName: place.path, kind: 'member' }],
  };
}
