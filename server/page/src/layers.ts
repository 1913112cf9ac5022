import { Graph, layout } from "@dagrejs/dagre";
import type { Place, Scene } from "./scene";
import { widthOf } from "./text";

// Beyond this many nodes or edges the layers take too long to find, and too much
// room to be seen.
const most = { nodes: 150, edges: 400 };

const unit = 40; // of the layout, a unit of the scene

// The least card that a drawing has, and the size of letters there that can be
// read, as a part of their full size.
const card = { width: 170, height: 120 };
const legible = 0.75;

// layers lays a directed graph out so that its edges lead downwards, as far as it
// has no cycles. Edges that pass a layer bend around its nodes. Where names below
// the nodes would be too small to read on a card, and there is room beside them, they
// stand there and are larger. It returns null for graphs that are too large.
export function layers(scene: Scene): Scene | null {
  if (scene.nodes.length > most.nodes || scene.edges.length > most.edges) return null;
  let best = layered(scene, 0);
  let letters = best.scale;
  for (const size of [1, 1.5, 2, 3]) {
    if (letters >= legible) break;
    const beside = layered(scene, size);
    if (size * beside.scale <= letters) continue;
    best = beside;
    letters = size * beside.scale;
  }
  return best.scene;
}

// layered lays a graph out with names below its nodes, or beside them if size is
// not 0, and tells how large it is drawn on a card.
function layered(scene: Scene, size: number): { scene: Scene; scale: number } {
  const g = new Graph({ directed: true, multigraph: true });
  g.setGraph({ rankdir: "TB", nodesep: 0.35 * unit, ranksep: (size ? 0.5 : 0.85) * unit, edgesep: 0.25 * unit, acyclicer: "greedy", ranker: scene.nodes.length > 60 ? "tight-tree" : "network-simplex" });
  const disc = 0.7;
  // Names beside nodes have equal room, so that nodes that follow one another stand
  // below one another.
  const room = scene.nodes.reduce((w, n) => Math.max(w, widthOf(n.label) * size), 0);
  const width = (label: string) => (size ? disc + room : Math.max(disc, widthOf(label)));
  const height = size ? Math.max(disc, 0.35 * size) : 0.9;
  scene.nodes.forEach((n, v) => g.setNode(String(v), { width: width(n.label) * unit, height: height * unit }));
  scene.edges.forEach((e, i) => e.a !== e.b && g.setEdge(String(e.a), String(e.b), { width: 0, height: 0 }, String(i)));
  layout(g);
  const nodes = scene.nodes.map((n, v) => {
    const { x, y } = g.node(String(v)) as Place;
    return { ...n, x: x / unit - room / 2, y: y / unit };
  });
  const edges = scene.edges.map((e, i) => {
    if (e.a === e.b) return e;
    const { points } = g.edge(String(e.a), String(e.b), String(i)) as { points: Place[] };
    // The first and the last are on the nodes' borders.
    const via = points.slice(1, -1).map(({ x, y }) => ({ x: x / unit, y: y / unit }));
    // Between neighbouring layers there is nothing to bend around.
    return (size && via.length === 1) || straight(nodes[e.a], nodes[e.b], via) ? e : { ...e, via };
  });
  const all = g.graph() as { width: number; height: number };
  return { scene: { ...scene, nodes, edges, ...(size ? { names: { size } } : {}) }, scale: Math.min(1, card.width / all.width, card.height / all.height) };
}

// straight tells whether an edge through some places is as good as straight.
function straight(a: Place, b: Place, via: Place[]): boolean {
  const dx = b.x - a.x, dy = b.y - a.y, length = Math.hypot(dx, dy) || 1;
  return via.every((p) => Math.abs(dx * (p.y - a.y) - dy * (p.x - a.x)) / length < 0.25);
}
