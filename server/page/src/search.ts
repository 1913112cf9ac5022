import * as api from "./api";
import type { Asked, Rest } from "./asked";
import { byId } from "./dom";
import { predicts } from "./find";
import type { MapView } from "./mapview";
import { notes, summary, tellQuestion } from "./outcome";
import type { Results } from "./results";
import { follow } from "./stages";
import { count } from "./text";
import { complain, hush } from "./trouble";
import type { Answer, Found } from "./types";

const status = byId("status");

// The time that a proof has where it is not said, in seconds.
const usual = 10;

// Search carries out the search on show, says how far it is, and ends it or gives it
// more time.
export class Search {
  onnothing: () => void = () => {}; // it found nothing
  onunknown: () => void = () => {}; // what share of the answers it would find
  onforget: () => void = () => {};
  onchanged: () => void = () => {}; // the collection is not as it was
  onlost: () => void = () => {}; // there is none, or none that can answer
  asked: Asked | null = null;
  outcome: Found | null = null;
  private running = new AbortController();
  private budget = 0; // in seconds; 0 if it has the usual time

  constructor(private readonly results: Results, private readonly map: MapView, private readonly info: () => api.Info) {
    byId("more").addEventListener("click", () => void this.goOn(Math.min(this.spent + 10, this.info().max_time_limit)));
    byId("cancel").addEventListener("click", () => this.cancel());
  }

  // forget takes everything of the search before off the page: no answer stays under
  // another query.
  forget(): void {
    this.running.abort();
    document.body.classList.remove("busy");
    this.asked = this.outcome = null;
    this.budget = 0;
    this.results.clear();
    this.onforget();
    byId("question").hidden = true;
    status.textContent = "";
    hush();
    byId("actions").hidden = byId("progress").hidden = byId("more").hidden = true;
  }

  // signal is aborted when the search on show is.
  get signal(): AbortSignal {
    return this.running.signal;
  }

  // open forgets the search before and returns the signal that ends the next one.
  open(): AbortSignal {
    this.forget();
    this.running = new AbortController();
    byId("welcome").hidden = true;
    return this.running.signal;
  }

  // carryOut does what a search takes, and says how it ended if it failed.
  async carryOut(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    document.body.classList.add("busy");
    try {
      await work();
    } catch (e) {
      if (signal.aborted) return;
      if (e instanceof api.Problem && (e.status === 404 || e.status === 409)) this.onlost();
      byId("actions").hidden = this.results.ids.length === 0;
      status.textContent = this.results.ids.length ? "What was found before it ended; nothing of it is proven." : "";
      complain(e);
      if (e instanceof api.Problem && e.status === 422 && this.asked?.request.recall) this.onunknown();
    } finally {
      if (!signal.aborted) this.settle();
    }
  }

  // answer follows a search from its predictions, or from what was known before, to its
  // outcome.
  async answer(now: Asked, before: Answer[], signal: AbortSignal): Promise<void> {
    this.asked = now;
    const bar = byId<HTMLProgressElement>("progress-bar"), text = byId("progress-text");
    bar.removeAttribute("value");
    text.textContent = "computing distances";
    const { costs, ignore_edge_labels } = now.request;
    const predict = predicts(now.find, this.info().models) && !costs && !ignore_edge_labels;
    byId("progress").hidden = now.request.mode === "predicted";
    await follow({ collection: now.collection, find: now.find, request: now.request, predict, before }, signal, {
      predicted: (found) => {
        this.results.show(found.answers, false);
        status.textContent = "Predicted by a model; distances follow.";
        this.mark(now, signal);
      },
      checking: (line, answers) => {
        bar.max = line.candidates ?? 1;
        bar.value = line.verified ?? 0;
        text.textContent = `${count(line.verified ?? 0)} of ${count(line.candidates ?? 0)} looked at`;
        if (!answers) return;
        this.results.show(answers, false);
        status.textContent = "The best so far; those in grey are predicted. Nothing is proven yet.";
      },
      done: (found) => {
        this.settle();
        this.outcome = found;
        this.results.show(found.answers, true, this.rest(now, found, signal));
        this.told(found);
        this.mark(now, signal);
      },
    });
  }

  // list shows graphs of which nothing is asked.
  list(asked: Asked, ids: string[], selected: string): void {
    this.asked = asked;
    this.results.begin(asked, selected);
    this.results.show(ids.map((id) => ({ id, exact: false })), true);
    status.textContent = `${count(ids.length)} ${ids.length === 1 ? "graph" : "graphs"} chosen on the map. The menu of a card searches from there.`;
    byId("actions").hidden = false;
  }

  // rest is what the service has beyond the answers found.
  private rest(now: Asked, found: Found, signal: AbortSignal): Rest | null {
    const { next, total } = found;
    if (!next || total === undefined) return null;
    return {
      total,
      get: async () => {
        const part = await api.search(now.collection, { ...now.request, cursor: next }, signal);
        return { answers: part.answers, rest: this.rest(now, part, signal) };
      },
    };
  }

  // goOn gives the search on show more time. What it has found stays.
  private async goOn(seconds: number): Promise<void> {
    const { asked } = this;
    if (!asked) return;
    this.running.abort();
    const { signal } = (this.running = new AbortController());
    this.budget = seconds;
    asked.request.time_limit = `${seconds}s`;
    byId("more").hidden = true;
    hush();
    const before = asked.request.mode === "predicted" ? [] : this.results.inOrder;
    status.textContent = "The best so far stay while the search goes on.";
    await this.carryOut(signal, () => this.answer(asked, before, signal));
  }

  private cancel(): void {
    this.running.abort();
    this.settle();
    status.textContent = this.results.ids.length ? "Cancelled. The best so far; nothing of it is proven." : "Cancelled.";
    byId("actions").hidden = this.results.ids.length === 0;
    byId("more").hidden = this.spent >= this.info().max_time_limit;
  }

  // settle ends what shows that a search goes on.
  private settle(): void {
    document.body.classList.remove("busy");
    byId("progress").hidden = true;
  }

  // told says what the answers are.
  private told(found: Found): void {
    const { find, request } = this.asked!;
    status.textContent = summary(find, found, this.info().graphs, !!request.filter?.length, request.radius);
    if (found.question?.state && found.question.state !== this.info().state) this.onchanged();
    const remarks = notes(found);
    if (remarks) status.append(remarks);
    tellQuestion(found);
    if (found.answers.length === 0 && found.status !== "open") this.onnothing();
    byId("actions").hidden = false;
    byId("actions").classList.toggle("none", found.answers.length === 0);
    byId("more").hidden = found.status !== "open" || this.spent >= this.info().max_time_limit;
  }

  private get spent(): number {
    return this.budget || usual;
  }

  // mark shows the answers on the map. They do without.
  private mark(now: Asked, signal: AbortSignal): void {
    this.map.show(this.info(), now.request.task).then(() => this.map.mark(now, this.results.ids, signal)).catch(() => {});
  }
}
