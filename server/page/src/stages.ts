import * as api from "./api";
import type { Answer, Found } from "./types";

// Stages are told of a search: what a model predicts, at once; how far the exact
// solver is and what is best so far; the outcome.
export interface Stages {
  predicted(found: Found): void;
  checking(line: api.StreamLine, answers: Answer[] | null): void;
  done(found: Found): void;
}

// follow carries out a search whose answers are not predictions alone, and shows
// predictions meanwhile if there is a model to make them.
export async function follow(collection: string, request: api.SearchRequest, modelled: boolean, signal: AbortSignal, tell: Stages): Promise<void> {
  const { explain: _, budget: __, ...bare } = request;
  if (request.mode === "predicted") return tell.done(await api.search(collection, bare, signal));
  let predictions: Answer[] = [];
  if (modelled) {
    const found = await api.search(collection, { ...bare, mode: "predicted" }, signal);
    predictions = found.answers;
    tell.predicted(found);
  }
  await api.stream(collection, request, signal, (line) => {
    if (line.found) tell.done(line.found);
    else tell.checking(line, line.best ? merged(line.best, predictions, request.k) : null);
  });
}

// merged puts what was computed and what is still predicted in the order of the
// numbers that are shown.
export function merged(best: api.Checked[], predictions: Answer[], k?: number): Answer[] {
  const known = new Set(best.map((b) => b.id));
  const computed: Answer[] = best.map((b) => ({ ...b, exact: b.lower === b.upper }));
  const answers = [...computed, ...predictions.filter((a) => !known.has(a.id))];
  const shown = (a: Answer) => a.upper ?? a.predicted ?? Infinity;
  answers.sort((a, b) => shown(a) - shown(b));
  return k ? answers.slice(0, k) : answers;
}
