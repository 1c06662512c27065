// The command `follow`: follows items through the events of files, or of a gateway.
import { EXIT, each, membersOf, nameOf, told } from './each.js';
import { EpcisError } from './error.js';
import { ENDINGS, Usage } from './files.js';
import { follow as followed } from './follow-node.js';
import { harmlessJson } from './harmless.js';
import { linesOf } from './life.js';
import { fetched, gatewayOf, unexpected } from './log.js';
import { eventsIn, merged } from './merged.js';
import { translate } from './node.js';

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
  if (options.gateway !== undefined) {
    if (files.length > 0) throw new Usage('--gateway and files exclude each other');
    return ofGateway(question, options, output);
  }
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
    return Math.max(code, told(error, documents[0].label, options));
  }
  if (options.json) await output.json({ files: sources.map(({ label, events }) => ({ ...membersOf(label), events })), ...found });
  else await output.say(...linesOf(found, { fileOf: sources.length > 1 ? fileIn(sources) : undefined, isCut: code !== EXIT.ok }));
  return Math.max(code, codeOf(found));
}

/** One document with all events. `sources` gets an entry for each document, with the number of its events. */
function together(documents, sources) {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const lists = documents.map(({ label, document }) => {
    const events = eventsIn(typeof document === 'string' ? document : decoder.decode(document));
    sources.push({ label, events: events.length });
    return events;
  });
  return documents.length === 1 ? documents[0].document : merged(lists);
}

/** Makes a function that says in which document the event with an index is. */
function fileIn(sources) {
  const names = sources.flatMap(({ label, events }) => Array(events).fill(nameOf(label)));
  return ({ index }) => names[index];
}

/** What no event names is not found. */
const codeOf = ({ type }) => (type === 'EMPTY' ? EXIT.notFound : EXIT.ok);

async function ofGateway(question, options, output) {
  const gateway = gatewayOf(options.gateway);
  const key = process.env.EPCIS_EDGE_KEY;
  if (!key) throw new Usage('set EPCIS_EDGE_KEY to a key of the gateway that has the right to query');
  if (!/^[\x21-\x7e]+$/.test(key)) throw new Usage('EPCIS_EDGE_KEY is not a key: it has spaces, line ends or characters beyond ASCII');
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const text = (await fetched(`${gateway}/follow`, headers, undefined, JSON.stringify(question))).toString('utf8');
  const answer = answerIn(text);
  if (answer === undefined) throw unexpected(`${gateway}/follow did not answer what happened to an item`);
  const { found, lines } = answer;
  // The answer as text, so that its numbers keep their digits.
  if (options.json) await output.print(harmlessJson(`{"gateway":${JSON.stringify(gateway)},${text.trim().slice(1)}`));
  else await output.say(...lines);
  return codeOf(found);
}

const LISTS = ['items', 'events', 'contents', 'ties', 'things', 'incomplete'];

/** The answer in a text, and its lines for people; `undefined` if it is none. */
function answerIn(text) {
  try {
    const found = JSON.parse(text);
    if (['OK', 'EMPTY'].includes(found.type) && LISTS.every((name) => Array.isArray(found[name]))) return { found, lines: linesOf(found, {}) };
  } catch {
    // Not JSON, or an answer with members of other types.
  }
  return undefined;
}
