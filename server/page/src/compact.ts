import type { GraphJSON } from "./types";

// Addresses carry graphs as short JSON: labels of the nodes, and for every edge
// its ends and label, names of nodes where they have any. The label null fits any.
type Label = string | null;

interface Compact {
  n: Label[];
  e: [number, number, Label][];
  d?: 1;
  s?: string[]; // names of the nodes
}

export function pack(graph: GraphJSON): string {
  const compact: Compact = {
    n: graph.nodes.map(short),
    e: graph.edges.map((e) => [e.source, e.target, short(e)]),
  };
  if (graph.directed) compact.d = 1;
  if (graph.names) compact.s = graph.names;
  return JSON.stringify(compact);
}

const short = (x: { label: string; wildcard?: boolean }): Label => (x.wildcard ? null : x.label);

const long = (label: Label) => (label === null ? { label: "*", wildcard: true } : { label });

const isLabel = (label: unknown) => label === null || typeof label === "string";

// unpack returns null for text that pack did not write.
export function unpack(text: string): GraphJSON | null {
  try {
    const { n, e, d, s } = JSON.parse(text) as Compact;
    const isNode = (v: unknown) => Number.isInteger(v) && (v as number) >= 0 && (v as number) < n.length;
    if (!n.every(isLabel)) return null;
    if (!e.every(([a, b, label]) => isNode(a) && isNode(b) && isLabel(label))) return null;
    if (s && !(s.length === n.length && s.every((name) => typeof name === "string"))) return null;
    return {
      directed: d === 1, names: s,
      nodes: n.map((label, id) => ({ id, ...long(label) })),
      edges: e.map(([source, target, label]) => ({ source, target, ...long(label) })),
    };
  } catch {
    return null;
  }
}
