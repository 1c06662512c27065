// @ts-nocheck
// The command `validate`: prints the verdict of the official schemas.
import { EXIT, each, membersOf, nameOf, summed, told } from '../each.ts';
import { Usage, chunksOf } from '../files.ts';
import { paint } from '../harmless.ts';
import * as epcis from '../../engine/node.ts';
import { PIPELINES, PipelineReport, formatOf } from '../pipelines.ts';
import { inCharacters, placeOf } from '../places.ts';

const FORMATS = ['text', 'json', ...PIPELINES];
/** The names of the validation engines. */
const ENGINES = ['compiled', 'jsonschema'];
const XML_HINT = 'this looks like XML: use the engine `compiled`';

/** @param oneOf checks an option that is one of some words; `isXml` says whether a document is XML, `hint` tells what accepts longer ones */
export async function validate(files, given, output, { oneOf, isXml, hint }) {
  const format = formatOf(given, FORMATS, oneOf);
  const options = { ...given, json: format === 'json' };
  const report = PipelineReport.of(format, output, { command: 'validate', fine: 'valid' });
  const { engine = ENGINES[0] } = options;
  if (!ENGINES.includes(engine)) throw new Usage(`there is no engine ${engine}, expected ${ENGINES.join(' or ')}`);
  // The other engine is rarely used, so it is in a file of its own.
  const { validateBySecondEngine } = engine === ENGINES[0] ? {} : await import('../../mcp/referee.ts');
  const judge = (bytes) => {
    const verdict = validateBySecondEngine ? validateBySecondEngine(bytes) : epcis.validate(bytes);
    // For programs the verdict stays unchanged.
    return options.json ? verdict : { ...verdict, errors: inCharacters(verdict.errors, [bytes]) };
  };
  const print = async (label, verdict) => {
    if (options.json) await output.json({ ...membersOf(label), ...verdict });
    else if (report) await report.add(label, verdict.errors.map(problemOf));
    else if (!verdict.valid || !options.quiet) {
      const count = verdict.errors.length;
      const errors = verdict.errors.map(({ path, line, column, keyword, message }) => [
        '  ',
        ...(line === undefined ? [] : [paint('bold', placeOf(label, { line, column })), ' ']),
        `${path || '(the document)'}: ${message} `,
        paint('dim', `[${keyword}]`),
      ]);
      const said = verdict.valid ? paint('green', 'valid') : paint('red', `${count} ${count === 1 ? 'error' : 'errors'}`);
      await output.say([paint('bold', nameOf(label)), ': ', said], ...errors);
    }
    return verdict.valid ? EXIT.ok : EXIT.invalid;
  };
  const stream = async (label, bytes, progress) => {
    let verdict;
    try {
      for await (const chunk of bytes.pipeThrough(epcis.validateStream())) verdict = chunk;
    } catch (error) {
      progress?.end();
      return told(error, label, options);
    }
    progress?.end();
    // Read the file again for columns in characters. Standard input cannot be read again.
    const isThere = !options.json && verdict.errors.length > 0 && label.file !== '-';
    return print(label, isThere ? { ...verdict, errors: inCharacters(verdict.errors, chunksOf(label.file)) } : verdict);
  };
  const code = await each(files, options, {
    refused: (label, refusal) => report?.refuse(label, refusal),
    whole: judge,
    print,
    mistaken: (bytes) => validateBySecondEngine && isXml(bytes) && XML_HINT,
    hint,
    stream: engine === ENGINES[0] ? stream : undefined,
    // The stream reads only JSON.
    isWhole: isXml,
    sum: format === 'text' ? summed('not valid', 'not valid') : undefined,
    fine: 'all valid',
    output,
  });
  await report?.end();
  return code;
}

/** An error of a verdict as a report takes it. */
const problemOf = ({ keyword, ...error }) => ({ ...error, severity: 'error', rule: keyword });
