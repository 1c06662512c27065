// The map of places: which have coordinates, the ways of things between them, and how it is drawn without asking anybody.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesOf } from '../../wasm/js/names/names.ts';
import { coordinatesOf, mapOf } from '../src/events/document-map.ts';
import { LAND } from '../src/events/land.ts';
import { marksAt, unrolled } from '../src/events/places-map.ts';
import { around, event, openTab, playground, seriousFaults } from './browser.js';
import { canonicalOf, inputOf } from './history.js';

const { withDocument, withPage } = playground();
const MDA = 'urn:epcglobal:cbv:mda#';
const gln = (number) => `https://id.gs1.org/414/${number}`;
const [FARM, PORT, SHOP, BARE] = ['9521141000014', '9521141000090', '9521141001011', '9521141002025'].map(gln);
const element = (id, name, latitude, longitude) => ({
  id,
  attributes: [
    { id: `${MDA}name`, attribute: name },
    ...(latitude === undefined
      ? []
      : [
          { id: `${MDA}latitude`, attribute: latitude },
          { id: `${MDA}longitude`, attribute: longitude },
        ]),
  ],
});
const ELEMENTS = [element(FARM, 'Hill Farm', '2.5', '73.1'), element('urn:epc:id:sgln:9521141.00009.0', 'Far Port', '51.95', '4.14'), element(BARE, 'Nowhere')];
const mapped = (events, elements = ELEMENTS) => mapOf(inputOf(events, { names: namesOf([elements], canonicalOf) }));
/** An event at an hour and a place. */
const at = (hour, id, own = {}) => event({ eventTime: `2026-03-04T${String(hour).padStart(2, '0')}:00:00Z`, readPoint: { id }, ...own });

test('coordinates are those of a geo URI or of master data, or they are none', () => {
  const { attributesOf } = namesOf([[...ELEMENTS, element(SHOP, 'Wrong', '91', '4')]], canonicalOf);
  const found = (id) => coordinatesOf(id, attributesOf);
  assert.deepEqual(found('geo:52.1,4.3'), { latitude: 52.1, longitude: 4.3 });
  assert.deepEqual(found('geo:-33.9,18.4,12;crs=wgs84;u=35'), { latitude: -33.9, longitude: 18.4 });
  assert.deepEqual(found(FARM), { latitude: 2.5, longitude: 73.1 });
  // Another spelling of the same place.
  assert.deepEqual(found(PORT), { latitude: 51.95, longitude: 4.14 });
  for (const wrong of ['geo:91,0', 'geo:0,181', 'geo:1', 'geo:a,b', 'geo:1e1,2', 'geo:1,2;crs=mars', SHOP]) assert.equal(found(wrong), null, wrong);
  for (const none of [BARE, 'https://example.com/place']) assert.equal(found(none), undefined, none);
});

test('a way is where one thing was at one place and then at another', () => {
  const [one, other] = ['urn:epc:id:sscc:9521141.1234567890', 'urn:epc:id:sscc:9521141.1234567891'];
  const { places, ways, left } = mapped([
    at(3, PORT, { epcList: [one] }),
    at(1, FARM, { epcList: [one, other] }),
    at(2, FARM, { epcList: [one] }),
    at(4, 'geo:60,10', { epcList: [canonicalOf(one)] }),
    at(5, FARM, { epcList: [one] }),
    at(6, BARE, { epcList: [one] }),
    at(7, 'geo:1,999'),
    at(8, PORT, { epcList: ['urn:epc:id:sscc:9521141.1234567892'] }),
  ]);
  assert.deepEqual(
    places.map(({ name, events, first }) => [name, events, first]),
    [
      ['Hill Farm', 3, 1],
      ['Far Port', 2, 0],
      ['60, 10', 1, 3],
    ],
  );
  assert.deepEqual(ways, [
    { from: 0, to: 1, things: 1 },
    { from: 1, to: 2, things: 1 },
    { from: 2, to: 0, things: 1 },
  ]);
  assert.deepEqual(left, ['2 events at places without coordinates', '1 place with coordinates that are no degrees']);
  const many = mapped(Array.from({ length: 150 }, (_, own) => at(1, `geo:${own / 10},${own}`)));
  assert.equal(many.places.length, 100);
  assert.match(many.left.join(), /50 further places/);
  const wrong = at(1, FARM, { eventID: 'urn:uuid:1' });
  assert.equal(mapped([wrong, { ...wrong, errorDeclaration: { declarationTime: '2026-03-05T00:00:00Z' } }]).places.length, 0);
});

test('what is in a container goes the way of the container', () => {
  const [pallet, lot] = ['urn:epc:id:sscc:9521141.1234567890', 'https://id.gs1.org/01/09521141300114/10/V1'];
  const packing = { type: 'AggregationEvent', epcList: undefined, parentID: pallet, childQuantityList: [{ epcClass: lot, quantity: 4 }] };
  const { ways } = mapped([
    at(1, FARM, { epcList: [], quantityList: [{ epcClass: lot, quantity: 4 }] }),
    at(2, FARM, { ...packing, action: 'ADD', bizStep: 'packing' }),
    at(3, PORT, { epcList: [pallet] }),
    at(4, 'geo:60,10', { ...packing, action: 'DELETE', bizStep: 'unpacking' }),
    at(5, 'geo:60,10', { epcList: [], quantityList: [{ epcClass: lot, quantity: 4 }] }),
  ]);
  assert.deepEqual(ways, [
    { from: 0, to: 1, things: 1 },
    { from: 1, to: 2, things: 1 },
  ]);
});

test('the map is drawn across the date line, and marks stand beside each other', () => {
  assert.deepEqual(unrolled([170, -170, 175]), [170, 190, 175]);
  assert.deepEqual(unrolled([-10, 20]), [-10, 20]);
  assert.deepEqual(unrolled([5]), [5]);
  const marks = marksAt(Array.from({ length: 8 }, () => ({ x: 100, y: 100 })));
  for (const [index, one] of marks.entries()) for (const other of marks.slice(index + 1)) assert.ok(Math.hypot(one.x - other.x, one.y - other.y) >= 17.9);
  assert.ok(LAND.length < 30_000, 'the outline is small');
});

const withCoordinates = () => {
  const document = JSON.parse(around(at(1, FARM), at(2, PORT), at(3, 'geo:-33.9,18.4', { bizStep: 'receiving' })));
  document.epcisHeader = { epcisMasterData: { vocabularyList: [{ type: 'urn:epcglobal:epcis:vtype:Location', vocabularyElementList: ELEMENTS }] } };
  return JSON.stringify(document);
};

test('the map, its names, its list, and no request', () =>
  withDocument(withCoordinates(), async (page, { seen }) => {
    const before = seen.requests.length;
    await openTab(page, 'Events');
    const map = page.locator('svg.map');
    await map.waitFor();
    assert.equal(await map.getAttribute('aria-label'), 'A map of 3 places and 2 ways between them. The list below has them all.');
    assert.deepEqual(await map.locator('.map-place > text').allTextContents(), ['1', '2', '3']);
    assert.deepEqual(await map.locator('.map-name').allTextContents(), ['Hill Farm', 'Far Port', '-33.9, 18.4']);
    assert.equal(await map.locator('.map-arrow').count(), 2);
    await page.locator('.map-lists summary').focus();
    await page.keyboard.press('Enter');
    assert.deepEqual(await page.getByRole('list', { name: 'Ways' }).locator('li').allTextContents(), [
      '1 to 2, from Hill Farm to Far Port: 1 thing',
      '2 to 3, from Far Port to -33.9, 18.4: 1 thing',
    ]);
    await page.getByRole('list', { name: 'Places' }).getByRole('button', { name: 'event 2' }).click();
    await page.waitForFunction(() => document.activeElement?.dataset.event === '1');
    // All that was loaded are files of the page.
    for (const { url } of seen.requests.slice(before)) assert.match(url, /\/assets\/[\w-]+\.(?:js|css|wasm)$/);
  }));

test('nothing is loaded for a document without two coordinates', () =>
  withPage(async (page, { seen }) => {
    // The first example has one position.
    await openTab(page, 'Events');
    await page.locator('.card').first().waitFor();
    assert.equal(
      seen.requests.some(({ url }) => /event-extras|document-extras|places-map/.test(url)),
      false,
    );
  }));

test('one place twice is no map', () =>
  withDocument(around(at(1, 'geo:1,2'), at(2, 'geo:1,2')), async (page) => {
    await openTab(page, 'Events');
    await page.locator('.card').first().waitFor();
    await page.locator('.extras[aria-busy]').waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.querySelector('link[href*=later]') !== null);
    await page.locator('.extras[aria-busy]').waitFor({ state: 'detached' });
    assert.equal(await page.locator('svg.map').count(), 0);
  }));

for (const colorScheme of ['light', 'dark'])
  test(`axe finds nothing serious in the map, and 390 pixels are enough, ${colorScheme}`, () =>
    withDocument(
      withCoordinates(),
      async (page) => {
        await openTab(page, 'Events');
        await page.locator('svg.map').waitFor();
        await page.locator('.map-lists summary').click();
        assert.deepEqual(await seriousFaults(page), []);
        assert.equal(await page.evaluate(() => document.scrollingElement.scrollWidth), 390);
      },
      { viewport: { width: 390, height: 844 }, colorScheme },
    ));
