import { h } from "./dom";

// By is the column that rows are sorted by.
export interface By {
  key: string;
  down: boolean; // greatest first
}

// heads makes the cells of a table's head, whose buttons sort the rows by a column. The same one again
// turns the order around. sort shows the rows, and the heads, in another order.
export function heads(row: HTMLElement, columns: { key: string; title: string }[], by: By, sort: (by: By) => void): HTMLElement[] {
  return columns.map(({ key, title }) => {
    const mine = by.key === key;
    return h("th", { scope: "col", "data-title": title, "aria-sort": mine ? (by.down ? "descending" : "ascending") : "none" }, h("button", { type: "button", className: "link", "data-key": key, onclick: () => {
      sort({ key, down: mine && !by.down });
      [...row.querySelectorAll<HTMLElement>("button")].find((b) => b.dataset.key === key)?.focus();
    } }, `${title}${mine ? (by.down ? " ↓" : " ↑") : ""}`));
  });
}
