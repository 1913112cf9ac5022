import * as api from "./api";
import { number } from "./cards";
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
import { type State, fromHash, initial, toHash } from "./state";
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
  preview.abort();
  preview = new AbortController();
  showQuery(preview.signal).catch(complain);
};

async function submit(): Promise<void> {
  controls.read(state);
  if (!(await input.read())) {
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
    input.complain((e as Error).message);
    return null;
  }
}

// explain adds the labels of a graph that is no molecule to the legend.
function explain(scene: Scene): void {
  if (!scene.molecule) scene.nodes.forEach((n) => legend.add(n.label));
  byId("labels").replaceChildren(...[...legend].slice(0, 24).map((l) => h("span", { className: `key ${palette.className(l)}` }, l)));
}

results.ondraw = explain;

// complain says what went wrong, and asks for a token if that is it.
function complain(e: unknown): void {
  problem.textContent = (e as Error).message;
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
  const request: api.SearchRequest = { query: queryOf(state)!, task: state.task };
  if (state.k > 0) request.k = state.k;
  else request.radius = state.radius;
  if (state.certify) request.certify = request.explain = true;
  return request;
}

// search runs the search that state says. An address that was opened is completed,
// not followed by another.
async function search(fromAddress = false): Promise<void> {
  running.abort();
  preview.abort();
  const { signal } = (running = new AbortController());
  byId("welcome").hidden = true;
  problem.hidden = byId("token-form").hidden = true;
  document.body.classList.add("busy");
  try {
    await opened();
    if (info!.name !== state.collection) await openCollection();
    const address = toHash(state);
    if (fromAddress) history.replaceState(null, "", address);
    else if (address !== location.hash) history.pushState(null, "", address);
    const query = await showQuery(signal);
    if (!query || signal.aborted) return;
    const request = requestOf();
    const name = state.kind === "smiles" ? state.query : "Query";
    const now: Asked = { ...query, collection: state.collection, request, name };
    const found = await (state.certify ? certified(request, signal) : api.search(state.collection, request, signal));
    if (signal.aborted || !found) return;
    asked = now;
    show(now, found);
  } catch (e) {
    if (signal.aborted) return;
    results.clear();
    byId("actions").hidden = true;
    status.textContent = "";
    complain(e);
  } finally {
    if (!signal.aborted) document.body.classList.remove("busy");
    byId("progress").hidden = true;
  }
}

// certified follows a search whose answers are proven.
async function certified(request: api.SearchRequest, signal: AbortSignal): Promise<Found | null> {
  const bar = byId<HTMLProgressElement>("progress-bar"), text = byId("progress-text");
  byId("progress").hidden = false;
  bar.removeAttribute("value");
  text.textContent = "proving";
  let found: Found | null = null;
  await api.stream(state.collection, request, signal, (line) => {
    if (line.found) found = line.found;
    if (line.candidates) {
      bar.max = line.candidates;
      bar.value = line.verified ?? 0;
      const last = line.checked ? `; ${line.checked.id} lies from ${number(line.checked.lower)} to ${number(line.checked.upper)}` : "";
      text.textContent = `${(line.verified ?? 0).toLocaleString("en")} of ${line.candidates.toLocaleString("en")} verified${last}`;
    }
  });
  return found;
}

function show(now: Asked, found: Found): void {
  results.show(now, found, state.selected);
  const { radius } = now.request;
  status.textContent = found.answers.length === 0 && radius !== undefined
    ? `Nothing within ${radius}. Ask for a larger distance, or for the nearest.`
    : summary(found, info!.graphs);
  const remarks = warnings(found);
  if (remarks) status.append(remarks);
  byId("actions").hidden = false;
  const { signal } = running;
  map.show(info!, state.task).then(() => map.mark(now, results.ids, signal)).catch(() => {}); // answers do without
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
  if (state.query) void search(true);
}

byId("skip").addEventListener("click", (e) => {
  e.preventDefault();
  byId("answers").focus();
});
addEventListener("popstate", load);

async function start(): Promise<void> {
  const names = (await api.collections()).map((c) => c.name);
  collections.replaceChildren(...names.map((n) => h("option", { value: n }, n)));
  collections.disabled = names.length < 2;
  if (!names.includes(state.collection)) state.collection = names[0] ?? "";
  collections.value = state.collection;
  await openCollection();
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
