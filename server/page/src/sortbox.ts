import { byId, h } from "./dom";
import type { Find } from "./find";
import type { Order } from "./sorting";

// SortBox chooses the order of the answers.
export class SortBox {
  onchange: (order: Order) => void = () => {};
  private readonly box = byId<HTMLSelectElement>("sort");

  constructor() {
    this.box.addEventListener("change", () => this.onchange(this.order));
  }

  private get order(): Order {
    return { key: this.box.value.replace(/^-/, ""), down: this.box.value.startsWith("-") };
  }

  // offer lists what answers can be sorted by, and keeps the choice if it is there. The
  // order without a choice is by distance, or by size where that says nothing. Of molecules the size is known.
  offer(attributes: string[], find: Find, molecules = false): void {
    const first = find === "parts" ? "size" : find === "contains" && molecules ? "atoms" : "distance";
    const keys: [string, string][] = [["", first], ...(molecules && first === "distance" ? [["size", "atoms"] as [string, string]] : []), ["id", "id"], ["name", "name"], ...attributes.map((a): [string, string] => [`@${a}`, a])];
    const before = this.box.value;
    this.box.replaceChildren(...keys.flatMap(([key, name]) => [["", "↑"], ["-", "↓"]].map(([sign, arrow]) =>
      // The largest parts come first.
      h("option", { value: sign + key }, `${name} ${key === "" && first === "size" ? (arrow === "↑" ? "↓" : "↑") : arrow}`))));
    this.box.value = before;
    if (this.box.selectedIndex < 0) this.box.value = "";
    this.onchange(this.order);
  }
}
