// The commands `translate` and `to-xml`.
import { EpcisError } from '../../engine/error.ts';
import type { Translation, XmlTranslation } from '../../engine/index.ts';
import * as epcis from '../../engine/node.ts';
import type { Run } from '../command.ts';
import { complain, EXIT, each, type Label, membersOf, summed } from '../each.ts';
import { ENDINGS, Usage } from '../files.ts';
import { harmlessJson } from '../harmless.ts';
import type { Progress } from '../progress.ts';
import { firstOf, isXml, oneOf, reportLosses } from '../tools.ts';

const JSON_HINT = 'this looks like JSON: `epcis-edge to-xml` makes XML of it; validate and hash take it as it is';
/** How to have a translation that the schema does not accept. */
const KEEP_HINT = '`epcis-edge translate --invalid keep` writes the JSON all the same';
const notXml = (bytes: Uint8Array, { problem }: EpcisError) => (['{', '['].includes(firstOf(bytes)) ? JSON_HINT : problem?.errors && KEEP_HINT);

const OF_TRANSLATIONS = { sum: summed('with losses', 'not translated'), fine: 'all translated' };

export const translate: Run = (files, options, output) => {
  const isKept = oneOf('invalid', options.invalid, ['keep']) !== undefined;
  if (isKept && options.ndjson) throw new Usage('--invalid keep and --ndjson exclude each other: --ndjson writes the valid events, and names the others');
  if (options.ndjson) return translateToLines(files, options, output);
  return each<Translation<string>>(files, options, {
    ...OF_TRANSLATIONS,
    endings: ENDINGS.xml,
    line: false,
    whole: (bytes) => epcis.translate(bytes, { as: 'text', validate: !isKept }),
    mistaken: notXml,
    hint: '`--ndjson` takes files of any length',
    async print(label, { document, ...rest }) {
      const { roundTripClean } = rest.fidelityReport;
      const { errors = [] } = rest;
      // Insert the document as text, so that its numbers keep their digits.
      if (options.json) await output.print(harmlessJson(`${JSON.stringify({ ...membersOf(label), ...rest }).slice(0, -1)},"document":${document}}`));
      else {
        await output.print(document, 'json');
        reportLosses(label, options, rest.fidelityReport);
        if (errors.length > 0) complain({ message: 'the JSON is not valid', problem: { errors } }, label);
      }
      return errors.length > 0 || (options.strict && !roundTripClean) ? EXIT.invalid : EXIT.ok;
    },
  });
};

/** Writes one event per line as soon as it is translated, for a file of any length. */
const translateToLines: Run = (files, options, output) => {
  if (options.json) throw new Usage('--ndjson and --json exclude each other: --ndjson prints one event per line already');
  const stream = async (label: Label, bytes: ReadableStream<Uint8Array<ArrayBuffer>>, progress?: Progress) => {
    const lines = epcis.translateStream();
    try {
      for await (const chunk of bytes.pipeThrough(lines)) await output.write(chunk, 'json');
    } catch (error) {
      // With `errors`, only invalid events were held back. Without, the rest of the file was not read.
      if (!(error instanceof EpcisError) || error.problem.errors === undefined) output.cut();
      throw error;
    }
    const { fidelityReport } = await lines.report;
    progress?.end();
    reportLosses(label, options, fidelityReport);
    return options.strict && !fidelityReport.roundTripClean ? EXIT.invalid : EXIT.ok;
  };
  return each<Uint8Array<ArrayBuffer>>(files, options, {
    ...OF_TRANSLATIONS,
    endings: ENDINGS.xml,
    line: false,
    whole: (bytes) => bytes,
    mistaken: notXml,
    print: (label, bytes) => stream(label, new Blob([bytes]).stream()),
    stream,
  });
};

export const toXml: Run = (files, options, output) => {
  const version = oneOf('xml-version', options['xml-version'], ['2.0', '1.2']);
  const inParts = async (label: Label, blob: Blob) => {
    const { readable, report } = epcis.toXmlStream(blob, { version });
    try {
      for await (const chunk of readable) await output.write(chunk, 'xml');
    } catch (error) {
      output.cut();
      throw error;
    }
    const { report: found } = await report;
    reportLosses(label, options, found);
    return options.strict && !found.clean ? EXIT.invalid : EXIT.ok;
  };
  return each<XmlTranslation>(files, options, {
    ...OF_TRANSLATIONS,
    endings: ENDINGS.json,
    whole: (bytes) => epcis.toXml(bytes, { version }),
    // With --json, one line holds the whole XML.
    twice: options.json ? undefined : inParts,
    mistaken: (bytes) => isXml(bytes) && 'this is XML already: `epcis-edge translate` makes JSON of it',
    hint: 'without --json, or as NDJSON, it may be of any length',
    async print(label, translation) {
      const { clean } = translation.report;
      if (options.json) await output.json({ ...membersOf(label), ...translation });
      else {
        await output.print(translation.document, 'xml');
        reportLosses(label, options, translation.report);
      }
      return options.strict && !clean ? EXIT.invalid : EXIT.ok;
    },
  });
};
