import { type Bounds, atLeast, atMost, between } from "./cards";
import { adopt, h } from "./dom";
import { tabular } from "./export";
import { painted } from "./scenes";
import { count } from "./text";
import { complain } from "./trouble";

adopt(`
.matrix tbody tr:not(.room) { height: auto; }
.matrix th[scope="col"] { padding: .4rem .1rem; vertical-align: bottom; }
.matrix th span { display: block; writing-mode: vertical-rl; max-height: 7rem; overflow: hidden; text-overflow: ellipsis; margin: auto; }
.matrix th[scope="row"] { position: sticky; left: 0; background: var(--surface); max-width: 9rem; overflow: hidden; text-overflow: ellipsis; }
.matrix tbody td { padding: 1px; text-align: center; }
.matrix td button { width: 100%; min-width: 2rem; height: 1.7rem; padding: 0 .2rem; border: 0; border-radius: 4px; cursor: pointer; font-variant-numeric: tabular-nums; color: var(--ink); background: color-mix(in srgb, var(--accent) calc(.4 * var(--near, 0%)), var(--surface)); }
`);

// Head is what a row or a column stands for.
export interface Head {
  name: string;
  about: string;
}

// Distances are what a matrix shows. Those that are not known are asked for, a row at a time.
export interface Distances {
  label: string;
  remark: string;
  rows: Head[];
  columns: Head[];
  known: (i: number, j: number) => Bounds | null | undefined; // null: there is none
  ask: ((i: number, columns: number[], tell: Tell, signal: AbortSignal) => Promise<void>) | null; // null: they are not measured
  open: (i: number, j: number) => void;
}

// Tell says that a distance has become known.
export type Tell = (i: number, j: number) => void;

const atOnce = 1000; // cells that are made at a time

// Matrix shows how far graphs are from each other, as far as that is known.
export class Matrix {
  private readonly ground = h("div", { className: "scroller matrix", tabIndex: 0, role: "region" });
  private readonly bar = h("progress");
  private readonly said = h("span");
  private readonly button = h("button", { type: "button", onclick: () => (this.stopped.signal.aborted ? void this.goOn() : this.stopped.abort()) });
  private readonly progress = h("div", { className: "progress" }, this.bar, this.said, this.button);
  readonly element = h("div", { hidden: true }, this.progress, this.ground);
  private stopped = new AbortController();
  private shown: Distances | null = null;
  private cells: HTMLButtonElement[][] = [];

  hide(): void {
    this.stopped.abort();
    this.shown = null;
    this.element.hidden = true;
  }

  async show(distances: Distances): Promise<void> {
    this.hide();
    this.shown = distances;
    this.element.hidden = false;
    this.progress.hidden = true;
    this.cells = [];
    const { rows, columns } = distances, body = h("tbody");
    this.ground.ariaLabel = distances.label;
    this.ground.replaceChildren(h("table", {},
      h("thead", {}, h("tr", {}, h("td"), ...columns.map(({ name, about }) => h("th", { scope: "col", title: about }, h("span", {}, name))))), body));
    let reached: HTMLElement | null = null; // by the Tab key
    body.addEventListener("focusin", ({ target }) => {
      if (reached) reached.tabIndex = -1;
      (reached = target as HTMLElement).tabIndex = 0;
    });
    body.addEventListener("keydown", (e) => {
      const [down, right] = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[e.key] ?? [0, 0];
      const i = this.cells.findIndex((row) => row.includes(e.target as HTMLButtonElement)), to = this.cells[i + down]?.[this.cells[i].indexOf(e.target as HTMLButtonElement) + right];
      if (!to || to === e.target) return;
      e.preventDefault();
      to.focus();
    });
    for (const [i, { name, about }] of rows.entries()) {
      const row = columns.map((c, j) => h("button", { type: "button", tabIndex: -1, title: `Compare ${name} with ${c.name}`, onclick: () => distances.open(i, j) }, "·"));
      this.cells.push(row);
      body.append(h("tr", {}, h("th", { scope: "row", title: about }, name), ...row.map((b) => h("td", {}, b))));
      row.forEach((_, j) => this.tell(i, j));
      if (i === 0) row[0].tabIndex = 0;
      if (i % Math.ceil(atOnce / columns.length) === 0) await painted();
      if (this.shown !== distances) return;
    }
    await this.goOn();
  }

  // csv has a number for what is exact, and bounds as 5..7.
  csv(): string {
    const { rows, columns, known } = this.shown!;
    const text = (d: Bounds | null | undefined) => (d?.upper === undefined ? "" : d.lower === d.upper ? d.upper : `${atLeast(d.lower!)}..${atMost(d.upper)}`);
    return tabular(["", ...columns.map((c) => c.name)], rows.map(({ name }, i) => [name, ...columns.map((_, j) => text(known(i, j)))]));
  }

  // goOn asks for what is not known yet.
  private async goOn(): Promise<void> {
    const distances = this.shown!, { rows, columns, known, ask, remark } = distances;
    const { signal } = (this.stopped = new AbortController());
    const unknown = (i: number) => columns.flatMap((_, j) => (known(i, j) === undefined ? [j] : []));
    const all = rows.length * columns.length;
    let missing = rows.reduce((sum, _, i) => sum + unknown(i).length, 0);
    const tell = () => {
      this.progress.hidden = missing === 0 || !ask;
      this.bar.value = (all - missing) / all;
      this.said.textContent = `${count(all - missing)} of ${count(all)} distances. ${remark}`;
      this.button.textContent = signal.aborted ? "Go on" : "Cancel";
    };
    tell();
    try {
      for (const i of rows.keys()) {
        const asked = unknown(i);
        if (ask && asked.length) await ask(i, asked, (i, j) => {
          missing--;
          this.tell(i, j);
          tell();
        }, signal);
      }
    } catch (e) {
      if (!signal.aborted) complain(e);
      this.stopped.abort();
    }
    if (this.shown === distances) tell();
  }

  private tell(i: number, j: number): void {
    const d = this.shown?.known(i, j), cell = this.cells[i]?.[j];
    if (d === undefined || !cell) return;
    cell.textContent = d?.upper === undefined ? "–" : between(d);
    cell.style.setProperty("--near", `${Math.round(100 / (1 + (d?.upper ?? Infinity) / 3))}%`);
  }
}
