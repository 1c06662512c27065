// @ts-nocheck
// What the findings of the checks are about, and which packs are for a document: loaded when it is asked.
import { lastPart } from '../js/names/names.ts';
import { attempt } from './attempt.ts';

/** The number of events that are asked which packs are for their document. */
const SAMPLE = 100;

/**
 * For each finding `{step}`, the business step of its event, or `{entry}`, the identifier of its entry of master data; `{}` if it is in
 * neither. `document` is the parsed document, for XML its translation.
 */
export function subjectsOf(document, findings) {
  return findings.map(({ path, pointer = path }) => {
    let value = document;
    let isMasterData = false;
    for (const step of pointer.split('/').slice(1)) {
      value = value?.[step];
      if (typeof value?.bizStep === 'string') return { step: lastPart(value.bizStep) };
      if (step === 'vocabularyElementList') isMasterData = true;
      else if (isMasterData) return typeof value?.id === 'string' ? { entry: value.id } : {};
    }
    return {};
  });
}

/** The packs that tell by words of their own which documents are made for them. The others fit documents of many industries. */
export const SURE = ['dscsa', 'gdst'];

/** Those of some packs that are for a document, told by its header and its first events, so that it takes no time to speak of. */
export function fittingOf({ parsed, events }, check, packs) {
  const sample = {
    '@context': parsed?.['@context'],
    type: 'EPCISDocument',
    epcisHeader: parsed?.epcisHeader,
    epcisBody: { eventList: events.slice(0, SAMPLE) },
  };
  if (packs.length === 0) return [];
  const { value: report } = attempt(() => check(JSON.stringify(sample), { packs }));
  return report === undefined ? [] : packs.filter((name) => !report.notApplicable?.some(({ pack }) => pack === name));
}

/** The address of what the documentation says of a rule, such as `identifiers/check-digit`. */
export function docsOf(rule) {
  const [pack, id] = rule.split('/');
  return `https://github.com/epcis-edge/epcis-edge/blob/main/docs/checks/${pack}.md#${id}`;
}
