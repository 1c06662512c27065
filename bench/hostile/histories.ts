// Histories that cost following much. Each is captured, and then its first item is followed.
import type { FollowRequest } from '../../wasm/js/follow/index.ts';
import { type Body, filled, type Unit } from './text.ts';

const HEAD =
  '{"@context":["https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld"],"type":"EPCISDocument","schemaVersion":"2.0","creationDate":"2026-03-04T12:00:00Z","epcisBody":{"eventList":[';
const TAIL = ']}}';
/** A time for each number; ten events share one. */
const time = (n: number) => `"eventTime":"${new Date(Date.UTC(2026, 2, 1) + Math.floor(n / 10) * 60_000).toISOString()}","eventTimeZoneOffset":"+00:00"`;
const thing = (n: number | string) => `"urn:x:thing-${n}"`;
const packed = (n: number, action: string, parent: string, children: string) =>
  `{"type":"AggregationEvent","action":"${action}","parentID":${parent},"childEPCs":[${children}],${time(n)},"bizStep":"packing","eventID":"urn:uuid:${n}"}`;
const lots = (n: number, list: Unit) =>
  `{"type":"TransformationEvent",${time(n)},"inputQuantityList":[${list(0)}],"outputQuantityList":[${list(1)}],"eventID":"urn:uuid:${n}"}`;
const lot = (n: number) => `{"epcClass":"urn:x:lot-${n}","quantity":1}`;
const twenty = (make: Unit) => Array.from({ length: 20 }, (_, n) => make(n)).join(',');

/** Name to `{body(length), question}`; the question is that of `POST /follow`. */
export const histories: Readonly<Record<string, { readonly body: Body; readonly question: FollowRequest & { readonly items: readonly string[] } }>> = {
  'each in the next': {
    body: (length) => filled(length, HEAD, (n) => packed(n, 'ADD', thing(n + 1), thing(n)), TAIL),
    question: { items: ['urn:x:thing-0'], depth: 64, maxEvents: 10_000 },
  },
  'everything in everything': {
    body: (length) => filled(length, HEAD, (n) => packed(n, n % 3 ? 'ADD' : 'DELETE', thing(n % 20), twenty(thing)), TAIL),
    question: { items: ['urn:x:thing-0', 'urn:x:thing-7'], depth: 64, maxEvents: 10_000, contents: 'followed' },
  },
  'one container, used again and again': {
    body: (length) => filled(length, HEAD, (n) => packed(n, n % 2 ? 'DELETE' : 'ADD', thing('crate'), thing(Math.floor(n / 2))), TAIL),
    question: { items: ['urn:x:thing-crate'], maxEvents: 10_000, contents: 'followed' },
  },
  'lots made of lots': {
    body: (length) => filled(length, HEAD, (n) => lots(n, (level: number) => twenty((k: number) => lot((n + level) * 20 + k))), TAIL),
    question: { items: ['urn:x:lot-0'], kin: true, depth: 64, maxEvents: 10_000 },
  },
  'one lot in many containers': {
    body: (length) =>
      filled(
        length,
        HEAD,
        (n) => `{"type":"AggregationEvent","action":"ADD","parentID":${thing(n)},"childQuantityList":[${lot(0)}],${time(n)},"eventID":"urn:uuid:${n}"}`,
        TAIL,
      ),
    question: { items: ['urn:x:lot-0'], maxEvents: 10_000 },
  },
};

const MASTER =
  '{"@context":["https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld"],"type":"EPCISDocument","schemaVersion":"2.0","creationDate":"2026-03-04T12:00:00Z","epcisHeader":{"epcisMasterData":{"vocabularyList":[{"type":"urn:epcglobal:epcis:vtype:Location","vocabularyElementList":[';
const MASTER_TAIL = ']}]}},"epcisBody":{"eventList":[]}}';

/** A document of master data whose elements are long. */
export const elements: Body = (length) =>
  filled(length, MASTER, (n) => `{"id":"urn:x:place-${n}","attributes":[{"id":"cbvmda:name","attribute":"${'a'.repeat(100_000)}"}]}`, MASTER_TAIL);

/** One element of many attributes. */
export const attributes: Body = (length) =>
  filled(length, `${MASTER}{"id":"urn:x:place-0","attributes":[`, (n) => `{"id":"urn:x:attribute-${n}","attribute":"a"}`, `]}${MASTER_TAIL}`);

/** Elements of many children. */
export const links: Body = (length) =>
  filled(
    length,
    MASTER,
    (n) => `{"id":"urn:x:place-${n}","attributes":[],"children":[${Array.from({ length: 1000 }, (_, at) => `"urn:x:place-${n}-${at}"`).join(',')}]}`,
    MASTER_TAIL,
  );
