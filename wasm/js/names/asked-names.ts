// Names for an answer of following: which identifiers it has, and how a gateway is asked for their master data. The playground uses this
// file, too. Answers may be those of any server, so nothing is taken for granted about them.
import { EPC_LISTS, QUANTITY_LISTS } from '../engine/fields.ts';
import { type CanonicalOf, classOf, type Element } from './names.ts';

/** The most requests for one answer, and the most identifiers in a request, which is the bound of the gateway. */
const REQUESTS = 10;
const IDS = 100;
/** The longest list of identifiers in a request, in bytes: the gateway takes 8 KiB with the token of a page. */
const QUERY = 7000;
/** The longest page that is read, in characters. A page of the gateway has about 2 MiB. */
export const LONGEST_PAGE = 16 * 1024 * 1024;

/** An answer of following, as any server may send it: its lists are there, and nothing is sure about what is in them. */
export interface UnsureAnswer {
  readonly items: readonly unknown[];
  readonly events: readonly ({ readonly event?: UnsureEvent; readonly presences?: Unsure<{ readonly item?: unknown; readonly through?: unknown }> } | null)[];
  readonly contents: readonly ({ readonly container?: unknown; readonly item?: unknown; readonly through?: unknown } | null)[];
  readonly things: readonly ({ readonly id?: unknown; readonly at?: { readonly inside?: unknown; readonly place?: unknown } | null } | null)[];
}

/** A value that may be a list of what is expected. */
type Unsure<Value> = Value | null | undefined | readonly (Value | null)[];
type UnsureEvent =
  | (Readonly<Record<string, unknown>> & { readonly bizLocation?: { readonly id?: unknown } | null; readonly readPoint?: { readonly id?: unknown } | null })
  | null
  | undefined;

const isText = (value: unknown): value is string => typeof value === 'string';
function listOf<Value>(value: Unsure<Value>): readonly (Value | null)[] {
  if (Array.isArray(value)) return value;
  return value === undefined ? [] : [value as Value | null];
}

/** The identifiers in an answer as it spells them. Places are also parties. */
export function identifiersIn(answer: UnsureAnswer): { readonly places: ReadonlySet<string>; readonly things: ReadonlySet<string> } {
  const [places, things] = [new Set<string>(), new Set<string>()];
  const add = (set: Set<string>, ids: readonly unknown[]) => {
    for (const id of ids) if (isText(id)) set.add(id);
  };
  add(things, answer.items);
  for (const one of answer.events) {
    const { event, presences } = one ?? {};
    add(places, [event?.bizLocation?.id, event?.readPoint?.id]);
    for (const member of ['source', 'destination'])
      add(
        places,
        listOf(event?.[`${member}List`] as Unsure<Record<string, unknown>>).map((one) => one?.[member]),
      );
    for (const field of ['parentID', ...EPC_LISTS]) add(things, listOf(event?.[field]));
    for (const field of QUANTITY_LISTS)
      add(
        things,
        listOf(event?.[field] as Unsure<{ readonly epcClass?: unknown }>).map((one) => one?.epcClass),
      );
    for (const presence of listOf(presences)) add(things, [presence?.item, ...listOf(presence?.through)]);
  }
  for (const content of answer.contents) add(things, [content?.container, content?.item, ...listOf(content?.through)]);
  for (const thing of answer.things) {
    add(things, [thing?.id, thing?.at?.inside]);
    add(places, [thing?.at?.place]);
  }
  return { places, things };
}

/**
 * The identifiers in an answer that master data may describe, in canonical form: the items of the question, then places,
 * classes, and all other things, since few serials have master data of their own.
 */
export function canonicalIn(answer: UnsureAnswer, canonicalOf: CanonicalOf): ReadonlySet<string> {
  const { places, things } = identifiersIn(answer);
  const canonical = (ids: Iterable<string>) => [...ids].map((id) => canonicalOf(id) ?? id);
  const classes = (ids: readonly string[]) => ids.map(classOf).filter(isText);
  const [asked, others] = [canonical(answer.items.filter(isText)), canonical(things)];
  return new Set([...asked, ...classes(asked), ...canonical(places), ...classes(others), ...others]);
}

/** What a gateway is asked for: the first of these identifiers, and the number of all. */
export interface Wanted {
  readonly ids: readonly string[];
  readonly total: number;
}

export function wantedFor(answer: UnsureAnswer, canonicalOf: CanonicalOf): Wanted {
  const all = canonicalIn(answer, canonicalOf);
  return { ids: [...all].slice(0, REQUESTS * IDS), total: all.size };
}

/** The identifiers as parts of query strings, each for one request. */
function* queriesFor(ids: readonly string[]): Generator<{ readonly query: string; readonly count: number }> {
  let [query, count] = ['', 0];
  for (const id of ids) {
    const part = `&${new URLSearchParams({ id })}`;
    // An identifier that no request has room for is not asked for.
    if (part.length > QUERY) continue;
    if (count === IDS || query.length + part.length > QUERY) {
      yield { query, count };
      [query, count] = ['', 0];
    }
    query += part;
    count += 1;
  }
  if (count > 0) yield { query, count };
}

/** A page of master data. */
export interface MasterDataPage {
  readonly elements: readonly Element[];
  readonly nextPageToken?: string | undefined;
}

/** The master data that was found. */
export interface FoundMasterData {
  elements: readonly Element[];
  /** How many of the identifiers were asked for. */
  asked: number;
  readonly total: number;
  /** What ended it early. */
  error: unknown;
}

/**
 * Asks for the master data of identifiers.
 *
 * @param ask asks `GET /masterdata` with a query string
 */
export async function masterDataFor({ ids, total }: Wanted, ask: (query: string) => Promise<MasterDataPage>): Promise<FoundMasterData> {
  const found: FoundMasterData = { elements: [], asked: 0, total, error: undefined };
  let requests = 0;
  try {
    for (const { query, count } of queriesFor(ids)) {
      let token: string | undefined;
      do {
        if (requests === REQUESTS) return found;
        requests += 1;
        const page: MasterDataPage = await ask(`perPage=1000${query}${token === undefined ? '' : `&${new URLSearchParams({ nextPageToken: token })}`}`);
        found.elements = found.elements.concat(page.elements);
        token = page.nextPageToken;
      } while (token !== undefined);
      found.asked += count;
    }
  } catch (error) {
    found.error = error;
  }
  return found;
}

const isAttribute = (one: { readonly id?: unknown } | null): boolean => isText(one?.id);
const isElement = (one: Element | null): boolean => isText(one?.id) && Array.isArray(one?.attributes) && one.attributes.every(isAttribute);

/** A page of master data in a text; undefined if the text is none. */
export function pageIn(text: string): MasterDataPage | undefined {
  if (text.length > LONGEST_PAGE) return undefined;
  let page: { readonly type?: unknown; readonly elements?: unknown; readonly nextPageToken?: unknown } | null;
  try {
    page = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (page?.type === 'EMPTY') return { elements: [] };
  const { elements, nextPageToken } = page ?? {};
  const fits = Array.isArray(elements) && elements.every(isElement) && (nextPageToken === undefined || isText(nextPageToken));
  return fits ? { elements, nextPageToken } : undefined;
}

/** The words about names that are missing; undefined if all were asked for. */
export function missingWords({ asked, total, error }: FoundMasterData): string | undefined {
  const left = total - asked;
  if (left === 0) return undefined;
  const whose = asked === 0 ? 'names' : `names of ${left.toLocaleString('en')} ${left === 1 ? 'identifier' : 'identifiers'}`;
  return error === undefined
    ? `${whose} were not asked for, since there are at most ${REQUESTS} requests of ${QUERY.toLocaleString('en')} bytes`
    : `${whose} could not be asked for: ${(error instanceof Error ? error.message : String(error)).slice(0, 300).replace(/\.$/, '')}`;
}
