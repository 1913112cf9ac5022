import type { Palette } from "./colours";
import { h } from "./dom";
import { Drawing } from "./draw";
import { type Find, finds } from "./find";
import { type Marks, kindOf } from "./marks";
import type { Pair } from "./path";
import type { Scene } from "./scene";
import type { Answer, Operation, Origin } from "./types";

// Card shows one answer: its drawing, what is known of its distance, its edits, its
// attributes.
export class Card {
  readonly element: HTMLLIElement;
  readonly drawing: Drawing;
  private readonly figure = h("div", { className: "figure" });
  private readonly distance = h("span", { className: "distance" });
  private readonly note = h("span", { className: "note" });
  private readonly edits = h("span", { className: "counts" });
  private readonly rank = h("span", { className: "rank" });
  private readonly said = h("span", { className: "unseen" }); // what the name of the button says beside
  private readonly attributes = h("dl", { className: "attributes" });
  private readonly choose: HTMLButtonElement;
  private readonly menu: HTMLButtonElement;
  private find: Find = "similar";
  private readonly molecule: boolean;
  scene: Scene | null = null;

  constructor(public answer: Answer, palette: Palette, onchoose: () => void, onmenu: (button: HTMLElement) => void) {
    this.molecule = answer.smiles !== undefined;
    this.drawing = new Drawing(answer.smiles ?? answer.id, palette);
    this.choose = h("button", { type: "button", className: "choose", onclick: onchoose, "aria-pressed": "false", title: title(answer) },
      h("span", { className: "unseen" }, "rank "), this.rank, h("span", { className: "unseen" }, ", "), h("span", { className: "id" }, title(answer)), this.said);
    this.menu = h("button", { type: "button", className: "menu-button", "aria-haspopup": "menu", onclick: () => onmenu(this.menu) }, "⋯");
    this.figure.append(this.drawing.element);
    this.element = h("li", { className: "card", draggable: true, "data-id": answer.id },
      h("header", {}, this.choose, this.distance),
      this.figure,
      this.attributes,
      h("footer", {}, this.note, this.edits, this.menu));
    // The whole card may be clicked; by keyboard it is its button.
    this.figure.addEventListener("click", onchoose);
  }

  set selected(on: boolean) {
    this.element.classList.toggle("selected", on);
    this.choose.setAttribute("aria-pressed", String(on));
  }

  // reachable says whether the Tab key comes to the card.
  set reachable(on: boolean) {
    this.choose.tabIndex = this.menu.tabIndex = on ? 0 : -1;
  }

  focus(): void {
    this.choose.focus();
  }

  draw(scene: Scene, marks?: Marks): void {
    this.scene = scene;
    this.drawing.show(scene, marks);
  }

  // tell shows the rank, the attributes, and the distance as far as it is known. A
  // prediction is never called one.
  tell(find: Find, rank: number): void {
    const a = this.answer, known = isKnown(a);
    this.find = find;
    this.element.classList.toggle("checked", known || a.predicted === undefined); // else it is a guess
    this.rank.textContent = String(rank);
    this.distance.textContent = a.size ? String(a.size.nodes) : known ? between(a) : a.predicted !== undefined ? `≈ ${a.predicted.toFixed(1)}` : "";
    this.distance.dataset.what = a.size ? (this.molecule ? "atoms" : "nodes") : known ? short[find] : "";
    this.distance.title = a.size ? `${a.size.nodes} nodes and ${a.size.edges} edges`
      : !known ? "predicted by the model; no distance"
      : a.exact || a.lower === a.upper ? `${names[find]}, exact` : `${names[find]} lies between these`;
    if (find !== "common") this.note.replaceChildren(...(a.predicted === undefined ? [] : [h("span", { className: "word" }, "predicted"), known ? ` ${a.predicted.toFixed(2)}` : ""]));
    if (finds[find].beyond !== "both") this.edits.replaceChildren(...counts(a.edits, none[finds[find].beyond]));
    const value = a.size ? `${a.size.nodes} nodes` : known ? `distance ${between(a).replace("–", " to ")}` : a.predicted !== undefined ? `predicted ${a.predicted.toFixed(1)}` : "no distance yet";
    this.said.textContent = `, ${value}`;
    this.menu.setAttribute("aria-label", `More for rank ${rank}, ${title(a)}`);
    const attributes = Object.entries(a.attributes ?? {}).filter(([name]) => !a.origins || name !== "reaction_id");
    this.attributes.replaceChildren(...(a.origins ?? []).flatMap(made), ...attributes.flatMap(([name, v]) => {
      const text = typeof v === "object" && v !== null ? JSON.stringify(v) : String(v);
      return [h("dt", { title: name }, name), h("dd", { title: text }, text)];
    }));
  }

  // measured says beside a prediction what the distance is.
  measured(a: Bounds): void {
    const predicted = this.answer.predicted !== undefined ? "predicted; " : "";
    this.note.textContent = `${predicted}${names[this.find]} ${between(a)}`;
  }

  // common says how much a graph has in common with the query.
  common({ query, edits }: Pair): void {
    const lost = edits.filter((op) => op.query?.length === 2).length;
    this.note.textContent = `${query.edges.length - lost} of ${query.edges.length} ${query.molecule ? "bonds" : "edges"} in common`;
  }

  // fail says why the exact distance is missing.
  fail(reason: string): void {
    this.note.textContent = reason;
    this.note.classList.add("failed");
  }
}

// short is what a number is, in little room.
const short: Record<Find, string> = { similar: "GED", contains: "SED", nearly: "SED", parts: "", common: "MCES" };

const names: Record<Find, string> = { similar: "GED", contains: "SED", nearly: "SED", parts: "Size", common: "MCES distance" };

// none is what an answer without edits is.
const none = { none: "same graph", target: "contained", query: "part of the query", both: "" };

// Bounds are what is known of a distance.
export interface Bounds {
  lower?: number;
  upper?: number;
  exact?: boolean;
}

// isKnown tells whether a distance was computed, if only within bounds.
export const isKnown = (a: Bounds) => a.lower !== undefined && a.upper !== undefined;

// between is a distance that was computed, or its bounds.
export const between = (a: Bounds) => (a.lower === a.upper ? number(a.upper!) : `${atLeast(a.lower!)}–${atMost(a.upper!)}`);

// made tells of a way to make a product: its reaction, and below it the synthons to order.
const made = ({ reaction, synthons }: Origin) => [
  h("dt", { className: "reaction", title: reaction }, reaction),
  ...synthons.map(({ id, smiles }) =>
    h("dd", { className: "synthon", title: `${id} ${smiles}` }, id, " ", h("span", { className: "quiet" }, smiles))),
];

// title names a graph found for people.
export const title = (a: Answer) => (a.name && a.name !== a.id ? `${a.id} · ${a.name}` : a.id);

export const number = (v: number, round = Math.round) => String(round(v * 100) / 100);

// Bounds are rounded so that they stay bounds; the digits of what is a number of hundredths stay.
export const atLeast = (v: number) => number(v, (x) => Math.floor(x + tiny));
export const atMost = (v: number) => number(v, (x) => Math.ceil(x - tiny));
const tiny = 1e-9;

// counts says how many edits there are of each kind; none is what it is when
// there are none.
function counts(edits: Operation[] | undefined, none: string): Node[] {
  if (!edits) return [];
  if (edits.length === 0) return [h("span", { className: "count same" }, none)];
  const by = new Map<string, number>();
  for (const op of edits) by.set(kindOf(op), (by.get(kindOf(op)) ?? 0) + 1);
  const signs: Record<string, string> = { deleted: "−", inserted: "+", relabelled: "↔" };
  return [...by].map(([kind, n]) => h("span", { className: `count ${kind}`, title: `${n} ${kind}` }, `${signs[kind]}${n}`));
}
