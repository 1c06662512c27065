// One opened document in the engine's thread: computes its answers stage by stage, then answers the page's questions about them.
//
// How are an array of events and NDJSON validated?
// The schema knows neither. So the page puts an EPCISDocument around them, keeping every character, and shifts each
// place that is found back to the original text.
//
// Why does the page translate with `validate: false`?
// Otherwise one error in XML would leave the page with no events, no hashes and no translation. The page shows the errors
// and everything else.
import { decode, foreignJson, foreignOf, formatOf, shapeOf, wrapped } from './detect.js';
import { eventsOf, isObject, modelOf, overview, vocabulariesOf } from './event-model.js';
import { flowOf, rowsOf, timelineOf, walk } from './flow.js';
import { layout } from './layout.js';
import { causesFirst, fitting } from './order.js';
import * as json from './places-json.js';
import { prettyJson, prettyXml } from './pretty.js';
import { nameOf } from './words.js';

export const PROFILES = ['CBV2.0', 'CBV2.1', 'REF2025'];
/** The page sizes: events as cards, and rows of the table of hashes. */
export const PAGE = { events: 25, hashes: 50 };
/** The characters of a translation that are shown; the download has all of it. */
export const SHOWN_OUTPUT = 60_000;
/** The characters of a large document shown at a time: `lines`, or `line` within one long line, which is slow to lay out. */
export const WINDOW = { lines: 16_000, line: 5000 };
/** The characters of a pre-hash string that are shown; a longer string is not divided into pieces. */
const LONGEST_CUT = 100_000;
/** The maximum number of notes of a fidelity report sent to the page. */
const NOTES = 1000;

/** Loads the suggested corrections when there is an error to correct. If loading fails, there are no suggestions. */
const fixing = () => import('./fixes.js').catch(() => ({ jsonFixes: () => [], xmlFixes: () => [] }));
/** Loads the code that locates findings in XML, with the first XML document. */
const xmlPlaces = () => import('./places-xml.js');

/** Runs a call of the engine. Returns `{value}`, or `{problem}` if the engine refused; throws any other error on. */
export function attempt(call) {
  try {
    return { value: call() };
  } catch (error) {
    if (error?.problem === undefined) throw error;
    return { problem: error.problem };
  }
}

/** Marks "No events" as not an error (`isOther`). */
const calmed = (problem) => ({ ...problem, isOther: problem.title === 'No events' });

/** The keywords of XML schema errors that concern an element or attribute itself. All others concern its value. */
const ABOUT_NAMES = /^cvc-(?:complex-type\.(?:2\.[134]|4)|elt\.[12]$|elt\.4\.3|type\.2$|type\.3\.1\.2)/;

export class OpenDocument {
  #engine;
  /**
   * The document as received, and `#bytes` and `#text` as the engine gets it. They differ for a list of events, which gets a document
   * around it: a character at `n` of the source is then at `n + #shift` of the text.
   */
  #source;
  #bytes;
  #text;
  #shift = 0;
  #memo = new Map();

  #isText;

  /**
   * @param bytes the document as received. `back`: the XML version that JSON is translated to. `isText`: the bytes were made from
   *   text, so they are UTF-8 whatever encoding the XML declaration names
   */
  constructor(engine, bytes, { back = '2.0', isText = false } = {}) {
    this.#isText = isText;
    this.#engine = engine;
    const { text, isExact } = decode(bytes);
    this.#bytes = bytes;
    this.#text = text;
    this.#source = { bytes, text };
    this.isExact = isExact;
    this.back = back;
    this.format = formatOf(text.slice(0, 4096));
    /** The kind of the document if it is not EPCIS, as {@link foreignOf} returns it; else undefined. */
    this.foreign = foreignOf(bytes, text);
    this.shape = this.format === 'json' && isExact && this.foreign === undefined ? shapeOf(text) : 'document';
    if (this.shape !== 'document') this.#wrap();
    if (this.format === 'json' && this.#parsed !== undefined) this.foreign ??= foreignJson(this.shape === 'document' ? this.#parsed : this.#events.events);
  }

  /** Puts a document around a list of events. Leaves the list alone if it is not JSON. */
  #wrap() {
    const { text, shift } = wrapped(this.#text, this.shape);
    try {
      JSON.parse(text);
    } catch {
      return;
    }
    this.#text = text;
    this.#shift = shift;
    this.#bytes = new TextEncoder().encode(text);
  }

  /**
   * Turns a problem of the wrapped document into one of the list that the user wrote. The path `/epcisBody/eventList/2/type` becomes
   * `/type` of event 3, and the line and column are those of the list.
   */
  #ofList(problem) {
    if (this.#shift === 0 || problem?.location === undefined) return problem;
    const { line, column } = problem.location;
    const place = new Lines(this.#source.text).placeOf(new Lines(this.#text).offset(line, column) - this.#shift);
    const detail = problem.detail?.replace(
      /, at line \d+ column \d+(?:, in `\/epcisBody\/eventList\/(\d+)([^`]*)`)?/,
      (_, index, path) =>
        `, at line ${place.line} column ${place.column}${index === undefined ? '' : `, in ${path ? `\`${path}\` of ` : ''}event ${Number(index) + 1}`}`,
    );
    return { ...problem, detail, location: { ...problem.location, ...place } };
  }

  /** The problem of the first line of NDJSON that is not JSON, with its line number. */
  #faultOfList() {
    if (this.shape === 'document' || this.#shift > 0) return undefined;
    if (this.shape === 'array') return undefined;
    for (const [at, line] of this.#text.split('\n').entries()) {
      if (line.trim() === '') continue;
      const { problem } = attempt(() => this.#engine.validate(line));
      if (problem !== undefined) return { ...problem, location: problem.location && { ...problem.location, line: at + 1 } };
    }
    return undefined;
  }

  #once(name, make) {
    if (!this.#memo.has(name)) this.#memo.set(name, make());
    return this.#memo.get(name);
  }

  /** Verifies that the event was logged: `{verdict}` or `{problem}`. The proof covers the exact bytes of the document. */
  proof({ verifyProof }, proof, policy) {
    const { value, problem } = attempt(() => verifyProof(this.#bytes, proof, policy));
    return { verdict: value, problem };
  }

  /** The fields of a logged event that can be disclosed: `{fields}` or `{problem}`. */
  disclosable({ disclosable }, proof) {
    const { value, problem } = attempt(() => disclosable(this.#bytes, proof));
    return { fields: value, problem };
  }

  /** A disclosure of some fields of a logged event: `{text}` or `{problem}`. */
  disclose({ disclose }, proof, show) {
    const { value, problem } = attempt(() => disclose(this.#bytes, proof, show));
    return { text: value, problem };
  }

  #canonicalOf = (id) => {
    const known = this.#once('canonical', () => new Map());
    let found = known.get(id);
    if (found === undefined && !known.has(id)) known.set(id, (found = this.#engine.identifiers.toDigitalLink(id)));
    return found;
  };

  /** The translation of an XML document: `{value}` or `{problem}`. */
  get #translated() {
    return this.#once('translated', () => {
      const { value, problem } = attempt(() => this.#engine.translate(this.#xml, { as: 'text', validate: false }));
      // A valid XML document without anything to translate is a message of the query interface.
      if (problem?.title !== 'Nothing to translate' || !this.#sourceVerdict?.valid) return { value, problem };
      const [, name = ''] = /^`(\w+)`/.exec(problem.detail) ?? [];
      const what =
        { Poll: 'A query request', Subscribe: 'A subscription request' }[name] ??
        (/Exception$/.test(name) ? 'An error that a server answered' : 'A message of the query interface');
      return { problem: { type: 'about:blank', title: 'No events', detail: `${what}: it holds no events.`, isOther: true } };
    });
  }

  get #xml() {
    return this.#isText ? this.#text : this.#bytes;
  }

  /** The verdict of the XML schema on XML that cannot be translated; undefined if it is not well-formed either. */
  get #sourceVerdict() {
    return this.#once('source verdict', () => attempt(() => this.#engine.validate(this.#xml)).value);
  }

  get #refusal() {
    const { title = 'This is not EPCIS', kind, advice, isOther } = this.foreign;
    return {
      type: 'about:blank',
      title,
      detail: isOther ? 'This belongs to the interface of EPCIS. It holds no events.' : `It is ${kind}. ${advice}`,
      isOther,
    };
  }

  /** The document as JSON: `{input, text}`, for XML of its translation, or `{problem}`. `input` is for the engine. */
  get #json() {
    return this.#once('json', () => {
      if (this.format !== 'xml') return { input: this.#bytes, text: this.#text };
      const { value, problem } = this.#translated;
      return value === undefined ? { problem } : { input: new TextEncoder().encode(value.document), text: value.document };
    });
  }

  get #parsed() {
    return this.#once('parsed', () => {
      if (this.#json.text === undefined) return undefined;
      try {
        return JSON.parse(this.#json.text);
      } catch {
        return undefined;
      }
    });
  }

  get #events() {
    return this.#once('events', () => (this.#parsed === undefined ? { events: [], pointer: '', isList: false } : eventsOf(this.#parsed)));
  }

  /** The syntax nodes of the events in the JSON text. */
  get #nodes() {
    return this.#once('nodes', () => {
      const tree = json.parseJson(this.#json.text);
      return json.eventNodes(this.#json.text, tree, this.#events.pointer, this.#events.isList);
    });
  }

  // The stages.

  /** Whether the document is valid, and its errors. */
  verdict() {
    return this.#once('verdict', () => this.#judge());
  }

  #judge() {
    if (this.format === 'empty') return { format: 'empty', errors: [] };
    if (this.foreign !== undefined) return { format: 'foreign', problem: this.#refusal, errors: [], valid: false };
    const about = (version) => {
      if (this.#parsed === undefined) return { format: this.format };
      const seen = overview(this.#parsed, this.#events.events);
      return {
        format: this.format,
        shape: this.shape,
        hasMasterData: vocabulariesOf(this.#parsed).length > 0,
        overview:
          version === undefined
            ? this.shape === 'document'
              ? seen
              : { ...seen, type: this.shape === 'array' ? 'Array of events' : 'NDJSON, an event a line', schemaVersion: '', contexts: [] }
            : { ...seen, schemaVersion: version },
      };
    };
    if (this.format === 'json') {
      const { value, problem } = attempt(() => this.#engine.validate(this.#bytes));
      if (problem !== undefined) return { problem: this.#faultOfList() ?? this.#ofList(problem), errors: [], valid: false, format: 'json' };
      return { ...value, errors: causesFirst(fitting(value.errors)), repeated: this.#repeated, ...about() };
    }
    const { problem, value } = this.#translated;
    const source = value?.sourceVerdict ?? this.#sourceVerdict;
    if (problem !== undefined && source === undefined) return { problem, errors: [], valid: false, format: 'xml' };
    // Causes first: errors of the XML schema in the document, then errors of the JSON schema in its translation.
    const inSource = source.errors.map(({ message, keyword, ...place }) => ({ message, keyword, source: place }));
    // An element that has an error already gets no second one from its translation.
    const told = new Set(source.errors.map(({ path }) => path));
    const inTranslation = (value?.errors ?? []).filter((error) => !told.has(error.source?.path));
    return {
      valid: (problem === undefined || problem.isOther === true) && inSource.length + inTranslation.length === 0,
      errors: [...inSource, ...causesFirst(inTranslation)],
      inSource: inSource.length,
      isSourceValid: source.valid,
      isTranslationValid: value === undefined ? undefined : value.errors.length === 0,
      refused: problem,
      source: source.schema,
      sourceVersion: value?.sourceSchemaVersion,
      schema: this.#pin,
      ...about(value?.sourceSchemaVersion),
    };
  }

  /** The repeated member names of JSON objects, as warnings. */
  get #repeated() {
    return this.#once('repeated', () =>
      this.#parsed === undefined
        ? []
        : json.repeatedNames(this.#text).map(({ name, ...place }) => ({
            ...place,
            keyword: 'repeated name',
            message: `\`${name}\` is repeated here: the last one counts on this page, another reader may take the first`,
          })),
    );
  }

  get #pin() {
    return attempt(() => this.#engine.validate('{}')).value?.schema;
  }

  /** The first page of events, the timeline, and the picture of the flows. */
  events() {
    if (this.foreign !== undefined || this.#parsed === undefined) return { total: 0, others: 0, problem: this.#reason() };
    const { events } = this.#events;
    const flow = flowOf(events, this.#canonicalOf);
    return {
      total: events.length,
      /** The number of entries that are not objects, such as a number or a list. */
      others: events.filter((event) => !isObject(event)).length,
      page: this.eventPage(0),
      timeline: timelineOf(events),
      flow: { ...flow, layout: layout(flow.boxes, flow.edges) },
    };
  }

  #reason() {
    if (this.foreign !== undefined) return this.#refusal;
    if (this.#faultOfList() !== undefined) return this.#faultOfList();
    return this.format === 'xml' ? this.#translated.problem : attempt(() => this.#engine.hash(this.#bytes)).problem;
  }

  /** The path of one item through the events. */
  async follow(id) {
    const { followOf } = await import('./follow.js');
    return followOf(rowsOf(this.#events.events, this.#canonicalOf), walk, id);
  }

  /** The master data of the document. */
  async masterData() {
    const { masterDataOf } = await import('./master-data.js');
    return masterDataOf(this.#parsed, (id) => nameOf(id, this.#canonicalOf(id)).text);
  }

  /** The parsed events, and a function that gives the canonical form of an identifier: for the table. */
  get listed() {
    return { events: this.#events.events, canonicalOf: this.#canonicalOf };
  }

  /** The rows of the table, made once by `make`. */
  rows(make) {
    return this.#once('rows', () => make(this.#events.events, this.#canonicalOf));
  }

  /** The hashes under a profile: `{value: [{event, hash, pieces}]}`, or `{problem}`. Beyond `most` events there are no `pieces`. */
  hashed(profile, most) {
    const problem = this.foreign === undefined ? this.#json.problem : this.#refusal;
    if (problem !== undefined) return { problem };
    const { events } = this.#events;
    const { value, problem: refused } = attempt(() =>
      events.length <= most
        ? this.#engine.preHash(this.#json.input, { profile, pieces: true })
        : this.#engine.hash(this.#json.input, { profile }).map((hash) => ({ hash })),
    );
    return refused === undefined ? { value: value.map((entry, at) => ({ ...entry, event: events[at] })) } : { problem: this.#ofList(refused) };
  }

  /** Explains why an eventID in hash form is not the hash of its event. */
  async explain(index) {
    const event = this.#events.events[index];
    const node = this.#nodes.events[index];
    if (node === undefined || typeof event?.eventID !== 'string') return undefined;
    const { explain } = await import('./explain.js');
    return explain(event.eventID, this.#json.text.slice(node.from, node.to), (words) =>
      PROFILES.flatMap((profile) => {
        const { value } = attempt(() => this.#engine.hash(this.#alone(index, words), { profile }));
        return value === undefined ? [] : [{ profile, hash: value[0] }];
      }),
    );
  }

  /** The document with only one event, so that its namespaces still apply. `own` replaces the text of that event. */
  #alone(index, own) {
    const { text } = this.#json;
    const { list, events } = this.#nodes;
    const node = events[index];
    const words = own ?? text.slice(node.from, node.to);
    return list === undefined ? text.slice(0, node.from) + words + text.slice(node.to) : `${text.slice(0, list.from)}[${words}]${text.slice(list.to)}`;
  }

  eventPage(from) {
    return this.#events.events.slice(from, from + PAGE.events).map((event, at) => modelOf(this.#faithful(event, from + at), from + at, this.#canonicalOf));
  }

  /**
   * The event with every number as `{digits}`, its digits as written: JSON.parse would turn `1.50` into `1.5`. An event without digits in
   * its quantities and sensor data, or of a document over 2 million characters, is returned as it is.
   */
  #faithful(event, index) {
    if (
      !/\d/.test(
        JSON.stringify(event?.sensorElementList ?? '') +
          JSON.stringify(event?.quantityList ?? event?.childQuantityList ?? event?.inputQuantityList ?? event?.outputQuantityList ?? ''),
      )
    )
      return event;
    const node = this.#json.text.length <= 2_000_000 ? this.#nodes.events[index] : undefined;
    if (node === undefined) return event;
    // Older browsers do not pass the source of a number to the reviver: the number stays as parsed.
    return JSON.parse(this.#json.text.slice(node.from, node.to), (_, value, context) =>
      typeof value === 'number' && typeof context?.source === 'string' ? { digits: context.source } : value,
    );
  }

  /** The hashes of all events: how many agree under all profiles, how many eventIDs match, and the first page of rows. */
  hashes() {
    if (this.foreign !== undefined) return { total: 0, problem: this.#refusal };
    const { input, problem } = this.#json;
    if (problem !== undefined) return { total: 0, problem };
    const all = this.#once('hashes', () => attempt(() => PROFILES.map((profile) => this.#engine.hash(input, { profile }))));
    if (all.problem !== undefined) return { total: 0, problem: this.#faultOfList() ?? calmed(this.#ofList(all.problem)) };
    const { value: verified = [] } = this.#once('verified', () => attempt(() => this.#engine.verify(input)));
    const [first, ...others] = all.value;
    const tally = { matches: 0, 'matches-none': 0, 'not-hash-form': 0 };
    const matched = new Map();
    for (const { result, profiles } of verified) {
      tally[result] += 1;
      for (const profile of profiles) matched.set(profile, (matched.get(profile) ?? 0) + 1);
    }
    const digest = (uri) => uri.slice(0, uri.indexOf('?'));
    const agreeing = first.filter((uri, index) => others.every((list) => digest(list[index]) === digest(uri))).length;
    return {
      total: first.length,
      agreeing,
      tally,
      matched: Object.fromEntries(matched),
      page: this.hashPage(0),
      isValid: this.verdict().valid,
      isTranslated: this.format === 'xml',
      losses: this.format === 'xml' ? this.#translated.value.fidelityReport.losses.lost : 0,
    };
  }

  hashPage(from) {
    const { value } = this.#once('hashes', () => ({}));
    const verified = this.#once('verified', () => ({})).value ?? [];
    return (value?.[0] ?? []).slice(from, from + PAGE.hashes).map((_, at) => {
      const index = from + at;
      const event = this.#events.events[index];
      return {
        index,
        hashes: Object.fromEntries(PROFILES.map((profile, which) => [profile, value[which][index]])),
        verified: verified[index],
        eventID: typeof event?.eventID === 'string' ? event.eventID : undefined,
        type: String(event?.type ?? ''),
        bizStep: typeof event?.bizStep === 'string' ? event.bizStep : '',
      };
    });
  }

  /** The pre-hash strings of one event, divided into pieces: `{[profile]: {hash, text, length, pieces}}`. */
  preHash(index) {
    if (this.#nodes.events[index] === undefined) return undefined;
    const alone = this.#alone(index);
    return Object.fromEntries(
      PROFILES.map((profile) => {
        const [{ hash, preHash, pieces }] = this.#engine.preHash(alone, { profile, pieces: true });
        const isLong = preHash.length > LONGEST_CUT;
        return [profile, { hash, text: preHash.slice(0, LONGEST_CUT), length: preHash.length, pieces: isLong ? [] : pieces }];
      }),
    );
  }

  /** Finds the events that have a hash: `{digest, label, found: [{index, profile, uri}]}`. Undefined if `text` is not a hash. */
  find(text) {
    const [, digest, label] = /^(?:ni:\/\/\/sha-256;)?([0-9a-f]{64})(?:\?ver=(CBV2\.[01]))?$/i.exec(text.trim()) ?? [];
    if (digest === undefined) return undefined;
    const wanted = `ni:///sha-256;${digest.toLowerCase()}`;
    const found = [];
    (this.#once('hashes', () => ({})).value ?? []).forEach((list, which) => {
      list.forEach((uri, index) => {
        if (found.length < 300 && uri.startsWith(wanted)) found.push({ index, profile: PROFILES[which], uri });
      });
    });
    return { digest: digest.toLowerCase(), label, found };
  }

  /** The translation of the document to the other format, with its fidelity report. */
  translation() {
    if (this.foreign !== undefined) return { direction: 'to-json', problem: this.#refusal };
    const isValid = this.verdict().valid;
    if (this.format === 'xml') {
      const { value, problem } = this.#translated;
      if (problem !== undefined)
        return {
          direction: 'to-json',
          problem,
        };
      const { fidelityReport: report } = value;
      return {
        direction: 'to-json',
        isValid,
        version: value.sourceSchemaVersion,
        events: value.meteredEvents,
        report: reportOf(report.roundTripClean, report.lossyPaths, report),
        ...shown(value.document, prettyJson),
      };
    }
    const { value, problem } = this.#once(`back ${this.back}`, () => attempt(() => this.#engine.toXml(this.#bytes, { version: this.back })));
    if (problem !== undefined) return { direction: 'to-xml', version: this.back, problem: this.#faultOfList() ?? this.#ofList(problem) };
    return {
      direction: 'to-xml',
      isValid,
      version: this.back,
      events: value.meteredEvents,
      report: reportOf(value.report.clean, value.report.lossyPointers, value.report),
      ...shown(value.document, prettyXml),
    };
  }

  /** Functions that turn ranges and locations of the document into ranges of the text as it is shown. */
  #shown() {
    const lines = new Lines(this.#source.text);
    const shift = this.#shift;
    return {
      lines,
      // The document around a list of events is not part of the shown text.
      ranged: (range) =>
        range === undefined || range.from < shift || range.to - shift > this.#source.text.length
          ? undefined
          : { from: range.from - shift, to: range.to - shift, line: lines.at(range.from - shift) },
      located: (location) => (location === undefined ? undefined : lines.range(location.line, location.column)),
    };
  }

  /** The findings of the package's `check`, with one range for each: `{…report, places}`, or `{problem, places}`. */
  async checks(check) {
    if (this.foreign !== undefined) return { problem: this.#refusal, places: [] };
    const { ranged, located } = this.#shown();
    const { value: report, problem: refused } = attempt(() => check(this.format === 'xml' ? this.#xml : this.#bytes));
    const problem = this.#ofList(refused);
    if (problem !== undefined) return { problem: this.#faultOfList() ?? calmed(problem), places: [located(problem.location)] };
    const { findings } = report;
    if (findings.length === 0) return { ...report, places: [] };
    const text = this.#text;
    if (this.format === 'xml') {
      const xml = await xmlPlaces();
      const paths = findings.map(({ path }) => path);
      const found = xml.placesOf(text, xml.parseXml(text), paths, new Set(paths));
      return { ...report, places: findings.map((finding) => ranged(found.get(finding.path) ?? located(finding))) };
    }
    return { ...report, places: json.placesOf(text, json.parseJson(text), findings).map(ranged) };
  }

  /**
   * The ranges in the text of errors, notes of the translation and the first `cards` events: `{errors, notes, events, fixes}`, each range
   * `{from, to, line}` or undefined if unknown. `fixes` are the suggested corrections.
   */
  async places(verdict, translation, cards) {
    const none = { errors: [], notes: [], events: [], fixes: [] };
    if (this.format === 'empty' || this.foreign !== undefined) return none;
    const { lines, ranged, located } = this.#shown();
    const shift = this.#shift;
    const notes = translation?.report?.notes ?? [];
    const faults = verdict.problem === undefined ? verdict.errors : [verdict.problem];
    const text = this.#text;
    if (this.format === 'xml') {
      const xml = await xmlPlaces();
      const tree = xml.parseXml(text);
      const valued = new Set(faults.filter(({ keyword = 'cvc-type' }) => !ABOUT_NAMES.test(keyword)).map(({ source }) => source?.path));
      const found = xml.placesOf(text, tree, [...notes.map(({ path }) => path), ...verdict.errors.map(({ source }) => source?.path ?? '')], valued);
      const nodes = xml.eventNodes(text, tree);
      const places = faults.map((fault) => ranged(found.get(fault.source?.path) ?? located(fault.source ?? fault.location)));
      return {
        errors: places,
        notes: notes.map(({ path }) => ranged(found.get(path))),
        events: nodes.slice(0, cards).map((node) => ranged({ from: node.from, to: node.to })),
        fixes: verdict.errors.length > 0 ? (await fixing()).xmlFixes(text, places, verdict.errors) : [],
      };
    }
    if (verdict.problem !== undefined) {
      const at = located(verdict.problem.location);
      return { ...none, errors: [at && { ...at, line: lines.at(at.from) }] };
    }
    const tree = json.parseJson(text);
    const fixes = verdict.errors.length > 0 ? (await fixing()).jsonFixes(text, tree, verdict.errors) : [];
    return {
      errors: [...json.placesOf(text, tree, faults), ...this.#repeated].map(ranged),
      notes: json.placesOf(text, tree, notes).map(ranged),
      events: this.#parsed === undefined ? [] : this.#nodes.events.slice(0, cards).map(({ from, to }) => ranged({ from, to })),
      fixes: fixes.map((fix) => ({
        ...fix,
        edits: fix.edits.map(({ from, to, insert }) => ({ from: from - shift, to: to - shift, insert })),
      })),
    };
  }

  /** The part of a large document around an offset: `{text, base, line, isWholeLine}`; it begins at offset `base`, in line `line`. */
  window(at) {
    const { text } = this.#source;
    const reach = text.slice(Math.max(0, at - WINDOW.line), at + WINDOW.line).includes('\n') ? WINDOW.lines : WINDOW.line;
    let from = Math.max(0, Math.min(at - reach / 2, text.length - reach));
    // Begin at the start of a line if one is near.
    const start = text.lastIndexOf('\n', from) + 1;
    if (from - start < 2000) from = start;
    const to = Math.min(text.length, from + reach);
    return { text: text.slice(from, to), base: from, line: new Lines(text).at(from), isWholeLine: from === 0 || text[from - 1] === '\n' };
  }

  /** The JSON text of one event, indented. */
  source(index) {
    const node = this.#nodes.events[index];
    return node === undefined ? '' : prettyJson(this.#json.text.slice(node.from, node.to)).slice(0, SHOWN_OUTPUT);
  }

  /** The range `{from, to}` of one event in the text. */
  async place(index) {
    const xml = this.format === 'xml' ? await xmlPlaces() : undefined;
    const node =
      xml === undefined
        ? this.#nodes.events[index]
        : xml.eventNodes(
            this.#text,
            this.#once('xml', () => xml.parseXml(this.#text)),
          )[index];
    return node === undefined ? undefined : { from: node.from - this.#shift, to: node.to - this.#shift };
  }

  /** The complete text of a download. */
  download(what) {
    switch (what) {
      case 'verdict': {
        const { overview: _, format: __, shape: ___, hasMasterData: ____, repeated: _____, ...verdict } = this.verdict();
        return JSON.stringify(verdict, null, 2);
      }
      case 'hashes': {
        const { value } = this.#once('hashes', () => ({}));
        const verified = this.#once('verified', () => ({})).value ?? [];
        return JSON.stringify(
          (value?.[0] ?? []).map((_, index) => ({
            event: index,
            eventID: this.#events.events[index]?.eventID,
            ...Object.fromEntries(PROFILES.map((profile, which) => [profile, value[which][index]])),
            verified: verified[index],
          })),
          null,
          2,
        );
      }
      case 'translation':
        return this.format === 'xml' ? prettyJson(this.#translated.value?.document ?? '') : (this.#once(`back ${this.back}`, () => ({})).value?.document ?? '');
      case 'report': {
        const { report } =
          this.format === 'xml' ? { report: this.#translated.value?.fidelityReport } : (this.#once(`back ${this.back}`, () => ({})).value ?? {});
        return JSON.stringify(report, null, 2);
      }
      default:
        throw new TypeError(`no such download: ${what}`);
    }
  }
}

function reportOf(isClean, lossy, { noteList, summary }) {
  const lost = new Set(lossy);
  const noted = new Set(noteList.map(({ path }) => path));
  const notes = noteList.map((note) => ({ ...note, isLoss: lost.has(note.path) }));
  for (const path of lossy) if (!noted.has(path)) notes.push({ path, code: 'lossy', text: 'this is lost in a round trip', isLoss: true });
  return { isClean, losses: lossy.length, summary, notes: notes.slice(0, NOTES), total: notes.length };
}

function shown(text, pretty) {
  const head = text.length > SHOWN_OUTPUT ? text.slice(0, SHOWN_OUTPUT) : text;
  return { output: pretty(head), size: text.length, isCut: text.length > SHOWN_OUTPUT };
}

/** Converts between offsets in a text and lines and columns, which count from 1. */
class Lines {
  #starts;
  #text;

  constructor(text) {
    this.#text = text;
    this.#starts = [0];
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  at(offset) {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  /** The offset of a line and column. */
  offset(line, column) {
    const start = this.#starts[Math.min(line, this.#starts.length) - 1] ?? 0;
    return Math.min(start + column - 1, Math.max(this.#text.length - 1, 0));
  }

  /** The line and column of an offset. */
  placeOf(offset) {
    const line = this.at(offset);
    return { line, column: offset - this.#starts[line - 1] + 1 };
  }

  /** The range of the word at a line and column. */
  range(line, column) {
    const from = this.offset(line, column);
    const [word] = /^(?:<[^\s>]*>?|[\w.-]+|.|\n)?/s.exec(this.#text.slice(from, from + 200)) ?? [''];
    return { from, to: Math.min(from + Math.max(word.length, 1), this.#text.length) };
  }
}
