import type { Asked, Rest } from "./asked";
import { Card, title } from "./cards";
import type { Palette } from "./colours";
import { groupsOf, inGroups } from "./common";
import { Comparison } from "./compare";
import { byId, h } from "./dom";
import type { Differ } from "./differ";
import type { Drawing } from "./draw";
import { Figures } from "./figures";
import { marksIn } from "./marks";
import type { Pair } from "./path";
import { type Order, sorted } from "./sorting";
import { count } from "./text";
import type { Answer } from "./types";

// few are answers of which all are fetched to put them in order.
const few = 10_000;

// page is how many cards are added at a time: thousands would take long to draw.
const page = 60;

// Results shows the answers of a search while they get better, and compares one
// with the query.
export class Results {
  onselect: (id: string) => void = () => {};
  onpoint: (id: string | null) => void = () => {}; // the graph pointed at
  onmenu: (card: Card, button: HTMLElement) => void = () => {};
  onchange: () => void = () => {}; // other answers, or in another order
  onfail: (e: unknown) => void = () => {};
  readonly figures = new Figures();
  private readonly comparison: Comparison;
  private readonly viewed = h("div", { hidden: true }); // has the viewer of graphs that are no molecules
  private differs: Differ | null = null;
  private readonly list = byId<HTMLOListElement>("cards");
  private readonly panel = byId("comparison");
  private readonly more = byId<HTMLButtonElement>("more-cards");
  private observer: IntersectionObserver | null = null;
  private answers: Answer[] = []; // nearest first
  private ranks = new Map<string, number>();
  private cards: Card[] = []; // those on the page, in the order chosen
  private only: ((a: Answer) => boolean) | null = null; // those that are shown
  private grouped = false; // answers with a change in common stand together
  private groups = new Map<string, string>(); // of answers, if they are grouped
  private order: Order = { key: "", down: false };
  private shown = page;
  private readonly seen = new Set<Card>(); // came into view
  private asked: Asked | null = null;
  private selected: Card | null = null;
  private wanted = ""; // the id of the answer that someone chose
  private closed = false; // someone closed the comparison
  private settled = false; // no better answers come
  private rest: Rest | null = null; // answers that the service still has
  private fetching = Promise.resolve();

  constructor(private readonly palette: Palette, private readonly query: Drawing) {
    this.comparison = new Comparison(palette);
    this.panel.prepend(this.comparison.element, this.viewed);
    this.list.addEventListener("keydown", (e) => this.key(e));
    this.more.addEventListener("click", () => void this.extend());
    byId("enlarge").addEventListener("click", () => void this.enlarge());
    byId("close-comparison").addEventListener("click", () => this.close());
    this.figures.onpair = (card) => {
      if (card === this.selected) this.compare(card);
    };
  }

  clear(): void {
    this.figures.clear();
    this.observer?.disconnect();
    this.answers = [];
    this.cards = [];
    this.seen.clear();
    this.asked = this.selected = this.rest = null;
    this.list.replaceChildren();
    this.more.hidden = true;
    this.reveal(false);
  }

  // begin forgets the answers of the search before. Of those to come the one with
  // the id selected, or else the first, is compared.
  begin(asked: Asked, selected: string): void {
    this.clear();
    this.asked = asked;
    this.figures.begin(asked);
    this.wanted = selected;
    this.only = null;
    this.grouped = false;
    this.settled = this.closed = false;
    this.shown = page;
    this.observer = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        const card = entry.isIntersecting && this.cards.find((c) => c.element === entry.target);
        if (!card) continue;
        this.seen.add(card);
        this.figures.see(card);
      }
    }, { rootMargin: "100px" });
  }

  // show brings the cards in line with answers, which are nearest first. Cards of
  // graphs that were there stay what they are.
  show(answers: Answer[], settled: boolean, rest: Rest | null = null): void {
    this.settled = settled;
    this.rest = rest;
    // All that contain the query are as near: the smallest come first.
    this.answers = this.asked!.find === "contains" ? sorted(answers, { key: "size", down: false }) : answers;
    this.ranks = new Map(this.answers.map((a, i) => [a.id, i + 1]));
    this.arrange();
    if (settled) void this.figures.sketchAll(this.cards);
    if (rest && rest.total <= few && (this.asked!.find === "contains" || this.order.key)) void this.need(Infinity);
  }

  // restrict shows some of the answers alone; null: all, in groups or not.
  restrict(only: ((a: Answer) => boolean) | null, grouped = false): void {
    this.only = only;
    this.grouped = grouped;
    if (this.asked) this.arrange();
  }

  get restricted(): boolean {
    return this.only !== null || this.grouped;
  }

  // groupOf names the group of an answer, if there are groups.
  groupOf(answer: Answer): string | undefined {
    return this.groups.get(answer.id);
  }

  // sort shows the answers in another order, once they are all there.
  sort(order: Order): void {
    this.order = order;
    if (!this.asked) return;
    this.arrange();
    if (order.key || order.down) void this.need(Infinity);
  }

  // fetch gets answers that the service still has until there are enough, after those that
  // are being fetched.
  private fetch(enough: number): Promise<void> {
    const fetched = this.fetching.then(() => this.fetchMore(enough));
    this.fetching = fetched.catch(() => {});
    return fetched;
  }

  // need is fetch for what a person sees: a failure is told.
  private need(enough: number): Promise<void> {
    return this.fetch(enough).catch((e) => this.onfail(e));
  }

  private async fetchMore(enough: number): Promise<void> {
    const { asked } = this;
    if (!this.rest) return;
    this.more.disabled = true;
    try {
      while (this.rest && this.answers.length < enough) {
        const { answers, rest } = await this.rest.get();
        if (this.asked !== asked) return;
        const known = new Set(this.ids);
        this.show([...this.answers, ...answers.filter((a) => !known.has(a.id))], this.settled, rest);
      }
    } catch (e) {
      if (this.asked === asked) throw e;
    } finally {
      this.more.disabled = false;
    }
  }

  // inOrder returns all answers as they are sorted.
  get inOrder(): Answer[] {
    const answers = this.only ? this.answers.filter(this.only) : this.answers;
    const list = this.settled ? sorted(answers, this.order) : answers;
    return this.groups.size ? inGroups(list, this.groups) : list;
  }

  private arrange(): void {
    this.groups = this.grouped ? groupsOf(this.answers, this.asked!.scene) : new Map();
    const before = new Map(this.cards.map((c) => [c.answer.id, c]));
    this.cards = this.inOrder.slice(0, this.shown).map((answer) => {
      if (answer.map) answer.edits ??= [];
      const card = before.get(answer.id) ?? this.make(answer);
      before.delete(answer.id);
      this.figures.update(card, answer);
      card.answer = answer;
      card.tell(this.asked!.find, this.ranks.get(answer.id)!);
      return card;
    });
    for (const card of before.values()) this.observer!.unobserve(card.element);
    this.place();
    this.reach(this.cards.findIndex((c) => c.answer.id === this.wanted));
    const left = (this.only ? this.inOrder.length : this.rest?.total ?? this.answers.length) - this.cards.length;
    this.more.hidden = left === 0;
    this.more.textContent = `Show ${count(Math.min(page, left))} more of ${count(left)}`;
    const chosen = this.cards.find((c) => c.answer.id === this.wanted) ?? this.cards[0];
    if (chosen) this.select(chosen, false);
    else this.reveal(false);
    for (const card of this.cards) if (this.seen.has(card)) this.figures.see(card);
    this.onchange();
  }

  // whole gets all answers that the service still has, or throws.
  whole(): Promise<void> {
    return this.fetch(Infinity);
  }

  // total counts the answers with those that the service still has.
  get total(): number {
    return this.rest?.total ?? this.answers.length;
  }

  // place puts the cards on the page, and leaves the focus where it is.
  private place(): void {
    const elements = this.cards.flatMap((c, i) => {
      const group = this.groupOf(c.answer);
      return group === undefined || (i && group === this.groupOf(this.cards[i - 1].answer)) ? [c.element] : [h("li", { className: "group" }, group), c.element];
    });
    if (elements.length === this.list.children.length && elements.every((e, i) => e === this.list.children[i])) return;
    const focused = document.activeElement;
    this.list.replaceChildren(...elements);
    if (focused instanceof HTMLElement && this.list.contains(focused)) focused.focus({ preventScroll: true });
  }

  // reach makes one card the stop of the Tab key among all.
  private reach(at: number): void {
    this.cards.forEach((c, i) => (c.reachable = i === Math.max(0, at)));
  }

  private make(answer: Answer): Card {
    const card: Card = new Card(answer, this.palette, () => this.choose(card), (button) => this.onmenu(card, button));
    card.element.addEventListener("pointerenter", () => this.point(card));
    card.element.addEventListener("focusin", () => {
      this.reach(this.cards.indexOf(card));
      this.point(card);
    });
    card.element.addEventListener("pointerleave", () => this.point(null));
    card.drawing.onhover = (x) => this.light(card, x);
    this.observer!.observe(card.element);
    return card;
  }

  // extend shows more cards.
  private async extend(): Promise<void> {
    const first = this.cards.length;
    await this.need(first + page);
    this.shown = first + page;
    this.arrange();
    this.cards[first]?.focus();
  }

  // current is the search on show, if there is one.
  get current(): Asked | null {
    return this.asked;
  }

  get ids(): string[] {
    return this.answers.map((a) => a.id);
  }

  // onPage returns the cards that are on the page.
  get onPage(): Card[] {
    return this.cards;
  }

  // pick selects the card of a graph and tells whether there is one.
  pick(id: string): boolean {
    if (this.only && this.ids.includes(id)) this.restrict(null);
    const at = this.inOrder.findIndex((a) => a.id === id);
    if (at < 0) return false;
    if (at >= this.shown) {
      this.shown = Math.ceil((at + 1) / page) * page;
      this.arrange();
    }
    const card = this.cards[at];
    this.choose(card);
    card.element.scrollIntoView({ block: "nearest" });
    return true;
  }

  // add puts a graph behind the answers, to be compared with the query.
  add(id: string): void {
    this.show([...this.answers, { id, exact: false }], this.settled, this.rest);
    this.pick(id);
  }

  // choose is what a person does.
  choose(card: Card): void {
    this.wanted = card.answer.id;
    this.closed = false;
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
    this.figures.see(card);
    if (this.figures.pair(card)) return this.compare(card);
    // The comparison has its place before it is known: the cards do not move.
    this.swap(false);
    this.comparison.wait();
    this.reveal(!narrow() && !this.closed && !this.asked!.listed);
    if (!card.answer.map) this.figures.measure(card, soon || this.settled ? 0 : patience, () => card === this.selected);
  }

  private compare(card: Card): void {
    const pair = this.figures.pair(card)!;
    this.panel.dataset.beyond = pair.beyond;
    // On a phone the comparison covers the answers, so someone must want it.
    if (!this.closed && (!narrow() || this.wanted === card.answer.id)) this.reveal(true);
    if (!pair.query.molecule) return void this.differ(card, pair);
    this.swap(false);
    if (!this.comparison.shows(pair)) this.comparison.show(pair, this.asked!.name, title(card.answer));
  }

  // drawings returns what of a comparison is on show, with its captions.
  drawings(): ReturnType<Comparison["drawings"]> {
    return this.viewed.hidden ? this.comparison.drawings() : this.differs!.drawings();
  }

  private swap(viewer: boolean): void {
    this.viewed.hidden = !viewer;
    this.comparison.element.hidden = viewer;
  }

  // differ shows what differs in a pair of graphs, with the names of the nodes.
  private async differ(card: Card, pair: Pair): Promise<void> {
    void (await this.viewer()).show(this.asked!, pair, card.answer.id, title(card.answer), () => {
      const wanted = card === this.selected && this.figures.pair(card) === pair;
      if (wanted) this.swap(true);
      return wanted;
    });
  }

  private viewer = async () => (this.differs ??= new (await import("./differ")).Differ(this.viewed));

  private reveal(on: boolean): void {
    this.panel.hidden = !on;
    document.body.classList.toggle("compared", on);
  }

  // enlarge shows the pair that is compared over the whole window.
  private async enlarge(): Promise<void> {
    const card = this.selected, pair = card && this.figures.pair(card);
    if (!pair) return;
    await (await this.viewer()).enlarge(this.asked!, pair, card.answer.id, title(card.answer));
  }

  private close(): void {
    this.closed = true;
    this.reveal(false);
    this.selected?.focus();
  }

  // point marks on the query what a card's graph lacks or has otherwise.
  private point(card: Card | null): void {
    this.onpoint(card && card.answer.id);
    const pair = card && this.figures.pair(card);
    if (!this.asked) return;
    this.query.show(this.asked.scene, pair ? marksIn(pair, pair.edits, "query") : undefined);
  }

  private light(card: Card, x: number | null): void {
    card.drawing.highlight(x === null ? [] : [x]);
    const v = x === null ? -1 : this.figures.pair(card)?.map.indexOf(x) ?? -1;
    this.query.highlight(v < 0 ? [] : [v]);
  }

  // key moves among the cards, up and down by rows.
  private key(e: KeyboardEvent): void {
    const at = this.cards.findIndex((c) => c.element.contains(document.activeElement));
    const top = this.cards[0]?.element.offsetTop;
    const columns = Math.max(1, this.cards.filter((c) => c.element.offsetTop === top).length);
    const to = { ArrowRight: at + 1, ArrowDown: at + columns, ArrowLeft: at - 1, ArrowUp: at - columns, Home: 0, End: this.cards.length - 1 }[e.key];
    if (at < 0 || to === undefined || e.ctrlKey || e.metaKey || e.altKey) return;
    const next = this.cards[to];
    if (!next) return;
    e.preventDefault();
    next.focus();
  }
}

const narrow = () => matchMedia("(max-width: 860px)").matches;

// patience is how long the first answer waits to be compared while a search goes
// on, in milliseconds: most are done by then.
const patience = 700;
