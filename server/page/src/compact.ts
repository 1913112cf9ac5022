import type { GraphJSON } from "./types";

// Addresses carry graphs as short JSON: labels of the nodes, and for every edge
// its ends and label. The label null fits any.
type Label = string | null;

interface Compact {
  n: Label[];
  e: [number, number, Label][];
  d?: 1;
}

export function pack(graph: GraphJSON): string {
  const compact: Compact = {
    n: graph.nodes.map(short),
    e: graph.edges.map((e) => [e.source, e.target, short(e)]),
  };
  if (graph.directed) compact.d = 1;
  return JSON.stringify(compact);
}

const short = (x: { label: string; wildcard?: boolean }): Label => (x.wildcard ? null : x.label);

const long = (label: Label) => (label === null ? { label: "*", wildcard: true } : { label });

const isLabel = (label: unknown) => label === null || typeof label === "string";

// unpack returns null for text that pack did not write.
export function unpack(text: string): GraphJSON | null {
  try {
    const { n, e, d } = JSON.parse(text) as Compact;
    const isNode = (v: unknown) => Number.isInteger(v) && (v as number) >= 0 && (v as number) < n.length;
    if (!n.every(isLabel)) return null;
    if (!e.every(([a, b, label]) => isNode(a) && isNode(b) && isLabel(label))) return null;
    return {
      directed: d === 1,
      nodes: n.map((label, id) => ({ id, ...long(label) })),
      edges: e.map(([source, target, label]) => ({ source, target, ...long(label) })),
    };
  } catch {
    return null;
  }
}
