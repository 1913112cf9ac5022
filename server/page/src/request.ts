import type { Query, SearchRequest } from "./api";
import { finds, limits, predicts } from "./find";
import type { State } from "./state";
import type { Task } from "./types";

// requestOf returns the search that a state asks for, by a query.
// Where no model predicts, all answers are proven.
export function requestOf(state: State, query: Query, models: { task: Task }[]): SearchRequest {
  const { task, ranked } = finds[state.find];
  const request: SearchRequest = { query, task, mode: predicts(state.find, models) ? state.mode : "proven" };
  if (ranked && state.k > 0) request.k = state.k;
  else Object.assign(request, { radius: ranked ? state.radius : 0, limit: limits.k });
  if (state.find === "common") request.costs = "mces";
  if (state.filters.length) request.filter = state.filters;
  if (state.show?.length) request.show = state.show;
  if (request.mode !== "predicted") request.explain = true;
  return request;
}
