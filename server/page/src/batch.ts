import * as api from "./api";
import { type Bounds, between, number, title } from "./cards";
import type { Palette } from "./colours";
import { unpack } from "./compact";
import { named, weightsOf } from "./costs";
import { adopt, byId, h } from "./dom";
import { Drawing } from "./draw";
import { tabular } from "./export";
import { type Find, mostParts } from "./find";
import { heads } from "./heads";
import { type Given, queryOf } from "./input";
import { type Distances, Matrix } from "./matrix";
import { openMenu } from "./menu";
import { compare } from "./pairing";
import { inWords } from "./refusal";
import { saveSearch } from "./saved";
import { sceneOf } from "./scenes";
import { save } from "./share";
import { complain } from "./trouble";
import { ordering } from "./sorting";
import type { Member } from "./state";
import type { Answer, Found } from "./types";

adopt(`
#batch .failed { white-space: normal; overflow-wrap: anywhere; }
#batch .nearest { max-width: none; min-width: 15rem; white-space: normal; }
.nearest button { white-space: nowrap; border: 1px solid var(--line); border-radius: 999px; background: var(--surface); padding: .05rem .5rem; margin: .1rem .2rem .1rem 0; cursor: pointer; }
.nearest button:hover { border-color: var(--accent); color: var(--accent); }
#batch .progress { margin-bottom: .5rem; flex-wrap: wrap; }
`);

const atOnce = 10; // queries in a request
const each = 3; // seconds for a query, where the service gives so much
const eachRow = 10; // and for a row of distances
const nearest = 5; // answers in a row
const mostNear = 24; // graphs that are columns of a matrix
const mostAmong = 100; // queries that are
const letters = 400_000; // of the queries in a request

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
const givenOf = ({ query }: Member): Given => ({ kind: query.startsWith("{") ? "graph" : "smiles", query });

// Batch shows what is nearest to each of many queries. What it has found it keeps until
// others are asked, so that one can come back to it, and go on where it was cancelled.
export class Batch {
  onopen: (query: Given, answer: string) => void = () => {};
  onmore: () => void = () => {}; // those that were not asked are to be
  private readonly section = byId("batch");
  private readonly head = h("tr");
  private readonly body = h("tbody");
  private readonly more = h("button", { type: "button", hidden: true, onclick: () => this.onmore() }, "Ask the rest");
  private rows: Row[] = [];
  private key = ""; // what was asked
  private order = { key: "#", down: false };
  private asked!: { info: api.Info; request: Omit<api.SearchRequest, "query">; find: Find };
  private readonly matrix = new Matrix();
  private readonly views = ["Matrix", "Among themselves"].map((name, i) => h("button", { type: "button", "aria-pressed": "false", onclick: () => this.tabulate(this.view === i ? -1 : i) }, name));
  private view = -1; // of views; -1: the list
  private measured = new Map<string, Bounds | null>(); // distances by the numbers of queries, or by an id
  private readonly list: HTMLElement;
  private readonly seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) this.draw(this.rows.find((r) => r.element === target));
  }, { rootMargin: "200px" });

  constructor(private readonly palette: Palette) {
    const out: HTMLElement = h("button", { type: "button", "aria-haspopup": "menu", onclick: () => this.takeAway(out) }, "Save …");
    this.list = h("div", { className: "scroller", tabIndex: 0, role: "region", "aria-label": "Queries and their nearest graphs" }, h("table", {}, h("thead", {}, this.head), this.body));
    this.section.append(h("div", { className: "tools" }, h("span", { className: "hint" }, "Open a query, or one of its answers."), this.more, ...this.views, out), this.list, this.matrix.element);
  }

  // tabulate shows the list, or a matrix of the queries with the graphs near to them or with each other.
  private tabulate(view: number): void {
    this.view = view;
    this.views.forEach((b, i) => b.setAttribute("aria-pressed", String(i === view)));
    this.list.hidden = view >= 0;
    if (view < 0) return this.matrix.hide();
    void this.matrix.show(view === 0 ? this.near() : this.among());
  }

  // near takes as columns the graphs that most queries have among their nearest.
  private near(): Distances {
    const rows = this.inOrder.filter((r) => r.found), often = new Map<string, { answer: Answer; times: number }>();
    for (const { found } of rows) for (const answer of found!.answers) often.set(answer.id, { answer, times: (often.get(answer.id)?.times ?? 0) + 1 });
    const graphs = [...often.values()].sort((a, b) => b.times - a.times).slice(0, mostNear).map((c) => c.answer);
    for (const { at, found } of rows) for (const a of found!.answers) if (a.upper !== undefined) this.measured.set(`${at} ${a.id}`, a);
    const key = (i: number, j: number) => `${rows[i].at} ${graphs[j].id}`;
    return {
      label: "Distances of queries and graphs", remark: "", rows: rows.map(head), columns: graphs.map((g) => ({ name: g.id, about: title(g) })),
      known: (i, j) => this.measured.get(key(i, j)),
      ask: this.asked.request.mode === "predicted" ? null : (i, columns, tell, signal) => this.measure(columns.map((j) => ({ query: queryOf(givenOf(rows[i].member))!, target: { id: graphs[j].id } })), each, signal, (n, d) => {
        this.measured.set(key(i, columns[n]), d);
        tell(i, columns[n]);
      }),
      open: (i, j) => this.onopen(givenOf(rows[i].member), graphs[j].id),
    };
  }

  // among takes the queries as columns, too.
  private among(): Distances {
    const readable = this.inOrder.filter((r) => r.problem === undefined), rows = readable.slice(0, mostAmong), names = rows.map(head);
    const queries = rows.map((r) => queryOf(givenOf(r.member))!), { request } = this.asked, mirrored = this.mirrored();
    const key = (i: number, j: number) => `${rows[i].at}/${rows[j].at}`;
    return {
      label: "Distances of queries and queries", rows: names, columns: names,
      remark: `A row has ${this.time(eachRow)}; what is open by then is told by bounds.${readable.length > rows.length ? ` These are the first ${rows.length} of ${readable.length} queries.` : ""}`,
      known: (i, j) => (i === j ? { lower: 0, upper: 0 } : this.measured.get(key(i, j))),
      ask: (i, columns, tell, signal) => this.measure(columns.map((j) => ({ query: queries[i], target: queries[j] })), eachRow, signal, (n, d) => {
        for (const [a, b] of mirrored ? [[i, columns[n]], [columns[n], i]] : [[i, columns[n]]]) {
          this.measured.set(key(a, b), d);
          tell(a, b);
        }
      }),
      open: (i, j) => void compare(this.palette, this.asked.info.name, request, this.asked.find, { query: queries[i], target: queries[j] }, [names[i].name, names[j].name]).catch(complain),
    };
  }

  // mirrored reports whether distances are the same there and back: what is inserted on one way is
  // deleted on the other.
  private mirrored(): boolean {
    const { info, request: { task, costs = info.models.find((m) => m.task === task)?.costs ?? "uniform" } } = this.asked;
    const weights = typeof costs === "string" ? named.get(costs) : weightsOf(costs);
    return task === "ged" && Boolean(weights) && weights![0] === weights![1] && weights![3] === weights![4];
  }

  // measure asks for distances, and gives each of its requests a time.
  private async measure(pairs: api.Twosome[], seconds: number, signal: AbortSignal, tell: (i: number, d: Bounds | null) => void): Promise<void> {
    const long = Math.max(...pairs.map((p) => JSON.stringify(p).length)), most = Math.max(1, Math.floor(letters / long));
    for (let i = 0; i < pairs.length; i += most) await api.distances(this.asked.info.name, this.asked.request, pairs.slice(i, i + most), this.time(seconds), signal, (n, d) => tell(i + n, d ?? null));
  }

  private time = (seconds: number) => `${Math.min(this.asked.info.max_time_limit, seconds)}s`;

  hide(): void {
    this.matrix.hide();
    this.section.hidden = true;
  }

  // run asks for what is not known yet of many queries, and tells how far it is.
  async run(members: Member[], info: api.Info, request: Omit<api.SearchRequest, "query">, find: Find, signal: AbortSignal, tell: (done: number) => void): Promise<void> {
    const { name: collection, max_time_limit: longest } = info, parts = find === "parts", key = JSON.stringify([members.map((m) => [m.name, m.query]), collection, request, parts]);
    if (key !== this.key) this.begin(members);
    this.key = key;
    this.section.hidden = false;
    this.asked = { info, request, find };
    for (const b of this.views) b.hidden = parts; // whose numbers are no distances
    this.tabulate(-1);
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
    this.measured.clear();
    this.rows = members.map((member, at) => {
      const told = h("td"), answers = h("td", { className: "nearest" });
      const name = h("button", { type: "button", className: "link", onclick: () => this.onopen(givenOf(member), "") }, head({ at, member }).name);
      const element = h("tr", { "data-query": at }, h("td", { className: "number" }, String(at + 1)), h("td", { className: "structure" }), h("td", { title: member.query }, name), answers, told);
      return { at, member, element, told, answers, problem: queryOf(givenOf(member)) ? undefined : "This is no graph." };
    });
    this.rows.forEach((r) => this.fill(r));
    this.rows.forEach((r) => this.seen.observe(r.element));
  }

  private draw(row: Row | undefined): void {
    if (!row) return;
    this.seen.unobserve(row.element);
    const given = givenOf(row.member), drawing = new Drawing(head(row).name, this.palette);
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
      h("button", { type: "button", title: `Compare with ${title(a)}`, onclick: () => this.onopen(givenOf(member), a.id) }, a.id, " ", h("b", {}, far(a)))),
      more > 0 ? `and ${more.toLocaleString("en")} more` : found?.answers.length === 0 ? "nothing" : "");
  }

  // tell puts the rows in order.
  private tell(): void {
    const cells = heads(this.head, Object.keys(columns).map((key) => ({ key, title: key })), this.order, (order) => {
      this.order = order;
      this.tell();
    });
    this.head.replaceChildren(cells[0], h("th", { scope: "col" }, "structure"), ...cells.slice(1));
    this.body.replaceChildren(...this.inOrder.map((r) => r.element));
  }

  private get inOrder(): Row[] {
    return [...this.rows].sort(ordering(columns[this.order.key], this.order.down));
  }

  private takeAway(button: HTMLElement): void {
    const lines = () => this.rows.flatMap(({ member, found, problem }) => (found ? found.answers.map((a, i) => [member.name, member.query, i + 1, a.id, a.name, a.smiles, a.predicted, a.lower, a.upper, found.status]) : [[member.name, member.query, "", "", "", "", "", "", "", problem ?? "not asked"]]));
    const file = (name: string, kind: string, make: () => string) => () => save(new Blob([make()], { type: kind }), name);
    openMenu([
      ...(this.view < 0 ? [] : [{ text: "This matrix as CSV", act: file("distances.csv", "text/csv", () => this.matrix.csv()) }]),
      { text: "CSV", act: file("queries.csv", "text/csv", () => tabular(["query", "asked", "rank", "id", "name", "smiles", "predicted", "lower", "upper", "status"], lines())) },
      { text: "JSON", act: file("queries.json", "application/json", () => JSON.stringify(this.rows.map(({ member, found, problem }) => ({ ...member, found, problem })), null, 1)) },
      { text: "This search, to open again", act: () => saveSearch(location.hash) },
    ], button);
  }
}

// head is how a query is called.
const head = ({ at, member }: Pick<Row, "at" | "member">) => ({ name: member.name || `query ${at + 1}`, about: member.name || member.query });

// columns are what queries are sorted by.
const columns: Record<string, (r: Row) => unknown> = {
  "#": (r) => r.at, query: (r) => r.member.name, nearest: (r) => r.found && r.found.answers[0] && size(r.found.answers[0]), "answers are": (r) => r.problem ?? r.found?.status,
};

// size is what an answer is sorted by.
const size = (a: Answer) => a.size?.nodes ?? a.upper ?? a.predicted;

const far = (a: Answer) => (a.size ? String(a.size.nodes) : a.upper === undefined ? `≈ ${number(a.predicted ?? 0)}` : between(a));
