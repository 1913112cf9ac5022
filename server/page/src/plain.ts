import type { Job } from "./layout";
import { type Scene, named } from "./scene";

const apart = 1.7;

// plain lays a graph out in no time: nodes in rows by how far they are from the first of
// their piece, and those that a query has where it has them. Without a graph there is
// nothing to lay out.
export function plain({ graph, on }: Job): Scene | null {
  if (!graph) return null;
  const near: number[][] = graph.nodes.map(() => []);
  for (const e of graph.edges) {
    near[e.source].push(e.target);
    near[e.target].push(e.source);
  }
  const nodes = graph.nodes.map((n) => ({ x: 0, y: 0, label: n.label }));
  const seen = new Set<number>();
  const wide = Math.ceil(Math.sqrt(2 * nodes.length));
  let row: number[] = [], y = 0;
  for (let first = 0; row.length > 0 || seen.size < nodes.length; ) {
    if (row.length === 0) {
      while (seen.has(first)) first++;
      seen.add(first);
      row = [first];
    }
    row.forEach((v, i) => Object.assign(nodes[v], { x: (i % wide) * apart, y: y + Math.floor(i / wide) * apart }));
    y += Math.ceil(row.length / wide) * apart;
    row = row.flatMap((v) => near[v].filter((w) => !seen.has(w) && seen.add(w)));
  }
  on?.map.forEach((x, v) => x >= 0 && Object.assign(nodes[x], { x: on.query.nodes[v].x, y: on.query.nodes[v].y }));
  return named({ molecule: false, directed: graph.directed, rings: [], nodes, edges: graph.edges.map((e) => ({ a: e.source, b: e.target, label: e.label })) }, graph);
}
