const namespace = "http://www.w3.org/2000/svg";

type Attributes = Record<string, string | number>;

// svg makes an SVG element. Attributes that style it are left to classes: the
// page's content security policy forbids inline style.
export function svg<K extends keyof SVGElementTagNameMap>(name: K, attributes: Attributes = {}, ...children: (Node | string)[]): SVGElementTagNameMap[K] {
  const element = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}
