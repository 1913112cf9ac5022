import * as api from "./api";
import { Card, title } from "./cards";
import type { Palette } from "./colours";
import { Comparison, targetMarks } from "./compare";
import { byId, h } from "./dom";
import { Drawing } from "./draw";
import { marksOf } from "./marks";
import type { Pair } from "./path";
import { Queue } from "./queue";
import { type Scene, align } from "./scene";
import { sceneOf } from "./scenes";
import type { Found, GraphJSON } from "./types";

// A search as asked, with the graph that the service read the query as.
export interface Asked {
  collection: string;
  request: api.SearchRequest;
  graph: GraphJSON;
  scene: Scene;
  name: string; // of the query, for people
}

// Results shows the answers of a search, checks those in view, and compares one
// with the query.
export class Results {
  onselect: (id: string) => void = () => {};
  ondraw: (target: Scene) => void = () => {};
  onpoint: (id: string | null) => void = () => {}; // the graph pointed at
  private readonly list = byId<HTMLOListElement>("cards");
  private readonly panel = byId("comparison");
  private readonly comparison: Comparison;
  private readonly checks = new Queue(3);
  private observer: IntersectionObserver | null = null;
  private cards: Card[] = [];
  private pairs = new Map<Card, Pair>();
  private asked: Asked | null = null;
  private selected: Card | null = null;
  private abort = new AbortController();

  constructor(private readonly palette: Palette, private readonly query: Drawing) {
    this.comparison = new Comparison(palette);
    this.panel.prepend(this.comparison.element);
    this.list.addEventListener("keydown", (e) => this.key(e));
  }

  clear(): void {
    this.abort.abort();
    this.abort = new AbortController();
    this.checks.clear();
    this.observer?.disconnect();
    this.cards = [];
    this.pairs.clear();
    this.selected = null;
    this.list.replaceChildren();
    this.panel.hidden = true;
  }

  // show makes a card of every answer. The one with the id selected, or else the
  // first, is compared.
  show(asked: Asked, found: Found, selected: string): void {
    this.clear();
    this.asked = asked;
    this.observer = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        this.observer!.unobserve(entry.target);
        const card = this.cards.find((c) => c.element === entry.target);
        if (card) this.see(card);
      }
    }, { rootMargin: "100px" });
    this.cards = found.answers.map((answer, i) => {
      if (answer.map) answer.edits ??= [];
      const card = new Card(answer, i + 1, this.palette, () => this.select(card));
      card.tell(found.task);
      card.element.addEventListener("pointerenter", () => this.point(card));
      card.element.addEventListener("focusin", () => this.point(card));
      card.element.addEventListener("pointerleave", () => this.point(null));
      card.drawing.onhover = (x) => this.light(card, x);
      this.observer!.observe(card.element);
      return card;
    });
    this.list.replaceChildren(...this.cards.map((c) => c.element));
    const card = this.cards.find((c) => c.answer.id === selected) ?? this.cards[0];
    if (card) {
      this.see(card);
      this.select(card, selected !== "");
    }
  }

  get ids(): string[] {
    return this.cards.map((c) => c.answer.id);
  }

  // pick selects the card of a graph, if there is one.
  pick(id: string): void {
    const card = this.cards.find((c) => c.answer.id === id);
    if (!card) return;
    this.select(card);
    card.element.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }

  // see draws a card that comes into view and asks for its edits.
  private see(card: Card): void {
    if (card.scene || this.pairs.has(card)) return;
    const { signal } = this.abort;
    this.checks.add(async () => {
      if (!signal.aborted) await this.check(card, signal);
    });
    void sceneOf(card.answer.smiles, undefined).then((scene) => {
      if (scene && !signal.aborted && !this.pairs.has(card)) card.draw(scene);
    });
  }

  // check asks for the exact distance of a card that has none, and for both graphs.
  private async check(card: Card, signal: AbortSignal): Promise<void> {
    const asked = this.asked!, a = card.answer;
    try {
      const d = await api.distance(asked.collection, asked.request.query, a.id, asked.request.task, signal);
      if (signal.aborted) return;
      if (a.map === undefined) Object.assign(a, { lower: d.lower, upper: d.upper, exact: d.exact, map: d.map, edits: d.edits ?? [] });
      const near = new Map<number, { x: number; y: number }>();
      a.map!.forEach((x, v) => x >= 0 && near.set(x, asked.scene.nodes[v]));
      const scene = (await sceneOf(a.smiles, d.target, near))!;
      const target = align(asked.scene, scene, a.map!);
      if (signal.aborted) return;
      const pair: Pair = { query: asked.scene, target, map: a.map!, edits: a.edits ?? [], partial: asked.request.task === "sed" };
      this.pairs.set(card, pair);
      card.draw(target, targetMarks(pair));
      this.ondraw(target);
      card.tell(asked.request.task);
      if (card === this.selected) this.compare(card);
    } catch (e) {
      if (signal.aborted) return;
      if (!isBusy(e)) return card.fail((e as Error).message);
      await new Promise((later) => setTimeout(later, 1000));
      if (!signal.aborted) this.checks.add(() => this.check(card, signal));
    }
  }

  private select(card: Card, tell = true): void {
    if (this.selected) this.selected.selected = false;
    this.selected = card;
    card.selected = true;
    this.see(card);
    if (this.pairs.has(card)) this.compare(card);
    if (tell) this.onselect(card.answer.id);
  }

  private compare(card: Card): void {
    const a = card.answer;
    const pair = this.pairs.get(card)!;
    this.panel.hidden = false;
    this.panel.classList.toggle("partial", pair.partial);
    this.comparison.show(pair, this.asked!.name, title(a));
  }

  // point marks on the query what a card's graph lacks or has otherwise.
  private point(card: Card | null): void {
    this.onpoint(card && card.answer.id);
    const pair = card && this.pairs.get(card);
    if (!this.asked) return;
    this.query.show(this.asked.scene, pair ? marksOf(pair.edits, "query", pair.query.directed) : undefined);
  }

  private light(card: Card, x: number | null): void {
    card.drawing.highlight(x === null ? [] : [x]);
    const v = x === null ? -1 : this.pairs.get(card)?.map.indexOf(x) ?? -1;
    this.query.highlight(v < 0 ? [] : [v]);
  }

  // key moves among the cards.
  private key(e: KeyboardEvent): void {
    const at = this.cards.findIndex((c) => c.element.contains(document.activeElement));
    const move = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
    if (at < 0 || !move) return;
    const next = this.cards[at + move];
    if (!next) return;
    e.preventDefault();
    next.focus();
  }
}

// isBusy tells whether the service asked to come again later.
const isBusy = (e: unknown) => e instanceof api.Problem && (e.status === 429 || e.status === 503);

// warnings lists what the service remarked.
export function warnings(found: Found): HTMLElement | null {
  if (!found.warnings?.length) return null;
  return h("ul", { className: "warnings" }, ...found.warnings.map((w) => h("li", {}, w)));
}

// summary says how many answers there are and how long they took.
export function summary(found: Found, size: number): string {
  const n = found.answers.length;
  const time = (s: number) => (s < 0.001 ? `${Math.round(s * 1e6)} µs` : s < 1 ? `${(s * 1e3).toPrecision(2)} ms` : `${s.toFixed(1)} s`);
  const { embed, scan, check } = found.seconds;
  const total = embed + scan + check;
  const proof = found.certified ? ", proven" : "";
  return `${n.toLocaleString("en")} of ${size.toLocaleString("en")} graphs${proof}, in ${time(total)}`;
}

