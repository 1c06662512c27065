// The panel of an item: its page, over the open document.
import type { EventsAnswer } from '../engine/document-story.ts';
import type { Page } from '../page/page.ts';
import { announce, button, put } from '../shared/dom.ts';
import { itemPage, printButton } from './item-page.ts';
import { banner, refusal, waiting } from '../shared/parts.ts';

/** Fills the panel with the page of the chosen item. */
export async function showItem(
  panel: HTMLElement,
  events: EventsAnswer,
  { ask, state, items, openEvent, jumpToProblem, shareItem, baseName }: Page,
): Promise<void> {
  if (events.problem !== undefined) {
    put(panel, refusal(events.problem, jumpToProblem));
    return;
  }
  const id = state.item;
  if (id === undefined) return;
  put(panel, waiting('Following the item'));
  const { model, problem } = await ask('item', id);
  if (state.item !== id) return;
  if (problem !== undefined) {
    put(panel, banner('bad', problem.title ?? 'Not followed', problem.detail));
    return;
  }
  put(
    panel,
    itemPage(model, {
      linkOf: items.linkOf,
      openEvent: (index) => openEvent(index),
      tools: [button('share', 'Copy link', () => shareItem(), { class: 'button quiet' }), printButton()],
      scope: `This is what the events of ${baseName() === '' ? 'this document' : baseName()} say, and no more. Worked out on this page.`,
    }),
  );
  announce(`About ${model.name ?? model.text}`);
  // The link that was followed to come here may be gone.
  if (document.activeElement === document.body) panel.querySelector<HTMLElement>('#item-title')?.focus({ preventScroll: true });
}
