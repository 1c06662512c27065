// What one opened document tells: its verdict, its events, their picture. In the engine's thread of the page and of the web component.
import { attempt } from '../../../wasm/document/attempt.ts';
import type { recognisersFor } from '../../../wasm/document/detect.ts';
import { cutTexts } from '../shared/bounds.ts';
import { type VerdictAnswer, verdictOf } from '../verdict/document-verdict.ts';
import { type AnyEvent, type AnyReport, type EventModel, isObject, listOf, modelOf } from '../events/event-model.ts';
import { sayingOf } from '../events/event-words.ts';
import { type Flow, flowOf, rowsOf, type Timeline, timelineOf } from '../flow/flow.ts';
import { StoryInput } from '../flow/history.ts';
import { type Layout, layout } from '../flow/layout.ts';
import { prettyJson, SHOWN_TEXT } from '../shared/pretty.ts';
import type { Problem } from './answers.ts';
import type { PageEngine } from './page-engine.ts';
import { senderOf, type Story, storyOf } from '../events/story.ts';

/** The events of a document and their picture. */
export interface EventsTold {
  readonly problem?: undefined;
  readonly story: Story;
  readonly sender: string | undefined;
  readonly total: number;
  /** The number of entries that are not objects, such as a number or a list. */
  readonly others: number;
  readonly withdrawn: number;
  readonly page: readonly EventModel[];
  readonly timeline: Timeline | undefined;
  readonly hasExtras: boolean;
  readonly flow: Flow & { readonly layout: Layout };
}

export type EventsAnswer = EventsTold | { readonly total: 0; readonly others: 0; readonly problem: Problem };

/** How a document is opened. */
export interface Opening {
  /** Whether the bytes were made from text, so that they are UTF-8 whatever encoding the XML declaration names. */
  readonly isText?: boolean | undefined;
  /** Those of `detect.ts` for it. */
  readonly recognisers?: Awaited<ReturnType<typeof recognisersFor>> | undefined;
  /** The width of the room for its picture. */
  readonly width?: number | undefined;
}

/** The number of events in a page of cards. */
const PAGE = 25;

/** Whether there may be a map or a chart: two coordinates, or two sensor reports of one type. */
function hasExtras(events: readonly AnyEvent[], text: string): boolean {
  const seen = new Set<unknown>();
  const isSecond = (report: AnyReport | null | undefined) => seen.has(report?.type) || !seen.add(report?.type);
  return (
    /(?:"geo:|[#:]latitude")[^]*(?:"geo:|[#:]latitude")/.test(text) ||
    events.some((event) => listOf(event?.sensorElementList).some((element) => listOf(element?.sensorReport).some(isSecond)))
  );
}

export class DocumentStory {
  /** The document as received, and as the engine gets it. */
  readonly input: StoryInput;
  readonly width: number | undefined;

  /** @param bytes the document as received */
  constructor(engine: PageEngine, bytes: Uint8Array, { isText = false, recognisers, width }: Opening = {}) {
    this.width = width;
    this.input = new StoryInput(engine, bytes, isText, recognisers);
  }

  /** Whether the document is valid, and its errors. */
  verdict(): VerdictAnswer {
    return this.input.once('verdict', () => verdictOf(this.input));
  }

  /** The story in a sentence, the first page of events, the timeline, and the picture of the flows. */
  events(): EventsAnswer {
    if (this.input.foreign !== undefined || this.input.parsed === undefined) return { total: 0, others: 0, problem: this.#reason() };
    const { events, canonicalOf, eventName, names, history } = this.input;
    const known = { canonicalOf, eventName, nameFor: names.nameOf };
    const rows = rowsOf(this.input);
    const flow = flowOf(rows, { ...known, history });
    return {
      story: cutTexts(storyOf(rows.rows, known)),
      sender: cutTexts(senderOf(this.input.parsed, rows.rows, known)),
      total: events.length,
      others: events.filter((event: unknown) => !isObject(event)).length,
      withdrawn: [...events.keys()].filter(history.isWithdrawn).length,
      page: this.eventPage(0),
      timeline: timelineOf(events),
      hasExtras: hasExtras(events, this.input.json.text ?? ''),
      flow: { ...flow, layout: layout(flow.boxes, flow.edges, flow.before, this.width) },
    };
  }

  /** The reason why there are no events. */
  #reason(): Problem {
    const input = this.input;
    if (input.foreign !== undefined) return input.refusal;
    return input.faultOfList() ?? (input.format === 'xml' ? input.translated.problem : attempt(() => input.engine.hash(input.bytes)).problem) ?? input.refusal;
  }

  /** A page of events in readable form. */
  eventPage(from: number): EventModel[] {
    const { events, canonicalOf, names, history } = this.input;
    return events.slice(from, from + PAGE).map((event: AnyEvent, at: number) => {
      const model = modelOf(this.#faithful(event, from + at), from + at, canonicalOf, names.nameOf, history.declarationOf);
      if (!isObject(event)) return model;
      const { title, what } = sayingOf(event, { canonicalOf, nameFor: names.nameOf });
      return { ...model, ...cutTexts({ title, what }) };
    });
  }

  /**
   * The event with every number as `{digits}`, its digits as written: JSON.parse would turn `1.50` into `1.5`. An event without digits in
   * its quantities and sensor data, or of a document over 2 million characters, is returned as it is.
   */
  #faithful(event: AnyEvent, index: number): AnyEvent {
    if (
      !/\d/.test(
        JSON.stringify(event?.sensorElementList ?? '') +
          JSON.stringify(event?.quantityList ?? event?.childQuantityList ?? event?.inputQuantityList ?? event?.outputQuantityList ?? ''),
      )
    )
      return event;
    const text = (this.input.json.text?.length ?? 0) <= 2_000_000 ? this.input.textOf(index) : undefined;
    if (text === undefined) return event;
    // Older browsers do not pass the source of a number to the reviver: the number stays as parsed.
    return JSON.parse(text, (_, value: unknown, context?: { readonly source?: string }) =>
      typeof value === 'number' && typeof context?.source === 'string' ? { digits: context.source } : value,
    );
  }

  /** The JSON text of one event, indented. */
  source(index: number): string {
    const text = this.input.textOf(index);
    return text === undefined ? '' : prettyJson(text).slice(0, SHOWN_TEXT);
  }
}
