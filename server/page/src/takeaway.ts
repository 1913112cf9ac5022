import { type Card, title } from "./cards";
import { byId } from "./dom";
import type { Row } from "./export";
import { type Item, openMenu } from "./menu";
import { alone, png } from "./picture";
import type { Results } from "./results";
import { saveSearch } from "./saved";
import { busy, copy, curl, save } from "./share";
import type { Found } from "./types";

// Shown is what is on the screen.
export interface Shown {
  found: Found | null; // the outcome, if there is one
  link?: string;
  attributes: string[];
  molecules: boolean;
}

// TakeAway saves and copies what is on the screen, exactly as it is there.
export class TakeAway {
  onsearch: (id: string) => void = () => {}; // an answer is to be the query
  oncomplain: (e: unknown) => void = () => {};

  onprint: () => Promise<void> = async () => {};

  constructor(private readonly results: Results, private readonly shown: () => Shown) {
    const share = byId<HTMLButtonElement>("share"), saved = byId<HTMLButtonElement>("save"), comparison = byId<HTMLButtonElement>("save-comparison");
    share.addEventListener("click", () => void copy(share, location.href));
    saved.addEventListener("click", () => openMenu(this.answers(saved), saved));
    comparison.addEventListener("click", () => openMenu(this.pictures(() => this.results.drawings(), "comparison"), comparison));
    results.onmenu = (card, button) => openMenu(this.card(card, button), button);
  }

  private answers(button: HTMLButtonElement): Item[] {
    const asked = this.results.current!;
    // What is saved has all answers, not only those that have come.
    const text = (name: string, kind: string, make: (out: typeof import("./export")) => string | Promise<string>) => () =>
      void busy(button, "Getting all …", async () => {
        const [out] = await Promise.all([import("./export"), this.results.whole()]);
        save(new Blob([await make(out)], { type: kind }), name);
      }).catch(this.oncomplain);
    const status = this.shown().found?.status ?? "unfinished";
    const items: Item[] = [{ text: "CSV", act: text("answers.csv", "text/csv", (out) => out.csv(this.rows(), status, this.shown().attributes)) }];
    if (this.shown().molecules) {
      items.push({ text: "SDF, as drawn", act: text("answers.sdf", "chemical/x-mdl-sdfile", async (out) => {
        await this.results.figures.settled(this.results.onPage);
        return out.sdf(asked.collection, await this.laidOut(button), status);
      }) });
      items.push({ text: "SDF, as read", act: text("answers.sdf", "chemical/x-mdl-sdfile", (out) => out.sdf(asked.collection, this.rows().map((row) => ({ ...row, scene: null })), status)) });
      items.push({ text: "SMILES", act: text("answers.smi", "chemical/x-daylight-smiles", (out) => out.smiles(this.rows())) });
    }
    const path = `/v1/collections/${encodeURIComponent(asked.collection)}/${asked.find === "parts" ? "parts" : "search"}`;
    const { query, filter, show } = asked.request;
    items.push({ text: "This search, to open again", act: () => saveSearch(location.hash) });
    items.push({ text: "Print", act: () => void this.onprint() });
    items.push({ text: "Copy as curl", act: () => void copy(button, curl(path, asked.find === "parts" ? { query, filter, show } : asked.request)) });
    return items;
  }

  private rows(): Row[] {
    const drawn = new Map(this.results.onPage.map((c) => [c.answer.id, c.scene]));
    const rank = new Map(this.results.ids.map((id, i) => [id, i + 1]));
    return this.results.inOrder.map((answer) => ({ answer, rank: rank.get(answer.id)!, scene: drawn.get(answer.id) ?? null }));
  }

  // laidOut returns all answers with the places of their atoms, also of those that no
  // card shows yet.
  private async laidOut(button: HTMLButtonElement): Promise<Row[]> {
    const rows = this.rows();
    let begin = performance.now();
    for (const [i, row] of rows.entries()) {
      row.scene ??= await this.results.figures.layout(row.answer);
      if (performance.now() - begin < 100) continue;
      button.textContent = `${i + 1} of ${rows.length} laid out`;
      await new Promise((later) => setTimeout(later)); // the page goes on meanwhile
      begin = performance.now();
    }
    return rows;
  }

  private card(card: Card, button: HTMLElement): Item[] {
    const { answer } = card;
    const { link } = this.shown();
    const items: Item[] = [
      { text: "Compare with the query", act: () => this.results.choose(card) },
      { text: "Search from here", act: () => this.onsearch(answer.id) },
    ];
    const { smiles } = answer;
    if (smiles) items.push({ text: "Copy SMILES", act: () => void copy(button, smiles) });
    items.push({ text: "Copy id", act: () => void copy(button, answer.id) });
    const ways = answer.origins?.flatMap((o) => o.synthons.map((s) => `${o.reaction}\t${s.id}\t${s.smiles}\n`));
    if (ways) items.push({ text: "Copy synthons", act: () => void copy(button, ways.join("")) });
    items.push(...this.pictures(() => [{ element: card.drawing.element, text: title(answer) }], answer.id.replace(/[^\w.-]+/g, "_")));
    if (link) items.push({ text: `Open at ${new URL(link.replaceAll("{id}", "")).hostname} ↗`, link: link.replaceAll("{id}", encodeURIComponent(answer.id)) });
    return items;
  }

  private pictures(drawings: () => Parameters<typeof alone>[0], name: string): Item[] {
    return [
      { text: "Save as SVG", act: () => save(new Blob([alone(drawings())], { type: "image/svg+xml" }), `${name}.svg`) },
      { text: "Save as PNG", act: () => void png(alone(drawings())).then((blob) => save(blob, `${name}.png`), this.oncomplain) },
    ];
  }
}
