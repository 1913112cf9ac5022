// What the service answers, as far as the page reads it.

import type { EditCosts } from "./costs";
import type { SearchFields } from "./operations";

export type Task = NonNullable<SearchFields["task"]>;

// GraphJSON is node-link JSON; node ids are their positions. The label of what
// fits any is "*".
export interface GraphJSON {
  directed: boolean;
  nodes: { id: number; label: string; wildcard?: boolean }[];
  edges: { source: number; target: number; label: string; wildcard?: boolean }[];
  names?: string[]; // of the nodes, where they have any
}

// Operation is one edit; query and target name a node or the two ends of an edge.
export interface Operation {
  op: string;
  query?: number[];
  target?: number[];
  from?: string;
  to?: string;
  target_names?: string[];
  cost: number;
}

// Answer is one graph found, as in the Go API's Answer.
export interface Answer {
  id: string;
  name?: string;
  smiles?: string;
  predicted?: number;
  similarity?: number;
  lower?: number;
  upper?: number;
  exact: boolean;
  map?: number[];
  edits?: Operation[];
  transformations?: { text: string }[]; // of molecules: fragments that are exchanged
  attributes?: Record<string, unknown>;
  size?: { nodes: number; edges: number }; // of a part of the query
  origins?: Origin[]; // of a product of a synthon space
}

// Origin is a way to make a product.
export interface Origin {
  reaction: string;
  synthons: { id: string; smiles: string }[]; // one for each component
}

export type Mode = NonNullable<SearchFields["mode"]>;

// Note is a remark on how something was read or answered, about an option where it is about one.
export interface Note {
  option?: string;
  value?: string;
  text: string;
}

// Found is the outcome of a search. Its status says what the answers are: open
// ones were to be proven, but time ended first.
export interface Found {
  task: Task;
  status: Mode | "open";
  verdict: string;
  notes?: Note[];
  question?: { text: string; costs?: string; state?: string }; // what was asked, in a sentence
  costs?: EditCosts;
  recall?: { share: number }; // that was asked for
  unmatched?: { nodes?: string[]; edges?: string[]; no_node?: boolean; no_edge?: boolean }; // labels of the query that no graph has
  answers: Answer[];
  total?: number; // of the answers, where not all are given
  tied?: { distance: number }; // with the last of the answers, so that there may be more
  next?: string; // where the others begin
  stats?: { graphs: number }; // that were searched
  seconds: { embed: number; scan: number; check: number };
}

// Attribute says which values an attribute has in a collection.
export interface Attribute {
  name: string;
  count: number;
  min?: number;
  max?: number;
  values: { value: string; count: number }[];
  more?: boolean;
}
