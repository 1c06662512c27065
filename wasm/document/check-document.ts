// What the findings of the checks are about, and which packs are for a document: loaded when it is asked.
import type { CheckFinding, CheckOptions, CheckReport, PackName } from '../js/check/index.ts';
import { lastPart } from '../js/names/names.ts';
import { attempt } from './attempt.ts';

/** The number of events that are asked which packs are for their document. */
const SAMPLE = 100;

/** The function `check` of `epcis-edge/check`. */
export type Check = (document: Uint8Array | string, options?: CheckOptions) => CheckReport;

/** What a finding is about: the business step of its event, or the identifier of its entry of master data. */
export interface Subject {
  readonly step?: string;
  readonly entry?: string;
}

/** The subjects of findings. `document` is the parsed document, for XML its translation. */
export function subjectsOf(document: unknown, findings: readonly CheckFinding[]): Subject[] {
  return findings.map(({ path, pointer = path }) => {
    let value = document as Readonly<Record<string, unknown>> | null | undefined;
    let isMasterData = false;
    for (const step of pointer.split('/').slice(1)) {
      value = value?.[step] as typeof value;
      if (typeof value?.bizStep === 'string') return { step: lastPart(value.bizStep) };
      if (step === 'vocabularyElementList') isMasterData = true;
      else if (isMasterData) return typeof value?.id === 'string' ? { entry: value.id } : {};
    }
    return {};
  });
}

/** The packs that tell by words of their own which documents are made for them. The others fit documents of many industries. */
export const SURE: readonly PackName[] = ['dscsa', 'gdst'];

/** Those of some packs that are for a document, told by its header and its first events, so that it takes no time to speak of. */
export function fittingOf<Pack extends PackName>(
  { parsed, events }: { readonly parsed: unknown; readonly events: readonly unknown[] },
  check: Check,
  packs: readonly Pack[],
): Pack[] {
  const { '@context': context, epcisHeader } = (parsed ?? {}) as Readonly<Record<string, unknown>>;
  const sample = {
    '@context': context,
    type: 'EPCISDocument',
    epcisHeader,
    epcisBody: { eventList: events.slice(0, SAMPLE) },
  };
  if (packs.length === 0) return [];
  const { value: report } = attempt(() => check(JSON.stringify(sample), { packs }));
  return report === undefined ? [] : packs.filter((name) => !report.notApplicable?.some(({ pack }) => pack === name));
}

/** The address of what the documentation says of a rule, such as `identifiers/check-digit`. */
export function docsOf(rule: string): string {
  const [pack, id] = rule.split('/');
  return `https://github.com/epcis-edge/epcis-edge/blob/main/docs/checks/${pack}.md#${id}`;
}
