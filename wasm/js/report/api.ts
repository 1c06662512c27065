// @ts-nocheck
// The functions of `epcis-edge/report`. Their engine is a wasm file of its own.
import { jsonDocument, optionsOf, reportName, reportText, text } from '../engine/arguments.ts';
import { refusing } from '../engine/error.ts';
import { asked } from '../follow/api.ts';
import { handed } from '../engine/text.ts';

/** @param load returns the engine, and loads it first if necessary */
export function makeReportApi(load) {
  return {
    report(document, name, request = {}) {
      const [source, called] = [jsonDocument(document), reportName(name)];
      const question = asked(optionsOf('report', request, 'third'));
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
