import * as api from "./api";
import { between, number } from "./cards";
import type { Palette } from "./colours";
import { byId, h } from "./dom";
import { Drawing } from "./draw";
import { tabular } from "./export";
import { limits } from "./find";
import { type By, heads } from "./heads";
import { compare } from "./pairing";
import { painted, sceneOf } from "./scenes";
import { save } from "./share";
import { ordering } from "./sorting";
import type { Near } from "./state";
import { count, time } from "./text";
import { complain } from "./trouble";

const most = 1000; // rows of a list, as the service gives
const atOnce = 100; // rows that are made at a time

// Column is what a table has of each row.
interface Column<T> {
  key: string;
  title: string;
  value: (row: T) => unknown;
  cell?: (row: T) => Node | string; // as it is shown, if otherwise
}

// summaryOfPairs says what near pairs are.
export function summaryOfPairs({ total, graphs, verdict, known, censored, attribute, unexplained, seconds }: api.Cliffs): string {
  const all = total.pairs + total.duplicates, first = Math.max(total.pairs, total.transformations, total.duplicates) > most ? `; the first ${count(most)} of each list are shown` : "";
  const values = attribute ? `, ${count(known)} of them with ${attribute} on both sides${censored ? `, ${count(censored)} with bounds of it` : ""}` : "";
  const dark = unexplained ? `; of ${count(unexplained)} the transformations were not found in time` : "";
  return `${count(all)} ${all === 1 ? "pair" : "pairs"} of ${count(graphs)} graphs${values}${first}, ${verdict}${dark}; in ${time(seconds)}`;
}

// Cliffs shows what the near pairs of a collection mean for an attribute: pairs, transformations and
// duplicates, each a table.
export class Cliffs {
  onask: (near: Near) => void = () => {};
  private readonly radius = h("input", { type: "number", min: "0", max: String(limits.apart), step: "0.5" });
  private readonly attribute = h("select");
  private readonly find = h("input", { type: "search", placeholder: "Find an id or a change", "aria-label": "Find an id or a change", oninput: () => void this.fill() });
  private readonly lists = ["Pairs", "Transformations", "Duplicates"].map((name, i) => h("button", { type: "button", onclick: () => this.turn(i) }, name));
  private readonly head = h("tr");
  private readonly body = h("tbody");
  private readonly section = h("section", { id: "cliffs", className: "list", "aria-label": "Near pairs" },
    h("div", { className: "tools" },
      h("label", {}, "Pairs within ", this.radius), h("label", {}, "compared by ", this.attribute), this.find),
    h("div", { className: "tools" }, ...this.lists, h("button", { type: "button", onclick: () => this.csv() }, "Save as CSV")),
    h("div", { className: "scroller", tabIndex: 0, role: "region", "aria-label": "Near pairs as a table" }, h("table", {}, h("thead", {}, this.head), this.body)));
  private readonly seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) this.draw(target as HTMLElement);
  }, { rootMargin: "200px" });
  private found: api.Cliffs | null = null;
  private asked!: { info: api.Info; measured: api.Measured };
  private at = 0; // of lists
  private by: By = { key: "", down: false };
  private filling = 0;

  constructor(private readonly palette: Palette) {
    for (const field of [this.radius, this.attribute]) field.addEventListener("change", () => this.onask({ attribute: this.attribute.value, radius: Math.min(limits.apart, Math.max(0, this.radius.valueAsNumber || 0)) }));
    byId("table").before(this.section);
  }

  hide(): void {
    this.section.hidden = true;
  }

  // run asks for the pairs, and returns what they are.
  async run(near: Near, info: api.Info, attributes: string[], measured: api.Measured & { filter?: string[] }, signal: AbortSignal): Promise<api.Cliffs> {
    this.section.hidden = false;
    this.attribute.replaceChildren(h("option", { value: "" }, "no attribute"), ...[...new Set([...attributes, near.attribute])].filter(Boolean).map((name) => h("option", { value: name }, name)));
    this.attribute.value = near.attribute;
    this.radius.value = String(near.radius);
    this.asked = { info, measured };
    this.found = null;
    this.find.value = "";
    this.turn(0);
    const { costs, ignore_edge_labels, filter } = measured;
    this.found = await api.cliffs(info.name, { attribute: near.attribute || undefined, radius: near.radius, k: most, time_limit: `${info.max_time_limit}s`, costs, ignore_edge_labels, filter }, signal);
    this.turn(0);
    return this.found;
  }

  private turn(at: number): void {
    this.at = at;
    this.by = { key: "", down: false };
    const total = this.found && [this.found.total.pairs, this.found.total.transformations, this.found.total.duplicates];
    this.lists.forEach((button, i) => {
      button.setAttribute("aria-pressed", String(i === at));
      button.textContent = `${["Pairs", "Transformations", "Duplicates"][i]}${total ? ` ${count(total[i])}` : ""}`;
      button.hidden = i === 1 && !this.asked.info.molecules;
    });
    void this.fill();
  }

  private get pairs(): api.NearPair[] {
    return (this.at === 2 ? this.found?.duplicates : this.found?.pairs) ?? [];
  }

  private pairColumns(): Column<api.NearPair>[] {
    const { attribute } = this.found!, { molecules } = this.asked.info;
    const both = (p: api.NearPair) => h("button", { type: "button", className: "link", title: "Compare", onclick: () => this.open(p) }, `${p.query} → ${p.target}`);
    return [
      ...(molecules ? ([["from", "query_smiles"], ["to", "target_smiles"]] as const).map(([title, key]) => ({ key: title, title, value: (p: api.NearPair) => p[key], cell: (p: api.NearPair) => h("div", { className: "structure", "data-smiles": p[key] }) })) : []),
      { key: "pair", title: "pair", value: (p) => `${p.query} → ${p.target}`, cell: both },
      { key: "distance", title: "distance", value: (p) => p.upper, cell: between },
      ...(attribute ? ([["old", `${attribute} from`], ["new", "to"], ["change", "change"]] as const).map(([key, title]) => ({ key, title, value: (p: api.NearPair) => p[key], cell: (p: api.NearPair) => `${p[`${key}_relation`] ?? ""}${p[key] === undefined ? "" : number(p[key])}` })) : []),
      ...(molecules ? [{ key: "transformation", title: "transformation", value: (p: api.NearPair) => p.transformations?.map((t) => t.text).join("; ") }] : []),
    ];
  }

  private effectColumns(): Column<api.Effect>[] {
    const { attribute } = this.found!;
    return [
      { key: "text", title: "transformation", value: (e) => e.text, cell: (e) => h("button", { type: "button", className: "link", title: `${e.from ? `${e.from} → ${e.to}: ` : ""}show the pairs`, onclick: () => this.pairsOf(e) }, e.text) },
      { key: "on", title: "on", value: (e) => e.environment?.join(", ") },
      { key: "pairs", title: "pairs", value: (e) => e.pairs },
      ...(attribute ? ([["known", "with values"], ["mean", `mean change of ${attribute}`], ["low", "95 % from"], ["high", "to"], ["up", "rises"], ["down", "falls"]] as const).map(([key, title]) => ({ key, title, value: (e: api.Effect) => e[key] })) : []),
      ...(this.found!.transformations.some((e) => e.censored) ? ([["censored", "with bounds"], ["at_least", "mean of all from"], ["at_most", "to"]] as const).map(([key, title]) => ({ key, title, value: (e: api.Effect) => e[key] })) : []),
      { key: "from", title: "from", value: (e) => e.from },
      { key: "to", title: "to", value: (e) => e.to },
    ];
  }

  // fill shows a list, as far as it has what is looked for, in its order.
  private async fill(): Promise<void> {
    const mine = ++this.filling;
    this.seen.disconnect();
    this.head.replaceChildren();
    this.body.replaceChildren();
    if (!this.found) return;
    if (this.at === 1) await this.rows(this.found.transformations, this.effectColumns(), mine);
    else await this.rows(this.pairs, this.pairColumns(), mine);
  }

  private async rows<T>(all: T[], columns: Column<T>[], mine: number): Promise<void> {
    this.head.replaceChildren(...heads(this.head, columns, this.by, (by) => {
      this.by = by;
      void this.fill();
    }));
    const list = this.chosen(all, columns);
    if (list.length === 0) this.body.replaceChildren(h("tr", {}, h("td", { colSpan: 99, className: "hint" }, all.length ? "None has that." : "There are none.")));
    for (const [i, row] of list.entries()) {
      if (i % atOnce === atOnce - 1) await painted();
      if (mine !== this.filling) return;
      const line = h("tr", {}, ...columns.map((c) => {
        const value = c.value(row), text = typeof value === "number" ? number(value) : String(value ?? "");
        return h("td", { className: typeof value === "number" ? "number" : "", title: text }, c.cell?.(row) ?? text);
      }));
      this.body.append(line);
      if (line.querySelector(".structure")) this.seen.observe(line);
    }
  }

  private chosen<T>(all: T[], columns: Column<T>[]): T[] {
    const text = this.find.value.trim().toLowerCase(), by = columns.find((c) => c.key === this.by.key);
    const list = all.filter((row) => !text || columns.some((c) => c.key !== "from" && c.key !== "to" && String(c.value(row) ?? "").toLowerCase().includes(text)));
    return by ? list.sort(ordering(by.value, this.by.down)) : list;
  }

  private draw(line: HTMLElement): void {
    this.seen.unobserve(line);
    for (const place of line.querySelectorAll<HTMLElement>(".structure")) {
      const { smiles } = place.dataset, drawing = new Drawing(smiles ?? "", this.palette);
      place.append(drawing.element);
      if (smiles) void sceneOf(smiles, undefined).then((scene) => scene && drawing.show(scene));
    }
  }

  private pairsOf(effect: api.Effect): void {
    this.turn(0);
    this.find.value = effect.text;
    void this.fill();
  }

  private open(p: api.NearPair): void {
    const query = (id: string, smiles?: string): api.Query => (smiles ? { smiles } : { id });
    const { info, measured } = this.asked;
    void compare(this.palette, info.name, measured, "similar", { query: query(p.query, p.query_smiles), target: query(p.target, p.target_smiles) }, [p.query, p.target]).catch(complain);
  }

  private csv(): void {
    const text = <T>(columns: Column<T>[], rows: T[]) => tabular(columns.map((c) => c.title), this.chosen(rows, columns).map((row) => columns.map((c) => c.value(row))));
    if (!this.found) return;
    const name = ["pairs.csv", "transformations.csv", "duplicates.csv"][this.at];
    save(new Blob([this.at === 1 ? text(this.effectColumns(), this.found.transformations) : text(this.pairColumns(), this.pairs)], { type: "text/csv" }), name);
  }
}
