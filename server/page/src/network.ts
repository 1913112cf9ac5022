import cytoscape from "cytoscape";
import type { GraphJSON } from "./types";
import type { Scene } from "./scene";

// layoutNetwork lays a graph out with springs. Nodes that have a place in near
// start there, so that similar graphs are drawn alike.
export function layoutNetwork(graph: GraphJSON, near?: Map<number, { x: number; y: number }>): Scene {
  const unit = 60;
  const cy = cytoscape({
    headless: true,
    styleEnabled: true,
    elements: [
      ...graph.nodes.map((_, v) => ({ data: { id: String(v) }, position: start(v, graph, near, unit) })),
      ...graph.edges.map((e, i) => ({ data: { id: `e${i}`, source: String(e.source), target: String(e.target) } })),
    ],
    style: [{ selector: "node", style: { width: 20, height: 20 } }],
  });
  cy.layout({
    name: "cose",
    animate: false,
    randomize: false,
    fit: false,
    boundingBox: { x1: 0, y1: 0, w: unit * 6, h: unit * 4 },
    idealEdgeLength: () => unit,
    nodeRepulsion: () => 6000,
    gravity: 0.6,
    numIter: near ? 300 : 1000,
  } as cytoscape.CoseLayoutOptions).run();
  const nodes = graph.nodes.map((n, v) => {
    const p = cy.getElementById(String(v)).position();
    return { x: p.x / unit, y: p.y / unit, label: n.label };
  });
  cy.destroy();
  return { molecule: false, directed: graph.directed, nodes, edges: graph.edges.map((e) => ({ a: e.source, b: e.target, label: e.label })), rings: [] };
}

// start is where springs begin: on a sunflower, so that no two nodes share a place.
function start(v: number, graph: GraphJSON, near: Map<number, { x: number; y: number }> | undefined, unit: number) {
  const p = near?.get(v);
  if (p) return { x: p.x * unit, y: p.y * unit };
  const r = Math.sqrt(v + 0.5) * unit * 0.7, angle = v * Math.PI * (3 - Math.sqrt(5));
  return { x: r * Math.cos(angle) + graph.nodes.length, y: r * Math.sin(angle) };
}
