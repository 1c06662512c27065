// The map and the charts of the component: a file beside its script, loaded for documents that have something to draw in them.
import { mapSection } from '../events/places-map.ts';
import { readingsSection } from '../events/readings-chart.ts';
import type { Extras } from '../events/document-extras.ts';
import type { Child } from '../shared/dom.ts';

declare const COMPONENT_EXTRAS_STYLE: string;

// For the engine's thread.
export { extrasOf } from '../events/document-extras.ts';

export const STYLE: string = COMPONENT_EXTRAS_STYLE;

/** The sections of what {@link extrasOf} found. `open(index)` goes to the card of an event. */
export const sectionsOf = ({ map, readings }: Extras, open: (index: number) => unknown): Child[] => [
  map.places.length > 1 && mapSection(map, open),
  readings.series.length > 0 && readingsSection(readings, open),
];
