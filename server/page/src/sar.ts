import * as api from "./api";
import { decimals, padded, passes } from "./columns";
import { number } from "./cards";
import type { Palette } from "./colours";
import { adopt, byId, h } from "./dom";
import { Drawing } from "./draw";
import { tabular } from "./export";
import { limits } from "./find";
import { core, group, short } from "./groups";
import { type By, heads } from "./heads";
import { HeatMap } from "./heatmap";
import { openMenu } from "./menu";
import type { Scene } from "./scene";
import { sceneOf } from "./scenes";
import { busy, save } from "./share";
import { Sketcher } from "./sketcher";
import { ordering } from "./sorting";
import type { Core } from "./state";
import { count } from "./text";

adopt(`
#sar .core-text { flex: 1 1 18rem; display: flex; gap: .4rem; align-items: center; }
#sar .core-text input { flex: 1; min-width: 0; border: 1px solid var(--line-strong); border-radius: 8px; padding: .25rem .6rem; background: var(--surface); color: var(--ink); font-family: ui-monospace, monospace; }
#sar .core { margin: 0 0 .5rem; background: var(--surface); border: 1px solid var(--line); border-radius: 10px; padding: .4rem; }
#sar .core .drawing { width: 100%; height: 150px; }
#sar .core-sketch { margin-bottom: .5rem; }
#sar tbody .near { background: color-mix(in srgb, var(--relabelled) 8%, var(--surface)); }
#sar .differs { white-space: normal; min-width: 9rem; }
#sar .scroller tbody td:has(> .structure) { min-width: 96px; }
#sar .scroller td:has(> .structure) ~ td > .structure .drawing { width: 90px; height: 68px; }
#sar :is(th, td ~ td) .drawing text.el-other { font-size: calc(16px * var(--grow)); }
.heatmap .scroller { height: auto; max-height: min(78vh, 52rem); }
#sar .heatmap th .structure .drawing { width: 100px; height: 52px; }
.heatmap th { max-width: 7.5rem; }
.heatmap th small { display: block; overflow: hidden; text-overflow: ellipsis; color: var(--quiet); font-weight: 400; }
.heatmap tbody th { position: sticky; left: 0; background: var(--surface); background-clip: padding-box; }
.heatmap .scroller tbody td { padding: 2px; text-align: center; }
.heatmap td button { width: 100%; min-width: 4rem; height: 3.4rem; border: 0; border-radius: 4px; cursor: pointer; font-variant-numeric: tabular-nums; color: var(--ink); background: color-mix(in srgb, var(--accent) calc(4% + .4 * var(--share)), var(--surface)); }
`);

const rowHeight = 76; // as in the style sheet
const beyond = 4; // rows above and below those in view
const textOf = (x: unknown) => (typeof x === "number" ? number(x) : String(x ?? ""));
const mostRows = 20_000; // of a table, which come in parts
const mostShown = 50; // attributes, as the service takes
const atATime = 500; // molecules of an SDF

// Column is what the table has of each molecule.
interface Column {
  key: string;
  title: string;
  value: (row: api.SeriesRow) => unknown;
  cell?: (row: api.SeriesRow) => HTMLElement; // as it is shown, if otherwise
}

// Sar shows the molecules of a series with what they have at each position of a core.
export class Sar {
  onask: (core: Core) => void = () => {};
  oncomplain: (e: unknown) => void = () => {};
  private readonly text = h("input", { type: "text", placeholder: "SMILES, SMARTS or name, such as [*:1]c1ccccc1", spellcheck: false, autocomplete: "off", autocapitalize: "off", "aria-label": "Core" });
  private readonly smarts = h("input", { type: "checkbox" });
  private readonly radius = h("select", { "aria-label": "How nearly they have the core" }, ...["exactly", "but for 1 edit", "but for 2 edits"].map((text, i) => h("option", { value: String(i) }, text)));
  private readonly marked = h("input", { type: "checkbox" });
  private readonly sketch = h("div", { className: "core-sketch", hidden: true });
  private readonly sketcher = new Sketcher(this.sketch);
  private readonly drawn = h("button", { type: "button", "aria-pressed": "false", onclick: () => this.draw() }, "Draw");
  private readonly picture = h("figure", { className: "core", hidden: true });
  private readonly count = h("span", { className: "counted" });
  private readonly views = ["Table", "Heat map"].map((name, i) => h("button", { type: "button", onclick: () => this.turn(i) }, name));
  private readonly out: HTMLElement = h("button", { type: "button", "aria-haspopup": "menu", onclick: () => this.takeAway() }, "Save …");
  private readonly head = h("thead");
  private readonly body = h("tbody");
  private readonly scroller = h("div", { className: "scroller", tabIndex: 0, role: "region", "aria-label": "R-groups as a table", onscroll: () => this.fill() }, h("table", {}, this.head, this.body));
  private readonly map = new HeatMap((a, x, b, y) => this.only(a, x, b, y), (smiles) => group(smiles, this.palette));
  private readonly answer = h("div", { hidden: true }, h("div", { className: "tools" }, ...this.views, this.count, this.out), this.scroller, this.map.element);
  private readonly section = h("section", { id: "sar", className: "list", "aria-label": "R-groups" },
    h("form", { className: "tools", onsubmit: (e: Event) => this.submit(e) },
      h("label", { className: "core-text" }, "Core ", this.text), this.drawn, h("label", {}, this.smarts, " a SMARTS"),
      h("label", {}, "that molecules have ", this.radius), h("label", {}, this.marked, " no groups but at marked positions"), h("button", {}, "Take apart")),
    this.sketch, this.picture,
    h("p", { className: "hint", hidden: true }, "Give the core that the molecules have in common: type a SMILES, a SMARTS or a name, or draw it. [*:1] marks a position; without marks every position with different groups gets a column."),
    this.answer);
  private readonly hint = this.section.querySelector<HTMLElement>(".hint")!;
  private info!: api.Info;
  private asked!: Core;
  private found: api.Series | null = null;
  private columns: Column[] = [];
  private rows: api.SeriesRow[] = []; // that pass, in order
  private readonly conditions = new Map<string, string>(); // by column
  private by: By = { key: "", down: false };
  private first = -1;
  private places = new Map<string, number>(); // decimals of the attributes that are numbers, by column
  private readonly scenes = new Map<string, Promise<Scene | null>>(); // of molecules, by SMILES

  constructor(private readonly palette: Palette) {
    this.sketcher.onchange = (smiles) => {
      this.text.value = smiles;
      this.smarts.checked = false;
    };
    byId("table").before(this.section);
  }

  hide(): void {
    this.section.hidden = true;
  }

  // open shows what is asked, of a collection.
  open(core: Core, info: api.Info): void {
    this.section.hidden = false;
    this.asked = core;
    this.info = info;
    this.found = null;
    this.text.value = core.text;
    this.smarts.checked = core.smarts;
    this.radius.value = String(core.radius);
    this.marked.checked = core.marked;
    this.picture.hidden = this.answer.hidden = true;
    this.hint.hidden = core.text !== "";
    if (!this.sketch.hidden) void this.sketcher.open(core.smarts ? "" : core.text);
    if (!core.text) this.text.focus();
  }

  // run asks for the molecules, and returns what was found.
  async run(attributes: string[], filters: string[], signal: AbortSignal): Promise<api.Series> {
    const { text, smarts, radius, marked } = this.asked, show = attributes.slice(0, mostShown);
    const ask = (skip: number) => api.sar(this.info.name, {
      core: text, k: limits.k, skip: skip || undefined, smarts: smarts || undefined, radius: radius || undefined, only_marked: marked || undefined, time_limit: `${this.info.max_time_limit}s`,
      show: show.length ? show : undefined, filter: filters.length ? filters : undefined,
    }, signal);
    const found = await ask(0);
    while (found.rows.length > 0 && found.rows.length < Math.min(found.total, mostRows)) {
      const next = await ask(found.rows.length);
      if (next.total !== found.total || next.columns.length !== found.columns.length || next.rows.length === 0) break; // the collection has changed
      found.rows.push(...next.rows);
    }
    if (signal.aborted) return found;
    this.found = found;
    this.conditions.clear();
    this.by = { key: "", down: false };
    this.columns = this.columnsOf(found, show);
    this.places = new Map(this.columns.filter((c) => c.key.startsWith("@") && found.rows.every((r) => /^(-?\d+(\.\d+)?)?$/.test(textOf(c.value(r)))))
      .map((c) => [c.key, Math.max(...found.rows.map((r) => decimals(textOf(c.value(r)))))]));
    this.answer.hidden = found.rows.length === 0;
    this.map.open(found, show);
    this.views[1].disabled = !this.map.possible;
    this.views[1].title = this.map.possible ? "" : "It takes two positions with different groups, and an attribute with numbers";
    this.turn(0);
    void this.pictured(found, signal);
    return found;
  }

  private columnsOf({ columns, rows }: api.Series, attributes: string[]): Column[] {
    const edits = (r: api.SeriesRow) => [...(r.edits ?? []), ...(r.bonds ?? [])].join("; ");
    return [
      { key: "structure", title: "structure", value: (r) => r.smiles, cell: (r) => this.molecule(r) },
      { key: "id", title: "id", value: (r) => r.id },
      ...(rows.some((r) => edits(r)) ? [{ key: "differs", title: "differs", value: edits }] : []), // in view, however many positions there are
      ...columns.map(({ name }, i): Column => ({ key: name, title: name, value: (r) => short(r.groups[i]), cell: (r) => group(r.groups[i], this.palette) })),
      ...(rows.some((r) => r.rest) ? [{ key: "rest", title: "besides", value: (r: api.SeriesRow) => r.rest }] : []),
      ...attributes.filter((name) => rows.some((r) => r.attributes?.[name] !== undefined)).map((name): Column => ({ key: `@${name}`, title: name, value: (r) => r.attributes?.[name] })),
    ];
  }

  private molecule({ smiles }: api.SeriesRow): HTMLElement {
    const drawing = new Drawing(smiles, this.palette);
    if (!this.scenes.has(smiles)) this.scenes.set(smiles, sceneOf(smiles, undefined));
    void this.scenes.get(smiles)!.then((scene) => scene && drawing.show(scene));
    return h("div", { className: "structure" }, drawing.element);
  }

  // pictured draws the core with its positions.
  private async pictured(found: api.Series, signal: AbortSignal): Promise<void> {
    const parsed = await api.parse({ smarts: found.core }, signal, this.info.name).catch(() => null);
    const scene = parsed && (await core(parsed, found.columns));
    if (!scene || signal.aborted) return;
    const drawing = new Drawing(`The core ${found.core}`, this.palette);
    this.picture.replaceChildren(drawing.element);
    this.picture.hidden = false;
    drawing.show(scene);
  }

  private draw(): void {
    this.sketch.hidden = !this.sketch.hidden;
    this.drawn.setAttribute("aria-pressed", String(!this.sketch.hidden));
    if (!this.sketch.hidden) void this.sketcher.open(this.smarts.checked ? "" : this.text.value.trim());
  }

  private submit(e: Event): void {
    e.preventDefault();
    this.onask({ text: this.text.value.trim(), smarts: this.smarts.checked, radius: Math.min(limits.nearly, Number(this.radius.value)), marked: this.marked.checked });
  }

  private turn(at: number): void {
    this.views.forEach((button, i) => button.setAttribute("aria-pressed", String(i === at)));
    this.scroller.hidden = at !== 0;
    this.map.element.hidden = at !== 1;
    if (at === 0) this.arrange(true);
  }

  // only leaves the molecules with these groups at two positions.
  private only(a: string, x: string, b: string, y: string): void {
    this.conditions.clear();
    this.conditions.set(a, `=${x}`);
    this.conditions.set(b, `=${y}`);
    this.turn(0);
  }

  // arrange filters and sorts the rows.
  private arrange(heading: boolean): void {
    if (heading) this.heads();
    const by = this.columns.find((c) => c.key === this.by.key);
    const rows = this.found!.rows.filter((r) => this.columns.every((c) => passes(c.value(r), this.conditions.get(c.key) ?? "")));
    this.rows = by ? rows.sort(ordering(by.value, this.by.down)) : rows;
    const all = this.found!.rows.length, { total } = this.found!;
    const first = total > all ? `, the first ${count(all)} of ${count(total)}: conditions on attributes choose others` : "";
    this.count.textContent = (this.rows.length < all ? `${count(this.rows.length)} of ${count(all)} molecules` : `${count(all)} ${all === 1 ? "molecule" : "molecules"}`) + first;
    this.first = -1;
    this.fill();
  }

  private heads(): void {
    this.head.replaceChildren(
      h("tr", {}, ...heads(this.head, this.columns, this.by, (by) => {
        this.by = by;
        this.arrange(true);
      }).map((head, i) => {
        head.classList.toggle("number", this.places.has(this.columns[i].key));
        return head;
      })),
      h("tr", {}, ...this.columns.map((c) => h("td", {}, c.key === "structure" ? "" : h("input", {
        type: "search", value: this.conditions.get(c.key) ?? "", "aria-label": `Filter ${c.title}`, title: "a text, <5, >=2, 2..5, or =x",
        oninput: (e: Event) => {
          this.conditions.set(c.key, (e.target as HTMLInputElement).value);
          this.arrange(false);
        },
      })))));
  }

  // fill puts the rows in view on the page.
  private fill(): void {
    const total = this.rows.length;
    const first = Math.max(0, Math.min(Math.floor(this.scroller.scrollTop / rowHeight), total - 1) - beyond);
    if (first === this.first) return;
    this.first = first;
    const last = Math.min(total, first + Math.ceil((this.scroller.clientHeight || 600) / rowHeight) + 2 * beyond);
    const room = (rows: number) => {
      const cell = h("td", { colSpan: 99 });
      cell.style.height = `${rows * rowHeight}px`;
      return rows > 0 ? [h("tr", { className: "room", "aria-hidden": "true" }, cell)] : [];
    };
    this.body.parentElement!.setAttribute("aria-rowcount", String(total + 2));
    const none = total === 0 ? [h("tr", {}, h("td", { colSpan: 99, className: "hint" }, "None passes the filters."))] : [];
    this.body.replaceChildren(...room(first), ...this.rows.slice(first, last).map((row, i) => this.line(row, first + i)), ...room(total - last), ...none);
  }

  private line(row: api.SeriesRow, at: number): HTMLElement {
    return h("tr", { "aria-rowindex": at + 3, "data-id": row.id, className: row.distance > 0 ? "near" : "" }, ...this.columns.map((c) => {
      const text = padded(textOf(c.value(row)), this.places.get(c.key) ?? 0);
      return h("td", { title: text, className: this.places.has(c.key) ? "number" : c.key === "differs" ? "differs" : "" }, c.cell?.(row) ?? text);
    }));
  }

  // items are what is known of a molecule beside its structure.
  private items(row: api.SeriesRow): [string, unknown][] {
    const { columns } = this.found!;
    return [...columns.map(({ name }, i): [string, unknown] => [name, row.groups[i]]), ["distance", row.distance], ["edits", row.edits?.join("; ")], ["bonds", row.bonds?.join("; ")], ["rest", row.rest]];
  }

  // takeAway saves the molecules that pass, in their order.
  private takeAway(): void {
    const rows = [...this.rows], { name } = this.info, attributes = this.columns.filter((c) => c.key.startsWith("@"));
    const file = (name: string, type: string, make: () => string | Promise<string>) => () =>
      void busy(this.out, "Getting all …", async () => save(new Blob([await make()], { type }), name)).catch(this.oncomplain);
    openMenu([
      { text: `CSV, ${count(rows.length)} rows`, act: file("r-groups.csv", "text/csv", () =>
        tabular(["id", "smiles", ...this.items(rows[0]).map(([name]) => name), ...attributes.map((c) => c.title)], rows.map((r) => [r.id, r.smiles, ...this.items(r).map(([, value]) => value), ...attributes.map((c) => c.value(r))]))) },
      { text: `SDF, ${count(rows.length)} rows`, act: file("r-groups.sdf", "chemical/x-mdl-sdfile", async () => {
        let text = "";
        for (let i = 0; i < rows.length; i += atATime) {
          const part = rows.slice(i, i + atATime), records = (await api.sdf(name, part.map((r) => r.id))).split("$$$$\n");
          part.forEach((r, j) => (text += `${records[j]}${this.items(r).filter(([, x]) => x !== undefined && x !== "").map(([item, x]) => `>  <${item}>\n${x}\n\n`).join("")}$$$$\n`));
        }
        return text;
      }) },
    ], this.out);
  }
}
