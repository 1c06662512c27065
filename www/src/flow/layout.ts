// A layered layout: time runs downwards, and parallel events are beside each other.

const BOX = { width: 268, height: 98 };
const GAP = { across: 28, lanes: 4, down: 64 };
/** The width of a line that passes through a layer. */
const LANE = 44;
/** The most boxes beside each other, and the room in pixels that each needs at least to be read. More of one layer go to further rows. */
const BESIDE = 4;
const READABLE = 200;

/** Where a box stands. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Two boxes, by their numbers. */
interface Pair {
  readonly from: number;
  readonly to: number;
}

/** A box in its layer, or the place of a line that passes through; without `id` it is a line. */
interface Node {
  readonly id?: number;
  readonly layer: number;
  readonly width: number;
  readonly above: Node[];
  readonly below: Node[];
  order: number;
  wish: number;
  x: number;
}

/** A drawing: its size, where its boxes stand, and where its lines go. */
export interface Layout {
  readonly box: { readonly width: number; readonly height: number };
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Point[];
  readonly edges: readonly { readonly points: readonly (readonly [x: number, y: number])[] }[];
}

/** Spreads each layer of more boxes than fit beside each other over several. `layer` has that of each box. */
function wrap(layer: number[], beside: number): void {
  const members: (number[] | undefined)[] = [];
  for (const [box, own] of layer.entries()) (members[own] ??= []).push(box);
  let next = 0;
  for (const boxes of members) {
    if (boxes === undefined) continue;
    const rows = Math.ceil(boxes.length / beside);
    // As many in each row, so that the last one is not nearly empty.
    const most = Math.ceil(boxes.length / rows);
    for (const [at, box] of boxes.entries()) layer[box] = next + Math.floor(at / most);
    next += rows;
  }
}

/**
 * Lays out boxes `{id}` and edges `{from, to}`; `before` are further such pairs, whose first box must be above the second; `width` is that of
 * the room: `{box, width, height, boxes: [{x, y}], edges: [{points}]}`. The boxes are in order of
 * time; an edge back in time is drawn straight.
 */
export function layout(boxes: readonly unknown[], edges: readonly Pair[], before: readonly Pair[] = [], width = Infinity): Layout {
  if (boxes.length === 0) return { width: 0, height: 0, boxes: [], edges: [], box: BOX };
  // Put each box below all boxes that lead to it.
  const layer = boxes.map(() => 0);
  const forward = edges.map(({ from, to }) => from < to);
  const ties = [...edges, ...before].filter(({ from, to }) => from < to).sort((a, b) => a.to - b.to);
  for (const { from, to } of ties) layer[to] = Math.max(layer[to]!, layer[from]! + 1);

  wrap(layer, Math.max(1, Math.min(BESIDE, Math.floor(width / READABLE))));

  // A line that passes through a layer gets a place in it.
  const rows: Node[][] = [];
  const put = (node: Node) => (rows[node.layer] ??= []).push(node);
  const made = (own: Pick<Node, 'id' | 'layer' | 'width'>): Node => ({ ...own, above: [], below: [], order: 0, wish: 0, x: 0 });
  const nodes = boxes.map((_, id) => made({ id, layer: layer[id]!, width: BOX.width }));
  nodes.forEach(put);
  const chains = edges.map((edge, at) => {
    if (!forward[at]) return [nodes[edge.from]!, nodes[edge.to]!];
    const chain = [nodes[edge.from]!];
    for (let between = layer[edge.from]! + 1; between < layer[edge.to]!; between += 1) {
      const lane = made({ layer: between, width: LANE });
      put(lane);
      chain.push(lane);
    }
    chain.push(nodes[edge.to]!);
    for (let step = 1; step < chain.length; step += 1) {
      const [upper, lower] = [chain[step - 1]!, chain[step]!];
      upper.below.push(lower);
      lower.above.push(upper);
    }
    return chain;
  });

  // Order each layer so that connected nodes are near each other: by the mean place of the nodes above, then below, a few times.
  const number = (row: readonly Node[]) => row.forEach((node, index) => (node.order = index));
  rows.forEach(number);
  for (let round = 0; round < 6; round += 1) {
    const isDown = round % 2 === 0;
    for (const row of isDown ? rows : [...rows].reverse()) {
      for (const node of row) {
        const near = isDown ? node.above : node.below;
        node.wish = near.length === 0 ? node.order : near.reduce((sum, { order }) => sum + order, 0) / near.length;
      }
      row.sort((a, b) => a.wish - b.wish || a.order - b.order);
      number(row);
    }
  }

  // Set the x positions: first side by side, then move each node towards the middle of its connected nodes, as far as the row allows.
  const isLane = ({ id }: Node) => id === undefined;
  const room = (a: Node, b: Node) => (a.width + b.width) / 2 + (isLane(a) || isLane(b) ? GAP.lanes : GAP.across);
  for (const row of rows) {
    row.forEach((node, index) => (node.x = index === 0 ? 0 : row[index - 1]!.x + room(row[index - 1]!, node)));
    const [first, last] = [row[0]!, row.at(-1)!];
    const middle = (first.x - first.width / 2 + last.x + last.width / 2) / 2;
    for (const node of row) node.x -= middle;
  }
  for (let round = 0; round < 8; round += 1) {
    for (const row of round % 2 === 0 ? rows : [...rows].reverse()) {
      for (const [index, node] of row.entries()) {
        const near = [...node.above, ...node.below];
        if (near.length === 0) continue;
        const wish = near.reduce((sum, { x }) => sum + x, 0) / near.length;
        const low = index === 0 ? -Infinity : row[index - 1]!.x + room(row[index - 1]!, node);
        const high = index === row.length - 1 ? Infinity : row[index + 1]!.x - room(row[index + 1]!, node);
        if (low <= high) node.x = Math.min(Math.max(wish, low), high);
      }
    }
  }

  const flat = rows.flat();
  const left = Math.min(...flat.map(({ x, width }) => x - width / 2));
  const right = Math.max(...flat.map(({ x, width }) => x + width / 2));
  const top = (node: Node) => node.layer * (BOX.height + GAP.down);
  return {
    box: BOX,
    width: right - left,
    height: rows.length * (BOX.height + GAP.down) - GAP.down,
    boxes: nodes.map((node) => ({ x: node.x - left - BOX.width / 2, y: top(node) })),
    edges: chains.map((chain) => {
      const points: (readonly [number, number])[] = [];
      chain.forEach((node, index) => {
        const x = node.x - left;
        if (index === 0) points.push([x, top(node) + BOX.height]);
        else if (index === chain.length - 1) points.push([x, top(node)]);
        else points.push([x, top(node)], [x, top(node) + BOX.height]);
      });
      return { points };
    }),
  };
}
