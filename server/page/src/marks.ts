import type { Operation } from "./types";
import { edgeKey } from "./scene";

export type Mark = "deleted" | "inserted" | "relabelled";

// Marks tell which nodes and edges of a drawing are edited, and how.
export interface Marks {
  nodes: Map<number, Mark>;
  edges: Map<string, Mark>;
}

export const noMarks = (): Marks => ({ nodes: new Map(), edges: new Map() });

const kinds: Record<string, Mark> = { delete: "deleted", insert: "inserted", substitute: "relabelled" };

export const kindOf = (op: Operation): Mark => kinds[op.op.split(" ")[0]];

// marksOf returns the marks of edits on one side of a pair.
export function marksOf(edits: Operation[], side: "query" | "target", directed: boolean): Marks {
  const marks = noMarks();
  for (const op of edits) {
    const at = op[side];
    if (!at) continue;
    if (at.length === 1) marks.nodes.set(at[0], kindOf(op));
    else marks.edges.set(edgeKey(at[0], at[1], directed), kindOf(op));
  }
  return marks;
}
