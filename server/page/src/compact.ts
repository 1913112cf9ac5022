import type { GraphJSON } from "./types";

// Addresses carry graphs as short JSON: labels of the nodes, and for every edge
// its ends and label.
interface Compact {
  n: string[];
  e: [number, number, string][];
  d?: 1;
}

export function pack(graph: GraphJSON): string {
  const compact: Compact = {
    n: graph.nodes.map((n) => n.label),
    e: graph.edges.map((e) => [e.source, e.target, e.label]),
  };
  if (graph.directed) compact.d = 1;
  return JSON.stringify(compact);
}

// unpack returns null for text that pack did not write.
export function unpack(text: string): GraphJSON | null {
  try {
    const { n, e, d } = JSON.parse(text) as Compact;
    const isNode = (v: unknown) => Number.isInteger(v) && (v as number) >= 0 && (v as number) < n.length;
    if (!n.every((label) => typeof label === "string")) return null;
    if (!e.every(([a, b, label]) => isNode(a) && isNode(b) && typeof label === "string")) return null;
    return {
      directed: d === 1,
      nodes: n.map((label, id) => ({ id, label })),
      edges: e.map(([source, target, label]) => ({ source, target, label })),
    };
  } catch {
    return null;
  }
}
