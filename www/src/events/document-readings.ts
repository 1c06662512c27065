// The series of sensor readings of a document, in the engine's thread: one for each thing that measures or is measured, and each kind of
// measurement. Loaded when a document has several readings of one kind.
//
// Why are there no limits?
// EPCIS has no field for them: `minValue` and `maxValue` are what was measured in a period. A report only says that a limit was passed
// (`exception`), and `bizRules` may say where the limits are.
import { cutText, cutTexts } from '../shared/bounds.ts';
import type { Names } from '../../../wasm/js/names/names.ts';
import type { Told } from '../flow/flow.ts';
import { type AnyEvent, type AnyMetadata, type AnyReport, isObject, listOf } from './event-model.ts';
import { ensured } from '../shared/ensured.ts';
import { type Named, placeWords, UNITS } from '../shared/thing-words.ts';
import { bareWord, capital, entryOf, instantOf, moment, nameOf, ownWords } from '../shared/words.ts';

/** The most readings that are read, series that are drawn, and readings of a series that are drawn beside alarms. */
const MOST = { read: 200_000, series: 12, points: 400, alarms: 200 };
/** The exception of a sensor that does not measure right. All others are about what it measured. */
const SENSOR_ERROR = 'ERROR_CONDITION';
/** The numbers of a report. */
const NUMBERS = ['value', 'meanValue', 'minValue', 'maxValue'] as const;
type Numbers = Partial<Record<(typeof NUMBERS)[number], number>>;
type Convert = (value: number) => number;
/** Units of UN/ECE Recommendation 20 that can be converted for certain: what is measured, and the factor to the first of its kind. */
const FACTORS: Readonly<Record<string, readonly [kind: string, factor: number]>> = {
  KGM: ['mass', 1],
  GRM: ['mass', 1e-3],
  MGM: ['mass', 1e-6],
  TNE: ['mass', 1e3],
  LBR: ['mass', 0.45359237],
  MTR: ['length', 1],
  KMT: ['length', 1e3],
  CMT: ['length', 1e-2],
  MMT: ['length', 1e-3],
  INH: ['length', 0.0254],
  FOT: ['length', 0.3048],
  PAL: ['pressure', 1],
  KPA: ['pressure', 1e3],
  BAR: ['pressure', 1e5],
  MBR: ['pressure', 100],
  LTR: ['volume', 1],
  MLT: ['volume', 1e-3],
  MTQ: ['volume', 1e3],
};
/** Temperatures as degrees Celsius, and back. A difference of temperatures is none of them. */
const DEGREES: Readonly<Record<string, readonly [to: Convert, from: Convert]>> = {
  CEL: [(value) => value, (value) => value],
  FAH: [(value) => ((value - 32) * 5) / 9, (value) => (value * 9) / 5 + 32],
  KEL: [(value) => value - 273.15, (value) => value + 273.15],
};

/** A function that converts a value of one unit to another; undefined if that is not certain. `type` is the bare word of what is measured. */
export function converter(type: string, from: string, to: string): Convert | undefined {
  if (from === to) return (value) => value;
  const [degrees, others] = [entryOf(DEGREES, from), entryOf(DEGREES, to)];
  if (type === 'Temperature' && degrees !== undefined && others !== undefined) return (value) => others[1](degrees[0](value));
  const [own, wanted] = [entryOf(FACTORS, from), entryOf(FACTORS, to)];
  if (own === undefined || wanted === undefined) return undefined;
  const [[kind, factor], [other, divisor]] = [own, wanted];
  return kind === other ? (value) => (value * factor) / divisor : undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
// A converted number has no more digits than it can have.
const rounded = (number: number) => Number(number.toPrecision(10));

/** A reading as its series keeps it. */
interface Kept {
  readonly start: number;
  readonly end: number;
  readonly time: unknown;
  readonly offset: unknown;
  readonly value: number | undefined;
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly low: number;
  readonly high: number;
  readonly alarm: string | undefined;
  readonly event: number;
}

/** A reading as the page gets it. */
export interface Reading extends Omit<Kept, 'time' | 'offset' | 'low' | 'high'> {
  readonly when: string;
  readonly zone: string;
}

interface MadeSeries {
  readonly type: string;
  readonly parts: readonly string[];
  readonly of: string;
  readonly unit: string;
  readonly rules: Set<string>;
  readonly converted: Set<string>;
  readonly points: Kept[];
}

/** The readings of one thing, type and unit. */
export interface Series {
  readonly type: string;
  readonly of: string;
  readonly unit: string;
  readonly converted: readonly string[];
  readonly rules: readonly string[];
  readonly total: number;
  readonly alarms: number;
  readonly errors: number;
  readonly low: number;
  readonly high: number;
  readonly points: readonly Reading[];
}

export interface Readings {
  readonly series: readonly Series[];
  readonly more: number;
  readonly left: readonly string[];
}

interface When {
  readonly start: number;
  readonly end: number;
  readonly time: unknown;
}

/** When a report was made: `{start, end, time}` in milliseconds and as written; undefined if nothing tells. */
function whenOf(report: AnyReport, metadata: AnyMetadata, event: AnyEvent): When | undefined {
  const time = [report.time, metadata.time].find(isText);
  if (time === undefined && isText(metadata.startTime) && isText(metadata.endTime)) {
    const [start, end] = [instantOf(metadata.startTime), instantOf(metadata.endTime)];
    return start <= end ? { start, end, time: metadata.startTime } : undefined;
  }
  const written = time ?? event.eventTime;
  const at = instantOf(written);
  return Number.isNaN(at) ? undefined : { start: at, end: at, time: written };
}

/** Whose readings these are: the device, or what is measured, or the place: `{key, words}`. */
function whoseOf(report: AnyReport, metadata: AnyMetadata, event: AnyEvent, names: Named): { readonly key: string; readonly words: string } {
  const { canonicalOf, nameFor } = names;
  const named = (id: string) => ({ key: canonicalOf(id) ?? id, words: nameFor(id) ?? nameOf(id, canonicalOf(id)).text });
  const device = [report.deviceID, metadata.deviceID].find(isText);
  if (device !== undefined) return named(device);
  const things = [
    ...listOf(event.epcList),
    event.parentID,
    ...['quantityList', 'inputQuantityList', 'outputQuantityList'].flatMap((name): unknown[] =>
      listOf(event[name]).map((entry) => (entry as { readonly epcClass?: unknown } | null)?.epcClass),
    ),
    ...listOf(event.outputEPCList),
  ].filter(isText);
  const [first] = things;
  if (first !== undefined && things.length === 1) return named(first);
  if (first !== undefined)
    return {
      key: things
        .map((id) => canonicalOf(id) ?? id)
        .sort()
        .join(' '),
      words: `${named(first).words} and ${(things.length - 1).toLocaleString('en')} more`,
    };
  const place = [event.readPoint?.id, event.bizLocation?.id].find(isText);
  return place === undefined ? { key: '', words: 'unknown device' } : { key: canonicalOf(place) ?? place, words: placeWords(place, names) };
}

/** The indices of the points that are drawn: of equal stretches of the readings the lowest and the highest, and alarms. */
function drawnOf(points: readonly Kept[]): number[] {
  if (points.length <= MOST.points) return points.map((_, at) => at);
  const chosen = new Set([0, points.length - 1]);
  const stretches = MOST.points / 2;
  for (let own = 0; own < stretches; own += 1) {
    const bound = (at: number) => Math.floor((at * points.length) / stretches);
    const [from, to] = [bound(own), bound(own + 1)];
    let [low, high] = [from, from];
    for (let at = from; at < to; at += 1) {
      if (points[at]!.low < points[low]!.low) low = at;
      if (points[at]!.high > points[high]!.high) high = at;
    }
    chosen.add(low).add(high);
  }
  let alarms = 0;
  for (let at = 0; at < points.length && alarms < MOST.alarms; at += 1) {
    if (points[at]!.alarm === undefined || chosen.has(at)) continue;
    chosen.add(at);
    alarms += 1;
  }
  return [...chosen].sort((a, b) => a - b);
}

/**
 * The series of a document: `{series, more, left}`. Each has `type`, `of`, `unit`, `rules`, `total`, `alarms`, `errors`, `low`, `high`, `converted` (the
 * other units), and `points` with `start` and `end` in milliseconds, `when` in words, `zone`, `value`, `min`, `max`, `alarm` and `event`, its
 * index. `more` is the number of series that are not drawn, `left` has what was left out of all, in words.
 */
export function readingsOf({ events, canonicalOf, history, names: { nameOf: nameFor } }: Told & { readonly names: Pick<Names, 'nameOf'> }): Readings {
  const names = { canonicalOf, nameFor };
  /** The series by their keys, and the units of each kind of readings. */
  const found: Found = { series: new Map(), units: new Map() };
  let [read, timeless, withdrawn, beyond]: [number, number, number, number] = [0, 0, 0, 0];
  for (const [index, event] of events.entries()) {
    if (!isObject(event)) continue;
    for (const element of listOf(event.sensorElementList).filter(isObject)) {
      const metadata = isObject(element.sensorMetadata) ? element.sensorMetadata : {};
      for (const report of listOf(element.sensorReport).filter(isObject)) {
        const numbers: Numbers = Object.fromEntries(NUMBERS.filter((name) => Number.isFinite(report[name])).map((name) => [name, report[name]]));
        const { type } = report;
        if (!isText(type) || Object.keys(numbers).length === 0) continue;
        const when = whenOf(report, metadata, event);
        if (history.isWithdrawn(index)) withdrawn += 1;
        else if (when === undefined) timeless += 1;
        else if (read >= MOST.read) beyond += 1;
        else {
          read += 1;
          take(found, { report, type, metadata, event, index, numbers, when, names });
        }
      }
    }
  }
  const all = [...found.series.values()].filter(({ points }) => points.length > 1);
  const left = (
    [
      [withdrawn, 'of events that were declared in error'],
      [timeless, 'without a time'],
      [beyond, `beyond the first ${MOST.read.toLocaleString('en')}`],
    ] as const
  )
    .filter(([number]) => number > 0)
    .map(([number, why]) => `${number.toLocaleString('en')} ${why}`);
  return { series: all.slice(0, MOST.series).map((one) => cutTexts(finished(one))), more: Math.max(0, all.length - MOST.series), left };
}

interface Found {
  readonly series: Map<string, MadeSeries>;
  readonly units: Map<string, string[]>;
}

interface Taken {
  readonly report: AnyReport;
  readonly type: string;
  readonly metadata: AnyMetadata;
  readonly event: AnyEvent;
  readonly index: number;
  readonly numbers: Numbers;
  readonly when: When;
  readonly names: Named;
}

/** Adds a reading to its series: that of the same thing, type, and a unit to which its own can be converted. */
function take({ series: all, units: known }: Found, { report, type: written, metadata, event, index, numbers, when, names }: Taken): void {
  const type: string = bareWord(written);
  const unit = isText(report.uom) ? report.uom : '';
  const parts = [report.component, report.chemicalSubstance, report.microorganism, report.coordinateReferenceSystem].filter(isText);
  const whose = whoseOf(report, metadata, event, names);
  const base = JSON.stringify([type, ...parts, whose.key]);
  const units = known.get(base) ?? [];
  const own = units.find((to) => converter(type, unit, to) !== undefined) ?? unit;
  if (!units.includes(own)) known.set(base, [...units, own]);
  const key = JSON.stringify([base, own]);
  const series = ensured(all, key, (): MadeSeries => ({ type, parts, of: whose.words, unit: own, rules: new Set(), converted: new Set(), points: [] }));
  const convert = converter(type, unit, own);
  if (unit !== own) series.converted.add(unit);
  for (const rule of listOf(metadata.bizRules).filter(isText)) if (series.rules.size < 3) series.rules.add(rule);
  const as = (name: keyof Numbers) => {
    const number = numbers[name];
    return number === undefined || unit === own || convert === undefined ? number : rounded(convert(number));
  };
  const [value, min, max] = [as('value') ?? as('meanValue'), as('minValue'), as('maxValue')];
  const sizes = [value, min, max].filter((number) => number !== undefined);
  const { start, end, time } = when;
  series.points.push({
    start,
    end,
    time,
    offset: event.eventTimeZoneOffset,
    value,
    min,
    max,
    low: Math.min(...sizes),
    high: Math.max(...sizes),
    alarm: isText(report.exception) ? bareWord(report.exception) : undefined,
    event: index,
  });
}

const nameOfUnit = (unit: string) => entryOf(UNITS, unit) ?? cutText(unit, 20);

/** A series as the page gets it. */
function finished({ type, parts, of, unit, rules, converted, points }: MadeSeries): Series {
  points.sort((one, other) => one.start - other.start);
  let [low, high] = [Infinity, -Infinity];
  for (const point of points) {
    low = Math.min(low, point.low);
    high = Math.max(high, point.high);
  }
  const words = ownWords(type);
  return {
    type: [capital(words), ...parts.map((part) => ownWords(bareWord(part)))].join(', '),
    of,
    unit: nameOfUnit(unit),
    converted: [...converted].map(nameOfUnit),
    rules: [...rules],
    total: points.length,
    alarms: points.filter(({ alarm }) => alarm !== undefined && alarm !== SENSOR_ERROR).length,
    errors: points.filter(({ alarm }) => alarm === SENSOR_ERROR).length,
    low,
    high,
    points: drawnOf(points).map((at) => {
      const { time, offset, low: _, high: __, ...point } = points[at]!;
      return { ...point, when: moment(time, offset), zone: isText(offset) && /^[+-]\d\d:\d\d$/.test(offset) ? offset : '+00:00' };
    }),
  };
}
