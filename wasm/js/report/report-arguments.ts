// Checks the arguments that name a report or are one.
import { REPORTS } from '../engine/answers.ts';
import { refuse, stringified, tagOf, unfit, word } from '../engine/arguments.ts';
import type { ReportName } from './index.ts';

/** Whether a name is that of a report. */
export const isReport = (name: unknown): name is ReportName => (REPORTS as readonly unknown[]).includes(name);

/** Checks the name of a report. */
export const reportName = (name: unknown): ReportName => (isReport(name) ? name : refuse('the name of the report', name, word(...REPORTS).expected));

const REPORT = 'a report as the function `report` returns it';

/** A report as JSON text. The engine checks its members. */
export function reportText(report: unknown): string {
  if (tagOf(report) !== 'Object' || !Array.isArray((report as { sheets?: unknown }).sheets)) {
    const hint = unfit(report) ?? '';
    refuse('the report', report, hint === '' ? REPORT : `${REPORT}: ${hint} first`);
  }
  return stringified(report, 'the report', REPORT);
}
