import * as api from "./api";
import { between, number, title } from "./cards";
import type { Palette } from "./colours";
import { unpack } from "./compact";
import { byId, h } from "./dom";
import { Drawing } from "./draw";
import { tabular } from "./export";
import { mostParts } from "./find";
import { type Given, queryOf } from "./input";
import { Matrix } from "./matrix";
import { openMenu } from "./menu";
import { inWords } from "./refusal";
import { saveSearch } from "./saved";
import { sceneOf } from "./scenes";
import { save } from "./share";
import { ordering } from "./sorting";
import type { Member } from "./state";
import type { Answer, Found } from "./types";

const atOnce = 10; // queries in a request
const each = 3; // seconds for a query, where the service gives so much
const nearest = 5; // answers in a row

// Row is one of many queries, and what was found for it.
interface Row {
  at: number;
  member: Member;
  found?: Found;
  problem?: string;
  element: HTMLTableRowElement;
  told: HTMLElement;
  answers: HTMLElement;
}

// givenOf returns the query of one of many.
export const givenOf = ({ query }: Member): Given => ({ kind: query.startsWith("{") ? "graph" : "smiles", query });

// Batch shows what is nearest to each of many queries. What it has found it keeps until
// others are asked, so that one can come back to it, and go on where it was cancelled.
export class Batch {
  onopen: (member: Member, answer: string) => void = () => {};
  onmore: () => void = () => {}; // those that were not asked are to be
  private readonly section = byId("batch");
  private readonly head = h("tr");
  private readonly body = h("tbody");
  private readonly more = h("button", { type: "button", hidden: true, onclick: () => this.onmore() }, "Ask the rest");
  private rows: Row[] = [];
  private key = ""; // what was asked
  private order = { key: "#", down: false };
  private asked: { collection: string; request: Omit<api.SearchRequest, "query">; longest: number } | null = null; // as it can be measured
  private readonly matrix = new Matrix((at, id) => this.onopen(this.rows[at].member, id));
  private readonly asMatrix = h("button", { type: "button", "aria-pressed": "false", onclick: () => this.tabulate(Boolean(this.matrix.element.hidden)) }, "Matrix");
  private readonly list: HTMLElement;
  private readonly seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) this.draw(this.rows.find((r) => r.element === target));
  }, { rootMargin: "200px" });

  constructor(private readonly palette: Palette) {
    const out: HTMLElement = h("button", { type: "button", "aria-haspopup": "menu", onclick: () => this.takeAway(out) }, "Save …");
    this.list = h("div", { className: "scroller", tabIndex: 0, role: "region", "aria-label": "Queries and their nearest graphs" }, h("table", {}, h("thead", {}, this.head), this.body));
    this.section.append(h("div", { className: "tools" }, h("span", { className: "hint" }, "Open a query, or one of its answers."), this.more, this.asMatrix, out), this.list, this.matrix.element);
  }

  // tabulate shows the queries and the graphs near to them as a matrix, or as a list.
  private tabulate(on: boolean): void {
    const { asked } = this;
    this.asMatrix.setAttribute("aria-pressed", String(on));
    this.list.hidden = on;
    if (!on || !asked) return this.matrix.hide();
    const measured = asked.request.mode !== "predicted";
    void this.matrix.show(this.inOrder.filter((r) => r.found).map(({ at, member, found }) => ({
      at, name: member.name || `query ${at + 1}`, answers: found!.answers, request: measured ? { ...asked.request, query: queryOf(givenOf(member))! } : null,
    })), asked.collection, asked.longest);
  }

  hide(): void {
    this.matrix.hide();
    this.section.hidden = true;
  }

  // run asks for what is not known yet of many queries, and tells how far it is.
  async run(members: Member[], collection: string, request: Omit<api.SearchRequest, "query">, parts: boolean, longest: number, signal: AbortSignal, tell: (done: number) => void): Promise<void> {
    const key = JSON.stringify([members.map((m) => [m.name, m.query]), collection, request, parts]);
    if (key !== this.key) this.begin(members);
    this.key = key;
    this.section.hidden = false;
    this.asked = { collection, request, longest };
    this.asMatrix.hidden = parts; // whose numbers are no distances
    this.tabulate(false);
    this.tell();
    const left = this.open;
    const done = (row: Row, found?: Found, problem?: string) => {
      Object.assign(row, { found, problem });
      this.fill(row);
      tell(this.rows.length - this.open.length);
    };
    tell(this.rows.length - left.length);
    const { explain: _, ...bare } = request;
    this.more.hidden = true;
    try {
      for (let i = 0; i < left.length; i += parts ? 1 : atOnce) {
        const some = left.slice(i, i + (parts ? 1 : atOnce));
        const time_limit = `${Math.min(longest, each * some.length)}s`;
        const queries = some.map(({ member }) => queryOf(givenOf(member))!);
        try {
          if (parts) done(some[0], await api.parts(collection, { ...bare, query: queries[0], time_limit }, mostParts, signal));
          else await api.searches(collection, { ...bare, queries, time_limit }, signal, (r) => done(some[r.query], r.found, r.problem && (r.problem.detail || r.problem.title)));
        } catch (e) {
          // One that cannot be read is told in its row; without the service all are given up.
          if (signal.aborted || !parts || !(e instanceof api.Problem) || e.status !== 422) throw e;
          done(some[0], undefined, e.message);
        }
      }
    } finally {
      this.more.hidden = this.open.length === 0;
    }
  }

  // open are the queries of which nothing is known yet.
  private get open(): Row[] {
    return this.rows.filter((r) => !r.found && r.problem === undefined);
  }

  // summary says what was found.
  get summary(): string {
    const n = (x: number) => x.toLocaleString("en");
    const count = (has: (r: Row) => boolean) => this.rows.filter(has).length;
    const open = count((r) => r.found?.status === "open"), wrong = count((r) => r.problem !== undefined), none = count((r) => r.found?.answers.length === 0);
    const but = [open ? `${n(open)} open` : "", none ? `${n(none)} without an answer` : "", wrong ? `${n(wrong)} refused` : ""].filter(Boolean);
    return `${n(count((r) => r.found !== undefined))} of ${n(this.rows.length)} queries answered${but.length ? `; ${but.join(", ")}` : ""}.`;
  }

  private begin(members: Member[]): void {
    this.seen.disconnect();
    this.rows = members.map((member, at) => {
      const told = h("td"), answers = h("td", { className: "nearest" });
      const name = h("button", { type: "button", className: "link", onclick: () => this.onopen(member, "") }, member.name || `query ${at + 1}`);
      const element = h("tr", { "data-query": at }, h("td", { className: "number" }, String(at + 1)), h("td", { className: "structure" }), h("td", { title: member.query }, name), answers, told);
      return { at, member, element, told, answers, problem: queryOf(givenOf(member)) ? undefined : "This is no graph." };
    });
    this.rows.forEach((r) => this.fill(r));
    this.rows.forEach((r) => this.seen.observe(r.element));
  }

  private draw(row: Row | undefined): void {
    if (!row) return;
    this.seen.unobserve(row.element);
    const given = givenOf(row.member), drawing = new Drawing(row.member.name || "A query", this.palette);
    row.element.cells[1].append(drawing.element);
    void (given.kind === "smiles" ? sceneOf(given.query, undefined) : sceneOf(undefined, unpack(given.query) ?? undefined)).then((scene) => scene && drawing.show(scene));
  }

  // fill shows what was found for a query.
  private fill(row: Row): void {
    const { found, problem, member } = row;
    row.told.textContent = problem ? inWords(problem) : found?.status ?? "";
    row.told.className = problem ? "failed" : "";
    const more = (found?.total ?? found?.answers.length ?? 0) - nearest;
    row.answers.replaceChildren(...(found?.answers ?? []).slice(0, nearest).map((a) =>
      h("button", { type: "button", title: `Compare with ${title(a)}`, onclick: () => this.onopen(member, a.id) }, a.id, " ", h("b", {}, far(a)))),
      more > 0 ? `and ${more.toLocaleString("en")} more` : found?.answers.length === 0 ? "nothing" : "");
  }

  // tell puts the rows in order.
  private tell(): void {
    const sort = (key: string) => {
      this.order = { key, down: this.order.key === key && !this.order.down };
      this.tell();
      this.head.querySelector<HTMLElement>(`[data-key="${key}"]`)?.focus();
    };
    const heads = Object.keys(columns).map((key) => {
      const mine = this.order.key === key, sign = mine ? (this.order.down ? " ↓" : " ↑") : "";
      return h("th", { scope: "col", "aria-sort": mine ? (this.order.down ? "descending" : "ascending") : "none" }, h("button", { type: "button", className: "link", "data-key": key, onclick: () => sort(key) }, `${key}${sign}`));
    });
    this.head.replaceChildren(heads[0], h("th", { scope: "col" }, "structure"), ...heads.slice(1));
    this.body.replaceChildren(...this.inOrder.map((r) => r.element));
  }

  private get inOrder(): Row[] {
    return [...this.rows].sort(ordering(columns[this.order.key], this.order.down));
  }

  private takeAway(button: HTMLElement): void {
    const lines = () => this.rows.flatMap(({ member, found, problem }) => (found ? found.answers.map((a, i) => [member.name, member.query, i + 1, a.id, a.name, a.smiles, a.predicted, a.lower, a.upper, found.status]) : [[member.name, member.query, "", "", "", "", "", "", "", problem ?? "not asked"]]));
    const file = (name: string, kind: string, make: () => string) => () => save(new Blob([make()], { type: kind }), name);
    openMenu([
      { text: "CSV", act: file("queries.csv", "text/csv", () => tabular(["query", "asked", "rank", "id", "name", "smiles", "predicted", "lower", "upper", "status"], lines())) },
      { text: "JSON", act: file("queries.json", "application/json", () => JSON.stringify(this.rows.map(({ member, found, problem }) => ({ ...member, found, problem })), null, 1)) },
      { text: "This search, to open again", act: () => saveSearch(location.hash) },
    ], button);
  }
}

// columns are what queries are sorted by.
const columns: Record<string, (r: Row) => unknown> = {
  "#": (r) => r.at, query: (r) => r.member.name, nearest: (r) => r.found && r.found.answers[0] && size(r.found.answers[0]), "answers are": (r) => r.problem ?? r.found?.status,
};

// size is what an answer is sorted by.
const size = (a: Answer) => a.size?.nodes ?? a.upper ?? a.predicted;

const far = (a: Answer) => (a.size ? String(a.size.nodes) : a.upper === undefined ? `≈ ${number(a.predicted ?? 0)}` : between(a));
