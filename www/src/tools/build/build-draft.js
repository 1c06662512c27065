// Turns an EPCIS document into drafts of the Build form: the way back of `build-event.js`, for templates.
import { BizStep, BizTransactionType, Disposition, SourceDestType } from 'epcis-edge/cbv';
import { NAMING } from './build-event.js';
import { EPC_LISTS, QUANTITY_LISTS } from '../../shared/fields.js';

const isText = (value) => typeof value === 'string';
const own = (words) => (value) => isText(value) && Object.hasOwn(words, value);
/** The members of an object without some of them. */
const besides = (object, names) => Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
const isOnly = (value, names) => Object.keys(value).every((name) => names.includes(name));

/** The local time of an `eventTime` in the zone of its offset, as the form has it; undefined if it is written in another zone. */
const localOf = (time, offset) => (isText(time) && isText(offset) && time.endsWith(offset) ? time.slice(0, -offset.length).replace(/\.\d+$/, '') : undefined);

/** The rows of a list of objects; undefined if one of them has more than the form shows. */
function rowsFrom(list, names, isShown = () => true) {
  if (!Array.isArray(list) || !list.every((entry) => isOnly(entry, names) && isShown(entry))) return undefined;
  return list.map((entry) => names.map((name) => String(entry[name] ?? '')));
}

/** The readers of the form's fields: each gives what the field holds, or undefined if the field cannot hold the value. */
const READERS = {
  eventID: (value) => value,
  action: (value) => value,
  bizStep: (value) => (own(BizStep)(value) ? value : undefined),
  disposition: (value) => (own(Disposition)(value) ? value : undefined),
  readPoint: (value) => (isOnly(value, ['id']) ? value.id : undefined),
  bizLocation: (value) => (isOnly(value, ['id']) ? value.id : undefined),
  bizTransactionList: (value) => rowsFrom(value, ['type', 'bizTransaction'], ({ type }) => own(BizTransactionType)(type)),
  sourceList: (value) => rowsFrom(value, ['type', 'source'], ({ type }) => own(SourceDestType)(type)),
  destinationList: (value) => rowsFrom(value, ['type', 'destination'], ({ type }) => own(SourceDestType)(type)),
};
for (const name of NAMING)
  READERS[name] = EPC_LISTS.includes(name)
    ? (value) => value.join('\n')
    : QUANTITY_LISTS.includes(name)
      ? (value) => rowsFrom(value, ['epcClass', 'quantity', 'uom'])
      : (value) => value;

/** The draft of an event. What the form has no field for is in its further members. @throws {Error} for a time in another zone */
export function draftOf(event) {
  const { type, eventTime, eventTimeZoneOffset, ilmd, ...rest } = event;
  const local = localOf(eventTime, eventTimeZoneOffset);
  if (local === undefined) throw new Error(`the event time ${eventTime} is not in the zone ${eventTimeZoneOffset}`);
  const draft = { type, eventTime: local, eventTimeZoneOffset };
  const further = {};
  for (const [name, value] of Object.entries(rest)) {
    const held = READERS[name]?.(value);
    if (held === undefined) further[name] = value;
    else draft[name] = held;
  }
  const texts = Object.entries(ilmd ?? {}).filter(([, value]) => isText(value));
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
export function draftsOf(document) {
  const namespaces = new Map([document['@context']].flat().flatMap((one) => (isText(one) ? [] : Object.entries(one))));
  const around = besides(document, ['@context', 'type', 'schemaVersion', 'creationDate', 'epcisBody']);
  return {
    drafts: document.epcisBody.eventList.map(draftOf),
    namespaces,
    around: Object.keys(around).length === 0 ? '' : JSON.stringify(around, null, 2),
  };
}
