import { h } from "./dom";

// Sketcher holds the frame in which molecules are drawn, from its first use.
export class Sketcher {
  onchange: (smiles: string) => void = () => {};
  private frame: HTMLIFrameElement | null = null;
  private ready = false;
  private shown = "";

  constructor(private readonly panel: HTMLElement) {
    addEventListener("message", (e) => {
      if (!this.frame || e.source !== this.frame.contentWindow || e.origin !== location.origin) return;
      if (e.data.ready) {
        this.ready = true;
        this.send();
      } else if (typeof e.data.smiles === "string") {
        this.shown = e.data.smiles;
        this.onchange(e.data.smiles);
      }
    });
  }

  // open shows a molecule to be changed, or nothing.
  open(smiles: string): void {
    if (!this.frame) {
      this.frame = h("iframe", { src: "sketch.html", title: "Molecule editor" });
      this.panel.append(this.frame);
    }
    if (smiles === this.shown && this.ready) return;
    this.shown = smiles;
    if (this.ready) this.send();
  }

  private send(): void {
    this.frame!.contentWindow!.postMessage({ smiles: this.shown }, location.origin);
  }
}
