// View is how places, from 0 to 1, become pixels: x·scale + left, y·scale + top.
export interface View {
  scale: number;
  left: number;
  top: number;
  zoom: number;
  ratio: number; // pixels in one of the style sheet
}

// drawCloud counts points by pixel and shades pixels by their count, so that a frame of
// 100,000 takes a few milliseconds. Every point has one of the colours, #rrggbb, by its
// number in classes; where there are none all have the first.
export function drawCloud(context: CanvasRenderingContext2D, xy: Float32Array, view: View, colours: string[], classes: Uint8Array | null): void {
  const { width: w, height: h } = context.canvas;
  const image = context.createImageData(w, h), pixels = new Uint32Array(image.data.buffer);
  // Few points are drawn larger than many, and all grow a little with the zoom.
  const few = Math.log10(1e6 / (xy.length / 2 + 1)) - 1;
  const size = Math.max(1, Math.round(Math.min(5, Math.max(1, few + Math.log2(view.zoom) / 2)) * view.ratio));
  const counts = new Uint8Array(w * h), last = new Uint8Array(w * h);
  for (let i = 0; i < xy.length; i += 2) {
    const x = Math.round(xy[i] * view.scale + view.left - size / 2), y = Math.round(xy[i + 1] * view.scale + view.top - size / 2);
    if (x < 0 || y < 0 || x + size > w || y + size > h) continue;
    const kind = classes ? classes[i / 2] : 0;
    for (let dy = 0, row = y * w + x; dy < size; dy++, row += w) {
      for (let j = row; j < row + size; j++) {
        if (counts[j] < 255) counts[j]++;
        last[j] = kind;
      }
    }
  }
  // Where points have colours, one alone is seen as well as many.
  const shades = Uint8Array.from({ length: 256 }, (_, n) => Math.round(255 * (1 - (classes ? 0.3 : 0.62) ** (n + 0.3))));
  const inks = colours.map((colour) => {
    const rgb = parseInt(colour.slice(1), 16);
    return ((rgb & 255) << 16) | (rgb & 0xff00) | (rgb >> 16);
  });
  for (let j = 0; j < counts.length; j++) if (counts[j]) pixels[j] = ((shades[counts[j]] << 24) | inks[last[j]]) >>> 0;
  context.putImageData(image, 0, 0);
}
