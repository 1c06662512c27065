// The display model of an event: what, when, where, why and how.
import { eventTitle, isObject, listOf, textOf } from '../../../wasm/document/events.ts';
import { cutTexts } from '../shared/bounds.js';
import { UNITS } from '../shared/thing-words.js';
import { bareWord, instantOf, moment, nameOf, phrase, toneOf, typeName, wallClock } from '../shared/words.js';

export { eventTitle, eventsOf, isObject, listOf, textOf } from '../../../wasm/document/events.ts';

/** The maximum number of values per row sent to the page. The row also has their total. */
const VALUES = 200;

/** The fields that list things: their label, and whether they hold quantities. */
const LISTS = [
  ['parentID', 'Parent', false],
  ['epcList', 'Items', false],
  ['quantityList', 'Quantities', true],
  ['childEPCs', 'Children', false],
  ['childQuantityList', 'Child quantities', true],
  ['inputEPCList', 'Inputs', false],
  ['inputQuantityList', 'Input quantities', true],
  ['outputEPCList', 'Outputs', false],
  ['outputQuantityList', 'Output quantities', true],
];

/** The members of an event that have rows of their own. All others, such as a field that is new in the standard, go to "more". */
const KNOWN = new Set([
  ...LISTS.map(([member]) => member),
  ...'@context type eventID eventTime eventTimeZoneOffset recordTime errorDeclaration action transformationID ilmd'.split(' '),
  ...'bizStep disposition persistentDisposition readPoint bizLocation bizTransactionList sourceList destinationList'.split(' '),
  ...'sensorElementList certificationInfo'.split(' '),
]);

const SOURCE_WORDS = { owning_party: 'owning party', possessing_party: 'possessing party', location: 'location' };
export const TRANSACTIONS = {
  po: 'purchase order',
  inv: 'invoice',
  desadv: 'despatch advice',
  cert: 'certificate',
  bol: 'bill of lading',
  recadv: 'receiving advice',
  prodorder: 'production order',
  poc: 'purchase order confirmation',
  rma: 'return authorisation',
  pedigree: 'pedigree',
  testres: 'test result',
  testprd: 'test procedure',
  upevt: 'upstream event',
  bm: 'batch master',
  inspect: 'inspection',
};

/**
 * The display model of one event.
 *
 * @param canonicalOf gives the canonical Digital Link URI of an identifier, if it has one
 * @param nameFor gives the name of an identifier in the master data, if it has one
 * @param declarationOf gives the index of the event that declares an event wrong
 */
export function modelOf(event, index, canonicalOf, nameFor = () => undefined, declarationOf = () => undefined) {
  return cutTexts(wholeModel(event, index, canonicalOf, nameFor, declarationOf));
}

function wholeModel(event, index, canonicalOf, nameFor, declarationOf) {
  if (!isObject(event))
    return {
      index,
      type: '',
      tone: 'other',
      title: 'Not an event',
      step: '',
      what: '',
      facets: [{ name: 'more', rows: [row('found', [{ text: textOf(event).slice(0, 200) }])] }],
    };
  const named = (identifier) => {
    const id = textOf(identifier);
    return { text: nameOf(id, canonicalOf(id)).text, full: id, name: nameFor(id) };
  };
  /** An identifier of a thing, which has a page of its own. */
  const thing = (identifier) => ({ ...named(identifier), item: typeof identifier === 'string' ? identifier : undefined });
  const worded = (value, table = {}) => {
    const word = bareWord(textOf(value));
    return { text: table[word] ?? phrase(word), full: textOf(value) };
  };
  const facets = [];
  const facet = (name, rows) => {
    const kept = rows.filter((entry) => entry !== undefined && entry.total > 0);
    if (kept.length > 0) facets.push({ name, rows: kept });
  };

  facet('what', [
    ...LISTS.map(([member, label, isQuantity]) => {
      const values = listOf(event[member]);
      return row(label, values, isQuantity ? quantity : thing);
    }),
    row('Transformation', listOf(event.transformationID), named),
    row('Instance data', extensionsOf(event.ilmd), (entry) => entry),
  ]);
  function quantity(element) {
    if (!isObject(element)) return { text: textOf(element) };
    const amount = element.quantity === undefined ? '' : `${numberText(element.quantity)}${element.uom ? ` ${textOf(element.uom)}` : ' ×'}`;
    return { ...thing(element.epcClass), amount };
  }

  const clock = wallClock(textOf(event.eventTime), event.eventTimeZoneOffset);
  // Times are shown in the time zone of the event.
  const timed = (value) => ({ text: moment(textOf(value), event.eventTimeZoneOffset), full: textOf(value) });
  facet('when', [
    row(
      'Event time',
      event.eventTime === undefined
        ? []
        : [{ text: clock ? `${clock.day}, ${clock.clock}` : textOf(event.eventTime), note: clock?.zone, full: textOf(event.eventTime) }],
    ),
    row('Record time', listOf(event.recordTime), timed),
  ]);

  const place = (value) => (value?.id === undefined ? { text: textOf(value) } : named(value.id));
  facet('where', [
    row('Read point', listOf(event.readPoint), place),
    row('Business location', listOf(event.bizLocation), place),
    row('Source', listOf(event.sourceList), (entry) => ({ ...named(entry?.source), note: worded(entry?.type ?? '', SOURCE_WORDS).text })),
    row('Destination', listOf(event.destinationList), (entry) => ({ ...named(entry?.destination), note: worded(entry?.type ?? '', SOURCE_WORDS).text })),
  ]);

  facet('why', [
    row('Business step', listOf(event.bizStep), (value) => worded(value)),
    row('Disposition', listOf(event.disposition), (value) => worded(value)),
    row('Disposition set', listOf(event.persistentDisposition?.set), (value) => worded(value)),
    row('Disposition unset', listOf(event.persistentDisposition?.unset), (value) => worded(value)),
    row('Business transactions', listOf(event.bizTransactionList), (entry) => ({
      text: textOf(entry?.bizTransaction ?? entry),
      note: entry?.type === undefined ? undefined : worded(entry.type, TRANSACTIONS).text,
    })),
    row('Certification', listOf(event.certificationInfo), (value) => ({ text: textOf(value) })),
  ]);

  facet(
    'how',
    listOf(event.sensorElementList).flatMap((element) => [
      row('Measured', listOf(element?.sensorReport), (report) => reading(report, timed)),
      row('Time', listOf(element?.sensorMetadata?.time), timed),
      row('Device', listOf(element?.sensorMetadata?.deviceID), named),
      row(
        'Between',
        [element?.sensorMetadata?.startTime, element?.sensorMetadata?.endTime].filter((time) => time !== undefined),
        timed,
      ),
    ]),
  );

  facet('more', [
    ...Object.entries(event)
      .filter(([name]) => !KNOWN.has(name))
      .map(([name, value]) => row(name, listOf(value), (entry) => ({ text: textOf(entry).slice(0, 400) }))),
    row('Event ID', listOf(event.eventID), (value) => ({ text: textOf(value), isCode: true })),
  ]);

  const error = isObject(event.errorDeclaration)
    ? {
        time: event.errorDeclaration.declarationTime === undefined ? '' : moment(textOf(event.errorDeclaration.declarationTime), event.eventTimeZoneOffset),
        reason: event.errorDeclaration.reason === undefined ? '' : phrase(textOf(event.errorDeclaration.reason)),
        corrections: listOf(event.errorDeclaration.correctiveEventIDs).map(textOf).slice(0, VALUES),
      }
    : undefined;

  const step = event.bizStep === undefined ? '' : phrase(textOf(event.bizStep));
  return {
    index,
    type: typeName(textOf(event.type ?? '')),
    tone: toneOf(event.type),
    action: event.action === undefined ? '' : textOf(event.action),
    title: step || eventTitle(event),
    step,
    what: '',
    clock,
    time: textOf(event.eventTime ?? ''),
    error,
    /** The index of the event that declares this one to be wrong. */
    withdrawnBy: error === undefined ? declarationOf(index) : undefined,
    facets,
  };
}

function row(label, values, show = (value) => value) {
  return { label, total: values.length, values: values.slice(0, VALUES).map(show) };
}

/** A number with its digits as written, if the parser kept them as `{digits}`. */
const numberText = (value) => (isObject(value) && typeof value.digits === 'string' ? value.digits : textOf(value));

function reading(report, timed) {
  if (!isObject(report)) return { text: textOf(report) };
  const unit = report.uom === undefined ? '' : ` ${UNITS[report.uom] ?? textOf(report.uom)}`;
  const parts = [
    ['value', ''],
    ['minValue', 'min '],
    ['meanValue', 'mean '],
    ['maxValue', 'max '],
    ['stringValue', ''],
    ['booleanValue', ''],
    ['hexBinaryValue', ''],
    ['uriValue', ''],
  ]
    .filter(([name]) => report[name] !== undefined)
    .map(([name, label]) => `${label}${numberText(report[name])}${name.endsWith('alue') && isNumber(report[name]) ? unit : ''}`);
  return {
    text: parts.join(', ') || 'no value',
    note: [
      report.type && phrase(textOf(report.type)),
      report.component && bareWord(textOf(report.component)).replaceAll('_', ' '),
      ...[report.chemicalSubstance, report.microorganism].map((what) => what && textOf(what).replace(/^https?:\/\/[^/]+\//, '')),
      report.time && timed(report.time).text,
    ]
      .filter(Boolean)
      .join(', '),
    alarm: report.exception && (ALARMS[report.exception] ?? phrase(textOf(report.exception))),
  };
}

const isNumber = (value) => typeof value === 'number' || (isObject(value) && typeof value.digits === 'string');
const ALARMS = { ALARM_CONDITION: 'Alarm', ERROR_CONDITION: 'Error' };

function extensionsOf(value) {
  return isObject(value) ? Object.entries(value).map(([name, member]) => ({ text: textOf(member).slice(0, 400), note: name })) : [];
}

/** A summary of a document and its events: type, version, contexts, counts by type, first and last time. */
export function overview(document, events) {
  const kinds = new Map();
  let [first, last] = [{ instant: Infinity }, { instant: -Infinity }];
  for (const event of events) {
    const type = isObject(event) ? textOf(event.type ?? '') : 'not an event';
    kinds.set(type, (kinds.get(type) ?? 0) + 1);
    const time = isObject(event) ? instantOf(event.eventTime) : NaN;
    const at = { instant: time, time: textOf(event?.eventTime), offset: event?.eventTimeZoneOffset };
    if (time < first.instant) first = at;
    if (time > last.instant) last = at;
  }
  const contexts = isObject(document)
    ? listOf(document['@context']).flatMap((entry) =>
        isObject(entry) ? Object.entries(entry).map(([prefix, uri]) => `${prefix}: ${textOf(uri)}`) : [textOf(entry)],
      )
    : [];
  return {
    type: Array.isArray(document) ? 'Array of events' : textOf(document?.type ?? ''),
    schemaVersion: textOf(document?.schemaVersion ?? ''),
    creationDate: textOf(document?.creationDate ?? ''),
    contexts: contexts.slice(0, 20),
    total: events.filter(isObject).length,
    others: events.filter((event) => !isObject(event)).length,
    kinds: [...kinds].map(([type, number]) => ({ type: typeName(type) || 'no type', tone: toneOf(type), number })).sort((a, b) => b.number - a.number),
    first: first.time === undefined ? undefined : first,
    last: last.time === undefined ? undefined : last,
  };
}
