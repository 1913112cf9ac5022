import { Drawing } from "./draw";
import { h } from "./dom";
import type { Palette } from "./colours";
import { kindOf, marksIn } from "./marks";
import { describe } from "./edits";
import { type Pair, type Step, placeOf, stepOf } from "./path";
import { type Scene, nameOf } from "./scene";
import { isLarge, painted } from "./scenes";
import { shorten } from "./text";
import type { Operation } from "./types";

// Comparison shows a pair of molecules side by side, with the edits on both drawings,
// and steps through them.
export class Comparison {
  readonly element: HTMLElement;
  private readonly left: Drawing;
  private readonly right: Drawing;
  private readonly caption = h("figcaption");
  private readonly rightCaption = h("figcaption");
  private readonly list = h("ol", { className: "edits" });
  private readonly back = h("button", { type: "button", className: "step", title: "Previous edit (←)", "aria-label": "Previous edit", onclick: () => this.go(this.at - 1) }, "←");
  private readonly on = h("button", { type: "button", className: "step", title: "Next edit (→)", "aria-label": "Next edit", onclick: () => this.go(this.at + 1) }, "→");
  private readonly position = h("output", { className: "position", "aria-live": "polite" });
  private readonly told = h("p", { className: "told", "aria-live": "polite" });
  private readonly path = h("div", { className: "path" },
    h("div", { className: "stepper", role: "group", "aria-label": "Edit path" }, this.back, this.position, this.on),
    this.list);
  private pair: Pair | null = null;
  private step: Step | null = null; // the graph after the edits so far
  private whole: string[] = []; // the edits in words
  private said: string[] = []; // the same with labels cut
  private at = 0;
  private drawn = 0; // the step on show, between two while it moves
  private frame = 0;
  private cursor = -1;

  constructor(palette: Palette) {
    this.left = new Drawing("The query", palette);
    this.right = new Drawing("The graph found", palette);
    for (const [drawing, side] of [[this.left, "query"], [this.right, "target"]] as const) {
      drawing.element.setAttribute("tabindex", "0");
      drawing.element.setAttribute("role", "application");
      drawing.onhover = (v) => this.light(side, v);
      drawing.element.addEventListener("keydown", (e) => this.walk(e, side));
      drawing.element.addEventListener("blur", () => this.light(side, null));
    }
    this.element = h("div", { className: "comparison" },
      h("div", { className: "pair" },
        h("figure", {}, this.left.element, this.caption),
        h("figure", {}, this.right.element, this.rightCaption)),
      this.told,
      this.path);
    this.element.addEventListener("keydown", (e) => {
      if ((e.target as Element).closest("svg") || e.altKey || e.ctrlKey || e.metaKey) return;
      const move = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
      if (move) {
        e.preventDefault();
        this.go(this.at + move);
      }
    });
  }

  // drawings returns what is on show, with its captions.
  drawings(): { element: SVGSVGElement; text: string }[] {
    return [{ element: this.left.element, text: this.caption.textContent ?? "" }, { element: this.right.element, text: this.rightCaption.textContent ?? "" }];
  }

  // wait empties the drawings until a pair is known.
  wait(): void {
    cancelAnimationFrame(this.frame);
    this.pair = null;
    this.step = null;
    this.at = 0;
    this.left.clear();
    this.right.clear();
    this.list.replaceChildren();
    for (const text of [this.caption, this.rightCaption]) text.textContent = "\u00a0";
  }

  // shows tells whether a pair is on show.
  shows(pair: Pair): boolean {
    return this.pair === pair;
  }

  show(pair: Pair, query: string, found: string): void {
    cancelAnimationFrame(this.frame);
    this.pair = pair;
    this.step = stepOf(pair, 0);
    this.caption.dataset.name = query;
    this.rightCaption.textContent = this.rightCaption.title = found;
    this.caption.title = query;
    // Where only what is common counts there are no edits to step through.
    this.path.hidden = pair.beyond === "both" || pair.beyond === "query";
    this.whole = describe(pair);
    this.said = describe(pair, short);
    this.list.replaceChildren(...pair.edits.map((op, i) => h("li", {},
      h("button", { type: "button", className: `edit ${kindOf(op)}`, onclick: () => this.go(i + 1) },
        h("span", { className: "dot" }), h("span", { className: "said", title: this.whole[i] }, this.said[i])))));
    this.at = this.drawn = 0;
    this.tell();
    this.render();
  }

  private go(to: number): void {
    if (!this.pair) return;
    const next = Math.max(0, Math.min(to, this.pair.edits.length));
    if (next === this.at) return;
    this.at = next;
    this.step = stepOf(this.pair, next);
    this.cursor = -1;
    this.renderList();
    this.tell();
    cancelAnimationFrame(this.frame);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.drawn = next;
      this.render();
      return;
    }
    const from = this.drawn, begin = performance.now();
    const move = (now: number) => {
      const t = Math.min(1, Math.max(0, (now - begin) / 280));
      this.drawn = from + (next - from) * (t * t * (3 - 2 * t));
      this.render();
      if (t < 1) this.frame = requestAnimationFrame(move);
    };
    this.frame = requestAnimationFrame(move);
  }

  private render(): void {
    const pair = this.pair!;
    const step = this.step!;
    const marks = this.at === 0 ? marksIn(pair, pair.edits, "query") : step.marks;
    const edits = this.at === 0 ? pair.edits : [pair.edits[this.at - 1]];
    const { left, right } = this.names(step, this.path.hidden ? [] : edits);
    this.left.show(this.between(step), marks, [pair.query, pair.target], left);
    this.renderList();
    const drawRight = () => this.right.show(pair.target, marksIn(pair, edits, "target"), [pair.query, pair.target], right);
    if (!isLarge(pair.target.nodes)) return drawRight();
    const { at } = this;
    void painted().then(() => this.pair === pair && this.at === at && drawRight());
  }

  // names returns the names or numbers by which edits call nodes, for the nodes of both
  // drawings: those that the query gives them.
  private names(step: Step, edits: Operation[]): { left: Map<number, string>; right: Map<number, string> } {
    const { map, query } = this.pair!;
    const told = new Set(edits.flatMap((op) => op.query ?? op.target!.map((x) => map.indexOf(x))).filter((v) => v >= 0));
    const left = new Map<number, string>(), right = new Map<number, string>();
    for (const v of told) {
      const at = step.names.indexOf(v);
      if (at >= 0) left.set(at, nameOf(query, v));
      if (map[v] >= 0) right.set(map[v], nameOf(query, v));
    }
    return { left, right };
  }

  // between moves the nodes of a step part of the way.
  private between(step: Step): Step["scene"] {
    const nodes = step.scene.nodes.map((node, i) => ({ ...node, ...placeOf(this.pair!, step.names[i], this.drawn) }));
    return { ...step.scene, nodes };
  }

  // tell says in full the edit on show, if it is cut in the list.
  private tell(): void {
    const whole = this.whole[this.at - 1] ?? "";
    this.told.textContent = this.said[this.at - 1] === whole ? "" : whole;
  }

  private renderList(): void {
    const last = this.pair!.edits.length;
    this.caption.textContent = this.at === 0 ? this.caption.dataset.name ?? "" : `after ${this.at} of ${last} ${last === 1 ? "edit" : "edits"}`;
    this.position.textContent = last === 0 ? "no edits" : `${this.at} / ${last}`;
    this.back.disabled = this.at === 0;
    this.on.disabled = this.at === last;
    [...this.list.children].forEach((li, i) => {
      li.classList.toggle("done", i < this.at);
      if (i === this.at - 1) li.setAttribute("aria-current", "step");
      else li.removeAttribute("aria-current");
    });
  }

  // light shows which nodes correspond. v is a node as drawn.
  private light(side: "query" | "target", v: number | null): void {
    const pair = this.pair;
    if (!pair) return;
    const step = this.step!, n = pair.query.nodes.length;
    if (v === null) {
      this.left.highlight([]);
      this.right.highlight([]);
      this.tell();
      return;
    }
    const targetOf = (name: number) => (name < n ? pair.map[name] : name - n);
    const left = side === "query" ? v : step.names.findIndex((name) => targetOf(name) === v);
    const right = side === "target" ? v : targetOf(step.names[v]);
    this.left.highlight(left >= 0 ? [left] : []);
    this.right.highlight(right >= 0 ? [right] : []);
    const name = (scene: Scene, v: number) => `Atom ${nameOf(scene, v)} (${scene.nodes[v].label})`;
    const a = left >= 0 ? name(step.scene, left) : "", b = right >= 0 ? name(pair.target, right) : "";
    this.told.textContent =
      left >= 0 && right >= 0 ? `${a} ↔ ${b} of the graph found`
      : left >= 0 ? `${a} has no counterpart`
      : `${b} of the graph found has no counterpart`;
  }

  // walk moves from node to node with the arrow keys.
  private walk(e: KeyboardEvent, side: "query" | "target"): void {
    const move = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
    if (!move || !this.pair) return;
    e.preventDefault();
    const count = side === "query" ? this.step!.scene.nodes.length : this.pair.target.nodes.length;
    this.cursor = (this.cursor + move + count) % count;
    this.light(side, this.cursor);
  }
}

// short cuts a label so that an edit fits a line of a phone.
const short = (label: string) => shorten(label, 14);
