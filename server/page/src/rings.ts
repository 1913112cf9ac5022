// How aromatic rings are drawn is kept in the browser: with circles, or with double bonds as
// Kekulé has them.
const key = "greed-rings";

export const kekule = (): boolean => localStorage.getItem(key) === "kekule";

// drawn has what draws each element anew.
const drawn = new WeakMap<Element, () => void>();

export const remember = (element: Element, again: () => void) => drawn.set(element, again);

// choose draws all molecules on the page with circles or without.
export function choose(circles: boolean): void {
  localStorage.setItem(key, circles ? "circles" : "kekule");
  for (const element of document.querySelectorAll(".drawing.molecule")) drawn.get(element)?.();
}
