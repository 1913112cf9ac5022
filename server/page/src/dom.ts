type Properties = Record<string, unknown>;

// h makes an HTML element. Properties named on… are listeners, those with a dash
// and role are attributes; strings among the children become text, never markup.
export function h<K extends keyof HTMLElementTagNameMap>(name: K, properties: Properties = {}, ...children: (Node | string | null)[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value as EventListener);
    else if (key.includes("-") || key === "role" || key === "for") element.setAttribute(key, String(value));
    else (element as unknown as Properties)[key] = value;
  }
  element.append(...children.filter((c): c is Node | string => c !== null));
  return element;
}

// byId returns an element of index.html.
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

// adopt adds the style of what few visitors see, so that the first view has less.
export function adopt(css: string): void {
  const style = new CSSStyleSheet();
  style.replaceSync(css);
  document.adoptedStyleSheets.push(style);
}
