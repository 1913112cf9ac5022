import type { GraphJSON } from "./types";

// spread places the nodes of a graph so that their distances are about those
// along edges: the two largest components of classical scaling, in edge lengths.
// Pieces lie apart. It is where springs start from, so that rings open and
// branches do not cross.
export function spread(graph: GraphJSON): { x: number; y: number }[] {
  const n = graph.nodes.length;
  const d = distances(graph);
  const mean = (list: Float64Array) => list.reduce((s, v) => s + v, 0) / n;
  const squares = d.map((row) => row.map((v) => v * v));
  const rows = squares.map(mean);
  const all = rows.reduce((s, v) => s + v, 0) / n;
  const b = squares.map((row, i) => row.map((v, j) => -0.5 * (v - rows[i] - rows[j] + all)));
  const first = component(b, n, 1);
  b.forEach((row, i) => row.forEach((_, j) => (row[j] -= first[i] * first[j])));
  const second = component(b, n, 2);
  return graph.nodes.map((_, v) => ({ x: first[v], y: second[v] }));
}

// distances counts the edges between all pairs of nodes.
function distances(graph: GraphJSON): Float64Array[] {
  const n = graph.nodes.length;
  const near: number[][] = graph.nodes.map(() => []);
  for (const e of graph.edges) {
    near[e.source].push(e.target);
    near[e.target].push(e.source);
  }
  const apart = Math.sqrt(n) + 2;
  return graph.nodes.map((_, from) => {
    const d = new Float64Array(n).fill(-1);
    const queue = [from];
    d[from] = 0;
    for (let i = 0; i < queue.length; i++) {
      for (const w of near[queue[i]]) {
        if (d[w] >= 0) continue;
        d[w] = d[queue[i]] + 1;
        queue.push(w);
      }
    }
    return d.map((v) => (v < 0 ? apart : v));
  });
}

// component returns the eigenvector of the largest eigenvalue of b by power
// iteration, times the root of the eigenvalue. seed makes its start.
function component(b: Float64Array[], n: number, seed: number): Float64Array {
  let v = new Float64Array(n).map((_, i) => Math.sin(seed * 12.9898 + i * 78.233));
  let value = 0;
  for (let round = 0; round < 100; round++) {
    const next = new Float64Array(n).map((_, i) => b[i].reduce((s, x, j) => s + x * v[j], 0));
    value = Math.hypot(...next);
    if (value < 1e-9) return new Float64Array(n);
    v = next.map((x) => x / value);
  }
  return v.map((x) => x * Math.sqrt(value));
}
