// The pre-hash string of one event, cut where its fields meet.
//
// The string has no separators, so nothing is guessed from its text: the engine is asked for the string of each field alone, and
// these are laid side by side until they are the whole. What cannot be accounted for so is shown without a label.

/** Which question a field answers. */
export const FACETS = {
  eventType: 'what', epcList: 'what', parentID: 'what', childEPCs: 'what', quantityList: 'what', childQuantityList: 'what', inputEPCList: 'what',
  inputQuantityList: 'what', outputEPCList: 'what', outputQuantityList: 'what', transformationID: 'what', ilmd: 'what', eventTime: 'when',
  eventTimeZoneOffset: 'when', readPoint: 'where', bizLocation: 'where', sourceList: 'where', destinationList: 'where', action: 'why', bizStep: 'why',
  disposition: 'why', persistentDisposition: 'why', bizTransactionList: 'why', certificationInfo: 'why', sensorElementList: 'how',
};

/**
 * Cuts `whole` into `[{field, text}]`; `fields` has the string of each field alone, `{field, text}`. A field may come in several
 * parts, the later ones behind other fields; `field` is undefined for what no field accounts for.
 */
export function cut(whole, fields) {
  const rest = fields.filter(({ text }) => text !== '').map(({ field, text }) => ({ field, text }));
  const pieces = [];
  const unknown = (text) => {
    if (pieces.length > 0 && pieces.at(-1).field === undefined) pieces.at(-1).text += text;
    else pieces.push({ field: undefined, text });
  };
  for (let at = 0; at < whole.length; ) {
    let best;
    for (const candidate of rest) {
      const length = whole.startsWith(candidate.text, at) ? candidate.text.length : partLength(candidate, whole, at);
      if (length > 0 && (best === undefined || length > best.length)) best = { candidate, length };
    }
    if (best === undefined) {
      unknown(whole[at]);
      at += 1;
      continue;
    }
    const { candidate, length } = best;
    pieces.push({ field: candidate.field, text: whole.slice(at, at + length) });
    candidate.text = candidate.text.slice(length);
    if (candidate.text === '') rest.splice(rest.indexOf(candidate), 1);
    at += length;
  }
  return pieces;
}

/** How much of the front of a field's string stands here: up to where its path names begin anew, so that no neighbour is taken. */
function partLength({ field, text }, whole, at) {
  let common = 0;
  while (common < text.length && whole[at + common] === text[common]) common += 1;
  if (common === 0) return 0;
  const starts = field === 'sensorElementList' ? ['sensorElement'] : [field];
  for (let end = common; end > 0; end -= 1) if (starts.some((start) => text.startsWith(start, end))) return end;
  return 0;
}

/** One piece as names and values, `{kind: 'name' | 'value', text}`: how it is coloured, and nothing more. */
export function tokens(text) {
  const found = [];
  const pattern = /(?:\{[^{}]*\}[^={}]*|[A-Za-z]+)=/g;
  const names = /^(?:.*?)((?:\{[^{}]*\})?[A-Za-z][\w.-]*=)$/s;
  let at = 0;
  const push = (kind, part) => part !== '' && found.push({ kind, text: part });
  for (const match of text.matchAll(pattern)) {
    // A word in front of `=` may hang on the end of a value: the names that the algorithm writes are known.
    const [all] = match;
    const name = KNOWN_TAIL.exec(all)?.[0] ?? names.exec(all)?.[1] ?? all;
    const start = match.index + all.length - name.length;
    push('value', text.slice(at, start));
    push('name', name);
    at = start + name.length;
  }
  push('value', text.slice(at));
  return found;
}

const KNOWN_TAIL = /(?:\{[^{}]*\}[\w.-]+|eventType|eventTime|eventTimeZoneOffset|(?:epcList|childEPCs|inputEPCList|outputEPCList)?epc|parentID|(?:(?:child|input|output)?[qQ]uantityList)?(?:quantityElement)?epcClass|quantity|uom|action|transformationID|bizStep|disposition|(?:persistentDisposition)?(?:set|unset)|(?:readPoint|bizLocation)?id|(?:(?:bizTransaction|source|destination)List)?type|bizTransaction|source|destination|(?:sensorElementList)?(?:sensorElement)?(?:sensorMetadata|sensorReport)?(?:time|startTime|endTime|deviceID|deviceMetadata|rawData|dataProcessingMethod|bizRules|type|exception|microorganism|chemicalSubstance|value|component|stringValue|booleanValue|hexBinaryValue|uriValue|minValue|maxValue|meanValue|sDev|percRank|percValue|coordinateReferenceSystem))=$/;
