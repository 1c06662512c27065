// The command `validate`: prints the verdict of the official schemas.
import { EXIT, each, type Label, membersOf, nameOf, summed, told, type Work } from '../each.ts';
import { Usage, chunksOf } from '../files.ts';
import { paint } from '../harmless.ts';
import type { SchemaError, Verdict, XmlSchemaError, XmlVerdict } from '../../engine/index.ts';
import * as epcis from '../../engine/node.ts';
import type { Run } from '../command.ts';
import { type Found, formatOf, PIPELINES, PipelineReport } from '../pipelines.ts';
import { inCharacters, placeOf } from '../places.ts';
import { isXml, LINES_HINT } from '../tools.ts';

const FORMATS = ['text', 'json', ...PIPELINES] as const;
/** The names of the validation engines. */
const ENGINES = ['compiled', 'jsonschema'];
type AnyVerdict = Verdict | XmlVerdict;
const XML_HINT = 'this looks like XML: use the engine `compiled`';

export const validate: Run = async (files, given, output) => {
  const format = formatOf(given, FORMATS);
  const options = { ...given, json: format === 'json' };
  const report = PipelineReport.of(format, output, { command: 'validate', fine: 'valid' });
  const { engine = 'compiled' } = options;
  if (!ENGINES.includes(engine)) throw new Usage(`there is no engine ${engine}, expected ${ENGINES.join(' or ')}`);
  // The other engine is rarely used, so it is in a file of its own.
  const second = engine === 'compiled' ? undefined : await import('../../mcp/referee.ts');
  /** A verdict with columns in characters. */
  const counted = (verdict: AnyVerdict, chunks: Iterable<Uint8Array>) =>
    ({ ...verdict, errors: inCharacters<SchemaError | XmlSchemaError>(verdict.errors, chunks) }) as AnyVerdict;
  const judge = (bytes: Uint8Array): AnyVerdict => {
    const verdict = second ? second.validateBySecondEngine(bytes) : epcis.validate(bytes);
    // For programs the verdict stays unchanged.
    return options.json ? verdict : counted(verdict, [bytes]);
  };
  const print = async (label: Label, verdict: AnyVerdict) => {
    if (options.json) await output.json({ ...membersOf(label), ...verdict });
    else if (report) await report.add(label, verdict.errors.map(problemOf));
    else if (!verdict.valid || !options.quiet) {
      const count = verdict.errors.length;
      const errors = verdict.errors.map((error) => [
        '  ',
        ...(error.line === undefined ? [] : [paint('bold', placeOf(label, error)), ' ']),
        `${error.path || '(the document)'}: ${error.message} `,
        paint('dim', `[${error.keyword}]`),
      ]);
      const said = verdict.valid ? paint('green', 'valid') : paint('red', `${count} ${count === 1 ? 'error' : 'errors'}`);
      await output.say([paint('bold', nameOf(label)), ': ', said], ...errors);
    }
    return verdict.valid ? EXIT.ok : EXIT.invalid;
  };
  const stream: Work<AnyVerdict>['stream'] = async (label, bytes, progress) => {
    let verdict: Verdict | undefined;
    try {
      for await (const chunk of bytes.pipeThrough(epcis.validateStream())) verdict = chunk;
    } catch (error) {
      progress?.end();
      return told(error, label, options);
    }
    progress?.end();
    if (verdict === undefined) throw new Error('the stream gave no verdict');
    // Read the file again for columns in characters. Standard input cannot be read again.
    const isThere = !options.json && verdict.errors.length > 0 && label.file !== '-';
    return print(label, isThere ? counted(verdict, chunksOf(label.file)) : verdict);
  };
  const code = await each(files, options, {
    refused: (label, refusal) => report?.refuse(label, refusal),
    whole: judge,
    print,
    mistaken: (bytes) => second && isXml(bytes) && XML_HINT,
    hint: LINES_HINT,
    stream: second ? undefined : stream,
    // The stream reads only JSON.
    isWhole: isXml,
    sum: format === 'text' ? summed('not valid', 'not valid') : undefined,
    fine: 'all valid',
    output,
  });
  await report?.end();
  return code;
};

/** An error of a verdict as a report takes it. */
const problemOf = ({ keyword, ...error }: SchemaError | XmlSchemaError): Found => ({ ...error, severity: 'error', rule: keyword });
