// What the panel of events shows only for some documents: a map of places, and charts of sensor readings. What draws them is loaded when
// there is something to draw.
import type { Extras } from './document-extras.ts';
import { put } from '../shared/dom.ts';
import { laterStyle } from '../page/later.ts';

/** Fills `room`. `open(index)` goes to the card of an event. */
export async function showExtras(
  room: HTMLElement,
  { ask, open }: { readonly ask: (about: 'extras') => Promise<Extras>; open(index: number): unknown },
): Promise<void> {
  room.setAttribute('aria-busy', 'true');
  const [{ map, readings }] = await Promise.all([ask('extras'), laterStyle()]);
  const sections = await Promise.all([
    map.places.length > 1 && import('./places-map.ts').then(({ mapSection }) => mapSection(map, open)),
    readings.series.length > 0 && import('./readings-chart.ts').then(({ readingsSection }) => readingsSection(readings, open)),
  ]);
  put(room, sections);
  room.removeAttribute('aria-busy');
}
