import * as api from "./api";
import { type Find, mostParts } from "./find";
import type { Answer, Found } from "./types";

// Stages are told of a search: what a model predicts, at once; how far the exact
// solver is and what is best so far; the outcome.
export interface Stages {
  predicted(found: Found): void;
  checking(line: api.StreamLine, answers: Answer[] | null): void;
  done(found: Found): void;
}

// Search is what follow carries out.
export interface Search {
  collection: string;
  find: Find;
  request: api.SearchRequest;
  predict: boolean; // there is a model that predicts the answers
  before: Answer[]; // of a search that ended too soon, which this one goes on with
}

// follow carries out a search, and shows predictions meanwhile if there is a model to
// make them.
export async function follow(search: Search, signal: AbortSignal, tell: Stages): Promise<void> {
  const { collection, request } = search;
  if (search.find === "parts") return tell.done(await api.parts(collection, request, mostParts, signal));
  const { explain: _, time_limit: __, ...bare } = request;
  if (request.mode === "predicted") return tell.done(await api.search(collection, bare, signal));
  let { before } = search;
  if (search.predict && before.length === 0) {
    const found = await api.search(collection, { ...bare, mode: "predicted" }, signal);
    before = found.answers;
    tell.predicted(found);
  }
  await api.stream(collection, request, signal, (line) => {
    if (line.found) tell.done(line.found);
    else tell.checking(line, line.best ? merged(line.best, before, request.k) : null);
  });
}

// merged puts what was computed and what was known before in the order of the
// numbers that are shown.
export function merged(best: api.Checked[], before: Answer[], k?: number): Answer[] {
  const computed = new Map(best.map((b): [string, Answer] => [b.id, { ...b, exact: b.lower === b.upper }]));
  // What was known to be as near has its edits.
  for (const a of before) if (a.upper !== undefined && a.upper <= (computed.get(a.id)?.upper ?? Infinity)) computed.set(a.id, a);
  const answers = [...computed.values(), ...before.filter((a) => !computed.has(a.id))];
  const shown = (a: Answer) => a.upper ?? a.predicted ?? Infinity;
  answers.sort((a, b) => shown(a) - shown(b));
  return k ? answers.slice(0, k) : answers;
}
