// The picture of the flow: boxes for events, strands for items, a sleeve around what travels inside something.
import { h, s } from './dom.js';
import { count } from './words.js';

const MARGIN = 14;
const STRANDS = 6;
const COLOURS = 7;

/** `{svg, follow, legend, standalone}`: the drawing, a choice of the item to follow, what the colours mean, and a file of it. */
export function drawFlow(flow, open) {
  const { layout, boxes, edges } = flow;
  const families = new Map();
  const colourOf = (family) => {
    if (family === '') return 'strand-none';
    if (!families.has(family)) families.set(family, `strand-${families.size % COLOURS}`);
    return families.get(family);
  };
  const ports = portsOf(edges, layout);
  const drawnEdges = edges.map((edge, at) => drawEdge(edge, shifted(layout.edges[at].points, ports[at]), colourOf));
  const drawnBoxes = boxes.map((box, at) => drawBox(box, layout.boxes[at], layout.box, open));
  const [width, height] = [layout.width + 2 * MARGIN, layout.height + 2 * MARGIN];
  const labels = drawnEdges.map(({ label }) => label);
  const svg = s(
    'svg',
    { class: 'flow', viewBox: `${-MARGIN} ${-MARGIN} ${width} ${height}`, role: 'group', 'aria-label': spoken(flow) },
    drawnEdges.map(({ lines }) => lines),
    drawnBoxes,
    labels,
  );

  // As wide as the room, but never larger than life, nor so small that it cannot be read: then it scrolls.
  svg.style.maxWidth = `${width}px`;
  svg.style.minWidth = `${Math.round(width * 0.66)}px`;

  const items = new Map();
  for (const { items: list } of edges) for (const { id, text } of list) items.set(id, text);
  const choice = h(
    'select',
    {
      class: 'select',
      id: 'follow',
      onchange: () => {
        const wanted = choice.value;
        svg.classList.toggle('is-following', wanted !== '');
        const touched = new Set();
        edges.forEach((edge, at) => {
          const isOn = wanted === '' || edge.items.some(({ id, held }) => id === wanted || held.some((inner) => inner.id === wanted));
          for (const part of [drawnEdges[at].lines, drawnEdges[at].label]) part.classList.toggle('is-off', !isOn);
          if (isOn && wanted !== '') touched.add(edge.from).add(edge.to);
        });
        drawnBoxes.forEach((box, at) => box.classList.toggle('is-off', wanted !== '' && !touched.has(at)));
      },
    },
    h('option', { value: '' }, 'all items'),
    [...items].slice(0, 100).map(([id, text]) => h('option', { value: id }, text)),
  );
  const follow = items.size > 1 && h('span', { class: 'follow' }, h('label', { for: 'follow' }, 'Follow'), choice);

  const shown = [...families].filter(([family]) => family !== '').slice(0, COLOURS);
  const hasSleeve = edges.some(({ items: list }) => list.some(({ inside }) => inside > 0));
  const legend =
    (shown.length > 0 || hasSleeve) &&
    h(
      'ul',
      { class: 'legend strands' },
      shown.map(([family, colour]) => h('li', {}, h('span', { class: `strand-dot ${colour}` }), family)),
      hasSleeve && h('li', {}, h('span', { class: 'sleeve-dot' }), 'travels inside'),
    );
  return { svg, follow, legend, standalone: () => standalone(svg) };
}

/** What is drawn, in words. */
function spoken({ boxes, edges }) {
  const flows = edges.slice(0, 40).map(({ from, to, total }) => `${boxes[from].title} to ${boxes[to].title}, ${count(total, 'item')}`);
  return `${count(boxes.length, 'box')}, ${count(edges.length, 'flow')}. ${flows.join('; ')}`;
}

/** Lines that meet at one box stand beside each other there: the shift of each line's start and end. */
function portsOf(edges, { edges: routes }) {
  const ports = edges.map(() => [0, 0]);
  const spread = (end, sortBy) => {
    const groups = new Map();
    edges.forEach((edge, at) => {
      const key = end === 0 ? edge.from : edge.to;
      groups.set(key, [...(groups.get(key) ?? []), at]);
    });
    for (const group of groups.values()) {
      group.sort((a, b) => sortBy(a) - sortBy(b) || edges[a].from - edges[b].from);
      const step = Math.min(44, 180 / group.length);
      group.forEach((at, index) => (ports[at][end] = (index - (group.length - 1) / 2) * step));
    }
  };
  spread(0, (at) => routes[at].points[1][0]);
  spread(1, (at) => routes[at].points.at(-2)[0]);
  return ports;
}

function shifted(points, [start, end]) {
  return points.map(([x, y], index) => [x + (index === 0 ? start : index === points.length - 1 ? end : 0), y]);
}

/** A line through points that leaves and arrives upright. */
function pathOf(points, shift) {
  const [[x, y], ...rest] = points;
  let path = `M${x + shift} ${y}`;
  let [fromX, fromY] = [x + shift, y];
  for (const [toX, toY] of rest) {
    const middle = (fromY + toY) / 2;
    path += toX + shift === fromX ? `L${toX + shift} ${toY}` : `C${fromX} ${middle} ${toX + shift} ${middle} ${toX + shift} ${toY}`;
    [fromX, fromY] = [toX + shift, toY];
  }
  return path;
}

function drawEdge({ items, total }, points, colourOf) {
  const strands = [];
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
  // In the first gap, where the line is on its own.
  const [[x0, y0], [x1, y1]] = points;
  const words = labelOf(items, total);
  const width = words.length * 6.1 + 16;
  const label = s(
    'g',
    { class: 'edge-label', transform: `translate(${(x0 + x1) / 2} ${(y0 + y1) / 2})`, 'aria-hidden': 'true' },
    s('rect', { x: -width / 2, y: -10, width, height: 20, rx: 10 }),
    s('text', { 'text-anchor': 'middle', y: 4 }, words),
    s('title', {}, items.map(({ text, inside }) => (inside > 0 ? `${text}, ${inside} inside` : text)).join('\n')),
  );
  return { lines, label };
}

function labelOf(items, total) {
  const [first] = items;
  if (total === 1) return first.inside > 0 ? `${first.short}, ${first.inside} inside` : first.short;
  return new Set(items.map(({ family }) => family)).size === 1 && first.family !== ''
    ? `${total.toLocaleString('en')} × ${first.family.replace('GTIN ', '…').replace(/…0*(\d+)(\d{5})$/, '…$2')}`
    : `${total.toLocaleString('en')} items`;
}

const clipped = (text, length) => (text.length <= length ? text : `${text.slice(0, length - 1)}…`);

function drawBox(box, { x, y }, { width, height }, open) {
  const [first] = box.events;
  const act = () => open(first);
  return s(
    'g',
    {
      class: `box tone-box-${box.tone}`,
      transform: `translate(${x} ${y})`,
      role: 'button',
      tabindex: '0',
      onclick: act,
      onkeydown: (event) => (event.key === 'Enter' || event.key === ' ') && (event.preventDefault(), act()),
    },
    s('rect', { class: 'box-ground', width, height, rx: 10 }),
    s('rect', { class: 'box-edge', x: 7, y: 10, width: 4, height: height - 20, rx: 2 }),
    s('text', { class: 'box-title', x: 20, y: 23 }, clipped(box.title, box.total > 1 ? 19 : 25)),
    box.total > 1 && s('text', { class: 'box-count', x: width - 12, y: 23, 'text-anchor': 'end' }, `× ${box.total.toLocaleString('en')}`),
    s(
      'text',
      { class: 'box-note', x: 20, y: 38 },
      clipped([box.type, box.action.toLowerCase(), box.total > 1 ? '' : box.when].filter((word) => word !== '').join(' · '), 36),
    ),
    s('text', { class: 'box-note', x: 20, y: 51 }, clipped(box.place, 36)),
  );
}

/** The drawing with its colours written into it, for use elsewhere. */
function standalone(svg) {
  const copy = svg.cloneNode(true);
  const properties = [
    'fill',
    'stroke',
    'stroke-width',
    'stroke-opacity',
    'fill-opacity',
    'font-family',
    'font-size',
    'font-weight',
    'opacity',
    'stroke-linecap',
  ];
  const originals = svg.querySelectorAll('*');
  copy.querySelectorAll('*').forEach((node, index) => {
    const style = getComputedStyle(originals[index]);
    for (const property of properties) node.setAttribute(property, style.getPropertyValue(property));
    for (const name of ['class', 'tabindex', 'role']) node.removeAttribute(name);
  });
  const [, , width, height] = svg.getAttribute('viewBox').split(' ');
  copy.removeAttribute('style');
  copy.setAttribute('width', width);
  copy.setAttribute('height', height);
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return new XMLSerializer().serializeToString(copy);
}
