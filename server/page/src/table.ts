import * as api from "./api";
import { beside } from "./beside";
import type { Palette } from "./colours";
import { type Column, type Line, columnsOf, decimals, padded, passes, textOf, usual } from "./columns";
import { byId, h } from "./dom";
import { Drawing } from "./draw";
import { type By, heads } from "./heads";
import { type Item, openMenu } from "./menu";
import { type Printed, idle } from "./print";
import type { Properties } from "./properties";
import { saveSearch } from "./saved";
import type { Scene } from "./scene";
import { sceneOf } from "./scenes";
import { busy, save } from "./share";
import { ordering } from "./sorting";
import { count } from "./text";

const rowHeight = 76; // as in the style sheet
const beyond = 6; // rows above and below those in view
const mostPrinted = 500; // rows of a print
const atATime = 50; // molecules whose properties are asked for at once

// Shown is what the table needs of a search.
export interface Shown {
  collection: string;
  lines: Line[];
  total: number; // of the answers, with those that are still to come
  whole: () => Promise<void>; // has them come
  molecules: boolean;
  attributes: string[];
}

// Table shows all answers as rows: those in view alone are on the page. Rows that are
// selected stay so while one searches on.
export class Table {
  onpick: (id: string) => void = () => {};
  onselect: (ids: string[]) => void = () => {};
  oncomplain: (e: unknown) => void = () => {};
  private readonly section = byId("table");
  private readonly head = h("thead");
  private readonly body = h("tbody");
  private readonly scroller = h("div", { className: "scroller", tabIndex: 0, role: "region", "aria-label": "Answers as a table", onscroll: () => this.fill() });
  private readonly count = h("span");
  private readonly chooser = h("div", { className: "chosen" });
  private readonly selected = new Map<string, Line>(); // of one collection
  private picks = new Set<string>(); // of an address, to be selected when they are answers
  private readonly properties = new Map<string, Properties | null>(); // by SMILES
  private readonly conditions = new Map<string, string>(); // by column
  private chosen = new Set(usual);
  private known = new Set<string>(); // attributes that were offered
  private order = { key: "rank", down: false };
  private shown: Shown = { collection: "", lines: [], total: 0, whole: async () => {}, molecules: false, attributes: [] };
  private computing: Promise<void> = Promise.resolve();
  private columns: Column[] = [];
  private lines: Line[] = []; // that pass, in order
  private rows: (Line | string)[] = []; // the same, with the names of groups between them
  private first = -1;
  private places = new Map<string, number>(); // decimals of the columns of numbers, by key
  private whole = false; // all rows are on the page, as for a print
  private readonly scenes = new Map<string, Scene>(); // by SMILES

  constructor(private readonly palette: Palette) {
    const out: HTMLElement = h("button", { type: "button", "aria-haspopup": "menu", onclick: () => this.takeAway(out) }, "Save …");
    this.scroller.append(h("table", {}, this.head, this.body));
    this.section.append(h("div", { className: "tools" }, this.count,
      h("details", {}, h("summary", {}, "Columns"), this.chooser),
      h("button", { type: "button", onclick: () => this.select(this.lines, this.lines.some((l) => !this.selected.has(l.answer.id))) }, "Select all or none"), out), this.scroller);
  }

  get open(): boolean {
    return !this.section.hidden;
  }

  toggle(on: boolean): void {
    this.section.hidden = !on;
    document.body.classList.toggle("tabled", on);
  }

  // pick selects graphs when they are among the answers, and no others.
  pick(ids: string[]): void {
    this.picks = new Set(ids);
    for (const id of this.selected.keys()) if (!this.picks.delete(id)) this.selected.delete(id);
  }

  // show takes up answers.
  show(shown: Shown): void {
    this.shown = shown;
    for (const line of shown.lines) if (this.picks.delete(line.answer.id)) this.selected.set(line.answer.id, line);
    this.columns = columnsOf(shown.molecules, shown.attributes).filter((c) => c.key !== "name" || shown.lines.some((l) => c.value(l) !== undefined));
    for (const name of shown.attributes) if (!this.known.has(name)) this.chosen.add(`@${name}`);
    this.known = new Set([...this.known, ...shown.attributes]);
    this.chooser.replaceChildren(...this.columns.map((c) => h("label", {}, h("input", {
      type: "checkbox", checked: this.chosen.has(c.key), onchange: (e: Event) => {
        if ((e.target as HTMLInputElement).checked) this.chosen.add(c.key);
        else this.chosen.delete(c.key);
        this.heads();
        this.arrange();
      },
    }), ` ${c.title}`)));
    this.computed(shown.lines);
    this.heads();
    this.arrange();
    this.computing = this.compute(() => this.shown === shown && this.open);
    void this.draw(() => this.shown === shown && this.open);
  }

  private get visible(): Column[] {
    return this.columns.filter((c) => this.chosen.has(c.key));
  }

  // computed fills in the properties that are known.
  private computed(lines: Line[]): void {
    for (const line of lines) line.properties = this.properties.get(line.answer.smiles ?? "");
  }

  // compute asks for the properties that are not known yet, as long as they are wanted, and
  // arranges the rows again.
  private async compute(wanted: () => boolean): Promise<void> {
    if (!this.shown.molecules) return;
    const lines = [...this.shown.lines, ...this.selected.values()];
    const unknown = [...new Set(lines.map((l) => l.answer.smiles).filter((s): s is string => s !== undefined && !this.properties.has(s)))];
    for (let i = 0; i < unknown.length; i += atATime) {
      if (!wanted()) return;
      const part = unknown.slice(i, i + atATime);
      const made = (await beside.add({ molecules: part })) as (Properties | null)[] | undefined;
      part.forEach((smiles, j) => this.properties.set(smiles, made?.[j] ?? null));
    }
    if (!wanted()) return;
    this.computed(lines);
    if (unknown.length) this.arrange();
  }

  // draw lays out the molecules of rows that nobody has seen: a print shows them, too.
  private async draw(wanted: () => boolean): Promise<void> {
    for (const { answer } of this.lines.slice(0, mostPrinted)) {
      if (!answer.smiles || this.scenes.has(answer.smiles)) continue;
      await idle();
      if (!wanted()) return;
      await this.laidOut(answer.smiles);
    }
  }

  private async laidOut(smiles: string): Promise<Scene | null> {
    const scene = this.scenes.get(smiles) ?? (await sceneOf(smiles, undefined));
    if (scene) this.scenes.set(smiles, scene);
    return scene;
  }

  // printed is the table as a print has it: its first rows, not those in view alone.
  readonly printed: Printed = {
    ready: async () => {
      if (!this.open) return;
      await this.computing;
      await this.draw(() => true);
    },
    unfold: () => this.unfold(true),
    fold: () => this.unfold(false),
  };

  private unfold(whole: boolean): void {
    if (!this.open) return;
    this.whole = whole;
    this.first = -1;
    this.fill();
  }

  private heads(): void {
    const sort = (order: By) => {
      this.order = order;
      this.heads();
      this.arrange();
    };
    this.head.replaceChildren(
      h("tr", {}, h("th", { scope: "col" }, h("span", { className: "unseen" }, "selected")), ...(this.shown.molecules ? [h("th", { scope: "col" }, "structure")] : []),
        ...heads(this.head, this.visible, this.order, sort)),
      h("tr", {}, h("td"), ...(this.shown.molecules ? [h("td")] : []), ...this.visible.map((c) => h("td", {}, h("input", {
        type: "search", value: this.conditions.get(c.key) ?? "", "aria-label": `Filter ${c.title}`, title: "a text, <5, >=2, 2..5, or =x",
        oninput: (e: Event) => {
          this.conditions.set(c.key, (e.target as HTMLInputElement).value);
          this.arrange();
        },
      })))));
  }

  // arrange filters and sorts the rows.
  private arrange(): void {
    const conditions = this.columns.filter((c) => this.conditions.get(c.key)?.trim()).map((c) => ({ c, text: this.conditions.get(c.key)! }));
    const by = this.columns.find((c) => c.key === this.order.key) ?? this.columns[0];
    this.lines = this.shown.lines.filter((l) => conditions.every(({ c, text }) => passes(c.value(l), text))).sort(ordering((l: Line) => by.value(l), this.order.down));
    const groups = [...Map.groupBy(this.lines, (l) => l.group)];
    this.rows = groups.flatMap(([group, lines]) => (group === undefined ? lines : [group, ...lines]));
    this.align();
    this.first = -1;
    this.fill();
  }

  // align gives the numbers of a column as many decimals as the one that has most, and its head their side.
  private align(): void {
    this.places.clear();
    for (const c of this.visible) {
      for (const line of this.lines) {
        if (typeof c.value(line) !== "number") continue;
        this.places.set(c.key, Math.max(this.places.get(c.key) ?? 0, decimals(textOf(c, line))));
      }
    }
    for (const button of this.head.querySelectorAll<HTMLElement>("[data-key]")) button.parentElement!.classList.toggle("number", this.places.has(button.dataset.key!));
  }

  // fill puts the rows in view on the page.
  private fill(): void {
    const total = this.whole ? Math.min(this.rows.length, mostPrinted) : this.rows.length;
    const first = this.whole ? 0 : Math.max(0, Math.min(Math.floor(this.scroller.scrollTop / rowHeight), total - 1) - beyond);
    if (first === this.first) return;
    this.first = first;
    const last = this.whole ? total : Math.min(total, first + Math.ceil((this.scroller.clientHeight || 600) / rowHeight) + 2 * beyond);
    const room = (rows: number) => {
      const cell = h("td", { colSpan: 99 });
      cell.style.height = `${rows * rowHeight}px`;
      return rows > 0 ? [h("tr", { className: "room", "aria-hidden": "true" }, cell)] : [];
    };
    this.body.parentElement!.setAttribute("aria-rowcount", String(total + 2));
    this.body.replaceChildren(...room(first), ...this.rows.slice(first, last).map((row, i) => (typeof row === "string" ? heading(row, first + i) : this.row(row, first + i))), ...room(total - last));
    this.tell();
  }

  private row(line: Line, at: number): HTMLElement {
    const { answer } = line;
    const box = h("input", { type: "checkbox", checked: this.selected.has(answer.id), "aria-label": `Select ${answer.id}`, onchange: () => this.select([line], box.checked) });
    const row = h("tr", { "aria-rowindex": at + 3, "data-id": answer.id, className: this.selected.has(answer.id) ? "picked" : "" }, h("td", {}, box));
    if (this.shown.molecules) {
      const drawing = new Drawing(answer.smiles ?? answer.id, this.palette);
      row.append(h("td", { className: "structure" }, drawing.element));
      const known = this.scenes.get(answer.smiles ?? "");
      if (known) drawing.show(known); // at once: a print does not wait
      else if (answer.smiles) void this.laidOut(answer.smiles).then((scene) => scene && row.isConnected && drawing.show(scene));
    }
    for (const c of this.visible) {
      const text = padded(textOf(c, line), this.places.get(c.key) ?? 0);
      row.append(c.key === "id"
        ? h("td", {}, h("button", { type: "button", className: "link", title: "Compare with the query", onclick: () => this.onpick(answer.id) }, text))
        : h("td", { title: text, className: typeof c.value(line) === "number" ? "number" : "" }, text));
    }
    return row;
  }

  private select(lines: Line[], on: boolean): void {
    for (const line of lines) {
      if (on) this.selected.set(line.answer.id, line);
      else this.selected.delete(line.answer.id);
    }
    this.first = -1;
    this.fill();
    this.onselect([...this.selected.keys(), ...this.picks]);
  }

  private tell(): void {
    const left = this.whole ? this.rows.length - mostPrinted : 0;
    this.count.textContent = left > 0 ? `The first ${count(mostPrinted)} of ${count(this.lines.length)} rows` : `${count(this.lines.length)} of ${count(this.shown.lines.length)} rows${this.selected.size ? `, ${count(this.selected.size)} selected` : ""}`;
  }

  // takeAway saves what is selected, or all rows that pass, once all answers have come and
  // their properties are computed.
  private takeAway(button: HTMLElement): void {
    const whole = async () => {
      if (this.selected.size === 0) await this.shown.whole();
      await this.computing;
      await this.compute(() => true);
      const picked = [...this.selected.values()];
      return picked.length ? picked : this.lines;
    };
    const left = this.shown.total > this.shown.lines.length && this.lines.length === this.shown.lines.length;
    const what = this.selected.size ? `${count(this.selected.size)} selected` : `${count(left ? this.shown.total : this.lines.length)} rows`;
    const file = (name: string, kind: string, make: (lines: Line[]) => string | Promise<string>) => () =>
      void busy(button, "Getting all …", async () => save(new Blob([await make(await whole())], { type: kind }), name)).catch(this.oncomplain);
    const items: Item[] = [
      { text: `CSV, ${what}`, act: file("table.csv", "text/csv", async (lines) => (await import("./export")).tabular(["smiles", ...this.columns.map((c) => c.title)], lines.map((l) => [l.answer.smiles, ...this.columns.map((c) => c.value(l))]))) },
      { text: `JSON, ${what}`, act: file("table.json", "application/json", (lines) => JSON.stringify(lines.map(({ rank, answer, properties }) => ({ rank, ...answer, ...properties })), null, 1)) },
    ];
    if (this.shown.molecules) items.push({ text: `SDF, ${what}`, act: file("table.sdf", "chemical/x-mdl-sdfile", async (lines) => {
      let text = "";
      for (let i = 0; i < lines.length; i += 500) text += await api.sdf(this.shown.collection, lines.slice(i, i + 500).map((l) => l.answer.id));
      return text;
    }) });
    items.push({ text: "This search and what is ticked, to open again", act: () => saveSearch(location.hash) });
    openMenu(items, button);
  }
}

// heading is the row of a group.
const heading = (text: string, at: number) => h("tr", { className: "group", "aria-rowindex": at + 3 }, h("th", { colSpan: 99, scope: "rowgroup" }, text));
