import { rove } from "./roving";
import type { Sketch } from "./sketch";

// Sketcher is the editor of molecules, from its first use.
export class Sketcher {
  onchange: (smiles: string) => void = () => {};
  onsearch: () => void = () => {};
  private sketch: Promise<Sketch> | null = null;
  private shown = "";

  constructor(private readonly panel: HTMLElement) {}

  // open shows a molecule to be changed, or nothing.
  async open(smiles: string): Promise<void> {
    const sketch = await (this.sketch ??= this.start());
    if (smiles === this.shown) return;
    this.shown = smiles;
    try {
      sketch.show(smiles);
    } catch {
      sketch.clear(); // it is no molecule, such as a text that is wrong
    }
  }

  private async start(): Promise<Sketch> {
    const { Sketch } = await import("./sketch");
    const sketch = new Sketch(this.panel, rove);
    sketch.onchange = (smiles) => {
      this.shown = smiles;
      this.onchange(smiles);
    };
    sketch.onsearch = () => this.onsearch();
    return sketch;
  }
}
