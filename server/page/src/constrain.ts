import { type Place, type Scene, align, edgeKey } from "./scene";

// constrain lays a molecule out on a query: what a node map pairs lies where the
// query has it, and only what differs is placed anew, so that two drawings side by
// side differ where the molecules do.
//
// The molecule falls into units that keep their form: what is common, in the
// query's; rings that differ and what the query lacks, in the target's own. The
// largest common unit lies on the query; the others are joined to it one by one,
// turned and mirrored such that bonds have their length and nothing overlaps.
export function constrain(query: Scene, target: Scene, map: number[]): Scene {
  const own = align(query, target, map);
  const units = unitsOf(query, own, map);
  const core = units.findIndex((u) => u.kept);
  if (core < 0 || units[core].nodes.length < 2) return own;
  const placed = new Map<number, Place>();
  for (const [v, { x, y }] of units[core].form) placed.set(v, { x, y });
  units.splice(core, 1);
  const bonds = neighbours(own);
  while (units.length > 0) {
    const next = nearest(units, placed, bonds);
    join(units.splice(next, 1)[0], placed, bonds);
  }
  const scene = { ...own, nodes: own.nodes.map((n, x) => ({ ...n, ...placed.get(x)! })) };
  return faults(scene) > faults(own) ? own : scene;
}

// A unit is a set of nodes that moves as one.
interface Unit {
  nodes: number[];
  form: Map<number, Place>; // of its nodes
  kept: boolean; // the form is the query's
}

function unitsOf(query: Scene, target: Scene, map: number[]): Unit[] {
  const inverse = new Map<number, number>();
  map.forEach((x, v) => x >= 0 && inverse.set(x, v));
  const known = new Set(query.edges.map((e) => edgeKey(e.a, e.b, false)));
  const common = (a: number, b: number) => inverse.has(a) && inverse.has(b) && known.has(edgeKey(inverse.get(a)!, inverse.get(b)!, false));
  const differ = target.rings.filter((r) => r.some((a, i) => !common(a, r[(i + 1) % r.length])));
  const shared = target.rings.filter((r) => !differ.includes(r));
  const inRing = (rings: number[][], a: number, b: number) => rings.some((r) => r.some((v, i) => (v === a && r[(i + 1) % r.length] === b) || (v === b && r[(i + 1) % r.length] === a)));

  const units: Unit[] = [];
  // Common bonds, but for those of rings that differ.
  const keep = components(target, [...inverse.keys()], (a, b) => common(a, b) && (inRing(shared, a, b) || !inRing(differ, a, b)));
  for (const nodes of keep) {
    if (nodes.length === 1 && differ.some((r) => r.includes(nodes[0]))) continue; // the ring has it
    units.push({ nodes, form: new Map(nodes.map((x) => [x, query.nodes[inverse.get(x)!]])), kept: true });
  }
  units.sort((a, b) => b.nodes.length - a.nodes.length);
  // Rings that differ, together where they share a bond, and what the query lacks.
  const ringed = new Set(differ.flat());
  const systems = components(target, [...ringed], (a, b) => inRing(differ, a, b));
  const rest = components(target, target.nodes.map((_, x) => x).filter((x) => !inverse.has(x) && !ringed.has(x)), () => true);
  for (const nodes of [...systems, ...rest]) units.push({ nodes, form: new Map(nodes.map((x) => [x, target.nodes[x]])), kept: false });
  return units;
}

// components returns the connected parts of some nodes, by the bonds that join.
function components(scene: Scene, nodes: number[], joins: (a: number, b: number) => boolean): number[][] {
  const part = new Map(nodes.map((v) => [v, v]));
  const root = (v: number): number => {
    while (part.get(v) !== v) v = part.get(v)!;
    return v;
  };
  for (const e of scene.edges) {
    if (part.has(e.a) && part.has(e.b) && joins(e.a, e.b)) part.set(root(e.a), root(e.b));
  }
  const by = new Map<number, number[]>();
  for (const v of nodes) by.set(root(v), [...(by.get(root(v)) ?? []), v]);
  return [...by.values()];
}

function neighbours(scene: Scene): number[][] {
  const near: number[][] = scene.nodes.map(() => []);
  for (const e of scene.edges) {
    near[e.a].push(e.b);
    near[e.b].push(e.a);
  }
  return near;
}

// nearest returns the unit that is best tied to what is placed: by nodes that are
// in both, then by bonds.
function nearest(units: Unit[], placed: Map<number, Place>, bonds: number[][]): number {
  const ties = units.map((u) => {
    const both = u.nodes.filter((v) => placed.has(v)).length;
    const joints = u.nodes.reduce((s, v) => s + bonds[v].filter((w) => placed.has(w)).length, 0);
    return 1000 * both + 10 * Math.min(joints, 5) + (u.kept ? 1 : 0);
  });
  return ties.indexOf(Math.max(...ties));
}

const turns = Array.from({ length: 12 }, (_, i) => (i * Math.PI) / 6);

// A hinge is a node of a unit, a place for it, and the direction of a bond there
// that is placed.
interface Hinge {
  v: number;
  at: Place;
  along: number;
}

function hinges(shared: number[], joints: (readonly [number, number])[], placed: Map<number, Place>, bonds: number[][]): Hinge[] {
  const bond = (v: number) => {
    const to = bonds[v].map((w) => placed.get(w)).find(Boolean);
    return to ? direction(placed.get(v)!, to) : 0;
  };
  if (shared.length > 0) return [{ v: shared[0], at: placed.get(shared[0])!, along: bond(shared[0]) }];
  return joints.slice(0, 2).flatMap(([v, w]) => turns.map((t) => {
    const from = placed.get(w)!, angle = bond(w) + t;
    return { v, at: { x: from.x + Math.cos(angle), y: from.y + Math.sin(angle) }, along: angle + Math.PI };
  }));
}

// join places a unit's nodes.
function join(unit: Unit, placed: Map<number, Place>, bonds: number[][]): void {
  const shared = unit.nodes.filter((v) => placed.has(v));
  const fresh = unit.nodes.filter((v) => !placed.has(v));
  if (fresh.length === 0) return;
  const joints = fresh.flatMap((v) => bonds[v].filter((w) => placed.has(w) && !unit.nodes.includes(w)).map((w) => [v, w] as const));
  let best = { cost: Infinity, places: new Map<number, Place>() };
  const consider = (move: (p: Place) => Place) => {
    const places = new Map(fresh.map((v) => [v, move(unit.form.get(v)!)]));
    const off = shared.reduce((s, v) => s + squared(move(unit.form.get(v)!), placed.get(v)!), 0);
    const strayed = fresh.reduce((s, v) => s + squared(places.get(v)!, unit.form.get(v)!), 0) / fresh.length;
    const cost = 8 * off + 0.02 * Math.min(strayed, 10) + (unit.kept ? 0.2 * Math.min(strayed, 1) : 0) + costOf(places, placed, bonds);
    if (cost < best.cost) best = { cost, places };
  };
  consider(({ x, y }) => ({ x, y }));
  if (shared.length > 1) {
    for (const flip of [1, -1]) consider(fit(shared.map((v) => [unit.form.get(v)!, placed.get(v)!]), flip));
  } else {
    // Around the one node, or with a bond in one of the usual directions.
    for (const { v, at, along } of hinges(shared, joints, placed, bonds)) {
      const from = unit.form.get(v)!, next = bonds[v].find((w) => unit.form.has(w));
      const own = next === undefined ? 0 : direction(from, unit.form.get(next)!);
      for (const t of next === undefined ? [0] : turns) {
        for (const flip of [1, -1]) consider(turned(from, at, along + t - (flip > 0 ? own : Math.PI - own), flip));
      }
    }
  }
  if (joints.length === 0 && shared.length === 0) {
    // A piece by itself, to the right of all else if it is in the way.
    const right = Math.max(...[...placed.values()].map((p) => p.x)), left = Math.min(...fresh.map((v) => unit.form.get(v)!.x));
    consider((p) => ({ x: p.x + right + 1.5 - left, y: p.y }));
  }
  for (const [v, p] of best.places) placed.set(v, p);
}

// costOf is how bad places for some nodes are among those that have one: bonds that
// are too long or too short, that cross others or are too near to them, and nodes
// that lie on each other.
function costOf(fresh: Map<number, Place>, placed: Map<number, Place>, bonds: number[][]): number {
  let cost = 0;
  const at = (v: number) => fresh.get(v) ?? placed.get(v);
  for (const [v, p] of fresh) {
    for (const [w, q] of placed) {
      if (bonds[v].includes(w)) continue;
      const d = Math.sqrt(squared(p, q));
      if (d < 0.8) cost += 6 * (0.8 - d) ** 2 + (d < 0.4 ? 4 : 0);
    }
    for (const w of bonds[v]) {
      const q = placed.get(w);
      if (!q) continue;
      cost += 6 * (Math.sqrt(squared(p, q)) - 1) ** 2;
      for (const [end, other] of [[v, w], [w, v]]) {
        const from = at(end)!, to = at(other)!;
        for (const x of bonds[end]) {
          const third = x !== other && at(x);
          if (third) cost += bend(angle(from, to, third), bonds[end].length);
        }
      }
      for (const [a, A] of placed) {
        if (a === w) continue;
        for (const b of bonds[a]) {
          const B = b > a && b !== w && placed.get(b);
          if (B && crosses(p, q, A, B)) cost += 3;
        }
      }
    }
  }
  return cost;
}

// bend is how bad an angle between two bonds of a node is.
function bend(angle: number, degree: number): number {
  const wanted = degree > 3 ? Math.PI / 2 : (2 * Math.PI) / 3;
  const less = Math.max(0, wanted - angle) / wanted;
  const more = degree === 2 ? Math.max(0, angle - wanted) : 0;
  return 1.5 * less ** 2 + 0.25 * more ** 2;
}

// faults counts nodes that lie on each other and bonds of a wrong length.
function faults(scene: Scene): number {
  const joined = new Set(scene.edges.map((e) => edgeKey(e.a, e.b, false)));
  let n = scene.edges.filter((e) => Math.abs(Math.sqrt(squared(scene.nodes[e.a], scene.nodes[e.b])) - 1) > 0.5).length;
  scene.nodes.forEach((p, v) => scene.nodes.slice(0, v).forEach((q, w) => (n += squared(p, q) < 0.16 && !joined.has(edgeKey(v, w, false)) ? 1 : 0)));
  return n;
}

const squared = (p: Place, q: Place) => (p.x - q.x) ** 2 + (p.y - q.y) ** 2;

const direction = (from: Place, to: Place) => Math.atan2(to.y - from.y, to.x - from.x);

// turned moves the place from to the place to, and turns and mirrors around it.
function turned(from: Place, to: Place, angle: number, flip: number): (p: Place) => Place {
  const cos = Math.cos(angle), sin = Math.sin(angle);
  return (p) => {
    const x = (p.x - from.x) * flip, y = p.y - from.y;
    return { x: to.x + cos * x - sin * y, y: to.y + sin * x + cos * y };
  };
}

// fit returns the rigid motion that brings places nearest to others (least squares).
function fit(pairs: [Place, Place][], flip: number): (p: Place) => Place {
  const mean = (side: 0 | 1) => ({ x: pairs.reduce((s, p) => s + p[side].x, 0) / pairs.length, y: pairs.reduce((s, p) => s + p[side].y, 0) / pairs.length });
  const from = mean(0), to = mean(1);
  let dot = 0, cross = 0;
  for (const [p, q] of pairs) {
    const x = (p.x - from.x) * flip, y = p.y - from.y;
    dot += (q.x - to.x) * x + (q.y - to.y) * y;
    cross += (q.y - to.y) * x - (q.x - to.x) * y;
  }
  return turned(from, to, Math.atan2(cross, dot), flip);
}

// angle returns the angle at a place between two others.
function angle(at: Place, p: Place, q: Place): number {
  const turn = direction(at, p) - direction(at, q);
  return Math.abs(Math.atan2(Math.sin(turn), Math.cos(turn)));
}

function crosses(a: Place, b: Place, c: Place, d: Place): boolean {
  const turn = (p: Place, q: Place, r: Place) => Math.sign((q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x));
  return turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;
}
