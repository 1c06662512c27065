// The thread of the language server that reads documents. It answers one question after the other, about the document that it got last.
import type { MessagePort } from 'node:worker_threads';
import type { Engine } from '../document/document-input.ts';
import type { Explained } from './explained.ts';
import { type Checks, type Diagnosed, type EventSymbol, Opened } from './opened.ts';
import type { Settings } from './settings.ts';

/** What is asked, with what. */
export interface Questions {
  readonly diagnose: { readonly settings: Settings };
  readonly explain: { readonly offset: number };
  readonly symbols: object;
}

/** What is answered. */
export interface Answers {
  readonly diagnose: Diagnosed;
  readonly explain: Explained | undefined;
  readonly symbols: readonly EventSymbol[];
}

/** A question to the thread. `text` is absent if it is about the same text as the last one. */
interface Asked<Name extends keyof Questions> {
  readonly id: number;
  readonly ask: Name;
  readonly text?: string;
}

/** What the thread answers. */
export interface Answered {
  readonly id: number;
  readonly answer?: unknown;
  readonly failure?: string;
}

type Answering = { readonly [Name in keyof Questions]: (opened: Opened, asked: Questions[Name]) => Answers[Name] | Promise<Answers[Name]> };

const ANSWERS: Answering = {
  diagnose: (opened, { settings }) => opened.diagnosed(settings),
  explain: (opened, { offset }) => opened.explained(offset),
  symbols: (opened) => opened.symbols(),
};

/** Answers the messages of a port. */
export function answerTo(port: Pick<MessagePort, 'on' | 'postMessage'>, { engine, checks }: { readonly engine: Engine; readonly checks: Checks }): void {
  let opened: Opened | undefined;
  let last = Promise.resolve();
  const send = (answered: Answered) => port.postMessage(answered);
  const answer = async <Name extends keyof Questions>({ id, ask, text, ...rest }: Asked<Name> & Questions[Name]): Promise<void> => {
    try {
      if (text !== undefined) opened = new Opened(engine, checks, text);
      if (opened === undefined) throw new Error('there is no text to answer about');
      send({ id, answer: await ANSWERS[ask](opened, rest as unknown as Questions[Name]) });
    } catch (error) {
      send({ id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  };
  port.on('message', (message) => {
    last = last.then(() => answer(message));
  });
}
