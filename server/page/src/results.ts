import * as api from "./api";
import { Card, isKnown, title } from "./cards";
import type { Palette } from "./colours";
import { Comparison, targetMarks } from "./compare";
import { byId, h } from "./dom";
import { Drawing } from "./draw";
import { marksOf } from "./marks";
import type { Pair } from "./path";
import { Queue } from "./queue";
import type { Scene } from "./scene";
import { sceneOf, sceneOn } from "./scenes";
import type { Answer, Found, GraphJSON } from "./types";

// A search as asked, with the graph that the service read the query as.
export interface Asked {
  collection: string;
  request: api.SearchRequest;
  graph: GraphJSON;
  scene: Scene;
  name: string; // of the query, for people
  given: string; // the query as State has it
}

// Results shows the answers of a search while they get better, and compares one
// with the query.
export class Results {
  onselect: (id: string) => void = () => {};
  ondraw: (target: Scene) => void = () => {};
  onpoint: (id: string | null) => void = () => {}; // the graph pointed at
  private readonly list = byId<HTMLOListElement>("cards");
  private readonly panel = byId("comparison");
  private readonly comparison: Comparison;
  private readonly work = new Queue(3);
  private observer: IntersectionObserver | null = null;
  private cards: Card[] = [];
  private readonly seen = new Set<Card>(); // came into view
  private readonly busy = new Set<Card>(); // their graph is being asked for
  private pairs = new Map<Card, Pair>();
  private asked: Asked | null = null;
  private selected: Card | null = null;
  private wanted = ""; // the id of the answer that someone chose
  private settled = false; // no better answers come
  private abort = new AbortController();

  constructor(private readonly palette: Palette, private readonly query: Drawing) {
    this.comparison = new Comparison(palette);
    this.panel.prepend(this.comparison.element);
    this.list.addEventListener("keydown", (e) => this.key(e));
  }

  clear(): void {
    this.abort.abort();
    this.abort = new AbortController();
    this.work.clear();
    this.observer?.disconnect();
    this.cards = [];
    this.pairs.clear();
    this.seen.clear();
    this.busy.clear();
    this.asked = this.selected = null;
    this.list.replaceChildren();
    this.panel.hidden = true;
  }

  // begin forgets the answers of the search before. Of those to come the one with
  // the id selected, or else the first, is compared.
  begin(asked: Asked, selected: string): void {
    this.clear();
    this.asked = asked;
    this.wanted = selected;
    this.settled = false;
    this.observer = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        const card = entry.isIntersecting && this.cards.find((c) => c.element === entry.target);
        if (!card) continue;
        this.seen.add(card);
        this.see(card);
      }
    }, { rootMargin: "100px" });
  }

  // show brings the cards in line with answers, in their order. Cards of graphs
  // that were there stay what they are.
  show(answers: Answer[], settled: boolean): void {
    const { task } = this.asked!.request;
    this.settled = settled;
    const before = new Map(this.cards.map((c) => [c.answer.id, c]));
    this.cards = answers.map((answer, i) => {
      if (answer.map) answer.edits ??= [];
      const card = before.get(answer.id) ?? this.make(answer);
      before.delete(answer.id);
      const pair = this.pairs.get(card);
      if (pair && answer.map && String(pair.map) !== String(answer.map)) this.pairs.delete(card);
      card.answer = answer;
      card.tell(task, i + 1);
      return card;
    });
    for (const card of before.values()) this.observer!.unobserve(card.element);
    this.arrange();
    const chosen = this.cards.find((c) => c.answer.id === this.wanted) ?? this.cards[0];
    if (chosen) this.select(chosen, false);
    else this.panel.hidden = true;
    for (const card of this.cards) if (this.seen.has(card)) this.see(card);
  }

  // arrange puts the cards on the page, and leaves the focus where it is.
  private arrange(): void {
    const elements = this.cards.map((c) => c.element);
    if (elements.length === this.list.children.length && elements.every((e, i) => e === this.list.children[i])) return;
    const focused = document.activeElement;
    this.list.replaceChildren(...elements);
    if (focused instanceof HTMLElement && this.list.contains(focused)) focused.focus({ preventScroll: true });
  }

  private make(answer: Answer): Card {
    const card: Card = new Card(answer, this.palette, () => this.choose(card));
    card.element.addEventListener("pointerenter", () => this.point(card));
    card.element.addEventListener("focusin", () => this.point(card));
    card.element.addEventListener("pointerleave", () => this.point(null));
    card.drawing.onhover = (x) => this.light(card, x);
    this.observer!.observe(card.element);
    return card;
  }

  get ids(): string[] {
    return this.cards.map((c) => c.answer.id);
  }

  // pick selects the card of a graph, if there is one.
  pick(id: string): void {
    const card = this.cards.find((c) => c.answer.id === id);
    if (!card) return;
    this.choose(card);
    card.element.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }

  // see draws a card that is in view, with its edits once they are known.
  private see(card: Card): void {
    if (this.pairs.has(card) || this.busy.has(card)) return;
    const { signal } = this.abort;
    const { answer } = card;
    if (answer.map) this.ask(card, () => this.pair(card, answer, signal));
    else if (!card.scene && !answer.smiles) this.ask(card, () => this.sketch(card, signal));
    if (!card.scene && answer.smiles) {
      void sceneOf(answer.smiles, undefined).then((scene) => {
        if (scene && !signal.aborted && !card.scene) card.draw(scene);
      });
    }
  }

  // ask puts a request for a card's graph into the queue. Where the service has no
  // room for it, it comes again.
  private ask(card: Card, request: () => Promise<void>): void {
    const { signal } = this.abort;
    this.busy.add(card);
    this.work.add(async () => {
      try {
        if (!signal.aborted) await request();
        this.busy.delete(card);
        if (!signal.aborted && card.answer.map && !this.pairs.has(card)) this.see(card); // it came meanwhile
      } catch (e) {
        if (signal.aborted) return;
        this.busy.delete(card);
        if (!isBusy(e)) return card.fail((e as Error).message);
        await new Promise((later) => setTimeout(later, 1000));
        if (!signal.aborted) this.ask(card, request);
      }
    });
  }

  // sketch draws a graph that has no SMILES.
  private async sketch(card: Card, signal: AbortSignal): Promise<void> {
    const scene = await sceneOf(undefined, await api.graph(this.asked!.collection, card.answer.id, signal));
    if (signal.aborted || !scene || card.scene) return;
    card.draw(scene);
    this.ondraw(scene);
  }

  // measure asks for the distance of a card that was only predicted, or that is
  // to be compared before the search is done.
  private async measure(card: Card, signal: AbortSignal): Promise<void> {
    const { collection, request } = this.asked!;
    const d = await api.distance(collection, request.query, card.answer.id, request.task, signal);
    if (signal.aborted || card.answer.map) return;
    if (!isKnown(card.answer)) card.measured(request.task, d);
    await this.put(card, { map: d.map, edits: d.edits ?? [] }, d.target, signal);
  }

  // pair gets the graph of an answer whose edits are known.
  private async pair(card: Card, answer: Answer, signal: AbortSignal): Promise<void> {
    const target = await api.graph(this.asked!.collection, answer.id, signal);
    if (!signal.aborted) await this.put(card, { map: answer.map!, edits: answer.edits! }, target, signal);
  }

  // put draws a card's graph on the places of the query.
  private async put(card: Card, { map, edits }: Pick<Pair, "map" | "edits">, graph: GraphJSON, signal: AbortSignal): Promise<void> {
    const asked = this.asked!;
    const target = await sceneOn(asked.scene, map, card.answer.smiles, graph);
    if (signal.aborted) return;
    const pair: Pair = { query: asked.scene, target, map, edits, partial: asked.request.task === "sed" };
    this.pairs.set(card, pair);
    card.draw(target, targetMarks(pair));
    this.ondraw(target);
    if (card === this.selected) this.compare(card);
  }

  // choose is what a person does.
  private choose(card: Card): void {
    this.wanted = card.answer.id;
    this.select(card, true);
    this.onselect(card.answer.id);
  }

  private select(card: Card, soon: boolean): void {
    if (this.selected !== card) {
      if (this.selected) this.selected.selected = false;
      this.selected = card;
      card.selected = true;
    }
    this.seen.add(card);
    this.see(card);
    if (this.pairs.has(card)) this.compare(card);
    else if (!card.answer.map && !this.busy.has(card)) this.compareSoon(card, soon || this.settled ? 0 : patience);
  }

  // compareSoon asks for the edits of a card by itself, unless the search brings
  // them before.
  private compareSoon(card: Card, wait: number): void {
    const { signal } = this.abort;
    setTimeout(() => {
      const late = signal.aborted || card !== this.selected || this.pairs.has(card) || this.busy.has(card) || card.answer.map;
      if (!late) this.ask(card, () => this.measure(card, signal));
    }, wait);
  }

  private compare(card: Card): void {
    const pair = this.pairs.get(card)!;
    this.panel.hidden = false;
    this.panel.classList.toggle("partial", pair.partial);
    if (this.comparison.shows(pair)) return;
    this.comparison.show(pair, this.asked!.name, title(card.answer));
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

// patience is how long the first answer waits to be compared while a search goes
// on, in milliseconds: most are done by then.
const patience = 700;

// summary says what the answers are, how many, and how long they took.
export function summary(found: Found, size: number, radius?: number): string {
  const n = found.answers.length;
  const time = (s: number) => (s < 0.001 ? `${Math.round(s * 1e6)} µs` : s < 1 ? `${(s * 1e3).toPrecision(2)} ms` : `${s.toFixed(1)} s`);
  const { embed, scan, check } = found.seconds;
  const took = `in ${time(embed + scan + check)}`;
  if (n > 0 || radius === undefined) return `${n.toLocaleString("en")} of ${size.toLocaleString("en")} graphs, ${found.verdict}; ${took}`;
  if (found.status === "proven") return `Nothing within ${radius}; that is proven, ${took}. Ask for a larger distance, or for the nearest.`;
  if (found.status === "predicted") return `The model predicts nothing within ${radius}, which proves nothing. Ask for proven answers.`;
  return `Nothing found within ${radius} so far, ${found.verdict}; ${took}`;
}
