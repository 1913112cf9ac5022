import { beside } from "./beside";
import type { Job } from "./layout";
import { plain } from "./plain";
import type { Scene } from "./scene";
import type { GraphJSON } from "./types";

// patient is how long a molecule may take where the machine has much else to do, in milliseconds. In
// rows of dots it would be no molecule.
const patient = 60_000;

// layOut makes a scene, a plain one where a better one takes too long.
async function layOut(job: Job): Promise<Scene | null> {
  const scene = (await beside.add(job)) ?? (job.smiles === undefined ? undefined : await beside.add(job, patient));
  return (scene as Scene | null | undefined) === undefined ? plain(job) : (scene as Scene | null);
}

// warm has the code for molecules loaded before it is needed.
export const warm = () => void beside.add({ smiles: "C" });

// sceneOf lays out a molecule as such and any other graph as a network. smiles is the
// molecule as it was written, if it was.
export const sceneOf = (smiles: string | undefined, graph: GraphJSON | undefined) => layOut({ smiles, graph });

// sceneOn lays a graph out on a query.
export async function sceneOn(query: Scene, map: number[], smiles: string | undefined, graph: GraphJSON): Promise<Scene> {
  return (await layOut({ smiles, graph, on: { query, map } }))!; // there is a graph
}

// isLarge reports whether a drawing of nodes takes a good part of a tenth of a second.
export const isLarge = (nodes: unknown[]) => nodes.length > 150;

// painted waits until the browser has had time to show what was drawn, so that large drawings
// do not add up to one long task.
export const painted = () => new Promise((later) => setTimeout(later, 40));
