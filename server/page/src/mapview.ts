import * as api from "./api";
import type { Asked } from "./asked";
import type { Palette } from "./colours";
import { byId, h } from "./dom";
import { Drawing } from "./draw";
import { type Classes, classesOf } from "./legend";
import { CollectionMap, variable } from "./map";
import { sceneOf } from "./scenes";
import type { Task } from "./types";

// MapView is the section with the map of a collection, as the model of a task
// sees it. It is hidden where there is no model.
export class MapView {
  onpick: (id: string) => void = () => {};
  onlist: (ids: string[]) => void = () => {}; // graphs that were chosen on the map
  private readonly section = byId("map-section");
  private readonly tip = byId("tip");
  private readonly name = h("span");
  private readonly drawing: Drawing;
  private readonly choice = byId<HTMLSelectElement>("map-colour");
  private readonly classes = byId("map-classes");
  private map: CollectionMap | null = null;
  private shown = ""; // the collection and task that are, or will be, on the map
  private collection = "";
  private loading: Promise<void> = Promise.resolve();
  private ids: string[] = []; // of the points
  private points = new Map<string, number>();
  private pointing = new AbortController();

  constructor(palette: Palette) {
    this.drawing = new Drawing("The graph pointed at", palette);
    this.tip.append(this.drawing.element, this.name);
    this.choice.addEventListener("change", () => void this.colour());
  }

  // show brings the map of a collection up, if it is not there.
  show(info: api.Info, task: Task): Promise<void> {
    if (!info.models?.some((m) => m.task === task)) {
      this.hide();
      return (this.loading = Promise.resolve());
    }
    const wanted = `${info.name} ${task}`;
    if (this.shown === wanted) return this.loading;
    this.shown = wanted;
    this.section.hidden = true;
    return (this.loading = this.load(info.name, task, wanted));
  }

  // hide takes the map off the page until one is shown.
  hide(): void {
    this.shown = "";
    this.section.hidden = true;
  }

  // offer lists the attributes by which points may be coloured.
  offer(attributes: string[]): void {
    this.choice.replaceChildren(h("option", { value: "" }, "one colour"), ...attributes.map((a) => h("option", { value: a }, a)));
    this.choice.parentElement!.hidden = attributes.length === 0;
    void this.colour();
  }

  // mark shows where a query and its answers are.
  async mark(search: Asked, answers: string[], signal: AbortSignal): Promise<void> {
    await this.loading;
    if (this.section.hidden) return;
    const { query, task } = search.request;
    const at = query ? await api.place(search.collection, query, task, signal) : null; // a pattern has none
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
    this.collection = name;
    this.ids = data.ids;
    this.points = new Map(data.ids.map((id, i) => [id, i]));
    const [x, y] = (data.variance ?? [0, 0]).map((v) => `${Math.round(100 * v)} %`);
    byId("map-axes").textContent = `Right and up: the two directions in which the model's vectors vary most, ${x} and ${y} of it. Near is alike by the model, as far as a plane shows it.`;
    this.section.hidden = false; // before it is drawn: it has no size until then
    this.map ??= this.open();
    this.map.set(data.points);
    await this.colour();
  }

  // colour gives the points the colours of the attribute chosen.
  private async colour(): Promise<void> {
    const attribute = this.choice.value, { collection } = this;
    this.classes.replaceChildren();
    this.map?.colour(null);
    if (!attribute || !collection) return;
    const { ids, values } = await api.values(collection, attribute).catch(() => ({ ids: [], values: [] }));
    if (attribute !== this.choice.value || collection !== this.collection) return;
    const of = new Map(ids.map((id, i) => [id, values[i]]));
    const classes: Classes = classesOf(this.ids.map((id) => of.get(id)));
    this.map?.colour(classes);
    this.classes.replaceChildren(...classes.names.map((name, i) => {
      const key = h("span", { className: "key" }, name);
      key.style.setProperty("--swatch", `var(${variable(classes, i)})`);
      return key;
    }));
  }

  // point shows the graph pointed at.
  private point(i: number): void {
    this.pointing.abort();
    this.tip.hidden = i < 0;
    if (i < 0) return;
    const { signal } = (this.pointing = new AbortController());
    const id = this.ids[i];
    this.name.textContent = id;
    this.drawing.element.classList.add("stale");
    setTimeout(() => {
      if (signal.aborted) return;
      api.record(this.collection, id, signal).then(async ({ smiles, graph }) => {
        const scene = await sceneOf(smiles, graph);
        if (!scene || signal.aborted) return;
        this.drawing.show(scene);
        this.drawing.element.classList.remove("stale");
      }).catch(() => {});
    }, 120); // not for those that are only passed
  }

  private open(): CollectionMap {
    const map = new CollectionMap(byId<HTMLCanvasElement>("map"));
    map.onhover = (i) => this.point(i);
    map.onpick = (i) => this.onpick(this.ids[i]);
    map.onlasso = (points) => {
      byId("lasso").setAttribute("aria-pressed", "false");
      if (points.length) this.onlist(points.map((i) => this.ids[i]));
    };
    byId("zoom-in").addEventListener("click", () => map.zoomBy(1.5));
    byId("zoom-out").addEventListener("click", () => map.zoomBy(1 / 1.5));
    byId("zoom-all").addEventListener("click", () => map.reset());
    byId("in-view").addEventListener("click", () => map.visible());
    const lasso = byId("lasso");
    lasso.addEventListener("click", () => {
      const on = lasso.getAttribute("aria-pressed") !== "true";
      lasso.setAttribute("aria-pressed", String(on));
      map.catch(on);
    });
    return map;
  }
}
