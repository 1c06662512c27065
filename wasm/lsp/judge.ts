// @ts-nocheck
// The thread of the language server that reads documents. It answers one question after the other, about the document that it got last.
import { Opened } from './opened.ts';

/** What may be asked, and the answer of an `Opened`. */
const ANSWERS = {
  diagnose: (opened, { settings }) => opened.diagnosed(settings),
  explain: (opened, { offset }) => opened.explained(offset),
  symbols: (opened) => opened.symbols(),
};

/**
 * Answers the messages `{id, ask, text, …}` of a port with `{id, answer}` or `{id, failure}`. `text` is absent if the question is about
 * the same text as the last one.
 *
 * @param engine the functions of `epcis-edge`
 * @param checks the functions of `epcis-edge/check`
 */
export function answerTo(port, { engine, checks }) {
  let opened;
  let last = Promise.resolve();
  const answer = async ({ id, ask, text, ...rest }) => {
    try {
      if (text !== undefined) opened = new Opened(engine, checks, text);
      port.postMessage({ id, answer: await ANSWERS[ask](opened, rest) });
    } catch (error) {
      port.postMessage({ id, failure: error?.stack ?? String(error) });
    }
  };
  port.on('message', (message) => {
    last = last.then(() => answer(message));
  });
}
