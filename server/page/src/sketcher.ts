import type { CanvasEditor, Molecule } from "openchemlib";
import { h } from "./dom";

// Sketcher is the editor of molecules, from its first use.
export class Sketcher {
  onchange: (smiles: string) => void = () => {};
  private editor: Promise<{ canvas: CanvasEditor; read: (smiles: string) => Molecule }> | null = null;
  private shown = "";

  constructor(private readonly panel: HTMLElement) {}

  // open shows a molecule to be changed, or nothing.
  async open(smiles: string): Promise<void> {
    const { canvas, read } = await (this.editor ??= this.start());
    if (smiles === this.shown) return;
    this.shown = smiles;
    try {
      canvas.setMolecule(read(smiles));
    } catch {
      canvas.clearAll(); // it is no molecule, such as a text that is wrong
    }
  }

  private async start(): Promise<{ canvas: CanvasEditor; read: (smiles: string) => Molecule }> {
    const { CanvasEditor, Molecule } = await import("openchemlib");
    const ground = h("div", { className: "sketch", role: "application", "aria-label": "Molecule editor" });
    this.panel.append(ground);
    const canvas = new CanvasEditor(ground);
    canvas.setOnChangeListener(({ type, isUserEvent }) => {
      if (type !== "molecule" || !isUserEvent) return;
      const molecule = canvas.getMolecule();
      this.shown = molecule.getAllAtoms() ? molecule.toIsomericSmiles() : "";
      this.onchange(this.shown);
    });
    return { canvas, read: (smiles) => (smiles ? Molecule.fromSmiles(smiles) : new Molecule(0, 0)) };
  }
}
