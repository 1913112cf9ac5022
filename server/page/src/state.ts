import type { Mode, Task } from "./types";

// State is what a search is, and what its address says. It stands behind the #,
// so that queries reach no server log.
export interface State {
  collection: string;
  kind: "smiles" | "graph"; // query is SMILES, or a graph as compact.ts writes it
  query: string;
  task: Task;
  k: number; // 0: all within radius
  radius: number;
  mode: Mode;
  selected: string; // id of the answer compared, or ""
}

export const initial: State = {
  collection: "", kind: "smiles", query: "", task: "ged", k: 12, radius: 3, mode: "proven", selected: "",
};

export const limits = { k: 100, radius: 50 };

// modeOf reads the name of a mode.
export function modeOf(name: unknown): Mode {
  return name === "checked" || name === "predicted" ? name : initial.mode;
}

export function toHash(state: State): string {
  const p = new URLSearchParams();
  if (state.collection) p.set("in", state.collection);
  p.set("task", state.task);
  if (state.k > 0) p.set("k", String(state.k));
  else p.set("radius", String(state.radius));
  if (state.mode !== initial.mode) p.set("mode", state.mode);
  if (state.query) p.set(state.kind, state.query);
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
  const ranged = p.has("radius");
  return {
    collection: p.get("in") ?? "",
    kind: p.has("graph") ? "graph" : "smiles",
    query: p.get("graph") ?? p.get("smiles") ?? "",
    task: p.get("task") === "sed" ? "sed" : "ged",
    k: ranged ? 0 : Math.max(1, Math.round(number("k", limits.k, initial.k))),
    radius: number("radius", limits.radius, initial.radius),
    mode: modeOf(p.get("mode")),
    selected: p.get("answer") ?? "",
  };
}

// replaced says which numbers of an address are not used, and what is in their place.
export function replaced(hash: string): string {
  const p = new URLSearchParams(hash.replace(/^#/, ""));
  const used = fromHash(hash);
  return (["k", "radius"] as const)
    .filter((key) => p.has(key) && (p.get(key)!.trim() === "" || Number(p.get(key)) !== used[key]) && !(key === "k" && p.has("radius")))
    .map((key) => `The link has ${key}=${p.get(key)}, not a number from ${key === "k" ? 1 : 0} to ${limits[key]}: ${used[key]} is used.`)
    .join(" ");
}
