import { save } from "./share";

// A search is kept as a file by its address, which has everything that was asked and what
// was ticked.
interface Saved {
  greed: "search";
  address: string;
}

export function saveSearch(address: string): void {
  const saved: Saved = { greed: "search", address };
  save(new Blob([`${JSON.stringify(saved, null, 1)}\n`], { type: "application/json" }), "search.greed.json");
}

// savedIn returns the address of a search that a text keeps, or null for any other text.
export function savedIn(text: string): string | null {
  try {
    const { greed, address } = JSON.parse(text) as Partial<Saved>;
    return greed === "search" && typeof address === "string" && address.startsWith("#") ? address : null;
  } catch {
    return null;
  }
}
