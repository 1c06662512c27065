// @ts-nocheck
// The function of `epcis-edge/xlsx`. Its engine is a wasm file of its own, because who reads a report elsewhere needs no workbook.
import { reportText } from '../engine/arguments.ts';
import { refusing } from '../engine/error.ts';

/** @param load returns the engine, and loads it first if necessary */
export function makeXlsxApi(load) {
  return {
    toXlsx(report) {
      const source = reportText(report);
      return refusing(() => load().xlsx(source));
    },
  };
}
