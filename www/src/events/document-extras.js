// What only some documents have beside their events, in the engine's thread: a map of places, and series of sensor readings.
import { mapOf } from './document-map.js';
import { readingsOf } from './document-readings.js';

/** The map and the readings of a document: `{map, readings}`, as their modules answer. */
export const extrasOf = (input) => ({ map: mapOf(input), readings: readingsOf(input) });
