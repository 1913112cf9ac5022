import { byId, h } from "./dom";
import { bondName, unlabelled, verbs } from "./edits";
import { kindOf } from "./marks";
import { type Scene, nameOf } from "./scene";
import type { Answer, Operation } from "./types";

// changesOf returns what turns a query into an answer, in words that are the same for answers
// that have a change in common: the transformations of molecules, else the edits.
export function changesOf(answer: Answer, query: Scene): string[] {
  return [...new Set(answer.transformations?.map((t) => t.text) ?? answer.edits?.map((op) => inWords(op, query)) ?? [])];
}

function inWords(op: Operation, query: Scene): string {
  const label = (text = "") => (query.molecule && (op.query ?? op.target!).length === 2 ? bondName(text) : text === unlabelled ? "" : text);
  const ends = (op.query ? op.query.map((v) => nameOf(query, v)) : op.target_names ?? []).join(query.directed ? "→" : "–");
  const kind = (op.query ?? op.target!).length === 2 ? (query.molecule ? "bond" : "edge") : query.molecule ? "atom" : "node";
  const change = op.from && op.to ? `: ${label(op.from)} → ${label(op.to)}` : "";
  return [verbs[kindOf(op)], change ? "" : label(op.from ?? op.to), kind, ends].filter(Boolean).join(" ") + change;
}

const most = 20;
const grouped = "\n"; // no change is called so
const own = "changes of their own";

// byChange returns the ids of answers by what changed: what several of the answers, and not all
// of them, have in common, the most frequent first.
function byChange(answers: Answer[], query: Scene): [string, Set<string>][] {
  const all = new Map<string, Set<string>>();
  for (const a of answers) for (const change of changesOf(a, query)) all.set(change, (all.get(change) ?? new Set()).add(a.id));
  return [...all].filter(([, ids]) => ids.size > 1 && ids.size < answers.length).sort(([, a], [, b]) => b.size - a.size);
}

// groupsOf names a group for every answer: the change that it shares with most others. One that would be
// alone in a group has a change of its own.
export function groupsOf(answers: Answer[], query: Scene): Map<string, string> {
  const groups = new Map<string, string>(), sizes = new Map<string, number>();
  for (const [change, ids] of byChange(answers, query)) {
    const left = [...ids].filter((id) => !groups.has(id));
    if (left.length > 1) for (const id of left) groups.set(id, change);
  }
  for (const a of answers) if (!groups.has(a.id)) groups.set(a.id, changesOf(a, query).length ? own : "no change");
  for (const group of groups.values()) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  return new Map([...groups].map(([id, group]) => [id, `${group} (${sizes.get(group)})`]));
}

// inGroups puts answers of one group together, where the first of them is, and those of no group last.
export function inGroups(answers: Answer[], groups: Map<string, string>): Answer[] {
  const [alone, together] = [true, false].map((alone) => answers.filter((a) => groups.get(a.id)!.startsWith(own) === alone));
  return [...Map.groupBy(together, (a) => groups.get(a.id)).values(), alone].flat();
}

// Common chooses the answers that have a change in common.
export class Common {
  onchange: (only: ((a: Answer) => boolean) | null, grouped: boolean) => void = () => {};
  private readonly box = byId<HTMLSelectElement>("common");
  private with = new Map<string, Set<string>>(); // ids of answers, by what changed

  constructor() {
    this.box.addEventListener("change", () => {
      const ids = this.with.get(this.box.value);
      this.onchange(ids ? (a) => ids.has(a.id) : null, this.box.value === grouped);
    });
  }

  // offer lists what several of the answers, and not all of them, have in common.
  offer(answers: Answer[], query: Scene | null): void {
    const shared = query ? byChange(answers, query).slice(0, most) : [];
    this.with = new Map(shared);
    this.box.replaceChildren(h("option", { value: "" }, "any"), h("option", { value: grouped }, "any, in groups"), ...shared.map(([change, ids]) => h("option", { value: change }, `${change} (${ids.size})`)));
    this.box.parentElement!.hidden = shared.length === 0;
  }
}
