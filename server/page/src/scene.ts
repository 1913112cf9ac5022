import type { GraphJSON } from "./types";

// A scene is a graph with a place for every node: what is drawn. Its nodes are
// numbered as the service numbers them.

// Place is where something is, in bond lengths.
export interface Place {
  x: number;
  y: number;
}

export interface SceneNode extends Place {
  label: string; // as the service labels it
  name?: string; // as people call it
  atom?: Atom; // for molecules
}

export interface Atom {
  element: string;
  hydrogens: number;
  charge: number;
  isotope?: string; // its mass number; "?" is any other than the usual one
  stereo?: string; // R or S
}

export interface SceneEdge {
  a: number;
  b: number;
  label: string;
  order?: string; // of an aromatic bond, as Kekulé has it
  via?: Place[]; // where it bends
}

export interface Scene {
  molecule: boolean;
  directed: boolean;
  nodes: SceneNode[];
  edges: SceneEdge[];
  rings: number[][]; // of a molecule, the nodes of each ring in order
  names?: Names; // how the names of nodes are written, if not below them
}

// Names stand on the right of their nodes, so many times as large as below them.
export interface Names {
  size: number;
}

// nameOf returns the name by which people know a node, or else its number: atoms are counted
// from 1, other nodes as their texts have them.
export const nameOf = (scene: Scene, v: number) => scene.nodes[v].name ?? String(scene.molecule ? v + 1 : v);

// titleOf returns the name or number of a node with its label, once if they are the same.
export function titleOf(scene: Scene, v: number): string {
  const { label } = scene.nodes[v], name = nameOf(scene, v);
  return name === label ? label : `${name}: ${label}`;
}

// named gives the nodes of a scene the names that they have in a graph.
export function named(scene: Scene, graph: GraphJSON | undefined): Scene {
  const names = graph?.names;
  return names ? { ...scene, nodes: scene.nodes.map((n, v) => ({ ...n, name: names[v] })) } : scene;
}

// edgeKey names the edge of two nodes.
export function edgeKey(a: number, b: number, directed: boolean): string {
  return directed || a < b ? `${a}-${b}` : `${b}-${a}`;
}

// align returns target turned, mirrored if that helps, and moved so that the
// nodes that map pairs lie as near to those of query as they can
// (least squares, without scaling).
export function align(query: Scene, target: Scene, map: number[]): Scene {
  const pairs: [SceneNode, SceneNode][] = [];
  map.forEach((x, v) => {
    if (x >= 0) pairs.push([query.nodes[v], target.nodes[x]]);
  });
  if (pairs.length === 0) return target;
  const mean = (side: 0 | 1, axis: "x" | "y") => pairs.reduce((s, p) => s + p[side][axis], 0) / pairs.length;
  const qx = mean(0, "x"), qy = mean(0, "y"), tx = mean(1, "x"), ty = mean(1, "y");
  let best = { gain: -Infinity, cos: 1, sin: 0, flip: 1 };
  for (const flip of [1, -1]) {
    let dot = 0, cross = 0;
    for (const [q, t] of pairs) {
      const x = (t.x - tx) * flip, y = t.y - ty;
      dot += (q.x - qx) * x + (q.y - qy) * y;
      cross += (q.y - qy) * x - (q.x - qx) * y;
    }
    // Of two that are equal the one that does not mirror is taken.
    const gain = Math.hypot(dot, cross) - (flip < 0 ? 1e-6 : 0);
    if (gain > best.gain) {
      const r = Math.hypot(dot, cross) || 1;
      best = { gain, cos: dot / r, sin: cross / r, flip };
    }
    if (pairs.length < 3) break;
  }
  if (best.cos === 0 && best.sin === 0) best = { gain: 0, cos: 1, sin: 0, flip: 1 };
  const nodes = target.nodes.map((n) => {
    const x = (n.x - tx) * best.flip, y = n.y - ty;
    return { ...n, x: qx + best.cos * x - best.sin * y, y: qy + best.sin * x + best.cos * y };
  });
  return { ...target, nodes };
}

// lieDown turns a scene so that it is wider than high.
export function lieDown(scene: Scene): Scene {
  const n = scene.nodes.length;
  if (n < 2) return scene;
  const mx = scene.nodes.reduce((s, p) => s + p.x, 0) / n, my = scene.nodes.reduce((s, p) => s + p.y, 0) / n;
  let xx = 0, yy = 0, xy = 0;
  for (const p of scene.nodes) {
    xx += (p.x - mx) ** 2;
    yy += (p.y - my) ** 2;
    xy += (p.x - mx) * (p.y - my);
  }
  // The angle of the principal axis, in steps of 30° so that bonds keep the
  // directions in which they are usually drawn.
  const step = Math.PI / 6;
  const angle = -Math.round((0.5 * Math.atan2(2 * xy, xx - yy)) / step) * step;
  const cos = Math.cos(angle), sin = Math.sin(angle);
  const nodes = scene.nodes.map((p) => ({ ...p, x: cos * (p.x - mx) - sin * (p.y - my), y: sin * (p.x - mx) + cos * (p.y - my) }));
  return { ...scene, nodes };
}
