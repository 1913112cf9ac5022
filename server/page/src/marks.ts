import type { Operation } from "./types";
import { type Scene, edgeKey } from "./scene";

// rest is what a target has beyond the query where that is no edit.
export type Mark = "deleted" | "inserted" | "relabelled" | "rest";

// Marks tell which nodes and edges of a drawing are edited, and how.
export interface Marks {
  nodes: Map<number, Mark>;
  edges: Map<string, Mark>;
}

export const noMarks = (): Marks => ({ nodes: new Map(), edges: new Map() });

type EditMark = Exclude<Mark, "rest">;

const kinds: Record<string, EditMark> = { delete: "deleted", insert: "inserted", substitute: "relabelled" };

export const kindOf = (op: Operation): EditMark => kinds[op.op.split(" ")[0]];

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

// markRest marks what has no counterpart in the query and is not edited.
export function markRest(marks: Marks, query: Scene, target: Scene, map: number[]): Marks {
  const meant = new Set<string>();
  for (const e of query.edges) meant.add(edgeKey(map[e.a], map[e.b], target.directed));
  const nodes = new Set(map);
  target.nodes.forEach((_, x) => {
    if (!nodes.has(x) && !marks.nodes.has(x)) marks.nodes.set(x, "rest");
  });
  for (const e of target.edges) {
    const key = edgeKey(e.a, e.b, target.directed);
    if (!meant.has(key) && !marks.edges.has(key)) marks.edges.set(key, "rest");
  }
  return marks;
}
