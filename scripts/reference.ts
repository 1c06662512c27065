// Writes the reference tables of the pages from the code that they are about: settings, figures, endpoints, commands, tools, losses,
// functions, members, inputs. wasm/tests/pages.test.js compares.
//
//     reference.ts
//
// A table stands between `<!-- NAME: made by node scripts/reference.ts -->` and `<!-- end of what is made -->`.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const file = (path: string) => new URL(`../${path}`, import.meta.url);
const text = (path: string) => readFileSync(file(path), 'utf8');

const PAGES = [
  '../action/README',
  'agents',
  'capture',
  'checks/README',
  'command-line',
  'component',
  'follow',
  'http',
  'javascript/functions',
  'losses',
  'report-forms',
  'reports',
  'settings',
].map((page) => `docs/${page}.md`.replace('docs/../', ''));

/** The groups of a pattern in a file, which must be there. */
function found(path: string, pattern: RegExp): readonly string[] {
  const groups = pattern.exec(text(path));
  if (groups === null) throw new Error(`${path} has nothing like ${pattern}`);
  return groups;
}

/** The names of a list in Rust, each with what it says. */
function listed(path: string, list: string): string[][] {
  const [, entries = ''] = found(path, new RegExp(`const ${list}: \\[\\(&str, &str\\); \\d+\\] = \\[\n(.*?)^\\];`, 'ms'));
  return [...entries.matchAll(/\(\s*"([^"]+)",\s*"([^"]*)",?\s*\)/g)].map(([, name = '', what = '']) => [name, what]);
}

export const figures = listed('server/src/metrics.rs', 'FIGURES');
const shared = listed('core/gateway/src/service/settings.rs', 'SETTINGS');
const ofServer = listed('server/src/settings.rs', 'OWN');
/** The names of the settings of a server. */
export const settings = [...shared, ...ofServer].map(([name]) => name);

/** The variables of the Worker alone, each with the comment above it. */
function ofWorker() {
  const variables = [...text('worker/wrangler.toml').matchAll(/((?:^# .*\n)+)^([A-Z_]+) = ""$/gm)];
  return variables
    .map(([, comment = '', name = '']) => [name, comment.replace(/^# /gm, '').trim().replaceAll('\n', ' ')])
    .filter(([name]) => !shared.some(([one]) => one === name));
}

/** The description of the endpoints. */
const description = () => JSON.parse(text('www/public/openapi.json'));

/** The endpoints, each with its summary and whether it needs a key. Those below the lists of values share two rows. */
function endpoints(): string[][] {
  const rows = new Map<string, string[]>();
  const { paths }: { paths: Record<string, Record<string, { summary?: string; security?: object[] }>> } = description();
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, { summary, security }] of Object.entries(item)) {
      if (method === 'options' || !summary) continue;
      const shown = summary.endsWith(' of one value') ? path.replace(/^\/\w+\/\{\w+\}/, '/{list}/{value}') : path;
      const isOpen = security === undefined || security.some((one) => Object.keys(one).length === 0);
      rows.set(`${method.toUpperCase()} ${shown}`, [summary, !isOpen ? 'yes' : security === undefined ? 'no' : 'for some']);
    }
  }
  return [...rows].map(([name, rest]) => [name, ...rest]);
}

/** The commands, each with what it does. */
function commands(): string[][] {
  const helps = ['index', 'fix-help', 'follow-help', 'report-help'].map((name) => text(`wasm/js/cli/commands/${name}.ts`)).join('\n');
  const [, body = ''] = found('wasm/js/cli/commands/index.ts', /COMMANDS[^=]*= \{\n(.*?)^\};/ms);
  return [...body.matchAll(/^ {2}'?([\w-]+)'?: \{(?: \.\.\.(\w+)|\n {4}does:\s*(['"])(.*?)\3,$)/gms)].map(([, name = '', constant, , does]) => [
    name,
    does ?? new RegExp(`const ${constant}[^=]*= \\{\n  does:\\s*(['"])(.*?)\\1,$`, 'ms').exec(helps)?.[2] ?? '',
  ]);
}

const sentence = (words: string) => words.split(/\.(?: |$)/)[0] ?? '';

/** The tools for agents, each with its first sentence and the right that it needs. */
function tools(): string[][] {
  const [, rows = ''] = found('core/gateway/src/mcp/tools.rs', /^const TOOLS: .*? = \[\n(.*?)^\];/ms);
  const onGateway = new Set([...rows.matchAll(/"(\w+)", ListedBy::(?!Process)/g)].map(([, name]) => name));
  const { tools }: { tools: { name: string; right?: string; description: string }[] } = JSON.parse(text('core/gateway/src/mcp/tools.json'));
  return tools.map(({ name, right, description }) => [name, sentence(description), onGateway.has(name) ? (right ?? 'none') : 'local process only']);
}

/** The codes of notes about a translation to JSON or to XML, each with what becomes of the value. */
function notes(path: string): string[][] {
  const lists = [...text(path).matchAll(/^codes! \{\n(.*?)^\}/gms)].map(([, list]) => list).join('');
  const rows = [...lists.matchAll(/^ +\w+: (\w+) "([^"]+)",\s*"([^"]*)";/gm)];
  return rows.map(([, became = '', code = '', what = '']) => [code, became === 'clean' ? 'no loss' : became.toLowerCase(), what]);
}

/** The packs of a list, each with the first sentence of what it says, as a link to its page. */
function packs(list: string): string[][] {
  const [, names = ''] = found('core/rules/src/lib.rs', new RegExp(`const ${list}: .*? = \\[\n(.*?)^\\];`, 'ms'));
  return [...names.matchAll(/"([\w-]+)"/g)].map(([, name = '']) => {
    const { about }: { about: string } = JSON.parse(text(`core/rules/src/packs/${name}.json`));
    return [name, `${sentence(about)}: [its rules](${name}.md)`];
  });
}

/** Where the bracket that opens at a place is closed. */
function closed(code: string, at: number): number {
  for (let depth = 0, n = at; ; n += 1) {
    const letter = code.charAt(n);
    if (letter === '') throw new Error(`a bracket at ${at} is not closed`);
    if ('([{<'.includes(letter)) depth += 1;
    if (')]}'.includes(letter) || (letter === '>' && code[n - 1] !== '=')) depth -= 1;
    if (depth === 0) return n;
  }
}

/** A name with its parameters from a place in the code on, and the first paragraph of its comment. */
function described(code: string, at: number, name: string, comment: string): string[] {
  let parameters = '';
  const begin = code[at] === '<' ? closed(code, at) + 1 : at;
  if (code[begin] === '(') {
    let list = code.slice(begin + 1, closed(code, begin));
    for (let n = list.search(/[([{<]/); n >= 0; n = list.search(/[([{<]/)) list = list.slice(0, n) + list.slice(closed(list, n) + 1);
    parameters = `(${[...list.matchAll(/(?:^|,)\s*(\w+\??)/g)].map(([, one]) => one).join(', ')})`;
  }
  const [words = ''] = comment
    .replace(/\n\s*\* ?/g, '\n')
    .trim()
    .split(/\n\n|\n@/);
  return [`${name}${parameters}`, inline(words)];
}

/** What an entry of the package exports, but for types, and the members of `Client` and `identifiers`. */
function exported(entry: string): string[][] {
  const code = text(`wasm/js/${entry}/index.ts`);
  const rows = new Map<string, string[]>();
  for (const match of code.matchAll(/\/\*\*((?:(?!\*\/).)*)\*\/\s*export (?:declare )?(?:function|class|const) (\w+)/gs)) {
    const [whole, comment = '', name = ''] = match;
    if (!rows.has(name)) rows.set(name, described(code, match.index + whole.length, name, comment));
  }
  for (const [, object = '', members = ''] of code.matchAll(/^export (?:declare const |interface )(identifiers|Client)\b[^\n]*\{\n(.*?)^\}/gms)) {
    for (const match of members.matchAll(/^ {2}\/\*\*((?:(?!\*\/).)*)\*\/\n {2}(\w+)(?=[(<])/gms)) {
      const name = `${object.toLowerCase()}.${match[2]}`;
      if (!rows.has(name)) rows.set(name, described(members, match.index + match[0].length, name, match[1] ?? ''));
    }
  }
  return [...rows.values()];
}

/** The words of a comment, on one line. */
const inline = (comment: string) =>
  comment
    .replace(/\n\s*\*? ?/g, ' ')
    .trim()
    .replace(/\{@link ([^}]*)\}/g, '`$1`');

/** The members of a type in TypeScript, or the words of a union, each with the comment before it. */
function members(path: string, name: string, member: RegExp): string[][] {
  const [, body = ''] = found(path, new RegExp(`^export (?:declare )?(?:interface|class|type) ${name}\\b(.*?)^(?:\\}|export |/\\*\\*)`, 'ms'));
  return [...body.matchAll(/^ {2}\/\*\*((?:(?!\*\/).)*)\*\/\n {2}([^\n]*)$/gms)].flatMap(([, comment = '', line = '']) => {
    const [, word] = member.exec(line) ?? [];
    return word ? [[word, inline(comment)]] : [];
  });
}

/** The members of an object in the description of the endpoints that say what they are. */
function membersIn(name: string): string[][] {
  const properties: Record<string, { description?: string }> = description().components.schemas[name].properties;
  return Object.entries(properties).flatMap(([member, { description }]) => (description ? [[member, description]] : []));
}

/** The variables of the local process for agents, each with what the help of the command says. */
function variables(): string[][] {
  const [, list = ''] = found('wasm/js/cli/commands/index.ts', /^ {2}mcp: \{.*?explains: \[\n(.*?)^ {4}\],/ms);
  return [...list.matchAll(/\[\s*'([A-Z_]+)',\s*'([^']*)',?\s*\]/g)].map(([, name = '', what = '']) => [name, what]);
}

/** The reports, each with what the help of the command says. */
const reports = () =>
  [...text('wasm/js/cli/commands/report-help.ts').matchAll(/^ {4}\['([a-z0-9]+)', '([^']*)'\],$/gm)].map(([, name = '', what = '']) => [name, what]);

/** The inputs of the action, each with its default. */
function inputs(): string[][] {
  const { inputs }: { inputs: Record<string, { description: string; default?: string }> } = parse(text('action/action.yml'));
  return Object.entries(inputs).map(([name, { description, default: value }]) => [
    name,
    description,
    value === undefined ? 'required' : value && `\`${value}\``,
  ]);
}

const ENTRIES = ['engine', 'check', 'follow', 'report', 'xlsx', 'proof', 'build', 'cbv', 'client', 'component'];
const TABLES: Readonly<Record<string, readonly [head: readonly string[], rows: () => string[][]]>> = {
  settings: [['setting', 'what it says'], () => shared],
  worker: [['setting', 'what it says'], ofWorker],
  server: [['setting', 'what it says'], () => ofServer],
  figures: [['figure', 'what it says'], () => figures],
  endpoints: [['endpoint', 'what it is', 'needs a key'], endpoints],
  commands: [['command', 'what it does'], commands],
  variables: [['variable', 'what it sets'], variables],
  reports: [['report', 'what it has'], reports],
  inputs: [['input', 'what it says', 'default'], inputs],
  element: [['attribute or property', 'what it is'], () => members('wasm/js/component/index.ts', 'EpcisEvents', /^(?:get )?(\w+)\(/)],
  events: [['event', 'when'], () => members('wasm/js/component/index.ts', 'EpcisEventsEventMap', /^'?([\w-]+)'?:/)],
  tools: [['tool', 'what it does', 'right of the key'], tools],
  question: [['member', 'what it is'], () => members('wasm/js/follow/index.ts', 'FollowRequest', /^readonly (\w+)/)],
  packs: [['pack', 'what it finds'], () => packs('PACKS')],
  industries: [['pack', 'what it is for'], () => packs('PROFILES')],
  codes: [['`code`', 'what is wrong'], () => members('wasm/js/component/index.ts', 'EpcisProblemCode', /^\| '([\w-]+)'/)],
  job: [['member', 'what it is'], () => membersIn('CaptureJob')],
  report_members: [['member', 'what it is'], () => membersIn('Report')],
  to_json: [['code', 'the value', 'what it says'], () => notes('core/document/src/translate/report.rs')],
  to_xml: [['code', 'the value', 'what it says'], () => notes('core/document/src/translate/json_to_xml.rs')],
  ...Object.fromEntries(ENTRIES.map((entry) => [entry, [['name', 'what it is'], () => exported(entry)] as const])),
};

function table(name: string): string {
  const known = TABLES[name];
  if (known === undefined) throw new Error(`a page asks for the table ${name}, which is none of ${Object.keys(TABLES).join(', ')}`);
  const [head, rows] = known;
  const cells = rows().map(([first, ...rest]) => [`\`${first}\``, ...rest.map((cell) => cell.replaceAll('<', '&lt;').replaceAll('|', '\\|'))]);
  const line = (row: readonly string[]) => `| ${row.join(' | ')} |\n`;
  return `\n\n${line(head)}|${'---|'.repeat(head.length)}\n${cells.map(line).join('')}\n`;
}

/** The pages with such tables: the path of each, its text as it is, and with the tables as the code is. */
export function references() {
  return PAGES.map((path) => {
    const found = text(path);
    const made = found.replace(/(?<=<!-- (\w+): made by node scripts\/reference\.ts -->).*?(?=<!-- end of what is made -->)/gs, (_, name: string) =>
      table(name),
    );
    return { path, found, made };
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) for (const { path, made } of references()) writeFileSync(file(path), made);
