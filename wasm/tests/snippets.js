// The code blocks of the pages of the repository, and which test runs those that `snippets.test.js` does not run itself.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

export const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((page) => existsSync(join(root, page)));

/**
 * The blocks of a page: `language`, `code`, the `line` at which one begins, and of a block below `<!-- not run: why -->` that reason as
 * `notRun`. `answer` is the text block that follows with nothing between.
 */
export function blocksOf(page) {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/(?:^<!-- not run: (.*) -->\n)?^```(\w*)\n([\s\S]*?)^```$(?=(?:\n\n```text\n([\s\S]*?)^```$)?)/gm)].map((found) => {
    const [, notRun, language, code, answer] = found;
    return { page, line: text.slice(0, found.index).split('\n').length, language, code, notRun, answer };
  });
}

const GUIDES = ['README', 'deno-bun', 'from-epcis2js', 'jest', 'nextjs', 'node-bundles', 'vite', 'webpack', 'workers'];
const CRATES = ['core', 'core/document', 'core/gateway', 'core/history', 'core/log', 'core/reports', 'core/rules', 'core/text', 'sql'];

/** By test: the languages of the blocks that it runs, by page. A page has as many blocks of a language as are named here. */
export const ELSEWHERE = {
  'wasm/tests/examples.test.js': { 'README.md': 'js', 'wasm/README.md': 'js js js js js', 'docs/follow.md': 'js' },
  'wasm/tests/rest-page.test.js': { 'docs/rest.md': 'sh python python', 'docs/capture.md': 'sh sh', 'docs/queries.md': 'sh sh', 'docs/feed.md': 'python js' },
  'wasm/tests/reports-page.test.js': { 'docs/reports.md': 'js' },
  'wasm/tests/pages.test.js': { 'ARCHITECTURE.md': 'mermaid' },
  'www/tests/component.test.js': { 'docs/component.md': 'html html' },
  'wasm/packaging/guides.test.js': Object.fromEntries(
    GUIDES.map((name) => [
      `docs/javascript/${name}.md`,
      blocksOf(`docs/javascript/${name}.md`)
        .map(({ language }) => language)
        .filter((language) => language !== 'text')
        .join(' '),
    ]),
  ),
  // As doc tests.
  ...Object.fromEntries(CRATES.map((crate) => [`${crate}/src/lib.rs`, { [`${crate}/README.md`]: 'rust' }])),
};
