import { type Marks, noMarks } from "./marks";
import { type Atom, type Names, type Place, type Scene, type SceneNode, edgeKey, titleOf } from "./scene";
import { isAromatic, orderOf, showsElement } from "./chemistry";
import { elementClass, type Palette } from "./colours";
import { kekule, remember } from "./rings";
import { svg } from "./svg";
import { shorten, widthOf } from "./text";

const unit = 40; // of the drawing, a bond length
const gap = 5.5; // between the lines of a double bond
const smallest = { width: 5.5 * unit, height: 4 * unit }; // so that small molecules are not blown up
export const close = { width: 2.75 * unit, height: 2 * unit }; // of a piece of one, in a small place

// Where a drawing may stand, by its width and height in pixels: in a comparison, which is the largest place,
// on a card, and in the head of a table. Names whose letters would be smaller there than legible are left out by the
// style sheet.
// What is large enough for a card is no larger in a comparison than usual.
const places = { dense: [390, 270], fine: [210, 150], piece: [100, 52] };
const legible = 5;
const usual = 14;
const smallLetters = 7; // of 12 in a drawing: those of atoms, which have 16, are then of 9 pixels

// Drawing is a scene as SVG. Marks become classes, and colours are the style
// sheet's.
export class Drawing {
  readonly element: SVGSVGElement;
  onhover: (node: number | null) => void = () => {};
  private nodes: SVGGElement[] = [];

  // size is the least that a drawing shows, blank if need be.
  constructor(label: string, private readonly palette: Palette, private readonly size = smallest) {
    this.element = svg("svg", { class: "drawing", role: "img", "aria-label": label, preserveAspectRatio: "xMidYMid meet" });
    this.element.addEventListener("pointerover", (e) => this.onhover(nodeAt(e.target)));
    this.element.addEventListener("pointerleave", () => this.onhover(null));
  }

  // show draws a scene in the frame of others, so that they have one scale. names are
  // written beside nodes.
  show(scene: Scene, marks: Marks = noMarks(), frame: Scene[] = [scene], names?: Map<number, string>): void {
    remember(this.element, () => this.show(scene, marks, frame, names));
    const place = scene.nodes.map((n) => ({ x: n.x * unit, y: n.y * unit }));
    const box = viewBox(frame, names !== undefined, this.size);
    this.element.setAttribute("viewBox", box);
    this.element.classList.toggle("molecule", scene.molecule);
    const [, , width, height] = box.split(" ").map(Number);
    const letters = ([w, h]: number[]) => 12 * (scene.names?.size ?? 1) * Math.min(w / width, h / height);
    for (const name of ["dense", "fine"] as const) this.element.classList.toggle(name, !scene.molecule && letters(places[name]) < legible);
    this.element.style.setProperty("--shrink", String(Math.min(1, usual / letters(places.dense))));
    this.element.style.setProperty("--grow", String(Math.max(1, smallLetters / letters(places.piece))));
    const edges = svg("g", { class: "edges" }), nodes = svg("g", { class: "nodes" });
    const halos = svg("g", { class: "halos" });
    const degree = scene.nodes.map(() => 0);
    const near: Place[][] = scene.nodes.map(() => []);
    const labels = new Map<string, string>();
    for (const e of scene.edges) {
      degree[e.a]++;
      degree[e.b]++;
      near[e.a].push(place[e.b]);
      near[e.b].push(place[e.a]);
      labels.set(edgeKey(e.a, e.b, scene.directed), e.label);
    }
    const differ = new Set(scene.edges.map((e) => e.label)).size > 1;
    const labelled = svg("g");
    const radius = scene.nodes.map((_, v) => (scene.molecule ? (showsElement(scene, v, degree[v]) ? 11 : 0) : 13));
    const doubled = kekule() && scene.edges.every((e) => e.label !== "ar" || e.order);
    const rings = doubled ? [] : scene.rings.filter((r) => isAromatic(r, labels));
    const centres = ringCentres(scene, place);
    for (const e of scene.edges) {
      const key = edgeKey(e.a, e.b, scene.directed);
      const mark = marks.edges.get(key);
      const inCircle = e.label === "ar" && rings.some((r) => r.includes(e.a) && r.includes(e.b));
      const lines = scene.molecule
        ? bond(place[e.a], place[e.b], radius[e.a], radius[e.b], inCircle ? "1" : (doubled && e.order) || orderOf(e.label), side(e.a, e.b, place, near, centres.get(key), degree))
        : [];
      if (mark && mark !== "rest") halos.append(line(place[e.a], place[e.b], `halo ${mark}`));
      const group = svg("g", { class: `edge ${mark ?? ""}` }, ...lines);
      const configured = scene.molecule ? /\([EZ]\)$/.exec(e.label)?.[0] : undefined;
      if (configured) labelled.append(svg("text", { class: "number", x: (place[e.a].x + place[e.b].x) / 2, y: (place[e.a].y + place[e.b].y) / 2 + 3.5 }, configured));
      if (!scene.molecule) {
        // Edges there and back lie side by side.
        const [a, b] = beside(place[e.a], place[e.b], scene.directed && labels.has(`${e.b}-${e.a}`) ? 5 : 0);
        const via = (e.via ?? []).map((p) => ({ x: p.x * unit, y: p.y * unit }));
        group.append(e.a === e.b ? loop(a) : plain(a, b, radius[e.a], radius[e.b], via));
        if (scene.directed && e.a !== e.b) group.append(arrow(via.at(-1) ?? a, b, radius[e.b]));
        const middle = via.length ? via[via.length >> 1] : { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
        if (differ) labelled.append(named(svg("text", { class: "edge-name", x: middle.x, y: middle.y + 3.5 }, shorten(e.label, 12)), e.label));
      }
      edges.append(group);
    }
    for (const r of rings) {
      const rest = r.some((v) => marks.nodes.get(v) === "rest");
      edges.append(svg("g", { class: rest ? "rest" : "" }, circleIn(r.map((v) => place[v]))));
    }
    this.nodes = scene.nodes.map((n, v) => {
      const mark = marks.nodes.get(v);
      if (mark && mark !== "rest") halos.append(svg("circle", { class: `halo ${mark}`, cx: place[v].x, cy: place[v].y, r: 13 }));
      const group = svg("g", { class: `node ${mark ?? ""}`, "data-node": v, transform: `translate(${place[v].x} ${place[v].y})` });
      group.append(svg("circle", { class: "ring", r: 15 }));
      if (n.atom) {
        if (radius[v] > 0) group.append(...atomText(n.atom, place[v], near[v]));
      } else {
        group.append(svg("circle", { class: `disc ${this.palette.className(n.label)}`, r: 12 }), label(n.label, scene.names));
      }
      const name = [names?.get(v), n.atom?.stereo && `(${n.atom.stereo})`].filter(Boolean).join(" ");
      if (name && name !== n.label) group.append(numeral(shorten(name, 12), place[v], near[v], n.atom, scene.names));
      group.append(svg("title", {}, titleOf(scene, v)), svg("circle", { class: "hit", r: 16 }));
      nodes.append(group);
      return group;
    });
    this.element.replaceChildren(halos, edges, labelled, nodes);
  }

  clear(): void {
    remember(this.element, () => {});
    this.nodes = [];
    this.element.replaceChildren();
  }

  highlight(nodes: number[]): void {
    this.nodes.forEach((g, v) => g.classList.toggle("lit", nodes.includes(v)));
  }
}

function nodeAt(target: EventTarget | null): number | null {
  const group = (target as Element | null)?.closest?.("[data-node]");
  return group ? Number(group.getAttribute("data-node")) : null;
}

// viewBox is the region of some scenes, at least as large as said. called tells whether nodes may have their names beside
// them.
function viewBox(frame: Scene[], called: boolean, size: { width: number; height: number }): string {
  const all = frame.flatMap((s) => s.nodes.map((n) => ({ ...n, size: s.names?.size ?? 0 })));
  const span = (axis: "x" | "y") => {
    const values = all.map((n) => n[axis] * unit);
    // Names stand below nodes and are wider, or on their right, with numbers on the left.
    type Node = SceneNode & { size: number };
    const before = (n: Node) => (axis === "y" ? 26 : n.size && !n.atom ? 20 + n.size * (called && n.name ? 6.5 * Math.min(12, n.name.length) : 12) : Math.max(26, widthOf(n.atom?.element ?? n.label) * (unit / 2)));
    const behind = (n: Node) => (axis === "x" && n.size ? 20 + widthOf(n.label) * n.size * unit : before(n));
    const below = axis === "y" && all.some((n) => !n.atom && !n.size) ? 36 : 0;
    return all.length ? [least(all.map((n, i) => values[i] - before(n))), most(all.map((n, i) => values[i] + Math.max(behind(n), below)))] : [0, 0];
  };
  const [x0, x1] = span("x"), [y0, y1] = span("y");
  const width = Math.max(x1 - x0, size.width), height = Math.max(y1 - y0, size.height);
  return [(x0 + x1 - width) / 2, (y0 + y1 - height) / 2, width, height].map((v) => v.toFixed(1)).join(" ");
}

// least and most are Math.min and Math.max of long lists.
const least = (list: number[]) => list.reduce((a, b) => Math.min(a, b), Infinity);
const most = (list: number[]) => list.reduce((a, b) => Math.max(a, b), -Infinity);

// ringCentres returns for edges in rings the centre of the smallest of them.
function ringCentres(scene: Scene, place: Place[]): Map<string, Place> {
  const centres = new Map<string, Place>();
  for (const r of [...scene.rings].sort((a, b) => b.length - a.length)) {
    const c = centre(r.map((v) => place[v]));
    r.forEach((v, i) => centres.set(edgeKey(v, r[(i + 1) % r.length], false), c));
  }
  return centres;
}

function centre(points: Place[]): Place {
  const n = points.length;
  return { x: points.reduce((s, p) => s + p.x, 0) / n, y: points.reduce((s, p) => s + p.y, 0) / n };
}

// side tells on which side of a double bond its second line is drawn, seen from
// a to b: 1 or -1, or 0 for one on both.
function side(a: number, b: number, place: Place[], near: Place[][], ring: Place | undefined, degree: number[]): number {
  const A = place[a], B = place[b];
  const turn = (p: Place) => Math.sign((B.x - A.x) * (p.y - A.y) - (B.y - A.y) * (p.x - A.x));
  if (ring) return turn(ring) || 1;
  if (degree[a] === 1 || degree[b] === 1) return 0;
  let sum = 0;
  for (const p of [...near[a], ...near[b]]) if (p !== A && p !== B) sum += turn(p);
  return Math.sign(sum) || 1;
}

// bond returns the lines of a chemical bond between atoms whose symbols have
// radius ra and rb.
function bond(a: Place, b: Place, ra: number, rb: number, label: string, where: number): SVGElement[] {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const ux = (b.x - a.x) / length, uy = (b.y - a.y) / length;
  const at = (shift: number, cutA: number, cutB: number, className = "line") =>
    line(
      { x: a.x + ux * cutA - uy * shift, y: a.y + uy * cutA + ux * shift },
      { x: b.x - ux * cutB - uy * shift, y: b.y - uy * cutB + ux * shift },
      className,
    );
  const inner = (r: number) => Math.max(r, 6);
  switch (label) {
    case "2":
      return where === 0 ? [at(gap / 2, ra, rb), at(-gap / 2, ra, rb)] : [at(0, ra, rb), at(where * gap, inner(ra), inner(rb))];
    case "3":
      return [at(0, ra, rb), at(gap, ra, rb), at(-gap, ra, rb)];
    case "4":
      return [-1.5, -0.5, 0.5, 1.5].map((i) => at(i * gap * 0.8, ra, rb));
    case "ar":
      return [at(0, ra, rb), at((where || 1) * gap, inner(ra), inner(rb), "line dashed")];
    case "*":
    case "~":
      return [at(0, ra, rb, "line dashed")];
    default:
      return [at(0, ra, rb)];
  }
}

// plain returns an edge between discs, through the places where it bends.
function plain(a: Place, b: Place, ra: number, rb: number, via: Place[]): SVGElement {
  const next = via[0] ?? b;
  // An edge that leads straight down begins below the label.
  const from = towards(a, next, next.y - a.y > 2 * Math.abs(next.x - a.x) + 60 ? ra + 18 : ra), to = towards(b, via.at(-1) ?? a, rb);
  if (via.length === 0) return line(from, to, "line");
  // Smooth from middle to middle of the pieces, as far as those at the ends.
  const at = (p: Place) => `${p.x.toFixed(2)} ${p.y.toFixed(2)}`;
  const middle = (p: Place, q: Place) => ({ x: (p.x + q.x) / 2, y: (p.y + q.y) / 2 });
  const bends = via.map((p, i) => `Q${at(p)} ${at(i + 1 < via.length ? middle(p, via[i + 1]) : to)}`);
  return svg("path", { class: "line", d: `M${at(from)}${bends.join("")}` });
}

// towards returns the place as far from a as by, on the way to b.
function towards(a: Place, b: Place, by: number): Place {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  return { x: a.x + ((b.x - a.x) / length) * by, y: a.y + ((b.y - a.y) / length) * by };
}

// loop returns an edge from a node to itself.
const loop = (at: Place) => svg("path", { class: "line", d: `M${at.x - 8} ${at.y - 9}c-14 -26 30 -26 16 0` });

// label returns what is written on a disc, below it or beside it.
function label(text: string, names: Names | undefined): SVGElement {
  if (names) return svg("text", { class: "name under after", transform: `translate(16 ${4 * names.size}) scale(${names.size})` }, shorten(text));
  return text.length <= 2 ? svg("text", { class: "name", dy: "0.35em" }, text) : svg("text", { class: "name under", y: 25 }, shorten(text));
}

// numeral returns a node's name or number, where there is most room around it.
function numeral(text: string, at: Place, near: Place[], atom: Atom | undefined, names: Names | undefined): SVGElement {
  if (names) return svg("text", { class: "number before", transform: `translate(-16 ${3.5 * names.size}) scale(${names.size})` }, text);
  const taken = near.map((p) => Math.atan2(p.y - at.y, p.x - at.x));
  if (atom?.hydrogens) taken.push(hydrogenSide(at, near));
  // A disc has its label below it.
  if (!atom) taken.push(Math.PI / 2);
  const room = (a: number) => taken.reduce((least, t) => Math.min(least, Math.abs(Math.atan2(Math.sin(a - t), Math.cos(a - t)))), Math.PI);
  let free = -Math.PI / 4;
  for (let i = 0; i < 12; i++) if (room((i * Math.PI) / 6) > room(free) + 1e-6) free = (i * Math.PI) / 6;
  const r = atom ? 17 : 19;
  return svg("text", { class: "number", x: (r * Math.cos(free)).toFixed(1), y: (r * Math.sin(free) + 3.5).toFixed(1) }, text);
}

// hydrogenSide returns the direction in which an atom's hydrogens are written: to the
// side that has no bonds.
function hydrogenSide(at: Place, near: Place[]): number {
  const toRight = near.some((p) => p.x > at.x + 8), toLeft = near.some((p) => p.x < at.x - 8);
  if (!toRight) return 0;
  if (!toLeft) return Math.PI;
  return near.reduce((sum, p) => sum + p.y - at.y, 0) <= 0 ? Math.PI / 2 : -Math.PI / 2;
}

// named shows a whole text on hover.
function named(text: SVGTextElement, whole: string): SVGTextElement {
  text.append(svg("title", {}, whole));
  return text;
}

// beside moves a line to its right.
function beside(a: Place, b: Place, by: number): [Place, Place] {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const dx = (-(b.y - a.y) / length) * by, dy = ((b.x - a.x) / length) * by;
  return [{ x: a.x + dx, y: a.y + dy }, { x: b.x + dx, y: b.y + dy }];
}

function arrow(a: Place, b: Place, rb: number): SVGElement {
  const angle = (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI;
  return svg("path", { class: "arrow", d: `M0 0L-8 -4L-8 4Z`, transform: `translate(${b.x} ${b.y}) rotate(${angle}) translate(${-rb} 0)` });
}

function line(a: Place, b: Place, className: string): SVGElement {
  return svg("line", { class: className, x1: a.x.toFixed(2), y1: a.y.toFixed(2), x2: b.x.toFixed(2), y2: b.y.toFixed(2) });
}

function circleIn(points: Place[]): SVGElement {
  const c = centre(points);
  const r = points.reduce((s, p) => s + Math.hypot(p.x - c.x, p.y - c.y), 0) / points.length;
  return svg("circle", { class: "aromatic", cx: c.x.toFixed(2), cy: c.y.toFixed(2), r: (r * 0.6).toFixed(2) });
}

// atomText writes an atom's symbol on its place, its hydrogens on the side that
// has no bonds, its charge at the upper right.
function atomText(atom: Atom, place: Place, near: Place[]): SVGElement[] {
  const className = `atom ${elementClass(atom.element)}`;
  const half = atom.element.length === 1 ? 6.5 : 9.5;
  // An atom of a pattern may be a long text, on which bonds end.
  const texts = [svg("text", { class: atom.element.length > 2 ? `${className} under small` : className, dy: "0.36em" }, shorten(atom.element, 12))];
  let right = half;
  if (atom.hydrogens > 0) {
    const side = hydrogenSide(place, near);
    const count = atom.hydrogens > 1 ? String(atom.hydrogens) : "";
    const width = 11.5 + (count ? 7 : 0);
    let x = half, y = 5.8;
    if (Math.abs(side) === Math.PI / 2) {
      x = -5.8;
      y = side > 0 ? 20 : -8.5;
    } else if (side !== 0) {
      x = -half - width;
    } else {
      right += width;
    }
    texts.push(svg("text", { class: `${className} beside`, x, y }, "H"));
    if (count) texts.push(svg("text", { class: `${className} beside small`, x: x + 11.5, y: y + 3.5 }, count));
  }
  if (atom.isotope) texts.push(svg("text", { class: `${className} before small`, x: -half, y: -5 }, atom.isotope));
  if (atom.charge !== 0) {
    const size = Math.abs(atom.charge) > 1 ? String(Math.abs(atom.charge)) : "";
    texts.push(svg("text", { class: `${className} beside small`, x: right, y: -5 }, size + (atom.charge > 0 ? "+" : "−")));
  }
  return texts;
}
