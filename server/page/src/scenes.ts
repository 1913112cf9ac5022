import { layoutMolecule } from "./molecule";
import type { Scene } from "./scene";
import type { GraphJSON } from "./types";

// sceneOf lays out a molecule as such and any other graph with springs, whose
// code is loaded when it is first needed.
export async function sceneOf(smiles: string | undefined, graph: GraphJSON | undefined, near?: Map<number, { x: number; y: number }>): Promise<Scene | null> {
  const molecule = smiles ? layoutMolecule(smiles, graph) : null;
  if (molecule) return molecule;
  if (!graph) return null;
  const { layoutNetwork } = await import("./network");
  return layoutNetwork(graph, near);
}
