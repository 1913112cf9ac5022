import { atLeast, between, isKnown, number } from "./cards";
import type { Properties } from "./properties";
import type { Answer } from "./types";

// Line is an answer in the table with what is computed of it.
export interface Line {
  rank: number;
  answer: Answer;
  properties?: Properties | null;
  group?: string; // of answers with a change in common, if they stand together
}

// Column is what a table may show of answers.
export interface Column {
  key: string;
  title: string;
  value: (line: Line) => unknown; // what it is sorted and filtered by
  text?: (line: Line) => string; // as it is shown, if otherwise
}

const rounded = (x: unknown) => (typeof x === "number" ? number(x) : x === undefined || x === null ? "" : typeof x === "object" ? JSON.stringify(x) : String(x));

export const textOf = (column: Column, line: Line) => (column.text ? column.text(line) : rounded(column.value(line)));

// columnsOf returns the columns that there are.
export function columnsOf(molecules: boolean, attributes: string[]): Column[] {
  const edits = (kind: string) => ({ answer }: Line) => answer.edits?.filter((op) => op.op.startsWith(kind)).length;
  return [
    { key: "rank", title: "#", value: (l) => l.rank },
    { key: "id", title: "id", value: (l) => l.answer.id },
    { key: "name", title: "name", value: (l) => (l.answer.name === l.answer.id ? undefined : l.answer.name) },
    {
      key: "distance", title: "distance", value: ({ answer: a }) => a.size?.nodes ?? a.upper ?? a.predicted,
      text: ({ answer: a }) => (a.size ? String(a.size.nodes) : !isKnown(a) ? (a.predicted === undefined ? "" : `≈ ${number(a.predicted)}`) : between(a)),
    },
    { key: "predicted", title: "predicted", value: (l) => l.answer.predicted },
    {
      key: "similarity", title: "similarity", value: (l) => l.answer.similarity,
      text: ({ answer: a }) => (isKnown(a) && a.lower !== a.upper ? `≥ ${atLeast(a.similarity!)}` : rounded(a.similarity)),
    },
    ...(molecules ? [{ key: "transformation", title: "transformation", value: ({ answer }: Line) => answer.transformations?.map((t) => t.text).join("; ") }] : []),
    { key: "deleted", title: "deleted", value: edits("delete") },
    { key: "inserted", title: "inserted", value: edits("insert") },
    { key: "relabelled", title: "relabelled", value: edits("substitute") },
    ...(molecules ? ([["weight", "MW"], ["rings", "rings"], ["logP", "logP"], ["formula", "formula"]] as const).map(([key, title]): Column => ({ key, title, value: (l) => l.properties?.[key] })) : []),
    ...attributes.map((name): Column => ({ key: `@${name}`, title: name, value: (l) => l.answer.attributes?.[name] })),
  ];
}

// usual are the columns that are shown unless someone chose.
export const usual = new Set(["rank", "id", "name", "distance", "similarity", "transformation", "weight", "rings", "logP"]);

// passes reports whether a value fits a condition: <5, >=2, 2..5, =x, or a text that it
// contains.
export function passes(value: unknown, condition: string): boolean {
  const text = condition.trim();
  if (!text) return true;
  const x = Number(value), none = value === undefined || value === null || value === "";
  const range = /^(-?[\d.]+)\s*\.\.\s*(-?[\d.]+)$/.exec(text);
  if (range) return !none && x >= Number(range[1]) && x <= Number(range[2]);
  const [, sign, end] = /^(<=|>=|<|>|=)\s*(.+)$/.exec(text) ?? [];
  if (sign === "=") return !none && String(value) === end;
  if (sign && Number.isFinite(Number(end))) {
    if (none || Number.isNaN(x)) return false;
    return sign === "<" ? x < Number(end) : sign === "<=" ? x <= Number(end) : sign === ">" ? x > Number(end) : x >= Number(end);
  }
  return !none && String(value).toLowerCase().includes(text.toLowerCase());
}

// decimals says how many a text has that is a number, or that ends in one.
export const decimals = (text: string) => /\d\.(\d+)$/.exec(text)?.[1].length ?? 0;

// padded gives a text that ends in a number so many decimals. Bounds, two numbers, stay as they are.
export const padded = (text: string, places: number) => (/^\D*\d+(\.\d+)?$/.test(text) && decimals(text) < places ? `${text}${decimals(text) ? "" : "."}${"0".repeat(places - decimals(text))}` : text);
