import type { Difference } from "./api";
import { kindOf } from "./marks";
import type { Pair } from "./path";
import type { Operation } from "./types";

// Change is what became of a node or an edge, in words.
export interface Change {
  kind: string; // as edits are marked
  text: string;
  edits: Operation[];
}

// changesOf says the groups of edits of a pair, as greed diff does where it is known. words are those of the pair's
// edits.
export function changesOf(pair: Pair, parts: Operation[][], words: string[], cut: (label: string) => string, known?: Difference): { heading: string; list: Change[] }[] {
  const said = new Map(pair.edits.map((op, i) => [op, words[i]]));
  const change = (edits: Operation[], why?: string): Change => {
    const [first, second] = edits.map((op) => said.get(op) ?? "");
    const text = second === undefined ? first : `${first.replace(/^delete/, "move")} to ${second.replace(/^insert (.*)?edge /, "")}`;
    return { kind: second === undefined ? kindOf(edits[0]) : "relabelled", text: why ? `${text} (${why})` : text, edits };
  };
  return parts.map((edits, i) => {
    const group = known?.groups[i];
    if (!group) return { heading: `change ${i + 1}`, list: edits.map((op) => change([op])) };
    const about = group.about && group.changes.length > 1 ? `: ${cut(group.about)}` : "";
    return { heading: `change ${i + 1}, cost ${group.cost}${about}`, list: group.changes.map((c) => change(c.edits, c.why)) };
  });
}
