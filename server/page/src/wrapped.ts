// Box is where something is, in pixels.
export interface Box {
  x: number; // of its middle
  y: number;
  width: number;
}

const pitch = 46; // between rows
const layerGap = 30; // more between layers
const gap = 18; // between boxes of a row

// Wrapping are boxes that are to be laid out.
export interface Wrapping {
  widths: number[];
  edges: { a: number; b: number }[];
  directed: boolean;
}

// wrapped lays boxes out in layers, so that edges lead downwards as far as there are no
// cycles; where edges have no direction a layer is what is as far from the first. A layer
// that is too wide is wrapped like text.
export function wrapped({ widths, edges, directed }: Wrapping): Box[] {
  return inRows(widths, ordered(directed ? longest(widths.length, edges) : distances(widths.length, edges), edges));
}

// inRows lays boxes out in layers, or in one.
export function inRows(widths: number[], layers = [[...widths.keys()]]): Box[] {
  const total = widths.reduce((sum, w) => sum + w + gap, 0);
  // About as wide as a screen is beside another.
  const most = Math.max(420, ...widths, Math.sqrt(total * pitch * 1.3));
  const boxes: Box[] = widths.map((width) => ({ x: 0, y: 0, width }));
  let y = 0;
  for (const layer of layers) {
    const rows: number[][] = [[]];
    let used = 0;
    for (const v of layer) {
      if (used > 0 && used + widths[v] > most) {
        rows.push([]);
        used = 0;
      }
      rows.at(-1)!.push(v);
      used += widths[v] + gap;
    }
    for (const row of rows) {
      let x = -row.reduce((sum, v) => sum + widths[v] + gap, -gap) / 2;
      for (const v of row) {
        Object.assign(boxes[v], { x: x + widths[v] / 2, y });
        x += widths[v] + gap;
      }
      y += pitch;
    }
    y += layerGap;
  }
  return boxes;
}

// longest returns for every node the most edges that lead to it, without those that close
// a cycle.
function longest(n: number, edges: { a: number; b: number }[]): number[] {
  const next: number[][] = Array.from({ length: n }, () => []), into = new Array<number>(n).fill(0);
  for (const { a, b } of edges) {
    if (a === b) continue;
    next[a].push(b);
    into[b]++;
  }
  const layer = new Array<number>(n).fill(0), state = new Uint8Array(n); // 1: on the way, 2: done
  const order: number[] = [], forward: number[][] = Array.from({ length: n }, () => []);
  const starts = [...into.keys()].sort((a, b) => into[a] - into[b]);
  for (const start of starts) {
    if (state[start]) continue;
    const way = [start], at = [0];
    state[start] = 1;
    while (way.length) {
      const v = way.at(-1)!, w = next[v][at[at.length - 1]++];
      if (w === undefined) {
        state[v] = 2;
        order.push(v);
        way.pop();
        at.pop();
      } else if (state[w] !== 1) {
        forward[v].push(w);
        if (state[w] === 0) {
          state[w] = 1;
          way.push(w);
          at.push(0);
        }
      }
    }
  }
  for (const v of order.reverse()) for (const w of forward[v]) layer[w] = Math.max(layer[w], layer[v] + 1);
  return layer;
}

// distances returns for every node how far it is from the one of its piece that has the
// most neighbours. Pieces follow one another.
function distances(n: number, edges: { a: number; b: number }[]): number[] {
  const near: number[][] = Array.from({ length: n }, () => []);
  for (const { a, b } of edges) {
    near[a].push(b);
    near[b].push(a);
  }
  const layer = new Array<number>(n).fill(-1);
  let from = 0;
  for (const first of [...near.keys()].sort((a, b) => near[b].length - near[a].length)) {
    if (layer[first] >= 0) continue;
    layer[first] = near[first].length ? from : 0;
    const queue = [first];
    for (const v of queue) {
      for (const w of near[v]) {
        if (layer[w] >= 0) continue;
        layer[w] = layer[v] + 1;
        queue.push(w);
      }
    }
    if (queue.length > 1) from = Math.max(...queue.map((v) => layer[v])) + 1;
  }
  return layer;
}

// ordered returns the layers, each in an order that puts nodes near their neighbours.
function ordered(layer: number[], edges: { a: number; b: number }[]): number[][] {
  const layers: number[][] = [];
  layer.forEach((l, v) => (layers[l] ??= []).push(v));
  const full = layers.filter(Boolean);
  const near: number[][] = layer.map(() => []);
  for (const { a, b } of edges) {
    near[a].push(b);
    near[b].push(a);
  }
  const place = new Array<number>(layer.length).fill(0);
  const settle = (list: number[]) => list.forEach((v, i) => (place[v] = (i + 0.5) / list.length));
  full.forEach(settle);
  for (let sweep = 0; sweep < 8; sweep++) {
    for (const list of sweep % 2 ? [...full].reverse() : full) {
      const want = new Map(list.map((v) => [v, near[v].length ? near[v].reduce((sum, w) => sum + place[w], 0) / near[v].length : place[v]]));
      list.sort((v, w) => want.get(v)! - want.get(w)!);
      settle(list);
    }
  }
  return full;
}
