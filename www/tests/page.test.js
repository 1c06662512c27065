// The behaviour of the page in real Chromium: files, links, forbidden actions, the keyboard.
// Invariant: The page contacts no host but its own, and sends nothing of a document, until the user names a gateway and presses a
// button.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { answered, largeDocument, openTab, paste, playground, serve, settled, TABS, vector, verdict, visit } from './browser.js';

const site = playground();

/** A page with complete answers to its first document. */
async function settledVisit(fragment = '', options = {}) {
  const visitor = await visit(site.browser, site.server.origin + fragment, options);
  await settled(visitor.page);
  return visitor;
}

/** Drops a file onto the page. */
const drop = (page, name, text) =>
  answered(page, () =>
    page.evaluate(
      ([title, words]) => {
        const data = new DataTransfer();
        data.items.add(new File([words], title));
        for (const type of ['dragenter', 'dragover', 'drop']) {
          const event = new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true });
          document.getElementById('answers').dispatchEvent(event);
          if (type === 'dragenter' && document.getElementById('drop').hidden) throw new Error('nothing says that it may be dropped');
          if (!event.defaultPrevented) throw new Error(`${type} is left to the browser`);
        }
      },
      [name, text],
    ),
  );

test('a file is dropped, another is opened', async () => {
  const { page, close, errors } = await settledVisit();
  try {
    await drop(page, 'some.xml', vector('translate/v11-homes/input.xml'));
    assert.match(await page.locator('#format').textContent(), /^XML/);
    assert.equal(await page.locator('#drop').isHidden(), true);
    await answered(page, () =>
      page
        .locator('#file')
        .setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from(vector('validate/cbv-word-misspelt/input.json')) }),
    );
    assert.match(await page.locator('#format').textContent(), /^JSON/);
    assert.equal(await verdict(page), 'Not valid');
    assert.deepEqual(errors, []);
  } finally {
    await close();
  }
});

test('bytes that are no UTF-8 are judged as they are, never as they were mended for showing', async () => {
  const { page, close } = await settledVisit();
  try {
    const buffer = Buffer.concat([Buffer.from('{"type":"ObjectEvent","a:b":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    await answered(page, () => page.locator('#file').setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer }));
    assert.equal(await verdict(page), 'Malformed JSON');
    assert.match(await page.locator('#panel-validate').textContent(), /UTF-8/);
    assert.match(await page.locator('#notice').textContent(), /bytes of the file/);
  } finally {
    await close();
  }
});

test('text that was pasted is text, whatever encoding its declaration names; of a file the bytes decide', async () => {
  const { page, close } = await settledVisit();
  const output = async () => {
    await openTab(page, 'Translate');
    const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Translation', exact: true }).click()]);
    return readFileSync(await saved.path(), 'utf8');
  };
  const text = vector('translate/v11-homes/input.xml')
    .replace(/^<\?xml[^>]*\?>/, '')
    .replace(/^/, '<?xml version="1.0" encoding="ISO-8859-1"?>')
    .replace('<mill:grind>fine', '<mill:grind>M\u00fchle');
  assert.match(text, /ISO-8859-1[\s\S]*M\u00fchle/);
  try {
    await paste(page, text);
    assert.match(await output(), /M\u00fchle/);
    await answered(page, () => page.locator('#file').setInputFiles({ name: 'x.xml', mimeType: 'application/xml', buffer: Buffer.from(text, 'latin1') }));
    assert.match(await output(), /M\u00fchle/);
    assert.match(await page.locator('#notice').textContent(), /bytes of the file/);
    // The declared encoding differs from the real one: the page shows what any other reader of these bytes would see.
    await answered(page, () => page.locator('#file').setInputFiles({ name: 'x.xml', mimeType: 'application/xml', buffer: Buffer.from(text, 'utf8') }));
    assert.match(await output(), /M\u00c3\u00bchle/);
  } finally {
    await close();
  }
});

test('a link holds the document, and nothing of it is sent', async () => {
  const text = vector('validate/uri-faults/input.json');
  const first = await settledVisit('', { permissions: ['clipboard-read', 'clipboard-write'] });
  let link;
  try {
    await paste(first.page, text);
    await openTab(first.page, 'Translate');
    await first.page.getByRole('button', { name: 'Share' }).click();
    await first.page.locator('#notice', { hasText: 'browsers do not send it' }).waitFor();
    link = await first.page.evaluate(() => navigator.clipboard.readText());
    assert.equal(link, first.page.url());
    assert.match(new URL(link).hash, /^#1\.[\w-]+$/);
  } finally {
    await first.close();
  }
  const second = await settledVisit(new URL(link).hash);
  try {
    assert.equal(await second.page.locator('#tab-translate').getAttribute('aria-selected'), 'true');
    assert.equal(await verdict(second.page), 'Not valid');
    const [before, after] = await Promise.all([
      second.page.evaluate(() => document.getElementById('editor').shadowRoot.querySelector('.cm-content').innerText),
      text,
    ]);
    assert.equal(before.trimEnd(), after.trimEnd());
    for (const { method, url, body } of second.seen.requests) {
      assert.equal(method, 'GET');
      assert.equal(body, null);
      assert.ok(!url.includes('sgtin') && !url.includes('1.'.concat(new URL(link).hash.slice(3, 30))), url);
    }
  } finally {
    await second.close();
  }
});

test('a damaged link says so', async () => {
  const { page, close } = await visit(site.browser, `${site.server.origin}#1.abcdefg`);
  try {
    await page.locator('#notice', { hasText: 'The link is damaged' }).waitFor();
  } finally {
    await close();
  }
});

/**
 * Drops a large file, and then a small one: at once, or with `isLong` when the progress is shown. Returns how many threads were started
 * for both.
 */
async function overtake(page, isLong) {
  let threads = 0;
  page.on('worker', () => (threads += 1));
  const small = vector('validate/cbv-word-misspelt/input.json');
  await answered(page, () =>
    page.evaluate(
      async ([large, next, isShown]) => {
        const give = (words) => {
          const data = new DataTransfer();
          data.items.add(new File([words], 'some.json'));
          dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
        };
        give(large);
        while (isShown && document.getElementById('progress').hidden) await new Promise((resolve) => setTimeout(resolve, 10));
        give(next);
      },
      [largeDocument(6_000_000), small, isLong],
    ),
  );
  const errors = JSON.parse(vector('validate/cbv-word-misspelt/expected.json')).length;
  assert.equal(await page.locator('#panel-validate .error').count(), errors);
  assert.equal(await page.locator('#tab-events .badge').textContent(), '1 1 event');
  // Older answers would come before those that are asked for now.
  for (const tab of TABS) await openTab(page, tab);
  assert.equal(await page.locator('#panel-validate .error').count(), errors, 'the older answer came after the newer one');
  assert.equal(await page.locator('#tab-events .badge').textContent(), '1 1 event');
  return threads;
}

for (const [isLong, words] of [
  [true, 'one that is long at work is ended with its thread'],
  [false, 'one that has only begun is overtaken'],
]) {
  test(`the newest document wins: ${words}`, async () => {
    const { page, close, errors } = await settledVisit();
    try {
      const threads = await overtake(page, isLong);
      if (isLong) assert.equal(threads, 1);
      assert.deepEqual(errors, []);
    } finally {
      await close();
    }
  });
}

test('a large paste is not forced into the editor', async () => {
  const { page, close } = await settledVisit();
  try {
    await paste(page, largeDocument(1_500_000, 2));
    assert.match(await page.locator('#notice').textContent(), /the answers cover the whole document/);
    assert.equal(await verdict(page), 'Not valid');
  } finally {
    await close();
  }
});

test('no foreign request, no request at all for a document', async () => {
  const { page, close, seen, foreign } = await settledVisit('#orchard-to-shop');
  try {
    const before = seen.requests.length;
    await paste(page, vector('validate/valid-all-event-types/input.json'));
    for (const tab of TABS) await openTab(page, tab);
    // Parts of the page are loaded when they are opened, and the browser may request the icon at any time.
    for (const { method, url, body } of seen.requests.slice(before)) {
      assert.match(url.slice(site.server.origin.length), /^(?:assets\/[\w.-]+|icon\.svg)$/);
      assert.equal(method, 'GET');
      assert.equal(body, null);
    }
    assert.deepEqual(foreign, []);
  } finally {
    await close();
  }
});

for (const withHeaders of [true, false]) {
  test(`the Content-Security-Policy is in force ${withHeaders ? 'by header and page' : 'by the page alone'}`, async () => {
    const host = withHeaders ? site.server : await serve({ withHeaders: false, prefix: '/some/folder/' });
    const { page, close, errors } = await visit(site.browser, host.origin);
    try {
      await page.waitForFunction(() => document.getElementById('answers').dataset.done !== undefined);
      assert.deepEqual(errors, []);
      const outcome = await page.evaluate(async () => {
        const script = document.createElement('script');
        script.textContent = 'globalThis.injected = true';
        document.body.append(script);
        const handler = document.createElement('img');
        handler.setAttribute('onerror', 'globalThis.injected = true');
        handler.src = 'data:,';
        document.body.append(handler);
        const style = document.createElement('style');
        style.textContent = 'body { display: none }';
        document.body.append(style);
        const sent = await fetch('https://elsewhere.example/').then(
          () => 'sent',
          () => 'refused',
        );
        // Delayed, because code that the debugger runs directly may use `eval`.
        let evaluated = 'refused';
        await new Promise((resolve) =>
          setTimeout(() => {
            try {
              // biome-ignore lint/security/noGlobalEval: that it is refused is tested
              evaluated = (0, eval)('"evaluated"');
            } catch {
              // Expected.
            }
            resolve();
          }, 200),
        );
        return { injected: globalThis.injected ?? false, display: getComputedStyle(document.body).display, sent, evaluated, violations: globalThis.violations };
      });
      assert.equal(outcome.injected, false);
      assert.equal(outcome.display, 'flex');
      assert.equal(outcome.sent, 'refused');
      assert.equal(outcome.evaluated, 'refused');
      for (const directive of ['script-src-elem', 'script-src-attr', 'style-src-elem', 'connect-src']) {
        assert.ok(
          outcome.violations.some((violation) => violation.startsWith(directive)),
          `${directive} in ${outcome.violations}`,
        );
      }
    } finally {
      await close();
      if (host !== site.server) await host.close();
    }
  });
}

test('by keyboard alone: skip, tabs with arrows, an error and its place', async () => {
  const { page, close } = await settledVisit('#uri-faults');
  try {
    const focused = () =>
      page.evaluate(() => {
        const { activeElement: own } = document;
        return own.shadowRoot?.activeElement?.className ?? (own.id || own.className);
      });
    await page.keyboard.press('Tab');
    assert.equal(await focused(), 'skip');
    await page.keyboard.press('Enter');
    assert.equal(new URL(page.url()).hash, '#uri-faults');
    await page.keyboard.press('Tab');
    assert.equal(await focused(), 'tab-validate');
    await page.keyboard.press('ArrowRight');
    assert.equal(await focused(), 'tab-checks');
    await page.keyboard.press('ArrowRight');
    assert.equal(await focused(), 'tab-events');
    assert.equal(await page.locator('#panel-events').isVisible(), true);
    await page.keyboard.press('End');
    assert.equal(await focused(), 'tab-proof');
    await page.keyboard.press('ArrowRight');
    assert.equal(await focused(), 'tab-validate');
    await page.keyboard.press('Tab');
    assert.equal(await focused(), 'more-button');
    await page.keyboard.press('Tab');
    assert.equal(await focused(), 'panel-validate');
    // The download, and the lines of the other answers; then the errors.
    const reached = [];
    while (!/^error/.test(reached.at(-1) ?? '') && reached.length < 9) {
      await page.keyboard.press('Tab');
      reached.push(await focused());
    }
    assert.deepEqual(reached.slice(0, 2), ['button quiet', 'other bad']);
    assert.match(reached.at(-1), /^error/);
    await page.keyboard.press('Enter');
    assert.match(await focused(), /cm-content/);
    // Tab leaves the editor, so keyboard users are not trapped.
    await page.keyboard.press('Tab');
    assert.doesNotMatch(await focused(), /cm-content/);
    const outline = await page.evaluate(() => {
      document.getElementById('tab-table').focus();
      return getComputedStyle(document.getElementById('tab-table')).outlineStyle;
    });
    assert.equal(outline, 'solid');
    assert.equal(await page.locator('#announcer').getAttribute('aria-live'), 'polite');
  } finally {
    await close();
  }
});

test('375 pixels: nothing scrolls sideways, whatever is open', async () => {
  for (const fragment of ['#orchard-to-shop', '#uri-faults', '#all-event-types', '#xml-lossy', '#json-to-xml']) {
    const { page, close } = await settledVisit(fragment, { viewport: { width: 375, height: 812 } });
    try {
      for (const tab of TABS) {
        await openTab(page, tab);
        assert.equal(await page.evaluate(() => document.scrollingElement.scrollWidth), 375, `${fragment} ${tab}`);
      }
    } finally {
      await close();
    }
  }
});

test('light, dark, and as the system: chosen by button, and remembered', async () => {
  const { page, close } = await settledVisit('', { colorScheme: 'dark' });
  try {
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await ground();
    await page.getByRole('button', { name: /^Colours: as the system/ }).click();
    const light = await ground();
    assert.notEqual(light, dark);
    await page.reload();
    assert.equal(await ground(), light);
    await page.getByRole('button', { name: /^Colours: light/ }).click();
    assert.equal(await ground(), dark);
    // What is stored and no theme, such as the name of something that every object has.
    await page.evaluate(() => localStorage.setItem('theme', 'toString'));
    await page.reload();
    await page.getByRole('button', { name: /^Colours: as the system/ }).waitFor();
  } finally {
    await close();
  }
});

test('every example opens, and its tab answers', async () => {
  const { page, close, errors } = await settledVisit();
  try {
    const names = await page.locator('#examples option').evaluateAll((options) => options.map(({ value }) => value).filter((value) => value !== ''));
    assert.ok(names.length >= 8);
    for (const name of names) {
      await answered(page, () => page.locator('#examples').selectOption(name));
      assert.equal(new URL(page.url()).hash, `#${name}`);
      assert.ok((await page.locator('[role=tabpanel]:visible').first().textContent()).length > 100, name);
    }
    assert.deepEqual(errors, []);
  } finally {
    await close();
  }
});
