// What the panel of events shows only for some documents: charts of sensor readings, and a map of places.
import { put } from './dom.js';
import { laterStyle } from './later.js';

/** Fills `room` with what the answer `events` says there is. `open(index)` goes to the card of an event. */
export async function showExtras(room, { hasReadings }, { ask, open }) {
  await laterStyle();
  const sections = await Promise.all([
    hasReadings && Promise.all([import('./readings-chart.js'), ask('readings')]).then(([{ readingsSection }, answer]) => readingsSection(answer, open)),
  ]);
  put(room, sections);
}
