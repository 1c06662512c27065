// The engine's end of the component: the stages of a document, questions about it, and the page of an item from a gateway.
import * as compiled from '../../../wasm/dist/epcis_edge.js';
import { makeApi } from '../../../wasm/js/api.js';
import { makeEntry } from '../../../wasm/js/load.js';
import { recognisersFor } from '../../../wasm/document/detect.js';
import { DocumentStory } from '../document-story.js';
import { itemOf, sourceOf, wantedOf } from '../gateway-item.js';
import { serve } from '../thread.js';

// An entry point of its own: the others name the address of a wasm file, which a bundler would copy.
const { init, ...engine } = makeEntry(compiled, makeApi, {});

/** Serves an element at the other end of a port. In the page's thread all elements share one engine. */
export const serveElement = (port) =>
  serve(port, {
    load: init,
    open: async (bytes, { isText }) => new DocumentStory(engine, bytes, { isText, recognisers: await recognisersFor(bytes) }),
    stagesOf: () => ['verdict', 'events'],
    answer: (own, stage) => own[stage](),
    questions: {
      eventPage: (own, from) => own.eventPage(from),
      source: (own, index) => own.source(index),
    },
    tools: {
      itemOf: (given) => itemOf(given, engine.identifiers),
      itemWants: (text) => wantedOf(text, engine.identifiers),
      itemSource: ({ text, position }) => sourceOf(text, position),
    },
  });
