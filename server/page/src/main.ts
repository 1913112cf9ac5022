import * as api from "./api";
import { Palette } from "./colours";
import { Controls } from "./controls";
import { byId, h } from "./dom";
import { Drawing } from "./draw";
import { molecules } from "./examples";
import { QueryInput, queryOf } from "./input";
import { MapView } from "./mapview";
import { type Asked, Results, summary, warnings } from "./results";
import { sceneOf } from "./scenes";
import type { Scene } from "./scene";
import { copy, curl, save } from "./share";
import { follow } from "./stages";
import { type State, fromHash, initial, replaced, toHash } from "./state";
import type { Found } from "./types";

const palette = new Palette();
const queryDrawing = new Drawing("The query", palette);
const input = new QueryInput(palette);
const results = new Results(palette, queryDrawing);
const controls = new Controls();
const map = new MapView();
const collections = byId<HTMLSelectElement>("collection");
const status = byId("status");
const problem = byId("problem");

let state: State = { ...initial };
let running = new AbortController();
let preview = new AbortController();
let asked: Asked | null = null;
let budget = 0; // seconds for the search on show, 0 if it has the usual time
let info: api.Info | null = null;
const legend = new Set<string>(); // labels on show

byId("query").prepend(queryDrawing.element);

controls.onchange = () => {
  controls.read(state);
  if (state.query) void search();
};
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
  asked = null;
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

results.ondraw = explain;

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
  opened().then(() => (state.query ? search(true) : undefined)).catch(complain);
});

// The search

function requestOf(): api.SearchRequest {
  const request: api.SearchRequest = { query: queryOf(state)!, task: state.task, mode: state.mode };
  if (state.k > 0) request.k = state.k;
  else request.radius = state.radius;
  if (state.mode !== "predicted") request.explain = true;
  if (budget > 0) request.budget = `${budget}s`;
  return request;
}

// search runs the search that state says. An address that was opened is completed,
// not followed by another.
async function search(fromAddress = false, seconds = 0): Promise<void> {
  preview.abort();
  forget();
  budget = seconds;
  const { signal } = (running = new AbortController());
  byId("welcome").hidden = true;
  document.body.classList.add("busy");
  try {
    await opened();
    if (!names.includes(state.collection)) throw noCollection();
    if (info?.name !== state.collection) await openCollection();
    const address = toHash(state);
    if (fromAddress) history.replaceState(null, "", address);
    else if (address !== location.hash) history.pushState(null, "", address);
    const query = await showQuery(signal);
    if (!query || signal.aborted) return;
    const name = state.kind === "smiles" ? state.query : "Query";
    await answer({ ...query, collection: state.collection, request: requestOf(), name, given: state.query }, signal);
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

// answer follows a search from its predictions to its outcome.
async function answer(now: Asked, signal: AbortSignal): Promise<void> {
  const bar = byId<HTMLProgressElement>("progress-bar"), text = byId("progress-text");
  const count = (n: number) => n.toLocaleString("en");
  bar.removeAttribute("value");
  text.textContent = "computing distances";
  asked = now;
  results.begin(now, state.selected);
  const modelled = info!.models.some((m) => m.task === state.task);
  byId("progress").hidden = state.mode === "predicted";
  await follow(now.collection, now.request, modelled, signal, {
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
      results.show(found.answers, true);
      told(found);
      mark(now, signal);
    },
  });
}

// told says what the answers are.
function told(found: Found): void {
  status.textContent = summary(found, info!.graphs, asked!.request.radius);
  const remarks = warnings(found);
  if (remarks) status.append(remarks);
  byId("actions").hidden = false;
  byId("more").hidden = found.status !== "open" || spent() >= info!.max_budget;
}

// The time that a proof has where it is not said, in seconds.
const usual = 10;
const spent = () => budget || usual;

byId("more").addEventListener("click", () => void search(false, Math.min(spent() + 10, info!.max_budget)));

byId("cancel").addEventListener("click", () => {
  running.abort();
  settle();
  status.textContent = results.ids.length ? "Cancelled. The best so far; nothing of it is proven." : "Cancelled.";
  byId("actions").hidden = results.ids.length === 0;
  byId("more").hidden = spent() >= info!.max_budget;
});

// mark shows the answers on the map. They do without.
function mark(now: Asked, signal: AbortSignal): void {
  map.show(info!, state.task).then(() => map.mark(now, results.ids, signal)).catch(() => {});
}

results.onselect = (id) => {
  state.selected = id;
  history.replaceState(null, "", toHash(state));
};
results.onpoint = (id) => map.highlight(id);
map.onpick = (id) => results.pick(id);

// What can be taken away

const button = (id: string, act: (b: HTMLButtonElement) => void) => {
  const b = byId<HTMLButtonElement>(id);
  b.addEventListener("click", () => act(b));
};
const searchPath = () => `/v1/collections/${encodeURIComponent(state.collection)}/search`;
button("share", (b) => void copy(b, location.href));
button("curl", (b) => asked && void copy(b, curl(searchPath(), asked.request)));
const file = (accept: string, name: string) => () => {
  if (!asked) return;
  api.download(asked.collection, asked.request, accept).then((blob) => save(blob, name), complain);
};
button("csv", file("text/csv", "answers.csv"));
button("sdf", file("chemical/x-mdl-sdfile", "answers.sdf"));

// The start

async function openCollection(): Promise<void> {
  info = await api.info(state.collection);
  byId("size").textContent = `${info.graphs.toLocaleString("en")} graphs`;
  byId("examples").hidden = !info.molecules;
  void map.show(info, state.task);
}

collections.addEventListener("change", () => {
  state.collection = collections.value;
  if (state.query) void search();
  else openCollection().catch(complain);
});

byId("examples").append(...molecules.map((e) => h("button", { type: "button", title: e.about, onclick: () => {
  Object.assign(state, e.state, { selected: "" });
  controls.show(state);
  input.set(state);
  void search();
} }, e.name)));

function load(): void {
  state = { ...fromHash(location.hash), collection: fromHash(location.hash).collection || state.collection };
  collections.value = state.collection;
  controls.show(state);
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

let names: string[] = []; // of the collections

// noCollection is what a link to a collection that there is not comes to: the
// answers of another would not be what it promised.
const noCollection = () => new Error(`There is no collection ${state.collection} here. Choose one.`);

async function start(): Promise<void> {
  names = (await api.collections()).map((c) => c.name);
  collections.replaceChildren(...names.map((n) => h("option", { value: n }, n)));
  state.collection ||= names[0] ?? "";
  const known = names.includes(state.collection);
  collections.disabled = known && names.length < 2;
  collections.value = state.collection; // none if it is not known
  if (known) await openCollection();
  else complain(noCollection());
}

// opened waits until the collections are known. If the service did not answer,
// the next search asks again.
let started: Promise<void> | null = null;
function opened(): Promise<void> {
  return (started ??= start().catch((e) => {
    started = null;
    throw e;
  }));
}

opened().catch(complain);
load();
