// The charts of sensor readings: time against value, with alarms, and the same as a table. Loaded when a document has several readings.
import type { Reading, Readings, Series } from './document-readings.ts';
import { h, icon, put, s } from '../shared/dom.ts';
import { count, entryOf } from '../shared/words.ts';

const HEIGHT = 190;
/** The room around the plot, in pixels. */
const ROOM = { left: 46, right: 14, top: 12, bottom: 26 };
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const ALARMS: Readonly<Record<string, string>> = { ALARM_CONDITION: 'Alarm', ERROR_CONDITION: 'Sensor error' };
const DAY = 86_400_000;

/** The alarms of a series in words; empty if there are none. */
const alarmsOf = ({ alarms, errors }: Series) => [alarms > 0 && count(alarms, 'alarm'), errors > 0 && count(errors, 'sensor error')].filter(Boolean).join(', ');
const alarmWords = (alarm: string) => entryOf(ALARMS, alarm) ?? alarm.replaceAll('_', ' ').toLowerCase();
const shown = (number: number) => number.toLocaleString('en', { maximumFractionDigits: 6 });
const two = (number: number) => String(number).padStart(2, '0');

/** Round values over a range, about `most` of them. */
export function ticksOf(low: number, high: number, most = 5): number[] {
  const raw = (high - low || Math.abs(high) || 1) / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= raw * 0.8) ?? 10 * power;
  const first = Math.ceil(low / step - 1e-9);
  const ticks: number[] = [];
  for (let at = first; at * step <= high + step * 1e-9 && ticks.length < 20; at += 1) ticks.push(Number((at * step).toPrecision(12)));
  return ticks;
}

/** The local time of an instant in a zone: the day if the chart spans several, and the clock. */
function labelOf(instant: number, zone: string, isLong: boolean): string {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(zone) ?? [];
  const local = new Date(instant + (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000);
  const day = `${local.getUTCDate()} ${MONTHS[local.getUTCMonth()]}`;
  const clock = `${two(local.getUTCHours())}:${two(local.getUTCMinutes())}`;
  return isLong ? `${day}, ${clock}` : clock;
}

/** What a reading says, in words. */
function wordsOf({ when, value, min, max, alarm, event }: Reading, unit: string): string {
  const parts = [
    value !== undefined && `${shown(value)} ${unit}`,
    min !== undefined && `lowest ${shown(min)} ${unit}`,
    max !== undefined && `highest ${shown(max)} ${unit}`,
  ].filter(Boolean);
  return `${alarm === undefined ? '' : `${alarmWords(alarm)}: `}${parts.join(', ')}, ${when}, event ${event + 1}`;
}

/** The mark of a reading. Alarms have another shape, not only another colour. */
function markOf({ alarm }: Reading, x: number, y: number): SVGElement {
  if (alarm === 'ERROR_CONDITION') return s('rect', { class: 'reading-error', x: x - 5, y: y - 5, width: 10, height: 10 });
  if (alarm !== undefined) return s('path', { class: 'reading-alarm', d: `M${x} ${y - 7}l7 12h-14z` });
  return s('circle', { class: 'reading-dot', cx: x, cy: y, r: 3 });
}

function drawingOf(series: Series, width: number): SVGElement {
  const { type, of, unit, total, low, high, points } = series;
  const plot = { width: width - ROOM.left - ROOM.right, height: HEIGHT - ROOM.top - ROOM.bottom };
  const margin = (high - low) * 0.08 || Math.abs(high) * 0.05 || 1;
  const [bottom, top] = [low - margin, high + margin];
  const [earliest, latest] = [points[0]!, points.at(-1)!];
  const first = earliest.start;
  const last = Math.max(...points.map(({ end }) => end));
  const x = (instant: number) => ROOM.left + (last === first ? plot.width / 2 : ((instant - first) / (last - first)) * plot.width);
  const y = (value: number) => ROOM.top + (1 - (value - bottom) / (top - bottom)) * plot.height;
  const middle = ({ start, end }: Reading) => x((start + end) / 2);
  const { zone } = earliest;
  const isLong = last - first > DAY;
  const places = Math.max(2, Math.min(6, Math.floor(plot.width / (isLong ? 120 : 80))));
  const times = last === first ? [first] : Array.from({ length: places }, (_, at) => first + ((last - first) * at) / (places - 1));
  // What a faulty sensor says is no part of the course.
  const valued = points.filter((point): point is Reading & { readonly value: number } => point.value !== undefined && point.alarm !== 'ERROR_CONDITION');
  return s(
    'svg',
    {
      class: 'reading-chart',
      viewBox: `0 0 ${width} ${HEIGHT}`,
      role: 'img',
      'aria-label': `${type} of ${of}: ${count(total, 'reading')} from ${earliest.when} to ${latest.when}, lowest ${shown(low)} ${unit}, highest ${shown(high)} ${unit}, ${alarmsOf(series) || 'no alarms'}. The table below has them all.`,
    },
    ticksOf(bottom, top).map((value) => [
      s('line', { class: 'reading-grid', x1: ROOM.left, x2: width - ROOM.right, y1: y(value), y2: y(value) }),
      s('text', { x: ROOM.left - 8, y: y(value) + 4, 'text-anchor': 'end' }, shown(value)),
    ]),
    times.map((time, at) =>
      s(
        'text',
        { x: x(time), y: HEIGHT - 8, 'text-anchor': times.length === 1 ? 'middle' : at === 0 ? 'start' : at === times.length - 1 ? 'end' : 'middle' },
        labelOf(time, zone, isLong),
      ),
    ),
    points
      .filter(({ min, max }) => min !== undefined || max !== undefined)
      .map(({ start, end, min, max, value }) => {
        const [from, to] = [y(max ?? value ?? min ?? 0), y(min ?? value ?? max ?? 0)];
        const wide = Math.max(x(end) - x(start), 6);
        return s('rect', { class: 'reading-range', x: (x(start) + x(end)) / 2 - wide / 2, y: from, width: wide, height: Math.max(to - from, 2) });
      }),
    valued.length > 1 &&
      s('polyline', { class: 'reading-line', points: valued.map((point) => `${middle(point).toFixed(1)},${y(point.value).toFixed(1)}`).join(' ') }),
    points.map((point) => {
      const mark = markOf(point, middle(point), y(point.value ?? point.max ?? point.min ?? 0));
      mark.append(s('title', {}, wordsOf(point, unit)));
      return mark;
    }),
  );
}

/** The readings as a table, made when it is opened. */
function tableOf({ type, unit, points, total }: Series, openEvent: (index: number) => unknown): HTMLElement {
  const room = h('div', { class: 'table-room reading-room', tabindex: '0', role: 'region', 'aria-label': `${type}, as a table` });
  const cell = (number: number | undefined) => h('td', { class: 'number-cell' }, number === undefined ? '' : shown(number));
  const fill = () =>
    put(
      room,
      h(
        'table',
        { class: 'reading-table' },
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            ['Time', `Value, ${unit}`, 'Lowest', 'Highest', 'Alarm', 'Event'].map((title) => h('th', { scope: 'col' }, title)),
          ),
        ),
        h(
          'tbody',
          {},
          points.map(({ when, value, min, max, alarm, event }) =>
            h(
              'tr',
              {},
              h('th', { scope: 'row' }, when),
              cell(value),
              cell(min),
              cell(max),
              h('td', {}, alarm === undefined ? '' : alarmWords(alarm)),
              h('td', {}, h('button', { type: 'button', class: 'link', onclick: () => openEvent(event) }, `Event ${event + 1}`)),
            ),
          ),
        ),
      ),
    );
  return h(
    'details',
    { class: 'plain', ontoggle: () => room.childElementCount === 0 && fill() },
    h('summary', {}, points.length === total ? 'As a table' : `As a table, ${points.length.toLocaleString('en')} of ${count(total, 'reading')}`),
    room,
  );
}

/** One chart, drawn anew when its room gets another width. */
function chartOf(series: Series, openEvent: (index: number) => unknown): HTMLElement {
  const { type, of, unit, converted, rules, total, points } = series;
  const room = h('div', { class: 'reading-plot' });
  let width = 0;
  new ResizeObserver(([entry]) => {
    if (entry === undefined) return;
    const { contentRect } = entry;
    const now = Math.max(260, Math.round(contentRect.width));
    if (contentRect.width > 0 && now !== width) put(room, drawingOf(series, (width = now)));
  }).observe(room);
  const has = (test: (point: Reading) => boolean) => points.some(test);
  const key = (mark: SVGElement, words: string) => h('li', {}, s('svg', { class: 'reading-key', viewBox: '0 0 16 16', 'aria-hidden': 'true' }, mark), words);
  const remarks = [
    converted.length > 0 && `Readings in ${converted.join(', ')} are converted to ${unit}.`,
    total > points.length &&
      `${points.length.toLocaleString('en')} of ${count(total, 'reading')} are drawn: of each stretch the lowest and the highest, and alarms.`,
    rules.length > 0 && `The sensor names its rules, which may have its limits: ${rules.join(', ')}.`,
    has(({ min, max }) => min !== undefined || max !== undefined) && 'Lowest and highest are what was measured in a period. EPCIS has no field for limits.',
  ].filter((words) => words !== false);
  return h(
    'figure',
    { class: 'reading' },
    h(
      'figcaption',
      {},
      h('b', {}, `${type}${unit === '' ? '' : `, ${unit}`}`),
      h('span', {}, of),
      alarmsOf(series) !== '' && h('span', { class: 'reading-alarms' }, icon('warn'), alarmsOf(series)),
    ),
    room,
    h(
      'ul',
      { class: 'reading-keys' },
      has(({ alarm }) => alarm === undefined) && key(s('circle', { class: 'reading-dot', cx: 8, cy: 8, r: 3.5 }), 'reading'),
      has(({ min, max }) => min !== undefined || max !== undefined) &&
        key(s('rect', { class: 'reading-range', x: 4, y: 2, width: 8, height: 12 }), 'lowest to highest'),
      has(({ alarm }) => alarm !== undefined && alarm !== 'ERROR_CONDITION') &&
        key(s('path', { class: 'reading-alarm', d: 'M8 2l6 11H2z' }), 'alarm: outside of the range that was set'),
      has(({ alarm }) => alarm === 'ERROR_CONDITION') &&
        key(s('rect', { class: 'reading-error', x: 3, y: 3, width: 10, height: 10 }), 'the sensor reports an error'),
    ),
    remarks.map((words) => h('p', { class: 'fine' }, words)),
    tableOf(series, openEvent),
  );
}

/** The section of the charts, as `readingsOf` answers. */
export function readingsSection({ series, more, left }: Readings, openEvent: (index: number) => unknown): HTMLElement {
  return h(
    'section',
    { class: 'sheet', role: 'group', 'aria-labelledby': 'readings-title' },
    h('div', { class: 'sheet-head' }, h('h2', { class: 'caption', id: 'readings-title' }, 'Sensor readings')),
    series.map((one) => chartOf(one, openEvent)),
    more > 0 && h('p', { class: 'fine' }, `${count(more, 'further chart')} ${more === 1 ? 'is' : 'are'} not drawn.`),
    left.length > 0 && h('p', { class: 'fine' }, `Not drawn: ${left.join('; ')}.`),
  );
}
