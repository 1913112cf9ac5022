import { weightsOf } from "./costs";
import { byId, h } from "./dom";
import type { Find } from "./find";
import { count, time } from "./text";
import type { Found } from "./types";

// notes lists what the service remarked.
export function notes(found: Pick<Found, "notes">): HTMLElement | null {
  if (!found.notes?.length) return null;
  return h("ul", { className: "warnings" }, ...found.notes.map((n) => h("li", {}, n.text)));
}

// tellQuestion says above the answers what was asked, with the labels of the query that the
// collection lacks.
export function tellQuestion({ question, costs, unmatched }: Pick<Found, "question" | "costs" | "unmatched">): void {
  const parts = question ? [`Asked: ${question.text}.`] : [];
  const weights = question?.costs === "own" && costs ? weightsOf(costs) : null;
  if (weights) parts.push(`To insert, delete and relabel a node costs ${weights.slice(0, 3).join(", ")}; an edge ${weights.slice(3, 6).join(", ")}${weights[6] ? `; into a ring or out of one ${weights[6]}` : ""}.`);
  const labels = [...(unmatched?.nodes ?? []), ...(unmatched?.edges ?? [])];
  if (labels.length) parts.push(`No graph here has ${labels.slice(0, 5).join(", ")}${labels.length > 5 ? ", …" : ""}.`);
  if (unmatched?.no_node || unmatched?.no_edge) parts.push("Was the query read as the collection was?");
  byId("question").textContent = parts.join(" ");
  byId("question").hidden = parts.length === 0;
}

// summary says what the answers are, how many, and how long they took. size is that
// of the collection, where the answer does not say how many graphs were searched.
export function summary(find: Find, found: Found, size: number, filtered: boolean, radius?: number): string {
  const n = found.total ?? found.answers.length;
  const { embed, scan, check } = found.seconds;
  const took = `in ${time(embed + scan + check)}`;
  const of = `${count(found.stats?.graphs ?? size)} ${filtered ? "that pass the filters" : "graphs"}`;
  const first = n > found.answers.length ? `; the first ${count(found.answers.length)} are listed` : "";
  const least = found.status === "open" ? "at least " : "";
  if (find === "contains" && found.tied) {
    return `${count(n)} of those that contain it among ${of}, ${found.verdict}; ${took}`;
  }
  if (find === "contains") return `${least}${count(n)} of ${of} ${n === 1 ? "contains" : "contain"} it${first}, ${found.verdict}; ${took}`;
  if (find === "parts") return `${least}${count(n)} of ${of} ${n === 1 ? "is" : "are"} a part of it${first}, ${found.verdict}; ${took}`;
  if (n > 0 || radius === undefined) return `${count(n)} of ${of}, ${found.verdict}; ${took}`;
  if (found.status === "proven") return `Nothing within ${radius}; that is proven, ${took}. Ask for a larger distance, or for the nearest.`;
  if (found.recall) return `No graph comes into question within ${radius}, which is not proven. Ask for proven answers.`;
  if (found.status === "predicted") return `The model predicts nothing within ${radius}, which proves nothing. Ask for proven answers.`;
  return `Nothing found within ${radius} so far, ${found.verdict}; ${took}`;
}
