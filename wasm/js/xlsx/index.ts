// `epcis-edge/xlsx`: reports as workbooks.
import type { EngineSource } from '../engine/index.ts';
import type { Report } from '../report/index.ts';

export { EpcisError } from '../engine/index.ts';

/**
 * A report as a workbook (XLSX, ISO/IEC 29500): a sheet for each table. Amounts are numbers; all other cells are texts, so lots such as
 * `007` stay as they are. A text of more than 32,767 characters is cut, and says so.
 *
 * @throws {EpcisError} if the object is no report
 *
 * @example
 * ```js
 * import { report } from 'epcis-edge/report';
 * import { toXlsx } from 'epcis-edge/xlsx';
 *
 * const event = { type: 'ObjectEvent', action: 'OBSERVE', bizStep: 'shipping', eventTime: '2026-03-04T10:00:00Z', epcList: ['urn:x:1'] };
 * const workbook = toXlsx(report(event, 'passport', { items: 'urn:x:1' }));
 * assert.equal(String.fromCharCode(...workbook.subarray(0, 2)), 'PK');
 * ```
 */
export declare function toXlsx(report: Report): Uint8Array & { readonly buffer: ArrayBuffer };

/** Loads the engine of this entry point, like `init` of `epcis-edge`. In browsers, call it before the first workbook. */
export declare function init(source?: EngineSource | Promise<EngineSource>): Promise<void>;
