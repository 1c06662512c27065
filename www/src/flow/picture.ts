// The picture of the flow: boxes are events, strands are items, a sleeve is a container around its items.
import type { EventsTold } from '../engine/document-story.ts';
import type { Problem } from '../engine/answers.ts';
import type { Path } from '../item/document-follow.ts';
import { announce, type Attributes, button, type Child, h, type Icon, icon, put, s } from '../shared/dom.ts';
import { itemLink } from '../shared/parts.ts';
import { count } from '../shared/words.ts';

const MARGIN = 14;
const STRANDS = 6;
/** The longest label of a strand, in characters. */
const LABEL = 34;
const COLOURS = 7;
/** The zoom levels, as fractions of the natural size. */
const [LOWEST, HIGHEST] = [0.33, 3];
const ZOOMS = [LOWEST, 0.5, 0.66, 0.8, 1, 1.25, 1.6, 2, HIGHEST];

import type { Box, Edge, Flow } from './flow.ts';
import type { Layout, Point } from './layout.ts';

type Pair = readonly [x: number, y: number];

/** An entry of the legend. */
export interface LegendEntry {
  readonly words: string;
  readonly kind: string;
  readonly colour: string;
}

/** The room of a drawing. */
export interface Size {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** What saves a picture as a file. */
export interface PictureFiles {
  saveSvg(svg: SVGElement, size: Size, entries: readonly LegendEntry[]): void;
  savePng(svg: SVGElement, size: Size, entries: readonly LegendEntry[]): Promise<void>;
}

/** Asks for the path of an item in the picture. */
export type AskPath = (about: 'path', id: string) => Promise<Path | { readonly problem: Problem }>;

/** Links to the pages of items. */
export interface ItemLinks {
  linkOf(id: string): Attributes;
}

/** Following of an item in the picture. */
interface Following {
  readonly ask: AskPath;
  readonly items: ItemLinks;
}

interface Showing {
  open(index: number): unknown;
  readonly following: Following | undefined;
  readonly files: (() => Promise<PictureFiles>) | undefined;
}

/**
 * The picture with its tools: zoom, fit, full screen; with `following` also following an item, and with `files`, which loads the code for
 * it, saving. `open(index)` shows an event.
 */
export function showPicture({ flow, total }: Pick<EventsTold, 'flow' | 'total'>, { open, following, files }: Showing): Child[] {
  const drawing = drawFlow(flow, open, following);
  const { svg, size } = drawing;
  const room = h('div', { class: 'picture', tabindex: '0', role: 'group', 'aria-label': 'Picture of the flow' }, svg);
  const sheet = h('div', { class: 'picture-sheet' });
  let zoom: number | undefined;
  const apply = () => {
    // At first as wide as the room, up to the natural size, and as high as that is: nothing is cut. What was enlarged scrolls.
    const isFirst = zoom === undefined;
    room.classList.toggle('is-zoomed', !isFirst);
    svg.style.width = zoom === undefined ? '100%' : `${Math.round(size.width * zoom)}px`;
    svg.style.maxWidth = isFirst ? `${size.width}px` : 'none';
  };
  const scale = () => svg.getBoundingClientRect().width / size.width;
  const step = (by: number) => {
    const now = scale();
    const next = by > 0 ? (ZOOMS.find((one) => one > now + 0.02) ?? HIGHEST) : (ZOOMS.findLast((one) => one < now - 0.02) ?? LOWEST);
    zoom = next;
    apply();
    announce(`${Math.round(next * 100)} percent`, room);
  };
  const fit = () => {
    // Make the whole picture visible.
    const { clientWidth, clientHeight } = room;
    const tall = (sheet.getRootNode() as Document).fullscreenElement === sheet ? clientHeight : 640;
    zoom = Math.min(clientWidth / size.width, tall / size.height, 1);
    apply();
  };
  apply();
  const tool = (name: Icon, label: string, act: () => unknown) =>
    h('button', { type: 'button', class: 'button quiet icon-only', 'aria-label': label, title: label, onclick: act }, icon(name));
  const full = tool('full', 'Full screen', () =>
    document.fullscreenElement === null ? sheet.requestFullscreen?.().catch(() => announce('Full screen was refused', sheet)) : document.exitFullscreen(),
  );
  const remarks = [
    flow.isGrouped && `${total.toLocaleString('en')} events: those of the same step and place share a box.`,
    flow.omitted > 0 && `Only the ${flow.boxes.length} largest boxes are drawn; ${flow.omitted.toLocaleString('en')} are left out.`,
    flow.edges.length === 0 && flow.boxes.length > 1 && 'No item appears in more than one event.',
  ].filter((words) => words !== false);
  sheet.append(
    h(
      'div',
      { class: 'sheet-head' },
      h('h2', { class: 'caption', id: 'flow-title' }, 'How items flow'),
      drawing.follow,
      h(
        'div',
        { class: 'picture-tools', role: 'group', 'aria-label': 'Size of the picture' },
        tool('minus', 'Zoom out', () => step(-1)),
        tool('plus', 'Zoom in', () => step(1)),
        tool('fit', 'Fit', fit),
        full,
      ),
      files && button('download', 'SVG', async () => (await files()).saveSvg(...drawing.parts), { class: 'button quiet' }),
      files && button('download', 'PNG', async () => (await files()).savePng(...drawing.parts), { class: 'button quiet' }),
    ),
    drawing.answer,
    room,
    drawing.legend || '',
  );
  return [remarks.length > 0 && h('p', { class: 'remark' }, icon('info'), remarks.join(' ')), sheet];
}

/**
 * Draws the picture: `{svg, size, follow, answer, legend, parts}`. `follow` is the choice of an item to follow, `answer` the line about
 * it, and `parts` the arguments for saving a file.
 */
function drawFlow(flow: EventsTold['flow'], open: (index: number) => unknown, following: Following | undefined) {
  const { layout, boxes, edges } = flow;
  const families = new Map<string, string>();
  const colourOf = (family: string): string => {
    if (family === '') return 'strand-none';
    if (!families.has(family)) families.set(family, `strand-${families.size % COLOURS}`);
    return families.get(family)!;
  };
  const ports = portsOf(edges, layout);
  const routes = edges.map((_, at) => shifted(layout.edges[at]!.points, ports[at]!));
  const drawnEdges = edges.map((edge, at) =>
    edge.correction === undefined ? drawEdge(edge, routes[at]!, colourOf) : drawCorrection(edge.correction, routes[at]!),
  );
  const drawnBoxes = boxes.map((box, at) => drawBox(box, layout.boxes[at]!, layout.box, open));
  const spread = placeLabels(drawnEdges, routes);
  const left = Math.min(0, ...spread.map(({ from }) => from));
  const right = Math.max(layout.width, ...spread.map(({ to }) => to));
  const size = { left: left - MARGIN, top: -MARGIN, width: right - left + 2 * MARGIN, height: layout.height + 2 * MARGIN };
  const svg = s(
    'svg',
    { class: 'flow', viewBox: `${size.left} ${size.top} ${size.width} ${size.height}`, role: 'group', 'aria-label': spoken(flow) },
    drawnEdges.map(({ lines }) => lines),
    drawnBoxes,
    drawnEdges.map(({ label }) => label),
  );

  const items = new Map<string, string>();
  for (const { items: list } of edges)
    for (const { id, text, held } of list) {
      items.set(id, text);
      for (const inner of held) items.set(inner.id, inner.text);
    }
  const answer = h('p', { class: 'follow-answer', role: 'status', hidden: true });
  const choice: HTMLSelectElement = h(
    'select',
    {
      class: 'select',
      id: 'follow',
      onchange: async () => {
        const wanted = choice.value;
        const way = wanted === '' ? undefined : await following?.ask('path', wanted);
        if (choice.value !== wanted) return;
        const path = way?.problem === undefined ? way : undefined;
        svg.classList.toggle('is-following', path !== undefined);
        const [on, through] = [new Set<string>(path?.boxes), new Set<string>(path?.edges)];
        edges.forEach((edge, at) => {
          const isOff = path !== undefined && !(edge.correction === undefined && through.has(edge.name));
          for (const part of [drawnEdges[at]!.lines, drawnEdges[at]!.label]) part.classList.toggle('is-off', isOff);
        });
        boxes.forEach((box, at) => drawnBoxes[at]!.classList.toggle('is-off', path !== undefined && !on.has(box.key)));
        answer.hidden = way === undefined;
        if (way !== undefined)
          put(
            answer,
            path === undefined
              ? way.problem?.detail
              : [aboutPath(path), '. ', following !== undefined && itemLink('About this item', undefined, following.items.linkOf(wanted))],
          );
      },
    },
    h('option', { value: '' }, 'all items'),
    [...items].slice(0, 200).map(([id, text]) => h('option', { value: id }, text)),
  );
  const follow = following !== undefined && items.size > 1 && h('span', { class: 'follow' }, h('label', { for: 'follow' }, 'Follow'), choice);

  const shown = [...families].filter(([family]) => family !== '').slice(0, COLOURS);
  const hasSleeve = edges.some(({ items: list }) => list.some(({ inside }) => inside > 0));
  const hasCorrection = edges.some(({ correction }) => correction !== undefined);
  const entries: LegendEntry[] = [
    ...shown.map(([family, colour]) => ({ words: family, kind: 'strand-dot', colour })),
    ...(hasSleeve ? [{ words: 'travels inside', kind: 'sleeve-dot', colour: '' }] : []),
    ...(hasCorrection ? [{ words: 'corrects', kind: 'correction-dot', colour: '' }] : []),
  ];
  const legend =
    entries.length > 0 &&
    h(
      'ul',
      { class: 'legend strands' },
      entries.map(({ words, kind, colour }) => h('li', {}, h('span', { class: `${kind} ${colour}` }), words)),
    );
  return { svg, size, follow, answer, legend, parts: [svg, size, entries] as const };
}

/** What is known of a followed item, in a line. */
const aboutPath = ({ events, sources, products, isWhole }: Path) =>
  [
    `Present in ${count(events, 'event')}`,
    sources.length > 0 && `made from ${few(sources)}`,
    products.length > 0 && `became ${few(products)}`,
    !isWhole && 'not followed to the end',
  ]
    .filter(Boolean)
    .join('; ');

const few = (names: readonly string[]) => `${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`;

/** Places the labels in the gap under a row, on one or two lines, never over a box. Returns the start and end of each. */
/** An edge as it is drawn. */
interface DrawnEdge {
  readonly lines: SVGElement;
  readonly label: SVGElement;
  readonly width: number;
}

function placeLabels(drawn: readonly DrawnEdge[], routes: readonly (readonly Pair[])[]): { readonly from: number; readonly to: number }[] {
  const gaps = new Map<number, { readonly label: SVGElement; readonly width: number; readonly x: number; readonly y: number }[]>();
  drawn.forEach(({ label, width }, at) => {
    const [[x0, y0], [x1]] = routes[at] as readonly [Pair, Pair];
    const own = { label, width, x: (x0 + x1) / 2, y: y0 };
    gaps.set(y0, [...(gaps.get(y0) ?? []), own]);
  });
  const placed: { readonly from: number; readonly to: number }[] = [];
  for (const gap of gaps.values()) {
    gap.sort((a, b) => a.x - b.x);
    const lines: [number, number] = [-Infinity, -Infinity];
    for (const own of gap) {
      const half = own.width / 2;
      // Choose the line in which the label is nearest to its edge.
      const line = lines[0] <= lines[1] || lines[0] <= own.x - half ? 0 : 1;
      const x = Math.max(own.x, lines[line] + half + 6);
      lines[line] = x + half;
      const y = own.y + (gap.length === 1 ? 32 : line === 0 ? 20 : 44);
      own.label.setAttribute('transform', `translate(${x} ${y})`);
      placed.push({ from: x - half, to: x + half });
    }
  }
  return placed;
}

/** The description of the picture for screen readers. */
function spoken({ boxes, edges }: Flow): string {
  const flows = edges
    .slice(0, 40)
    .map(({ from, to, total, correction }) => `${boxes[from]!.title} to ${boxes[to]!.title}, ${correction ?? count(total, 'item')}`);
  return `${count(boxes.length, 'box')}, ${count(edges.length, 'line')}. ${flows.join('; ')}`;
}

/** The horizontal shift of each line's start and end, so that lines that meet at a box are beside each other. */
function portsOf(edges: readonly Edge[], { edges: routes }: Layout): [start: number, end: number][] {
  const ports = edges.map((): [number, number] => [0, 0]);
  const spread = (end: 0 | 1, sortBy: (at: number) => number) => {
    const groups = new Map<number, number[]>();
    edges.forEach((edge, at) => {
      const key = end === 0 ? edge.from : edge.to;
      groups.set(key, [...(groups.get(key) ?? []), at]);
    });
    for (const group of groups.values()) {
      group.sort((a, b) => sortBy(a) - sortBy(b) || edges[a]!.from - edges[b]!.from);
      const step = Math.min(44, 180 / group.length);
      group.forEach((at, index) => (ports[at]![end] = (index - (group.length - 1) / 2) * step));
    }
  };
  spread(0, (at) => routes[at]!.points[1]![0]);
  spread(1, (at) => routes[at]!.points.at(-2)![0]);
  return ports;
}

function shifted(points: readonly Pair[], [start, end]: readonly [number, number]): Pair[] {
  return points.map(([x, y], index): Pair => [x + (index === 0 ? start : index === points.length - 1 ? end : 0), y]);
}

/** The path of a line through points that leaves and arrives vertically. */
function pathOf(points: readonly Pair[], shift: number): string {
  const [[x, y], ...rest] = points as readonly [Pair, ...Pair[]];
  let path = `M${x + shift} ${y}`;
  let [fromX, fromY] = [x + shift, y];
  for (const [toX, toY] of rest) {
    const middle = (fromY + toY) / 2;
    path += toX + shift === fromX ? `L${toX + shift} ${toY}` : `C${fromX} ${middle} ${toX + shift} ${middle} ${toX + shift} ${toY}`;
    [fromX, fromY] = [toX + shift, toY];
  }
  return path;
}

function drawEdge({ items, words }: Edge, points: readonly Pair[], colourOf: (family: string) => string): DrawnEdge {
  const strands: string[] = [];
  let isSleeved = false;
  for (const item of items) {
    if (item.inside > 0) {
      isSleeved = true;
      for (const { family } of item.held) strands.push(colourOf(family));
    } else strands.push(colourOf(item.family));
  }
  const drawn = strands.slice(0, STRANDS);
  const pitch = 5;
  const lines = s(
    'g',
    { class: 'edge', 'aria-hidden': 'true' },
    isSleeved && s('path', { class: 'sleeve', d: pathOf(points, 0), 'stroke-width': drawn.length * pitch + 9 }),
    drawn.map((colour, at) => s('path', { class: `strand ${colour}`, d: pathOf(points, (at - (drawn.length - 1) / 2) * pitch) })),
  );
  return { lines, ...labelled(clipped(words, LABEL), items.map(({ text, inside }) => (inside > 0 ? `${text}, ${inside} inside` : text)).join('\n')) };
}

/** Draws the line from an event to its correction. */
function drawCorrection(correction: string, points: readonly Pair[]): DrawnEdge {
  const lines = s('g', { class: 'edge', 'aria-hidden': 'true' }, s('path', { class: 'correction', d: pathOf(points, 0) }));
  return { lines, ...labelled(correction, correction) };
}

function labelled(words: string, spelt: string): { readonly label: SVGElement; readonly width: number } {
  const width = widthOf(words, '500 11px') + 18;
  const label = s(
    'g',
    { class: 'edge-label', 'aria-hidden': 'true' },
    s('rect', { x: -width / 2, y: -10, width, height: 20, rx: 10 }),
    s('text', { 'text-anchor': 'middle', y: 4 }, words),
    s('title', {}, spelt),
  );
  return { label, width };
}

const clipped = (text: string, length: number) => (text.length <= length ? text : `${text.slice(0, length - 1)}…`);

let pen: CanvasRenderingContext2D | undefined;
/** The width of a text as the picture shows it. The canvas is made here: the web component is also imported where there is no document. */
function widthOf(text: string, font: string): number {
  pen ??= document.createElement('canvas').getContext('2d')!;
  pen.font = `${font} ${getComputedStyle(document.body).fontFamily}`;
  return pen.measureText(text).width;
}

/** A text on at most `most` lines that are no wider than `width`. The last one is cut if there is more, a single one behind any letter. */
function wrapped(text: string, font: string, width: number, most: number): string[] {
  const fits = (words: string) => widthOf(words, font) <= width;
  const lines: string[] = [];
  let line = '';
  for (const word of most === 1 ? [text.slice(0, 400)] : text.slice(0, 400).split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line === '' || fits(longer)) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  lines.push(line);
  const shown = lines.slice(0, most);
  if (lines.length > most) shown[most - 1] = `${shown[most - 1]} …`;
  return shown.map((words) => {
    let own = words;
    while (!fits(own) && own.length > 1) own = `${own.replace(/…$/, '').trimEnd().slice(0, -1)}…`;
    return own;
  });
}

const FONTS = { title: '620 13.5px', what: '12px', note: '11px' };

function drawBox(box: Box, { x, y }: Point, { width, height }: Layout['box'], open: (index: number) => unknown): SVGElement {
  const first = box.events[0]!;
  const act = () => open(first);
  const number = box.total > 1 ? `× ${box.total.toLocaleString('en')}` : `#${first + 1}`;
  const room = width - 32;
  const text = (name: string, at: number, words: Child, more?: Attributes) => s('text', { class: `box-${name}`, x: 20, y: at, ...more }, words);
  const wide = room - widthOf(number, '600 12.5px') - 10;
  // A long name of a place is cut, not what happens there.
  const tail = widthOf(box.tail, FONTS.title) < wide / 2 ? box.tail : '';
  const [who = ''] = wrapped(box.title.slice(0, box.title.length - tail.length), FONTS.title, wide - widthOf(tail, FONTS.title), 1);
  const wrong = box.wrong === 0 ? '' : `${box.wrong < box.total ? `${box.wrong.toLocaleString('en')} ` : ''}declared in error`;
  const note = [wrong, box.total > 1 ? '' : box.when].filter(Boolean).join(' · ');
  const [kind = ''] = wrapped(box.step || box.type, FONTS.note, room - Math.min(widthOf(note, FONTS.note), 130) - 10, 1);
  return s(
    'g',
    {
      class: `box tone-box-${box.tone}${wrong === '' ? '' : ' is-wrong'}`,
      transform: `translate(${x} ${y})`,
      role: 'button',
      tabindex: '0',
      onclick: act,
      onkeydown: (event) => (event.key === 'Enter' || event.key === ' ') && (event.preventDefault(), act()),
    },
    s('title', {}, [box.title, box.what, note, `${box.type} event`].filter(Boolean).join('\n')),
    s('rect', { class: 'box-ground', width, height, rx: 10 }),
    s('rect', { class: 'box-edge', x: 7, y: 10, width: 4, height: height - 20, rx: 2 }),
    text('title', 24, `${who}${tail}`),
    text(box.total > 1 ? 'count' : 'note', 24, number, { x: width - 12, 'text-anchor': 'end' }),
    wrapped(box.what, FONTS.what, room, 2).map((line, at) => text('what', 44 + at * 16, line)),
    text('note', height - 13, wrapped(note, FONTS.note, room - widthOf(kind, FONTS.note) - 8, 1)[0]),
    text('note', height - 13, kind, { x: width - 12, 'text-anchor': 'end' }),
  );
}
