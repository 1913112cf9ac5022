import type { Beyond } from "./find";
import { type Scene, edgeKey } from "./scene";
import type { Operation } from "./types";

// rest is what one graph has beyond the other where that is no edit.
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

type Side = "query" | "target";

// marksOf returns the marks of edits on one side of a pair.
export function marksOf(edits: Operation[], side: Side, directed: boolean): Marks {
  const marks = noMarks();
  for (const op of edits) {
    const at = op[side];
    if (!at) continue;
    if (at.length === 1) marks.nodes.set(at[0], kindOf(op));
    else marks.edges.set(edgeKey(at[0], at[1], directed), kindOf(op));
  }
  return marks;
}

// Mapped is a pair of drawings with a node map.
interface Mapped {
  query: Scene;
  target: Scene;
  map: number[];
  beyond: Beyond;
}

// marksIn returns the marks of some edits on one side of a pair. Where one graph may
// have more than the other, that is no edit but rest.
export function marksIn(pair: Mapped, edits: Operation[], side: Side): Marks {
  const marks = marksOf(edits, side, pair[side].directed);
  if (pair.beyond === "both") {
    // What is not common is no edit either.
    for (const v of marks.nodes.keys()) marks.nodes.set(v, "rest");
    for (const e of marks.edges.keys()) marks.edges.set(e, "rest");
  }
  return pair.beyond === side || pair.beyond === "both" ? markRest(marks, pair, side) : marks;
}

// markRest marks what has no counterpart on the other side and is not edited.
function markRest(marks: Marks, { query, target, map }: Mapped, side: Side): Marks {
  const to = side === "target" ? map : inverse(map, target.nodes.length);
  const [other, own] = side === "target" ? [query, target] : [target, query];
  const meant = new Set<string>();
  for (const e of other.edges) meant.add(edgeKey(to[e.a], to[e.b], own.directed));
  const nodes = new Set(to);
  own.nodes.forEach((_, x) => {
    if (!nodes.has(x) && !marks.nodes.has(x)) marks.nodes.set(x, "rest");
  });
  for (const e of own.edges) {
    const key = edgeKey(e.a, e.b, own.directed);
    if (!meant.has(key) && !marks.edges.has(key)) marks.edges.set(key, "rest");
  }
  return marks;
}

// inverse turns a node map around: for every node of the target that of the query.
export function inverse(map: number[], size: number): number[] {
  const back = new Array<number>(size).fill(-1);
  map.forEach((x, v) => x >= 0 && (back[x] = v));
  return back;
}
