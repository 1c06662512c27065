// The map and the charts of the component: a file beside its script, loaded for documents that have something to draw in them.
/* global COMPONENT_EXTRAS_STYLE */
import { mapSection } from '../events/places-map.js';
import { readingsSection } from '../events/readings-chart.js';

// For the engine's thread.
export { extrasOf } from '../events/document-extras.ts';

export const STYLE = COMPONENT_EXTRAS_STYLE;

/** The sections of what {@link extrasOf} found. `open(index)` goes to the card of an event. */
export const sectionsOf = ({ map, readings }, open) => [
  map.places.length > 1 && mapSection(map, open),
  readings.series.length > 0 && readingsSection(readings, open),
];
