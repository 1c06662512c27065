// The display model of an event: what, when, where, why and how.
import type { BizTransactionType, SourceDestType } from 'epcis-edge/cbv';
import { eventTitle, isObject, listOf as entriesOf, textOf } from '../../../wasm/document/events.ts';
import type { CanonicalOf } from '../../../wasm/js/names/names.ts';
import { cutTexts } from '../shared/bounds.ts';
import { type NameFor, UNITS } from '../shared/thing-words.ts';
import { bareWord, entryOf, instantOf, moment, nameOf, phrase, toneOf, typeName, wallClock } from '../shared/words.ts';

export { eventTitle, eventsOf, isObject, textOf } from '../../../wasm/document/events.ts';

/** A value that may be a list of what is expected, in a document that need not be valid. */
export type Unsure<Value> = Value | null | undefined | readonly (Value | null | undefined)[];
/** What is expected as a list; nothing says that its entries are what is expected. */
export const listOf = entriesOf as <Value>(value: Unsure<Value>) => readonly Value[];
type Place = { readonly id?: unknown } | null | undefined;
type Quantity = { readonly epcClass?: unknown; readonly quantity?: unknown; readonly uom?: unknown };
type Party = { readonly type?: unknown; readonly source?: unknown; readonly destination?: unknown };

/** A sensor report as any document may have it. */
export interface AnyReport {
  readonly [member: string]: unknown;
  readonly exception?: string;
  readonly uom?: string;
}

/** Metadata of sensors as any document may have them. */
export interface AnyMetadata {
  readonly [member: string]: unknown;
}

/** An entry of a list of events as any document may have it: nothing is sure about its members, nor that it is an object. */
export interface AnyEvent {
  readonly [member: string]: unknown;
  readonly type: unknown;
  readonly readPoint?: Place;
  readonly bizLocation?: Place;
  readonly quantityList?: Unsure<Quantity>;
  readonly childQuantityList?: Unsure<Quantity>;
  readonly inputQuantityList?: Unsure<Quantity>;
  readonly outputQuantityList?: Unsure<Quantity>;
  readonly sourceList?: Unsure<Party>;
  readonly destinationList?: Unsure<Party>;
  readonly bizTransactionList?: Unsure<{ readonly type?: unknown; readonly bizTransaction?: unknown }>;
  readonly persistentDisposition?: { readonly set?: unknown; readonly unset?: unknown } | null;
  readonly sensorElementList?: Unsure<{ readonly sensorMetadata?: AnyMetadata | null; readonly sensorReport?: Unsure<AnyReport> }>;
  readonly errorDeclaration?: { readonly declarationTime?: unknown; readonly reason?: unknown; readonly correctiveEventIDs?: unknown } | null;
}

/** One value of a row of a card. */
export interface Shown {
  readonly text: string;
  readonly full?: string | undefined;
  readonly name?: string | undefined;
  readonly note?: string | undefined;
  /** The identifier of a thing, which has a page of its own. */
  readonly item?: string | undefined;
  readonly amount?: string | undefined;
  readonly alarm?: string | undefined;
  readonly isCode?: boolean;
}

/** A row of a card: its first values, and the number of all. */
export interface Row {
  readonly label: string;
  readonly total: number;
  readonly values: readonly Shown[];
}

export type FacetName = 'what' | 'when' | 'where' | 'why' | 'how' | 'more';
export type Clock = { readonly day: string; readonly clock: string; readonly zone: string | undefined };

/** The display model of one event. */
export interface EventModel {
  readonly index: number;
  readonly type: string;
  readonly tone: string;
  readonly action?: string;
  readonly title: string;
  readonly step: string;
  readonly what: string;
  readonly clock?: Clock | undefined;
  readonly time?: string;
  readonly error?: { readonly time: string; readonly reason: string; readonly corrections: readonly string[] } | undefined;
  /** The index of the event that declares this one to be wrong. */
  readonly withdrawnBy?: number | undefined;
  readonly facets: readonly { readonly name: FacetName; readonly rows: readonly Row[] }[];
}

/** When an event was, as written. */
export interface Moment {
  readonly time: string;
  readonly offset?: unknown;
}

/** A summary of a document and its events. */
export interface Overview {
  readonly type: string;
  readonly schemaVersion: string;
  readonly creationDate: string;
  readonly contexts: readonly string[];
  readonly total: number;
  readonly others: number;
  readonly kinds: readonly { readonly type: string; readonly tone: string; readonly number: number }[];
  readonly first?: Moment | undefined;
  readonly last?: Moment | undefined;
}

/** The maximum number of values per row sent to the page. The row also has their total. */
const VALUES = 200;

/** The fields that list things: their label, and whether they hold quantities. */
const LISTS: readonly (readonly [member: string, label: string, isQuantity: boolean])[] = [
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

const SOURCE_WORDS: Readonly<Record<keyof typeof SourceDestType, string>> = {
  owning_party: 'owning party',
  possessing_party: 'possessing party',
  location: 'location',
};
export const TRANSACTIONS: Readonly<Record<keyof typeof BizTransactionType, string>> = {
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
};

/**
 * The display model of one event.
 *
 * @param canonicalOf gives the canonical Digital Link URI of an identifier, if it has one
 * @param nameFor gives the name of an identifier in the master data, if it has one
 * @param declarationOf gives the index of the event that declares an event wrong
 */
export function modelOf(
  event: AnyEvent,
  index: number,
  canonicalOf: CanonicalOf,
  nameFor: NameFor = () => undefined,
  declarationOf: (index: number) => number | undefined = () => undefined,
): EventModel {
  return cutTexts(wholeModel(event, index, canonicalOf, nameFor, declarationOf));
}

function wholeModel(
  event: AnyEvent,
  index: number,
  canonicalOf: CanonicalOf,
  nameFor: NameFor,
  declarationOf: (index: number) => number | undefined,
): EventModel {
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
  const named = (identifier: unknown): Shown => {
    const id = textOf(identifier);
    return { text: nameOf(id, canonicalOf(id)).text, full: id, name: nameFor(id) };
  };
  /** An identifier of a thing, which has a page of its own. */
  const thing = (identifier: unknown): Shown => ({ ...named(identifier), item: typeof identifier === 'string' ? identifier : undefined });
  const worded = (value: unknown, table: Readonly<Record<string, string>> = {}): Shown => {
    const word = bareWord(textOf(value));
    return { text: entryOf(table, word) ?? phrase(word), full: textOf(value) };
  };
  const facets: { name: FacetName; rows: Row[] }[] = [];
  const facet = (name: FacetName, rows: readonly Row[]) => {
    const kept = rows.filter((entry) => entry.total > 0);
    if (kept.length > 0) facets.push({ name, rows: kept });
  };

  facet('what', [
    ...LISTS.map(([member, label, isQuantity]) => {
      const values = listOf(event[member]) as readonly Quantity[];
      return row(label, values, isQuantity ? quantity : thing);
    }),
    row('Transformation', listOf(event.transformationID), named),
    row('Instance data', extensionsOf(event.ilmd)),
  ]);
  function quantity(element: Quantity): Shown {
    if (!isObject(element)) return { text: textOf(element) };
    const amount = element.quantity === undefined ? '' : `${numberText(element.quantity)}${element.uom ? ` ${textOf(element.uom)}` : ' ×'}`;
    return { ...thing(element.epcClass), amount };
  }

  const clock = wallClock(textOf(event.eventTime), event.eventTimeZoneOffset);
  // Times are shown in the time zone of the event.
  const timed = (value: unknown): Shown => ({ text: moment(textOf(value), event.eventTimeZoneOffset), full: textOf(value) });
  facet('when', [
    row(
      'Event time',
      event.eventTime === undefined
        ? []
        : [{ text: clock ? `${clock.day}, ${clock.clock}` : textOf(event.eventTime), note: clock?.zone, full: textOf(event.eventTime) }],
    ),
    row('Record time', listOf(event.recordTime), timed),
  ]);

  const place = (value: Place): Shown => (value?.id === undefined ? { text: textOf(value) } : named(value.id));
  facet('where', [
    row('Read point', listOf(event.readPoint), place),
    row('Business location', listOf(event.bizLocation), place),
    row('Source', listOf(event.sourceList), (entry: Party | null) => ({ ...named(entry?.source), note: worded(entry?.type ?? '', SOURCE_WORDS).text })),
    row('Destination', listOf(event.destinationList), (entry: Party | null) => ({
      ...named(entry?.destination),
      note: worded(entry?.type ?? '', SOURCE_WORDS).text,
    })),
  ]);

  facet('why', [
    row('Business step', listOf(event.bizStep), (value: unknown) => worded(value)),
    row('Disposition', listOf(event.disposition), (value: unknown) => worded(value)),
    row('Disposition set', listOf(event.persistentDisposition?.set), (value: unknown) => worded(value)),
    row('Disposition unset', listOf(event.persistentDisposition?.unset), (value: unknown) => worded(value)),
    row('Business transactions', listOf(event.bizTransactionList), (entry: { readonly type?: unknown; readonly bizTransaction?: unknown } | null) => ({
      text: textOf(entry?.bizTransaction ?? entry),
      note: entry?.type === undefined ? undefined : worded(entry.type, TRANSACTIONS).text,
    })),
    row('Certification', listOf(event.certificationInfo), (value: unknown) => ({ text: textOf(value) })),
  ]);

  facet(
    'how',
    listOf(event.sensorElementList).flatMap((element: Element) => [
      row('Measured', listOf(element?.sensorReport), (report: AnyReport) => reading(report, timed)),
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
      .map(([name, value]) => row(name, listOf(value), (entry: unknown) => ({ text: textOf(entry).slice(0, 400) }))),
    row('Event ID', listOf(event.eventID), (value: unknown) => ({ text: textOf(value), isCode: true })),
  ]);

  const error =
    event.errorDeclaration && isObject(event.errorDeclaration)
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
    tone: toneOf(textOf(event.type)),
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

/** A sensor element as any document may have it. */
type Element = { readonly sensorMetadata?: AnyMetadata | null; readonly sensorReport?: Unsure<AnyReport> } | null;

function row<Value>(label: string, values: readonly Value[], show: (value: Value) => Shown = (value) => value as Shown): Row {
  return { label, total: values.length, values: values.slice(0, VALUES).map(show) };
}

/** A number with its digits as written, if the parser kept them as `{digits}`. */
const numberText = (value: unknown): string => (isDigits(value) ? value.digits : textOf(value));

const isDigits = (value: unknown): value is { readonly digits: string } => isObject(value) && typeof (value as { digits?: unknown }).digits === 'string';

function reading(report: AnyReport, timed: (value: unknown) => Shown): Shown {
  if (!isObject(report)) return { text: textOf(report) };
  const unit = report.uom === undefined ? '' : ` ${entryOf(UNITS, report.uom) ?? textOf(report.uom)}`;
  const parts = (
    [
      ['value', ''],
      ['minValue', 'min '],
      ['meanValue', 'mean '],
      ['maxValue', 'max '],
      ['stringValue', ''],
      ['booleanValue', ''],
      ['hexBinaryValue', ''],
      ['uriValue', ''],
    ] as const
  )
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
    alarm: report.exception && (entryOf(ALARMS, report.exception) ?? phrase(textOf(report.exception))),
  };
}

const isNumber = (value: unknown) => typeof value === 'number' || isDigits(value);
const ALARMS: Readonly<Record<string, string>> = { ALARM_CONDITION: 'Alarm', ERROR_CONDITION: 'Error' };

function extensionsOf(value: unknown): Shown[] {
  return isObject(value) ? Object.entries(value as object).map(([name, member]) => ({ text: textOf(member).slice(0, 400), note: name })) : [];
}

/** A summary of a document and its events: type, version, contexts, counts by type, first and last time. */
export function overview(document: unknown, events: readonly AnyEvent[]): Overview {
  const kinds = new Map<string, number>();
  type Seen = { readonly instant: number; readonly time?: string; readonly offset?: unknown };
  let [first, last]: [Seen, Seen] = [{ instant: Infinity }, { instant: -Infinity }];
  for (const event of events) {
    const type = isObject(event) ? textOf(event.type ?? '') : 'not an event';
    kinds.set(type, (kinds.get(type) ?? 0) + 1);
    const time = isObject(event) ? instantOf(event.eventTime) : NaN;
    const at = { instant: time, time: textOf(event?.eventTime), offset: event?.eventTimeZoneOffset };
    if (time < first.instant) first = at;
    if (time > last.instant) last = at;
  }
  const known = document as { readonly [member: string]: unknown } | undefined;
  const contexts = isObject(document)
    ? (listOf(known?.['@context']) as readonly object[]).flatMap((entry) =>
        isObject(entry) ? Object.entries(entry).map(([prefix, uri]) => `${prefix}: ${textOf(uri)}`) : [textOf(entry)],
      )
    : [];
  return {
    type: Array.isArray(document) ? 'Array of events' : textOf(known?.type ?? ''),
    schemaVersion: textOf(known?.schemaVersion ?? ''),
    creationDate: textOf(known?.creationDate ?? ''),
    contexts: contexts.slice(0, 20),
    total: events.filter(isObject).length,
    others: events.filter((event) => !isObject(event)).length,
    kinds: [...kinds].map(([type, number]) => ({ type: typeName(type) || 'no type', tone: toneOf(type), number })).sort((a, b) => b.number - a.number),
    first: first.time === undefined ? undefined : (first as Moment),
    last: last.time === undefined ? undefined : (last as Moment),
  };
}
