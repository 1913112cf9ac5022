import { drawCloud } from "./cloud";
import { Grid } from "./grid";
import { type Classes, inside } from "./legend";

type Place = { x: number; y: number };

// CollectionMap draws a collection as points, with the query and its answers.
export class CollectionMap {
  onpick: (point: number) => void = () => {};
  onhover: (point: number) => void = () => {};
  onlasso: (points: number[]) => void = () => {};
  private lasso: Place[] | null = null; // on the screen, while it is drawn
  private lassoing = false; // the next drag is a lasso
  private classes: Classes | null = null;
  private xy = new Float32Array(0); // x, y of every point, from 0 to 1
  private grid = new Grid(this.xy);
  private answers: number[] = [];
  private query: Place | null = null;
  private hovered = -1;
  private zoom = 1;
  private centre: Place = { x: 0.5, y: 0.5 };
  private pending = 0;
  private readonly context: CanvasRenderingContext2D;
  private pointers = new Map<number, Place>();
  private dragged = 0;
  private transform = { scale: 1, left: 0, top: 0 }; // from points to numbers given

  constructor(private readonly canvas: HTMLCanvasElement) {
    this.context = canvas.getContext("2d", { alpha: true })!;
    new ResizeObserver(() => this.draw()).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    canvas.addEventListener("wheel", (e) => {
      e.preventDefault();
      this.zoomBy(Math.exp(-e.deltaY * 0.002), this.at(e));
    }, { passive: false });
    canvas.addEventListener("pointerdown", (e) => {
      canvas.setPointerCapture(e.pointerId);
      this.pointers.set(e.pointerId, this.at(e));
      this.dragged = 0;
      if (this.lassoing) this.lasso = [this.at(e)];
    });
    canvas.addEventListener("pointermove", (e) => this.moved(e));
    canvas.addEventListener("pointerup", (e) => {
      this.pointers.delete(e.pointerId);
      if (this.lasso) return this.caught();
      if (this.dragged < 5 && this.pointers.size === 0) {
        const i = this.pointAt(this.at(e));
        if (i >= 0) this.onpick(i);
      }
    });
    canvas.addEventListener("pointercancel", (e) => this.pointers.delete(e.pointerId));
    canvas.addEventListener("pointerleave", () => this.hover(-1));
    canvas.addEventListener("keydown", (e) => this.key(e));
  }

  // set takes points as x and y in any units; y grows upwards.
  set(points: ArrayLike<number>): void {
    let x0 = Infinity, x1 = -Infinity, y0 = Infinity, y1 = -Infinity;
    for (let i = 0; i < points.length; i += 2) {
      x0 = Math.min(x0, points[i]);
      x1 = Math.max(x1, points[i]);
      y0 = Math.min(y0, points[i + 1]);
      y1 = Math.max(y1, points[i + 1]);
    }
    this.transform = { scale: 1 / (Math.max(x1 - x0, y1 - y0) || 1), left: x0, top: y1 };
    this.xy = new Float32Array(points.length);
    for (let i = 0; i < points.length; i += 2) {
      const p = this.normal(points[i], points[i + 1]);
      this.xy[i] = p.x;
      this.xy[i + 1] = p.y;
    }
    this.grid = new Grid(this.xy);
    this.query = null;
    this.answers = [];
    this.hovered = -1;
    this.reset();
  }

  mark(query: [number, number] | null, answers: number[]): void {
    this.query = query && this.normal(...query);
    this.answers = answers;
    this.draw();
  }

  // colour gives the points the colours of their classes, or all one colour.
  colour(classes: Classes | null): void {
    this.classes = classes;
    this.draw();
  }

  // catch makes the next drag choose the points that it goes around.
  catch(on: boolean): void {
    this.lassoing = on;
    this.lasso = null;
    this.canvas.classList.toggle("lassoing", on);
    this.draw();
  }

  // visible chooses all points that are in view.
  visible(): void {
    const { width, height } = this.size();
    this.lasso = [{ x: 0, y: 0 }, { x: width, y: 0 }, { x: width, y: height }, { x: 0, y: height }];
    this.caught();
  }

  private caught(): void {
    const polygon = this.lasso!.map((p) => this.fromScreen(p)), points: number[] = [];
    this.catch(false);
    for (let i = 0; i < this.xy.length; i += 2) if (inside(this.xy[i], this.xy[i + 1], polygon)) points.push(i / 2);
    this.onlasso(points);
  }

  highlight(point: number): void {
    if (this.hovered === point) return;
    this.hovered = point;
    this.draw();
  }

  // reset shows all points but the farthest few, which would make the rest small.
  reset(): void {
    const [x0, x1] = this.span(0), [y0, y1] = this.span(1);
    this.centre = { x: (x0 + x1) / 2, y: (y0 + y1) / 2 };
    const { width, height } = this.size();
    // On the right are buttons.
    this.zoom = Math.min((width - 84) / (x1 - x0 || 1), (0.88 * height) / (y1 - y0 || 1)) / Math.min(width, height);
    this.draw();
  }

  // span returns where the points begin and end on an axis, but for one in 200 at
  // either end.
  private span(axis: 0 | 1): [number, number] {
    const values = new Float32Array(this.xy.length / 2);
    for (let i = 0; i < values.length; i++) values[i] = this.xy[2 * i + axis];
    values.sort();
    const cut = Math.floor(values.length / 200);
    return [values[cut] ?? 0, values[values.length - 1 - cut] ?? 1];
  }

  zoomBy(factor: number, at?: Place): void {
    const { width, height } = this.size();
    const p = at ?? { x: width / 2, y: height / 2 };
    const before = this.fromScreen(p);
    this.zoom = Math.max(0.3, Math.min(200, this.zoom * factor));
    const after = this.fromScreen(p);
    this.centre = { x: this.centre.x + before.x - after.x, y: this.centre.y + before.y - after.y };
    this.draw();
  }

  // draw draws a frame soon; several calls make one.
  draw(): void {
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = 0;
      this.render();
    });
  }

  private normal(x: number, y: number): Place {
    return { x: (x - this.transform.left) * this.transform.scale, y: (this.transform.top - y) * this.transform.scale };
  }

  private size() {
    return { width: this.canvas.clientWidth || 1, height: this.canvas.clientHeight || 1 };
  }

  private at(e: MouseEvent): Place {
    const box = this.canvas.getBoundingClientRect();
    return { x: e.clientX - box.left, y: e.clientY - box.top };
  }

  private scale(): number {
    const { width, height } = this.size();
    return Math.min(width, height) * this.zoom;
  }

  private fromScreen(p: Place): Place {
    const { width, height } = this.size(), s = this.scale();
    return { x: (p.x - width / 2) / s + this.centre.x, y: (p.y - height / 2) / s + this.centre.y };
  }

  private toScreen(p: Place): Place {
    const { width, height } = this.size(), s = this.scale();
    return { x: (p.x - this.centre.x) * s + width / 2, y: (p.y - this.centre.y) * s + height / 2 };
  }

  private pointAt(p: Place): number {
    const q = this.fromScreen(p);
    return this.grid.nearest(q.x, q.y, 12 / this.scale());
  }

  private hover(i: number): void {
    if (i === this.hovered) return;
    this.hovered = i;
    this.onhover(i);
    this.draw();
  }

  private moved(e: PointerEvent): void {
    const p = this.at(e), before = this.pointers.get(e.pointerId);
    if (!before) {
      this.hover(this.pointAt(p));
      return;
    }
    if (this.lasso) {
      this.lasso.push(p);
      this.pointers.set(e.pointerId, p);
      this.draw();
      return;
    }
    const other = [...this.pointers].find(([id]) => id !== e.pointerId)?.[1];
    if (other) {
      const distance = (q: Place) => Math.hypot(q.x - other.x, q.y - other.y) || 1;
      this.zoomBy(distance(p) / distance(before), other);
    } else {
      const s = this.scale();
      this.centre = { x: this.centre.x - (p.x - before.x) / s, y: this.centre.y - (p.y - before.y) / s };
      this.draw();
    }
    this.dragged += Math.hypot(p.x - before.x, p.y - before.y);
    this.pointers.set(e.pointerId, p);
  }

  private key(e: KeyboardEvent): void {
    const step = 40 / this.scale();
    const moves: Record<string, () => void> = {
      ArrowLeft: () => (this.centre.x -= step),
      ArrowRight: () => (this.centre.x += step),
      ArrowUp: () => (this.centre.y -= step),
      ArrowDown: () => (this.centre.y += step),
      "+": () => this.zoomBy(1.3),
      "=": () => this.zoomBy(1.3),
      "-": () => this.zoomBy(1 / 1.3),
      "0": () => this.reset(),
    };
    const move = moves[e.key];
    if (!move || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    move();
    this.draw();
  }

  private render(): void {
    const ratio = window.devicePixelRatio || 1;
    const { width, height } = this.size();
    const w = Math.round(width * ratio), h = Math.round(height * ratio);
    if (this.canvas.width !== w || this.canvas.height !== h) {
      this.canvas.width = w;
      this.canvas.height = h;
    }
    const style = getComputedStyle(this.canvas);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    const scale = this.scale() * ratio;
    const view = { scale, left: (width / 2) * ratio - this.centre.x * scale, top: (height / 2) * ratio - this.centre.y * scale, zoom: this.zoom, ratio };
    const colours = this.classes ? this.classes.names.map((_, i) => colour(variable(this.classes!, i))) : [colour("--map-point")];
    drawCloud(this.context, this.xy, view, colours, this.classes && this.classes.of);
    const c = this.context;
    c.save();
    c.scale(ratio, ratio);
    this.answers.forEach((i) => this.dot(i, 5, colour("--map-answer"), colour("--surface")));
    if (this.hovered >= 0) this.dot(this.hovered, 7, colour("--accent"), colour("--surface"));
    if (this.query) {
      const p = this.toScreen(this.query);
      c.strokeStyle = colour("--ink");
      c.fillStyle = colour("--surface");
      c.lineWidth = 2.5;
      c.beginPath();
      c.arc(p.x, p.y, 6.5, 0, 7);
      c.fill();
      c.stroke();
      c.beginPath();
      c.arc(p.x, p.y, 2, 0, 7);
      c.fillStyle = colour("--ink");
      c.fill();
    }
    if (this.lasso) {
      c.beginPath();
      this.lasso.forEach((p) => c.lineTo(p.x, p.y));
      c.closePath();
      c.strokeStyle = colour("--accent");
      c.lineWidth = 1.5;
      c.stroke();
    }
    c.restore();
  }

  private dot(i: number, r: number, fill: string, stroke: string): void {
    const p = this.toScreen({ x: this.xy[2 * i], y: this.xy[2 * i + 1] }), c = this.context;
    c.beginPath();
    c.arc(p.x, p.y, r, 0, 7);
    c.fillStyle = fill;
    c.strokeStyle = stroke;
    c.lineWidth = 1.5;
    c.fill();
    c.stroke();
  }
}

// variable names the colour that a class has in the style sheet.
export const variable = (classes: Classes, i: number) =>
  i === classes.names.length - 1 ? "--line-strong" : classes.ordered ? `--ramp-${i}` : `--label-${i}`;
