// Labels below nodes are cut at this many letters; the whole is shown on hover.
const longest = 18;

// shorten cuts a label. Of paths, the end tells more than the beginning.
export function shorten(label: string, most = longest): string {
  if (label.length <= most) return label;
  if (/[/\\.:]/.test(label)) return `…${label.slice(1 - most)}`;
  return `${label.slice(0, most - 1)}…`;
}

// widthOf estimates how wide a label is drawn below a node, in units of a scene.
export const widthOf = (label: string) => (label.length <= 2 ? 0.65 : 0.17 * Math.min(label.length, longest) + 0.15);
