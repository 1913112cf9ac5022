import { type Find, findOf, limits } from "./find";
import { weightsIn } from "./costs";
import type { Mode } from "./types";

// Member is one of many queries: SMILES, or a graph as compact.ts writes it.
export interface Member {
  name: string;
  query: string;
}

// Near says which pairs of a collection are compared, and by which attribute: "" is none.
export interface Near {
  attribute: string;
  radius: number;
}

// Core says which molecules of a collection are taken apart into R-groups: those that have a core, which may be "".
export interface Core {
  text: string;
  smarts: boolean; // whatever else it could be
  radius: number; // atoms and bonds of the core that may be missing, or others
  marked: boolean; // groups at other positions than those marked are none
}

// Kind is what a query is: SMILES, a graph as compact.ts writes it, or a pattern.
export type Kind = "smiles" | "graph" | "smarts";

// State is what a search is, and what its address says. It stands behind the #,
// so that queries reach no server log.
export interface State {
  collection: string;
  kind: Kind;
  query: string;
  find: Find;
  k: number; // 0: all within radius
  radius: number;
  mode: Mode;
  recall: boolean; // where answers are not proven: 99 % of what lies within the radius
  costs: string; // of edits, as costs.ts reads them; "": those of the collection
  unlabelled: boolean; // labels of edges do not count
  filters: string[]; // as the service takes them
  show: string[] | null; // attributes on the cards; null: the usual ones
  list: string[]; // ids of graphs that are shown without a query
  near: Near | null; // pairs that are shown without a query
  core: Core | null; // of a series that is shown without a query
  many: Member[]; // queries, where query is ""
  picks: string[]; // ids of answers that are ticked in the table
  selected: string; // id of the answer compared, or ""
}

export const initial: State = {
  collection: "", kind: "smiles", query: "", find: "similar", k: 12, radius: 3, mode: "proven", recall: false, costs: "", unlabelled: false, filters: [], show: null, list: [], near: null, core: null, many: [], picks: [], selected: "",
};

// share is what is found at least of what lies within a radius, on average, where that is asked for.
export const share = 0.99;

// modeOf reads the name of a mode.
export function modeOf(name: unknown): Mode {
  return name === "checked" || name === "predicted" ? name : initial.mode;
}

export function toHash(state: State): string {
  const p = new URLSearchParams();
  if (state.collection) p.set("in", state.collection);
  p.set("find", state.find);
  if (state.k > 0) p.set("k", String(state.k));
  else p.set("radius", String(state.radius));
  if (state.mode !== initial.mode) p.set("mode", state.mode);
  if (state.recall) p.set("recall", String(share));
  if (state.costs) p.set("costs", state.costs);
  if (state.unlabelled) p.set("without", "edge labels");
  for (const f of state.filters) p.append("filter", f);
  for (const name of state.show ?? []) p.append("show", name);
  if (state.show?.length === 0) p.set("show", "");
  if (state.query) p.set(state.kind, state.query);
  else for (const { name, query } of state.many) {
    p.append("many", query);
    p.append("called", name);
  }
  for (const id of state.list) p.append("list", id);
  if (state.near) {
    p.set("cliffs", state.near.attribute);
    p.set("apart", String(state.near.radius));
  }
  if (state.core) {
    p.set(state.core.smarts ? "core-smarts" : "core", state.core.text);
    if (state.core.radius) p.set("nearly", String(state.core.radius));
    if (state.core.marked) p.set("only", "marked");
  }
  for (const id of state.picks) p.append("pick", id);
  if (state.selected) p.set("answer", state.selected);
  return `#${p}`;
}

// fromHash reads an address. What it does not understand is left as it is in
// initial: an address is anyone's.
export function fromHash(hash: string): State {
  const p = new URLSearchParams(hash.replace(/^#/, ""));
  const number = (key: string, most: number, otherwise: number) => {
    const value = Number(p.get(key));
    return p.has(key) && value >= 0 && value <= most ? value : otherwise;
  };
  const ranged = p.has("radius"), called = p.getAll("called");
  const kind = (["graph", "smarts"] as const).find((k) => p.has(k)) ?? "smiles";
  return {
    collection: p.get("in") ?? "",
    kind,
    query: p.get(kind) ?? "",
    // Older links have task in place of find.
    find: kind === "smarts" ? "contains" : p.has("find") ? findOf(p.get("find")) : p.get("task") === "sed" ? "nearly" : "similar",
    k: ranged ? 0 : Math.max(1, Math.round(number("k", limits.k, initial.k))),
    radius: number("radius", limits.radius, initial.radius),
    mode: modeOf(p.get("mode")),
    recall: Number(p.get("recall")) === share,
    costs: weightsIn(p.get("costs") ?? "") ? p.get("costs")! : "",
    unlabelled: p.get("without") === "edge labels",
    filters: p.getAll("filter").slice(0, 20),
    show: p.has("show") ? p.getAll("show").filter(Boolean).slice(0, 50) : null,
    list: p.getAll("list"),
    near: p.has("cliffs") ? { attribute: p.get("cliffs")!, radius: number("apart", limits.apart, 2) } : null,
    core: p.has("core") || p.has("core-smarts") ? { text: p.get("core-smarts") ?? p.get("core")!, smarts: p.has("core-smarts"), radius: Math.round(number("nearly", limits.nearly, 0)), marked: p.get("only") === "marked" } : null,
    many: p.getAll("many").slice(0, limits.many).map((query, i) => ({ query, name: called[i] ?? "" })),
    picks: p.getAll("pick"),
    selected: p.get("answer") ?? "",
  };
}

// replaced says which parts of an address are not used, and what is in their place.
export function replaced(hash: string): string {
  const p = new URLSearchParams(hash.replace(/^#/, ""));
  const used = fromHash(hash);
  const remarks = (["k", "radius"] as const)
    .filter((key) => p.has(key) && (p.get(key)!.trim() === "" || Number(p.get(key)) !== used[key]) && !(key === "k" && p.has("radius")))
    .map((key) => `The link has ${key}=${p.get(key)}, not a number from ${key === "k" ? 1 : 0} to ${limits[key]}: ${used[key]} is used.`);
  for (const key of ["find", "mode"] as const) if (p.has(key) && p.get(key) !== used[key] && (key === "mode" || used.kind !== "smarts")) remarks.push(`The link has ${key}=${p.get(key)}, which there is not: ${used[key]} is used.`);
  if (p.has("recall") && !used.recall) remarks.push(`The link has recall=${p.get("recall")}: the page asks for ${share} or nothing.`);
  if ((p.get("costs") ?? "") !== used.costs) remarks.push(`The link has costs=${p.get("costs")}, neither a name nor seven weights: those of the collection are used.`);
  return remarks.join(" ");
}

// asks reports whether a state asks for anything.
export const asks = (state: State) => state.query !== "" || state.list.length > 0 || state.near !== null || state.core !== null || state.many.length > 0;
