// The panel of master data: places, parties and classes with their attributes.
import type { Page } from '../page/page.ts';
import { h, put } from '../shared/dom.ts';
import { waiting } from '../shared/parts.ts';
import { count } from '../shared/words.ts';

/** Fills the panel with the vocabularies of the document. */
export async function showMasterData(panel: HTMLElement, { ask }: Pick<Page, 'ask'>): Promise<void> {
  put(panel, waiting('Reading'));
  const lists = await ask('masterData');
  put(
    panel,
    lists.map(({ name, type, total, elements }) =>
      h(
        'section',
        { class: 'sheet' },
        h(
          'div',
          { class: 'sheet-head' },
          h('h2', { class: 'caption', title: type }, name || 'Vocabulary'),
          h('span', { class: 'fine' }, count(total, 'element')),
        ),
        elements.map(({ id, text, attributes, children }) =>
          h(
            'article',
            { class: 'master' },
            h('h3', { title: id }, text),
            text !== id && h('p', { class: 'fine' }, h('code', {}, id)),
            attributes.length > 0 &&
              h(
                'dl',
                {},
                attributes.map((attribute) => h('div', {}, h('dt', { title: attribute.full }, attribute.name), h('dd', {}, attribute.value))),
              ),
            children.length > 0 && h('p', { class: 'master-children' }, h('b', {}, 'Inside: '), children.join(', ')),
          ),
        ),
        total > elements.length && h('p', { class: 'fine' }, `The first ${elements.length} are shown; the document has all of them.`),
      ),
    ),
  );
}
