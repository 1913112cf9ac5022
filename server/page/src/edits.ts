import { kindOf } from "./marks";
import type { Pair } from "./path";
import { nameOf } from "./scene";
import type { Operation } from "./types";

export const verbs = { deleted: "delete", inserted: "insert", relabelled: "relabel" };

const orders: Record<string, string> = { "1": "single", "2": "double", "3": "triple", "4": "quadruple", ar: "aromatic" };

// bondName says the label of a bond in words.
export const bondName = (label: string) => label.replace(/^[^(]+/, (order) => orders[order] ?? order).replace("(", " (");

export const unlabelled = "0"; // of edges that a file gives no label

// describe says in words what each edit of a pair does. Nodes have the query's names, or
// its numbers and the labels that they have by then; those that are inserted have the
// target's names, and no numbers. Names and labels become what cut makes of them.
export function describe(pair: Pair, cut = (label: string) => label): string[] {
  const labels = pair.query.nodes.map((n) => n.label);
  return pair.edits.map((op) => {
    const words = inWords(op, pair, labels, cut);
    if (op.op === "substitute node") labels[op.query![0]] = pair.target.nodes[op.target![0]].label;
    return words;
  });
}

function inWords(op: Operation, pair: Pair, labels: string[], cut: (label: string) => string): string {
  const { query, target } = pair, { molecule } = query;
  // A graph with names has a few labels, which say less of a node than its name.
  const called = (side: Pair["query"], v: number, label: string) => {
    const { name } = side.nodes[v];
    if (molecule || name === undefined) return null;
    return name === label ? cut(name) : `${cut(name)} (${cut(label)})`;
  };
  const ofQuery = (v: number) => called(query, v, labels[v]) ?? `${cut(labels[v])}${nameOf(query, v)}`;
  const ofTarget = (x: number) => called(target, x, target.nodes[x].label) ?? cut(target.nodes[x].label);
  const end = (v: number, x: number) => {
    const name = v < 0 ? (molecule ? undefined : target.nodes[x].name) : molecule ? undefined : query.nodes[v].name;
    return name !== undefined ? cut(name) : v < 0 ? `new ${ofTarget(x)}` : ofQuery(v);
  };
  const verb = verbs[kindOf(op)];
  const ends = op.query ?? op.target!;
  if (ends.length === 1) {
    const kind = molecule ? "atom" : "node";
    if (op.from && op.to) return `${verb} ${kind} ${cut(nameOf(query, op.query![0]))}: ${cut(op.from)} → ${cut(op.to)}`;
    return `${verb} ${kind} ${op.query ? ofQuery(op.query[0]) : ofTarget(op.target![0])}`;
  }
  const label = (text = "") => (molecule ? bondName(text) : text === unlabelled ? "" : cut(text));
  const kind = molecule ? "bond" : "edge";
  const between = ends.map((v) => (op.query ? end(v, -1) : end(pair.map.indexOf(v), v))).join(query.directed ? "→" : "–");
  return op.from && op.to ? `${verb} ${kind} ${between}: ${label(op.from)} → ${label(op.to)}` : `${verb} ${label(op.from ?? op.to)} ${kind} ${between}`.replace("  ", " ");
}
