import type { Answer, Found, GraphJSON, Operation, Task } from "./types";

// Problem is what the service says when it cannot answer, or that it is not there.
export class Problem extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

export interface Query {
  smiles?: string;
  graph?: GraphJSON;
}

export interface SearchRequest {
  query: Query;
  task: Task;
  k?: number;
  radius?: number;
  certify?: boolean;
  explain?: boolean;
  budget?: string;
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
  graph: GraphJSON;
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

async function send(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (e) {
    if ((e as Error).name === "AbortError") throw e;
    throw new Problem(0, "The service does not answer. Is greed serve still running? Try again when it is.");
  }
  if (response.ok) return response;
  const problem = await response.json().catch(() => ({}));
  throw new Problem(response.status, problem.detail || problem.title || `The service answered ${response.status}.`);
}

// parse reads a query, or text in any format, as a graph.
export const parse = (query: Query | string, signal?: AbortSignal) =>
  post<Parsed>("/v1/parse", typeof query === "string" ? { text: query } : query, signal);

export const search = (name: string, request: SearchRequest, signal: AbortSignal) =>
  post<Found>(`${collection(name)}/search`, request, signal);

export const distance = (name: string, query: Query, id: string, task: Task, signal: AbortSignal) =>
  post<Distance>(`${collection(name)}/distance`, { query, id, task }, signal);

// stream reads a certified search line by line.
export async function stream(name: string, request: SearchRequest, signal: AbortSignal, online: (line: StreamLine) => void): Promise<void> {
  const response = await send(`${collection(name)}/search`, json(request, signal, "application/x-ndjson"));
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    const lines = (rest + (value ?? "")).split("\n");
    rest = done ? "" : lines.pop()!;
    for (const line of lines) if (line.trim()) online(JSON.parse(line));
    if (done) return;
  }
}

export interface StreamLine {
  candidates?: number;
  verified?: number;
  answer?: Answer;
  found?: Found;
}

// download asks for a search's answers as a file.
export async function download(name: string, request: SearchRequest, accept: string): Promise<Blob> {
  return (await send(`${collection(name)}/search`, json(request, undefined, accept))).blob();
}

export interface Info {
  name: string;
  graphs: number;
}

export const collections = () => get<Info[]>("/v1/collections");

export const info = (name: string) => get<Info>(collection(name));

// projection returns the collection's vectors in two dimensions.
export const projection = (name: string, task: Task) =>
  get<{ ids: string[]; points: number[] }>(`${collection(name)}/map?task=${task}`);
