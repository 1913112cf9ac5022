import type { EditCosts } from "./costs";
import type { CliffsFields, ContainedFields, DistancesFields, EmbedFields, SARFields, SearchFields } from "./operations";
import type { Attribute, Found, GraphJSON, Note, Operation, Task } from "./types";

// Problem is what the service says when it cannot answer, or that it is not there.
// The service's log has the reason under the id of the request.
export class Problem extends Error {
  constructor(readonly status: number, message: string, readonly request = "") {
    super(message);
  }
}

export interface Query {
  smiles?: string;
  smarts?: string; // where it is searched for, or shown
  graph?: ReturnType<typeof sent>;
  text?: string;
  id?: string;
}

export interface SearchRequest extends SearchFields {
  query?: Query; // none beside smarts
  task: Task;
  limit?: number; // of a part of those within the radius
  cursor?: string; // of the part
}

export interface Distance {
  lower: number;
  upper: number;
  exact: boolean;
  map: number[];
  edits: Operation[];
  query: GraphJSON;
  target: GraphJSON;
}

export interface Parsed {
  smiles?: string;
  name?: string; // as the service's table of names has it
  graph: GraphJSON;
}

// received gives every node and edge of a graph a label to show.
function received(graph: GraphJSON): GraphJSON {
  const labelled = <T extends { label?: string; wildcard?: boolean }>(x: T) => ({ ...x, label: x.wildcard ? "*" : x.label ?? "0" });
  return { names: graph.names, directed: graph.directed ?? false, nodes: graph.nodes.map(labelled), edges: graph.edges.map(labelled) };
}

// sent leaves out the labels that wildcards have for show.
export function sent(graph: GraphJSON) {
  const bare = <T extends { label: string; wildcard?: boolean }>({ label, ...x }: T) => (x.wildcard ? x : { ...x, label });
  return { ...graph, nodes: graph.nodes.map(bare), edges: graph.edges.map(bare) };
}

const collection = (name: string) => `/v1/collections/${encodeURIComponent(name)}`;

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await send(path, { signal })).json();
}

export async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return (await send(path, json(body, signal))).json();
}

function json(body: unknown, signal?: AbortSignal, accept = "application/json"): RequestInit {
  return { method: "POST", headers: { "Content-Type": "application/json", Accept: accept }, body: JSON.stringify(body), signal };
}

// The token that the service asks for, if it does, kept as long as the tab.
const tokenKey = "greed-token";

export function setToken(token: string): void {
  sessionStorage.setItem(tokenKey, token);
}

async function send(path: string, init: RequestInit): Promise<Response> {
  const token = sessionStorage.getItem(tokenKey);
  const headers = new Headers(init.headers);
  if (token) headers.set("Authorization", `Bearer ${token}`);
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers });
  } catch (e) {
    if ((e as Error).name === "AbortError") throw e;
    throw new Problem(0, "The service does not answer. Is greed serve still running? Try again when it is.");
  }
  if (response.ok) return response;
  const problem = await response.json().catch(() => ({}));
  const says = problem.detail || problem.title || `The service answered ${response.status}.`;
  throw new Problem(response.status, says, requestID(response));
}

const requestID = (response: Response) => response.headers.get("X-Request-Id") ?? "";

// parse reads a query, or text in any format, as a graph: as those of a collection, if one is named.
export async function parse(query: Query | string, signal?: AbortSignal, collection?: string): Promise<Parsed> {
  const asked = typeof query === "string" ? { text: query } : query;
  const parsed = await post<Parsed>("/v1/parse", collection ? { ...asked, collection } : asked, signal);
  return { ...parsed, graph: received(parsed.graph) };
}

export const search = (name: string, request: SearchRequest, signal: AbortSignal) =>
  post<Found>(`${collection(name)}/search`, request, signal);

// Measured is what of a search says how graphs are measured.
export type Measured = Pick<SearchRequest, "task" | "costs" | "ignore_edge_labels">;

// Explained is a distance as the service answers it, with its graphs.
type Explained = Omit<Distance, "query" | "target"> & { query_graph: GraphJSON; target_graph: GraphJSON };

// distance measures a pair as a search does. Graphs of the collection may be told by their ids.
export async function distance(name: string, { task, costs, ignore_edge_labels }: Measured, pair: Twosome, signal?: AbortSignal): Promise<Distance> {
  const asked = { task, costs, ignore_edge_labels, explain: true } satisfies DistancesFields;
  const d = await post<Explained>("/v1/distance", { collection: name, ...pair, ...asked }, signal);
  return { ...d, query: received(d.query_graph), target: received(d.target_graph) };
}

// Difference is what differs between two graphs, in groups, as greed diff has it.
export interface Difference {
  upper: number;
  exact: boolean;
  match: "names" | "cost";
  summary?: string[];
  groups: { about?: string; cost: number; changes: { change: "removed" | "renamed" | "moved" | "added"; edits: Operation[]; why?: string }[] }[];
  map: number[];
}

// Twosome is a query and what it is compared with.
export interface Twosome {
  query: Query;
  target: Query;
}

// distances measures many pairs so, and tells of each when it is known.
export const distances = (name: string, { task, costs, ignore_edge_labels }: Measured, pairs: Twosome[], time_limit: string, signal: AbortSignal, onresult: (i: number, d: Pick<Distance, "lower" | "upper"> | undefined) => void) =>
  streamed<{ pair: number; distance?: Distance; error?: string; request?: string }>("/v1/distances", { collection: name, pairs, ...({ task, costs, ignore_edge_labels, time_limit } satisfies DistancesFields) }, signal, (r) => {
    onresult(r.pair, r.distance);
    return 1;
  }, pairs.length);

// NearPair is two graphs that are near, with their values of an attribute.
export interface NearPair {
  query: string;
  target: string;
  query_smiles?: string;
  target_smiles?: string;
  lower: number;
  upper: number;
  old?: number;
  old_relation?: string; // > or <: the value is above or below
  new?: number;
  new_relation?: string;
  change?: number;
  change_relation?: string;
  transformations?: { text: string }[];
}

// Effect is what a transformation does to an attribute.
export interface Effect {
  text: string;
  from: string;
  to: string;
  environment?: string[]; // of each place of attachment
  pairs: number;
  known: number;
  mean?: number;
  error?: number;
  low?: number; // the ends of the confidence interval of 95 %
  high?: number;
  up: number;
  down: number;
  censored?: number; // pairs of which a value is a bound
  at_least?: number; // the mean change of all
  at_most?: number;
}

// Cliffs are what near pairs mean for an attribute.
export interface Cliffs {
  question: { text: string };
  attribute?: string;
  verdict: string;
  graphs: number;
  known: number;
  censored?: number;
  total: { pairs: number; transformations: number; duplicates: number };
  pairs: NearPair[];
  transformations: Effect[];
  duplicates: NearPair[];
  unexplained?: number;
  seconds: number;
}

export const cliffs = (name: string, request: CliffsFields, signal: AbortSignal) =>
  post<Cliffs>(`${collection(name)}/cliffs`, request, signal);

// SeriesRow is a molecule that has a core, with what it has at each position.
export interface SeriesRow {
  id: string;
  smiles: string;
  groups: string[];
  distance: number;
  edits?: string[];
  bonds?: string[];
  rest?: string;
  attributes?: Record<string, unknown>;
}

// Series are molecules taken apart into a core and R-groups.
export interface Series {
  core: string;
  radius: number;
  verdict: string;
  columns: { name: string; atom: number; marked?: boolean }[];
  rows: SeriesRow[];
  total: number;
  graphs: number;
  notes?: Note[];
  seconds: number;
}

export const sar = (name: string, request: SARFields & { core: string }, signal: AbortSignal) =>
  post<Series>(`${collection(name)}/sar`, request, signal);

// Recorded is a graph of a collection, or of a text.
export interface Recorded {
  id: string;
  name?: string;
  smiles?: string;
  graph: GraphJSON;
  error?: string; // why it cannot be read, and then it has no graph
}

// record returns a graph of a collection. Its id is in the body: in a path, browsers take
// the id .. for the way up, also as %2E%2E.
export const record = (name: string, id: string, signal?: AbortSignal): Promise<Parsed> => parse({ id }, signal, name);

// records reads the graphs of a text as those of a collection; file is the name of the file that it is from.
export async function records(text: string, file = "", collection?: string): Promise<{ records: Recorded[]; more?: boolean; notes?: Note[] }> {
  const asked = { text, name: file || undefined, collection } satisfies { text: string; name?: string; collection?: string };
  const found = await post<{ records: Recorded[]; more?: boolean; notes?: Note[] }>("/v1/records", asked);
  return { ...found, records: found.records.map((r) => (r.graph ? { ...r, graph: received(r.graph) } : r)) };
}

interface Parts {
  parts: { id: string; name?: string; smiles?: string; attributes?: Record<string, unknown>; nodes: number; edges: number; map: number[] }[];
  total: number;
  open: number;
  searched: number;
  seconds: number;
}

// parts finds the graphs that the query contains.
export async function parts(name: string, request: SearchRequest, k: number, signal: AbortSignal): Promise<Found> {
  const { query = {}, filter, show, time_limit } = request;
  const p = await post<Parts>(`${collection(name)}/parts`, { query, filter, show, time_limit, k } satisfies ContainedFields & { query: Query }, signal);
  return {
    task: "ged", status: p.open ? "open" : "proven", total: p.total, stats: { graphs: p.searched }, seconds: { embed: 0, scan: 0, check: p.seconds },
    verdict: p.open ? `open: ${p.open} graphs were not decided in time` : "proven: none is missing",
    answers: p.parts.map(({ nodes, edges, ...a }) => ({ ...a, lower: 0, upper: 0, exact: true, edits: [], size: { nodes, edges } })),
  };
}

export const attributes = async (name: string) => (await get<{ attributes: Attribute[] }>(`${collection(name)}/attributes`)).attributes;

export const values = (name: string, attribute: string) =>
  get<{ ids: string[]; values: unknown[] }>(`${collection(name)}/attributes/${encodeURIComponent(attribute)}`);

export const labels = (name: string) => get<{ nodes: string[]; edges: string[] }>(`${collection(name)}/labels`);

// sdf returns graphs of a collection as SDF, whose coordinates are 0.
export const sdf = async (name: string, ids: string[]) =>
  (await send(`${collection(name)}/sdf`, json({ ids }, undefined, "chemical/x-mdl-sdfile"))).text();

// stream reads a search line by line. It throws if the lines break off before the
// one that has the outcome.
export const stream = (name: string, request: SearchRequest, signal: AbortSignal, online: (line: StreamLine) => void) =>
  streamed<StreamLine>(`${collection(name)}/search`, request, signal, (line) => {
    online(line);
    return line.found ? 1 : 0;
  }, 1);

// Outcome is what one of many queries found, or why it did not.
export interface Outcome {
  query: number;
  found?: Found;
  problem?: { title: string; detail?: string };
}

// searches asks many queries one after the other. It throws if the lines break off before
// the last outcome.
export const searches = (name: string, request: Omit<SearchRequest, "query"> & { queries: Query[] }, signal: AbortSignal, onoutcome: (outcome: Outcome) => void) =>
  streamed<Outcome & { error?: string; request?: string }>(`${collection(name)}/searches`, request, signal, (outcome) => {
    onoutcome(outcome);
    return 1;
  }, request.queries.length);

// streamed reads an answer line by line. online returns how many of the outcomes a line is.
async function streamed<T extends { error?: string; request?: string }>(path: string, request: unknown, signal: AbortSignal, online: (line: T) => number, outcomes: number): Promise<void> {
  const response = await send(path, json(request, signal, "application/x-ndjson"));
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const broken = () => new Problem(0, "The answer broke off before its end.", requestID(response));
  let rest = "", left = outcomes;
  for (;;) {
    const { done, value } = await reader.read().catch((e) => {
      throw signal.aborted ? e : broken();
    });
    const lines = (rest + (value ?? "")).split("\n");
    rest = done ? "" : lines.pop()!;
    for (const line of lines) {
      if (!line.trim()) continue;
      const parsed: T = JSON.parse(line);
      if (parsed.error) throw new Problem(200, parsed.error, parsed.request);
      left -= online(parsed);
    }
    if (!done) continue;
    if (left <= 0) return;
    throw broken();
  }
}

export interface StreamLine {
  candidates?: number;
  verified?: number;
  best?: Checked[];
  found?: Found;
  error?: string;
  request?: string;
}

// Checked is a graph whose distance was computed while a search goes on.
export interface Checked {
  id: string;
  name?: string;
  smiles?: string;
  predicted?: number;
  lower: number;
  upper: number;
}

export interface Info {
  name: string;
  graphs: number;
  state: string; // of its contents
  molecules: boolean;
  directed: boolean;
  writable: boolean;
  compared?: Compared[]; // of molecules, besides elements and bond orders
  forms?: Form[]; // standard forms in which molecules were read
  link?: string; // where more is known of a graph, with {id} in place of its id
  max_time_limit: number; // seconds
  models: { task: Task; costs: EditCosts; calibrated?: number }[]; // the radius to which shares found are known
  space?: { reactions: number; synthons: number; products: number }; // whose products the graphs are
}

export type Form = "largest_fragment" | "neutralise" | "tautomers";

export type Compared = "charges" | "isotopes" | "hydrogens" | "stereochemistry";

// collections lists those that there are, and says whether others may be created.
export async function collections(): Promise<{ all: Info[]; creates: boolean }> {
  const response = await send("/v1/collections", {});
  return { all: await response.json(), creates: response.headers.get("Greed-Creates") === "true" };
}

// create makes an empty collection.
export const create = (name: string, wanted: { models: "none" | "molecules"; compared: Compared[]; forms: Form[] }) =>
  send(collection(name), { ...json(wanted), method: "PUT" });

// add keeps the graphs of a file's text in a collection.
export const add = (name: string, text: string, file: string) => post<{ put: number }>(`${collection(name)}/graphs`, { text, file });

// projection returns the collection's vectors in two dimensions.
export const projection = (name: string, task: Task) =>
  get<{ ids: string[]; points: number[]; variance?: [number, number] }>(`${collection(name)}/map?task=${task}`);

// place returns where the map shows a graph.
export async function place(name: string, query: Query, task: Task, signal: AbortSignal): Promise<[number, number]> {
  return (await post<{ at: [number, number] }>(`${collection(name)}/embed`, { query, task } satisfies EmbedFields & { query: Query }, signal)).at;
}
