// The ways to begin in the Build tool: from a list of serials, or from a template. Their code is loaded when they are opened.
import type { EngineOfPage } from '../../page/state.ts';
import { h, icon, put } from '../../shared/dom.ts';
import { waiting } from '../../shared/parts.ts';

import type { Draft } from './build-further.ts';
import type { OfferedTemplate } from './build-templates.ts';

interface Around {
  readonly engine: EngineOfPage;
  append(drafts: readonly Draft[]): void;
  template(one: OfferedTemplate): void;
}

/** A way to begin. */
interface Way {
  readonly title: string;
  content(): Promise<HTMLElement>;
}

/** Builds the buttons and what they open: `{own}`. `append(drafts)` adds drafts; `template(one)` gets a chosen template. */
export function makeStarts({ engine, append, template }: Around): { readonly own: HTMLElement } {
  const room = h('div', { id: 'build-start', hidden: true });
  let open: Way | undefined;

  const ways: readonly Way[] = [
    {
      title: 'From a list of serials',
      content: async () =>
        (await import('./build-serials-form.ts')).makeSerials({
          engine,
          make(drafts) {
            close();
            append(drafts);
          },
        }),
    },
    {
      title: 'From a template',
      content: async () => {
        const { templates } = await import('./build-templates.ts');
        return h(
          'ul',
          { class: 'build-start build-templates', 'aria-label': 'Templates' },
          templates.map((one) =>
            h(
              'li',
              {},
              h(
                'button',
                {
                  type: 'button',
                  class: 'build-template',
                  onclick: () => {
                    close();
                    template(one);
                  },
                },
                h('b', {}, one.title),
                h('span', {}, one.about),
              ),
            ),
          ),
        );
      },
    },
  ];
  const contents = new Map<Way, HTMLElement>();
  const buttons = ways.map((way) =>
    h(
      'button',
      { type: 'button', class: 'button build-way', 'aria-expanded': 'false', 'aria-controls': 'build-start', onclick: () => toggle(way) },
      icon('right'),
      h('span', {}, way.title),
    ),
  );

  function close() {
    open = undefined;
    room.hidden = true;
    for (const own of buttons) own.setAttribute('aria-expanded', 'false');
  }

  async function toggle(way: Way): Promise<void> {
    if (open === way) {
      close();
      return;
    }
    open = way;
    room.hidden = false;
    for (const [at, own] of buttons.entries()) own.setAttribute('aria-expanded', String(ways[at] === way));
    if (!contents.has(way)) {
      put(room, waiting('Loading'));
      try {
        contents.set(way, await way.content());
      } catch (error) {
        console.warn(error);
        if (open === way) put(room, waiting('This part of the page could not be loaded. Are you offline? Then open it again later.'));
        return;
      }
    }
    if (open === way) put(room, contents.get(way));
  }

  return { own: h('div', { class: 'build-starts' }, h('div', { class: 'form-row' }, buttons), room) };
}
