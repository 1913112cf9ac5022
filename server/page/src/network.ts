import cytoscape from "cytoscape";
import type { GraphJSON } from "./types";
import { type Scene, lieDown } from "./scene";
import { spread } from "./spread";

const unit = 60; // what springs take for the length of an edge
const spacing = 52; // of that, a unit of the scene: names need room

// Beyond this many nodes springs start from a sunflower: spread takes time with
// the square of them.
const many = 400;

// layoutNetwork lays a graph out with springs. Nodes that have a place in near
// start there, so that similar graphs are drawn alike.
export function layoutNetwork(graph: GraphJSON, near?: Map<number, { x: number; y: number }>): Scene {
  const places = near || graph.nodes.length > many ? null : spread(graph);
  const cy = cytoscape({
    headless: true,
    styleEnabled: true,
    elements: [
      ...graph.nodes.map((_, v) => ({ data: { id: String(v) }, position: start(v, near?.get(v) ?? places?.[v]) })),
      ...graph.edges.map((e, i) => ({ data: { id: `e${i}`, source: String(e.source), target: String(e.target) } })),
    ],
    style: [{ selector: "node", style: { width: 20, height: 20 } }],
  });
  cy.layout({
    name: "cose",
    animate: false,
    randomize: false,
    fit: false,
    idealEdgeLength: () => unit,
    nodeRepulsion: () => 4500,
    edgeElasticity: () => 100,
    gravity: 0.1,
    numIter: 600,
    initialTemp: places || near ? 200 : 1000,
  } as cytoscape.CoseLayoutOptions).run();
  const nodes = graph.nodes.map((n, v) => {
    const p = cy.getElementById(String(v)).position();
    return { x: p.x / spacing, y: p.y / spacing, label: n.label };
  });
  cy.destroy();
  const scene = { molecule: false, directed: graph.directed, nodes, edges: graph.edges.map((e) => ({ a: e.source, b: e.target, label: e.label })), rings: [] };
  return near ? scene : forward(lieDown(scene));
}

// forward mirrors a directed graph whose edges lead to the left more than to the
// right.
function forward(scene: Scene): Scene {
  const sum = scene.edges.reduce((s, e) => s + scene.nodes[e.b].x - scene.nodes[e.a].x, 0);
  if (!scene.directed || sum >= 0) return scene;
  return { ...scene, nodes: scene.nodes.map((n) => ({ ...n, x: -n.x })) };
}

// start is where a node begins; nodes without a place, on a sunflower.
function start(v: number, place: { x: number; y: number } | undefined) {
  // No two begin at one place: springs could not part them.
  const apart = 1e-3 * (v + 1);
  if (place) return { x: (place.x + apart) * unit, y: (place.y + apart * apart) * unit };
  const r = Math.sqrt(v + 0.5) * unit * 0.7, angle = v * Math.PI * (3 - Math.sqrt(5));
  return { x: r * Math.cos(angle), y: r * Math.sin(angle) };
}
