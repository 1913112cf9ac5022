// tabs makes the buttons of a tab list choose panels, by mouse and by arrow keys.
// The function returned chooses one.
export function tabs(list: HTMLElement, onchoose: (id: string) => void): (id: string) => void {
  const buttons = [...list.querySelectorAll<HTMLButtonElement>("[role=tab]")];
  const choose = (button: HTMLButtonElement) => {
    for (const b of buttons) {
      const on = b === button;
      b.setAttribute("aria-selected", String(on));
      b.tabIndex = on ? 0 : -1;
      document.getElementById(b.getAttribute("aria-controls")!)!.hidden = !on;
    }
    onchoose(button.id);
  };
  buttons.forEach((b, i) => {
    b.addEventListener("click", () => choose(b));
    b.addEventListener("keydown", (e) => {
      const to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: -1 }[e.key];
      if (to === undefined) return;
      e.preventDefault();
      const next = buttons.at(to % buttons.length)!;
      choose(next);
      next.focus();
    });
  });
  return (id) => choose(buttons.find((b) => b.id === id)!);
}
