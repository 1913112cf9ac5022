import type { Palette } from "./colours";
import { h } from "./dom";
import { Drawing } from "./draw";
import { type Marks, kindOf } from "./marks";
import { type Scene } from "./scene";
import type { Answer, Operation } from "./types";

// Card shows one answer: its drawing, what is known of its distance, its edits.
export class Card {
  readonly element: HTMLLIElement;
  readonly drawing: Drawing;
  private readonly figure = h("div", { className: "figure" });
  private readonly distance = h("span", { className: "distance" });
  private readonly note = h("span", { className: "note" });
  private readonly edits = h("span", { className: "counts" });
  private readonly choose: HTMLButtonElement;
  scene: Scene | null = null;

  constructor(readonly answer: Answer, rank: number, palette: Palette, onchoose: () => void) {
    this.drawing = new Drawing(answer.smiles ?? answer.id, palette);
    this.choose = h("button", { type: "button", className: "choose", onclick: onchoose, "aria-pressed": "false" },
      h("span", { className: "rank" }, String(rank)),
      h("span", { className: "id" }, title(answer)));
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

  // tell shows the distance as far as it is known.
  tell(task: string): void {
    const a = this.answer;
    const known = a.lower !== undefined && a.upper !== undefined;
    this.element.classList.toggle("checked", known);
    this.distance.textContent = known ? (a.exact ? number(a.upper!) : `${number(a.lower!)}–${number(a.upper!)}`) : a.predicted !== undefined ? `≈ ${a.predicted.toFixed(1)}` : "";
    this.distance.title = known
      ? a.exact ? `${task.toUpperCase()}, proven` : `${task.toUpperCase()} lies between these; the time limit left it open`
      : "predicted by the model";
    this.note.textContent = known && a.predicted !== undefined ? `predicted ${a.predicted.toFixed(2)}` : known ? "" : "exact distance to come";
    this.edits.replaceChildren(...counts(a.edits, task === "sed" ? "contained" : "identical"));
  }

  // fail says why the exact distance is missing.
  fail(reason: string): void {
    this.note.textContent = reason;
    this.note.classList.add("failed");
  }
}

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
