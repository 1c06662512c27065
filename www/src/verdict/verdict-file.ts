// The verdict on a file as a page to print, in the engine's thread: the report of `epcis-edge report verdict`, from the same code.
import type { Report } from '../../../wasm/js/report/index.ts';
import type { PageEngine } from '../engine/page-engine.ts';
import { PACKS } from '../../../wasm/js/engine/answers.ts';
import { check, EpcisError, init as initCheck } from '../../../wasm/js/check/browser.ts';
import { init as initReport, toHtml } from '../../../wasm/js/report/browser.ts';
import { verdictReport } from '../../../wasm/js/report/verdict-report.ts';

declare const CHECK_WASM: string;
declare const REPORT_WASM: string;
declare const ENGINE_VERSION: string;

/** A file to judge. */
export interface JudgedFile {
  readonly title: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const hex = (buffer: ArrayBuffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The page, as HTML, about a file `{title, bytes}`. `engine` has the functions of the package. */
export async function verdictPage({ title, bytes }: JudgedFile, { validate, verify, hash }: PageEngine): Promise<string> {
  const [digest] = await Promise.all([
    crypto.subtle.digest('SHA-256', bytes),
    initCheck(new URL(CHECK_WASM, self.location.href)),
    initReport(new URL(REPORT_WASM, self.location.href)),
  ]);
  const engines = { validate, check, verify, hash, isOurs: (error: unknown) => error instanceof EpcisError, packs: PACKS, version: ENGINE_VERSION };
  return toHtml(verdictReport({ name: title, bytes, sha256: hex(digest) }, engines, new Date()) as Report);
}
