import * as api from "./api";
import type { Asked } from "./asked";
import { type Card, isKnown } from "./cards";
import { constrain } from "./constrain";
import { finds } from "./find";
import { marksIn } from "./marks";
import type { Pair } from "./path";
import { idle } from "./print";
import { Queue } from "./queue";
import type { Scene } from "./scene";
import { isLarge, painted, sceneOf, sceneOn } from "./scenes";
import type { Answer, GraphJSON } from "./types";

// Figures gets the graphs of cards from the service and draws them, those in view
// first.
export class Figures {
  ondraw: (target: Scene) => void = () => {};
  onpair: (card: Card) => void = () => {}; // a card is drawn on the query
  private readonly work = new Queue(3);
  private readonly busy = new Set<Card>(); // their graph is being asked for
  private readonly pairs = new Map<Card, Pair>();
  private abort = new AbortController();
  private asked!: Asked;

  // begin forgets what is of the search before.
  begin(asked: Asked): void {
    this.clear();
    this.asked = asked;
  }

  clear(): void {
    this.abort.abort();
    this.abort = new AbortController();
    this.work.clear();
    this.pairs.clear();
    this.busy.clear();
  }

  pair(card: Card): Pair | undefined {
    return this.pairs.get(card);
  }

  // update takes up that a card has another answer, with another node map perhaps.
  update(card: Card, answer: Answer): void {
    const pair = this.pairs.get(card);
    if (pair && answer.map && String(pair.map) !== String(answer.map)) this.pairs.delete(card);
  }

  // see draws a card, with its edits once they are known.
  see(card: Card): void {
    if (this.pairs.has(card) || this.busy.has(card)) return;
    const { signal } = this.abort;
    const { answer } = card;
    if (answer.map) this.ask(card, () => this.join(card, answer, signal));
    else if (!card.scene && !answer.smiles) this.ask(card, () => this.sketch(card, signal));
    if (!card.scene && answer.smiles) {
      void sceneOf(answer.smiles, undefined).then((scene) => {
        if (scene && !signal.aborted && !card.scene) card.draw(scene);
      });
    }
  }

  // sketchAll draws the cards that nobody has seen, one after the other while nothing else is to be
  // done: a print shows them all.
  async sketchAll(cards: Card[]): Promise<void> {
    const { signal } = this.abort;
    for (const card of cards) {
      await idle();
      if (signal.aborted) return;
      if (card.scene || this.busy.has(card)) continue;
      if (card.answer.smiles === undefined) await new Promise<void>((done) => this.ask(card, () => this.sketch(card, signal).finally(done)));
      else {
        const scene = await sceneOf(card.answer.smiles, undefined);
        if (scene && !signal.aborted && !card.scene) card.draw(scene);
      }
    }
  }

  // measure asks for the edits of a card by itself after a while, unless the search
  // brings them before or the card is not wanted any more.
  measure(card: Card, wait: number, wanted: () => boolean): void {
    if (this.asked.listed || !finds[this.asked.find].modelled) return; // the service knows no costs but the model's
    const { signal } = this.abort;
    setTimeout(() => {
      if (signal.aborted || !wanted() || this.pairs.has(card) || card.answer.map) return;
      if (this.busy.has(card)) return this.measure(card, 100, wanted); // its graph comes first
      this.ask(card, async () => {
        const { collection, request } = this.asked;
        const d = await api.distance(collection, request, { query: request.query!, target: { id: card.answer.id } }, signal);
        if (signal.aborted || card.answer.map) return;
        if (!isKnown(card.answer)) card.measured(d);
        await this.put(card, { map: d.map, edits: d.edits ?? [] }, d.target, signal);
      });
    }, wait);
  }

  // layout lays out the graph of an answer as its card would draw it, or returns null
  // for what is no molecule.
  async layout(answer: Answer): Promise<Scene | null> {
    const { scene: query, collection } = this.asked;
    const graph = answer.smiles ? undefined : (await api.record(collection, answer.id, this.abort.signal)).graph;
    const own = await sceneOf(answer.smiles, graph);
    if (!own?.molecule) return null;
    return answer.map && query.molecule ? constrain(query, own, answer.map) : own;
  }

  // settled waits until all cards given are drawn on the query, as far as they can be.
  async settled(cards: Card[]): Promise<void> {
    for (const card of cards) this.see(card);
    const { signal } = this.abort;
    while (!signal.aborted && cards.some((c) => this.busy.has(c) || (!c.scene && c.answer.smiles))) await new Promise((later) => setTimeout(later, 50));
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
    const scene = await sceneOf(undefined, (await api.record(this.asked.collection, card.answer.id, signal)).graph);
    if (signal.aborted || !scene || card.scene) return;
    card.draw(scene);
    this.ondraw(scene);
  }

  // join gets the graph of an answer whose edits are known.
  private async join(card: Card, answer: Answer, signal: AbortSignal): Promise<void> {
    const { graph } = await api.record(this.asked.collection, answer.id, signal);
    if (!signal.aborted) await this.put(card, { map: answer.map!, edits: answer.edits! }, graph, signal);
  }

  // put draws a card's graph on the places of the query.
  private async put(card: Card, { map, edits }: Pick<Pair, "map" | "edits">, graph: GraphJSON, signal: AbortSignal): Promise<void> {
    const { scene: query, find } = this.asked;
    const target = await sceneOn(query, map, card.answer.smiles, graph);
    if (signal.aborted) return;
    const pair: Pair = { query, target, map, edits, beyond: finds[find].beyond };
    this.pairs.set(card, pair);
    card.draw(target, marksIn(pair, edits, "target"));
    if (isLarge(target.nodes)) await painted();
    if (signal.aborted || this.pairs.get(card) !== pair) return;
    if (pair.beyond === "both") card.common(pair);
    this.ondraw(target);
    this.onpair(card);
  }
}

// isBusy tells whether the service asked to come again later.
const isBusy = (e: unknown) => e instanceof api.Problem && (e.status === 429 || e.status === 503);
