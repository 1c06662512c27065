// Builds www/dist/docs, after www/build.ts: the pages of the repository as HTML, with a search that runs in the browser. They load
// nothing from elsewhere, and need no script but for the search.
import { build } from 'esbuild';
import MarkdownIt, { type Token } from 'markdown-it';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { anchors } from '../scripts/anchors.ts';
import { described } from './openapi.ts';
import { settings } from './settings.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const root = here('../');
const site = here('dist/docs');
const REPOSITORY = 'https://github.com/epcis-edge/epcis-edge/blob/main/';

const pages = ['docs/**/*.md', '*.md', '{wasm,action,core,sql}/**/README.md', 'schemas/SOURCES.md']
  .flatMap((pattern) => globSync(pattern, { cwd: root, exclude: ['**/node_modules', '**/target'] }))
  .sort();

/** The page of the doors, which is made. */
const DOORS = 'docs/openapi.md';
const textOf = (page: string): string =>
  page === DOORS ? described(JSON.parse(readFileSync(here('public/openapi.json'), 'utf8'))) : readFileSync(join(root, page), 'utf8');

/** The file of a page in the site: that of `docs/README.md` is the first. */
const fileOf = (page: string): string =>
  page
    .replace(/^docs\//, '')
    .replace(/\bREADME\.md$/, page === 'README.md' ? 'readme.html' : 'index.html')
    .replace(/\.md$/, '.html');

/** Where a link of a page leads: a page or a picture of the site, or a file of the repository. */
function addressOf(link: string, page: string): string {
  if (page === DOORS || /^[a-z]+:|^#/.test(link)) return link;
  const [path = '', anchor] = link.split('#');
  let target = posix.join(posix.dirname(page), path);
  if (existsSync(join(root, target)) && statSync(join(root, target)).isDirectory()) target = posix.join(target, 'README.md');
  const hash = anchor === undefined ? '' : `#${anchor}`;
  const to = (file: string): string => `${posix.relative(posix.dirname(fileOf(page)), file)}${hash}`;
  if (pages.includes(target)) return to(fileOf(target));
  if (!target.endsWith('.png')) return `${REPOSITORY}${target}${hash}`;
  const picture = target.replace(/^docs\//, '');
  mkdirSync(dirname(join(site, picture)), { recursive: true });
  cpSync(join(root, target), join(site, picture));
  return to(picture);
}

const markdown = new MarkdownIt({ html: true });
const { escapeHtml } = markdown.utils;
const contentOf = (token: Token | undefined): string => token?.content ?? '';
// The pages have no HTML but comments.
for (const rule of ['html_block', 'html_inline'])
  markdown.renderer.rules[rule] = (tokens, at) => (contentOf(tokens[at]).startsWith('<!--') ? '' : escapeHtml(contentOf(tokens[at])));
// What may be wider than the page scrolls by the keyboard, too.
markdown.renderer.rules.fence = (tokens, at) => `<pre tabindex="0"><code>${escapeHtml(contentOf(tokens[at]))}</code></pre>`;
markdown.renderer.rules.table_open = () => '<div class="table" tabindex="0"><table>';
markdown.renderer.rules.table_close = () => '</table></div>';

/** The words of tokens, without their marks. */
const wordsOf = (tokens: readonly Token[]): string =>
  tokens
    .flatMap(({ type, content, children }) =>
      type === 'inline' ? (children ?? []).map((one) => (one.type === 'softbreak' ? ' ' : one.content)).join('') : type === 'fence' ? content : [],
    )
    .join(' ');

const template = readFileSync(here('src/site/page.html'), 'utf8');
const sections: object[] = [];

rmSync(site, { recursive: true, force: true });
for (const page of [...pages, DOORS]) {
  const file = fileOf(page);
  const tokens = markdown.parse(textOf(page), {});
  const anchorOf = anchors();
  const headings = tokens.flatMap((token, at) => {
    if (token.type !== 'heading_open') return [];
    const anchor = anchorOf(contentOf(tokens[at + 1]));
    token.attrSet('id', anchor);
    return [{ at, level: Number(token.tag[1]), anchor, words: wordsOf(tokens.slice(at + 1, at + 2)) }];
  });
  for (const token of tokens.flatMap(({ children }) => children ?? []))
    for (const name of ['href', 'src']) {
      const link = token.attrGet(name);
      if (link !== null) token.attrSet(name, addressOf(link, page));
    }
  const title = headings[0]?.words;
  if (title === undefined) throw new Error(`${page} has no heading`);
  headings.forEach(({ at, anchor, words }, n) => {
    const text = wordsOf(tokens.slice(at + 2, headings[n + 1]?.at)).replace(/\s+/g, ' ');
    sections.push({ address: `${file}#${anchor}`, title, heading: words, text });
  });
  const contents = headings.filter(({ level }) => level === 2).map(({ anchor, words }) => `<li><a href="#${anchor}">${escapeHtml(words)}</a></li>`);
  const parts: Record<string, string> = {
    TITLE: escapeHtml(title),
    ROOT: posix.relative(posix.dirname(file), '.') || '.',
    CONTENTS: contents.length < 3 ? '' : `<nav class="contents" aria-label="On this page"><ul>${contents.join('')}</ul></nav>`,
    BODY: markdown.renderer.render(tokens, markdown.options, {}),
  };
  mkdirSync(dirname(join(site, file)), { recursive: true });
  writeFileSync(
    join(site, file),
    template.replace(/%(TITLE|ROOT|CONTENTS|BODY)%/g, (_, part) => parts[part] ?? ''),
  );
}
writeFileSync(join(site, 'search.json'), JSON.stringify(sections));
await build({ ...settings, entryPoints: [here('src/site/search.ts'), here('src/site/site.css')], outdir: site });
