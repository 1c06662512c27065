// The search over all pages: their sections are fetched when the reader first types, and searched here.
import MiniSearch, { type SearchResult } from 'minisearch';

/** A section of a page, up to the next heading. */
type Section = { address: string; title: string; heading: string; text: string };
type Found = SearchResult & Section;

const SHOWN = 12;
const box = document.querySelector('search')!;
const input = box.querySelector('input')!;
const list = box.querySelector('ol')!;
const status = box.querySelector('[role=status]')!;
const root = document.documentElement.dataset.root;
let index: Promise<MiniSearch<Section>> | undefined;

/** The index of all sections. */
async function loaded() {
  const answer = await fetch(`${root}/search.json`);
  if (!answer.ok) throw new Error(`${answer.status}`);
  const search = new MiniSearch<Section>({
    idField: 'address',
    fields: ['title', 'heading', 'text'],
    storeFields: ['title', 'heading', 'text'],
    searchOptions: { boost: { title: 3, heading: 2 }, prefix: true, fuzzy: (word: string) => (word.length > 4 ? 0.2 : false), combineWith: 'AND' },
  });
  search.addAll(await answer.json());
  return search;
}

/** A line of the text around the first word that was found. */
function lineOf({ text, terms }: Found) {
  const at = Math.max(
    0,
    ...terms
      .map((term) => text.toLowerCase().indexOf(term))
      .filter((place) => place > 0)
      .slice(0, 1),
  );
  const start = Math.max(0, at - 60);
  return `${start > 0 ? '…' : ''}${text.slice(start, start + 160)}${text.length > start + 160 ? '…' : ''}`;
}

function entry(found: Found) {
  const link = document.createElement('a');
  link.href = `${root}/${found.id}`;
  const name = document.createElement('b');
  name.textContent = found.heading === found.title ? found.title : `${found.title}: ${found.heading}`;
  const line = document.createElement('span');
  line.textContent = lineOf(found);
  link.append(name, line);
  const item = document.createElement('li');
  item.append(link);
  return item;
}

async function search() {
  const asked = input.value.trim();
  try {
    index ??= loaded();
    const found = asked === '' ? [] : ((await index).search(asked) as Found[]);
    if (asked !== input.value.trim()) return;
    list.replaceChildren(...found.slice(0, SHOWN).map(entry));
    list.hidden = found.length === 0;
    status.textContent = asked === '' ? '' : found.length === 0 ? 'Nothing found' : `${found.length} sections`;
  } catch (error) {
    index = undefined;
    status.textContent = `The index could not be loaded: ${(error as Error).message}`;
  }
}

input.addEventListener('input', search);
box.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  input.value = '';
  search();
});
box.hidden = false;
