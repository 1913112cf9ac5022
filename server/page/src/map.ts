import { Grid } from "./grid";

type Place = { x: number; y: number };

// CollectionMap draws a collection as points, with the query and its answers.
// Points are counted by pixel, so that a frame of 100,000 takes a few
// milliseconds.
export class CollectionMap {
  onpick: (point: number) => void = () => {};
  onhover: (point: number) => void = () => {};
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
    });
    canvas.addEventListener("pointermove", (e) => this.moved(e));
    canvas.addEventListener("pointerup", (e) => {
      this.pointers.delete(e.pointerId);
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
    this.zoom = (Math.min(width / (x1 - x0 || 1), height / (y1 - y0 || 1)) * 0.88) / Math.min(width, height);
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
    this.cloud(w, h, ratio, colour("--map-point"));
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

  // cloud counts points by pixel and shades pixels by their count. colour is
  // #rrggbb.
  private cloud(w: number, h: number, ratio: number, colour: string): void {
    const image = this.context.createImageData(w, h), pixels = new Uint32Array(image.data.buffer);
    const { width, height } = this.size(), s = this.scale() * ratio;
    const left = (width / 2) * ratio - this.centre.x * s, top = (height / 2) * ratio - this.centre.y * s;
    // Few points are drawn larger than many, and all grow a little with the zoom.
    const few = Math.log10(1e6 / (this.xy.length / 2 + 1)) - 1;
    const size = Math.max(1, Math.round(Math.min(5, Math.max(1, few + Math.log2(this.zoom) / 2)) * ratio));
    const counts = new Uint8Array(w * h);
    for (let i = 0; i < this.xy.length; i += 2) {
      const x = Math.round(this.xy[i] * s + left - size / 2), y = Math.round(this.xy[i + 1] * s + top - size / 2);
      if (x < 0 || y < 0 || x + size > w || y + size > h) continue;
      for (let dy = 0, row = y * w + x; dy < size; dy++, row += w) {
        for (let j = row; j < row + size; j++) if (counts[j] < 255) counts[j]++;
      }
    }
    const rgb = parseInt(colour.slice(1), 16);
    const little = ((rgb & 255) << 16) | (rgb & 0xff00) | (rgb >> 16);
    const shades = new Uint32Array(256);
    for (let n = 1; n < 256; n++) shades[n] = ((Math.round(255 * (1 - 0.62 ** (n + 0.3))) << 24) | little) >>> 0;
    for (let j = 0; j < counts.length; j++) if (counts[j]) pixels[j] = shades[counts[j]];
    this.context.putImageData(image, 0, 0);
  }
}
