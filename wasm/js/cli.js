#!/usr/bin/env node
// The command line: files or standard input in; the payload, and nothing else, on standard output.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { NotFound, Usage, inputs } from './files.js';
import * as epcis from './node.js';
import { Progress } from './progress.js';

const EXIT = { ok: 0, defect: 1, usage: 2, notFound: 3, invalid: 4 };

const COMMANDS = {
  validate: {
    does: 'the verdict of the official EPCIS 2.0.1 schema',
    usage: 'epcis-edge validate [FILE…] [--json]',
    examples: ['epcis-edge validate document.json', 'curl -s https://example.com/events | epcis-edge validate --json'],
    options: {},
    explains: [['--json', 'one verdict a line: file, valid, schema, errors']],
    run: validate,
  },
  hash: {
    does: 'the CBV event hashes of JSON or XML, one URI a line',
    usage: 'epcis-edge hash [FILE…] [--profile CBV2.0|CBV2.1|REF2025] [--prehash] [--json]',
    examples: ['epcis-edge hash document.json', 'epcis-edge hash document.xml', 'epcis-edge hash --prehash --profile REF2025 event.json'],
    options: { profile: { type: 'string' }, prehash: { type: 'boolean' } },
    explains: [['--profile', 'the reading of the algorithm; CBV2.0, the ratified text, by default'], ['--prehash', 'the strings that the hashes are digests of, instead'], ['--json', 'one object a line: file, profile, hashes, preHashStrings']],
    run: hash,
  },
  verify: {
    does: 'whether each eventID in hash form is the hash of its event, and under which profile',
    usage: 'epcis-edge verify [FILE…] [--json]',
    examples: ['epcis-edge verify captured.json'],
    options: {},
    explains: [['--json', 'one object a line: file, events with result and profiles']],
    run: verify,
  },
  translate: {
    does: 'EPCIS 1.0, 1.1, 1.2 or 2.0 XML to EPCIS 2.0 JSON-LD; what is lost is named on standard error',
    usage: 'epcis-edge translate [FILE…] [--strict] [--json | --ndjson]',
    examples: [
      'epcis-edge translate document.xml > document.json',
      'epcis-edge translate --strict --json document.xml',
      'epcis-edge translate --ndjson larger-than-memory.xml > events.ndjson',
    ],
    options: { strict: { type: 'boolean' }, ndjson: { type: 'boolean' } },
    explains: [['--strict', 'exit code 4 when something does not come back'], ['--json', 'one object a line: file, document, fidelityReport and more'], ['--ndjson', 'one event a line with its own @context, in little memory; events that are not valid are held back']],
    run: translate,
  },
  'to-xml': {
    does: 'EPCIS 2.0 JSON-LD to XML; what is lost is named on standard error',
    usage: 'epcis-edge to-xml [FILE…] [--xml-version 2.0|1.2] [--strict] [--json]',
    examples: ['epcis-edge to-xml --xml-version 1.2 document.json > document.xml'],
    options: { 'xml-version': { type: 'string' }, strict: { type: 'boolean' } },
    explains: [['--xml-version', '2.0 (the default) or 1.2'], ['--strict', 'exit code 4 when something does not come back'], ['--json', 'one object a line: file, document, report']],
    run: toXml,
  },
  id: {
    does: 'EPC URN to canonical GS1 Digital Link, or back',
    usage: 'epcis-edge id IDENTIFIER… [--to-urn LENGTH-OF-COMPANY-PREFIX] [--json]',
    examples: ['epcis-edge id urn:epc:id:sgtin:9521141.012345.7', 'epcis-edge id --to-urn 7 https://id.gs1.org/00/095211410000000016'],
    options: { 'to-urn': { type: 'string' } },
    explains: [['--to-urn LENGTH', 'from Digital Link to URN; LENGTH is the number of digits of the company prefix'], ['--json', 'one object a line: identifier, digitalLink or epcURN']],
    run: id,
  },
  mcp: {
    does: 'a Model Context Protocol server on standard input and output, for agents; its store lives as long as it',
    usage: 'epcis-edge mcp',
    examples: ['epcis-edge mcp', 'EPCIS_EDGE_ACCOUNT=https://example.com/accounts/1 EPCIS_EDGE_OBSERVER=https://id.gs1.org/417/9521141000009 epcis-edge mcp'],
    options: {},
    run: mcp,
  },
};

function help() {
  const rows = Object.entries(COMMANDS).map(([name, { does }]) => `  ${name.padEnd(10)} ${does}`);
  return `epcis-edge: EPCIS 2.0 events made verifiable

  epcis-edge COMMAND [FILE…] [OPTIONS]

${rows.join('\n')}

Without a file, or with -, standard input is read; a pattern such as 'in/**/*.json' is expanded.
--json     for programs: one JSON object a file on standard output, errors as problem documents on standard error
--help     this, or with a command the help of that command
--version  the version of the package

Exit codes: 0 ok, 1 defect, 2 wrong usage, 3 not found, 4 invalid
`;
}

function helpOf(name) {
  const { does, usage, explains = [], examples } = COMMANDS[name];
  const options = explains.map(([option, words]) => `  ${option.padEnd(24)} ${words}`).join('\n');
  return `${name}: ${does}\n\n  ${usage}\n${options && `\n${options}\n`}\nExamples:\n${examples.map((example) => `  ${example}`).join('\n')}\n`;
}

/**
 * Runs one file of a command: what cannot be judged is said, and the next file gets its turn.
 *
 * @param work takes a file and its bytes; what it returns prints the answer and gives the exit code
 * @param stream takes a file and a stream of its bytes; without one, long files are read as a whole too
 */
async function each(names, options, work, stream) {
  let worst = EXIT.ok;
  for (const input of inputs(names, stream !== undefined)) {
    const { file, size } = input;
    const progress = Progress.of(file, size);
    let code;
    try {
      if (input.stream) {
        const bytes = input.stream();
        code = await stream(file, progress ? bytes.pipeThrough(progress.counting()) : bytes, progress);
      } else {
        progress?.whole();
        const answer = work(file, bytesOf(input));
        progress?.end();
        code = await answer();
      }
    } catch (error) {
      progress?.end();
      // An option that cannot be served is the caller's mistake, whatever the file.
      if (error.name !== 'EpcisError' || error.problem.type === 'epcisException:QueryParameterException') throw error;
      complain(error, file, options.json);
      code = EXIT.invalid;
    }
    worst = Math.max(worst, code);
  }
  return worst;
}

function bytesOf({ file, bytes }) {
  try {
    return bytes();
  } catch (error) {
    if (error.code !== 'ERR_FS_FILE_TOO_LARGE') throw error;
    const detail = `${file} is longer than what is read as a whole`;
    throw Object.assign(new Error(detail), {
      name: 'EpcisError',
      problem: { type: 'epcisException:CaptureLimitExceededException', title: 'Payload exceeds the limit', status: 413, detail },
    });
  }
}

function complain(error, file, asJson) {
  if (asJson) {
    process.stderr.write(`${JSON.stringify({ ...(file === undefined ? {} : { file }), ...error.problem })}\n`);
    return;
  }
  process.stderr.write(`${file === undefined ? 'epcis-edge' : file}: ${error.message}\n`);
  for (const { path: pointer, message, source } of error.problem?.errors ?? []) {
    process.stderr.write(`  ${source.path} (line ${source.line}), ${pointer || 'the document'}: ${message}\n`);
  }
}

const print = (text) => process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
const printJson = (value) => print(JSON.stringify(value));

function validate(files, options) {
  const tell = (file, verdict) => {
    if (options.json) printJson({ file, ...verdict });
    else {
      const count = verdict.errors.length;
      print(`${file}: ${verdict.valid ? 'valid' : `${count} ${count === 1 ? 'error' : 'errors'}`}`);
      for (const { path, keyword, message } of verdict.errors) print(`  ${path || '(the document)'}: ${message} [${keyword}]`);
    }
    return verdict.valid ? EXIT.ok : EXIT.invalid;
  };
  const whole = (file, bytes) => {
    const verdict = epcis.validate(bytes);
    return () => tell(file, verdict);
  };
  return each(files, options, whole, async (file, bytes, progress) => {
    let verdict;
    for await (const chunk of bytes.pipeThrough(epcis.validateStream())) verdict = chunk;
    progress?.end();
    return tell(file, verdict);
  });
}

function hash(files, options) {
  const { profile = 'CBV2.0', prehash } = options;
  return each(files, options, (file, bytes) => {
    const both = prehash ? epcis.preHash(bytes, { profile }) : epcis.hash(bytes, { profile }).map((hash) => ({ hash }));
    const hashes = both.map((event) => event.hash);
    const preHashStrings = both.map((event) => event.preHash);
    return () => {
      if (options.json) printJson({ file, profile, hashes, ...(prehash ? { preHashStrings } : {}) });
      else for (const line of prehash ? preHashStrings : hashes) print(line);
      return EXIT.ok;
    };
  });
}

function verify(files, options) {
  return each(files, options, (file, bytes) => {
    const events = epcis.verify(bytes);
    return () => {
      if (options.json) printJson({ file, events });
      else {
        events.forEach(({ result, profiles }, index) => {
          const words = { matches: `matches under ${profiles.join(' and ')}`, 'matches-none': 'does NOT match under any profile', 'not-hash-form': 'has no eventID in hash form' };
          print(`${file}: event ${index} ${words[result]}`);
        });
      }
      return events.some(({ result }) => result === 'matches-none') ? EXIT.invalid : EXIT.ok;
    };
  });
}

function translate(files, options) {
  if (options.ndjson) return translateToLines(files, options);
  return each(files, options, (file, bytes) => {
    const { document, ...rest } = epcis.translate(bytes, { as: 'text' });
    const { roundTripClean, noteList, lossyPaths } = rest.fidelityReport;
    return () => {
      // The document goes out as text, so that its numbers keep their digits.
      if (options.json) print(`${JSON.stringify({ file, ...rest }).slice(0, -1)},"document":${document}}`);
      else {
        print(document);
        reportLosses(file, roundTripClean, lossyPaths.length, noteList);
      }
      return options.strict && !roundTripClean ? EXIT.invalid : EXIT.ok;
    };
  });
}

/** One event a line as they come, whatever the length of the file. */
function translateToLines(files, options) {
  if (options.json) throw new Usage('--ndjson gives lines of events, so there is no --json beside it');
  const stream = async (file, bytes, progress) => {
    const lines = epcis.translateStream();
    for await (const chunk of bytes.pipeThrough(lines)) await written(chunk);
    const { fidelityReport } = await lines.report;
    progress?.end();
    reportLosses(file, fidelityReport.roundTripClean, fidelityReport.lossyPaths.length, fidelityReport.noteList);
    return options.strict && !fidelityReport.roundTripClean ? EXIT.invalid : EXIT.ok;
  };
  const whole = (file, bytes) => () => stream(file, new Blob([bytes]).stream());
  return each(files, options, whole, stream);
}

/** Waits for a reader that is slower than we are. */
function written(chunk) {
  return new Promise((resolve, reject) => {
    process.stdout.write(chunk, (error) => (error && error.code !== 'EPIPE' ? reject(error) : resolve()));
  });
}

function toXml(files, options) {
  return each(files, options, (file, bytes) => {
    const translation = epcis.toXml(bytes, { version: options['xml-version'] });
    const { clean, lossyPointers, noteList } = translation.report;
    return () => {
      if (options.json) printJson({ file, ...translation });
      else {
        print(translation.document);
        reportLosses(file, clean, lossyPointers.length, noteList);
      }
      return options.strict && !clean ? EXIT.invalid : EXIT.ok;
    };
  });
}

function reportLosses(file, isClean, count, notes) {
  process.stderr.write(`${file}: ${isClean ? 'everything comes back' : `${count} ${count === 1 ? 'path does' : 'paths do'} not come back`}\n`);
  for (const { path, code, text } of notes) process.stderr.write(`  ${code} ${path || '(the document)'}: ${text}\n`);
}

function id(identifiers, options) {
  if (identifiers.length === 0) throw new Usage('name an identifier');
  const length = options['to-urn'];
  if (length !== undefined && !/^\d+$/.test(length)) throw new Usage(`--to-urn takes the number of digits of the company prefix, 6 to 12, not ${length}`);
  let worst = EXIT.ok;
  for (const identifier of identifiers) {
    let other;
    try {
      other = length === undefined ? epcis.identifiers.toDigitalLink(identifier) : epcis.identifiers.toEpcUrn(identifier, Number(length));
    } catch (error) {
      if (error.name !== 'EpcisError') throw error;
      complain(error, identifier, options.json);
      worst = EXIT.invalid;
      continue;
    }
    if (other === undefined) {
      const message = 'this is no GS1 identifier that has a Digital Link form';
      complain({ message, problem: { type: 'epcisException:ValidationException', title: 'Identifier not convertible', status: 400, detail: message } }, identifier, options.json);
      worst = EXIT.invalid;
    } else if (options.json) printJson({ identifier, [length === undefined ? 'digitalLink' : 'epcURN']: other });
    else print(other);
  }
  return worst;
}

async function mcp(names) {
  if (names.length > 0) throw new Usage('mcp takes no files: messages come on standard input');
  const { serve, HASH_EVENT_IDS, VARIABLES } = await import('./mcp.js');
  for (const name of Object.keys(VARIABLES)) {
    const value = process.env[name];
    if (value && !/^[a-z][a-z0-9+.-]*:\S+$/i.test(value)) throw new Usage(`${name} must be a URI, not ${value}`);
    // Only behind these characters does JSON-LD take a namespace for one.
    if (value && name === 'EPCIS_EDGE_NAMESPACE' && !/[/#:]$/.test(value)) throw new Usage(`${name} must end in /, # or :, not as ${value}`);
  }
  const { EPCIS_EDGE_HASH_EVENT_IDS: hashes } = process.env;
  if (hashes && !HASH_EVENT_IDS.includes(hashes)) throw new Usage(`EPCIS_EDGE_HASH_EVENT_IDS must be ${HASH_EVENT_IDS.join(' or ')}, not ${hashes}`);
  if (process.stdin.isTTY) process.stderr.write('epcis-edge mcp: one JSON-RPC message a line is read here, as MCP clients send them; Ctrl-D ends\n');
  const log = (detail) => process.stderr.write(`epcis-edge mcp: ${detail}\n`);
  await serve({ input: process.stdin, output: process.stdout, log, environment: process.env });
  return EXIT.ok;
}

async function main(argv) {
  const [name, ...rest] = argv;
  if (name === undefined) throw new Usage('name a command');
  if (name === '--help' || name === '-h' || name === 'help') {
    print(rest[0] in COMMANDS ? helpOf(rest[0]) : help());
    return EXIT.ok;
  }
  if (name === '--version') {
    print(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version);
    return EXIT.ok;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new Usage(`there is no command ${name}`);
  let parsed;
  try {
    parsed = parseArgs({
      args: rest,
      allowPositionals: true,
      options: { ...command.options, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    });
  } catch (error) {
    throw new Usage(error.message.split('. ')[0]);
  }
  if (parsed.values.help) {
    print(helpOf(name));
    return EXIT.ok;
  }
  return command.run(parsed.positionals, parsed.values);
}

// A reader that has seen enough, such as head, is no defect.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(EXIT.ok);
});

const argv = process.argv.slice(2);
try {
  process.exitCode = await main(argv);
} catch (error) {
  const known = Object.hasOwn(COMMANDS, argv[0] ?? '') ? ` ${argv[0]}` : '';
  if (error instanceof Usage) {
    process.stderr.write(`epcis-edge: ${error.message}\nepcis-edge${known} --help tells more\n`);
    process.exitCode = EXIT.usage;
  } else if (error instanceof NotFound) {
    process.stderr.write(`epcis-edge: ${error.message}\n`);
    process.exitCode = EXIT.notFound;
  } else if (error.name === 'EpcisError') {
    complain(error, undefined, argv.includes('--json'));
    process.exitCode = EXIT.usage;
  } else {
    process.stderr.write(`epcis-edge: a defect of the program: ${error.stack}\n`);
    process.exitCode = EXIT.defect;
  }
}
