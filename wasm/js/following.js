// The command `follow`: follows items through the events of files, or of a gateway.
import { LONGEST_PAGE, canonicalIn, identifiersIn, masterDataFor, missingWords, pageIn, wantedFor } from './asked-names.js';
import { EXIT, each, membersOf, nameOf, told } from './each.js';
import { EpcisError } from './error.js';
import { ENDINGS, NotFound, Usage } from './files.js';
import { follow as followed } from './follow-node.js';
import { harmlessJson, paint, tell } from './harmless.js';
import { linesOf } from './life.js';
import { fetched, gatewayOf, unexpected } from './log.js';
import { elementsInFile } from './master-data.js';
import { eventsIn, headerIn, merged } from './merged.js';
import { elementsOf, namesOf } from './names.js';
import { identifiers, translate } from './node.js';

/** The options that are words, and those that are numbers. */
const WORDS = { direction: ['back', 'forth', 'both'], contents: ['listed', 'followed', 'none'] };
const NUMBERS = { depth: 64, 'max-events': 10_000 };
const TIES = ['packing', 'transformation', 'association'];

/** The question of the options. It is tried on one event before a file is read. @throws {Usage} */
function questionOf(options, oneOf) {
  const { item: items = [], from, to, kin, through } = options;
  if (items.length === 0) throw new Usage('name an item: --item, followed by an identifier');
  if (kin && options.direction !== undefined && options.direction !== 'both') throw new Usage('--kin and --direction exclude each other: --kin goes both ways');
  for (const [option, words] of Object.entries(WORDS)) oneOf(option, options[option], words);
  for (const [option, most] of Object.entries(NUMBERS)) {
    const given = options[option];
    if (given !== undefined && !(/^\d{1,6}$/.test(given) && Number(given) >= 1 && Number(given) <= most))
      throw new Usage(`--${option} is ${given}, expected a whole number from 1 to ${most}`);
  }
  const ties = through?.split(',').map((tie) => tie.trim());
  for (const tie of ties ?? []) if (!TIES.includes(tie)) throw new Usage(`there is no tie "${tie}", expected ${TIES.join(', ')}`);
  const numberOf = (text) => (text === undefined ? undefined : Number(text));
  const question = {
    items,
    direction: options.direction,
    from,
    to,
    depth: numberOf(options.depth),
    maxEvents: numberOf(options['max-events']),
    kin,
    through: ties,
    contents: options.contents,
  };
  try {
    followed({ type: 'ObjectEvent' }, question);
  } catch (error) {
    if (error instanceof EpcisError) throw new Usage(error.message);
    throw error;
  }
  return question;
}

/**
 * @param tools functions of the commands: `oneOf` checks an option that is one of some words, `isXml` recognises XML, `reportLosses`
 *   reports the losses of a translation
 */
export async function follow(files, options, output, { oneOf, isXml, reportLosses }) {
  const question = questionOf(options, oneOf);
  if (options.gateway !== undefined && files.length > 0) throw new Usage('--gateway and files exclude each other');
  // Each source of names is a list of elements. The first that names an identifier counts.
  const given = (options['master-data'] ?? []).map((file) => elementsInFile(file, isXml));
  if (options.gateway !== undefined) return ofGateway(question, given, options, output);
  const documents = [];
  const code = await each(files, options, {
    endings: ENDINGS.both,
    hint: 'NDJSON, one document per line, may be longer',
    whole(bytes) {
      const read = isXml(bytes) ? translate(bytes, { as: 'text', validate: false }) : { document: bytes };
      // Only to find what is wrong with this document, and where.
      followed(read.document, { items: question.items, depth: 1, maxEvents: 1, contents: 'none' });
      return read;
    },
    print(label, { document, fidelityReport }) {
      if (fidelityReport) reportLosses(label, options, fidelityReport);
      documents.push({ label, document });
      return EXIT.ok;
    },
  });
  if (documents.length === 0) return code;
  let found;
  const sources = [];
  try {
    found = followed(together(documents, sources), question);
  } catch (error) {
    // Hashes are compared only if an error declaration has no eventID: a prefix may turn out to be undeclared then.
    if (!(error instanceof EpcisError && documents.length === 1)) throw error;
    return Math.max(code, await told(error, documents[0].label, options));
  }
  const names = namesFor(found, [...given, ...sources.map(({ elements }) => elements)]);
  if (options.json) {
    const list = sources.map(({ label, events }) => ({ ...membersOf(label), events }));
    await output.json({ files: list, names: namesIn(found, names), ...found });
  } else {
    const fileOf = sources.length > 1 ? fileIn(sources) : undefined;
    await output.say(...linesOf(found, { nameOf: names.nameOf, fileOf, isCut: code !== EXIT.ok }));
  }
  return Math.max(code, codeOf(found));
}

/** One document with all events. `sources` gets an entry for each document: the number of its events, and its master data. */
function together(documents, sources) {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const lists = documents.map(({ label, document }) => {
    const text = typeof document === 'string' ? document : decoder.decode(document);
    const events = eventsIn(text);
    sources.push({ label, events: events.length, elements: elementsOf({ epcisHeader: JSON.parse(headerIn(text) ?? '{}') }) });
    return events;
  });
  return documents.length === 1 ? documents[0].document : merged(lists);
}

/** Makes a function that says in which document the event with an index is. */
function fileIn(sources) {
  const names = sources.flatMap(({ label, events }) => Array(events).fill(nameOf(label)));
  return ({ index }) => names[index];
}

const canonicalOf = (id) => identifiers.toDigitalLink(id);

/** The names that sources of master data have for an answer. */
const namesFor = (answer, sources) => namesOf(sources, canonicalOf, canonicalIn(answer, canonicalOf));

/** The names of the identifiers in an answer, each in the spellings that it has there. */
function namesIn(answer, { nameOf }) {
  const { places, things } = identifiersIn(answer);
  const names = [...places, ...things].map((id) => [id, nameOf(id)]);
  return Object.fromEntries(names.filter(([, name]) => name !== undefined));
}

/** What no event names is not found. */
const codeOf = ({ type }) => (type === 'EMPTY' ? EXIT.notFound : EXIT.ok);

async function ofGateway(question, given, options, output) {
  const gateway = gatewayOf(options.gateway);
  const key = process.env.EPCIS_EDGE_KEY;
  if (!key) throw new Usage('set EPCIS_EDGE_KEY to a key of the gateway that has the right to query');
  if (!/^[\x21-\x7e]+$/.test(key)) throw new Usage('EPCIS_EDGE_KEY is not a key: it has spaces, line ends or characters beyond ASCII');
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const text = (await fetched(`${gateway}/follow`, headers, undefined, JSON.stringify(question))).toString('utf8');
  const found = answerIn(text);
  if (found === undefined) throw unexpected(`${gateway}/follow did not answer what happened to an item`);
  const { elements, missing } = await elementsAt(`${gateway}/masterdata`, headers, wantedFor(found, canonicalOf));
  if (missing !== undefined && !options.quiet) tell([paint('bold', 'epcis-edge'), ': ', paint('yellow', missing)]);
  const names = namesFor(found, [...given, elements]);
  if (options.json) {
    // The answer as text, so that its numbers keep their digits.
    const front = JSON.stringify({ gateway, names: namesIn(found, names) });
    await output.print(harmlessJson(`${front.slice(0, -1)},${text.trim().slice(1)}`));
  } else await output.say(...linesOf(found, { nameOf: names.nameOf }));
  return codeOf(found);
}

/** The master data that a gateway has of what an answer names: `{elements, missing}`. `missing` are words about names that are missing. */
async function elementsAt(address, headers, wanted) {
  const found = await masterDataFor(wanted, async (query) => {
    const asked = `${address}?${query}`;
    try {
      const page = pageIn((await fetched(asked, headers, LONGEST_PAGE)).toString('utf8'));
      if (page === undefined) throw unexpected(`${asked} answered something else than master data`);
      return page;
    } catch (error) {
      // The query may have a hundred identifiers.
      error.message = error.message.replace(asked, () => address);
      throw error;
    }
  });
  const { elements, error } = found;
  if (error !== undefined && !(error instanceof EpcisError || error instanceof NotFound)) throw error;
  return { elements, missing: missingWords(found) };
}

const LISTS = ['items', 'events', 'contents', 'ties', 'things', 'incomplete'];

/** The answer in a text; `undefined` if it is none. */
function answerIn(text) {
  try {
    const found = JSON.parse(text);
    if (!['OK', 'EMPTY'].includes(found.type) || !LISTS.every((name) => Array.isArray(found[name]))) return undefined;
    linesOf(found, {});
    return found;
  } catch {
    // Not JSON, or an answer with members of other types.
  }
  return undefined;
}
