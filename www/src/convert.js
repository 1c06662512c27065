// Identifiers of GS1 in every spelling, in the engine's thread: EPC URN, Digital Link, element string, bare digits.

/** The keys: where each stands in a Digital Link, how many digits it has, and how many of these the check digit is over. */
const KEYS = {
  '00': { name: 'SSCC', digits: 18 },
  '01': { name: 'GTIN', digits: 14 },
  253: { name: 'GDTI', digits: 13, tail: 17 },
  255: { name: 'GCN', digits: 13, tail: 12 },
  402: { name: 'GSIN', digits: 17 },
  414: { name: 'GLN', digits: 13 },
  417: { name: 'party GLN', digits: 13 },
  8003: { name: 'GRAI', digits: 14, tail: 16 },
  8006: { name: 'ITIP', digits: 14, tail: 4 },
  8017: { name: 'GSRN of a provider', digits: 18 },
  8018: { name: 'GSRN of a recipient', digits: 18 },
};
const NAMES = {
  10: 'batch or lot',
  21: 'serial number',
  22: 'consumer product variant',
  235: 'third-party serial',
  254: 'GLN extension',
  401: 'GINC',
  8004: 'GIAI',
  8010: 'CPID',
  8011: 'CPID serial',
  8019: 'service relation instance',
};

/** The check digit of GS1: weights 3 and 1 from the right, up to the next ten. */
export function checkDigit(digits) {
  let sum = 0;
  for (let at = digits.length - 1, weight = 3; at >= 0; at -= 1, weight = 4 - weight) sum += Number(digits[at]) * weight;
  return String((10 - (sum % 10)) % 10);
}

const decoded = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The parts of a Digital Link: `[{ai, name, value, check}]`, `check` `{found, expected}` where a part has a check digit. */
export function partsOf(digitalLink) {
  const path = /^https?:\/\/[^/?#]+\/([^?#]*)/.exec(digitalLink)?.[1].split('/') ?? [];
  // Other parts may stand before the key, as the path of a resolver does.
  const start = path.findIndex((part, at) => (Object.hasOwn(KEYS, part) || ['401', '8004', '8010'].includes(part)) && path[at + 1] !== undefined);
  const parts = [];
  if (start === -1) return parts;
  for (let at = start; at + 1 < path.length; at += 2) {
    const [ai, value] = [path[at], decoded(path[at + 1])];
    const key = KEYS[ai];
    const number = key === undefined ? '' : value.slice(0, key.digits);
    const check =
      key !== undefined && number.length === key.digits && /^\d+$/.test(number)
        ? { found: number.at(-1), expected: checkDigit(number.slice(0, -1)), number }
        : undefined;
    parts.push({ ai, name: key?.name ?? NAMES[ai] ?? `AI ${ai}`, value, check });
  }
  return parts;
}

const AIS = [...Object.keys(KEYS), ...Object.keys(NAMES)];

/** An element string as pairs, with its brackets or, where every length is known, without. */
function elementsOf(text) {
  const pairs = [...text.matchAll(/\((\d{2,4})\)([^()]*)/g)].map(([, ai, value]) => [ai, value.trim()]);
  if (pairs.length > 0) return pairs.map(([ai, value]) => `(${ai})${value}`).join('') === text.replace(/\s/g, '') ? pairs : undefined;
  return undefined;
}

/** `{digitalLink, kind, others}` for what is typed, or undefined for what is no identifier of GS1; `others` are other readings. */
export function readIdentifier(typed, canonicalOf) {
  const text = typed.trim();
  const direct = canonicalOf(text);
  if (direct !== undefined) return { digitalLink: direct, kind: text.startsWith('urn:') ? 'EPC URN' : 'GS1 Digital Link', others: [] };
  const link = (pairs) =>
    `https://id.gs1.org/${pairs.map(([ai, value]) => `${ai}/${encodeURIComponent(ai === '01' ? value.padStart(14, '0') : value)}`).join('/')}`;
  const pairs = elementsOf(text);
  if (pairs?.every(([ai]) => AIS.includes(ai))) {
    const digitalLink = link(pairs);
    return { digitalLink: canonicalOf(digitalLink) ?? digitalLink, kind: 'element string', others: [] };
  }
  const digits = text.replace(/[\s-]/g, '');
  if (!/^\d{8,18}$/.test(digits)) return undefined;
  const readings = [
    [[8, 12, 13, 14].includes(digits.length), '01', 'GTIN'],
    [digits.length === 13, '414', 'GLN'],
    [digits.length === 18, '00', 'SSCC'],
    [digits.length === 17, '402', 'GSIN'],
    [digits.length === 18, '8018', 'GSRN of a recipient'],
  ].filter(([fits]) => fits);
  const [first, ...others] = readings.map(([, ai, kind]) => ({ kind, digitalLink: link([[ai, digits]]) }));
  return first === undefined
    ? undefined
    : { ...first, others: others.map(({ kind }) => ({ kind, text: `(${readings.find(([, , name]) => name === kind)[1]})${digits}` })) };
}

const prefixOf = (urn) => /^urn:epc:(?:id|class|idpat):[a-z]+:(\d+)\./.exec(urn)?.[1].length;

/**
 * Everything about one identifier: `{kind, digitalLink, isCanonical, parts, elementString, urns: [{length, urn}], length, others}`, or
 * `{problem}`. `length` is that of the company prefix, as far as it is known.
 */
export function convert(typed, identifiers) {
  const text = typed.trim();
  const canonicalOf = (id) => identifiers.toDigitalLink(id);
  const read = readIdentifier(text, canonicalOf);
  if (read === undefined && /^https?:/.test(text) && partsOf(text).length > 0) {
    const parts = partsOf(text);
    return { problem: 'A Digital Link that does not read: see its parts.', parts, corrected: correctedOf(parts) };
  }
  if (read === undefined)
    return {
      problem: text.startsWith('urn:')
        ? 'This is no EPC URN that can be converted.'
        : 'No EPC URN, GS1 Digital Link, element string such as (01)09521141001233(21)A1, or GS1 key.',
    };
  const parts = partsOf(read.digitalLink);
  const wrong = parts.find(({ check }) => check !== undefined && check.found !== check.expected);
  if (wrong !== undefined || canonicalOf(read.digitalLink) === undefined)
    return {
      problem:
        wrong === undefined
          ? 'These parts make no Digital Link.'
          : `The check digit of the ${wrong.name} ${wrong.value} is ${wrong.check.found}, expected ${wrong.check.expected}.`,
      kind: read.kind,
      parts,
      others: read.others,
      corrected: correctedOf(parts),
    };
  const urns = [];
  for (let length = 6; length <= 12; length += 1) {
    try {
      urns.push({ length, urn: identifiers.toEpcUrn(read.digitalLink, length) });
    } catch (error) {
      if (error?.problem === undefined) throw error;
      urns.push({ length, why: error.problem.detail ?? error.problem.title });
    }
  }
  return {
    kind: read.kind,
    digitalLink: read.digitalLink,
    parts,
    elementString: parts.map(({ ai, value }) => `(${ai})${value}`).join(''),
    urns,
    length: prefixOf(text),
    others: read.others,
  };
}

/** The same element string with the right check digits; undefined where they are right. */
function correctedOf(parts) {
  if (!parts.some(({ check }) => check !== undefined && check.found !== check.expected)) return undefined;
  const right = ({ value, check }) => (check === undefined ? value : check.number.slice(0, -1) + check.expected + value.slice(check.number.length));
  return parts.map((part) => `(${part.ai})${right(part)}`).join('');
}
