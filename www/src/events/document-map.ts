// The places of a document that have coordinates, and the ways of things between them, in the engine's thread. Loaded when a document has
// two of them.
import { lastPart, type Names } from '../../../wasm/js/names/names.ts';
import { cutTexts } from '../shared/bounds.ts';
import { rowsOf, type Step, type Told, walk } from '../flow/flow.ts';
import { ensured } from '../shared/ensured.ts';
import { isPosition, placeWords } from '../shared/thing-words.ts';
import { moment } from '../shared/words.ts';

/** The most places and ways that are drawn. */
const MOST = { places: 100, ways: 300 };
const DECIMAL = /^[+-]?\d{1,3}(?:\.\d+)?$/;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}

/** A place on the map: the number of its events, the first of them, and when that was. */
export interface MapPlace extends Coordinates {
  readonly name: string;
  readonly events: number;
  readonly first: number;
  readonly when: string;
}

/** A way between two places, by their numbers. */
export interface Way {
  readonly from: number;
  readonly to: number;
  readonly things: number;
}

export interface DocumentMap {
  readonly places: readonly MapPlace[];
  readonly ways: readonly Way[];
  readonly left: readonly string[];
}

/** A place before its first event is known. */
type MadePlace = Coordinates & { readonly name: string; events: number; first?: number; when?: string };

/** The coordinates in texts of degrees: `{latitude, longitude}`; undefined if they are none. */
function degrees(latitude: string | undefined, longitude: string | undefined): Coordinates | undefined {
  if (![latitude, longitude].every((text) => DECIMAL.test(text ?? ''))) return undefined;
  const found = { latitude: Number(latitude), longitude: Number(longitude) };
  return Math.abs(found.latitude) <= 90 && Math.abs(found.longitude) <= 180 ? found : undefined;
}

/**
 * The coordinates of a place: those of a `geo:` URI (RFC 5870, WGS 84), else those in its master data. Undefined if it has none; `null` if
 * what it has are no degrees.
 */
export function coordinatesOf(id: string, attributesOf: Names['attributesOf']): Coordinates | null | undefined {
  if (isPosition(id)) {
    const [, latitude, longitude, crs = 'wgs84'] = /^geo:([^,;]+),([^,;]+)(?:,[^,;]+)?(?:;crs=([^;]+))?(?:;.*)?$/i.exec(id) ?? [];
    return (/^wgs84$/i.test(crs) && degrees(latitude, longitude)) || null;
  }
  const attributes = attributesOf(id);
  const textOf = (name: string) => {
    const found = attributes.find((one) => lastPart(one?.id) === name)?.attribute;
    return typeof found === 'number' ? String(found) : isText(found) ? found.trim() : undefined;
  };
  const [latitude, longitude] = [textOf('latitude'), textOf('longitude')];
  if (latitude === undefined && longitude === undefined) return undefined;
  return degrees(latitude, longitude) ?? null;
}

/**
 * The map of a document: `{places, ways, left}`. Each place has `name`, `latitude`, `longitude`, `events` (their number), `first` (the index
 * of its first event) and `when` in words; places are in the order of their first event. Each way is `{from, to, things}`: indices of places,
 * and the number of things that came from one to the other. What is inside of a container goes its way, and is not counted.
 * `left` has what is not on the map, in words.
 */
export function mapOf({ events, canonicalOf, history, names: { nameOf: nameFor, attributesOf } }: Told & { readonly names: Names }): DocumentMap {
  const timed = rowsOf({ events, canonicalOf, history }).rows.filter(({ time, isWrong }) => !Number.isNaN(time) && !isWrong);
  const known = new Map<string, number | undefined>();
  const places: MadePlace[] = [];
  const byPoint = new Map<string, number>();
  const ways = new Map<string, { readonly from: number; readonly to: number; things: number }>();
  const wrong = new Set<string>();
  const beyond = new Set<string>();
  let unplaced = 0;

  /** The index of the place of an identifier on the map; undefined if it is not on it. */
  function placeOf(id: string): number | undefined {
    if (known.has(id)) return known.get(id);
    const found = coordinatesOf(id, attributesOf);
    let at: number | undefined;
    if (found === null) wrong.add(id);
    else if (found !== undefined) {
      const name = isPosition(id) ? undefined : placeWords(id, { canonicalOf, nameFor });
      const key = `${found.latitude} ${found.longitude} ${name === undefined ? '' : (nameFor(id) ?? canonicalOf(id) ?? id)}`;
      at = byPoint.get(key);
      if (at === undefined && places.length >= MOST.places) beyond.add(key);
      else if (at === undefined) {
        at = places.length;
        byPoint.set(key, at);
        places.push({ name: name ?? `${found.latitude}, ${found.longitude}`, ...found, events: 0 });
      }
    }
    known.set(id, at);
    return at;
  }

  const rows = timed.map((row): Step<number | undefined> => {
    const { event, index } = row;
    const ids = [event.readPoint?.id, event.bizLocation?.id].filter(isText);
    const at = ids.map(placeOf).find((own) => own !== undefined);
    if (at === undefined) {
      if (ids.length > 0) unplaced += 1;
      // Where things are then is not known: their way begins where they were before.
      return { ...row, key: undefined, present: new Set<string>(), left: [] };
    }
    const place = places[at]!;
    place.events += 1;
    place.first ??= index;
    place.when ??= moment(event.eventTime, event.eventTimeZoneOffset);
    return { ...row, key: at };
  });
  walk(rows, {
    onMove({ key: to }, _, { key: from }) {
      if (from === undefined || to === undefined) return;
      const key = `${from} ${to}`;
      ensured(ways, key, () => ({ from, to, things: 0 })).things += 1;
    },
  });
  const all = [...ways.values()];
  const left = [
    unplaced > 0 && `${unplaced.toLocaleString('en')} ${unplaced === 1 ? 'event' : 'events'} at places without coordinates`,
    wrong.size > 0 && `${wrong.size.toLocaleString('en')} ${wrong.size === 1 ? 'place' : 'places'} with coordinates that are no degrees`,
    beyond.size > 0 && `${beyond.size.toLocaleString('en')} further ${beyond.size === 1 ? 'place' : 'places'}`,
    all.length > MOST.ways && `${(all.length - MOST.ways).toLocaleString('en')} further ways`,
  ].filter((words) => words !== false);
  return { places: cutTexts(places as MapPlace[]), ways: all.slice(0, MOST.ways), left };
}
