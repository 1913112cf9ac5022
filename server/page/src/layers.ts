import { Graph, layout } from "@dagrejs/dagre";
import type { Place, Scene } from "./scene";
import { widthOf } from "./text";

// Beyond this many nodes or edges the layers take too long to find, and too much
// room to be seen.
const most = { nodes: 150, edges: 400 };

const unit = 40; // of the layout, a unit of the scene

// layers lays a directed graph out so that its edges lead downwards, as far as it
// has no cycles. Edges that pass a layer bend around its nodes. It returns null for
// graphs that are too large.
export function layers(scene: Scene): Scene | null {
  if (scene.nodes.length > most.nodes || scene.edges.length > most.edges) return null;
  const g = new Graph({ directed: true, multigraph: true });
  g.setGraph({ rankdir: "TB", nodesep: 0.35 * unit, ranksep: 0.85 * unit, edgesep: 0.25 * unit, acyclicer: "greedy", ranker: scene.nodes.length > 60 ? "tight-tree" : "network-simplex" });
  scene.nodes.forEach((n, v) => g.setNode(String(v), { width: Math.max(0.7, widthOf(n.label)) * unit, height: 0.9 * unit }));
  scene.edges.forEach((e, i) => e.a !== e.b && g.setEdge(String(e.a), String(e.b), { width: 0, height: 0 }, String(i)));
  layout(g);
  const nodes = scene.nodes.map((n, v) => {
    const { x, y } = g.node(String(v)) as Place;
    return { ...n, x: x / unit, y: y / unit };
  });
  const edges = scene.edges.map((e, i) => {
    if (e.a === e.b) return e;
    const { points } = g.edge(String(e.a), String(e.b), String(i)) as { points: Place[] };
    // The first and the last are on the nodes' borders.
    const via = points.slice(1, -1).map(({ x, y }) => ({ x: x / unit, y: y / unit }));
    return straight(nodes[e.a], nodes[e.b], via) ? e : { ...e, via };
  });
  return { ...scene, nodes, edges };
}

// straight tells whether an edge through some places is as good as straight.
function straight(a: Place, b: Place, via: Place[]): boolean {
  const dx = b.x - a.x, dy = b.y - a.y, length = Math.hypot(dx, dy) || 1;
  return via.every((p) => Math.abs(dx * (p.y - a.y) - dy * (p.x - a.x)) / length < 0.25);
}
