import * as api from "./api";
import type { Batch } from "./batch";
import type { Cliffs } from "./cliffs";
import { Collections } from "./collections";
import { Palette } from "./colours";
import { Common } from "./common";
import { Controls } from "./controls";
import { byId, h } from "./dom";
import { molecules } from "./examples";
import { Filters } from "./filters";
import { finds, offered } from "./find";
import type { Sar } from "./sar";
import { QueryInput, dragged, queryOf } from "./input";
import { MapView } from "./mapview";
import { Nothing } from "./nothing";
import { printing } from "./print";
import { QueryView } from "./queryview";
import { requestOf } from "./request";
import { Results } from "./results";
import { Search } from "./search";
import { rove } from "./roving";
import { warm } from "./scenes";
import { SortBox } from "./sortbox";
import { notes, tellQuestion } from "./outcome";
import { type Core, type Near, type State, asks, fromHash, initial, replaced, toHash } from "./state";
import { Table } from "./table";
import { TakeAway } from "./takeaway";
import { count, time } from "./text";
import { complain, complains, onToken } from "./trouble";

const palette = new Palette();
const collections = new Collections();
const query = new QueryView(palette, async (name) => {
  await collections.opened().catch(() => {});
  return collections.all.find((c) => c.name === (name || collections.first))?.compared ?? [];
});
const input = new QueryInput(palette, async () => (await start(), info!));
const results = new Results(palette, query.drawing);
const controls = new Controls();
const filters = new Filters();
const sort = new SortBox();
const common = new Common();
const map = new MapView(palette);
const table = new Table(palette);
const nothing = new Nothing();
let batch: Batch | null = null; // once many queries were asked
let cliffs: Cliffs | null = null; // once near pairs were
let sar: Sar | null = null; // once a series was
const search = new Search(results, map, () => info!);
search.onnothing = () => (search.outcome?.stats?.graphs === 0 && state.filters.length === 0 ? nothing.empty(info!) : nothing.none(state, info!, search.outcome?.status === "proven"));
search.onunknown = () => nothing.unknown(state);
search.onchanged = () => {
  collections.forget();
  collections.opened().then(() => sizeUp(collections.find(info!.name))).catch(() => {});
};
search.onlost = () => {
  collections.forget();
  filters.forget();
  lost = true;
};
search.onforget = () => {
  nothing.hide();
  batch?.hide();
  cliffs?.hide();
  sar?.hide();
  if (welcome.classList.contains("example")) welcome.hidden = true;
};

let state: State = { ...initial };
let preview = new AbortController();
let info: api.Info | null = null;
let bringing = false; // the first answers that come are to be brought into view
let lost = false; // it may be of a collection that there is no more

// What is asked

controls.onchange = filters.onchange = () => {
  controls.read(state);
  filters.read(state);
  if (state.query || state.many.length) ask();
};
nothing.count = async (other) => {
  const request = { ...requestOf(other, queryOf(other)!, info!), mode: "proven" as const, recall: undefined, explain: undefined, show: undefined, limit: 1, time_limit: "3s" };
  const { status, total, answers } = await api.search(other.collection, request, search.signal);
  return status === "proven" ? total ?? answers.length : null;
};
controls.onmove = (name) => {
  collections.show(name);
  collections.onchange(name);
};
nothing.onask = (change) => {
  ask(change);
  controls.show(state);
  filters.show(state);
};
byId("form").addEventListener("submit", (e) => {
  e.preventDefault();
  void submit();
});
input.onsearch = () => void submit();
input.onmany = (many) => ask({ kind: "smiles", query: "", many });
input.onsaved = (address) => {
  history.pushState(null, "", address);
  load();
};
input.onchange = (given) => {
  Object.assign(state, given);
  controls.fit(state);
  controls.read(state);
  if (given.query) state.many = [];
  if (search.asked && search.asked.given !== given.query) search.forget();
  preview.abort();
  const { signal } = (preview = new AbortController());
  known().then(() => query.show(state, signal)).catch(complain);
};
query.onrefused = (message) => {
  const asked = document.body.classList.contains("busy");
  search.forget();
  // The service tells a SMARTS from a SMILES that is wrong. It is another question: whoever asks says so.
  const pattern = state.kind === "smiles" && info?.molecules !== false && message.includes("this is a SMARTS pattern");
  input.complain(message, ...(pattern ? [h("button", { type: "button", className: "link", onclick: () => asPattern(asked) }, "Take it as a SMARTS pattern")] : []));
};

// asPattern makes a pattern of the text that was given, and searches for it if that was wanted.
function asPattern(search: boolean): void {
  const given = { kind: "smarts", query: state.query } as const;
  input.set(given);
  input.onchange(given);
  if (search) ask();
}
results.figures.ondraw = (scene) => query.explain(scene);
results.onfail = complain;

async function submit(): Promise<void> {
  controls.read(state);
  const read = await input.read();
  if (read === "other") return;
  if (read === "nothing" && state.many.length && !byId("text-error").textContent) return ask();
  if (read === "nothing") {
    search.forget();
    if (!byId("text-error").textContent) input.complain("Paste a SMILES or a graph first, or choose an example.");
    return;
  }
  // On a phone the answers are below the form; they are brought into view when they are there.
  bringing = matchMedia("(max-width: 860px)").matches;
  ask();
}

// ask begins another search.
function ask(change: Partial<State> = {}): void {
  Object.assign(state, { list: [], near: null, core: null, selected: "" }, change);
  if (state.query) state.many = [];
  void run();
}

// run carries out the search that state says, or shows its list. An address that was opened is completed,
// not followed by another; what nobody asked for has none.
async function run(address: "new" | "opened" | "none" = "new"): Promise<void> {
  preview.abort();
  controls.fit(state);
  const signal = search.open();
  await search.carryOut(signal, async () => {
    if (!state.collection) await known();
    // Over a slow network each question after another takes long.
    const showing = state.list.length || state.near || state.core || !state.query ? Promise.resolve(null) : query.show(state, signal);
    showing.catch(() => {});
    if (!collections.known && state.collection) filters.ask(state.collection);
    await collections.opened();
    if (signal.aborted) return;
    openCollection();
    const to = toHash(state);
    if (address === "opened") history.replaceState(null, "", to);
    else if (address === "new" && to !== location.hash) history.pushState(null, "", to);
    if (state.list.length) return list(state.list, signal);
    if (state.near) return pairs(state.near, signal);
    if (state.core) return series(state.core, signal);
    if (!state.query && state.many.length) return queries(signal);
    const [shown] = await Promise.all([showing, attributes]);
    if (!shown || signal.aborted) return;
    const name = state.kind === "graph" ? "Query" : state.query;
    const request = requestOf({ ...state, show: filters.names }, queryOf(state)!, info!);
    const asked = { ...shown, collection: state.collection, find: state.find, request, name, given: state.query };
    results.begin(asked, state.selected);
    sort.offer(filters.names, state.find, info!.molecules);
    await search.answer(asked, [], signal);
  });
}

// What is answered

const asTable = byId("as-table");
results.onchange = () => {
  const { current } = results;
  if (bringing && current && results.onPage.length) {
    bringing = false;
    // The drawing of the query, above them, has its place by then.
    requestAnimationFrame(() => byId("answers").scrollIntoView());
  }
  if (!results.restricted) common.offer(current && search.outcome ? results.inOrder : [], current?.scene ?? null);
  if (!table.open || !current) return;
  const lines = results.inOrder.map((answer, i) => ({ rank: i + 1, answer, group: results.groupOf(answer) }));
  table.show({ collection: current.collection, lines, total: results.restricted ? lines.length : results.total, whole: () => results.whole(), molecules: info!.molecules, attributes: filters.names });
};
asTable.addEventListener("click", () => tabulate(!table.open));
function tabulate(on: boolean): void {
  table.toggle(on);
  asTable.setAttribute("aria-pressed", String(on));
  results.onchange();
  if (on) results.whole().catch(complain);
}
table.onselect = (ids) => {
  state.picks = ids;
  history.replaceState(null, "", toHash(state));
};
table.onpick = (id) => void results.pick(id);
table.oncomplain = complain;
common.onchange = (only, grouped) => results.restrict(only, grouped);
sort.onchange = (order) => results.sort(order);
results.onselect = (id) => {
  state.selected = id;
  history.replaceState(null, "", toHash(state));
};
results.onpoint = (id) => map.highlight(id);
map.onpick = (id) => {
  if (results.pick(id)) return;
  // With a query it is compared, if the distance is one that can be asked for.
  const { asked } = search;
  if (asked && !asked.listed && finds[asked.find].modelled) results.add(id);
  else ask({ list: [id] });
};
map.onlist = (ids) => ask({ list: ids });

// list shows graphs that were chosen on the map.
function list(ids: string[], signal: AbortSignal): void {
  const { molecules, directed, name } = info!;
  const scene = { molecule: molecules, directed, nodes: [], edges: [], rings: [] };
  sort.offer([], "similar");
  if (!signal.aborted) search.list({
    collection: name, find: "similar", request: { query: {}, task: "ged" }, graph: { directed, nodes: [], edges: [] }, scene, name: "", given: state.query, listed: true,
  }, ids, state.selected);
  map.show(info!, "ged").catch(() => {});
}

// queries searches for many graphs, one after the other.
async function queries(signal: AbortSignal): Promise<void> {
  const { query: _, ...request } = requestOf(state, {}, info!);
  if (!batch) {
    const { Batch } = await import("./batch");
    batch ??= new Batch(palette);
  }
  batch.onmore = () => void run("opened");
  batch.onopen = (given, selected) => {
    ask({ ...given, selected });
    input.set(state);
  };
  if (signal.aborted) return;
  const bar = byId<HTMLProgressElement>("progress-bar");
  byId("progress").hidden = false;
  bar.max = state.many.length;
  await batch.run(state.many, info!, request, state.find, signal, (done) => {
    bar.value = done;
    byId("progress-text").textContent = `${count(done)} of ${count(state.many.length)} queries`;
  });
  if (!signal.aborted) byId("status").textContent = batch.summary;
}

// pairs shows what the near pairs of the collection mean for an attribute.
async function pairs(near: Near, signal: AbortSignal): Promise<void> {
  const { Cliffs, summaryOfPairs } = await import("./cliffs");
  cliffs ??= new Cliffs(palette);
  cliffs.onask = (near) => ask({ near });
  await attributes;
  if (signal.aborted) return;
  byId("progress").hidden = false;
  byId("progress-bar").removeAttribute("value");
  byId("progress-text").textContent = "comparing pairs";
  const found = await cliffs.run(near, info!, filters.numbers, requestOf({ ...state, find: "similar" }, {}, info!), signal);
  if (signal.aborted) return;
  byId("status").textContent = summaryOfPairs(found);
  tellQuestion(found);
}

// series takes the molecules apart that have a core.
async function series(core: Core, signal: AbortSignal): Promise<void> {
  const { Sar } = await import("./sar");
  sar ??= new Sar(palette);
  sar.onask = (core) => ask({ core });
  sar.oncomplain = complain;
  await attributes;
  if (signal.aborted) return;
  sar.open(core, info!);
  if (!core.text) return;
  byId("progress").hidden = false;
  byId("progress-bar").removeAttribute("value");
  byId("progress-text").textContent = "taking molecules apart";
  const found = await sar.run(filters.all, state.filters, signal);
  if (signal.aborted) return;
  byId("status").textContent = `${found.verdict}; in ${time(found.seconds)}`;
  const remarks = notes(found);
  if (remarks) byId("status").append(remarks);
}

// The core is what was asked for last, unless that was another kind of graph.
for (const id of ["open-sar", "as-sar"]) byId(id).addEventListener("click", () => ask({ core: { text: state.kind === "graph" ? "" : state.query, smarts: state.kind === "smarts", radius: 0, marked: false } }));
byId("open-cliffs").addEventListener("click", () => ask({ near: { attribute: filters.numbers[0] ?? "", radius: 2 } }));
byId("create").addEventListener("click", () => void import("./create").then(({ create }) => create()));

byId("cards").addEventListener("dragstart", (e) => {
  const card = (e.target as Element).closest<HTMLElement>(".card");
  if (card) e.dataTransfer?.setData(dragged, card.dataset.id!);
});

const take = new TakeAway(results, () => ({ found: search.outcome, link: info?.link, attributes: filters.names, molecules: info?.molecules ?? false }));
take.oncomplain = complain;
take.onprint = printing([{ ready: () => results.figures.settled(results.onPage) }, table.printed]);
take.onsearch = (id) => {
  scrollTo({ top: 0 });
  void input.use(id);
};

// The start

// attributes is settled when those of the collection are known, or take too long: those
// of a large collection take a while.
let attributes: Promise<unknown> = Promise.resolve();

const welcome = byId("welcome"), usual = [...welcome.children].map((e) => e.textContent);

// openCollection shows the collection that state says. It throws if there is none.
function openCollection(): void {
  collections.show(state.collection);
  if (info?.name === state.collection && !lost) return;
  sizeUp(info = collections.find(state.collection));
  lost = false;
  const [title, about] = welcome.children;
  title.textContent = info.molecules ? usual[0] : "Paste a graph, build one, or drop a file.";
  about.textContent = info.models.length ? usual[1] : "An exact solver says how many edits apart the graphs are, which edits, and proves that no other is nearer.";
  byId("examples").hidden = !info.molecules;
  input.open(info);
  if (info.molecules) warm();
  controls.open(info, collections.all);
  if (info.space) { // the question may have been put to another collection, which can do more
    Object.assign(state, { find: offered(state.find, info) ? state.find : "similar", costs: "", unlabelled: false });
    controls.show(state);
  }
  attributes = Promise.race([filters.open(info.name).then(() => map.offer(filters.all)).catch(() => {}), new Promise((soon) => setTimeout(soon, 500))]);
  if (info.graphs === 0) nothing.empty(info);
  // A map is large: the first answers come before it.
  if (!asks(state)) void map.show(info, finds[state.find].task);
}

// sizeUp takes up how large the collection is.
function sizeUp(now: api.Info): void {
  info = now;
  collections.show(now.name);
  const { graphs, space } = now, what = space ? "product" : "graph";
  byId("size").textContent = `${count(graphs)} ${what}${graphs === 1 ? "" : "s"}`;
  byId("size").title = space ? `of ${count(space.reactions)} reactions and ${count(space.synthons)} synthons` : "";
  byId("open-cliffs").hidden = space !== undefined || graphs < 2;
  for (const id of ["open-sar", "as-sar"]) byId(id).hidden = !now.molecules || space !== undefined || graphs === 0;
}

collections.onchange = (name) => {
  state.collection = name;
  // Nothing of the collection before stays: its drawing of the query, its map, its words.
  search.forget();
  query.hide();
  map.hide();
  table.pick(state.picks = []); // the ids of another collection are others
  state.filters = [];
  state.show = null;
  filters.show(state);
  nothing.hide();
  if (state.query || state.many.length) ask();
  else start().catch(complain);
};

byId("examples").append(...molecules.map((e) => h("button", { type: "button", title: e.about, onclick: () => {
  ask(e.state);
  controls.show(state);
  input.set(state);
} }, e.name)));
rove(byId("examples"));

function load(): void {
  const given = fromHash(location.hash);
  if (given.collection && given.collection !== state.collection) table.pick([]);
  state = { ...given, collection: given.collection || state.collection };
  collections.show(state.collection);
  controls.show(state);
  filters.show(state);
  input.set(state);
  table.pick(state.picks);
  if (state.picks.length && !table.open) tabulate(true);
  const remark = replaced(location.hash);
  const opening = asks(state) ? run("opened") : Promise.resolve(search.forget());
  const mine = search.signal;
  void opening.then(() => remark && search.signal === mine && !complains() && complain(new Error(remark)));
}

onToken(() => start().then(() => (asks(state) ? run("opened") : undefined)).catch(complain));
byId("skip").addEventListener("click", (e) => {
  e.preventDefault();
  byId("answers").focus();
});
addEventListener("popstate", load);

async function start(): Promise<void> {
  await known();
  await collections.opened();
  openCollection();
}

// known waits until it is known in which collection is asked, where nothing says so: graphs are read
// by its rules.
async function known(): Promise<void> {
  if (state.collection) return;
  await collections.opened();
  state.collection ||= collections.first;
}

// example begins with a finished search where nothing was asked: what the page does is seen sooner than read.
function example(): void {
  if (location.hash || asks(state) || search.asked || byId<HTMLTextAreaElement>("text").value || !info?.molecules || info.graphs === 0) return;
  const [{ name, state: asked }] = molecules;
  Object.assign(state, asked);
  controls.show(state);
  input.set(state);
  void run("none");
  const [title, about] = welcome.children;
  title.textContent = `An example: ${name.toLowerCase()}, and what is most like it here.`;
  about.textContent = "The first answer is compared with it below. Paste, draw or drop your own on the left.";
  welcome.classList.add("example");
  welcome.hidden = false;
}

load();
start().then(example).catch(complain);
