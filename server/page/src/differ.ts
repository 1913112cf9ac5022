import * as api from "./api";
import type { Asked } from "./asked";
import type { Pair } from "./path";
import type { DifferencesFields } from "./operations";
import { Viewer, view } from "./viewer";

// Differ shows what differs in pairs of graphs, with the names of their nodes, as greed diff says it.
export class Differ {
  private viewer: { of: Pair; viewer: Viewer } | null = null;
  private readonly known = new WeakMap<Pair, Promise<api.Difference | undefined>>();

  constructor(private readonly place: HTMLElement) {}

  // show shows a pair in its place once the differences are known, unless reveal, which makes the place visible, says
  // that it is not wanted any more.
  async show(asked: Asked, pair: Pair, id: string, found: string, reveal: () => boolean): Promise<void> {
    const known = await this.difference(asked, pair, id);
    if (!reveal() || this.viewer?.of === pair) return;
    const viewer = new Viewer(by(pair, known), asked.name, found, known);
    this.viewer = { of: pair, viewer };
    this.place.replaceChildren(viewer.element);
    viewer.begin();
  }

  // enlarge shows a pair over the whole window.
  async enlarge(asked: Asked, pair: Pair, id: string, found: string): Promise<void> {
    const known = await this.difference(asked, pair, id);
    view(by(pair, known), asked.name, found, known);
  }

  drawings(): ReturnType<Viewer["drawings"]> {
    return this.viewer!.viewer.drawings();
  }

  private difference({ collection, request }: Asked, pair: Pair, id: string): Promise<api.Difference | undefined> {
    let known = this.known.get(pair);
    if (!known) {
      const { query } = request;
      known = pair.query.molecule || !query ? Promise.resolve(undefined) : differenceOf(collection, request, pair, { query, target: { id } });
      this.known.set(pair, known);
    }
    return known;
  }
}

// differenceOf returns what the service says of the differences of a pair, or undefined where it says nothing: of parts
// of graphs there are no groups.
export async function differenceOf(collection: string, { costs, ignore_edge_labels }: api.Measured, pair: Pair, both: api.Twosome): Promise<api.Difference | undefined> {
  if (pair.beyond !== "none") return undefined;
  const asked = { costs, ignore_edge_labels, time_limit: "1s" } satisfies DifferencesFields;
  return api.post<api.Difference>("/v1/diff", { collection, ...both, ...asked }).catch(() => undefined);
}

// by returns a pair with the node map and the edits of what is known of its differences.
export const by = (pair: Pair, known?: api.Difference): Pair => (known ? { ...pair, map: known.map, edits: known.groups.flatMap((g) => g.changes.flatMap((c) => c.edits)) } : pair);
