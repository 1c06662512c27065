// The verdict in one sentence, the answers under it, and equal errors together.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answered, around, axe, event, openTab, paste, playground, vector } from './browser.js';

const site = playground();
const { withDocument, withPage } = site;

const sentence = (page) => page.locator('.verdict-sentence').textContent();
const lines = (page) =>
  page.locator('.others .other').evaluateAll((all) => all.map((own) => `${own.className.split(' ').at(-1)} ${own.querySelector('b').textContent}`));

test('what is wrong, where, who has to mend it, and what it blocks', () =>
  withDocument(vector('validate/cbv-word-misspelt/input.json'), async (page) => {
    await openTab(page, 'Validate');
    assert.equal(
      await sentence(page),
      'In event 1, line 21: found shiping, which is not a standard bizStep, and 1 more error; the sender of the file has to mend them, and until then a gateway refuses the whole file',
    );
    assert.deepEqual(await lines(page), ['bad Schema', 'bad Checks', 'calm Events', 'calm Hash', 'calm Translate']);
    const sent = JSON.parse(around(event({})));
    await paste(page, JSON.stringify({ ...sent, sender: 'urn:epc:id:pgln:9521141.00000', epcisBody: { eventList: [event({ bizStep: 'shiping' })] } }));
    assert.match(await sentence(page), /; company 9521141, who sent the file, has to mend it, and until then a gateway refuses the whole file$/);
    await paste(page, around(event({ bizStep: 'shipping', action: 'OBSERVE' })));
    assert.equal(await sentence(page), 'Nothing is wrong: the file is valid, and no check found a problem; there is nothing to mend');
    assert.deepEqual(await lines(page), ['good Schema', 'good Checks', 'calm Events', 'calm Hash', 'good Translate']);
    await paste(page, around(event({ epcList: ['https://id.gs1.org/01/09521141123455/21/A1'] })));
    assert.match(
      await sentence(page),
      /^Valid, but in event 1, line \d+: .*; the sender of the file has to mend it: a gateway takes the file, but a partner who checks it may send it back$/,
    );
    assert.equal(await page.locator('#panel-validate .banner.good').count(), 0);
    await paste(page, around(event({ eventID: `ni:///sha-256;${'0'.repeat(64)}?ver=CBV2.0` })));
    assert.match(await sentence(page), /^Valid, but 1 eventID does not match its event, which may have been changed; .*: until then this name proves nothing$/);
    await paste(page, '{"type": "EPCISDocument", ');
    assert.match(
      await sentence(page),
      /^The text breaks off or is damaged in line 1; the sender of the file has to mend it, and until then it cannot be read$/,
    );
    // Nothing is said where there is nothing to mend.
    await paste(page, '{"captureID": "1", "success": true, "running": false}');
    assert.equal(await page.locator('.verdict-sentence').count(), 0);
  }));

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test(`a document that is not valid opens on the verdict, and its sentence stands above every tab, ${viewport.width} wide`, () =>
    withPage(
      async (page) => {
        const chosen = () => page.locator('#tabs [aria-selected=true] > span:first-child').textContent();
        const line = page.locator('.verdict-line');
        const seen = async (locator) => {
          const { top, bottom } = await locator.evaluate((own) => own.getBoundingClientRect());
          return top > 0 && bottom < viewport.height;
        };
        assert.equal(await chosen(), 'Events');
        assert.equal(await line.textContent(), 'Valid: meets the official EPCIS 2.0.1 JSON schema');
        const shiping = around(event({ bizStep: 'shiping', readPoint: { id: 'https://id.gs1.org/414/9521141000013' } }));
        const give = (text) => answered(page, () => page.locator('#file').setInputFiles({ name: 'given', mimeType: '', buffer: Buffer.from(text) }));
        await give(shiping);
        assert.equal(await chosen(), 'Validate');
        assert.equal(await seen(page.locator('#panel-validate .banner h2')), true);
        assert.equal(await line.isVisible(), false);
        const said = await sentence(page);
        for (const tab of ['Checks', 'Events', 'Table', 'Hash', 'Translate', 'Proof']) {
          await openTab(page, tab);
          assert.equal(await line.textContent(), said, tab);
          assert.equal(await seen(line), true, tab);
        }
        // Who corrects the text, or looks at something else, stays there.
        await openTab(page, 'Events');
        await page.locator('#panel-events .story-words').waitFor();
        await answered(page, async () => {
          if (!(await page.locator('#editor').isVisible())) await page.locator('.text-toggle').click();
          await page.locator('.cm-content').first().focus();
          await page.keyboard.press('Control+End');
          await page.keyboard.type(' ');
        });
        assert.equal(await chosen(), 'Events');
        await paste(page, around(event({ bizStep: 'shipping' })));
        assert.equal(await chosen(), 'Events');
        assert.equal(await line.textContent(), 'Nothing is wrong: the file is valid, and no check found a problem; there is nothing to mend');
        // What cannot be read at all, and what is opened as a file.
        for (const text of ['{"type": "EPCISDocument", ', '<EPCISDocument>', '{"captureID": "1", "success": true, "running": false}']) {
          await openTab(page, 'Hash');
          await give(text);
          assert.equal(await chosen(), 'Validate', text);
        }
        await openTab(page, 'Events');
        assert.equal(await line.isVisible(), false);
        await answered(page, () => page.locator('#documents .document-name').nth(1).click());
        assert.equal(await chosen(), 'Validate');
        await openTab(page, 'Events');
        await line.click();
        assert.equal(await chosen(), 'Validate');
      },
      '',
      { viewport },
    ));
}

test('the pack that fits is asked by itself, and what it blocks is said', () =>
  withPage(async (page) => {
    await openTab(page, 'Validate');
    await page.locator('.other.bad', { hasText: 'with the rules for DSCSA, which the file is made for' }).waitFor();
    assert.match(
      await sentence(page),
      /^Valid, but in the master data, line 53: .*, and 7 more errors; Example Pharma, Springfield, who sent the file, has to mend them: .*put the shipment aside$/,
    );
    await answered(page, () => page.locator('#examples').selectOption('gdst-catch'));
    await openTab(page, 'Validate');
    assert.match(await page.locator('.other.good', { hasText: 'Checks' }).textContent(), /no problems found, with the rules for GDST/);
  }, '#dscsa-shipment'));

test('equal errors stand once, with their number and all places', () =>
  withDocument(around(...[...Array(250).keys()].map((at) => event({ bizStep: at === 7 ? 'shiped' : 'shiping' }))), async (page) => {
    await openTab(page, 'Validate');
    assert.equal(await page.locator('#tab-validate .badge').textContent(), '250 250 errors');
    assert.equal(await page.locator('#panel-validate .error').count(), 2);
    assert.match(await sentence(page), /bizStep, 249 times, and 1 more error; /);
    const first = page.locator('#panel-validate .errors > li').first();
    assert.match(await first.locator('.error').textContent(), /× 249/);
    await first.getByRole('button', { name: '248 more like it' }).click();
    assert.equal(await first.locator('.alike .error').count(), 200);
    assert.match(await first.locator('.alike .error').first().textContent(), /event 2.*line \d+/);
    await first.getByRole('button', { name: 'Show 200 more' }).click();
    assert.equal(await first.locator('.alike .error').count(), 248);
    assert.match(await first.locator('.alike .error').last().textContent(), /event 250.*line \d+/);
    await first.getByRole('button', { name: 'Change all 249 like it' }).click();
    await page.waitForFunction(() => document.querySelectorAll('#panel-validate .error').length === 1);
  }));

test('the answers about the document before are grey until the verdict on the next one is there', () =>
  withDocument(vector('validate/cbv-word-misspelt/input.json'), async (page) => {
    await openTab(page, 'Validate');
    const states = await page.evaluate(
      (text) =>
        new Promise((resolve) => {
          const panels = document.getElementById('panels');
          const seen = [];
          const look = () => seen.push(`${panels.classList.contains('is-outdated') ? 'grey' : 'plain'} ${panels.querySelector('.banner h2').textContent}`);
          new MutationObserver(() => {
            look();
            if (seen.length === 2) resolve(seen);
          }).observe(panels, { attributeFilter: ['class'] });
          const data = new DataTransfer();
          data.items.add(new File([text], 'next.json'));
          dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
        }),
      around(event({})),
    );
    assert.deepEqual(states, ['grey Not valid', 'plain Valid']);
  }));

for (const colorScheme of ['light', 'dark']) {
  test(`axe finds nothing in the verdict, ${colorScheme}`, () =>
    withDocument(
      around(event({ bizStep: 'shiping' }), event({ bizStep: 'shiping' })),
      async (page) => {
        await openTab(page, 'Validate');
        await page.getByRole('button', { name: '1 more like it' }).click();
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => globalThis.axe.run('#panel-validate'));
        assert.deepEqual(
          violations.map(({ id, nodes }) => `${id} ${nodes[0].html}`),
          [],
        );
      },
      { colorScheme },
    ));
}
