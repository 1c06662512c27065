// The web component in pages of its own, opened in a real Chromium.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { launch, visit } from './browser.js';
import { hostSite, pageOf, STRICT } from './component-site.js';

/**
 * A site and a browser for all tests of a file: `{site, withPage, withBody}`. `check` gets the page and what happened in it; at the end
 * nothing must have gone wrong: no error, no other host, nothing that the page's policy forbids.
 */
export function components() {
  const own = {
    /** Opens `path`. `isTroubled`: the page logs errors of its requests. `mayAsk`: what else it may ask, by the beginnings of addresses. */
    async withPage(path, check, { isTroubled = false, mayAsk = [], ...options } = {}) {
      const visitor = await visit(own.browser, own.site.origin + path, options);
      try {
        await check(visitor.page, visitor);
        if (!isTroubled) assert.deepEqual(visitor.errors, []);
        assert.deepEqual(
          visitor.foreign.filter((url) => !mayAsk.some((start) => url.startsWith(start))),
          [],
        );
        assert.deepEqual(await visitor.page.evaluate(() => globalThis.violations), []);
      } finally {
        await visitor.close();
      }
    },
    /** Opens a page with this body, under a strict policy unless given another, or null. */
    withBody(body, check, { policy = STRICT, head, ...options } = {}) {
      own.site.files['/host.html'] = { body: pageOf(body, head), headers: policy === null ? {} : { 'content-security-policy': policy } };
      return own.withPage('/host.html', check, options);
    },
  };
  before(async () => {
    own.site = await hostSite();
    own.browser = await launch();
  });
  after(async () => {
    await own.browser?.close();
    await own.site?.close();
  });
  return own;
}

/** Waits until the elements of a page have told so many things, and returns the last of them. */
export async function told(page, number = 1) {
  await page.waitForFunction((count) => globalThis.told.length >= count, number);
  return page.evaluate(() => globalThis.told.at(-1));
}

/** What is told after an action. */
export async function toldAfter(page, act) {
  const before = await page.evaluate(() => globalThis.told.length);
  await act();
  return told(page, before + 1);
}
