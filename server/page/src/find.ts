import type { Task } from "./types";

// Find is what is looked for.
export type Find = "similar" | "contains" | "nearly" | "parts" | "common";

interface Kind {
  about: string; // what the number of an answer says
  task: Task;
  ranked: boolean; // the nearest, or those within a distance; else all
  modelled: boolean; // a model may predict it
  made: boolean; // it is found among the products of a synthon space, too
  // What one graph has beyond the other is no edit: in the target, in the query, or
  // in both.
  beyond: Beyond;
}

export type Beyond = "none" | "target" | "query" | "both";

export const finds: Record<Find, Kind> = {
  similar: { about: "Whole graphs, by the fewest edits that turn the query into them (GED).", task: "ged", ranked: true, modelled: true, made: true, beyond: "none" },
  contains: { about: "All graphs that have the query as a part (SED 0).", task: "sed", ranked: false, modelled: false, made: true, beyond: "target" },
  nearly: { about: "By the fewest edits that make the query a part of them (SED).", task: "sed", ranked: true, modelled: true, made: true, beyond: "target" },
  parts: { about: "All graphs that are a part of the query, the largest first.", task: "ged", ranked: false, modelled: false, made: false, beyond: "query" },
  common: { about: "By the largest part in common: bond orders or edges that are not (MCES).", task: "ged", ranked: true, modelled: false, made: false, beyond: "both" },
};

export function findOf(name: unknown): Find {
  return typeof name === "string" && Object.hasOwn(finds, name) ? (name as Find) : "similar";
}

// limits are the most that can be asked for.
export const limits = { k: 1000, radius: 50, apart: 20, nearly: 2, many: 500 };

// mostParts is how many parts of a query are asked for.
export const mostParts = 1000;

// predicts reports whether a collection has a model that predicts what is looked for.
export const predicts = (find: Find, models: { task: Task }[]) => finds[find].modelled && models.some((m) => m.task === finds[find].task);

// offered reports whether a collection can be asked for what is looked for.
export const offered = (find: Find, info: { space?: unknown } | null) => !info?.space || finds[find].made;
