import type { Palette } from "./colours";
import { h } from "./dom";
import { Drawing } from "./draw";
import { type Marks, kindOf } from "./marks";
import { type Scene } from "./scene";
import type { Answer, Operation, Task } from "./types";

// Card shows one answer: its drawing, what is known of its distance, its edits.
export class Card {
  readonly element: HTMLLIElement;
  readonly drawing: Drawing;
  private readonly figure = h("div", { className: "figure" });
  private readonly distance = h("span", { className: "distance" });
  private readonly note = h("span", { className: "note" });
  private readonly edits = h("span", { className: "counts" });
  private readonly rank = h("span", { className: "rank" });
  private readonly choose: HTMLButtonElement;
  scene: Scene | null = null;

  constructor(public answer: Answer, palette: Palette, onchoose: () => void) {
    this.drawing = new Drawing(answer.smiles ?? answer.id, palette);
    this.choose = h("button", { type: "button", className: "choose", onclick: onchoose, "aria-pressed": "false", title: title(answer) },
      this.rank, h("span", { className: "id" }, title(answer)));
    this.figure.append(this.drawing.element);
    this.element = h("li", { className: "card" },
      h("header", {}, this.choose, this.distance),
      this.figure,
      h("footer", {}, this.note, this.edits));
    // The whole card may be clicked; by keyboard it is its button.
    this.figure.addEventListener("click", onchoose);
  }

  set selected(on: boolean) {
    this.element.classList.toggle("selected", on);
    this.choose.setAttribute("aria-pressed", String(on));
  }

  focus(): void {
    this.choose.focus();
  }

  draw(scene: Scene, marks?: Marks): void {
    this.scene = scene;
    this.drawing.show(scene, marks);
  }

  // tell shows the rank, and the distance as far as it is known. A prediction is
  // never called one.
  tell(task: Task, rank: number): void {
    const a = this.answer, name = task.toUpperCase();
    const known = isKnown(a);
    this.element.classList.toggle("checked", known);
    this.rank.textContent = String(rank);
    this.distance.textContent = known ? between(a) : a.predicted !== undefined ? `≈ ${a.predicted.toFixed(1)}` : "";
    this.distance.title = known
      ? a.exact ? `${name}, exact` : `${name} lies between these`
      : "predicted by the model; no distance";
    this.note.textContent = !known ? "predicted" : a.predicted !== undefined ? `predicted ${a.predicted.toFixed(2)}` : "";
    this.edits.replaceChildren(...counts(a.edits, task === "sed" ? "contained" : "identical"));
    const value = known ? `distance ${between(a).replace("–", " to ")}` : a.predicted !== undefined ? `predicted ${a.predicted.toFixed(1)}` : "no distance yet";
    this.choose.setAttribute("aria-label", `rank ${rank}, ${title(a)}, ${value}`);
  }

  // measured says beside a prediction what the distance is.
  measured(task: Task, a: Bounds): void {
    this.note.textContent = `predicted; ${task.toUpperCase()} ${between(a)}`;
  }

  // fail says why the exact distance is missing.
  fail(reason: string): void {
    this.note.textContent = reason;
    this.note.classList.add("failed");
  }
}

// Bounds are what is known of a distance.
export interface Bounds {
  lower?: number;
  upper?: number;
  exact?: boolean;
}

// isKnown tells whether a distance was computed, if only within bounds.
export const isKnown = (a: Bounds) => a.lower !== undefined && a.upper !== undefined;

const between = (a: Bounds) => (a.lower === a.upper ? number(a.upper!) : `${number(a.lower!)}–${number(a.upper!)}`);

// title names a graph found for people.
export const title = (a: Answer) => (a.name && a.name !== a.id ? `${a.id} · ${a.name}` : a.id);

export const number = (v: number) => String(Math.round(v * 100) / 100);

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
