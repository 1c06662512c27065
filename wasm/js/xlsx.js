// The function of `epcis-edge/xlsx`. Its engine is a wasm file of its own, because who reads a report elsewhere needs no workbook.
import { reportText } from './check.js';
import { refusing } from './error.js';

/** @param load returns the engine, and loads it first if necessary */
export function makeXlsxApi(load) {
  return {
    toXlsx(report) {
      const source = reportText(report);
      return refusing(() => load().xlsx(source));
    },
  };
}
