import { beside } from "./beside";
import type { Difference } from "./api";
import { Chart, widthOf } from "./chart";
import { type Change, changesOf } from "./changes";
import { h } from "./dom";
import { describe } from "./edits";
import { openMenu } from "./menu";
import { brief } from "./names";
import { PanZoom } from "./panzoom";
import type { Pair } from "./path";
import { alone, png } from "./picture";
import { isLarge, painted } from "./scenes";
import { save } from "./share";
import type { Operation } from "./types";
import { type Union, called, fold, groups, unite } from "./union";
import { type Box, type Wrapping, inRows } from "./wrapped";

// many is how many nodes are shown unfolded without being asked, and few how many groups are open at first.
const many = 40, few = 12;

// plain is the style of a list without dots. Styles of what few visitors see are here, so that the first view has less.
const plain = "list-style: none; padding: 0", whole = "grid-template: auto auto minmax(0, 1fr) / minmax(0, 1fr) minmax(14rem, 24rem); height: calc(100vh - 1.2rem)";

// view shows a pair of graphs over the whole window, with what is known of its differences.
export function view(pair: Pair, query: string, found: string, known?: Difference): void {
  const dialog: HTMLDialogElement = h("dialog", { className: "viewer", "aria-label": "Differences", tabIndex: -1, onclose: () => dialog.remove() });
  const viewer = new Viewer(pair, query, found, known, () => dialog.close());
  dialog.append(viewer.element);
  document.body.append(dialog);
  dialog.showModal();
  viewer.begin();
  dialog.focus(); // not the field: keys move and step
  dialog.addEventListener("keydown", (e) => viewer.key(e, dialog));
}

// Viewer shows a pair of graphs: what corresponds has the same place in both, and both move
// together. The changes stand beside it, in groups.
export class Viewer {
  readonly element: HTMLElement;
  private readonly left = new Chart("The query", "query");
  private readonly right = new Chart("The graph found", "target");
  private readonly panes = new PanZoom([this.left.element, this.right.element]);
  private readonly whole: Union;
  private readonly parts: Operation[][];
  private readonly changes: { heading: string; list: Change[] }[];
  private readonly list = h("div", { className: "changes", style: "overflow-y: auto; font-size: .85rem; overflow-wrap: anywhere", tabIndex: 0, role: "group", "aria-label": "Changes, in groups" });
  private readonly words: string[];
  private readonly short: Map<string, string>;
  private wanted!: Union; // what is laid out
  private shown!: Union;
  private boxes: Box[] = [];
  private at = -1; // the group of edits on show
  private readonly told = h("p", { className: "told", "aria-live": "polite" });
  private readonly position = h("output", { className: "position" });
  private readonly folded = h("input", { type: "checkbox", onchange: () => void this.draw() });
  private readonly lines: HTMLElement[] = []; // of the groups
  private readonly find = h("input", { type: "search", placeholder: "Find a name", "aria-label": "Find a name", oninput: () => this.search() });

  // Where nothing is known of the differences but the pair, edits are grouped by the node that they are about. close
  // closes the window that the viewer fills, if it does.
  constructor(private readonly pair: Pair, private readonly query: string, private readonly found: string, known?: Difference, close?: () => void) {
    this.whole = unite(pair);
    this.parts = known ? known.groups.map((g) => g.changes.flatMap((c) => c.edits)) : groups(this.whole, pair.edits);
    const nodes = [...pair.query.nodes, ...pair.target.nodes];
    const labels = brief(nodes.map((n) => n.label)), names = brief(nodes.map((n) => n.name ?? n.label));
    this.short = new Map([...labels, ...names, ...nodes.map((n): [string, string] => [called(n), called({ label: labels.get(n.label)!, name: names.get(n.name ?? n.label)! })])]);
    this.words = describe(pair, (label) => this.short.get(label) ?? label);
    this.folded.checked = this.whole.spots.length > many && pair.edits.length > 0;
    const button = (text: string, name: string, act: (b: HTMLElement) => void) => {
      const b: HTMLElement = h("button", { type: "button", className: "round", "aria-label": name, title: name, onclick: () => act(b) }, text);
      return b;
    };
    for (const chart of [this.left, this.right]) chart.onpoint = (spot) => this.point(spot);
    const figure = (chart: Chart, text: string) => h("figure", {}, h("figcaption", { title: text }, text), chart.element);
    this.changes = changesOf(pair, this.parts, this.words, (label) => this.short.get(label) ?? label, known);
    this.changes.forEach(({ heading, list }, i) => {
      const line = h("details", { open: this.changes.length <= few },
        h("summary", {}, heading),
        h("ul", { style: plain }, ...list.map((c) => h("li", {},
          h("button", { type: "button", className: `edit ${c.kind}`, style: "border: 0", onclick: () => this.show(i, c.edits) }, h("span", { className: "dot" }), h("span", { className: "said", style: "white-space: normal; max-width: none", title: c.text }, c.text))))));
      this.lines.push(line);
    });
    this.list.append(...(known?.summary?.length ? [h("ul", { className: "summary", style: `${plain}; color: var(--quiet)` }, ...known.summary.map((line) => h("li", {}, line)))] : []), ...this.lines);
    this.told.style.cssText = "grid-column: 1 / -1; text-align: left; max-height: 4.2em; overflow-y: auto; overflow-wrap: anywhere";
    if (!close) this.list.style.height = "8rem";
    this.element = h("div", { className: "differences", style: `display: grid; gap: .4rem; min-width: 0; ${close ? whole : ""}` },
      h("div", { className: "tools", style: "grid-column: 1 / -1" },
        this.find,
        h("div", { className: "stepper", role: "group", "aria-label": "Changes, in groups" },
          button("←", "Previous group of edits", () => this.step(-1)), this.position, button("→", "Next group of edits", () => this.step(1))),
        h("label", {}, this.folded, " only what changed"),
        h("div", { className: "right" },
          button("+", "Zoom in", () => this.panes.zoom(1.4)), button("−", "Zoom out", () => this.panes.zoom(1 / 1.4)), button("□", "Show all", () => this.panes.reset()),
          ...(close ? [button("⋯", "Save what is seen", (b) => this.save(b)), button("×", "Close", close)] : []))),
      this.told,
      h("div", { className: "panes", style: close ? "" : "height: 32vh" }, figure(this.left, query), figure(this.right, found)),
      this.list);
  }

  // begin draws once the element is on the page.
  begin(): void {
    this.shown = { ...this.whole, spots: [], ties: [] };
    void this.draw();
  }

  // drawings returns what is on show, with its captions.
  drawings(): { element: SVGSVGElement; text: string }[] {
    return [{ element: this.left.element, text: this.query }, { element: this.right.element, text: this.found }];
  }

  // draw shows what is to be seen once it is laid out beside the page, in plain rows where that
  // takes too long.
  private async draw(): Promise<void> {
    const union = this.folded.checked ? this.foldedUnion() : this.whole;
    const name = (label: string) => this.short.get(label) ?? label;
    const widths = union.spots.map((s) => Math.max(...[s.query, s.target].map((l) => (l === null ? 0 : widthOf(s.folded ? l : name(l))))));
    const task: Wrapping = { widths, edges: union.ties.map(({ a, b }) => ({ a, b })), directed: union.directed };
    this.wanted = union;
    const boxes = ((await beside.add(task)) as Box[] | undefined) ?? inRows(widths);
    if (this.wanted !== union) return;
    this.shown = union;
    this.boxes = boxes;
    this.left.show(union, boxes, name);
    this.right.clear();
    this.at = -1;
    this.tell();
    this.panes.begin(around(this.boxes, 30));
    if (isLarge(union.spots)) await painted();
    if (this.wanted === union) this.right.show(union, boxes, name);
  }

  // foldedUnion leaves what changed and its neighbours, or, where those are most of all,
  // what changed alone.
  private foldedUnion(): Union {
    const near = fold(this.whole, this.pair.edits, 1);
    return near.spots.length > this.whole.spots.length / 2 ? fold(this.whole, this.pair.edits, 0) : near;
  }

  private step(by: number): void {
    if (this.parts.length === 0) return;
    const to = this.at < 0 && by < 0 ? this.parts.length - 1 : (this.at + by + this.parts.length) % this.parts.length;
    this.show(to, this.parts[to]);
  }

  // show looks at some edits of a group.
  private show(part: number, edits: Operation[]): void {
    this.at = part;
    this.look(new Set(edits.flatMap(this.shown.at)));
    this.lines.forEach((line, i) => (line.style.color = i === part ? "var(--accent)" : ""));
    this.lines[part].setAttribute("open", "");
    this.lines[part].scrollIntoView({ block: "nearest" });
    this.tell();
  }

  // search shows the names that have the text.
  private search(): void {
    const text = this.find.value.trim().toLowerCase();
    const has = (label: string | null) => label?.toLowerCase().includes(text) ?? false;
    const hits = text ? this.shown.spots.flatMap((s, v) => (!s.folded && (has(s.query) || has(s.target)) ? [v] : [])) : [];
    const hidden = text && this.folded.checked ? this.whole.spots.filter((s) => has(s.query) || has(s.target)).length - hits.length : 0;
    this.look(new Set(hits));
    this.told.textContent = text ? `${hits.length} found${hidden > 0 ? `, ${hidden} more where nothing changed` : ""}` : "";
  }

  private look(spots: Set<number>): void {
    this.left.light(spots);
    this.right.light(spots);
    if (spots.size) this.panes.show(around([...spots].map((v) => this.boxes[v]), 120));
    else this.panes.reset();
  }

  private point(spot: number | null): void {
    const on = new Set(spot === null ? [] : [spot]);
    this.left.light(on);
    this.right.light(on);
    if (spot === null) return this.tell();
    const { query, target, folded } = this.shown.spots[spot];
    this.told.textContent = folded ? `${folded} nodes in one piece, unchanged` : query === target || target === null ? query! : query === null ? target : `${query} → ${target}`;
  }

  private tell(): void {
    const { length } = this.parts;
    this.position.textContent = length === 0 ? "no edits" : `${this.at + 1} / ${length}`;
    this.told.textContent = this.at < 0 ? "" : this.parts[this.at].map((op) => this.words[this.pair.edits.indexOf(op)]).join(" · ");
  }

  private save(button: HTMLElement): void {
    const drawings = () => alone(this.drawings(), this.left.element.getBoundingClientRect());
    openMenu([
      { text: "Save as SVG", act: () => save(new Blob([drawings()], { type: "image/svg+xml" }), "differences.svg") },
      { text: "Save as PNG", act: () => void png(drawings()).then((blob) => save(blob, "differences.png"), (e) => (this.told.textContent = (e as Error).message)) },
    ], button);
  }

  // key takes a key of a window that the viewer fills.
  key(e: KeyboardEvent, window: HTMLElement): void {
    if (e.target === this.find) {
      if (e.key !== "Enter") return;
      e.preventDefault();
      window.focus();
      return;
    }
    const act = {
      "+": () => this.panes.zoom(1.4), "-": () => this.panes.zoom(1 / 1.4), "0": () => this.panes.reset(), "/": () => this.find.focus(), n: () => this.step(1), p: () => this.step(-1),
      ArrowLeft: () => this.panes.move(-0.1, 0), ArrowRight: () => this.panes.move(0.1, 0), ArrowUp: () => this.panes.move(0, -0.1), ArrowDown: () => this.panes.move(0, 0.1),
    }[e.key];
    if (!act || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    act();
  }
}

// around returns the region that has some boxes, with room on all sides.
function around(boxes: Box[], room: number): { x: number; y: number; width: number; height: number } {
  const least = (f: (b: Box) => number) => boxes.reduce((m, b) => Math.min(m, f(b)), Infinity), most = (f: (b: Box) => number) => boxes.reduce((m, b) => Math.max(m, f(b)), -Infinity);
  if (boxes.length === 0) return { x: 0, y: 0, width: 100, height: 100 };
  const x = least((b) => b.x - b.width / 2) - room, y = least((b) => b.y) - room;
  return { x, y, width: most((b) => b.x + b.width / 2) + room - x, height: most((b) => b.y) + room - y };
}
