// An array of events or NDJSON, which the page turns into a document.
//
// How are an array of events and NDJSON validated?
// The schema knows neither. So the page puts an EPCISDocument around them, keeping every character, and shifts each
// place that is found back to the original text.
import { attempt, type Refused } from './attempt.ts';
import { Lines } from './text-lines.ts';

/** How a text holds events: as a document, as a list of events, as NDJSON, one event per line, or in a SOAP message. */
export type Shape = 'document' | 'array' | 'lines' | 'soap';

export function shapeOf(text: string): Shape {
  const head = text.replace(/^\uFEFF/, '').trimStart();
  if (head.startsWith('[')) return 'array';
  const end = head.indexOf('\n');
  if (!head.startsWith('{') || end === -1) return 'document';
  const first = head.slice(0, end).trim();
  if (!first.endsWith('}') || head.slice(end).trimStart()[0] !== '{') return 'document';
  try {
    JSON.parse(first);
    return 'lines';
  } catch {
    return 'document';
  }
}

const BEFORE =
  '{"@context":["https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld"],"type":"EPCISDocument","schemaVersion":"2.0","creationDate":"2026-01-01T00:00:00Z","epcisBody":{"eventList":';

/** A text in another one: each of its characters is moved by `shift`. */
export interface Shifted {
  readonly text: string;
  readonly shift: number;
}

/** Puts a document around a list of events or NDJSON. Undefined if the list is not JSON. */
export function wrapped(list: string, shape: Shape): Shifted | undefined {
  const [start, end] = shape === 'array' ? [BEFORE, '}}'] : [`${BEFORE}[`, ']}}'];
  let events = list.replace(/^\uFEFF/, ' ');
  // A line end that is followed by another event becomes a comma of the same length, so that no offset changes.
  if (shape === 'lines') events = events.replace(/\r?\n(?=[^\S\n]*\S)/g, (lineEnd) => `${lineEnd.slice(0, -1)},`);
  const text = start + events + end;
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  return { text, shift: start.length };
}

/** The document around a list of events, NDJSON or a single event, created at `now`; undefined if that is not JSON. */
export function documentAround(list: string, shape: Shape | 'event', now: string): string | undefined {
  const { text } = wrapped(shape === 'event' ? `[${list.replace(/^\uFEFF/, '')}]` : list, shape === 'event' ? 'array' : shape) ?? {};
  return text?.replace(/"creationDate":"[^"]*"/, `"creationDate":"${now}"`);
}

/**
 * Turns a problem of the wrapped document into one of the list that the user wrote. The path `/epcisBody/eventList/2/type` becomes
 * `/type` of event 3, and the line and column are those of the list. `list` is the text of the list, `text` that of the document.
 */
export function problemOfList(problem: Refused, { list, text, shift }: Shifted & { readonly list: string }): Refused {
  if (problem.location === undefined) return problem;
  const { line, column } = problem.location;
  const place = new Lines(list).placeOf(new Lines(text).offset(line, column) - shift);
  const detail = problem.detail?.replace(
    /, at line \d+ column \d+(?:, in `\/epcisBody\/eventList\/(\d+)([^`]*)`)?/,
    (_, index: string | undefined, path: string) =>
      `, at line ${place.line} column ${place.column}${index === undefined ? '' : `, in ${path ? `\`${path}\` of ` : ''}event ${Number(index) + 1}`}`,
  );
  return { ...problem, detail, location: { ...problem.location, ...place } };
}

/** The problem of the first line of NDJSON that is not JSON, with its line number. */
export function faultOfLines(text: string, validate: (document: string) => unknown): Refused | undefined {
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const { problem } = attempt(() => validate(line));
    if (problem !== undefined) return { ...problem, location: problem.location && { ...problem.location, line: at + 1 } };
  }
  return undefined;
}
