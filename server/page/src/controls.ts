import type { Info } from "./api";
import { compares } from "./compares";
import { CostBox } from "./costbox";
import { byId } from "./dom";
import { type Find, finds, findOf, limits, offered, predicts } from "./find";
import { asksOwn } from "./request";
import { type State, initial, modeOf } from "./state";

// Controls are the settings of a search.
export class Controls {
  onchange: () => void = () => {};
  onmove: (collection: string) => void = () => {}; // to ask in another one
  private readonly form = byId<HTMLFormElement>("form");
  private readonly amount = byId<HTMLInputElement>("amount");
  private readonly recall = byId<HTMLInputElement>("recall");
  private readonly costs = new CostBox();
  private info: Info | null = null; // of the collection, once it is known

  constructor() {
    this.form.addEventListener("change", (e) => {
      if (!(e.target as Element).closest(".segments, .share")) return; // attributes have their own
      this.explain(this.find);
      this.onchange();
    });
    this.costs.onchange = () => {
      this.explain(this.find);
      this.onchange();
    };
  }

  // open takes up another collection: without a model all answers are proven, and a space cannot do all.
  open(info: Info, all: Info[]): void {
    this.info = info;
    for (const radio of this.form.querySelectorAll<HTMLInputElement>("[name=find]")) {
      radio.parentElement!.hidden = !offered(findOf(radio.value), info);
    }
    this.costs.open(info);
    compares(info, all, (name) => this.onmove(name));
    this.explain(this.find);
  }

  show(state: State): void {
    const radio = (name: string, value: string) => (this.form.querySelector<HTMLInputElement>(`[name=${name}][value="${value}"]`)!.checked = true);
    radio("find", state.find);
    this.costs.show(state);
    this.fit(state);
    radio("extent", state.k > 0 ? "k" : "radius");
    radio("mode", state.mode);
    this.recall.checked = state.recall;
    this.showAmount(state);
    this.explain(state.find);
  }

  // fit leaves of what can be found what goes with the query: a pattern is contained or not.
  fit({ kind }: State): void {
    for (const radio of this.form.querySelectorAll<HTMLInputElement>("[name=find]")) {
      radio.disabled = kind === "smarts" && radio.value !== "contains";
      if (kind === "smarts") radio.checked = !radio.disabled;
    }
    this.explain(this.find);
  }

  // read takes the settings into state. Between nearest and within, the number
  // is the usual one.
  read(state: State): void {
    const data = new FormData(this.form);
    const nearest = data.get("extent") === "k";
    state.find = this.find;
    this.costs.read(state);
    state.mode = modeOf(data.get("mode"));
    state.recall = this.recall.checked;
    const asked = Math.min(Math.max(this.amount.valueAsNumber || 0, Number(this.amount.min)), Number(this.amount.max));
    const value = nearest ? Math.round(asked) : asked;
    if (this.amount.valueAsNumber !== value) this.amount.value = String(value);
    if (nearest !== state.k > 0) {
      state.k = nearest ? initial.k : 0;
      this.showAmount(state);
    } else if (nearest) state.k = value;
    else state.radius = value;
  }

  // explain says what is looked for, and hides the settings that it lacks.
  private explain(find: Find): void {
    byId("find-about").textContent = finds[find].about;
    byId("extent").hidden = !finds[find].ranked;
    const costs = { costs: "", unlabelled: false };
    this.costs.explain(find);
    this.costs.read(costs);
    byId("mode").hidden = asksOwn(costs) || (this.info ? !predicts(find, this.info.models) : !finds[find].modelled);
    const data = new FormData(this.form), known = this.info?.models.some((m) => m.task === finds[find].task && m.calibrated !== undefined);
    const shared = !byId("mode").hidden && finds[find].ranked && data.get("extent") === "radius" && modeOf(data.get("mode")) !== "proven";
    byId("recall-choice").hidden = !shared || !(known || this.recall.checked);
  }

  private get find(): Find {
    return findOf(new FormData(this.form).get("find"));
  }

  private showAmount(state: State): void {
    const nearest = state.k > 0;
    this.amount.max = String(nearest ? limits.k : limits.radius);
    this.amount.min = nearest ? "1" : "0";
    this.amount.step = nearest ? "1" : "0.5";
    this.amount.value = String(nearest ? state.k : state.radius);
    this.amount.setAttribute("aria-label", nearest ? "How many" : "Distance");
  }
}
