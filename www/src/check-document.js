// What the findings of the checks are about: loaded with the first of them.
import { lastPart } from '../../wasm/js/names.js';

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
