// The events of a document as a page reads them: the picture, the timeline, and a card for each event. The panel of events and the web
// component show them.
import type { EventsTold } from '../engine/document-story.ts';
import type { Timeline } from '../flow/flow.ts';
import type { EventModel, FacetName, Moment, Shown } from './event-model.ts';
import type { Story } from './story.ts';
import { button, type Child, h, icon, put, s } from '../shared/dom.ts';
import { codeBlock, itemLink, more, waiting } from '../shared/parts.ts';
import { type AskPath, type ItemLinks, type PictureFiles, showPicture } from '../flow/picture.ts';
import { count, eventsText, moment, span } from '../shared/words.ts';

/** The number of values of a row that are shown at first. */
const FEW = 6;
const FACET_NAMES: Readonly<Record<FacetName, string>> = { what: 'What', when: 'When', where: 'Where', why: 'Why', how: 'How', more: 'More' };

/** Asks the engine for a page of events, and for the source of one. */
export type AskEvents = ((about: 'eventPage', from: number) => Promise<readonly EventModel[]>) & ((about: 'source', index: number) => Promise<string>);

/** What a view of events needs. */
export interface Viewing {
  readonly ask: AskEvents;
  /** The links to the pages of items, and how their paths are asked for. */
  readonly following?: { readonly ask: AskPath; readonly items: ItemLinks };
  readonly files?: () => Promise<PictureFiles>;
  readonly cardTools?: (index: number) => Child;
  readonly listTools?: (count: number) => Child;
}

/**
 * Makes `{content, open}` from the answer `events` of the engine: the elements to show, and a function that scrolls to the card of an event.
 *
 * @param following the links to the pages of items, and their paths; without it, identifiers are plain text
 * @param files loads the code that saves the picture as a file; without it, nothing is saved
 * @param cardTools makes the further buttons of a card, given the index of its event; `listTools` those of the list
 */
export function eventView(
  events: EventsTold,
  { ask, following, files, cardTools = () => [], listTools = () => [] }: Viewing,
): { readonly content: Child[]; open(index: number): Promise<void> } {
  const real = events.total - events.others;
  const items = following?.items;
  const cards = h('div', { class: 'cards', part: 'events' });
  const draw = (model: EventModel) => card(model, { ask, items, cardTools });
  let drawn = 0;
  const drawPage = (page: readonly EventModel[]) => {
    cards.append(...page.map(draw));
    drawn += page.length;
  };
  drawPage(events.page);

  const next = async () => {
    drawPage(await ask('eventPage', drawn));
    return drawn >= events.total;
  };
  const moreButton = events.total > drawn && more(`Show more of ${events.total.toLocaleString('en')}`, next);

  /** Scrolls to the card of an event. Draws the cards before it, or only this card if it is far away. */
  async function open(index: number): Promise<void> {
    if (index >= drawn && index < drawn + 100) while (index >= drawn) await next();
    let target = cards.querySelector<HTMLElement>(`[data-event="${index}"]`);
    if (target === null) {
      const [model] = await ask('eventPage', index);
      if (model === undefined) return;
      cards.querySelector('.is-visitor')?.remove();
      target = draw(model);
      target.classList.add('is-visitor');
      cards.prepend(target);
    }
    target.scrollIntoView({ block: 'nearest', behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth' });
    target.focus({ preventScroll: true });
    const called = target;
    called.classList.remove('is-called');
    requestAnimationFrame(() => called.classList.add('is-called'));
  }

  const content = [
    storyOf(events.story),
    real > 0 &&
      h('section', { class: 'sheet', part: 'picture', role: 'group', 'aria-labelledby': 'flow-title' }, showPicture(events, { open, following, files })),
    events.timeline !== undefined &&
      h('section', { class: 'sheet', part: 'timeline', role: 'group', 'aria-labelledby': 'time-title' }, timeline(events.timeline, open)),
    h(
      'section',
      { role: 'group', 'aria-labelledby': 'cards-title' },
      h('div', { class: 'sheet-head' }, h('h2', { class: 'caption', id: 'cards-title' }, eventsText(real, events.others)), listTools(real)),
      cards,
      moreButton,
    ),
  ];
  return { content, open };
}

/** What happened, in a sentence, and what of it is not counted. */
const storyOf = ({ sentence, note }: Story): Child =>
  sentence !== '' &&
  h('div', { class: 'story', part: 'story' }, h('p', { class: 'story-words' }, sentence), note !== '' && h('p', { class: 'story-note' }, note));

function timeline({ from, to, start, end, slices, bars, highest }: Timeline, open: (index: number) => unknown): Child {
  const [width, height, foot] = [600, 64, 14];
  const slot = width / slices;
  const label = ({ time, offset }: Moment): string => moment(time, offset);
  const marks = bars.map(({ at, total, first, moment: earliest, tones }) => {
    let y = height - foot;
    const words = `${count(total, 'event')}, ${total > 1 ? 'from ' : ''}${label(earliest)}`;
    return s(
      'g',
      {
        class: 'bar',
        role: 'button',
        tabindex: '0',
        'aria-label': words,
        onclick: () => open(first),
        onkeydown: (event) => (event.key === 'Enter' || event.key === ' ') && (event.preventDefault(), open(first)),
      },
      s('title', {}, words),
      s('rect', { class: 'bar-room', x: at * slot, y: 0, width: slot, height: height - foot }),
      Object.entries(tones).map(([tone, number]) => {
        const tall = Math.max(5, (number / highest) * (height - foot - 6));
        y -= tall + 1;
        return s('rect', { class: `tone-${tone}`, x: at * slot + 1, y, width: Math.max(slot - 2, 3), height: tall, rx: 2 });
      }),
    );
  });
  return [
    h(
      'div',
      { class: 'sheet-head' },
      h('h2', { class: 'caption', id: 'time-title' }, 'Over time'),
      h('span', { class: 'fine' }, to === from ? 'all at the same time' : span(to - from)),
    ),
    s(
      'svg',
      { class: 'timeline', viewBox: `0 0 ${width} ${height - foot + 2}`, role: 'group', 'aria-label': 'Events over time', preserveAspectRatio: 'none' },
      s('line', { class: 'axis', x1: 0, x2: width, y1: height - foot, y2: height - foot }),
      marks,
    ),
    h('div', { class: 'timeline-ends' }, h('span', {}, label(start)), to !== from && h('span', {}, label(end))),
  ];
}

function card(
  model: EventModel,
  { ask, items, cardTools }: { readonly ask: AskEvents; readonly items: ItemLinks | undefined; readonly cardTools: (index: number) => Child },
): HTMLElement {
  const id = `event-${model.index}`;
  const isWithdrawn = (model.error ?? model.withdrawnBy) !== undefined;
  const raw = h('div', { class: 'card-source', hidden: true });
  const toggle: HTMLButtonElement = button(
    'indent',
    'JSON',
    async () => {
      const isShown = raw.hidden;
      if (isShown && raw.childElementCount === 0) {
        raw.append(waiting('Reading'));
        put(raw, codeBlock(await ask('source', model.index), `Event ${model.index + 1} as JSON`));
      }
      raw.hidden = !isShown;
      toggle.setAttribute('aria-expanded', String(isShown));
    },
    { class: 'button quiet', 'aria-expanded': 'false' },
  );
  return h(
    'article',
    {
      class: `card tone-edge-${model.tone} ${isWithdrawn ? 'is-withdrawn' : ''}`,
      part: isWithdrawn ? 'event withdrawn' : 'event',
      dataset: { event: model.index },
      tabindex: '-1',
      'aria-labelledby': id,
    },
    h(
      'header',
      { class: 'card-head' },
      h('span', { class: `card-number tone-${model.tone}` }, String(model.index + 1)),
      h(
        'div',
        { class: 'card-title' },
        h('h3', { id, part: 'event-title' }, isWithdrawn ? h('s', {}, model.title) : model.title),
        model.what !== '' && h('p', { class: 'card-what' }, model.what),
        h(
          'p',
          {},
          h('span', { class: `type-name tone-text-${model.tone}` }, model.type),
          model.step && h('span', { class: 'action' }, model.step),
          model.action && h('span', { class: 'action' }, model.action.toLowerCase()),
          model.clock
            ? h('time', { datetime: model.time, title: model.time }, `${model.clock.day}, ${model.clock.clock} ${model.clock.zone}`)
            : model.time && h('time', {}, model.time),
        ),
      ),
      h('div', { class: 'card-tools' }, toggle, cardTools(model.index)),
    ),
    isWithdrawn &&
      h(
        'div',
        { class: 'declared' },
        icon('warn'),
        h(
          'p',
          {},
          h('b', {}, 'Declared in error'),
          model.error === undefined && ` by event ${(model.withdrawnBy ?? 0) + 1}`,
          model.error?.time && ` on ${model.error.time}`,
          model.error?.reason && `: ${model.error.reason}`,
          model.error !== undefined && model.error.corrections.length > 0 && [' Corrected by ', model.error.corrections.map((name) => h('code', {}, name))],
        ),
      ),
    h(
      'div',
      { class: 'facets' },
      model.facets.filter(({ name }) => name !== 'when' || model.clock === undefined || hasMore(model, 'when')).map((entry) => facet(entry, items)),
    ),
    raw,
  );
}

/** Whether a facet has more than one row; the head of the card already shows the first. */
const hasMore = (model: EventModel, name: FacetName) => (model.facets.find((entry) => entry.name === name)?.rows.length ?? 0) > 1;

function facet({ name, rows }: EventModel['facets'][number], items: ItemLinks | undefined): HTMLElement {
  return h(
    'section',
    { class: `facet facet-${name}` },
    h('h4', {}, FACET_NAMES[name]),
    h(
      'dl',
      {},
      rows.map(({ label, total, values }) => h('div', {}, h('dt', {}, label), h('dd', {}, list(values, total, items)))),
    ),
  );
}

function list(values: readonly Shown[], total: number, items: ItemLinks | undefined): Child {
  const entries = (part: readonly Shown[]) =>
    part.map(({ text, full, name, item, note, amount, isCode, alarm }) =>
      h(
        'li',
        { class: alarm ? 'is-alarm' : '' },
        alarm && [h('b', {}, icon('warn'), alarm), ' '],
        amount && h('b', { class: 'amount' }, `${amount} `),
        name && [h('b', { class: 'known-name' }, name), ' '],
        item === undefined || items === undefined
          ? h(isCode ? 'code' : 'span', { title: full !== text ? full : undefined }, text)
          : itemLink(text, `About ${item}`, items.linkOf(item)),
        note && h('em', {}, note),
      ),
    );
  const own = h('ul', { class: 'values' }, entries(values.slice(0, FEW)));
  if (total > FEW) {
    const rest = h(
      'button',
      {
        type: 'button',
        class: 'link',
        onclick: () => {
          own.append(...entries(values.slice(FEW)));
          if (total > values.length) own.append(h('li', { class: 'fine' }, `and ${(total - values.length).toLocaleString('en')} more in the document`));
          rest.remove();
        },
      },
      `${(total - FEW).toLocaleString('en')} more`,
    );
    return [own, rest];
  }
  return own;
}
