// A layered layout: time runs downwards, and parallel events are beside each other.

const BOX = { width: 268, height: 98 };
const GAP = { across: 28, lanes: 4, down: 64 };
/** The width of a line that passes through a layer. */
const LANE = 44;
/** The most boxes beside each other, and the room in pixels that each needs at least to be read. More of one layer go to further rows. */
const BESIDE = 4;
const READABLE = 200;

/** Spreads each layer of more boxes than fit beside each other over several. `layer` has that of each box. */
function wrap(layer, beside) {
  const members = [];
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
export function layout(boxes, edges, before = [], width = Infinity) {
  if (boxes.length === 0) return { width: 0, height: 0, boxes: [], edges: [], box: BOX };
  // Put each box below all boxes that lead to it.
  const layer = boxes.map(() => 0);
  const forward = edges.map(({ from, to }) => from < to);
  const ties = [...edges, ...before].filter(({ from, to }) => from < to).sort((a, b) => a.to - b.to);
  for (const { from, to } of ties) layer[to] = Math.max(layer[to], layer[from] + 1);

  wrap(layer, Math.max(1, Math.min(BESIDE, Math.floor(width / READABLE))));

  // A line that passes through a layer gets a place in it.
  const rows = [];
  const put = (node) => (rows[node.layer] ??= []).push(node);
  const nodes = boxes.map((_, id) => ({ id, layer: layer[id], width: BOX.width, above: [], below: [] }));
  nodes.forEach(put);
  const chains = edges.map((edge, at) => {
    if (!forward[at]) return [nodes[edge.from], nodes[edge.to]];
    const chain = [nodes[edge.from]];
    for (let between = layer[edge.from] + 1; between < layer[edge.to]; between += 1) {
      const lane = { layer: between, width: LANE, above: [], below: [] };
      put(lane);
      chain.push(lane);
    }
    chain.push(nodes[edge.to]);
    for (let step = 1; step < chain.length; step += 1) {
      chain[step - 1].below.push(chain[step]);
      chain[step].above.push(chain[step - 1]);
    }
    return chain;
  });

  // Order each layer so that connected nodes are near each other: by the mean place of the nodes above, then below, a few times.
  const number = (row) => row.forEach((node, index) => (node.order = index));
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
  const isLane = ({ id }) => id === undefined;
  const room = (a, b) => (a.width + b.width) / 2 + (isLane(a) || isLane(b) ? GAP.lanes : GAP.across);
  for (const row of rows) {
    row.forEach((node, index) => (node.x = index === 0 ? 0 : row[index - 1].x + room(row[index - 1], node)));
    const middle = (row[0].x - row[0].width / 2 + row.at(-1).x + row.at(-1).width / 2) / 2;
    for (const node of row) node.x -= middle;
  }
  for (let round = 0; round < 8; round += 1) {
    for (const row of round % 2 === 0 ? rows : [...rows].reverse()) {
      for (const [index, node] of row.entries()) {
        const near = [...node.above, ...node.below];
        if (near.length === 0) continue;
        const wish = near.reduce((sum, { x }) => sum + x, 0) / near.length;
        const low = index === 0 ? -Infinity : row[index - 1].x + room(row[index - 1], node);
        const high = index === row.length - 1 ? Infinity : row[index + 1].x - room(row[index + 1], node);
        if (low <= high) node.x = Math.min(Math.max(wish, low), high);
      }
    }
  }

  const flat = rows.flat();
  const left = Math.min(...flat.map(({ x, width }) => x - width / 2));
  const right = Math.max(...flat.map(({ x, width }) => x + width / 2));
  const top = (node) => node.layer * (BOX.height + GAP.down);
  return {
    box: BOX,
    width: right - left,
    height: rows.length * (BOX.height + GAP.down) - GAP.down,
    boxes: nodes.map((node) => ({ x: node.x - left - BOX.width / 2, y: top(node) })),
    edges: chains.map((chain) => {
      const points = [];
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
