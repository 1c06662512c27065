// Turns an EPCIS document into drafts of the Build form: the way back of `build-event.ts`, for templates.
import { BizStep, BizTransactionType, Disposition, SourceDestType } from 'epcis-edge/cbv';
import { type BuildState, NAMING } from './build-event.ts';
import type { Draft, Field, Members } from './build-further.ts';
import { EPC_LISTS, QUANTITY_LISTS } from '../../../../wasm/js/engine/fields.ts';

/** An event or document of a template. */
export interface Template {
  readonly '@context': unknown;
  readonly epcisBody: { readonly eventList: readonly Members[] };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const own = (words: object) => (value: unknown) => isText(value) && Object.hasOwn(words, value);
/** The members of an object without some of them. */
const besides = (object: object, names: readonly string[]): Members => Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
const isOnly = (value: object, names: readonly string[]) => Object.keys(value).every((name) => names.includes(name));

/** The local time of an `eventTime` in the zone of its offset, as the form has it; undefined if it is written in another zone. */
const localOf = (time: unknown, offset: unknown) => (isText(time) && isText(offset) && time.endsWith(offset) ? time.slice(0, -offset.length).replace(/\.\d+$/, '') : undefined);

/** The rows of a list of objects; undefined if one of them has more than the form shows. */
function rowsFrom(list: unknown, names: readonly string[], isShown: (entry: Members) => boolean = () => true): string[][] | undefined {
  if (!Array.isArray(list) || !list.every((entry: Members) => isOnly(entry, names) && isShown(entry))) return undefined;
  return list.map((entry: Members) => names.map((name) => String(entry[name] ?? '')));
}

const asText = (value: unknown): Field => value as string;
/** The identifier of a place; undefined if something else is said of it. */
const idAlone = (value: unknown): Field => (isOnly(value as object, ['id']) ? (value as { readonly id?: string }).id : undefined);

/** The readers of the form's fields: each gives what the field holds, or undefined if the field cannot hold the value. */
const READERS: Record<string, (value: unknown) => Field> = {
  eventID: asText,
  action: asText,
  bizStep: (value) => (own(BizStep)(value) ? asText(value) : undefined),
  disposition: (value) => (own(Disposition)(value) ? asText(value) : undefined),
  readPoint: idAlone,
  bizLocation: idAlone,
  bizTransactionList: (value) => rowsFrom(value, ['type', 'bizTransaction'], ({ type }) => own(BizTransactionType)(type)),
  sourceList: (value) => rowsFrom(value, ['type', 'source'], ({ type }) => own(SourceDestType)(type)),
  destinationList: (value) => rowsFrom(value, ['type', 'destination'], ({ type }) => own(SourceDestType)(type)),
};
for (const name of NAMING)
  READERS[name] = EPC_LISTS.includes(name)
    ? (value) => (value as readonly string[]).join('\n')
    : QUANTITY_LISTS.includes(name)
      ? (value) => rowsFrom(value, ['epcClass', 'quantity', 'uom'])
      : asText;

/** The draft of an event. What the form has no field for is in its further members. @throws {Error} for a time in another zone */
export function draftOf(event: Members): Draft {
  const { type, eventTime, eventTimeZoneOffset, ilmd, ...rest } = event;
  const local = localOf(eventTime, eventTimeZoneOffset);
  if (local === undefined) throw new Error(`the event time ${eventTime} is not in the zone ${eventTimeZoneOffset}`);
  const draft: { [field: string]: Field; type: string } = { type: type as string, eventTime: local, eventTimeZoneOffset: eventTimeZoneOffset as string };
  const further: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(rest)) {
    const held = READERS[name]?.(value);
    if (held === undefined) further[name] = value;
    else draft[name] = held;
  }
  const texts = Object.entries(ilmd ?? {}).filter((entry): entry is [string, string] => isText(entry[1]));
  if (texts.length > 0) draft.ilmd = texts;
  const nested = besides(
    ilmd ?? {},
    texts.map(([name]) => name),
  );
  if (Object.keys(nested).length > 0) further.ilmd = nested;
  if (Object.keys(further).length > 0) draft.further = JSON.stringify(further, null, 2);
  return draft;
}

/** The state of the form for a document: `{drafts, namespaces, around}`. @throws {Error} as {@link draftOf} */
export function draftsOf(document: Template): BuildState {
  const namespaces = new Map<string, string>([document['@context']].flat().flatMap((one) => (isText(one) ? [] : Object.entries(one as Readonly<Record<string, string>>))));
  const around = besides(document, ['@context', 'type', 'schemaVersion', 'creationDate', 'epcisBody']);
  return {
    drafts: document.epcisBody.eventList.map(draftOf),
    namespaces,
    around: Object.keys(around).length === 0 ? '' : JSON.stringify(around, null, 2),
  };
}
