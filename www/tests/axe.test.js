// What axe says of every tab of the page, in real Chromium.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answered, axe, openTab, paste, playground, TABS, vector } from './browser.js';

const { withPage } = playground();

for (const colorScheme of ['light', 'dark']) {
  test(`axe finds nothing serious, ${colorScheme}`, async () => {
    const everywhere = async (page) => {
      // Injected past the page's own content policy, which would refuse axe too.
      await page.evaluate(axe);
      const findings = [];
      const look = async (where) => {
        const { violations } = await page.evaluate(() =>
          globalThis.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }),
        );
        for (const { id, impact, nodes } of violations) {
          if (impact === 'serious' || impact === 'critical')
            findings.push(
              `${where}: ${id} ${nodes
                .slice(0, 3)
                .map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`)
                .join(' | ')}`,
            );
        }
      };
      const all = async (where) => {
        for (const tab of TABS) {
          await openTab(page, tab);
          await look(`${where}, ${tab}`);
        }
      };
      await all('the story');
      await paste(page, vector('validate/uri-faults/input.json'));
      await all('faulty');
      await paste(page, vector('translate/extensions-lossy/input.xml'));
      await all('lossy');
      await paste(page, '{');
      await all('malformed');
      await answered(page, () => page.getByRole('button', { name: 'Clear' }).click());
      await look('empty');
      assert.deepEqual(findings, []);
    };
    await withPage(everywhere, '#orchard-to-shop', { colorScheme });
  });
}
