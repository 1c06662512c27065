// The web component in Firefox and in WebKit. Runs with `EPCIS_EDGE_BROWSERS=1`; the tests in Chromium always do.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { follow } from 'epcis-edge/follow';
import { around, event, vector } from './browser.js';
import { CHAIN, item, named } from './chain.js';
import { hostSite, pageOf, STRICT, story } from './component-site.js';
import { eventually, inOtherBrowsers, isSkipped } from './other-browsers.js';

const INVASIVE =
  '* { color: rgb(255, 0, 0) !important; font: 40px serif !important; } .card { display: none !important; } epcis-events { --epcis-ink: rgb(1, 2, 3); }';
const HOSTILE = '<img src=x onerror="globalThis.hacked = 1">';

let site;
before(async () => {
  if (isSkipped !== false) return;
  const answer = follow(JSON.parse(CHAIN).epcisBody.eventList, { items: [item] });
  for (const entry of answer.events) delete entry.index;
  const wrong = { eventID: 'urn:uuid:00000000-0000-4000-8000-000000000001', bizStep: 'shipping' };
  const large = around(...Array.from({ length: 3000 }, (_, at) => event({ eventID: `urn:uuid:${at}`, bizStep: at % 2 ? 'shipping' : 'receiving' })));
  assert.ok(large.length > 500_000, 'it needs a thread of its own');
  site = await hostSite({
    '/orchard.json': story(),
    '/named.json': named(),
    '/old.xml': vector('translate/v11-homes/input.xml'),
    '/hostile.json': around(event({ bizStep: HOSTILE, [`ex:${HOSTILE}`]: HOSTILE, epcList: [HOSTILE] })),
    '/declared.json': around(event(wrong), event({ ...wrong, errorDeclaration: { declarationTime: '2026-03-05T08:00:00Z' } })),
    '/large.json': large,
    '/follow': { body: JSON.stringify(answer), headers: { 'content-type': 'application/json' } },
    '/masterdata': { body: '{"type":"EMPTY"}', headers: { 'content-type': 'application/json' } },
    '/invasive.css': INVASIVE,
    '/host.html': {
      body: pageOf('<epcis-events></epcis-events>', '<link rel="stylesheet" href="/invasive.css">'),
      headers: { 'content-security-policy': `${STRICT}; style-src 'self'; worker-src blob:` },
    },
  });
});
after(() => site?.close());

inOtherBrowsers('the web component', async ({ open, run }) => {
  site.asked.length = 0;
  await open(`${site.origin}/host.html`);
  const element = "document.querySelector('epcis-events')";
  const root = `${element}.shadowRoot`;
  let count = 0;
  /** Runs a statement and returns what the element tells then. */
  const toldAfter = async (statement) => {
    await run(`(() => { ${statement}; return true; })()`);
    count += 1;
    return JSON.parse(await eventually(statement, () => run(`globalThis.told.length >= ${count} && JSON.stringify(globalThis.told.at(-1))`)));
  };
  await eventually('the element', () => run(`${element}.shadowRoot !== null`));
  const orchard = await toldAfter(`${element}.src = 'orchard.json'`);
  assert.deepEqual([orchard.event, orchard.valid, orchard.events], ['epcis-load', true, 13]);
  assert.equal(await run(`${root}.querySelectorAll('.card').length + ' ' + ${root}.querySelectorAll('.flow .box').length`), '13 13');
  // The page's style sheet stays outside, the properties of the theme come in.
  assert.equal(await run(`getComputedStyle(${root}.querySelector('.frame')).color`), 'rgb(1, 2, 3)');
  assert.match(
    await run(`getComputedStyle(${root}.querySelector('.card')).display + getComputedStyle(${root}.querySelector('.card h3')).fontSize`),
    /^block15px$/,
  );
  for (const theme of ['dark', 'light']) {
    await toldAfter(`${element}.theme = '${theme}'`);
    assert.equal(await run(`getComputedStyle(${root}.querySelector('.frame')).colorScheme`), theme);
  }
  await run(`${root}.querySelector('.card-tools button').click()`);
  await eventually('the JSON', async () => /"type": "ObjectEvent"/.test(await run(`${root}.querySelector('pre')?.textContent ?? ''`)));

  await toldAfter(`${element}.src = 'named.json'`);
  assert.match(await run(`${root}.querySelector('.card').textContent`), /Apple juice.*Hill Orchard/s);
  assert.deepEqual(await toldAfter(`${element}.src = 'old.xml'`).then(({ format, valid }) => [format, valid]), ['xml', true]);
  assert.equal((await toldAfter(`${element}.src = 'declared.json'`)).withdrawn, 2);
  assert.equal(await run(`${root}.querySelectorAll('h3 s').length`), 2);
  assert.equal((await toldAfter(`${element}.src = 'hostile.json'`)).valid, false);
  assert.equal(await run(`${root}.querySelectorAll('img').length + ' ' + globalThis.hacked`), '0 undefined');
  assert.ok((await run(`${root}.querySelector('.card').textContent`)).includes(HOSTILE));
  assert.equal((await toldAfter(`${element}.src = 'large.json'`)).events, 3000);
  assert.equal(await run(`${root}.querySelectorAll('.card').length`), 25);
  const wrong = await toldAfter(`${element}.setAttribute('sources', '')`);
  assert.deepEqual([wrong.event, wrong.code], ['error', 'unknown-attribute']);
  assert.equal(await run(`${root}.querySelector('[role=alert] h2').textContent`), 'Unknown attribute');
  const shown = await toldAfter(`${element}.removeAttribute('sources'); ${element}.src = null; ${element}.gateway = '/'; ${element}.item = '${item}'`);
  assert.deepEqual([shown.event, shown.found, shown.events], ['epcis-load', true, 5]);
  assert.equal(await run(`${root}.querySelectorAll('.item-life li').length`), 5);
  const paths = site.asked.map(({ path }) => path.replace(/\?.*/, ''));
  assert.deepEqual([...new Set(paths)].sort(), [
    '/component.js',
    '/declared.json',
    '/follow',
    '/host.html',
    '/hostile.json',
    '/invasive.css',
    '/large.json',
    '/masterdata',
    '/named.json',
    '/notes.js',
    '/old.xml',
    '/orchard.json',
  ]);
});
