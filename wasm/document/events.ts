// The events of a document.
import { isLikeEvent } from './detect.ts';
import { typeName } from './words.ts';

/** Whether a value is an object, as every event is. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => value !== null && typeof value === 'object' && !Array.isArray(value);
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]);
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** The events of a document, and the JSON Pointer to them. */
export interface EventList {
  readonly events: readonly unknown[];
  readonly pointer: string;
  readonly isList: boolean;
}

/** What may have events. */
interface Body {
  readonly eventList?: unknown;
  readonly event?: unknown;
  readonly queryResults?: { readonly resultsBody?: { readonly eventList?: unknown } | null } | null;
}

export function eventsOf(document: unknown): EventList {
  const none = { events: [], pointer: '', isList: false };
  if (Array.isArray(document)) return { events: document, pointer: '', isList: true };
  if (!isObject(document)) return none;
  const body = document.epcisBody as Body | null | undefined;
  if (body === undefined) return isLikeEvent(document) ? { events: [document], pointer: '', isList: false } : none;
  const lists = [
    [body?.eventList, '/epcisBody/eventList'],
    [body?.queryResults?.resultsBody?.eventList, '/epcisBody/queryResults/resultsBody/eventList'],
  ] as const;
  for (const [list, pointer] of lists) if (Array.isArray(list)) return { events: list, pointer, isList: true };
  return isObject(body?.event) ? { events: [body.event], pointer: '/epcisBody/event', isList: false } : none;
}

/** The title of an event without a business step. */
export const eventTitle = ({ type }: { readonly type?: unknown }): string => (type === undefined ? 'Event without a type' : `${typeName(textOf(type))} event`);
