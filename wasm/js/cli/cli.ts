#!/usr/bin/env node
// The command line. It reads files or standard input, and writes only the payload to standard output.
import { parseArgs } from 'node:util';
import type { Command, Options } from './command.ts';
import { COMMANDS } from './commands/index.ts';
import { EXIT, complain } from './each.ts';
import { EpcisError } from '../engine/error.ts';
import { codeOf, NotFound, Usage, isFolder } from './files.ts';
import { paint, tell } from './harmless.ts';
import { Output } from './output.ts';
import { version } from './version.ts';

const COMMON = {
  json: { type: 'boolean' },
  quiet: { type: 'boolean', short: 'q' },
  output: { type: 'string', short: 'o' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;
/** The common options that a server command has. */
const OF_A_SERVER = { help: COMMON.help, version: COMMON.version };

function help(): string {
  const rows = Object.entries(COMMANDS).map(([name, { does }]) => `  ${name.padEnd(17)} ${does}`);
  return `epcis-edge: EPCIS 2.0 events made verifiable

  epcis-edge COMMAND [FILE…] [OPTIONS]

${rows.join('\n')}

Without a file, or with -, it reads standard input. A folder means all documents in it and its subfolders (.json,
.jsonld, .ndjson, .jsonl, .xml); a pattern such as 'in/**/*.json' is expanded.
The format is detected from the content: JSON, XML, or NDJSON, where each line is a document of its own.
A file that cannot be read or processed is reported on standard error; the others are still processed.

-o, --output FILE  write the output to FILE once it is complete; standard output otherwise, in colours on a terminal
-q, --quiet        print only the output and problems
--json             for programs: one JSON line per document on standard output, errors as problem documents on standard error
-h, --help         this text, or the help of a command
--version          the version of the package

Exit codes, the highest of several files: 0 ok, 1 defect, 2 wrong usage, 3 not found, 4 invalid
`;
}

function helpOf(name: string, { does, usage, explains, examples, isServer }: Command): string {
  const common: Command['explains'] = isServer
    ? []
    : [
        ['-o, --output FILE', 'write the output to FILE once it is complete'],
        ...(explains.some(([option]) => option === '--quiet') ? [] : [['-q, --quiet', 'no progress bar, no count of several files'] as const]),
      ];
  const options = [...explains, ...common].map(([option, words]) => (option === '' ? `  ${words}` : `  ${option.padEnd(24)} ${words}`)).join('\n');
  return `${name}: ${does}\n\n  ${usage}\n${options && `\n${options}\n`}\nExamples:\n${examples.map((example) => `  ${example}`).join('\n')}\n`;
}

function commandOf(name: string): Command {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command !== undefined) return command;
  throw new Usage(`there is no command ${name}, expected ${Object.keys(COMMANDS).join(', ')}`);
}
const say = (text: string): Promise<void> => new Output().write(text);

async function main(argv: readonly string[]): Promise<number> {
  const [name, ...rest] = argv;
  if (name === undefined) throw new Usage(`name a command: ${Object.keys(COMMANDS).join(', ')}`);
  if (name === '--help' || name === '-h' || name === 'help') {
    await say(rest[0] === undefined ? help() : helpOf(rest[0], commandOf(rest[0])));
    return EXIT.ok;
  }
  if (name === '--version' || name === 'version') {
    await say(`${version()}\n`);
    return EXIT.ok;
  }
  const command = commandOf(name);
  let parsed: { readonly values: object; readonly positionals: readonly string[] };
  try {
    parsed = parseArgs({ args: rest, allowPositionals: true, options: { ...command.options, ...(command.isServer ? OF_A_SERVER : COMMON) } });
  } catch (error) {
    throw new Usage((error as Error).message.replace(/\. .*$/s, ''));
  }
  const { positionals } = parsed;
  const values: Options = parsed.values;
  if (values.help || values.version) {
    await say(values.help ? helpOf(name, command) : `${version()}\n`);
    return EXIT.ok;
  }
  if (values.output === '') throw new Usage('--output is empty, expected the name of a file');
  // Into a folder, a command writes its files itself.
  const output = new Output(command.writesFolder && isFolder(values.output) ? undefined : values.output);
  try {
    const code = await command.run(positionals, values, output);
    output.keep(code !== EXIT.ok);
    return code;
  } catch (error) {
    output.drop();
    throw error;
  }
}

// A reader that closes the pipe early, such as `head`, is not an error.
process.stdout.on('error', (error) => {
  if (codeOf(error) !== 'EPIPE') throw error;
  process.exit(EXIT.ok);
});

const argv = process.argv.slice(2);
try {
  process.exitCode = await main(argv);
} catch (error) {
  const known = Object.hasOwn(COMMANDS, argv[0] ?? '') ? ` ${argv[0]}` : '';
  if (error instanceof Usage) {
    tell([paint('bold', 'epcis-edge'), ': ', paint('red', error.message)], `epcis-edge${known} --help says more`);
    process.exitCode = EXIT.usage;
  } else if (error instanceof NotFound) {
    complain(error, undefined, argv.includes('--json'));
    process.exitCode = EXIT.notFound;
  } else if (error instanceof Error && error.name === 'NoEngine') {
    tell(`epcis-edge${known}: ${error.message}`);
    process.exitCode = EXIT.notFound;
  } else if (error instanceof EpcisError) {
    complain(error, undefined, argv.includes('--json'));
    process.exitCode = EXIT.usage;
  } else {
    tell(...`epcis-edge: a defect of the program: ${error instanceof Error ? error.stack : error}`.split('\n'));
    process.exitCode = EXIT.defect;
  }
}
