import type { Series } from "./api";
import { number } from "./cards";
import { h } from "./dom";
import { short, single } from "./groups";
import { count } from "./text";

const most = 24; // groups on a side

interface Cell {
  sum: number;
  count: number;
}

// HeatMap shows the mean of an attribute by the groups at two positions.
export class HeatMap {
  private readonly choice = h("select", { onchange: () => this.show() });
  private readonly sides = [h("select", { onchange: () => this.show() }), h("select", { onchange: () => this.show() })];
  private readonly note = h("p", { className: "hint" });
  private readonly head = h("tr");
  private readonly body = h("tbody");
  readonly element = h("div", { className: "heatmap", hidden: true },
    h("div", { className: "tools" }, h("label", {}, "Mean of ", this.choice), h("label", {}, "by ", this.sides[0]), h("label", {}, "and ", this.sides[1])),
    h("div", { className: "scroller", tabIndex: 0, role: "region", "aria-label": "Heat map" }, h("table", {}, h("thead", {}, this.head), this.body)), this.note);
  private found!: Series;

  // onpick is called with two columns and the groups of a cell that is chosen; draw draws a group.
  constructor(private readonly onpick: (a: string, x: string, b: string, y: string) => void, private readonly draw: (group: string) => HTMLElement) {}

  // open takes up a series with attributes.
  open(found: Series, attributes: string[]): void {
    this.found = found;
    const varied = found.columns.filter((_, i) => new Set(found.rows.map((r) => r.groups[i])).size > 1);
    const numbers = attributes.filter((name) => found.rows.filter((r) => numeric(r.attributes?.[name]) !== null).length > 1);
    this.choice.replaceChildren(...numbers.map((name) => h("option", {}, name)));
    this.sides.forEach((side, i) => {
      side.replaceChildren(...varied.map(({ name }) => h("option", {}, name)));
      side.selectedIndex = Math.min(i, varied.length - 1);
    });
    this.show();
  }

  // possible tells whether there is anything to show.
  get possible(): boolean {
    return this.choice.options.length > 0 && this.sides[0].options.length > 1;
  }

  private show(): void {
    this.head.replaceChildren();
    this.body.replaceChildren();
    if (!this.possible) return;
    const { rows, columns } = this.found, names = this.sides.map((side) => side.value);
    const [a, b] = names.map((name) => columns.findIndex((c) => c.name === name));
    const cells = new Map<string, Cell>(), down = new Map<string, number>(), across = new Map<string, number>();
    let known = 0;
    for (const { groups, attributes } of rows) {
      const x = numeric(attributes?.[this.choice.value]), p = groups[a], q = groups[b];
      if (x === null || !single(p) || !single(q)) continue;
      const cell = cells.get(`${p} ${q}`) ?? { sum: 0, count: 0 };
      cells.set(`${p} ${q}`, { sum: cell.sum + x, count: cell.count + 1 });
      down.set(p, (down.get(p) ?? 0) + 1);
      across.set(q, (across.get(q) ?? 0) + 1);
      known++;
    }
    const left = commonest(down), top = commonest(across);
    const means = left.flatMap((p) => top.flatMap((q) => { const c = cells.get(`${p} ${q}`); return c ? [c.sum / c.count] : []; }));
    const least = Math.min(...means), range = Math.max(...means) - least;
    this.head.append(h("td", {}, `${names[0]} ↓ ${names[1]} →`), ...top.map((q) => h("th", { scope: "col" }, this.draw(q), h("small", {}, short(q)))));
    for (const p of left) {
      this.body.append(h("tr", {}, h("th", { scope: "row" }, this.draw(p), h("small", {}, short(p))), ...top.map((q) => {
        const c = cells.get(`${p} ${q}`);
        if (!c) return h("td");
        const mean = c.sum / c.count, button = h("button", { type: "button", title: `${names[0]} ${short(p)}, ${names[1]} ${short(q)}: ${count(c.count)} ${c.count === 1 ? "molecule" : "molecules"}`, onclick: () => this.onpick(names[0], short(p), names[1], short(q)) }, `${number(mean)}${c.count > 1 ? ` (${c.count})` : ""}`);
        button.style.setProperty("--share", `${Math.round(range ? (100 * (mean - least)) / range : 50)}%`);
        return h("td", {}, button);
      })));
    }
    const cut = left.length < down.size || top.length < across.size ? ` Only the ${most} groups with most molecules are shown of ${count(down.size)} at ${names[0]} and ${count(across.size)} at ${names[1]}.` : "";
    this.note.textContent = `The stronger the colour, the greater the value. Of ${count(rows.length)} molecules ${count(known)} have a number and one group at each of these positions. A cell is the mean of those with both groups, and says how many they are; a click shows them. Other positions are not compared.${cut}`;
  }
}

// numeric returns a number, also one in a text, and null for anything else.
function numeric(x: unknown): number | null {
  if (x === undefined || x === null || typeof x === "boolean" || String(x).trim() === "") return null;
  return Number.isFinite(Number(x)) ? Number(x) : null;
}

// commonest returns the groups with most molecules, these first.
const commonest = (counts: Map<string, number>) => [...counts].sort(([x, n], [y, m]) => m - n || (x < y ? -1 : 1)).slice(0, most).map(([g]) => g);
