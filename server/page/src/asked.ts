import type { SearchRequest } from "./api";
import type { Find } from "./find";
import type { Scene } from "./scene";
import type { Answer, GraphJSON } from "./types";

// A search as asked, with the graph that the service read the query as.
export interface Asked {
  collection: string;
  find: Find;
  request: SearchRequest;
  graph: GraphJSON;
  scene: Scene;
  name: string; // of the query, for people
  given: string; // the query as State has it
  listed?: boolean; // a list of graphs, of which nothing was asked
}

// Rest is what a service still has of the answers to a search.
export interface Rest {
  total: number; // of all answers
  get(): Promise<{ answers: Answer[]; rest: Rest | null }>;
}
