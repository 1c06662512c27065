// @ts-nocheck
// Combines events into documents. Nothing is validated here.

/** The official context of EPCIS 2.0. */
export const CONTEXT = 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld';

/** The official context, with the given entries added. */
export function withOfficial(context) {
  if (context === undefined) return CONTEXT;
  const entries = Array.isArray(context) ? context : [context];
  if (entries.includes(CONTEXT)) return context;
  return entries.length === 0 ? CONTEXT : [CONTEXT, ...entries];
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/**
 * The context of a document with these events, and the events as they appear in it. If all events have the same context, it moves to
 * the document; otherwise each event keeps its own.
 */
export function gathered(events, context) {
  const [first] = events;
  const isShared = context === undefined && first?.['@context'] !== undefined && events.every((event) => same(event['@context'], first['@context']));
  const around = isShared ? first['@context'] : withOfficial(context);
  const inside = events.map((event) => {
    if (!same(event['@context'], around)) return event;
    const { '@context': _, ...rest } = event;
    return rest;
  });
  return { '@context': around, events: inside };
}
