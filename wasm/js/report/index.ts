// `epcis-edge/report`: tables for authorities and partners, made of what events and master data say.
import type { Report, ReportName } from '../engine/answers.ts';
import type { FollowRequest } from '../follow/index.ts';
import type { DocumentInput, EngineSource } from '../engine/index.ts';

export type { Report, ReportColumn, ReportName, ReportSheet } from '../engine/answers.ts';
export { EpcisError } from '../engine/index.ts';

/**
 * What a report is about. Without `items` it is about all events of the document, and only `from` and `to` may be given. If they are not
 * given, `maxEvents` is 10,000, and `recall` goes `forth` with its contents `followed`.
 */
export interface ReportRequest extends Omit<FollowRequest, 'items'> {
  /** 1 to 100 identifiers in any spelling; for `passport` exactly one, and no class. */
  readonly items?: FollowRequest['items'] | undefined;
}

/**
 * Makes a report about the events of a document, or an array of events. Names and addresses come from the master data in its header.
 *
 * Each row cites its event and the content hash of it. An event that cannot be hashed, because of a prefix that nobody declares, has no
 * hash, and its row says so. Nothing is guessed. Translate XML first.
 *
 * @throws {EpcisError} if the document is not JSON or has no events, if the request is not accepted, or if the report would be too large:
 *   more than 100,000 rows or 32 MiB.
 *
 * @example
 * ```js
 * import { report } from 'epcis-edge/report';
 *
 * const harvested = {
 *   type: 'ObjectEvent',
 *   action: 'ADD',
 *   bizStep: 'creating_class_instance',
 *   eventTime: '2026-03-04T10:00:00Z',
 *   eventTimeZoneOffset: '-07:00',
 *   quantityList: [{ epcClass: 'urn:epc:class:lgtin:9521141.012345.A1', quantity: 40, uom: 'KGM' }],
 *   readPoint: { id: 'urn:epc:id:sgln:9521141.00100.0' },
 * };
 * const { type, sheets } = report([harvested], 'fsma204');
 * assert.equal(type, 'OK');
 * const { columns, rows } = sheets.find(({ name }) => name === 'Harvesting');
 * const cell = (id) => rows[0][columns.findIndex((column) => column.id === id)];
 * assert.deepEqual([cell('lot'), cell('quantity'), cell('date')], ['A1', '40', '2026-03-04']);
 * assert.match(cell('missing'), /Next recipient/);
 * ```
 */
export declare function report(document: DocumentInput, name: 'fsma204' | 'dscsa', request?: ReportRequest): Report;
export declare function report(document: DocumentInput, name: ReportName, request: FollowRequest): Report;

/**
 * A table of a report as CSV (RFC 4180); without `sheet`, all tables as one, with the name of the sheet first. Cells that a spreadsheet
 * would take for formulas begin with an apostrophe.
 *
 * A spreadsheet changes lots such as `007` and `1E10` when it opens CSV: give people `toXlsx` of `epcis-edge/xlsx`.
 *
 * @param sheet the name of the table
 * @throws {EpcisError} if there is no table of this name, or if the object is no report
 *
 * @example
 * ```js
 * import { report, toCsv } from 'epcis-edge/report';
 *
 * const event = { type: 'ObjectEvent', action: 'OBSERVE', bizStep: 'shipping', eventTime: '2026-03-04T10:00:00Z', epcList: ['urn:x:1'] };
 * const about = report(event, 'passport', { items: 'urn:x:1' });
 * assert.match(toCsv(about, 'Life'), /^Time,Step,.*\r\n2026-03-04T10:00:00Z,shipping,/);
 * assert.match(toCsv(about), /^Sheet,Time,/);
 * ```
 */
export declare function toCsv(report: Report, sheet?: string): string;

/**
 * A report as an HTML page that prints. It has no script, and loads nothing.
 *
 * @throws {EpcisError} if the object is no report
 *
 * @example
 * ```js
 * import { report, toHtml } from 'epcis-edge/report';
 *
 * const event = { type: 'ObjectEvent', action: 'OBSERVE', bizStep: 'shipping', eventTime: '2026-03-04T10:00:00Z', epcList: ['urn:x:1'] };
 * assert.match(toHtml(report(event, 'recall', { items: 'urn:x:1' })), /^<!doctype html>/);
 * ```
 */
export declare function toHtml(report: Report): string;

/** Loads the engine of this entry point, like `init` of `epcis-edge`. In browsers, call it before the first report. */
export declare function init(source?: EngineSource | Promise<EngineSource>): Promise<void>;
