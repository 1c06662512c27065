// Makes www/src/events/land.ts, the outline of the land for the map of places. It is committed, so a build needs none of these packages:
//
//   npm install --no-save world-atlas@2.0.2 topojson-client@3.1.0 && node www/build-land.ts
//
// The data are those of Natural Earth 4.1, 1:110m physical vectors, which are in the public domain
// (https://www.naturalearthdata.com/about/terms-of-use/).
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);
const { feature } = await import(resolve('topojson-client'));
const topology = JSON.parse(readFileSync(resolve('world-atlas/land-110m.json'), 'utf8'));

type Point = readonly [x: number, y: number];

/** Whole tenths of a degree, to the east and to the south. */
const pointOf = ([longitude, latitude]: Point): Point => [Math.round(longitude * 10), Math.round(-latitude * 10)];

/** A ring as a part of an SVG path with relative points; empty if nothing of it is left. */
function pathOf(ring: readonly Point[]): string {
  const points = ring.map(pointOf).filter(([x, y], at, all) => x !== all[at - 1]?.[0] || y !== all[at - 1]?.[1]);
  const [first, ...rest] = points;
  if (first === undefined || rest.length < 3) return '';
  let before = first;
  const steps = rest.map((point) => {
    const step: Point = [point[0] - before[0], point[1] - before[1]];
    before = point;
    return step.join(step[1] < 0 ? '' : ' ');
  });
  return `M${first.join(' ')}l${steps.join(' ').replaceAll(' -', '-')}z`;
}

const { features } = feature(topology, topology.objects.land);
const rings: Point[][] = features.flatMap(({ geometry }: { geometry: { coordinates: Point[][][] } }) => geometry.coordinates.flat());
writeFileSync(
  new URL('src/events/land.ts', import.meta.url),
  `// Made by www/build-land.ts: change nothing here. The outline of the land as an SVG path, in tenths of a degree, from Natural Earth 4.1
// (1:110m physical vectors, public domain).
export const LAND =
  '${rings.map(pathOf).join('')}';
`,
);
