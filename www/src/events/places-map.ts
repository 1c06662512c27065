// The map of places: the outline of the land, the places with their names, and the ways between them. Nothing is asked of anybody: the
// outline is in the page (`land.ts`, Natural Earth, public domain). Loaded when a document has two places with coordinates.
import type { Point } from '../flow/layout.ts';
import type { DocumentMap, MapPlace, Way } from './document-map.ts';
import { h, put, s } from '../shared/dom.ts';
import { LAND } from './land.ts';
import { count } from '../shared/words.ts';

/** The least extent of the map in degrees: the outline has no details below. */
const LEAST = 8;
/** The room that a name needs, in pixels: its height, and about the width of a character. */
const NAME = { height: 15, character: 7.1, most: 26 };
const RADIUS = 9;

/** A place on the drawing. */
interface Mark extends Point {
  readonly name: string;
}

/** A rectangle. */
interface Room extends Point {
  readonly width: number;
  readonly height: number;
}

const cut = (name: string) => (name.length > NAME.most ? `${name.slice(0, NAME.most - 1)}…` : name);

/** The longitudes of places so that they are close together, also across the date line: from the end of the widest gap on. */
export function unrolled(longitudes: readonly number[]): number[] {
  const sorted = [...longitudes].sort((a, b) => a - b);
  const [west = 0] = sorted;
  let [start, widest]: [number, number] = [west, 360 - ((sorted.at(-1) ?? west) - west)];
  let before = west;
  for (const own of sorted) {
    if (own - before > widest) [start, widest] = [own, own - before];
    before = own;
  }
  return longitudes.map((longitude) => (longitude < start ? longitude + 360 : longitude));
}

/** How degrees become pixels: `{x, y, scale, squeeze, height}`. In the middle of the map, a degree is as long to the east as to the north. */
function projectionOf(places: readonly MapPlace[], longitudes: readonly number[], width: number) {
  const spanOf = (values: readonly number[]): [number, number] => [Math.min(...values), Math.max(...values)];
  const [south, north] = spanOf(places.map(({ latitude }) => latitude));
  const [west, east] = spanOf(longitudes);
  const [middle, centre] = [(south + north) / 2, (west + east) / 2];
  const squeeze = Math.max(0.2, Math.cos((middle * Math.PI) / 180));
  const height = Math.round(Math.min(420, Math.max(240, width * 0.52)));
  const wide = Math.max((east - west) * squeeze, LEAST);
  const tall = Math.max(north - south, LEAST / 2);
  const scale = Math.min((width * 0.72) / wide, (height * 0.72) / tall);
  return {
    x: (longitude: number) => width / 2 + (longitude - centre) * squeeze * scale,
    y: (latitude: number) => height / 2 - (latitude - middle) * scale,
    scale,
    squeeze,
    height,
  };
}

const overlaps = (one: Room, other: Room) =>
  one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height;

/**
 * Where the marks of places stand: at their points, or beside them if another mark is there. There may be no room: then they are on each
 * other, and the list tells them apart.
 */
export function marksAt<Own extends Point>(points: readonly Own[]): Own[] {
  const taken: Own[] = [];
  const isFree = (x: number, y: number) => taken.every((one) => Math.hypot(one.x - x, one.y - y) >= 2 * RADIUS);
  return points.map((point) => {
    let mark = point;
    search: for (let ring = 0; ring <= 3 && !isFree(mark.x, mark.y); ring += 1)
      for (let at = 0; at < 12; at += 1) {
        const [turn, far] = [(at * Math.PI) / 6, (2 + ring) * RADIUS];
        const next = { ...point, x: point.x + Math.cos(turn) * far, y: point.y - Math.sin(turn) * far };
        if (!isFree(next.x, next.y)) continue;
        mark = next;
        break search;
      }
    taken.push(mark);
    return mark;
  });
}

/** Where the names stand: beside their place, where nothing else is. A name without room is left out; it is in the list. */
function namesAt(points: readonly Mark[], width: number, height: number): SVGElement[] {
  const taken = points.map(({ x, y }) => ({ x: x - RADIUS, y: y - RADIUS, width: 2 * RADIUS, height: 2 * RADIUS }));
  return points.flatMap(({ x, y, name }) => {
    const words = cut(name);
    const own = { width: words.length * NAME.character, height: NAME.height };
    const spots: readonly (Point & { readonly anchor: 'start' | 'middle' | 'end' })[] = [
      { x: x + RADIUS + 4, y: y - 7, anchor: 'start' },
      { x: x - RADIUS - 4 - own.width, y: y - 7, anchor: 'end' },
      { x: x - own.width / 2, y: y - RADIUS - 17, anchor: 'middle' },
      { x: x - own.width / 2, y: y + RADIUS + 2, anchor: 'middle' },
    ];
    for (const spot of spots) {
      const box = { ...own, ...spot };
      if (box.x < 2 || box.x + box.width > width - 2 || box.y < 2 || box.y + box.height > height - 2) continue;
      if (taken.some((other) => overlaps(box, other))) continue;
      taken.push(box);
      const at = { start: box.x, middle: box.x + own.width / 2, end: box.x + own.width }[spot.anchor];
      return [s('text', { class: 'map-name', x: at, y: box.y + 11, 'text-anchor': spot.anchor }, words)];
    }
    return [];
  });
}

/** A way as a bow with an arrow in its middle; undefined if its ends are on each other. */
function wayOf(from: Point, to: Point, words: string): SVGElement | undefined {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  if (length < 2) return undefined;
  // The bow goes to the right of its direction, so that there and back are two lines.
  const bend = Math.min(length * 0.16, 40);
  const [cx, cy] = [(from.x + to.x) / 2 - (dy / length) * bend, (from.y + to.y) / 2 + (dx / length) * bend];
  const [mx, my] = [(from.x + 2 * cx + to.x) / 4, (from.y + 2 * cy + to.y) / 4];
  const turn = (Math.atan2(dy, dx) * 180) / Math.PI;
  return s(
    'g',
    { class: 'map-way' },
    s('title', {}, words),
    s('path', { class: 'map-line', d: `M${from.x} ${from.y}Q${cx} ${cy} ${to.x} ${to.y}` }),
    length > 3 * RADIUS && s('path', { class: 'map-arrow', d: 'M-5-5L6 0L-5 5z', transform: `translate(${mx} ${my}) rotate(${turn})` }),
  );
}

const wayWords = ({ from, to, things }: Way, places: readonly MapPlace[]) =>
  `${from + 1} to ${to + 1}, from ${places[from]!.name} to ${places[to]!.name}: ${count(things, 'thing')}`;

const dotAt = ({ x, y }: Point) => s('circle', { class: 'map-dot', cx: x, cy: y, r: 3 });

function drawingOf({ places, ways }: DocumentMap, width: number): SVGElement {
  const longitudes = unrolled(places.map(({ longitude }) => longitude));
  const { x, y, scale, squeeze, height } = projectionOf(places, longitudes, width);
  const points = places.map(({ name, latitude }, at) => ({ name, x: x(longitudes[at]!), y: y(latitude) }));
  const marks = marksAt(points);
  // The outline is in tenths of a degree. Beyond the date line it is drawn once more.
  const land = [-360, 0, 360].map((shift) =>
    s('path', { class: 'map-land', d: LAND, transform: `translate(${x(shift)} ${y(0)}) scale(${(scale * squeeze) / 10} ${scale / 10})` }),
  );
  return s(
    'svg',
    {
      class: 'map',
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'aria-label': `A map of ${count(places.length, 'place')} and ${count(ways.length, 'way')} between them. The list below has them all.`,
    },
    s('rect', { class: 'map-sea', width, height }),
    land,
    ways.map((way) => wayOf(points[way.from]!, points[way.to]!, wayWords(way, places))),
    marks.map((mark, at) => {
      const own = points[at]!;
      return mark !== own && [s('path', { class: 'map-aside', d: `M${own.x} ${own.y}L${mark.x} ${mark.y}` }), dotAt(own)];
    }),
    marks.map(({ x: cx, y: cy, name }, at) =>
      s('g', { class: 'map-place' }, s('title', {}, `${at + 1}: ${name}`), s('circle', { cx, cy, r: RADIUS }), s('text', { x: cx, y: cy + 4 }, at + 1)),
    ),
    namesAt(marks, width, height),
  );
}

/** The section of the map, as `mapOf` answers. */
export function mapSection(map: DocumentMap, openEvent: (index: number) => unknown): HTMLElement {
  const { places, ways, left } = map;
  const room = h('div', { class: 'map-room' });
  let width = 0;
  new ResizeObserver(([entry]) => {
    if (entry === undefined) return;
    const { contentRect } = entry;
    const now = Math.max(260, Math.round(contentRect.width));
    if (contentRect.width > 0 && now !== width) put(room, drawingOf(map, (width = now)));
  }).observe(room);
  return h(
    'section',
    { class: 'sheet', role: 'group', 'aria-labelledby': 'map-title' },
    h('div', { class: 'sheet-head' }, h('h2', { class: 'caption', id: 'map-title' }, 'On the map')),
    room,
    h(
      'details',
      { class: 'plain map-lists' },
      h('summary', {}, `${count(places.length, 'place')}, ${count(ways.length, 'way')}`),
      h(
        'ol',
        { class: 'map-list', 'aria-label': 'Places' },
        places.map(({ name, latitude, longitude, events, first, when }) =>
          h(
            'li',
            {},
            h('b', {}, name),
            `${name === `${latitude}, ${longitude}` ? '' : ` at ${latitude}, ${longitude}`}; ${count(events, 'event')}, first ${when}: `,
            h('button', { type: 'button', class: 'link', onclick: () => openEvent(first) }, `event ${first + 1}`),
          ),
        ),
      ),
      ways.length > 0 &&
        h(
          'ul',
          { class: 'map-list', 'aria-label': 'Ways' },
          ways.map((way) => h('li', {}, wayWords(way, places))),
        ),
    ),
    h('p', { class: 'fine' }, 'A way is where something was at one place and then at another; the route between them is not known. Land: Natural Earth.'),
    left.length > 0 && h('p', { class: 'fine' }, `Not on the map: ${left.join('; ')}.`),
  );
}
