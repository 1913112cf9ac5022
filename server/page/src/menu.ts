import { byId, h } from "./dom";

// Item is a line of a menu: what it says, and what it does or where it leads.
export interface Item {
  text: string;
  act?: () => void;
  link?: string;
}

const menu = byId("menu");

// openMenu shows a menu at a button.
export function openMenu(items: Item[], at: HTMLElement): void {
  menu.replaceChildren(...items.map(({ text, act, link }) => (link
    ? h("a", { href: link, target: "_blank", rel: "noopener noreferrer", role: "menuitem", tabIndex: -1, onclick: () => menu.hidePopover() }, text)
    : h("button", { type: "button", role: "menuitem", tabIndex: -1, onclick: () => {
      menu.hidePopover();
      at.focus();
      act!();
    } }, text))));
  (at.closest("dialog") ?? document.querySelector("main")!).append(menu); // beside a dialog nothing can be used
  menu.showPopover();
  const button = at.getBoundingClientRect(), box = menu.getBoundingClientRect();
  const left = Math.max(8, Math.min(button.right - box.width, innerWidth - box.width - 8));
  const below = button.bottom + 4 + box.height < innerHeight;
  menu.style.left = `${left}px`;
  menu.style.top = `${below ? button.bottom + 4 : Math.max(8, button.top - 4 - box.height)}px`;
  (menu.firstElementChild as HTMLElement | null)?.focus();
}

menu.addEventListener("keydown", (e) => {
  const all = [...menu.children] as HTMLElement[], at = all.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[e.key];
  if (e.key === "Tab") menu.hidePopover();
  if (to === undefined) return;
  e.preventDefault();
  all.at(to % all.length)?.focus();
});
