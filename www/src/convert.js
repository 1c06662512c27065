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
  '02': 'contained GTIN',
  10: 'batch or lot',
  11: 'production date',
  12: 'due date',
  13: 'packaging date',
  15: 'best before date',
  16: 'sell by date',
  17: 'expiry date',
  20: 'internal variant',
  21: 'serial number',
  22: 'consumer product variant',
  30: 'variable count',
  37: 'count of contents',
  235: 'third-party serial',
  240: 'additional identification',
  241: 'customer part number',
  250: 'secondary serial',
  254: 'GLN extension',
  400: 'customer order number',
  401: 'GINC',
  410: 'ship to GLN',
  412: 'purchased from GLN',
  420: 'postal code',
  422: 'country of origin',
  710: 'national number, Germany',
  711: 'national number, France',
  712: 'national number, Spain',
  713: 'national number, Brazil',
  714: 'national number, Portugal',
  715: 'national number, United States',
  716: 'national number, Italy',
  7003: 'expiry date and time',
  8004: 'GIAI',
  8010: 'CPID',
  8011: 'CPID serial',
  8019: 'service relation instance',
};
/** The keys that may begin a Digital Link, and what goes into its path behind them, in this order; all else goes into its query. */
const QUALIFIERS = {
  '01': ['22', '10', '21', '235'],
  414: ['254'],
  417: ['7040'],
  8004: ['7040'],
  8006: ['22', '10', '21'],
  8010: ['8011'],
  8017: ['8019'],
  8018: ['8019'],
};
const LEADING = ['01', '8006', '8003', '00', '8004', '8010', '8017', '8018', '253', '255', '402', '401', '414', '417'];
/** The digits of the application identifiers that begin with a digit or two, and of their values where these have a fixed length. */
const DIGITS = { 2: /^(?:0[0-4]|1[0-35-7]|2[0-2]|30|37|9\d)/, 3: /^(?:2[345]|4[0-2]|71)\d/, 4: /^(?:3[1-69]|43|70|72|8[0-2])\d\d/ };
const FIXED = { '00': 18, '01': 14, '02': 14, '03': 14, '04': 16, 20: 2 };
const aiOf = (text) =>
  Object.values(DIGITS)
    .map((shape) => shape.exec(text)?.[0])
    .find((ai) => ai !== undefined);
/** How many digits the value of an application identifier has by its first two, as scanners know it; undefined where it ends by itself. */
const fixedOf = (ai) => FIXED[ai] ?? (/^1[1-9]/.test(ai) ? 6 : /^3[1-6]/.test(ai) ? 6 : /^41/.test(ai) ? 13 : undefined);

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

const partOf = (ai, value) => {
  const key = KEYS[ai] ?? (ai === '02' ? KEYS['01'] : /^41\d$/.test(ai) ? KEYS[414] : undefined);
  const number = key === undefined ? '' : value.slice(0, key.digits);
  const check =
    key !== undefined && number.length === key.digits && /^\d+$/.test(number)
      ? { found: number.at(-1), expected: checkDigit(number.slice(0, -1)), number }
      : undefined;
  return { ai, name: KEYS[ai]?.name ?? NAMES[ai] ?? `AI ${ai}`, value, check };
};

/** The parts of a Digital Link: `[{ai, name, value, check}]`, `check` `{found, expected}` where a part has a check digit; its query, too. */
export function partsOf(digitalLink) {
  const path = /^https?:\/\/[^/?#]+\/([^?#]*)/.exec(digitalLink)?.[1].split('/') ?? [];
  // Other parts may stand before the key, as the path of a resolver does.
  const start = path.findIndex((part, at) => (Object.hasOwn(KEYS, part) || ['401', '8004', '8010'].includes(part)) && path[at + 1] !== undefined);
  const parts = [];
  if (start === -1) return parts;
  for (let at = start; at + 1 < path.length; at += 2) {
    parts.push(partOf(path[at], decoded(path[at + 1])));
  }
  const [, query = ''] = /\?([^#]*)/.exec(digitalLink) ?? [];
  for (const [ai, value] of new URLSearchParams(query)) if (aiOf(ai) === ai) parts.push(partOf(ai, value));
  return parts;
}

/** What scanners put before the data, where it is an element string: GS1-128, DataBar, DataMatrix, QR code, DotCode. */
const SYMBOLOGY = /^\](?:C1|e0|d2|Q3|J1)/;
/** What separates elements, and how it is written where it can be seen. */
const SEPARATOR = /[\u001d\u241d]|<GS>|\{GS\}/g;

/** An element string `{pairs}`, with brackets or as scanners give it; `{problem}` for one with a fault, undefined for what is none. */
function elementsOf(text) {
  if (/^\][A-Za-z]\d/.test(text) && !SYMBOLOGY.test(text)) return { problem: `A barcode of the kind ${text.slice(0, 3)} carries no element string.` };
  const data = text
    .replace(SYMBOLOGY, '')
    .replace(SEPARATOR, '\u001d')
    .replace(/^\u001d/, '');
  const pairs = [];
  if (data.startsWith('(')) {
    const found = [...data.matchAll(/\((\d{2,4})\)([^()]*)/g)];
    if (found.map(([all]) => all).join('') !== data) return undefined;
    for (const [, ai, value] of found) pairs.push([ai, value.replaceAll('\u001d', '').trim()]);
  } else {
    const isScanned = data !== text || data.includes('\u001d');
    if (!isScanned && !/^(?:01\d{14}|00\d{18}).+$/.test(data)) return undefined;
    for (let rest = data; rest !== ''; ) {
      const ai = aiOf(rest);
      if (ai === undefined) return isScanned ? { problem: `${rest.slice(0, 12)} begins with no application identifier.` } : undefined;
      const end = rest.indexOf('\u001d');
      const to = Math.min(fixedOf(ai) === undefined ? rest.length : ai.length + fixedOf(ai), end === -1 ? rest.length : end);
      pairs.push([ai, rest.slice(ai.length, to)]);
      rest = rest.slice(to).replace(/^\u001d/, '');
    }
  }
  for (const [at, [ai, value]] of pairs.entries()) {
    const digits = fixedOf(ai);
    const isGtin = data.startsWith('(') && ai === '01' && /^(?:\d{8}|\d{12,14})$/.test(value);
    if (aiOf(ai) !== ai) return { problem: `(${ai}) is no application identifier.` };
    if (pairs.findIndex(([other]) => other === ai) !== at) return { problem: `(${ai}) stands twice.` };
    if (value === '') return { problem: `(${ai}) has no value.` };
    if (digits !== undefined && !isGtin && !(value.length === digits && /^\d+$/.test(value)))
      return { problem: `(${ai}) has ${digits} digits, found ${value}.` };
  }
  return { pairs };
}

/** The Digital Link of pairs, all of them in it, and of its key and qualifiers alone; undefined where no key is among them. */
function linksOf(pairs) {
  const values = new Map(pairs.map(([ai, value]) => [ai, ai === '01' ? value.padStart(14, '0') : value]));
  const key = LEADING.find((ai) => values.has(ai));
  if (key === undefined) return undefined;
  const path = [key, ...(QUALIFIERS[key] ?? []).filter((ai) => values.has(ai))];
  const short = `https://id.gs1.org/${path.map((ai) => `${ai}/${encodeURIComponent(values.get(ai))}`).join('/')}`;
  const query = [...values].filter(([ai]) => !path.includes(ai)).map(([ai, value]) => `${ai}=${encodeURIComponent(value)}`);
  return { short, full: query.length === 0 ? short : `${short}?${query.join('&')}` };
}

/**
 * `{digitalLink, full, kind, others}` for what is typed, or undefined for what is no identifier of GS1: `digitalLink` is that of
 * events, `full` has all that was typed, `others` are other readings. `{problem}` for an element string with a fault.
 */
export function readIdentifier(typed, canonicalOf) {
  const text = typed.trim();
  const direct = canonicalOf(text);
  if (direct !== undefined) {
    const isUrn = text.startsWith('urn:');
    const full = isUrn ? direct : (linksOf(partsOf(text).map(({ ai, value }) => [ai, value]))?.full ?? direct);
    return { digitalLink: direct, full, kind: isUrn ? 'EPC URN' : 'GS1 Digital Link', others: [] };
  }
  const link = (pairs) => linksOf(pairs).short;
  const { pairs, problem } = elementsOf(text) ?? {};
  if (problem !== undefined) return { problem };
  if (pairs !== undefined) {
    const links = linksOf(pairs);
    if (links === undefined) return { problem: 'This element string has no GS1 key, such as (01) or (00).' };
    return { digitalLink: canonicalOf(links.short) ?? links.short, full: links.full, kind: 'element string', others: [] };
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
 * Everything about one identifier: `{kind, digitalLink, own, lost, parts, elementString, urns: [{length, urn}], length, others}`, or
 * `{problem}`. `own` is what an event calls it, `lost` the parts that neither that nor a URN holds. `length` is that of the company prefix, as far as it is known.
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
  if (read.problem !== undefined) return { problem: read.problem };
  const full = read.full ?? read.digitalLink;
  const parts = partsOf(full);
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
  const held = new Set(partsOf(read.digitalLink).map(({ ai }) => ai));
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
    digitalLink: full,
    own: read.digitalLink,
    lost: parts.filter(({ ai }) => !held.has(ai)),
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
