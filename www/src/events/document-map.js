// The places of a document that have coordinates, and the ways of things between them, in the engine's thread. Loaded when a document has
// two of them.
import { lastPart } from '../../../wasm/js/names/names.ts';
import { cutTexts } from '../shared/bounds.js';
import { rowsOf, walk } from '../flow/flow.js';
import { isPosition, placeWords } from '../shared/thing-words.js';
import { moment } from '../shared/words.js';

/** The most places and ways that are drawn. */
const MOST = { places: 100, ways: 300 };
const DECIMAL = /^[+-]?\d{1,3}(?:\.\d+)?$/;

const isText = (value) => typeof value === 'string' && value !== '';

/** The coordinates in texts of degrees: `{latitude, longitude}`; undefined if they are none. */
function degrees(latitude, longitude) {
  if (![latitude, longitude].every((text) => DECIMAL.test(text ?? ''))) return undefined;
  const found = { latitude: Number(latitude), longitude: Number(longitude) };
  return Math.abs(found.latitude) <= 90 && Math.abs(found.longitude) <= 180 ? found : undefined;
}

/**
 * The coordinates of a place: those of a `geo:` URI (RFC 5870, WGS 84), else those in its master data. Undefined if it has none; `null` if
 * what it has are no degrees.
 */
export function coordinatesOf(id, attributesOf) {
  if (isPosition(id)) {
    const [, latitude, longitude, crs = 'wgs84'] = /^geo:([^,;]+),([^,;]+)(?:,[^,;]+)?(?:;crs=([^;]+))?(?:;.*)?$/i.exec(id) ?? [];
    return (/^wgs84$/i.test(crs) && degrees(latitude, longitude)) || null;
  }
  const attributes = attributesOf(id);
  const [latitude, longitude] = ['latitude', 'longitude'].map((name) => {
    const found = attributes.find((one) => lastPart(one?.id) === name)?.attribute;
    return typeof found === 'number' ? String(found) : isText(found) ? found.trim() : undefined;
  });
  if (latitude === undefined && longitude === undefined) return undefined;
  return degrees(latitude, longitude) ?? null;
}

/**
 * The map of a document: `{places, ways, left}`. Each place has `name`, `latitude`, `longitude`, `events` (their number), `first` (the index
 * of its first event) and `when` in words; places are in the order of their first event. Each way is `{from, to, things}`: indices of places,
 * and the number of things that came from one to the other. What is inside of a container goes its way, and is not counted.
 * `left` has what is not on the map, in words.
 */
export function mapOf({ events, canonicalOf, history, names: { nameOf: nameFor, attributesOf } }) {
  const timed = rowsOf({ events, canonicalOf, history }).rows.filter(({ time, isWrong }) => !Number.isNaN(time) && !isWrong);
  const known = new Map();
  const places = [];
  const byPoint = new Map();
  const ways = new Map();
  const wrong = new Set();
  const beyond = new Set();
  let unplaced = 0;

  /** The index of the place of an identifier on the map; undefined if it is not on it. */
  function placeOf(id) {
    if (known.has(id)) return known.get(id);
    const found = coordinatesOf(id, attributesOf);
    let at;
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

  const rows = timed.map((row) => {
    const { event, index } = row;
    const ids = [event.readPoint?.id, event.bizLocation?.id].filter(isText);
    const at = ids.map(placeOf).find((own) => own !== undefined);
    if (at === undefined) {
      if (ids.length > 0) unplaced += 1;
      // Where things are then is not known: their way begins where they were before.
      return { ...row, key: undefined, present: new Set(), left: [] };
    }
    const place = places[at];
    place.events += 1;
    place.first ??= index;
    place.when ??= moment(event.eventTime, event.eventTimeZoneOffset);
    return { ...row, key: at };
  });
  walk(rows, {
    onMove({ key: to }, _, { key: from }) {
      if (from === undefined) return;
      const key = `${from} ${to}`;
      if (!ways.has(key)) ways.set(key, { from, to, things: 0 });
      ways.get(key).things += 1;
    },
  });
  const all = [...ways.values()];
  const left = [
    unplaced > 0 && `${unplaced.toLocaleString('en')} ${unplaced === 1 ? 'event' : 'events'} at places without coordinates`,
    wrong.size > 0 && `${wrong.size.toLocaleString('en')} ${wrong.size === 1 ? 'place' : 'places'} with coordinates that are no degrees`,
    beyond.size > 0 && `${beyond.size.toLocaleString('en')} further ${beyond.size === 1 ? 'place' : 'places'}`,
    all.length > MOST.ways && `${(all.length - MOST.ways).toLocaleString('en')} further ways`,
  ].filter(Boolean);
  return { places: cutTexts(places), ways: all.slice(0, MOST.ways), left };
}
