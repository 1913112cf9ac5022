import type { Info } from "./api";
import { byId, h } from "./dom";
import { type Find, finds, offered } from "./find";
import { type State, initial } from "./state";
import { count } from "./text";

const says: Record<Find, string> = {
  similar: "Nothing is as near as that.",
  contains: "Nothing contains it.",
  nearly: "Nothing contains it as nearly as that.",
  parts: "Nothing is a part of it.",
  common: "Nothing shares as much with it.",
};

const near = 2; // edits

// Nothing stands where answers would, and offers what may find some.
export class Nothing {
  onask: (change: Partial<State>) => void = () => {};
  count: (state: State) => Promise<number | null> = async () => null; // how many answers a search would have
  private readonly box = byId("nothing");

  hide(): void {
    this.box.hidden = true;
  }

  // empty says that a collection has no graphs.
  empty(info: Info): void {
    byId("welcome").hidden = true; // there is nothing to be found
    this.show(`${info.name} has no graphs yet.`, `Add some${info.writable ? " from a file here" : ""}, with greed index add, or by PUT /v1/collections/${info.name}/graphs/ID.`, []);
    if (info.writable) this.box.querySelector(".choices")!.append(h("button", { type: "button", onclick: () => void import("./create").then(({ create }) => create(info.name)) }, "Add a file …"));
  }

  // unknown says that a model does not know what share of the answers it would find.
  unknown(state: State): void {
    const offers: [string, Partial<State>][] = state.filters.length ? [["Without the conditions", { filters: [] }]] : [];
    offers.push(["Ask for proven answers", { mode: "proven" }], ["Without the share", { recall: false }]);
    this.show("Nothing was searched.", "Ask for other answers:", offers);
  }

  // none says that a search in a collection found nothing, which is proven or not.
  none(state: State, info: Info, proven: boolean): void {
    const offers: [string, Partial<State>][] = [];
    if (!proven) offers.push(["Ask for proven answers", { mode: "proven" }]);
    if (state.filters.length) offers.push(["Without the conditions", { filters: [] }]);
    if (finds[state.find].ranked && state.k === 0) offers.push([`Show the ${initial.k} nearest`, { k: initial.k }]);
    if (state.kind === "smarts") return this.show(says.contains, offers.length ? "Ask for less:" : "No molecule here has a match.", offers);
    const nearly = { find: "nearly" as const, k: 0, radius: near };
    if (state.find === "contains") offers.push(["Show what nearly contains it", { find: "nearly", k: initial.k }]);
    if ((state.find === "contains" || state.find === "parts") && offered("common", info)) offers.push(["Show what shares a part with it", { find: "common", k: initial.k }]);
    if (state.find !== "similar") offers.push(["Show what is similar", { find: "similar", k: initial.k }]);
    this.show(proven ? says[state.find] : "Nothing was found.", proven ? "Ask for less:" : "Ask for more or for less:", offers);
    if (state.find === "contains") void this.countNearly({ ...state, ...nearly }, nearly);
  }

  // countNearly says how many graphs contain the query but for an edit or two.
  private async countNearly(state: State, change: Partial<State>): Promise<void> {
    const [text, choices] = [this.box.querySelector("p")!, this.box.querySelector(".choices")!];
    const n = await this.count(state).catch(() => null);
    if (!n || !text.isConnected) return;
    text.textContent = `Nearly contain it, but for ${near} edits or fewer: ${count(n)}.`;
    choices.prepend(h("button", { type: "button", onclick: () => this.onask(change) }, n === 1 ? "Show it" : `Show the ${count(n)}`));
  }

  private show(title: string, text: string, offers: [string, Partial<State>][]): void {
    const choices = offers.map(([name, change]) => h("button", { type: "button", onclick: () => this.onask(change) }, name));
    this.box.replaceChildren(h("h2", {}, title), h("p", {}, text), h("div", { className: "choices" }, ...choices));
    this.box.hidden = false;
  }
}
