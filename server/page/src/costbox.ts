import type { Info } from "./api";
import { type EditCosts, type Weights, named, weightsIn, weightsOf } from "./costs";
import { byId, h } from "./dom";
import { type Find, finds } from "./find";
import { reach, rove } from "./roving";
import type { State } from "./state";

const own = "own";

// CostBox is where it is chosen what edits cost, and whether labels of edges count.
export class CostBox {
  onchange: () => void = () => {};
  private readonly box = byId<HTMLDetailsElement>("costs");
  private readonly choice = byId<HTMLSelectElement>("costs-name");
  private readonly labels = byId<HTMLInputElement>("edge-labels-count");
  private readonly sliders: { element: HTMLInputElement; value: HTMLElement }[] = [];
  private info: Info | null = null;
  private find: Find = "similar";
  private costs = ""; // as State has them
  private weights: Weights | null = null; // null: those of a table

  constructor() {
    const slider = (about: string) => {
      const value = h("output"), at = this.sliders.length;
      const element = h("input", { type: "range", min: "0", max: "6", step: "0.25", "aria-label": about, oninput: () => this.weigh(at) });
      this.sliders.push({ element, value });
      return [element, value];
    };
    const rows = ["insert", "delete", "relabel"];
    const of = (kind: string) => rows.map((row) => slider(`${row} ${kind}`));
    const node = of("a node"), edge = of("an edge");
    byId("weights").append(h("span"), h("span", { className: "quiet" }, "nodes"), h("span", { className: "quiet" }, "edges"),
      ...rows.flatMap((row, i) => [h("span", {}, row), h("span", { className: "weight" }, ...node[i]), h("span", { className: "weight" }, ...edge[i])]),
      h("span", { className: "ring" }, "into or out of a ring"), h("span", { className: "weight" }, ...slider("into a ring or out of one")));
    rove(byId("settings"), "summary");
    this.choice.addEventListener("change", () => {
      this.set(this.choice.value === own ? this.costs : this.choice.value);
      this.onchange();
    });
    this.box.addEventListener("change", (e) => e.target !== this.choice && this.onchange());
  }

  // open takes up another collection, whose model may have costs of its own.
  open(info: Info): void {
    this.info = info;
    byId("edge-labels-name").textContent = info.molecules ? "bond orders" : "labels of edges";
    this.set(this.costs);
  }

  show(state: State): void {
    this.labels.checked = !state.unlabelled;
    this.explain(state.find);
    this.set(state.costs);
  }

  read(state: Pick<State, "costs" | "unlabelled">): void {
    state.costs = this.costs;
    state.unlabelled = !this.labels.checked;
  }

  // explain shows the box where costs matter: what contains the query does so at any, and products of a space are
  // found by unit costs alone.
  explain(find: Find): void {
    this.find = find;
    this.box.hidden = !finds[find].modelled || this.info?.space !== undefined;
    const [mine, attributes] = byId("settings").querySelectorAll<HTMLElement>("summary");
    reach(this.box.hidden ? [attributes] : [mine, attributes], 0);
    this.set(this.costs);
  }

  // usual are the costs of the collection.
  private get usual(): EditCosts | undefined {
    return this.info?.models.find((m) => m.task === finds[this.find].task)?.costs;
  }

  private set(costs: string): void {
    this.costs = costs;
    const { usual } = this;
    this.weights = costs ? weightsIn(costs) : usual ? weightsOf(usual) : named.get("uniform")!;
    const name = (weights: Weights | null) => [...named].find(([, w]) => String(w) === String(weights))?.[0];
    const first = usual ? `as the model's${name(weightsOf(usual)) ? ` (${name(weightsOf(usual))})` : ""}` : "uniform";
    const others = [...named.keys()].filter((n) => usual || n !== "uniform");
    this.choice.replaceChildren(h("option", { value: "" }, first), ...others.map((n) => h("option", { value: n }, n)), h("option", { value: own }, "your own"));
    this.choice.value = costs === "" || named.has(costs) ? costs : own;
    this.tell();
  }

  // weigh takes up a slider.
  private weigh(at: number): void {
    this.weights = (this.weights ?? named.get("uniform")!).map((w, i) => (i === at ? this.sliders[i].element.valueAsNumber : w));
    this.costs = this.weights.join();
    this.choice.value = own;
    this.tell();
  }

  private tell(): void {
    this.sliders.forEach(({ element, value }, i) => {
      const weight = this.weights?.[i];
      element.value = String(weight ?? 1);
      value.textContent = weight === undefined ? "?" : String(weight);
      element.setAttribute("aria-valuetext", weight === undefined ? "by labels" : String(weight));
    });
    byId("costs-said").textContent = `${this.choice.selectedOptions[0]?.textContent}${this.labels.checked ? "" : `, without ${byId("edge-labels-name").textContent}`}`;
  }
}
