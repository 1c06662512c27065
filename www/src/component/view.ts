// What the element shows: a verdict with its events, the page of an item, a problem, or that it is waiting.
import type { EpcisProblem } from '../../../wasm/js/component/index.ts';
import type { Problem } from '../engine/answers.ts';
import type { EventsAnswer } from '../engine/document-story.ts';
import type { Ask } from '../engine/engine.ts';
import type { ItemAnswer, Tool } from '../tools/gateway/gateway-calls.ts';
import type { ItemModel } from '../item/item-shown.ts';
import type { VerdictAnswer, VerdictError } from '../verdict/document-verdict.ts';
import type { Questions } from './serve.ts';
import { button, type Child, copyButton, h } from '../shared/dom.ts';
import { eventView } from '../events/event-view.ts';
import { itemPage, toggleSource } from '../item/item-page.ts';
import { banner, more, refusal, rich, waiting } from '../shared/parts.ts';
import { errorContent, found, verdictWords } from '../verdict/verdict-view.ts';
import { count } from '../shared/words.ts';

/** The number of errors that are shown at first, and with each further step. */
const ERRORS = 20;

export const waitingView = (words: string): HTMLElement => waiting(words);

/** A problem: its title, its sentence, and what was expected. */
export const problemView = ({ title, detail, location, expected }: EpcisProblem): HTMLElement =>
  h(
    'div',
    { class: 'refusal', part: 'problem', role: 'alert' },
    banner('bad', title, undefined),
    h('p', { class: 'refusal-detail' }, rich(detail)),
    location !== undefined && h('p', { class: 'fine' }, `Line ${location.line}, column ${location.column}`),
    expected !== undefined && !detail.includes(expected) && h('p', { class: 'fine' }, rich(`Expected: ${expected}`)),
  );

/** The verdict on a document, with its errors. */
export function verdictView(verdict: VerdictAnswer): HTMLElement {
  const { errors } = verdict;
  const row = (error: VerdictError) => h('li', {}, h('div', { class: `error ${error.follows ? 'is-consequence' : ''}` }, errorContent(error)));
  const list = h('ol', { class: 'errors' });
  const next = () => {
    const from = list.childElementCount;
    list.append(...errors.slice(from, from + ERRORS).map(row));
    return list.childElementCount >= errors.length;
  };
  const isWhole = next();
  return h(
    'div',
    { part: `verdict ${verdict.valid ? 'valid' : 'not-valid'}` },
    banner(...verdictWords(verdict)),
    errors.length > 0 &&
      h(
        'details',
        { class: 'plain', part: 'errors' },
        h('summary', {}, `Show ${found(errors.length)}`),
        list,
        !isWhole && more(`Show ${ERRORS} more errors`, next),
      ),
  );
}

/** The events of a document. `draw(room, open)` fills the room of the map and the charts. */
export function eventsView(events: EventsAnswer, ask: Ask<Questions>, draw: (room: HTMLElement, open: (index: number) => unknown) => unknown): Child {
  if (events.problem !== undefined) return refusal(events.problem);
  if (events.total === 0) return banner('calm', 'No events');
  const { content, open } = eventView(events, { ask });
  const room = events.hasExtras && h('div', { class: 'extras' });
  if (room) draw(room, open);
  return [...content.slice(0, -1), room, content.at(-1)];
}

/** A message of the EPCIS interface, which has no events. */
export const messageView = ({ title, detail }: Problem): HTMLElement => banner('calm', title, detail);

export const backButton = (back: () => unknown): HTMLElement => button('left', 'Back', back, { class: 'button quiet' });

/**
 * The page of an item at a gateway.
 *
 * @param answer what `itemAt` of `gateway-calls.ts` returns
 * @param follow shows another item; `back` the one before; `ask` asks the engine for an event
 */
export function itemView(
  { model, missing, text, elements }: Pick<ItemAnswer, 'missing' | 'text' | 'elements'> & { readonly model: ItemModel },
  { gateway, follow, back, ask }: { readonly gateway: string; follow(item: string): unknown; readonly back: (() => unknown) | undefined; readonly ask: Tool },
): HTMLElement {
  return itemPage(model, {
    linkOf: (item) => ({ onclick: () => follow(item) }),
    openEvent: (position, opener) => toggleSource(opener, () => ask('itemSource', { text, position })),
    tools: [back !== undefined && backButton(back), copyButton(model.spelling, 'Copy identifier')],
    scope: `This is what the events at ${new URL(gateway).host} say, and no more.${elements.length > 0 ? ' Names are from its master data.' : ''}`,
    remark: missing,
  });
}

/** What a document has, for screen readers. */
export const spokenDocument = (verdict: VerdictAnswer, events: EventsAnswer): string =>
  `${verdict.valid ? 'Valid' : `Not valid, ${found(verdict.errors.length)}`}, ${count(events.total - events.others, 'event')}`;
