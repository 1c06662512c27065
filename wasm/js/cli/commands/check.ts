// @ts-nocheck
// The command `check`: writes findings as text, JSON or SARIF, or in a format of pipelines.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { EXIT, each, membersOf, nameOf } from '../each.ts';
import { EpcisError } from '../../engine/error.ts';
import { Usage, guarded } from '../files.ts';
import { PACKS } from '../../engine/arguments.ts';
import { check as checked } from '../../check/node.ts';
import { harmlessJson, paint } from '../harmless.ts';
import { PIPELINES, PipelineReport, formatOf } from '../pipelines.ts';
import { inCharacters, lineOf, placeOf } from '../places.ts';
import { version } from '../version.ts';

const FORMATS = ['text', 'json', 'sarif', ...PIPELINES];

/** @param oneOf checks an option that is one of some words */
export async function check(files, options, output, oneOf) {
  const format = formatOf(options, FORMATS, oneOf);
  const how = chosen(options);
  const log = new Sarif();
  const report = PipelineReport.of(format, output, { command: 'check', fine: 'no problems found', isStrict: options.strict });
  const sums = { error: 0, warning: 0, hint: 0 };
  const work = {
    // People and tools that show lines count columns in characters.
    whole: (bytes) => (format === 'json' ? checked : checkPlaced)(bytes, how),
    aside: format === 'json' ? undefined : async (bytes) => (await import('../aside.ts')).aside('checkPlaced', bytes, how),
    sum: format === 'text' ? ({ refused }) => [...severities(sums), ...(refused > 0 ? [['red', `${refused} not checked`]] : [])] : undefined,
    fine: 'no problems found',
    output,
    refused: (label, refusal) => report?.refuse(label, refusal),
    async print(label, found) {
      for (const severity of Object.keys(sums)) sums[severity] += found.counts[severity];
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
}

/** What `--parameter NAME=VALUE` gives: of a name that is repeated, all values. */
function given(all) {
  const parameters = {};
  for (const one of all) {
    const [name, value] = [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)];
    if (name === '' || value === '' || !one.includes('=')) throw new Usage(`--parameter has "${one}", expected NAME=VALUE, such as direction=inbound`);
    if (Object.hasOwn(parameters, name)) parameters[name].push(value);
    else parameters[name] = [value];
  }
  return parameters;
}

/** The chosen packs. They are tried before the first file is read. */
function chosen({ packs, pack: file, parameter }) {
  const how = {};
  if (parameter !== undefined) how.parameters = given(parameter);
  if (packs !== undefined) {
    how.packs = packs.split(',').map((name) => name.trim());
    const strange = how.packs.find((name) => !PACKS.includes(name));
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

/** The report of a check, with columns in characters. */
export function checkPlaced(bytes, how) {
  const report = checked(bytes, how);
  const places = inCharacters(
    report.findings.flatMap((finding) => (finding.related === undefined ? [finding] : [finding, finding.related])),
    [bytes],
  )[Symbol.iterator]();
  const next = () => places.next().value;
  return { ...report, findings: report.findings.map(({ related }) => (related === undefined ? next() : { ...next(), related: next() })) };
}

const total = ({ counts: { error, warning, hint } }) => error + warning + hint;
/** How many findings of each severity are counted but not listed. */
const unlisted = ({ counts, findings }) =>
  Object.fromEntries(Object.keys(COLOURS).map((severity) => [severity, counts[severity] - findings.filter((one) => one.severity === severity).length]));
const counted = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;

const COLOURS = { error: 'red', warning: 'yellow', hint: 'cyan' };

/** The counts of each severity in words, each with its colour. */
const severities = (counts) =>
  Object.keys(COLOURS)
    .filter((severity) => counts[severity] > 0)
    .map((severity) => [COLOURS[severity], counted(counts[severity], severity)]);

/** The packs that are for other documents, as hints. */
const notAsked = ({ notApplicable = [] }) =>
  notApplicable.map(({ pack, message }) => ({ rule: `${pack}/not-asked`, severity: 'hint', path: '', line: 1, column: 1, message: `not asked: ${message}` }));

/** The words about a document without findings. If no pack fits the document, they do not praise it. */
const nothing = (report) => (report.packs.length === 0 ? paint('yellow', 'not checked') : paint('green', 'no problems found'));

function text(name, label, report) {
  const foreign = report.notApplicable ?? [];
  const sums = severities(report.counts).flatMap(([colour, words], at) => [at > 0 ? ', ' : '', paint(colour, words)]);
  const lines = [[paint('bold', name), ': ', ...(sums.length === 0 ? [nothing(report)] : sums)]];
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
  #rules = new Map();
  #results = [];
  #unlisted = 0;
  #notAsked = [];
  hasDocuments = false;

  add(label, report) {
    this.hasDocuments = true;
    for (const rule of report.rules) if (!this.#rules.has(rule.rule)) this.#rules.set(rule.rule, { ...rule, index: this.#rules.size });
    for (const finding of report.findings) this.#results.push(this.#result(label, finding));
    this.#unlisted += total(report) - report.findings.length;
    for (const { rule, message } of notAsked(report)) this.#notAsked.push(`${nameOf(label)}: [${rule}] ${message}`);
  }

  #result(label, finding) {
    const { rule, severity, message, found, path, pointer, related } = finding;
    const what = found === undefined ? '' : `\`${found}\`: `;
    return {
      ruleId: rule,
      ruleIndex: this.#rules.get(rule).index,
      level: severity === 'hint' ? 'note' : severity,
      message: { text: `${what}${message}` },
      locations: [location(label, finding)],
      ...(related === undefined ? {} : { relatedLocations: [location(label, related)] }),
      properties: { path, ...(pointer === undefined ? {} : { pointer }) },
    };
  }

  toJSON() {
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
function relative(file) {
  const path = encodeURI(file).replaceAll('?', '%3F').replaceAll('#', '%23');
  return /^[^/]*:/.test(path) ? `./${path}` : path;
}

function location(label, place) {
  const uri = label.file === '-' ? 'stdin' : /^([a-z]:)?[\\/]/i.test(label.file) ? pathToFileURL(label.file).href : relative(label.file);
  return {
    physicalLocation: { artifactLocation: { uri }, region: { startLine: lineOf(label, place), startColumn: place.column } },
    logicalLocations: [{ fullyQualifiedName: place.path, kind: 'member' }],
  };
}
