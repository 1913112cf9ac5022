import * as api from "./api";
import { byId, h } from "./dom";

// Collections is the choice among those that the service has.
export class Collections {
  onchange: (name: string) => void = () => {};
  private readonly box = byId<HTMLSelectElement>("collection");
  private list: api.Info[] = [];
  private opening: Promise<void> | null = null;

  constructor() {
    this.box.addEventListener("change", () => this.onchange(this.box.value));
  }

  // opened waits until the collections are known. If the service did not answer, the
  // next call asks again.
  opened(): Promise<void> {
    return (this.opening ??= this.open().catch((e) => {
      this.opening = null;
      throw e;
    }));
  }

  // forget makes the next call of opened ask again.
  forget(): void {
    this.opening = null;
  }

  // known tells whether the collections are known.
  get known(): boolean {
    return this.list.length > 0;
  }

  // find returns a collection, or throws for one that there is not: the answers of
  // another would not be what a link promised.
  find(name: string): api.Info {
    const info = this.list.find((c) => c.name === name);
    if (!info) throw new Error(`There is no collection ${name} here. Choose one.`);
    return info;
  }

  // all returns the collections that are known.
  get all(): api.Info[] {
    return this.list;
  }

  // first returns the name of the one that is chosen where nothing is said.
  get first(): string {
    return this.list[0]?.name ?? "";
  }

  // show chooses a collection: none if it is not known.
  show(name: string): void {
    this.box.disabled = this.list.length < 2 && this.list.some((c) => c.name === name);
    this.box.value = name;
  }

  private async open(): Promise<void> {
    const { all, creates } = await api.collections();
    this.list = all;
    byId("create").hidden = !creates;
    this.box.replaceChildren(...this.list.map((c) => h("option", { value: c.name }, c.name)));
  }
}
