import { plainAtom } from "./chemistry";
import type { Beyond } from "./find";
import { type Marks, kindOf, noMarks } from "./marks";
import { type Place, type Scene, type SceneEdge, type SceneNode, edgeKey } from "./scene";
import type { Operation } from "./types";

// A pair is a query and a graph found, with the node map and the edits that turn
// one into the other, or, for SED, into a part of it. The target lies on the query.
export interface Pair {
  query: Scene;
  target: Scene;
  map: number[]; // for every query node a target node or -1
  edits: Operation[];
  beyond: Beyond; // where what the other lacks is no edit
}

export interface Step {
  scene: Scene;
  marks: Marks; // of the last edit
  names: number[]; // for every node the query's number of it, or the query's size plus the target's
}

// stepOf returns the graph after some edits: the query after none.
export function stepOf(pair: Pair, done: number): Step {
  const { query, target, map, edits } = pair;
  const n = query.nodes.length;
  const inverse = new Map<number, number>();
  map.forEach((x, v) => x >= 0 && inverse.set(x, v));
  const name = (x: number) => inverse.get(x) ?? n + x;
  const labels = new Map<number, string>(query.nodes.map((q, v) => [v, q.label]));
  const edges = new Map<string, SceneEdge>();
  const key = (a: number, b: number) => edgeKey(a, b, query.directed);
  for (const e of query.edges) edges.set(key(e.a, e.b), { ...e });
  for (const op of edits.slice(0, done)) apply(op, labels, edges, name, key, target);

  const names = [...labels.keys()];
  const index = new Map(names.map((v, i) => [v, i]));
  const kept = [...edges.values()].map((e) => ({ ...e, a: index.get(e.a)!, b: index.get(e.b)! }));
  const orders = ordersOf(names.length, kept), before = ordersOf(n, query.edges), after = ordersOf(target.nodes.length, target.edges);
  const nodes = names.map((v, i): SceneNode => {
    const x = v < n ? map[v] : v - n;
    const label = labels.get(v)!;
    const place = { ...placeOf(pair, v, done), label, name: (v < n ? query.nodes[v] : target.nodes[x]).name };
    if (!query.molecule) return place;
    const as = (of: SceneNode | undefined, list: string[] | undefined) => of?.label === label && sorted(list!) === sorted(orders[i]) && of.atom;
    return { ...place, atom: as(query.nodes[v], before[v]) || as(target.nodes[x], after[x]) || plainAtom(label, orders[i]) };
  });
  const scene: Scene = { ...query, nodes, edges: kept, rings: query.molecule ? rings(pair, name, index, edges, key) : [] };
  return { scene, names, marks: done ? marksOf(edits[done - 1], name, index, query.directed) : noMarks() };
}

// ordersOf returns for every node the labels of its edges.
function ordersOf(n: number, edges: SceneEdge[]): string[][] {
  const orders: string[][] = Array.from({ length: n }, () => []);
  for (const e of edges) {
    orders[e.a].push(e.label);
    orders[e.b].push(e.label);
  }
  return orders;
}

// placeOf returns where a node is after some edits, which may be a fraction.
// Nodes keep their places in the query until the last edit, which moves them to
// those in the target: half way between, fragments that turned would fold up.
export function placeOf(pair: Pair, name: number, done: number): Place {
  const n = pair.query.nodes.length, last = pair.edits.length;
  const t = last > 0 ? Math.max(0, done - last + 1) : 0;
  const x = name < n ? pair.map[name] : name - n;
  const to = x >= 0 ? pair.target.nodes[x] : pair.query.nodes[name];
  const from = name < n ? pair.query.nodes[name] : beside(pair, x);
  return { x: from.x + (to.x - from.x) * t, y: from.y + (to.y - from.y) * t };
}

// beside returns a place for a target node that the query lacks: as far from the
// nearest node that the query has as it is in the target.
function beside(pair: Pair, x: number): Place {
  const { query, target, map } = pair;
  const queue = [x], seen = new Set(queue);
  for (const at of queue) {
    const v = map.indexOf(at);
    if (v >= 0) {
      const from = target.nodes[at], to = target.nodes[x], near = query.nodes[v];
      return { x: near.x + to.x - from.x, y: near.y + to.y - from.y };
    }
    for (const e of target.edges) {
      const next = e.a === at ? e.b : e.b === at ? e.a : -1;
      if (next >= 0 && !seen.has(next)) {
        seen.add(next);
        queue.push(next);
      }
    }
  }
  return target.nodes[x];
}

function apply(
  op: Operation,
  labels: Map<number, string>,
  edges: Map<string, SceneEdge>,
  name: (x: number) => number,
  key: (a: number, b: number) => string,
  target: Scene,
): void {
  switch (op.op) {
    case "delete node":
      labels.delete(op.query![0]);
      break;
    case "delete edge":
      edges.delete(key(op.query![0], op.query![1]));
      break;
    case "substitute node":
      labels.set(op.query![0], target.nodes[op.target![0]].label);
      break;
    case "insert node":
      labels.set(name(op.target![0]), target.nodes[op.target![0]].label);
      break;
    default: {
      const [a, b] = op.target!.map(name);
      const [x, y] = op.target!, like = target.edges.find((e) => edgeKey(e.a, e.b, target.directed) === edgeKey(x, y, target.directed));
      edges.set(key(a, b), { ...edges.get(key(a, b)), a, b, label: op.to ?? "", order: like?.order });
    }
  }
}

// marksOf marks what the edit left: a node or edge that was deleted is gone.
function marksOf(op: Operation, name: (x: number) => number, index: Map<number, number>, directed: boolean): Marks {
  const marks = noMarks();
  const ends = (op.target ? op.target.map(name) : op.query!).map((v) => index.get(v));
  if (ends.some((v) => v === undefined)) return marks;
  const [a, b] = ends as number[];
  if (b === undefined) marks.nodes.set(a, kindOf(op));
  else if (op.op !== "delete edge") marks.edges.set(edgeKey(a, b, directed), kindOf(op));
  return marks;
}

// rings returns the rings of both graphs whose bonds are all there.
function rings(
  pair: Pair,
  name: (x: number) => number,
  index: Map<number, number>,
  edges: Map<string, unknown>,
  key: (a: number, b: number) => string,
): number[][] {
  const all = [...pair.query.rings, ...pair.target.rings.map((r) => r.map(name))];
  const seen = new Set<string>();
  return all
    .filter((r) => {
      const id = sorted(r.map(String));
      if (seen.has(id)) return false;
      seen.add(id);
      return r.every((v, i) => index.has(v) && edges.has(key(v, r[(i + 1) % r.length])));
    })
    .map((r) => r.map((v) => index.get(v)!));
}

const sorted = (list: string[]) => [...list].sort().join();
