// The charts of sensor readings: which readings go together, what is converted, what is left out, and how it is drawn.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { converter, readingsOf } from '../src/events/document-readings.ts';
import { ticksOf } from '../src/events/readings-chart.ts';
import { around, event, openTab, playground, seriousFaults } from './browser.js';
import { canonicalOf, inputOf } from './history.js';

const { withDocument } = playground();
const LOGGER = 'https://id.gs1.org/8004/9521141LOGGER7';
const of = (events, name = () => undefined) => readingsOf(inputOf(events, { names: { nameOf: name } }));
/** An event at an hour of the day with these reports. */
const at = (hour, sensorReport, own = {}) =>
  event({
    eventTime: `2026-03-04T${String(hour).padStart(2, '0')}:00:00+01:00`,
    sensorElementList: [{ sensorMetadata: { deviceID: LOGGER }, sensorReport: [sensorReport].flat() }],
    ...own,
  });
const temperature = (value, own) => ({ type: 'Temperature', value, uom: 'CEL', ...own });

/** A day of a logger in a cold chain: an alarm, a reading in Fahrenheit, a period, a faulty sensor. */
const COLD = [
  ...[3.9, 4.1, 4.4, 4.2, 4.6, 5.3].map((value, hour) => at(hour, [temperature(value), { type: 'RelativeHumidity', value: 60 + hour, uom: 'P1' }])),
  at(6, temperature(9.2, { exception: 'ALARM_CONDITION' })),
  at(7, temperature(46.4, { uom: 'FAH' })),
  at(8, temperature(0, { exception: 'ERROR_CONDITION' })),
  at(12, { type: 'Temperature', minValue: 3.5, maxValue: 6.1, meanValue: 4.8, uom: 'CEL' }, {}),
];

test('readings of one device and one kind are one series, in the order of time', () => {
  const { series, more, left } = of([...COLD].reverse(), (id) => (canonicalOf(id) === LOGGER ? 'Logger 7' : undefined));
  assert.deepEqual([more, left], [0, []]);
  const [temperatures, humidity] = series.sort((one, other) => other.total - one.total);
  assert.deepEqual(
    [temperatures.type, temperatures.of, temperatures.unit, temperatures.total, temperatures.alarms, temperatures.errors],
    ['Temperature', 'Logger 7', '°C', 10, 1, 1],
  );
  assert.deepEqual([humidity.type, humidity.unit, humidity.total], ['Relative humidity', '%', 6]);
  assert.deepEqual(
    temperatures.points.map(({ value }) => value),
    [3.9, 4.1, 4.4, 4.2, 4.6, 5.3, 9.2, 8, 0, 4.8],
  );
  assert.deepEqual(temperatures.converted, ['°F']);
  assert.deepEqual([temperatures.low, temperatures.high], [0, 9.2]);
  assert.deepEqual(
    temperatures.points.slice(6).map(({ alarm, min, max, event: index }) => [alarm, min, max, index]),
    [
      ['ALARM_CONDITION', undefined, undefined, 3],
      [undefined, undefined, undefined, 2],
      ['ERROR_CONDITION', undefined, undefined, 1],
      [undefined, 3.5, 6.1, 0],
    ],
  );
});

test('a unit is converted only if that is certain', () => {
  assert.equal(converter('Temperature', 'KEL', 'FAH')(273.15), 32);
  assert.equal(converter('Mass', 'TNE', 'KGM')(2), 2000);
  assert.equal(converter('Pressure', 'BAR', 'KPA')(1), 100);
  // A difference of temperatures has no zero; a mass is no length; a unit that is not known is none of them.
  assert.equal(converter('https://example.com/Difference', 'CEL', 'FAH'), undefined);
  assert.equal(converter('Mass', 'KGM', 'MTR'), undefined);
  assert.equal(converter('Mass', 'KGM', 'XYZ'), undefined);
  const mixed = of([at(1, temperature(1, { uom: 'XYZ' })), at(2, temperature(2, { uom: 'XYZ' })), at(3, temperature(3)), at(4, temperature(4))]);
  assert.deepEqual(
    mixed.series.map(({ unit, total, converted }) => [unit, total, converted]),
    [
      ['XYZ', 2, []],
      ['°C', 2, []],
    ],
  );
});

test('other devices, components and things are other series; a single reading is none', () => {
  const other = {
    sensorElementList: [{ sensorReport: [temperature(1), temperature(2, { time: '2026-03-04T03:00:00Z' }), temperature(3, { component: 'x' })] }],
  };
  const { series } = of([
    at(1, temperature(1)),
    at(2, temperature(2)),
    event(other),
    event({ ...other, epcList: [LOGGER, 'urn:epc:id:sscc:9521141.1234567890'] }),
  ]);
  assert.deepEqual(
    series.map(({ of: whose, total }) => [whose, total]),
    [
      ['GIAI 9521141LOGGER7', 2],
      ['SSCC 195211412345678900', 2],
      ['GIAI 9521141LOGGER7 and 1 more', 2],
    ],
  );
});

test('what is not drawn is said, and what is drawn is bounded', () => {
  const wrong = at(1, temperature(99), { eventID: 'urn:uuid:1' });
  const { series, left } = of([
    ...COLD,
    wrong,
    { ...wrong, errorDeclaration: { declarationTime: '2026-03-05T00:00:00Z' } },
    at(2, temperature(5, { time: 'yesterday' })),
    at(3, [null, 7, { type: 'Temperature' }, { type: 'Temperature', value: 'cold' }, { value: 3 }]),
  ]);
  assert.equal(series[0].total, 10);
  assert.deepEqual(left, ['2 of events that were declared in error', '1 without a time']);
  const many = Array.from({ length: 50_000 }, (_, second) => ({
    type: 'Temperature',
    time: new Date(Date.UTC(2026, 2, 4) + second * 1000).toISOString(),
    value: second === 31_234 ? -40 : second % 10,
    uom: 'CEL',
    ...(second === 40_001 ? { exception: 'ALARM_CONDITION' } : {}),
  }));
  const [long] = of([event({ sensorElementList: [{ sensorReport: many }] })]).series;
  assert.equal(long.total, 50_000);
  assert.ok(long.points.length <= 402, `${long.points.length} points`);
  assert.ok(long.points.some(({ value }) => value === -40));
  assert.ok(long.points.some(({ alarm }) => alarm !== undefined));
  assert.deepEqual([long.low, long.high], [-40, 9]);
  const crowd = Array.from({ length: 15 }, (_, device) =>
    event({ sensorElementList: [{ sensorMetadata: { deviceID: `urn:uuid:${device}` }, sensorReport: [temperature(1), temperature(2)] }] }),
  );
  const all = of(crowd);
  assert.deepEqual([all.series.length, all.more], [12, 3]);
});

test('round values on the axis', () => {
  assert.deepEqual(ticksOf(0, 10), [0, 2, 4, 6, 8, 10]);
  assert.deepEqual(ticksOf(-0.3, 0.9), [-0.2, 0, 0.2, 0.4, 0.6, 0.8]);
  assert.deepEqual(ticksOf(4, 4, 5).length > 0, true);
});

test('the chart, its marks and its table', () =>
  withDocument(around(...COLD), async (page) => {
    await openTab(page, 'Events');
    const chart = page.locator('.reading').first();
    await chart.locator('svg.reading-chart').waitFor();
    assert.equal(await page.locator('.reading').count(), 2);
    assert.match(
      await chart.locator('svg.reading-chart').getAttribute('aria-label'),
      /^Temperature of GIAI 9521141LOGGER7: 10 readings from 4 Mar 2026, 00:00 \+01:00 to 4 Mar 2026, 12:00 \+01:00, lowest 0 °C, highest 9.2 °C, 1 alarm, 1 sensor error\./,
    );
    // An alarm has another shape, and words.
    assert.equal(await chart.locator('.reading-chart .reading-alarm').count(), 1);
    assert.equal(await chart.locator('.reading-chart .reading-error').count(), 1);
    assert.equal(await chart.locator('.reading-chart .reading-dot').count(), 8);
    assert.equal(await chart.locator('.reading-chart .reading-range').count(), 1);
    assert.match(await chart.locator('.reading-chart .reading-alarm title').textContent(), /^Alarm: 9\.2 °C, 4 Mar 2026, 06:00 \+01:00, event 7$/);
    assert.match(await chart.locator('.reading-keys').textContent(), /alarm: outside of the range that was set/);
    assert.match(await chart.textContent(), /Readings in °F are converted to °C\./);
    await chart.locator('summary').focus();
    await page.keyboard.press('Enter');
    const rows = chart.locator('tbody tr');
    await rows.first().waitFor();
    assert.equal(await rows.count(), 10);
    assert.deepEqual(await rows.nth(6).locator('th, td').allTextContents(), ['4 Mar 2026, 06:00 +01:00', '9.2', '', '', 'Alarm', 'Event 7']);
    await rows.nth(6).getByRole('button').click();
    await page.waitForFunction(() => document.activeElement?.dataset.event === '6');
    // In a narrower window it is drawn anew.
    const width = () => chart.locator('svg.reading-chart').evaluate((own) => own.viewBox.baseVal.width);
    const before = await width();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.waitForFunction((wide) => document.querySelector('svg.reading-chart').viewBox.baseVal.width < wide, before);
  }));

test('nothing is loaded for a document without two readings of one kind', () =>
  withDocument(around(at(1, temperature(1)), event({})), async (page, { seen }) => {
    await openTab(page, 'Events');
    await page.locator('.card').first().waitFor();
    assert.equal(await page.locator('.reading').count(), 0);
    assert.equal(
      seen.requests.some(({ url }) => /event-extras|document-extras|readings-chart/.test(url)),
      false,
    );
  }));

for (const colorScheme of ['light', 'dark'])
  test(`axe finds nothing serious in the charts, and 390 pixels are enough, ${colorScheme}`, () =>
    withDocument(
      around(...COLD),
      async (page) => {
        await openTab(page, 'Events');
        await page.locator('svg.reading-chart').first().waitFor();
        await page.locator('.reading summary').first().click();
        assert.deepEqual(await seriousFaults(page), []);
        assert.equal(await page.evaluate(() => document.scrollingElement.scrollWidth), 390);
      },
      { viewport: { width: 390, height: 844 }, colorScheme },
    ));
