import type { Query, SearchRequest } from "./api";
import { costsOf } from "./costs";
import { finds, limits, predicts } from "./find";
import { share, type State } from "./state";
import type { Task } from "./types";

// requestOf returns the search that a state asks for, by a query.
// Where no model predicts, all answers are proven; a model does so by its own costs. In a space so many products may
// contain the query that none but the first are made.
export function requestOf(state: State, query: Query, info: { models: { task: Task }[]; space?: unknown }): SearchRequest {
  const { models, space } = info;
  const { task, ranked, modelled } = finds[state.find];
  const own = modelled ? { costs: costsOf(state.costs), ignore_edge_labels: state.unlabelled || undefined } : {};
  const request: SearchRequest = { ...(query.smarts === undefined ? { query } : query), task, ...own, mode: predicts(state.find, models) && !asksOwn(state) ? state.mode : "proven" };
  if (ranked && state.k > 0) request.k = state.k;
  else Object.assign(request, { radius: ranked ? state.radius : 0, [!ranked && space ? "k" : "limit"]: limits.k });
  if (state.recall && request.mode !== "proven" && request.radius !== undefined) request.recall = share;
  if (state.find === "common") request.costs = "mces";
  if (state.filters.length) request.filter = state.filters;
  if (state.show?.length) request.show = state.show;
  if (request.mode !== "predicted") request.explain = true;
  return request;
}

// asksOwn reports whether a state asks for costs that no model predicts by.
export const asksOwn = (state: Pick<State, "costs" | "unlabelled">) => state.costs !== "" || state.unlabelled;
