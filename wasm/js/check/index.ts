// `epcis-edge/check`: the checks beyond any schema.
import type { CheckReport, ExceptionReport, PackName, Repair } from '../engine/answers.ts';
import type { EitherInput, EngineSource } from '../engine/index.ts';

export type { CheckFinding, CheckReport, ExceptionReport, FoundRule, PackName, Repair, RepairChange, Severity } from '../engine/answers.ts';
export { EpcisError } from '../engine/index.ts';

/** Options of {@link check}. */
export interface CheckOptions {
  /** The packs to run. The default is `identifiers`, `consistency` and `cbv`; with `pack`, none. Those of industries run only if named. */
  readonly packs?: readonly PackName[] | undefined;
  /** Your own pack, as JSON text, bytes or an object. `schemas/check-pack.schema.json` describes it. */
  readonly pack?: string | Uint8Array | ArrayBuffer | object | undefined;
  /**
   * What the parameters of the packs are given: for `dscsa` your own GLNs (`own`) and the `direction` of the document. A rule that asks for
   * one that is not given is not asked; one that no pack has is refused.
   */
  readonly parameters?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /** The current time, as a `Date` or in milliseconds since 1970. The default is the clock. */
  readonly now?: Date | number | undefined;
}

/**
 * Checks every event of a JSON or XML document against rules that no schema has: impossible keys, events that contradict themselves or
 * each other, outdated or unknown CBV words.
 *
 * The document need not be valid. Findings are returned, not thrown.
 *
 * @throws {EpcisError} if the document is neither JSON nor EPCIS XML or has no events, or if `pack` is not a pack, with the place in it.
 *
 * @example
 * ```js
 * import { check } from 'epcis-edge/check';
 *
 * const event = { type: 'ObjectEvent', action: 'OBSERVE', epcList: ['https://id.gs1.org/01/04012345111119/21/9876'] };
 * const { counts, findings } = check(event);
 * assert.deepEqual(counts, { error: 1, warning: 0, hint: 0 });
 * assert.equal(findings[0].rule, 'identifiers/check-digit');
 * assert.equal(findings[0].path, '/epcList/0');
 *
 * const pack = {
 *   version: 1,
 *   name: 'mine',
 *   rules: [
 *     {
 *       id: 'no-place',
 *       severity: 'warning',
 *       message: 'an event without a place',
 *       source: { document: 'our own rules' },
 *       when: { value: 'readPoint', exists: false },
 *     },
 *   ],
 * };
 * assert.equal(check(event, { pack }).findings[0].rule, 'mine/no-place');
 * ```
 */
export declare function check(document: EitherInput, options?: CheckOptions): CheckReport;

/** Options of {@link repair}. */
export interface RepairOptions {
  /**
   * `from-offset`: an `eventTime` or `declarationTime` without a zone gets the `eventTimeZoneOffset` of its event, if there is one. This is a
   * guess about what the sender meant. The default is to leave such times as they are.
   */
  readonly zone?: 'from-offset' | undefined;
}

/**
 * Repairs the characters of a JSON or XML text that only look right, such as U+2010 for `-`, U+00A0 for a blank, or “ for a quote, as they
 * come out of PDF files and mails. It repairs nothing else, and prose keeps its dashes and quotes.
 *
 * @throws {EpcisError} if the text is not UTF-8
 *
 * @example
 * ```js
 * import { repair } from 'epcis-edge/check';
 *
 * const { text, changes } = repair('{ “action”: "OBSERVE" }');
 * assert.equal(text, '{ "action": "OBSERVE" }');
 * assert.equal(changes[0].found, 'U+201C');
 * ```
 */
export declare function repair(text: string | Uint8Array | ArrayBuffer, options?: RepairOptions): Repair;

/** Who sends an exception report, and whom to ask about it: the buyer of the medicines. */
export interface ExceptionSender {
  readonly email: string;
  readonly phone?: string | undefined;
  /** 13 digits. Without it, the report has the GLN of the receiver of the document. */
  readonly gln?: string | undefined;
  /** The number of the order. It is needed if the shipments in the document name none, or several. */
  readonly poNumber?: string | undefined;
}

/** Options of {@link exceptionReport}. */
export interface ExceptionOptions {
  /** The current time, as a `Date` or in milliseconds since 1970. The default is the clock. */
  readonly now?: Date | number | undefined;
}

/**
 * Makes an exception report, by which the buyer of medicines in the United States tells the seller what is wrong with a document. Its form
 * is that of the Partnership for DSCSA Governance (PDG). It has the errors and warnings that the packs `dscsa` and `serialised-medicine`
 * find. The same document, sender and time give the same report.
 *
 * @throws {EpcisError} as {@link check}; also if there is nothing to report, if a member of the sender is not accepted, or if the number
 *   of the order is not known.
 *
 * @example
 * ```js
 * import { exceptionReport } from 'epcis-edge/check';
 *
 * const shipment = {
 *   '@context': { gs1ushc: 'http://epcis.gs1us.org/hc/ns/' },
 *   type: 'EPCISDocument',
 *   epcisHeader: { 'gs1ushc:dscsaTransactionStatement': { 'gs1ushc:affirmTransactionStatement': 'true' } },
 *   epcisBody: {
 *     eventList: [
 *       {
 *         type: 'ObjectEvent',
 *         action: 'OBSERVE',
 *         bizStep: 'shipping',
 *         eventTime: '2026-03-04T10:00:00Z',
 *         eventTimeZoneOffset: '-05:00',
 *         epcList: ['urn:epc:id:sgtin:9521141.012345.201'],
 *       },
 *     ],
 *   },
 * };
 * const { exceptions } = exceptionReport(shipment, { email: 'dscsa@pharmacy.example', poNumber: 'PO-7731' });
 * // The document has no master data of the product.
 * assert.equal(exceptions.master_data_errors.gtin_errors[0].invalid_gtin, '09521141123454');
 * ```
 */
export declare function exceptionReport(document: EitherInput, sender: ExceptionSender, options?: ExceptionOptions): ExceptionReport;

/** Loads the engine of this entry point, like `init` of `epcis-edge`. In browsers, call it before the first check. */
export declare function init(source?: EngineSource | Promise<EngineSource>): Promise<void>;
