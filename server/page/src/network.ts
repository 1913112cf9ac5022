import cytoscape from "cytoscape";
import type { GraphJSON } from "./types";
import type { Scene } from "./scene";
import { spread } from "./spread";

// Beyond this many nodes springs start from a sunflower: spread takes time with
// the square of them.
const many = 400;

// layoutNetwork lays a graph out with springs. Nodes that have a place in near
// start there, so that similar graphs are drawn alike.
export function layoutNetwork(graph: GraphJSON, near?: Map<number, { x: number; y: number }>): Scene {
  const unit = 60;
  const places = near || graph.nodes.length > many ? null : spread(graph);
  const cy = cytoscape({
    headless: true,
    styleEnabled: true,
    elements: [
      ...graph.nodes.map((_, v) => ({ data: { id: String(v) }, position: start(v, near?.get(v) ?? places?.[v], unit) })),
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
    return { x: p.x / unit, y: p.y / unit, label: n.label };
  });
  cy.destroy();
  return { molecule: false, directed: graph.directed, nodes, edges: graph.edges.map((e) => ({ a: e.source, b: e.target, label: e.label })), rings: [] };
}

// start is where a node begins; nodes without a place, on a sunflower.
function start(v: number, place: { x: number; y: number } | undefined, unit: number) {
  // No two begin at one place: springs could not part them.
  const apart = 1e-3 * (v + 1);
  if (place) return { x: (place.x + apart) * unit, y: (place.y + apart * apart) * unit };
  const r = Math.sqrt(v + 0.5) * unit * 0.7, angle = v * Math.PI * (3 - Math.sqrt(5));
  return { x: r * Math.cos(angle), y: r * Math.sin(angle) };
}
