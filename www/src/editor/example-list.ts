// The examples: their list above the editor, and their tiles in an empty document.
import type { OpenText, State } from '../page/state.ts';
import type { Tabs } from '../page/tabs.ts';
import { announce, h } from '../shared/dom.ts';

/** An example, as `examples/index.json` lists it. */
interface Example {
  readonly name: string;
  readonly file: string;
  readonly title: string;
  readonly about: string;
  readonly tab: string;
}

export interface Examples {
  readonly choice: HTMLSelectElement;
  open(name: string | undefined, isByPerson: boolean): Promise<void>;
  has(name: string): boolean;
  readonly first: string | undefined;
  load(): Promise<unknown>;
  show(room: HTMLElement): void;
}

/** What examples need of the page. */
interface Around {
  readonly state: Pick<State, 'tab'>;
  readonly tabs: Tabs;
  readonly openText: OpenText;
  /** Returns a function that says whether nothing else was opened since. */
  waitingForIt(): () => boolean;
}

const file = (name: string) => new URL(`../examples/${name}`, import.meta.url);

/**
 * Makes the examples. `openText` opens one, and the chosen tab follows it: `tabs`, and the `tab` of `state`. `waitingForIt` is called before
 * an example is fetched.
 */
export function makeExamples({ state, tabs, openText, waitingForIt }: Around): Examples {
  let listed: readonly Example[] = [];
  const choice: HTMLSelectElement = h(
    'select',
    { class: 'select', id: 'examples', 'aria-label': 'Examples', onchange: () => choice.value !== '' && open(choice.value, true) },
    h('option', { value: '' }, 'Examples…'),
  );

  async function open(name: string | undefined, isByPerson: boolean) {
    const example = listed.find((entry) => entry.name === name);
    if (example === undefined) return;
    const isStillWanted = waitingForIt();
    const text = await fetch(file(example.file)).then((response) => response.text());
    if (!isStillWanted()) return;
    const before = state.tab;
    tabs.choose(example.tab);
    if (!openText(text, { name: example.file, example: example.name }, { isNew: isByPerson })) {
      tabs.choose(before);
      choice.value = '';
    } else if (isByPerson) announce(`Example: ${example.title}`);
  }

  return {
    choice,
    open,
    has: (name) => listed.some((entry) => entry.name === name),
    /** The name of the first example, which opens by itself. */
    get first() {
      return listed[0]?.name;
    },
    /** Loads the list. If that fails, there are no examples. */
    load: () =>
      fetch(file('index.json'))
        .then((response) => response.json())
        .then(
          (list: readonly Example[]) => (listed = list),
          () => undefined,
        ),
    /** Shows the list that was loaded; the tiles go into `room`. */
    show(room) {
      choice.append(...listed.map(({ name, title }) => h('option', { value: name }, title)));
      room.append(
        h(
          'div',
          { class: 'empty-words' },
          h('p', { class: 'empty-title' }, 'Paste EPCIS here, or drop files'),
          h('p', {}, 'JSON-LD 2.0, XML 1.0 to 2.0, an array of events, or NDJSON; the format is detected automatically.'),
        ),
        h(
          'ul',
          { class: 'tiles' },
          listed.map(({ name, title, about }) =>
            h('li', {}, h('button', { type: 'button', class: 'tile', onclick: () => open(name, true) }, h('b', {}, title), h('span', {}, about))),
          ),
        ),
      );
    },
  };
}
