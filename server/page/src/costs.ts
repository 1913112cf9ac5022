import presets from "./presets.json";

// EditCosts are edit costs as the service takes and gives them, without tables of labels.
export interface EditCosts {
  node_insert: number;
  node_delete: number;
  node_substitute: number;
  edge_insert: number;
  edge_delete: number;
  edge_substitute: number;
  nodes?: unknown; // a table
  edges?: { default?: Partial<Record<"insert" | "delete" | "substitute", number>>; ring?: number; parts?: unknown; insert?: unknown; delete?: unknown; substitute?: unknown };
}

// Weights are what it costs to insert, delete and relabel a node, then an edge, and what it
// costs besides that an edge comes into a ring or out of one.
export type Weights = number[];

// most is the largest weight of an address.
const most = 100;

// named are the presets.
export const named = new Map(Object.entries(presets as Record<string, EditCosts>).map(([name, costs]) => [name, weightsOf(costs)!]));

// weightsOf returns the weights that costs amount to, or null for those of tables.
export function weightsOf(c: EditCosts): Weights | null {
  const { edges } = c;
  if (c.nodes || edges?.parts || edges?.insert || edges?.delete || edges?.substitute || (edges && !edges.default)) return null;
  const edge = edges ? (["insert", "delete", "substitute"] as const).map((op) => edges.default![op] ?? 1) : [c.edge_insert, c.edge_delete, c.edge_substitute];
  return [c.node_insert, c.node_delete, c.node_substitute, ...edge, edges?.ring ?? 0];
}

// costsOf returns what the service is asked with for the costs of an address: "" are those
// of the collection, else they are a name or weights.
export function costsOf(text: string): string | EditCosts | undefined {
  if (text === "" || named.has(text)) return text || undefined;
  const [node_insert, node_delete, node_substitute, edge_insert, edge_delete, edge_substitute, ring] = weightsIn(text)!;
  const nodes = { node_insert, node_delete, node_substitute };
  return { ...nodes, edge_insert, edge_delete, edge_substitute, ...(ring ? { edges: { default: { insert: edge_insert, delete: edge_delete, substitute: edge_substitute }, ring } } : {}) };
}

// weightsIn reads costs as an address has them, or returns null for what are none.
export function weightsIn(text: string): Weights | null {
  if (named.has(text)) return named.get(text)!;
  const list = text.split(",").map((x) => (x.trim() === "" ? NaN : Number(x)));
  return list.length === 7 && list.every((x) => x >= 0 && x <= most) ? list : null;
}
