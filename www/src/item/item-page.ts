// The page of an item: what it is, where it is, its life in sentences, its contents, its origin, and what is uncertain.
import { type Attributes, button, type Child, h, icon } from '../shared/dom.ts';
import { banner, codeBlock, itemLink, more, rich } from '../shared/parts.ts';
import { count } from '../shared/words.ts';

/** How many sentences or rows are drawn at a time. */
const PAGE = 100;

import type { Content, Cut, ItemModel, Link, Part, PlaceRef, Sentence, ThingRef, Tied } from './item-shown.ts';

/** What the page of an item needs beside its model. */
interface Showing {
  linkOf(id: string): Attributes;
  openEvent(open: number, opener: Element): unknown;
  readonly tools?: readonly Child[];
  readonly scope: string;
  readonly remark?: string | undefined;
  readonly titleId?: string;
}

/**
 * Makes the page from a model of `item-model.ts`. `linkOf(id)` gives the attributes of a link to another item, `openEvent(open, element)`
 * shows an event, `tools` are buttons beside the title, `scope` says whose events these are, and `remark` what else the reader must know.
 */
export function itemPage(model: ItemModel, { linkOf, openEvent, tools = [], scope, remark, titleId = 'item-title' }: Showing): HTMLElement {
  const thing = ({ item, text, name }: ThingRef): Child => {
    const link = itemLink(text, item, linkOf(item));
    return name === undefined ? link : [h('b', {}, name), ' (', link, ')'];
  };
  const place = ({ place: id, text, name }: PlaceRef) =>
    h('span', { class: 'item-place', title: id }, name === undefined ? text : [h('b', {}, name), ` (${text})`]);
  const part = (one: Part) => (typeof one === 'string' ? one : one.item !== undefined ? thing(one) : place(one));
  const parts = (words: readonly Part[]) => words.map(part);
  /** A time that opens its event. */
  const time = (own: Link | undefined, words = ''): Child => {
    if (own?.when === undefined) return '';
    const { date, clock } = own.when;
    const text = date === '' ? 'At an unknown time' : `${words}${date}${words === 'On ' && clock !== '' ? `, ${clock.split(' ')[0]}` : ''}`;
    const { open } = own;
    if (open === undefined) return h('span', { title: clock }, text);
    return h(
      'button',
      {
        type: 'button',
        class: 'link',
        title: `${clock === '' ? '' : `${clock}. `}Show the event`,
        onclick: ({ currentTarget }) => openEvent(open, currentTarget as Element),
      },
      text,
    );
  };
  const section = (title: string, ...content: readonly Child[]) => h('section', { class: 'item-section' }, h('h3', {}, title), content);
  const noted = (notes: readonly string[], kind = '') => notes.map((words) => [h('em', { class: `item-note ${kind}` }, words), ' ']);

  /** A list that grows by pages. `total` may be more than the list has. */
  function growing<Entry>({ list, total }: Cut<Entry>, row: (entry: Entry) => HTMLElement, tag: 'ul' | 'ol' = 'ul', attributes: Attributes = {}): Child {
    const own = h(tag, { class: 'item-list', ...attributes });
    const next = () => {
      const from = own.childElementCount;
      own.append(...list.slice(from, from + PAGE).map(row));
      return own.childElementCount >= list.length;
    };
    const isWhole = next();
    return [
      own,
      !isWhole && more(`Show more of ${count(total, 'entry').replace('entrys', 'entries')}`, next),
      total > list.length && h('p', { class: 'fine' }, `The first ${list.length.toLocaleString('en')} of ${total.toLocaleString('en')} are listed.`),
    ];
  }

  const { where } = model;
  const isSomewhere = where?.place ?? where?.inside ?? where?.disposition;
  const here = where !== undefined && [
    where.ended !== undefined && h('p', { class: 'item-ended' }, 'Its life ended ', time(where.ended, 'on '), '. Before that, it was last:'),
    where.isLot && isSomewhere && h('p', { class: 'fine' }, 'A lot or class can be in several places at once. This is what its last events say.'),
    isSomewhere
      ? h(
          'dl',
          { class: 'item-facts' },
          where.place && fact('Place', place(where.place), ', last seen there ', time(where.place, 'on ')),
          where.inside && fact('Inside', thing(where.inside), where.inside.when && [', since ', time(where.inside)]),
          where.disposition && fact('Disposition', where.disposition.text, where.disposition.when && [', stated ', time(where.disposition, 'on ')]),
        )
      : h('p', {}, 'Its events say neither a place nor a state.'),
  ];

  const sentence = ({ words, notes, alarms, ...own }: Sentence) =>
    h('li', {}, time(own, 'On '), ' ', parts(words), ' ', noted(notes), noted(alarms, 'is-alarm'));
  const content = ({ item, through, from, to, amount, isPossible, isObserved, isImplied }: Content) =>
    h(
      'li',
      {},
      amount !== undefined && h('b', { class: 'amount' }, `${amount} `),
      thing(item),
      through.length > 0 && [' in ', [...through].reverse().map((one, at) => [at > 0 && ' in ', thing(one)])],
      ', ',
      isObserved ? 'seen inside ' : to === undefined ? 'since ' : 'from ',
      time(from),
      to !== undefined && [' until ', time(to)],
      ' ',
      noted(
        [isPossible && 'possible, not certain', isImplied && 'the end is implied'].filter((words) => words !== false),
        'is-alarm',
      ),
    );
  const tied = ({ item, depth, from, isPossible }: Tied) =>
    h(
      'li',
      { class: depth > 1 ? 'is-deeper' : '' },
      thing(item),
      ', ',
      time(from, 'on '),
      depth > 1 && h('em', { class: 'item-note' }, `over ${count(depth, 'transformation')}`),
      isPossible && noted(['possible, not certain'], 'is-alarm'),
    );

  return h(
    'article',
    { class: 'item-page', part: 'item', 'aria-labelledby': titleId },
    h(
      'header',
      { class: 'item-head' },
      h(
        'div',
        { class: 'item-words' },
        h('h2', { id: titleId, tabindex: '-1' }, model.name ?? model.text),
        h('p', {}, [model.kind, model.name !== undefined && model.text].filter(Boolean).join(' · ')),
      ),
      h('div', { class: 'item-tools' }, tools),
    ),
    section(
      'What it is',
      h(
        'dl',
        { class: 'item-facts' },
        fact('Identifier', h('code', {}, model.spelling)),
        model.id !== model.spelling && fact('Digital Link', h('code', {}, model.id)),
        model.split.map(([name, value]) => fact(name, value)),
        where?.began && fact('Began', time(where.began, 'on ')),
        model.facts.list.map(({ label, full, value, open }) =>
          fact(h('span', { title: full }, label), value, open !== undefined && [' (', eventLink(open), ')']),
        ),
      ),
      model.facts.total > model.facts.list.length && h('p', { class: 'fine' }, `The first ${model.facts.list.length} are shown.`),
    ),
    !model.isFound
      ? banner('calm', 'Nothing names it', 'No event here names this identifier, or anything that it was inside of.')
      : [
          model.isClass &&
            section(
              'Its items and lots here',
              h('p', { class: 'fine' }, 'This is a class: each of its items and lots has a page of its own.'),
              growing(model.members, (one) => h('li', {}, thing(one))),
            ),
          here && section('Where it is', here),
          section(
            'Its life',
            model.life.list.length === 0 ? h('p', {}, 'No event that counts names it.') : growing(model.life, sentence, 'ol', { class: 'item-list item-life' }),
          ),
          model.now.total > 0 && section(`Its contents now (${model.now.total.toLocaleString('en')})`, growing(model.now, content)),
          model.earlier.total > 0 && section(`Its contents earlier (${model.earlier.total.toLocaleString('en')})`, growing(model.earlier, content)),
          model.origin.total > 0 && section('What it was made of', growing(model.origin, tied)),
          model.products.total > 0 && section('What was made of it', growing(model.products, tied)),
          section(
            'What is uncertain',
            model.doubts.length === 0
              ? h('p', {}, icon('check'), ' Nothing here is marked as uncertain, withdrawn or incomplete.')
              : h(
                  'ul',
                  { class: 'item-list item-doubts' },
                  model.doubts.map(({ words, ...own }) => h('li', {}, own.when && [time(own, 'On '), ' '], parts(words))),
                ),
          ),
        ],
    h('p', { class: 'fine' }, scope),
    remark !== undefined && h('p', { class: 'fine' }, rich(`${remark}.`)),
  );

  function eventLink(open: number) {
    return h('button', { type: 'button', class: 'link', onclick: ({ currentTarget }) => openEvent(open, currentTarget as Element) }, 'event');
  }
}

const fact = (label: Child, ...value: readonly Child[]) => h('div', {}, h('dt', {}, label), h('dd', {}, value));

/** Shows an event in place, in the entry with the button `opener`, or hides it again. `load` gives its text. */
export async function toggleSource(opener: Element, load: () => Promise<string>): Promise<void> {
  const entry = opener.closest('li, dd')!;
  const before = entry.querySelector('.item-source');
  opener.setAttribute('aria-expanded', String(before === null));
  if (before !== null) before.remove();
  else entry.append(h('div', { class: 'item-source' }, codeBlock(await load(), 'The event as JSON')));
}

/** The button that prints the page. */
export const printButton = (): HTMLElement => button('print', 'Print', () => window.print(), { class: 'button quiet' });
