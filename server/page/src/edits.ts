import { kindOf } from "./marks";
import type { Pair } from "./path";
import { numberOf } from "./scene";
import type { Operation } from "./types";

const verbs = { deleted: "delete", inserted: "insert", relabelled: "relabel" };

const bonds: Record<string, string> = { "1": "single", "2": "double", "3": "triple", "4": "quadruple", ar: "aromatic" };

// describe says in words what each edit of a pair does. Nodes have the query's numbers
// and the labels that they have by then; those that are inserted have no number. Labels
// become what cut makes of them.
export function describe(pair: Pair, cut = (label: string) => label): string[] {
  const labels = pair.query.nodes.map((n) => n.label);
  return pair.edits.map((op) => {
    const words = inWords(op, pair, labels, cut);
    if (op.op === "substitute node") labels[op.query![0]] = pair.target.nodes[op.target![0]].label;
    return words;
  });
}

function inWords(op: Operation, pair: Pair, labels: string[], cut: (label: string) => string): string {
  const { molecule } = pair.query;
  const name = (v: number, x: number) => (v < 0 ? `new ${cut(pair.target.nodes[x].label)}` : `${cut(labels[v])}${numberOf(pair.query, v)}`);
  const ends = op.query ? op.query.map((v) => name(v, -1)) : op.target!.map((x) => name(pair.map.indexOf(x), x));
  const verb = verbs[kindOf(op)];
  if (ends.length === 1) {
    const kind = molecule ? "atom" : "node";
    if (op.from && op.to) return `${verb} ${kind} ${numberOf(pair.query, op.query![0])}: ${cut(op.from)} → ${cut(op.to)}`;
    return op.query ? `${verb} ${kind} ${ends[0]}` : `${verb} ${kind} ${cut(op.to ?? "")}`;
  }
  const label = (text = "") => (molecule ? (bonds[text] ?? text) : cut(text));
  const kind = molecule ? "bond" : "edge";
  const between = ends.join("–");
  return op.from && op.to ? `${verb} ${kind} ${between}: ${label(op.from)} → ${label(op.to)}` : `${verb} ${label(op.from ?? op.to)} ${kind} ${between}`.replace("  ", " ");
}
