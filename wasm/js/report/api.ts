// The functions of `epcis-edge/report`. Their engine is a wasm file of its own.
import type { ReportEngine } from '../engine/engines.ts';
import { jsonDocument, optionsOf, text } from '../engine/arguments.ts';
import { refusing } from '../engine/error.ts';
import { asked, REQUEST } from '../follow/api.ts';
import { handed } from '../engine/text.ts';
import type * as Surface from './index.ts';
import { reportName, reportText } from './report-arguments.ts';

/** @param load returns the engine, and loads it first if necessary */
export function makeReportApi(load: () => ReportEngine): Pick<typeof Surface, 'report' | 'toCsv' | 'toHtml'> {
  return {
    report(document: unknown, name: unknown, request: unknown = {}) {
      const [source, called] = [jsonDocument(document), reportName(name)];
      const question = asked(optionsOf<Surface.ReportRequest>('report', REQUEST, request, 'third'));
      const engine = load();
      return JSON.parse(refusing(() => engine.report(handed(engine, source), called, question, Date.now())));
    },
    toCsv(report, sheet) {
      const [source, one] = [reportText(report), sheet === undefined ? undefined : text('the name of the sheet', sheet)];
      return refusing(() => load().csv(source, one));
    },
    toHtml(report) {
      const source = reportText(report);
      return refusing(() => load().html(source));
    },
  };
}
