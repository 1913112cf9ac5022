import { chartStyle } from "./chartstyle";
import { adopt } from "./dom";
import { svg } from "./svg";
import type { Union } from "./union";
import type { Box } from "./wrapped";

adopt(chartStyle);

const height = 26; // of a box

// widthOf returns how wide the box of a name is.
export const widthOf = (name: string) => 7.2 * name.length + 18;

// Chart draws one side of a union: names in boxes, and arrows between them.
export class Chart {
  readonly element: SVGSVGElement;
  onpoint: (spot: number | null) => void = () => {};
  private spots = new Map<number, SVGGElement>();
  private ties: { a: number; b: number; element: SVGElement }[] = [];

  constructor(label: string, private readonly side: "query" | "target") {
    this.element = svg("svg", { class: "drawing chart", role: "img", "aria-label": label, preserveAspectRatio: "xMidYMid meet" });
    const at = (e: Event) => (e.target as Element).closest("[data-spot]")?.getAttribute("data-spot");
    this.element.addEventListener("pointerover", (e) => this.onpoint(at(e) === undefined || at(e) === null ? null : Number(at(e))));
    this.element.addEventListener("pointerleave", () => this.onpoint(null));
  }

  show(union: Union, boxes: Box[], name: (label: string) => string): void {
    const edges = svg("g"), nodes = svg("g");
    this.spots = new Map();
    this.ties = [];
    const marked = (mark: string | undefined) => (mark && mark !== "rest" ? mark : "");
    for (const tie of union.ties) {
      if (!tie[this.side]) continue;
      const mark = marked(this.side === "query" ? tie.queryMark : tie.targetMark);
      const element = svg("g", { class: `tie ${mark}` }, ...line(boxes[tie.a], boxes[tie.b], union.directed));
      this.ties.push({ ...tie, element });
      edges.append(element);
    }
    union.spots.forEach((spot, v) => {
      const label = spot[this.side];
      if (label === null) return;
      const { x, y, width } = boxes[v], mark = marked(this.side === "query" ? spot.queryMark : spot.targetMark);
      const text = spot.folded ? label : name(label);
      const group = svg("g", { class: `spot ${spot.folded ? "folded" : mark}`, "data-spot": v },
        svg("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: 6 }),
        svg("text", { x, y: y + 4.5 }, text), svg("title", {}, label));
      this.spots.set(v, group);
      nodes.append(group);
    });
    this.element.replaceChildren(edges, nodes);
  }

  clear(): void {
    this.spots = new Map();
    this.ties = [];
    this.element.replaceChildren();
  }

  // light shows some spots and the edges that lead to and from them.
  light(spots: Set<number>): void {
    this.element.classList.toggle("dimmed", spots.size > 0);
    for (const [v, group] of this.spots) group.classList.toggle("lit", spots.has(v));
    for (const { a, b, element } of this.ties) {
      const on = spots.has(a) || spots.has(b);
      element.classList.toggle("lit", on);
      if (on && spots.size === 1) for (const v of [a, b]) this.spots.get(v)?.classList.add("lit");
    }
  }
}

// line returns an edge from the lower side of a box to the upper one of another.
function line(from: Box, to: Box, directed: boolean): SVGElement[] {
  if (from === to) return [svg("path", { d: `M${from.x + from.width / 2} ${from.y - 5}c22 -8 22 18 0 10` })];
  const down = to.y >= from.y ? 1 : -1, level = to.y === from.y;
  // Edges leave and enter where the other end is, within their box.
  const within = (box: Box, x: number) => Math.max(box.x - box.width / 2 + 10, Math.min(box.x + box.width / 2 - 10, x));
  const x1 = within(from, from.x + (to.x - from.x) * 0.2), x2 = within(to, to.x + (from.x - to.x) * 0.2);
  const y1 = from.y + (down * height) / 2, y2 = to.y - (level ? -1 : down) * (height / 2);
  const bend = level ? 24 : Math.max(14, Math.abs(y2 - y1) * 0.4) * down;
  const path = svg("path", { d: `M${x1.toFixed(1)} ${y1}C${x1.toFixed(1)} ${y1 + bend} ${x2.toFixed(1)} ${level ? y2 + bend : y2 - bend} ${x2.toFixed(1)} ${y2}` });
  if (!directed) return [path];
  const back = level ? 1 : -down;
  return [path, svg("path", { class: "head", d: `M${x2.toFixed(1)} ${y2}l-3.5 ${7 * back}h7z` })];
}
