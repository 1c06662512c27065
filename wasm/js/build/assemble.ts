// Combines events into documents. Nothing is validated here.
import type { Context } from '../engine/index.ts';

/** The official context of EPCIS 2.0. */
export const CONTEXT: 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld' = 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld';

/** The official context, with the given entries added. */
export function withOfficial(context: Context | undefined): Context {
  if (context === undefined) return CONTEXT;
  const entries: (string | object)[] = Array.isArray(context) ? context : [context];
  if (entries.includes(CONTEXT)) return context;
  return entries.length === 0 ? CONTEXT : [CONTEXT, ...entries];
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * The context of a document with these events, and the events as they appear in it. If all events have the same context, it moves to
 * the document; otherwise each event keeps its own.
 */
export function gathered<Event extends { readonly '@context'?: Context }>(
  events: readonly Event[],
  context?: Context,
): { '@context': Context; events: (Event | Omit<Event, '@context'>)[] } {
  const [first] = events;
  const own = first?.['@context'];
  const isShared = context === undefined && own !== undefined && events.every((event) => same(event['@context'], own));
  const around = isShared ? own : withOfficial(context);
  const inside = events.map((event) => {
    if (!same(event['@context'], around)) return event;
    const { '@context': _, ...rest } = event;
    return rest;
  });
  return { '@context': around, events: inside };
}
