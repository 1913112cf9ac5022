import * as api from "./api";
import { byId } from "./dom";
import { CollectionMap } from "./map";
import type { Asked } from "./results";
import type { Task } from "./types";

// MapView is the section with the map of a collection, as the model of a task
// sees it. It is hidden where there is no model.
export class MapView {
  onpick: (id: string) => void = () => {};
  private readonly section = byId("map-section");
  private map: CollectionMap | null = null;
  private shown = ""; // the collection and task that are, or will be, on the map
  private loading: Promise<void> = Promise.resolve();
  private ids: string[] = []; // of the points
  private points = new Map<string, number>();

  // show brings the map of a collection up, if it is not there.
  show(info: api.Info, task: Task): Promise<void> {
    if (!info.models?.some((m) => m.task === task)) {
      this.shown = "";
      this.section.hidden = true;
      return (this.loading = Promise.resolve());
    }
    const wanted = `${info.name} ${task}`;
    if (this.shown === wanted) return this.loading;
    this.shown = wanted;
    this.section.hidden = true;
    return (this.loading = this.load(info.name, task, wanted));
  }

  // mark shows where a query and its answers are.
  async mark(search: Asked, answers: string[], signal: AbortSignal): Promise<void> {
    await this.loading;
    if (this.section.hidden) return;
    const at = await api.place(search.collection, search.request.query, search.request.task, signal);
    this.map!.mark(at, answers.map((id) => this.points.get(id) ?? -1).filter((i) => i >= 0));
  }

  highlight(id: string | null): void {
    this.map?.highlight((id !== null ? this.points.get(id) : undefined) ?? -1);
  }

  private async load(name: string, task: Task, wanted: string): Promise<void> {
    let data;
    try {
      data = await api.projection(name, task);
    } catch {
      if (this.shown === wanted) this.shown = ""; // the next search tries again
      return;
    }
    if (this.shown !== wanted) return;
    this.ids = data.ids;
    this.points = new Map(data.ids.map((id, i) => [id, i]));
    this.section.hidden = false; // before it is drawn: it has no size until then
    this.map ??= this.open();
    this.map.set(data.points);
  }

  private open(): CollectionMap {
    const map = new CollectionMap(byId<HTMLCanvasElement>("map"));
    const tip = byId("tip");
    map.onhover = (i) => (tip.textContent = i < 0 ? "" : this.ids[i]);
    map.onpick = (i) => this.onpick(this.ids[i]);
    byId("zoom-in").addEventListener("click", () => map.zoomBy(1.5));
    byId("zoom-out").addEventListener("click", () => map.zoomBy(1 / 1.5));
    byId("zoom-all").addEventListener("click", () => map.reset());
    return map;
  }
}
