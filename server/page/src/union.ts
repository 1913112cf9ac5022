import { type Mark, marksIn } from "./marks";
import type { Pair } from "./path";
import { type SceneNode, edgeKey } from "./scene";
import type { Operation } from "./types";

// Spot is a node of both graphs, of one of them, or several that are folded together.
export interface Spot {
  query: string | null; // its label there, or its name with its label
  target: string | null;
  queryMark?: Mark;
  targetMark?: Mark;
  folded: number; // how many nodes it stands for, if it is several
}

export interface Tie {
  a: number;
  b: number;
  query: boolean; // the query has it
  target: boolean;
  queryMark?: Mark;
  targetMark?: Mark;
}

// Union is a pair of graphs as one: what corresponds is one spot.
export interface Union {
  directed: boolean;
  spots: Spot[];
  ties: Tie[];
  at: (op: Operation) => number[]; // the spots that an edit is about
}

// called says what a node is called, and its label where that is something else.
export const called = ({ name, label, atom }: Pick<SceneNode, "name" | "label" | "atom">) => (name === undefined || name === label || atom ? label : `${name}: ${label}`);

export function unite(pair: Pair): Union {
  const { query, target, map, edits } = pair;
  const left = marksIn(pair, edits, "query"), right = marksIn(pair, edits, "target");
  const of = new Array<number>(target.nodes.length).fill(-1); // the spots of the target's nodes
  const spots = query.nodes.map((n, v): Spot => {
    const x = map[v] ?? -1;
    if (x >= 0) of[x] = v;
    return { query: called(n), target: x >= 0 ? called(target.nodes[x]) : null, queryMark: left.nodes.get(v), targetMark: x >= 0 ? right.nodes.get(x) : undefined, folded: 0 };
  });
  target.nodes.forEach((n, x) => {
    if (of[x] < 0) of[x] = spots.push({ query: null, target: called(n), targetMark: right.nodes.get(x), folded: 0 }) - 1;
  });
  const ties = new Map<string, Tie>();
  const key = (a: number, b: number) => edgeKey(a, b, query.directed);
  for (const e of query.edges) ties.set(key(e.a, e.b), { a: e.a, b: e.b, query: true, target: false, queryMark: left.edges.get(key(e.a, e.b)) });
  for (const e of target.edges) {
    const [a, b] = [of[e.a], of[e.b]], mark = right.edges.get(edgeKey(e.a, e.b, target.directed));
    const tie = ties.get(key(a, b));
    if (tie) Object.assign(tie, { target: true, targetMark: mark });
    else ties.set(key(a, b), { a, b, query: false, target: true, targetMark: mark });
  }
  return { directed: query.directed, spots, ties: [...ties.values()], at: (op) => op.query ?? op.target!.map((x) => of[x]) };
}

// fold leaves of a union what edits are about and what is as near to it as around, in
// edges. Of the rest each connected piece becomes one spot.
export function fold(union: Union, edits: Operation[], around: number): Union {
  const near: number[][] = union.spots.map(() => []);
  for (const { a, b } of union.ties) {
    near[a].push(b);
    near[b].push(a);
  }
  const kept = new Set(edits.flatMap(union.at));
  let edge = [...kept];
  for (let i = 0; i < around; i++) edge = edge.flatMap((v) => near[v]).filter((w) => !kept.has(w) && kept.add(w));
  const where = new Array<number>(union.spots.length).fill(-1), spots: Spot[] = [];
  union.spots.forEach((spot, v) => {
    if (where[v] >= 0) return;
    const at = (where[v] = spots.push({ ...spot }) - 1);
    if (kept.has(v)) return;
    const piece = [v];
    for (const p of piece) {
      for (const w of near[p]) {
        if (kept.has(w) || where[w] >= 0) continue;
        where[w] = at;
        piece.push(w);
      }
    }
    if (piece.length === 1) return;
    const has = (side: "query" | "target") => piece.filter((p) => union.spots[p][side] !== null).length;
    const text = (n: number) => (n ? `${n} more` : null);
    spots[at] = { query: text(has("query")), target: text(has("target")), folded: piece.length };
  });
  const ties = new Map<string, Tie>();
  for (const tie of union.ties) {
    const a = where[tie.a], b = where[tie.b], key = edgeKey(a, b, union.directed);
    if (a === b && tie.a !== tie.b) continue;
    const known = ties.get(key);
    if (known) Object.assign(known, { query: known.query || tie.query, target: known.target || tie.target });
    else ties.set(key, { ...tie, a, b });
  }
  return { ...union, spots, ties: [...ties.values()], at: (op) => union.at(op).map((v) => where[v]) };
}

// groups puts edits together that are about one spot: the one that most of those left are
// about, again and again.
export function groups(union: Union, edits: Operation[]): Operation[][] {
  const left = new Set(edits), parts: Operation[][] = [];
  while (left.size > 0) {
    const count = new Map<number, number>();
    for (const op of left) for (const v of union.at(op)) count.set(v, (count.get(v) ?? 0) + 1);
    const [most] = [...count].reduce((best, next) => (next[1] > best[1] ? next : best));
    const part = [...left].filter((op) => union.at(op).includes(most));
    part.forEach((op) => left.delete(op));
    parts.push(part);
  }
  return parts;
}
