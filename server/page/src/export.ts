import * as api from "./api";
import { readAtom } from "./chemistry";
import { type Scene, edgeKey } from "./scene";
import type { Answer } from "./types";

// Row is an answer on the screen with its rank by distance.
export interface Row {
  rank: number;
  answer: Answer;
  scene: Scene | null; // as it is drawn
}

// csv writes answers as they are on the screen, with their bounds. A text that a
// spreadsheet would take for a formula begins with an apostrophe.
export function csv(rows: Row[], status: string, attributes: string[]): string {
  const made = rows.some(({ answer }) => answer.origins); // in several ways, of which the id says the first
  const head = ["rank", "id", "name", "smiles", "predicted", "lower", "upper", "exact", "status", ...(made ? ["origins"] : []), ...attributes];
  const lines = rows.map(({ rank, answer: a }) => [
    rank, a.id, a.name, a.smiles, a.predicted, a.lower, a.upper, a.upper === undefined ? "" : a.lower === a.upper, status,
    ...(made ? [a.origins?.map((o) => `${o.reaction}:${o.synthons.map((s) => s.id).join("+")}`).join("; ")] : []),
    ...attributes.map((name) => a.attributes?.[name]),
  ]);
  return tabular(head, lines);
}

// tabular writes lines as CSV.
export const tabular = (head: string[], lines: unknown[][]) => [head, ...lines].map((line) => line.map(guarded).map(cell).join(",") + "\r\n").join("");

function guarded(value: unknown): unknown {
  return typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
}

function cell(value: unknown): string {
  const text = value === undefined || value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// smiles writes a molecule a line, with its id.
export const smiles = (rows: Row[]) =>
  rows.filter(({ answer }) => answer.smiles).map(({ answer }) => `${answer.smiles} ${answer.id.replace(/\s+/g, "_")}\n`).join("");

const atATime = 500;

// sdf asks the service for the molecules, and gives them the places that they have on
// the screen and what is known of their distances.
export async function sdf(collection: string, rows: Row[], status: string): Promise<string> {
  let text = "";
  for (let i = 0; i < rows.length; i += atATime) {
    const part = rows.slice(i, i + atATime);
    const records = (await api.sdf(collection, part.map((r) => r.answer.id))).split("$$$$\n");
    part.forEach((row, j) => (text += `${placed(records[j], row.scene)}${items(row, status)}$$$$\n`));
  }
  return text;
}

function items({ rank, answer: a }: Row, status: string): string {
  const data: [string, unknown][] = [["rank", rank], ["predicted", a.predicted], ["lower", a.lower], ["upper", a.upper], ["status", status]];
  return data.filter(([, v]) => v !== undefined).map(([name, v]) => `>  <${name}>\n${v}\n\n`).join("");
}

// placed writes the places of a scene into a MOL block. Where the block has other atoms or
// bonds than the scene, or the same in another order, it stays as it is.
export function placed(block: string, scene: Scene | null): string {
  const lines = block.split("\n");
  const atoms = Number(lines[3]?.slice(0, 3));
  if (!scene || atoms !== scene.nodes.length || !lines[3].includes("V2000")) return block;
  const symbol = (line: string) => line.slice(31, 34).trim();
  if (!scene.nodes.every((n, v) => symbol(lines[4 + v]) === readAtom(n.label)?.element)) return block;
  const bonds = new Set(lines.slice(4 + atoms, 4 + atoms + Number(lines[3].slice(3, 6))).map((line) => edgeKey(Number(line.slice(0, 3)) - 1, Number(line.slice(3, 6)) - 1, false)));
  if (bonds.size !== scene.edges.length || !scene.edges.every((e) => bonds.has(edgeKey(e.a, e.b, false)))) return block;
  // The program's line says that there are two dimensions.
  lines[1] = "  greed             2D";
  const number = (x: number) => x.toFixed(4).padStart(10);
  // A bond is 1.5 long, as chemists draw it, and y grows upwards.
  scene.nodes.forEach((n, v) => (lines[4 + v] = `${number(n.x * 1.5)}${number(-n.y * 1.5)}${number(0)}${lines[4 + v].slice(30)}`));
  return lines.join("\n");
}
