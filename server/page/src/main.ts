import * as api from "./api";
import { Collections } from "./collections";
import { Palette } from "./colours";
import { Controls } from "./controls";
import { byId, h } from "./dom";
import { Drawing } from "./draw";
import { molecules } from "./examples";
import { Filters } from "./filters";
import { finds, requestOf } from "./find";
import { QueryInput, dragged, queryOf } from "./input";
import { MapView } from "./mapview";
import { summary, warnings } from "./outcome";
import { lost } from "./refusal";
import { type Asked, Results } from "./results";
import { sceneOf } from "./scenes";
import type { Scene } from "./scene";
import { SortBox } from "./sortbox";
import { follow } from "./stages";
import { type State, fromHash, initial, replaced, toHash } from "./state";
import { TakeAway } from "./takeaway";
import type { Answer, Found } from "./types";

const palette = new Palette();
const queryDrawing = new Drawing("The query", palette);
const input = new QueryInput(palette);
const results = new Results(palette, queryDrawing);
const controls = new Controls();
const filters = new Filters();
const sort = new SortBox();
const map = new MapView(palette);
const collections = new Collections();
const status = byId("status");
const problem = byId("problem");

let state: State = { ...initial };
let running = new AbortController();
let preview = new AbortController();
let asked: Asked | null = null;
let budget = 0; // seconds for the search on show, 0 if it has the usual time
let info: api.Info | null = null;
let outcome: Found | null = null; // of the search on show
const legend = new Set<string>(); // labels on show

byId("query").prepend(queryDrawing.element);

controls.onchange = filters.onchange = () => {
  controls.read(state);
  filters.read(state);
  if (state.query) void search();
};
sort.onchange = (order) => results.sort(order);
byId("form").addEventListener("submit", (e) => {
  e.preventDefault();
  void submit();
});
input.onsearch = () => void submit();
input.onchange = (given) => {
  Object.assign(state, given);
  if (asked && asked.given !== given.query) forget();
  preview.abort();
  preview = new AbortController();
  showQuery(preview.signal).catch(complain);
};

async function submit(): Promise<void> {
  controls.read(state);
  if (!(await input.read())) {
    forget();
    if (!byId("text-error").textContent) input.complain("Paste a SMILES or a graph first, or choose an example.");
    return;
  }
  state.selected = "";
  // On a phone the answers are below the form.
  if (matchMedia("(max-width: 860px)").matches) byId("answers").scrollIntoView({ behavior: "smooth" });
  await search();
}

// The query

// showQuery draws the query as the service reads it. It returns null, and says
// why beside it, if the service cannot read it.
async function showQuery(signal: AbortSignal): Promise<Pick<Asked, "graph" | "scene"> | null> {
  const figure = byId("query");
  if (!state.query) {
    figure.hidden = true;
    return null;
  }
  try {
    const query = queryOf(state);
    if (!query) throw new api.Problem(400, "The address holds no graph: copy the link again.");
    const { smiles, graph } = await api.parse(query, signal);
    const written = state.kind === "smiles" ? smiles ?? state.query : undefined;
    const scene = await sceneOf(written, graph);
    if (signal.aborted || !scene) return null;
    figure.hidden = false;
    queryDrawing.show(scene);
    const [node, edge] = scene.molecule ? ["atoms", "bonds"] : ["nodes", "edges"];
    byId("query-size").textContent = `${graph.nodes.length} ${node}, ${graph.edges.length} ${edge}`;
    byId("query-lost").textContent = state.kind === "smiles" ? lost(state.query, graph.nodes.map((n) => n.label)) : "";
    legend.clear();
    explain(scene);
    return { graph, scene };
  } catch (e) {
    if (signal.aborted) return null;
    const status = e instanceof api.Problem ? e.status : 0;
    if (status !== 400 && status !== 422) throw e;
    forget();
    input.complain((e as Error).message);
    return null;
  }
}

// forget takes everything of the search before off the page: no answer stays
// under another query.
function forget(): void {
  running.abort();
  document.body.classList.remove("busy");
  asked = outcome = null;
  results.clear();
  status.textContent = "";
  problem.hidden = byId("token-form").hidden = true;
  byId("actions").hidden = byId("progress").hidden = byId("more").hidden = true;
}

// explain adds the labels of a graph that is no molecule to the legend.
function explain(scene: Scene): void {
  if (!scene.molecule) scene.nodes.forEach((n) => legend.add(n.label));
  byId("labels").replaceChildren(...[...legend].slice(0, 12).map((l) => h("span", { className: `key ${palette.className(l)}` }, l)));
}

results.figures.ondraw = explain;

// complain says what went wrong, with the id by which the service's log knows it,
// and asks for a token if that is it.
function complain(e: unknown): void {
  const request = e instanceof api.Problem && e.request ? ` (request ${e.request})` : "";
  problem.textContent = (e as Error).message + request;
  problem.hidden = false;
  byId("token-form").hidden = !(e instanceof api.Problem && e.status === 401);
}

byId("token-form").addEventListener("submit", (e) => {
  e.preventDefault();
  const field = byId<HTMLInputElement>("token");
  api.setToken(field.value);
  field.value = "";
  byId("token-form").hidden = problem.hidden = true;
  start().then(() => (state.query ? search(true) : undefined)).catch(complain);
});

// The search

// search runs the search that state says. An address that was opened is completed,
// not followed by another.
async function search(fromAddress = false): Promise<void> {
  preview.abort();
  forget();
  budget = 0;
  const { signal } = (running = new AbortController());
  byId("welcome").hidden = true;
  document.body.classList.add("busy");
  await ending(signal, async () => {
    await collections.opened();
    state.collection ||= collections.first;
    openCollection();
    const address = toHash(state);
    if (fromAddress) history.replaceState(null, "", address);
    else if (address !== location.hash) history.pushState(null, "", address);
    const [query] = await Promise.all([showQuery(signal), attributes]);
    if (!query || signal.aborted) return;
    const name = state.kind === "smiles" ? state.query : "Query";
    const request = requestOf({ ...state, show: filters.names }, queryOf(state)!, 0);
    asked = { ...query, collection: state.collection, find: state.find, request, name, given: state.query };
    results.begin(asked, state.selected);
    sort.offer(filters.names);
    await answer(asked, [], signal);
  });
}

// goOn gives the search on show more time. What it has found stays.
async function goOn(seconds: number): Promise<void> {
  if (!asked) return;
  running.abort();
  const { signal } = (running = new AbortController());
  budget = seconds;
  asked.request.budget = `${seconds}s`;
  byId("more").hidden = problem.hidden = true;
  document.body.classList.add("busy");
  const before = asked.request.mode === "predicted" ? [] : results.inOrder;
  status.textContent = "The best so far stay while the search goes on.";
  await ending(signal, () => answer(asked!, before, signal));
}

// ending says how a search ended if it failed.
async function ending(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (e) {
    if (signal.aborted) return;
    byId("actions").hidden = results.ids.length === 0;
    status.textContent = results.ids.length ? "What was found before it ended; nothing of it is proven." : "";
    complain(e);
  } finally {
    if (!signal.aborted) settle();
  }
}

// settle ends what shows that a search goes on.
function settle(): void {
  document.body.classList.remove("busy");
  byId("progress").hidden = true;
}

// answer follows a search from its predictions, or from what was known before, to its
// outcome.
async function answer(now: Asked, before: Answer[], signal: AbortSignal): Promise<void> {
  const bar = byId<HTMLProgressElement>("progress-bar"), text = byId("progress-text");
  const count = (n: number) => n.toLocaleString("en");
  bar.removeAttribute("value");
  text.textContent = "computing distances";
  const { task, modelled } = finds[now.find];
  const predict = modelled && info!.models.some((m) => m.task === task);
  byId("progress").hidden = now.request.mode === "predicted";
  await follow({ collection: now.collection, find: now.find, request: now.request, predict, before }, signal, {
    predicted(found) {
      results.show(found.answers, false);
      status.textContent = "Predicted by a model; distances follow.";
      mark(now, signal);
    },
    checking(line, answers) {
      bar.max = line.candidates ?? 1;
      bar.value = line.verified ?? 0;
      text.textContent = `${count(line.verified ?? 0)} of ${count(line.candidates ?? 0)} looked at`;
      if (!answers) return;
      results.show(answers, false);
      status.textContent = "The best so far; those in grey are predicted. Nothing is proven yet.";
    },
    done(found) {
      settle();
      outcome = found;
      results.show(found.answers, true);
      told(found);
      mark(now, signal);
    },
  });
}

// told says what the answers are.
function told(found: Found): void {
  status.textContent = summary(asked!.find, found, info!.graphs, asked!.request.radius);
  const remarks = warnings(found);
  if (remarks) status.append(remarks);
  byId("actions").hidden = false;
  byId("more").hidden = found.status !== "open" || spent() >= info!.max_budget;
}

// The time that a proof has where it is not said, in seconds.
const usual = 10;
const spent = () => budget || usual;

byId("more").addEventListener("click", () => void goOn(Math.min(spent() + 10, info!.max_budget)));

byId("cancel").addEventListener("click", () => {
  running.abort();
  settle();
  status.textContent = results.ids.length ? "Cancelled. The best so far; nothing of it is proven." : "Cancelled.";
  byId("actions").hidden = results.ids.length === 0;
  byId("more").hidden = spent() >= info!.max_budget;
});

// mark shows the answers on the map. They do without.
function mark(now: Asked, signal: AbortSignal): void {
  map.show(info!, now.request.task).then(() => map.mark(now, results.ids, signal)).catch(() => {});
}

results.onselect = (id) => {
  state.selected = id;
  history.replaceState(null, "", toHash(state));
};
results.onpoint = (id) => map.highlight(id);
map.onpick = (id) => {
  if (results.pick(id)) return;
  // With a query it is compared, if the distance is one that can be asked for.
  if (asked && !asked.listed && finds[asked.find].modelled) results.add(id);
  else list([id]);
};
map.onlist = (ids) => list(ids);
byId("cards").addEventListener("dragstart", (e) => {
  const card = (e.target as Element).closest<HTMLElement>(".card");
  if (card) e.dataTransfer?.setData(dragged, card.dataset.id!);
});

// list shows graphs that were chosen on the map, of which nothing is asked.
function list(ids: string[]): void {
  forget();
  running = new AbortController();
  byId("welcome").hidden = true;
  const scene: Scene = { molecule: info!.molecules, directed: info!.directed, nodes: [], edges: [], rings: [] };
  const request: api.SearchRequest = { query: {}, task: "ged" };
  asked = { collection: info!.name, find: "similar", request, graph: { directed: info!.directed, nodes: [], edges: [] }, scene, name: "", given: state.query, listed: true };
  results.begin(asked, "");
  sort.offer([]);
  results.show(ids.map((id) => ({ id, exact: false })), true);
  status.textContent = `${ids.length.toLocaleString("en")} ${ids.length === 1 ? "graph" : "graphs"} chosen on the map. Search from any of them by its menu.`;
  byId("actions").hidden = false;
}

const take = new TakeAway(results, () => ({ found: outcome, link: info?.link, attributes: filters.names, molecules: info?.molecules ?? false }));
take.oncomplain = complain;
take.onsearch = (id) => {
  scrollTo({ top: 0 });
  void input.use(id);
};

// The start

// attributes is settled when those of the collection are known, or take too long: those
// of a large collection take a while.
let attributes: Promise<unknown> = Promise.resolve();

// openCollection shows the collection that state says. It throws if there is none.
function openCollection(): void {
  collections.show(state.collection);
  if (info?.name === state.collection) return;
  info = collections.find(state.collection);
  byId("size").textContent = `${info.graphs.toLocaleString("en")} graphs`;
  byId("examples").hidden = !info.molecules;
  byId("tab-draw").hidden = !info.molecules;
  input.open(info);
  attributes = Promise.race([filters.open(info.name).then(() => map.offer(filters.all)).catch(() => {}), new Promise((soon) => setTimeout(soon, 500))]);
  // A map is large: the first answers come before it.
  if (!state.query) void map.show(info, finds[state.find].task);
}

collections.onchange = (name) => {
  state.collection = name;
  state.filters = [];
  state.show = null;
  filters.show(state);
  if (state.query) void search();
  else start().catch(complain);
};

byId("examples").append(...molecules.map((e) => h("button", { type: "button", title: e.about, onclick: () => {
  Object.assign(state, e.state, { selected: "" });
  controls.show(state);
  input.set(state);
  void search();
} }, e.name)));

function load(): void {
  state = { ...fromHash(location.hash), collection: fromHash(location.hash).collection || state.collection };
  collections.show(state.collection);
  controls.show(state);
  filters.show(state);
  input.set(state);
  const remark = replaced(location.hash);
  const opening = state.query ? search(true) : Promise.resolve(forget());
  const mine = running;
  void opening.then(() => remark && running === mine && problem.hidden && complain(new Error(remark)));
}

byId("skip").addEventListener("click", (e) => {
  e.preventDefault();
  byId("answers").focus();
});
addEventListener("popstate", load);

async function start(): Promise<void> {
  await collections.opened();
  state.collection ||= collections.first;
  openCollection();
}

load();
start().catch(complain);
