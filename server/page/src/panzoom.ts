interface View {
  x: number;
  y: number;
  width: number;
  height: number;
}

// legible is how many units of a drawing a pixel may be so that its names can be read.
const legible = 1.25;
const slack = 1.15; // smaller still, where all is seen then

// PanZoom moves drawings together: the wheel and two fingers zoom, a drag moves, and what
// one shows, all show.
export class PanZoom {
  private all: View = { x: 0, y: 0, width: 1, height: 1 };
  private view: View = this.all;
  private readonly fingers = new Map<number, PointerEvent>();

  constructor(private readonly drawings: SVGSVGElement[]) {
    for (const element of drawings) {
      element.addEventListener("wheel", (e) => {
        e.preventDefault();
        this.zoom(Math.exp(-e.deltaY * (e.deltaMode ? 0.05 : 0.0015)), e, element);
      }, { passive: false });
      element.addEventListener("pointerdown", (e) => {
        this.fingers.set(e.pointerId, e);
        element.setPointerCapture(e.pointerId);
      });
      element.addEventListener("pointermove", (e) => this.drag(e, element));
      for (const end of ["pointerup", "pointercancel"] as const) element.addEventListener(end, (e) => this.fingers.delete(e.pointerId));
    }
  }

  // begin shows as much of a region, from its top, as can be read.
  begin(all: View): void {
    this.all = all;
    const { width, height } = this.size();
    if (all.width < width * legible * slack && all.height < height * legible * slack) return this.show(all);
    const w = Math.min(all.width, width * legible), h = Math.min(all.height, height * legible);
    this.show({ x: all.x + (all.width - w) / 2, y: all.y, width: w, height: h });
  }

  // show moves to a region. Its letters are no larger than they are drawn.
  show(region: View): void {
    const { width, height } = this.size();
    const scale = Math.max(region.width / width, region.height / height, 0.6);
    this.set({ x: region.x + (region.width - width * scale) / 2, y: region.y + (region.height - height * scale) / 2, width: width * scale, height: height * scale });
  }

  reset(): void {
    this.show(this.all);
  }

  // zoom enlarges what is at a place, or in the middle, by a factor.
  zoom(by: number, at?: { clientX: number; clientY: number }, element = this.drawings[0]): void {
    const box = element.getBoundingClientRect();
    const fx = at ? (at.clientX - box.left) / box.width : 0.5, fy = at ? (at.clientY - box.top) / box.height : 0.5;
    const { x, y, width, height } = this.view;
    const least = this.size().width / 8, most = 3 * Math.max(this.all.width, this.all.height, this.size().width);
    const to = Math.min(most, Math.max(least, width / by)), scale = to / width;
    this.set({ x: x + width * fx * (1 - scale), y: y + height * fy * (1 - scale), width: to, height: height * scale });
  }

  // move shifts the view by parts of its size.
  move(dx: number, dy: number): void {
    const { x, y, width, height } = this.view;
    this.set({ x: x + dx * width, y: y + dy * height, width, height });
  }

  private drag(e: PointerEvent, element: SVGSVGElement): void {
    const before = this.fingers.get(e.pointerId);
    if (!before) return;
    const other = [...this.fingers.values()].find((f) => f.pointerId !== e.pointerId);
    this.fingers.set(e.pointerId, e);
    if (other) {
      const apart = (f: PointerEvent) => Math.hypot(f.clientX - other.clientX, f.clientY - other.clientY) || 1;
      return this.zoom(apart(e) / apart(before), { clientX: (e.clientX + other.clientX) / 2, clientY: (e.clientY + other.clientY) / 2 }, element);
    }
    const { width, height } = element.getBoundingClientRect();
    this.move((before.clientX - e.clientX) / width, (before.clientY - e.clientY) / height);
  }

  private size(): { width: number; height: number } {
    const { width, height } = this.drawings[0].getBoundingClientRect();
    return { width: width || 1, height: height || 1 };
  }

  private set(view: View): void {
    this.view = view;
    for (const element of this.drawings) element.setAttribute("viewBox", [view.x, view.y, view.width, view.height].map((v) => v.toFixed(1)).join(" "));
  }
}
