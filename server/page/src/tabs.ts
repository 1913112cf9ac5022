// tabs makes the buttons of a tab list choose panels, by mouse and by arrow keys.
// The function returned chooses one.
export function tabs(list: HTMLElement, onchoose: (id: string) => void): (id: string) => void {
  const buttons = [...list.querySelectorAll<HTMLButtonElement>("[role=tab]")];
  const choose = (button: HTMLButtonElement) => {
    const panel = (b: HTMLElement) => document.getElementById(b.getAttribute("aria-controls")!)!;
    for (const b of buttons) {
      const on = b === button;
      b.setAttribute("aria-selected", String(on));
      b.tabIndex = on ? 0 : -1;
      panel(b).hidden = true; // two tabs may have one
    }
    panel(button).hidden = false;
    panel(button).setAttribute("aria-labelledby", button.id);
    onchoose(button.id);
  };
  for (const b of buttons) {
    b.addEventListener("click", () => choose(b));
    b.addEventListener("keydown", (e) => {
      const offered = buttons.filter((b) => !b.hidden), at = offered.indexOf(b);
      const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[e.key];
      if (to === undefined) return;
      e.preventDefault();
      const next = offered.at(to % offered.length)!;
      choose(next);
      next.focus();
    });
  }
  return (id) => choose(buttons.find((b) => b.id === id)!);
}
