// The function of `epcis-edge/xlsx`. Its engine is a wasm file of its own, because who reads a report elsewhere needs no workbook.
import type { SpreadsheetEngine } from '../engine/engines.ts';
import { refusing } from '../engine/error.ts';
import { reportText } from '../report/report-arguments.ts';
import type * as Surface from './index.ts';

/** @param load returns the engine, and loads it first if necessary */
export function makeXlsxApi(load: () => SpreadsheetEngine): Pick<typeof Surface, 'toXlsx'> {
  return {
    toXlsx(report) {
      const source = reportText(report);
      return refusing(() => load().xlsx(source));
    },
  };
}
