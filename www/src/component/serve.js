// The engine's end of the component: the stages of a document, questions about it, and the page of an item from a gateway.
import { recognisersFor } from '../../../wasm/document/detect.ts';
import { DocumentStory } from '../engine/document-story.ts';
import { itemOf, sourceOf, wantedOf } from '../tools/gateway/gateway-item.ts';
import { engine, init } from '../engine/page-engine.ts';
import { serve } from '../engine/thread.ts';

/** Serves an element at the other end of a port. In the page's thread all elements share one engine. */
export const serveElement = (port) =>
  serve(port, {
    load: init,
    open: async (bytes, { isText, width }) => new DocumentStory(engine, bytes, { isText, width, recognisers: await recognisersFor(bytes) }),
    stagesOf: () => ['verdict', 'events'],
    answer: (own, stage) => own[stage](),
    questions: {
      eventPage: (own, from) => own.eventPage(from),
      source: (own, index) => own.source(index),
      extras: async (own, url) => (await import(url)).extrasOf(own.input),
    },
    tools: {
      itemOf: (given) => itemOf(given, engine.identifiers),
      itemWants: (text) => wantedOf(text, engine.identifiers),
      itemSource: ({ text, position }) => sourceOf(text, position),
    },
  });
