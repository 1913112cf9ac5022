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

// count writes how many there are.
export const count = (n: number) => n.toLocaleString("en");

// time writes how long something took.
export const time = (s: number) => (s < 0.001 ? `${Math.round(s * 1e6)} µs` : s < 1 ? `${s < 0.1 ? (s * 1e3).toPrecision(2) : Math.round(s * 1e3)} ms` : `${s.toFixed(1)} s`);
