// How a pre-hash string is shown: which question each field answers, what in a piece is name and what is value.

/** Which question a field answers. */
export const FACETS = {
  eventType: 'what',
  epcList: 'what',
  parentID: 'what',
  childEPCs: 'what',
  quantityList: 'what',
  childQuantityList: 'what',
  inputEPCList: 'what',
  inputQuantityList: 'what',
  outputEPCList: 'what',
  outputQuantityList: 'what',
  transformationID: 'what',
  ilmd: 'what',
  eventTime: 'when',
  eventTimeZoneOffset: 'when',
  readPoint: 'where',
  bizLocation: 'where',
  sourceList: 'where',
  destinationList: 'where',
  action: 'why',
  bizStep: 'why',
  disposition: 'why',
  persistentDisposition: 'why',
  bizTransactionList: 'why',
  certificationInfo: 'why',
  sensorElementList: 'how',
};

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

const KNOWN_TAIL =
  /(?:\{[^{}]*\}[\w.-]+|eventType|eventTime|eventTimeZoneOffset|(?:epcList|childEPCs|inputEPCList|outputEPCList)?epc|parentID|(?:(?:child|input|output)?[qQ]uantityList)?(?:quantityElement)?epcClass|quantity|uom|action|transformationID|bizStep|disposition|(?:persistentDisposition)?(?:set|unset)|(?:readPoint|bizLocation)?id|(?:(?:bizTransaction|source|destination)List)?type|bizTransaction|source|destination|(?:sensorElementList)?(?:sensorElement)?(?:sensorMetadata|sensorReport)?(?:time|startTime|endTime|deviceID|deviceMetadata|rawData|dataProcessingMethod|bizRules|type|exception|microorganism|chemicalSubstance|value|component|stringValue|booleanValue|hexBinaryValue|uriValue|minValue|maxValue|meanValue|sDev|percRank|percValue|coordinateReferenceSystem))=$/;
