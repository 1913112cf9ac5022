// rove makes a group one stop of the Tab key: the arrow keys move among its buttons, or
// others of its elements, as far as they are shown. What the Tab key came to may be hidden
// since, or be gone: then it comes to the first.
export function rove(group: HTMLElement, selector = "button"): void {
  const buttons = () => [...group.querySelectorAll<HTMLElement>(selector)].filter((e) => !e.closest("[hidden]") || e.closest("[hidden]")!.contains(group));
  reach(buttons(), 0);
  new MutationObserver(() => {
    const all = buttons();
    if (!all.some((e) => e.tabIndex === 0)) reach(all, 0);
  }).observe(group, { subtree: true, childList: true, attributeFilter: ["hidden"] });
  group.addEventListener("focusin", (e) => {
    const at = buttons().indexOf(e.target as HTMLElement);
    if (at >= 0) reach(buttons(), at);
  });
  group.addEventListener("keydown", (e) => {
    const all = buttons(), at = all.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: -1 }[e.key];
    if (to === undefined || at < 0) return;
    e.preventDefault();
    e.stopPropagation();
    all.at(to % all.length)!.focus();
  });
}

// reach lets the Tab key come to one of some elements, by its number, and to no other.
export function reach(all: HTMLElement[], at: number): void {
  all.forEach((e, i) => (e.tabIndex = i === Math.max(0, at) ? 0 : -1));
}
