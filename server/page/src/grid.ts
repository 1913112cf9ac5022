// Grid finds the point nearest to a place among many, by cells.
export class Grid {
  private readonly side: number;
  private readonly first: Int32Array; // [cells + 1] where a cell's points begin
  private readonly points: Int32Array; // by cell

  // xy holds x and y of every point, from 0 to 1.
  constructor(private readonly xy: Float32Array) {
    const n = xy.length / 2;
    this.side = Math.max(1, Math.ceil(Math.sqrt(n / 4)));
    this.first = new Int32Array(this.side * this.side + 1);
    for (let i = 0; i < n; i++) this.first[this.cell(xy[2 * i], xy[2 * i + 1]) + 1]++;
    for (let c = 0; c < this.side * this.side; c++) this.first[c + 1] += this.first[c];
    const next = this.first.slice();
    this.points = new Int32Array(n);
    for (let i = 0; i < n; i++) this.points[next[this.cell(xy[2 * i], xy[2 * i + 1])]++] = i;
  }

  // nearest returns the point nearest to (x, y) that is no farther than radius,
  // or -1.
  nearest(x: number, y: number, radius: number): number {
    const lo = (v: number) => this.clamp((v - radius) * this.side), hi = (v: number) => this.clamp((v + radius) * this.side);
    let best = -1, least = radius * radius;
    for (let row = lo(y); row <= hi(y); row++) {
      for (let column = lo(x); column <= hi(x); column++) {
        const c = row * this.side + column;
        for (let j = this.first[c]; j < this.first[c + 1]; j++) {
          const i = this.points[j];
          const d = (this.xy[2 * i] - x) ** 2 + (this.xy[2 * i + 1] - y) ** 2;
          if (d <= least) [best, least] = [i, d];
        }
      }
    }
    return best;
  }

  private cell(x: number, y: number): number {
    return this.clamp(y * this.side) * this.side + this.clamp(x * this.side);
  }

  private clamp(v: number): number {
    return Math.max(0, Math.min(this.side - 1, Math.floor(v)));
  }
}
