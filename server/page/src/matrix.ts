import * as api from "./api";
import { between, title } from "./cards";
import { h } from "./dom";
import { rove } from "./roving";
import { complain } from "./trouble";
import type { Answer } from "./types";

const most = 24; // graphs that are columns
const each = 3; // seconds for the distances of a query, where the service gives so much

// Matrix shows how far many queries are from the graphs that are near to any of them.
export class Matrix {
  readonly element = h("div", { className: "scroller matrix", tabIndex: 0, role: "region", "aria-label": "Distances of queries and graphs", hidden: true });
  private stopped = new AbortController();

  constructor(private readonly onopen: (query: number, id: string) => void) {}

  hide(): void {
    this.stopped.abort();
    this.element.hidden = true;
  }

  // show takes as columns the graphs that most queries have among their nearest, and asks for
  // the distances that are not known.
  async show(queries: Line[], collection: string, longest: number): Promise<void> {
    this.stopped.abort();
    const { signal } = (this.stopped = new AbortController());
    const often = new Map<string, { answer: Answer; times: number }>();
    for (const { answers } of queries) for (const answer of answers) often.set(answer.id, { answer, times: (often.get(answer.id)?.times ?? 0) + 1 });
    const graphs = [...often.values()].sort((a, b) => b.times - a.times).slice(0, most).map((c) => c.answer);
    const rows = queries.map((line) => graphs.map((g) => this.cell(line, g)));
    this.element.replaceChildren(h("table", {},
      h("thead", {}, h("tr", {}, h("td"), ...graphs.map((g) => h("th", { scope: "col", title: title(g) }, h("span", {}, g.id))))),
      h("tbody", {}, ...queries.map(({ name }, i) => h("tr", {}, h("th", { scope: "row", title: name }, name), ...rows[i].map((b) => h("td", {}, b)))))));
    this.element.hidden = false;
    rove(this.element.querySelector("tbody")!);
    const known = queries.map(({ answers }) => new Map(answers.map((a) => [a.id, a])));
    const far = (i: number, j: number, a: { lower?: number; upper?: number } | undefined) => {
      if (a?.upper === undefined) return;
      rows[i][j].textContent = between(a);
      rows[i][j].style.setProperty("--near", `${Math.round(100 / (1 + a.upper / 3))}%`);
    };
    queries.forEach((_, i) => graphs.forEach((g, j) => far(i, j, known[i].get(g.id))));
    try {
      for (const [i, { request }] of queries.entries()) {
        const missing = graphs.flatMap((g, j) => (request && known[i].get(g.id)?.upper === undefined ? [j] : []));
        if (missing.length) await api.distances(collection, request!, missing.map((j) => graphs[j].id), `${Math.min(longest, each)}s`, signal, (at, d) => far(i, missing[at], d));
      }
    } catch (e) {
      if (!signal.aborted) complain(e);
    }
  }

  private cell(line: Line, graph: Answer): HTMLButtonElement {
    return h("button", { type: "button", title: `Compare ${line.name} with ${title(graph)}`, onclick: () => this.onopen(line.at, graph.id) }, "·");
  }
}

// Line is a query of a matrix.
export interface Line {
  at: number;
  name: string;
  answers: Answer[]; // its nearest
  request: api.SearchRequest | null; // by which other graphs are measured, if they can be
}
