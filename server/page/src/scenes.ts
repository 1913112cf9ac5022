import { constrain } from "./constrain";
import type { Place, Scene } from "./scene";
import { writeSMILES } from "./smiles";
import type { GraphJSON } from "./types";

type Layout = typeof import("./molecule").layoutMolecule;

// sceneOf lays out a molecule as such and any other graph as a network. The code
// for either is loaded when it is first needed. smiles is the molecule as it was
// written, if it was.
export async function sceneOf(smiles: string | undefined, graph: GraphJSON | undefined): Promise<Scene | null> {
  const molecule = await layoutAtoms(smiles, graph);
  if (molecule || !graph) return molecule;
  const { layoutNetwork } = await import("./network");
  return layoutNetwork(graph);
}

// sceneOn lays a graph out on a query: what the node map pairs lies where the query
// has it, as far as that can be drawn.
export async function sceneOn(query: Scene, map: number[], smiles: string | undefined, graph: GraphJSON): Promise<Scene> {
  const molecule = query.molecule ? await layoutAtoms(smiles, graph) : null;
  if (molecule) return constrain(query, molecule, map);
  const kept = new Map<number, Place>();
  map.forEach((x, v) => x >= 0 && kept.set(x, { x: query.nodes[v].x, y: query.nodes[v].y }));
  const { layoutNetwork } = await import("./network");
  return bent(query, await layoutNetwork(graph, kept), map);
}

// bent bends the edges that the query has as the query does.
function bent(query: Scene, target: Scene, map: number[]): Scene {
  const via = new Map<string, Place[]>();
  for (const e of query.edges) if (e.via) via.set(`${map[e.a]}-${map[e.b]}`, e.via);
  return { ...target, names: query.names, edges: target.edges.map((e) => ({ ...e, via: via.get(`${e.a}-${e.b}`) })) };
}

// layoutAtoms lays out a molecule, and returns null for other graphs.
async function layoutAtoms(smiles: string | undefined, graph: GraphJSON | undefined): Promise<Scene | null> {
  const written = graph && writeSMILES(graph);
  if (!smiles && !written) return null;
  const { layoutMolecule } = await import("./molecule");
  return (smiles && layoutMolecule(smiles, graph)) || (written ? layoutLabelled(graph, written, layoutMolecule) : null);
}

// layoutLabelled lays out a graph whose labels are those of a molecule.
function layoutLabelled(graph: GraphJSON, written: { text: string; order: number[] }, layoutMolecule: Layout): Scene | null {
  const scene = layoutMolecule(written.text);
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
