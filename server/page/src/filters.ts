import * as api from "./api";
import { byId, h } from "./dom";
import type { State } from "./state";
import { count } from "./text";
import type { Attribute } from "./types";

// quoted keeps a value whole in a list, which is split at commas.
const quoted = (value: string) => (/^[\s="]|\s$|,/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

// Filters lists the conditions on attributes, adds others from the values that there
// are, and chooses which attributes cards show.
export class Filters {
  onchange: () => void = () => {};
  private readonly section = byId<HTMLDetailsElement>("filters");
  private readonly chips = byId("filter-chips");
  private readonly choice = byId<HTMLSelectElement>("filter-attribute");
  private readonly values = byId("filter-values");
  private readonly showing = byId("show-attributes");
  private asked: { collection: string; attributes: Promise<Attribute[]> } | null = null;
  private attributes: Attribute[] = [];
  private filters: string[] = [];
  private shown: string[] | null = null;

  constructor() {
    this.choice.addEventListener("change", () => this.offer());
    byId("filter-add").addEventListener("click", () => this.add());
    // Enter in the section adds a condition and does not send the form.
    this.section.addEventListener("keydown", (e) => {
      if (e.key !== "Enter" || !(e.target instanceof HTMLInputElement)) return;
      e.preventDefault();
      this.add();
    });
    this.showing.addEventListener("change", () => {
      this.shown = [...this.showing.querySelectorAll<HTMLInputElement>("input:checked")].map((i) => i.value);
      this.onchange();
    });
  }

  // ask asks for the attributes of a collection before it is known whether there is such
  // a one.
  ask(collection: string): void {
    if (this.asked?.collection === collection) return;
    const attributes = api.attributes(collection);
    attributes.catch(() => (this.asked = null));
    this.asked = { collection, attributes };
  }

  // forget makes the next open ask again.
  forget(): void {
    this.asked = null;
  }

  // open takes up the attributes of a collection.
  async open(collection: string): Promise<void> {
    this.ask(collection);
    const attributes = await this.asked!.attributes;
    if (this.asked?.collection !== collection) return; // another one was chosen meanwhile
    this.attributes = attributes;
    this.section.hidden = this.attributes.length === 0 && this.filters.length === 0;
    this.choice.replaceChildren(...this.attributes.map((a) => h("option", { value: a.name }, `${a.name} (${count(a.count)})`)));
    this.offer();
    this.tick();
  }

  show(state: State): void {
    this.filters = state.filters;
    this.shown = state.show;
    if (state.filters.length) this.section.hidden = false;
    this.list();
    this.tick();
  }

  read(state: State): void {
    state.filters = this.filters;
    state.show = this.shown;
  }

  // usual returns the attributes that cards show unless someone chose.
  get usual(): string[] {
    return this.attributes.slice(0, 2).map((a) => a.name);
  }

  // all returns the names of all attributes.
  get all(): string[] {
    return this.attributes.map((a) => a.name);
  }

  // numbers returns the names of those whose values are numbers.
  get numbers(): string[] {
    return this.attributes.filter((a) => a.min !== undefined).map((a) => a.name);
  }

  // names returns those that cards show.
  get names(): string[] {
    return this.shown ?? this.usual;
  }

  private list(): void {
    this.chips.replaceChildren(...this.filters.map((f, i) => h("li", {}, f, h("button", { type: "button", "aria-label": `Remove ${f}`, onclick: () => {
      this.change(this.filters.filter((_, j) => j !== i));
      this.choice.focus();
    } }, "×"))));
  }

  private tick(): void {
    const on = new Set(this.names);
    this.showing.replaceChildren(...this.attributes.slice(0, 50).map((a) =>
      h("label", {}, h("input", { type: "checkbox", value: a.name, checked: on.has(a.name) }), ` ${a.name}`)));
  }

  // offer shows the values of the attribute chosen, or their range.
  private offer(): void {
    const a = this.attributes.find((x) => x.name === this.choice.value);
    if (!a) return this.values.replaceChildren();
    if (a.min !== undefined && a.max !== undefined && (a.more || a.values.length > 8)) {
      const end = (name: string, value: number) => h("input", { type: "number", step: "any", placeholder: String(value), "aria-label": `${a.name} ${name}`, className: "end" });
      this.values.replaceChildren(end("from", a.min), " to ", end("to", a.max));
      return;
    }
    const shown = a.values.slice(0, 50);
    this.values.replaceChildren(...shown.map((v) =>
      h("label", {}, h("input", { type: "checkbox", value: v.value }), ` ${v.value} `, h("small", {}, count(v.count)))), a.more ? h("small", {}, "and others") : "");
  }

  // add takes up what is chosen.
  private add(): void {
    const name = this.choice.value.replace(/^(id|name)$/, "attribute $1"); // not the id or the name of a graph
    const ends = [...this.values.querySelectorAll<HTMLInputElement>(".end")];
    const ticked = [...this.values.querySelectorAll<HTMLInputElement>("input:checked")].map((i) => i.value);
    const added: string[] = [];
    if (ends.length) {
      const [from, to] = ends.map((e) => e.valueAsNumber);
      if (!Number.isNaN(from)) added.push(`${name}>=${from}`);
      if (!Number.isNaN(to)) added.push(`${name}<=${to}`);
    } else if (ticked.length === 1 && !/^[\s=]|\s$/.test(ticked[0])) added.push(`${name}=${ticked[0]}`);
    else if (ticked.length > 0) added.push(`${name} in ${ticked.map(quoted).join(",")}`);
    else added.push(`${name} exists`);
    const others = this.filters.filter((f) => !added.includes(f));
    if (added.length) this.change([...others, ...added].slice(0, 20));
    this.offer();
  }

  private change(filters: string[]): void {
    this.filters = filters;
    this.list();
    this.onchange();
  }
}
