import { CanvasEditor, Molecule } from "openchemlib";
import { adopt, h } from "./dom";
import { sketchStyle } from "./sketchstyle";
import { svg } from "./svg";
import { type Tool, toolsOf } from "./tools";

// step is how far an arrow key moves the pointer, in pixels; with Shift a quarter of it.
const step = 12;

// Sketch is the ground on which OpenChemLib draws a molecule, with tools of our own around it: OpenChemLib's are a
// picture in a canvas, which has neither names nor keys. Ours press theirs.
export class Sketch {
  onchange: (smiles: string) => void = () => {};
  onsearch: () => void = () => {};
  readonly element: HTMLElement;
  private readonly ground = h("div", { className: "sketch", role: "application", "aria-label": "Molecule editor: arrow keys move the pointer, Enter uses the tool there" });
  private readonly pointer = h("div", { className: "pointer", hidden: true });
  private readonly written = h("output", { className: "written", "aria-label": "SMILES" });
  private readonly grow = h("button", { type: "button", "aria-label": "Full window", title: "Full window", onclick: () => this.enlarge() }, icon("M3 8V3h5M17 8V3h-5M3 12v5h5M17 12v5h-5"));
  private readonly buttons = new Map<number, HTMLElement>();
  private readonly canvas: CanvasEditor;
  private readonly tools: HTMLCanvasElement;
  private readonly paper: HTMLCanvasElement;
  private at = { x: 0, y: 0 };

  // place has the sketch while it does not fill the window; it must be in the document. rove makes a bar one stop of
  // the Tab key: it is given, because to import it would make a file of its own of it, which the first view loads.
  constructor(private readonly place: HTMLElement, rove: (group: HTMLElement) => void) {
    adopt(sketchStyle);
    this.element = h("div", { className: "sketcher" }, ...toolsOf.map(({ group, className, list }) => {
      const bar = h("div", { className: `tool-bar ${className}`, role: "toolbar", "aria-label": group }, ...list.map((tool) => this.button(tool)));
      if (className === "acts") bar.append(this.grow);
      rove(bar);
      return bar;
    }), this.ground, h("div", { className: "ends" },
      this.written,
      h("button", { type: "button", className: "link", onclick: () => this.shrink() }, "Done"),
      h("button", { type: "button", className: "primary", onclick: () => {
        this.shrink();
        this.onsearch();
      } }, "Search")));
    place.append(this.element);
    this.canvas = new CanvasEditor(this.ground);
    const inside = this.ground.querySelector("[data-openchemlib-canvas-editor]")!.shadowRoot!;
    [this.tools, this.paper] = [...inside.querySelectorAll("canvas")] as [HTMLCanvasElement, HTMLCanvasElement];
    // Their place is the ground's corner: OpenChemLib counts from there where a button is let go.
    this.tools.style.cssText += "; position: absolute; left: 0; top: 0; opacity: 0; pointer-events: none";
    this.ground.append(this.pointer);
    this.canvas.setOnChangeListener(({ type, isUserEvent }) => {
      if (type !== "molecule") return;
      const molecule = this.canvas.getMolecule();
      const smiles = molecule.getAllAtoms() ? molecule.toIsomericSmiles() : "";
      this.written.value = smiles;
      if (isUserEvent) this.onchange(smiles);
    });
    this.ground.addEventListener("keydown", (e) => this.key(e), true);
    this.ground.addEventListener("keyup", () => this.mark());
    this.ground.addEventListener("pointermove", (e) => {
      if (e.isTrusted) this.pointer.hidden = true;
    });
    this.mark();
  }

  // show draws a molecule; it throws an error if the text is none.
  show(smiles: string): void {
    this.canvas.setMolecule(smiles ? Molecule.fromSmiles(smiles) : new Molecule(0, 0));
  }

  clear(): void {
    this.canvas.clearAll();
  }

  private button(tool: Tool): HTMLElement {
    const name = tool.key ? `${tool.name} (${tool.key})` : tool.name;
    const button = h("button", { type: "button", "aria-label": tool.name, title: name, onclick: () => this.use(tool.number) },
      /^M/.test(tool.icon) ? icon(tool.icon) : svg("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, svg("text", { x: 10, y: 15, class: `el-${tool.icon}` }, tool.icon)));
    this.buttons.set(tool.number, button);
    return button;
  }

  // use presses a button of OpenChemLib's two columns of 17.
  private use(number: number): void {
    const box = this.tools.getBoundingClientRect(), side = 21;
    const x = box.left + box.width / 2 + side * (Math.floor(number / 17) - .5), y = box.top + (box.height - 17 * side) / 2 + side * ((number % 17) + .5);
    press(this.tools, x, y);
    this.mark();
  }

  // mark shows which tool is chosen, be it by a key: its button is the only one with a ground in OpenChemLib's picture.
  private mark(): void {
    requestAnimationFrame(() => {
      const scale = this.tools.width / (this.tools.getBoundingClientRect().width || 1), side = 21 * scale;
      const left = this.tools.width / 2 - side, top = (this.tools.height - 17 * side) / 2;
      const picture = this.tools.getContext("2d")!.getImageData(0, 0, this.tools.width, this.tools.height);
      for (const [number, button] of this.buttons) {
        const x = Math.round(left + side * Math.floor(number / 17) + 2), y = Math.round(top + side * (number % 17) + 2), i = 4 * (y * picture.width + x);
        if (number !== 0 && number !== 1 && number !== 17) button.setAttribute("aria-pressed", String(picture.data[i + 3] > 0 && picture.data[i] < 230));
      }
    });
  }

  // key moves the pointer and uses the tool at it.
  private key(e: KeyboardEvent): void {
    const far = e.shiftKey ? step / 4 : step;
    const [dx, dy] = { ArrowLeft: [-far, 0], ArrowRight: [far, 0], ArrowUp: [0, -far], ArrowDown: [0, far] }[e.key] ?? [0, 0];
    if ((!dx && !dy && e.key !== "Enter") || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    e.stopPropagation();
    const box = this.paper.getBoundingClientRect();
    if (this.pointer.hidden) this.at = { x: box.width / 2, y: box.height / 2 };
    this.pointer.hidden = false;
    this.at = { x: Math.min(Math.max(this.at.x + dx, 0), box.width - 1), y: Math.min(Math.max(this.at.y + dy, 0), box.height - 1) };
    this.pointer.style.cssText = `left: ${this.at.x}px; top: ${this.at.y}px`;
    const x = box.left + this.at.x, y = box.top + this.at.y;
    if (e.key === "Enter") press(this.paper, x, y);
    this.paper.dispatchEvent(at("pointermove", x, y));
  }

  // enlarge gives the sketch the whole window.
  private enlarge(): void {
    const dialog = h("dialog", { className: "viewer", "aria-label": "Molecule editor", onclose: () => {
      this.place.append(this.element);
      dialog.remove();
      this.grow.hidden = false;
      this.grow.focus();
    } }, this.element);
    document.body.append(dialog);
    dialog.showModal();
    this.paper.focus();
    this.grow.hidden = true;
    this.fit();
  }

  private shrink(): void {
    this.element.closest("dialog")?.close();
    this.fit();
  }

  // fit puts the molecule into the middle of a ground of another size.
  private fit(): void {
    requestAnimationFrame(() => requestAnimationFrame(() => {
      const { idCode, coordinates } = this.canvas.getMolecule().getIDCodeAndCoordinates();
      this.canvas.setMolecule(Molecule.fromIDCode(idCode, coordinates));
    }));
  }
}

const icon = (path: string) => svg("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, svg("path", { d: path }));

const at = (type: string, clientX: number, clientY: number) => new PointerEvent(type, { clientX, clientY, pointerId: 1000, button: 0, bubbles: true, composed: true });

// press does what a click of a mouse does.
function press(element: HTMLElement, x: number, y: number): void {
  for (const type of ["pointermove", "pointerdown", "pointerup"]) element.dispatchEvent(at(type, x, y));
  element.dispatchEvent(new MouseEvent("click", { clientX: x, clientY: y, detail: 1, bubbles: true, composed: true }));
  element.dispatchEvent(at("pointerleave", x, y));
}
