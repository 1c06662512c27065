// The engine's end of the component: the stages of a document, questions about it, and the page of an item from a gateway.
import { recognisersFor } from '../../../wasm/document/detect.ts';
import { DocumentStory, type Opening } from '../engine/document-story.ts';
import { type GatewayAnswer, itemOf, sourceOf, wantedOf } from '../tools/gateway/gateway-item.ts';
import { engine, init } from '../engine/page-engine.ts';
import type { Extras } from '../events/document-extras.ts';
import type { StoryInput } from '../flow/history.ts';
import { type Port, serve } from '../engine/thread.ts';

/** What an element asks about its document. The map and the charts are in a file of their own. */
const QUESTIONS = {
  eventPage: (own: DocumentStory, from: number) => own.eventPage(from),
  source: (own: DocumentStory, index: number) => own.source(index),
  extras: async (own: DocumentStory, url: string): Promise<Extras> => ((await import(url)) as { extrasOf(input: StoryInput): Extras }).extrasOf(own.input),
};

/** What an element asks about the answer of a gateway. */
const TOOLS = {
  itemOf: async (given: GatewayAnswer) => itemOf(given, engine.identifiers),
  itemWants: async (text: string) => wantedOf(text, engine.identifiers),
  itemSource: async ({ text, position }: { readonly text: string; readonly position: number }) => sourceOf(text, position),
};

export type Questions = typeof QUESTIONS;
export type Tools = typeof TOOLS;
/** How an element opens a document. */
export type ElementOptions = Pick<Opening, 'isText' | 'width'>;

/** Serves an element at the other end of a port. In the page's thread all elements share one engine. */
export const serveElement = (port: Port): void =>
  serve<DocumentStory, ElementOptions, 'verdict' | 'events'>(port, {
    load: init,
    open: async (bytes, { isText, width }) => new DocumentStory(engine, bytes, { isText, width, recognisers: await recognisersFor(bytes) }),
    stagesOf: () => ['verdict', 'events'],
    answer: (own, stage) => own[stage](),
    questions: QUESTIONS,
    tools: TOOLS,
  });
