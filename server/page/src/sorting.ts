import type { Answer } from "./types";

// Order is by distance, by "id", by "name", or by an attribute, whose key begins
// with @.
export interface Order {
  key: string; // "" is by distance
  down: boolean; // greatest first
}

// sorted returns answers in an order. Those without a value are last, and equals are
// as they were: nearest first.
export function sorted(answers: Answer[], order: Order): Answer[] {
  if (!order.key) return order.down ? [...answers].reverse() : answers;
  const value = (a: Answer): unknown => (order.key === "size" ? atoms(a.smiles ?? "") : order.key === "id" ? a.id : order.key === "name" ? a.name : a.attributes?.[order.key.slice(1)]);
  return [...answers].sort(ordering(value, order.down));
}

// atoms counts the atoms of a SMILES but hydrogens.
const atoms = (smiles: string) => (smiles.match(/\[(?!\d*H\d*[+-]?\])[^\]]+\]|Br|Cl|[BCNOPSFIbcnops](?![^[]*\])/g) ?? []).length;

// ordering compares things by a value; those without one are last.
export function ordering<T>(value: (thing: T) => unknown, down: boolean): (a: T, b: T) => number {
  const sign = down ? -1 : 1;
  return (a, b) => {
    const x = value(a), y = value(b);
    if (isNone(x) || isNone(y)) return Number(isNone(x)) - Number(isNone(y));
    return sign * compare(x, y);
  };
}

const isNone = (x: unknown) => x === undefined || x === null || x === "";

// compare puts numbers, also in texts, by their size before other texts.
function compare(x: unknown, y: unknown): number {
  const a = Number(x), b = Number(y);
  if (!Number.isNaN(a) && !Number.isNaN(b)) return a - b;
  if (Number.isNaN(a) !== Number.isNaN(b)) return Number.isNaN(a) ? 1 : -1;
  return String(x).localeCompare(String(y), "en", { numeric: true });
}
