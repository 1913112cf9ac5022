import { readAtom } from "./chemistry";
import { constrain } from "./constrain";
import { type Place, type Scene, named } from "./scene";
import type { GraphJSON } from "./types";

// Job is what a worker lays out: a graph alone, or a target on a query by a node map, what
// it pairs where the query has it, as far as that can be drawn. smiles is a molecule as it
// was written, if it was.
export interface Job {
  smiles?: string;
  graph?: GraphJSON;
  on?: { query: Scene; map: number[] };
}

// prepare loads the code for a job.
export async function prepare(job: Job): Promise<() => Scene | null> {
  const [molecules, networks] = await Promise.all([mayBeMolecule(job) ? import("./molecule") : null, import("./network")]);
  return () => layout(job, molecules?.layoutMolecule, networks);
}

// mayBeMolecule reports whether a job is worth the code for molecules.
function mayBeMolecule({ smiles, graph, on }: Job): boolean {
  if (on && !on.query.molecule) return false;
  return smiles !== undefined || (!graph?.directed && (graph?.nodes.every((n) => readAtom(n.label)) ?? false));
}

type Molecules = typeof import("./molecule").layoutMolecule;
type Networks = typeof import("./network");

function layout(job: Job, molecules: Molecules | undefined, networks: Networks): Scene | null {
  const scene = place(job, molecules, networks);
  return scene && named(scene, job.graph);
}

function place({ smiles, graph, on }: Job, layoutMolecule: Molecules | undefined, { layoutNetwork }: Networks): Scene | null {
  const molecule = layoutMolecule?.(smiles, graph) ?? null;
  if (molecule) return on ? constrain(on.query, molecule, on.map) : molecule;
  if (!graph) return null;
  if (!on) return layoutNetwork(graph);
  const kept = new Map<number, Place>();
  on.map.forEach((x, v) => x >= 0 && kept.set(x, { x: on.query.nodes[v].x, y: on.query.nodes[v].y }));
  return bent(on.query, layoutNetwork(graph, kept), on.map);
}

// bent bends the edges that the query has as the query does.
function bent(query: Scene, target: Scene, map: number[]): Scene {
  const via = new Map<string, Place[]>();
  for (const e of query.edges) if (e.via) via.set(`${map[e.a]}-${map[e.b]}`, e.via);
  return { ...target, names: query.names, edges: target.edges.map((e) => ({ ...e, via: via.get(`${e.a}-${e.b}`) })) };
}
