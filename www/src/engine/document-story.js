// What one opened document tells: its verdict, its events, their picture. In the engine's thread of the page and of the web component.
import { attempt } from '../../../wasm/document/attempt.ts';
import { cutTexts } from '../shared/bounds.js';
import { verdictOf } from '../verdict/document-verdict.js';
import { isObject, listOf, modelOf } from '../events/event-model.js';
import { sayingOf } from '../events/event-words.js';
import { flowOf, rowsOf, timelineOf } from '../flow/flow.js';
import { StoryInput } from '../flow/history.js';
import { layout } from '../flow/layout.js';
import { prettyJson, SHOWN_TEXT } from '../shared/pretty.js';
import { senderOf, storyOf } from '../events/story.js';

/** The number of events in a page of cards. */
const PAGE = 25;

/** Whether there may be a map or a chart: two coordinates, or two sensor reports of one type. */
function hasExtras(events, text) {
  const seen = new Set();
  const isSecond = (report) => seen.has(report?.type) || !seen.add(report?.type);
  return (
    /(?:"geo:|[#:]latitude")[^]*(?:"geo:|[#:]latitude")/.test(text) ||
    events.some((event) => listOf(event?.sensorElementList).some((element) => listOf(element?.sensorReport).some(isSecond)))
  );
}

export class DocumentStory {
  /** The document as received, and as the engine gets it. */
  input;

  /**
   * @param bytes the document as received. `isText`: the bytes were made from text, so they are UTF-8 whatever encoding the XML
   *   declaration names. `recognisers` are those of `detect.js` for it; `width` is
   *   that of the room for its picture
   */
  constructor(engine, bytes, { isText = false, recognisers, width } = {}) {
    this.width = width;
    this.input = new StoryInput(engine, bytes, isText, recognisers);
  }

  /** Whether the document is valid, and its errors. */
  verdict() {
    return this.input.once('verdict', () => verdictOf(this.input));
  }

  /** The story in a sentence, the first page of events, the timeline, and the picture of the flows. */
  events() {
    if (this.input.foreign !== undefined || this.input.parsed === undefined) return { total: 0, others: 0, problem: this.#reason() };
    const { events, canonicalOf, eventName, names, history } = this.input;
    const known = { canonicalOf, eventName, nameFor: names.nameOf };
    const rows = rowsOf(this.input);
    const flow = flowOf(rows, { ...known, history });
    return {
      story: cutTexts(storyOf(rows.rows, known)),
      sender: cutTexts(senderOf(this.input.parsed, rows.rows, known)),
      total: events.length,
      /** The number of entries that are not objects, such as a number or a list. */
      others: events.filter((event) => !isObject(event)).length,
      withdrawn: [...events.keys()].filter(history.isWithdrawn).length,
      page: this.eventPage(0),
      timeline: timelineOf(events),
      hasExtras: hasExtras(events, this.input.json.text),
      flow: { ...flow, layout: layout(flow.boxes, flow.edges, flow.before, this.width) },
    };
  }

  /** The reason why there are no events. */
  #reason() {
    const input = this.input;
    if (input.foreign !== undefined) return input.refusal;
    return input.faultOfList() ?? (input.format === 'xml' ? input.translated.problem : attempt(() => input.engine.hash(input.bytes)).problem);
  }

  /** A page of events in readable form. */
  eventPage(from) {
    const { events, canonicalOf, names, history } = this.input;
    return events.slice(from, from + PAGE).map((event, at) => {
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
  #faithful(event, index) {
    if (
      !/\d/.test(
        JSON.stringify(event?.sensorElementList ?? '') +
          JSON.stringify(event?.quantityList ?? event?.childQuantityList ?? event?.inputQuantityList ?? event?.outputQuantityList ?? ''),
      )
    )
      return event;
    const text = this.input.json.text.length <= 2_000_000 ? this.input.textOf(index) : undefined;
    if (text === undefined) return event;
    // Older browsers do not pass the source of a number to the reviver: the number stays as parsed.
    return JSON.parse(text, (_, value, context) => (typeof value === 'number' && typeof context?.source === 'string' ? { digits: context.source } : value));
  }

  /** The JSON text of one event, indented. */
  source(index) {
    const text = this.input.textOf(index);
    return text === undefined ? '' : prettyJson(text).slice(0, SHOWN_TEXT);
  }
}
