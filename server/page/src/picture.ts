// What of the style sheet a drawing needs when it stands alone.
const properties = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "opacity", "font-family", "font-size", "font-weight", "text-anchor", "paint-order"];

// alone returns drawings side by side as one SVG that needs no style sheet, each with
// a line of text below. size is that of each.
export function alone(drawings: { element: SVGSVGElement; text: string }[], { width, height } = { width: 480, height: 360 }): string {
  const line = 28;
  const parts = drawings.map(({ element, text }, i) => {
    const copy = element.cloneNode(true) as SVGSVGElement;
    const from = [element, ...element.querySelectorAll("*")], to = [copy, ...copy.querySelectorAll("*")];
    from.forEach((e, j) => (getComputedStyle(e).display === "none" ? to[j].remove() : inline(e, to[j])));
    for (const hit of copy.querySelectorAll(".hit, .ring")) hit.remove();
    for (const [name, value] of Object.entries({ x: i * width, y: 0, width, height })) copy.setAttribute(name, String(value));
    for (const e of [copy, ...copy.querySelectorAll("*")]) for (const name of ["class", "style", "role", "aria-label", "tabindex", "data-node", "data-spot"]) e.removeAttribute(name);
    const short = text.length > 60 ? `${text.slice(0, 59)}…` : text;
    const caption = `<text x="${(i + 0.5) * width}" y="${height + 16}" text-anchor="middle" font-family="sans-serif" font-size="14" fill="${ink()}">${escaped(short)}</text>`;
    return new XMLSerializer().serializeToString(copy) + caption;
  });
  const all = drawings.length * width;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${all}" height="${height + line}" viewBox="0 0 ${all} ${height + line}">`
    + `<rect width="100%" height="100%" fill="${ground()}"/>${parts.join("")}</svg>`;
}

function inline(from: Element, to: Element): void {
  const style = getComputedStyle(from);
  for (const name of properties) {
    const value = style.getPropertyValue(name);
    if (value) to.setAttribute(name, value);
  }
}

const variable = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const ink = () => variable("--ink");
const ground = () => variable("--surface");

const escaped = (text: string) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

// png draws an SVG at twice its size.
export async function png(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = 2 * image.naturalWidth;
  canvas.height = 2 * image.naturalHeight;
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("The picture cannot be made."))), "image/png"));
}
