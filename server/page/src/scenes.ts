import { layoutMolecule } from "./molecule";
import type { Scene } from "./scene";
import { writeSMILES } from "./smiles";
import type { GraphJSON } from "./types";

// sceneOf lays out a molecule as such and any other graph with springs, whose
// code is loaded when it is first needed. smiles is the molecule as it was
// written, if it was.
export async function sceneOf(smiles: string | undefined, graph: GraphJSON | undefined, near?: Map<number, { x: number; y: number }>): Promise<Scene | null> {
  const molecule = (smiles && layoutMolecule(smiles, graph)) || (graph && layoutLabelled(graph));
  if (molecule) return molecule;
  if (!graph) return null;
  const { layoutNetwork } = await import("./network");
  return layoutNetwork(graph, near);
}

// layoutLabelled lays out a graph whose labels are those of a molecule.
function layoutLabelled(graph: GraphJSON): Scene | null {
  const written = writeSMILES(graph);
  const scene = written && layoutMolecule(written.text);
  if (!scene || scene.nodes.length !== graph.nodes.length) return null;
  const { order } = written;
  const nodes = graph.nodes.map((n) => ({ x: 0, y: 0, label: n.label }));
  scene.nodes.forEach((n, i) => (nodes[order[i]] = { ...n, label: graph.nodes[order[i]].label }));
  return {
    ...scene,
    nodes,
    edges: graph.edges.map((e) => ({ a: e.source, b: e.target, label: e.label })),
    rings: scene.rings.map((r) => r.map((v) => order[v])),
  };
}
