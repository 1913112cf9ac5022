// Elements have the colours that chemists expect, as classes of style.css.
const elements = new Set(["N", "O", "S", "P", "F", "Cl", "Br", "I", "B", "Si"]);

export function elementClass(element: string): string {
  return elements.has(element) ? `el-${element}` : "el-other";
}

// classes is how many colours style.css has for labels.
const classes = 10;

// Palette gives labels colours in the order in which they are first met, so the
// query's labels have the first ones. Labels beyond the last share one.
export class Palette {
  private readonly seen = new Map<string, number>();

  className(label: string): string {
    let i = this.seen.get(label);
    if (i === undefined) {
      i = this.seen.size;
      this.seen.set(label, i);
    }
    return `label-${Math.min(i, classes)}`;
  }
}
