import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY, type SimulationLinkDatum, type SimulationNodeDatum } from "d3-force";
import { layers } from "./layers";
import { type Place, type Scene, lieDown } from "./scene";
import { spread } from "./spread";
import { widthOf } from "./text";
import type { GraphJSON } from "./types";

// Lengths are in units of the scene.
const apart = 1.7; // the length of an edge

// Beyond this many nodes springs start from a sunflower: spread takes time with
// the square of them.
const many = 250;

// layoutNetwork lays a graph out: a directed one in layers, another with springs.
// Nodes that have a place in kept get it, and the others are placed around them, so
// that of similar graphs only what differs moves.
export function layoutNetwork(graph: GraphJSON, kept?: Map<number, Place>): Scene {
  const scene: Scene = {
    molecule: false, directed: graph.directed, rings: [],
    nodes: graph.nodes.map((n) => ({ x: 0, y: 0, label: n.label })),
    edges: graph.edges.map((e) => ({ a: e.source, b: e.target, label: e.label })),
  };
  if (kept?.size) return settle(scene, start(scene, kept), kept);
  if (graph.directed) {
    const layered = layers(scene);
    if (layered) return layered;
  }
  const places = graph.nodes.length > many ? sunflower(graph.nodes.length) : spread(graph).map((p) => ({ x: p.x * apart, y: p.y * apart }));
  return lieDown(settle(scene, places));
}

// start gives nodes without a place one near the neighbours that have one: in a
// directed graph below those that lead to it and above those to which it leads.
function start(scene: Scene, kept: Map<number, Place>): Place[] {
  const places = new Map(kept);
  const near: { to: number; down: number }[][] = scene.nodes.map(() => []);
  for (const e of scene.edges) {
    near[e.a].push({ to: e.b, down: scene.directed ? -1 : 0 });
    near[e.b].push({ to: e.a, down: scene.directed ? 1 : 0 });
  }
  const right = Math.max(...[...kept.values()].map((p) => p.x)) + apart;
  const middle = [...kept.values()].reduce((s, p) => s + p.y, 0) / kept.size;
  // From the nodes that are placed outwards, then pieces that touch none.
  const queue = [...kept.keys()];
  for (let v = 0, i = 0; places.size < scene.nodes.length; ) {
    if (i < queue.length) {
      for (const { to } of near[queue[i++]]) {
        if (places.has(to)) continue;
        const known = near[to].filter((n) => places.has(n.to));
        const mean = (f: (n: { to: number; down: number }) => number) => known.reduce((s, n) => s + f(n), 0) / known.length;
        // A little aside: no two begin at one place.
        const aside = scene.directed ? 0.3 * ((to % 5) - 2) : 0;
        const turn = to * Math.PI * (3 - Math.sqrt(5));
        const out = scene.directed ? { x: aside, y: mean((n) => n.down) * apart } : { x: Math.cos(turn) * apart, y: Math.sin(turn) * apart };
        places.set(to, { x: mean((n) => places.get(n.to)!.x) + out.x, y: mean((n) => places.get(n.to)!.y) + out.y });
        queue.push(to);
      }
    } else if (places.has(v)) v++;
    else {
      places.set(v, { x: right, y: middle + 1e-3 * v });
      queue.push(v);
    }
  }
  return scene.nodes.map((_, v) => places.get(v)!);
}

type Body = SimulationNodeDatum & { reach: number };

// settle lets springs move nodes from places to better ones; those in kept stay.
function settle(scene: Scene, places: Place[], kept?: Map<number, Place>): Scene {
  const n = scene.nodes.length;
  const bodies = scene.nodes.map((node, v): Body => {
    const fixed = kept?.has(v) ? { fx: places[v].x, fy: places[v].y } : {};
    return { ...places[v], ...fixed, reach: Math.max(0.5, Math.min(widthOf(node.label), 2.4) / 2) };
  });
  const links: SimulationLinkDatum<Body>[] = scene.edges.filter((e) => e.a !== e.b).map((e) => ({ source: e.a, target: e.b }));
  const directed = scene.directed && kept;
  const simulation = forceSimulation(bodies)
    .force("edges", forceLink(links).distance(apart).strength(directed ? 0.2 : 0.7))
    .force("apart", forceManyBody().strength(directed ? -0.15 : -1.6).distanceMax(8 * apart))
    .force("room", forceCollide<Body>((b) => b.reach).strength(0.7))
    .stop();
  if (directed) simulation.force("layer", forceY((_, v) => places[v].y).strength(0.8));
  else if (!kept) simulation.force("x", forceX(0).strength(0.03)).force("y", forceY(0).strength(0.04));
  // Fewer steps for large graphs, so that the page goes on.
  const steps = Math.min(240, Math.max(20, Math.round(40_000 / n)));
  if (!kept || kept.size < n) simulation.alphaDecay(1 - 0.001 ** (1 / steps)).tick(steps);
  return { ...scene, nodes: scene.nodes.map((node, v) => ({ ...node, x: bodies[v].x!, y: bodies[v].y! })) };
}

function sunflower(n: number): Place[] {
  return Array.from({ length: n }, (_, v) => {
    const r = Math.sqrt(v + 0.5) * apart * 0.6, angle = v * Math.PI * (3 - Math.sqrt(5));
    return { x: r * Math.cos(angle), y: r * Math.sin(angle) };
  });
}
