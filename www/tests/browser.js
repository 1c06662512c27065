// The built playground on loopback, opened in a real Chromium.
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { extname, join } from 'node:path';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';

/** How long a page may take for anything, in milliseconds. */
const PATIENCE = 300_000;

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const dist = here('../dist');

const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.xml': 'application/xml',
};

/** The headers that the rules of `_headers` give a path. */
function headersOf(path) {
  const headers = {};
  let isMine = false;
  for (const line of readFileSync(join(dist, '_headers'), 'utf8').split('\n')) {
    if (/^\S/.test(line)) isMine = line.endsWith('*') ? path.startsWith(line.slice(0, -1)) : path === line;
    else if (isMine && line.trim().startsWith('!')) delete headers[line.trim().slice(1).trim()];
    else if (isMine && line.includes(':')) headers[line.slice(0, line.indexOf(':')).trim()] = line.slice(line.indexOf(':') + 1).trim();
  }
  return headers;
}

/** Serves `www/dist` like a static host. With `withHeaders: false`, the host ignores `_headers`. */
export async function serve({ withHeaders = true, prefix = '/' } = {}) {
  const redirects = Object.fromEntries(
    readFileSync(join(dist, '_redirects'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(' ')),
  );
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://host');
    const path = pathname.startsWith(prefix) ? `/${pathname.slice(prefix.length)}` : '/none';
    if (redirects[path] !== undefined) {
      response.writeHead(302, { Location: prefix + redirects[path].slice(1) }).end();
      return;
    }
    const file = join(dist, path === '/' ? 'index.html' : path);
    if (!file.startsWith(dist) || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream', ...(withHeaders ? headersOf(path) : {}) });
    response.end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${server.address().port}${prefix}`, close: () => new Promise((resolve) => server.close(resolve)) };
}

/** Starts Chromium without background requests of its own. */
export async function launch() {
  const executablePath = execFileSync(here('../../scripts/chromium.sh'), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}

/**
 * A separate page that records everything it must not do: `{page, errors, foreign, violations, close}`. `options` are those of a
 * browser context.
 */
export async function visit(browser, url, options = {}) {
  // The service worker is tested separately. Elsewhere it would only fetch every file once more.
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, serviceWorkers: 'block', ...options });
  // A busy machine is no defect of the page.
  context.setDefaultTimeout(PATIENCE);
  const origin = new URL(url).origin;
  const seen = { errors: [], foreign: [], requests: [] };
  const page = await context.newPage();
  page.on('console', (message) => message.type() === 'error' && seen.errors.push(message.text()));
  page.on('pageerror', (error) => seen.errors.push(String(error)));
  context.on('request', (request) => {
    const address = request.url();
    seen.requests.push({ method: request.method(), url: address, body: request.postDataBuffer() });
    if (!address.startsWith(origin) && !address.startsWith('data:') && !address.startsWith('blob:')) seen.foreign.push(address);
  });
  await page.addInitScript(() => {
    globalThis.violations = [];
    document.addEventListener('securitypolicyviolation', (event) => globalThis.violations.push(`${event.violatedDirective} ${event.blockedURI}`));
  });
  await page.goto(url);
  return { page, ...seen, seen, close: () => context.close() };
}

/** Waits until the answers to the first document of a page are complete. */
export const settled = (page) => page.waitForFunction(() => document.getElementById('answers').dataset.done !== undefined);

/**
 * The playground and a browser for all tests of a file: `{server, browser, withPage, withDocument}`. Both functions open a separate
 * page and assert at the end that nothing went wrong in it.
 */
export function playground() {
  const own = {
    /** `check(page, visitor)` gets a page with complete answers to its first document. */
    async withPage(check, fragment = '', options = {}) {
      const visitor = await visit(own.browser, own.server.origin + fragment, options);
      try {
        await settled(visitor.page);
        await check(visitor.page, visitor);
        assert.deepEqual(visitor.errors, []);
        assert.deepEqual(visitor.foreign, []);
        assert.deepEqual(await visitor.page.evaluate(() => globalThis.violations), []);
      } finally {
        await visitor.close();
      }
    },
    /** The same with this document, unless `text` is undefined. */
    withDocument: (text, check, options = {}) =>
      own.withPage(
        async (page, visitor) => {
          if (text !== undefined) await paste(page, text);
          await check(page, visitor);
        },
        '',
        options,
      ),
  };
  before(async () => {
    own.server = await serve();
    own.browser = await launch();
  });
  after(async () => {
    await own.browser?.close();
    await own.server?.close();
  });
  return own;
}

/** Waits until the answers to a document opened by `act` are complete. */
export async function answered(page, act = async () => undefined, timeout = PATIENCE) {
  const before = await page.evaluate(() => Number(document.getElementById('answers').dataset.done ?? 0));
  await act();
  await page.waitForFunction((count) => Number(document.getElementById('answers').dataset.done ?? 0) > count, before, { timeout });
}

/** Waits until the browser keeps a document with this name, or whose text begins like this. */
export const kept = (page, { name, text }) =>
  page.waitForFunction(
    async (wanted) => {
      const documents = await new Promise((resolve, reject) => {
        const opening = indexedDB.open('epcis-edge');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const reading = opening.result.transaction('documents').objectStore('documents').getAll();
          reading.onsuccess = () => (opening.result.close(), resolve(reading.result));
          reading.onerror = () => reject(reading.error);
        };
      });
      const isWanted = (one) => one?.name === wanted.name || (wanted.text !== undefined && one?.text?.startsWith(wanted.text));
      return documents.some(isWanted);
    },
    { name, text },
  );

/** Replaces the text of the editor by pasting, as a person would. A tool, which hides the editor, is opened again. */
export const paste = (page, text) => besideTool(page, () => pasteInto(page, text));

/** Does something with the document while no tool hides it, and opens the tool again. */
export async function besideTool(page, act) {
  const tool = await page.evaluate(() => document.body.dataset.mode);
  if (tool !== 'answers') await openTool(page, 'answers');
  await act();
  if (tool !== 'answers') await openTool(page, tool);
}

async function pasteInto(page, text) {
  await answered(page, async () => {
    // On a small screen the text is behind a button.
    if (!(await page.locator('#editor').isVisible())) await page.locator('.text-toggle').click();
    await page.locator('.cm-content').first().focus();
    await page.keyboard.press('Control+a');
    await page.evaluate((words) => {
      const target = document.getElementById('editor').shadowRoot.querySelector('.cm-content');
      const data = new DataTransfer();
      data.setData('text/plain', words);
      target.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    }, text);
  });
}

/** Opens an answer's tab and waits until it is drawn. */
export async function openTab(page, name) {
  const tab = page.getByRole('tab', { name: new RegExp(`^${name}`) });
  // The answers that are asked for less often are behind a button.
  if ((await tab.count()) === 0) await page.locator('.tabs-bar .more-button').click();
  await tab.click();
  await page.locator('#panels > [role=tabpanel]:not([hidden]):not([aria-busy])').waitFor({ state: 'attached' });
}

/** Opens a tool of the page, or the document as `answers`. */
export async function openTool(page, id) {
  const tool = page.locator(`#mode-${id}`);
  if (!(await tool.isVisible())) await page.locator('#modes .more-button').click();
  await tool.click();
}

/** Saves with a button. Returns the name and the bytes of the file. */
export async function saved(page, button) {
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

/** The text of a vector file. */
export const vector = (path) => readFileSync(here(`../../tests/vectors/${path}`), 'utf8');

/** The address of the official context. */
export const CONTEXT = 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld';

/** A document with these events. */
export const around = (...events) =>
  JSON.stringify(
    { '@context': CONTEXT, type: 'EPCISDocument', schemaVersion: '2.0', creationDate: '2026-03-04T12:00:00Z', epcisBody: { eventList: events } },
    null,
    1,
  );

/** A valid event with additional members. */
export const event = (own) => ({
  type: 'ObjectEvent',
  action: 'OBSERVE',
  eventTime: '2026-03-04T10:00:00Z',
  eventTimeZoneOffset: '+01:00',
  epcList: ['urn:epc:id:sscc:9521141.1234567890'],
  ...own,
});

/** The visible text of the editor. */
export const editorText = (page) => page.evaluate(() => document.getElementById('editor').shadowRoot.querySelector('.cm-content').innerText);

/** The accessibility checker axe, as a script for the page. */
export const axe = readFileSync(here('../../node_modules/axe-core/axe.min.js'), 'utf8');

/** What axe finds in a page that is serious or critical, in words: `[]` if nothing. */
export async function seriousFaults(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() =>
    globalThis.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }),
  );
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return serious.map(({ id, nodes }) => `${id} ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 160))}`);
}

/** The tabs of the page. */
export const TABS = ['Validate', 'Checks', 'Events', 'Table', 'Hash', 'Translate', 'Proof'];

/** The sentence of the verdict. */
export const verdict = (page) => page.locator('#panel-validate .banner h2').textContent();

/** A document of about this many bytes, on one line or indented. Its last event has a misspelt step. */
export function largeDocument(size, indent) {
  const document = JSON.parse(vector('validate/valid-all-event-types/input.json'));
  const events = document.epcisBody.eventList;
  const each = JSON.stringify(events, null, indent).length;
  document.epcisBody.eventList = Array.from({ length: Math.ceil(size / each) }, () => events).flat();
  document.epcisBody.eventList.push({ ...events[0], bizStep: 'shiping' });
  return JSON.stringify(document, null, indent);
}
