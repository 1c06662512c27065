// What the panel of events shows only for some documents: charts of sensor readings, and a map of places.
import { put } from './dom.js';
import { laterStyle } from './later.js';

/** Fills `room` with what the answer `events` says there is. `open(index)` goes to the card of an event. */
export async function showExtras(room, { hasReadings, hasMap }, { ask, open }) {
  room.setAttribute('aria-busy', 'true');
  await laterStyle();
  const sections = await Promise.all([
    hasMap && Promise.all([import('./places-map.js'), ask('map')]).then(([{ mapSection }, answer]) => mapSection(answer, open)),
    hasReadings && Promise.all([import('./readings-chart.js'), ask('readings')]).then(([{ readingsSection }, answer]) => readingsSection(answer, open)),
  ]);
  put(room, sections);
  room.removeAttribute('aria-busy');
}
