// Classes are the values of an attribute as few kinds, for colours.
export interface Classes {
  of: Uint8Array; // the kind of every point; the last kind has no value, or a rare one
  names: string[]; // of the kinds
  ordered: boolean; // from small to great
}

const most = 7;

// classesOf puts values into kinds: numbers into parts of about equal size, other values
// by how frequent they are.
export function classesOf(values: unknown[]): Classes {
  const has = (v: unknown) => v !== null && v !== undefined && v !== "";
  const known = values.filter(has);
  const numbers = known.map(Number);
  const distinct = new Set(known.map(String));
  if (known.length > 0 && distinct.size > most && numbers.every((x) => Number.isFinite(x)) && known.every((v) => typeof v !== "boolean")) {
    const ordered = Float64Array.from(numbers).sort();
    const parts = 5;
    const ends = [...new Set(Array.from({ length: parts - 1 }, (_, i) => ordered[Math.floor(((i + 1) * ordered.length) / parts)]))];
    const short = (x: number) => String(Number(x.toPrecision(3)));
    const from = [ordered[0], ...ends], to = [...ends, ordered[ordered.length - 1]];
    return {
      of: Uint8Array.from(values, (v) => (has(v) ? ends.filter((e) => Number(v) >= e).length : from.length)),
      names: [...from.map((x, i) => `${short(x)} to ${short(to[i])}`), "none"],
      ordered: true,
    };
  }
  const counts = new Map<string, number>();
  for (const v of known) counts.set(String(v), (counts.get(String(v)) ?? 0) + 1);
  const names = [...counts].sort((a, b) => b[1] - a[1]).slice(0, most).map(([name]) => name);
  const number = new Map(names.map((n, i) => [n, i]));
  return {
    of: Uint8Array.from(values, (v) => (has(v) ? number.get(String(v)) ?? names.length : names.length)),
    names: [...names, counts.size > most ? "others, none" : "none"],
    ordered: false,
  };
}

// inside tells whether a point is within a polygon.
export function inside(x: number, y: number, polygon: { x: number; y: number }[]): boolean {
  let odd = false;
  polygon.forEach((p, i) => {
    const q = polygon[(i + polygon.length - 1) % polygon.length];
    if (p.y > y !== q.y > y && x < ((q.x - p.x) * (y - p.y)) / (q.y - p.y) + p.x) odd = !odd;
  });
  return odd;
}
