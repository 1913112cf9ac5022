// Printed is a part of the page of which a print has more than the window: all of it, not only what is in
// view.
export interface Printed {
  // ready waits until all that a print has is drawn.
  ready: () => Promise<void>;
  // unfold puts on the page what a print has; fold takes it off again.
  unfold?: () => void;
  fold?: () => void;
}

// printing makes prints whole. A browser's own command gives no time to draw, so what is not in view is
// drawn beforehand; the key and the item of the menu wait for the rest.
export function printing(parts: Printed[]): () => Promise<void> {
  const all = async () => {
    await Promise.all(parts.map((part) => part.ready()));
    print();
  };
  addEventListener("beforeprint", () => parts.forEach((part) => part.unfold?.()));
  addEventListener("afterprint", () => parts.forEach((part) => part.fold?.()));
  addEventListener("keydown", (e) => {
    if (e.key !== "p" || !(e.ctrlKey || e.metaKey) || e.altKey || e.shiftKey) return;
    e.preventDefault();
    void all();
  });
  return all;
}

// idle waits until the browser has nothing else to do.
export const idle = () => new Promise<void>((later) => ("requestIdleCallback" in window ? requestIdleCallback(() => later()) : setTimeout(later, 50)));
