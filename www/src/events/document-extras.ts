// What only some documents have beside their events, in the engine's thread: a map of places, and series of sensor readings.
import type { StoryInput } from '../flow/history.ts';
import { type DocumentMap, mapOf } from './document-map.ts';
import { type Readings, readingsOf } from './document-readings.ts';

export interface Extras {
  readonly map: DocumentMap;
  readonly readings: Readings;
}

/** The map and the readings of a document: `{map, readings}`, as their modules answer. */
export const extrasOf = (input: StoryInput): Extras => ({ map: mapOf(input), readings: readingsOf(input) });
