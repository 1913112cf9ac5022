import cytoscape from "cytoscape";
import { adopt, h } from "./dom";
import type { Palette } from "./colours";
import type { Scene } from "./scene";
import type { GraphJSON } from "./types";

adopt(`
.graph-editor { display: grid; gap: .5rem; }
.ground { position: relative; height: 300px; border: 1px solid var(--line-strong); border-radius: 8px; background: var(--surface); touch-action: none; overflow: hidden; }
.graph-editor .bar { display: flex; flex-wrap: wrap; gap: .35rem; align-items: center; font-size: .85rem; }
.graph-editor input { border: 1px solid var(--line-strong); border-radius: 6px; padding: .15rem .4rem; background: var(--surface); width: 5rem; }
`);

// GraphEditor edits a small graph with the mouse or the keyboard: a click on the
// ground adds a node, a drag from a node to another an edge; what is selected can
// be labelled and deleted.
export class GraphEditor {
  readonly element: HTMLElement;
  onchange: (graph: GraphJSON) => void = () => {};
  private readonly ground = h("div", { className: "ground", tabIndex: 0, role: "application", "aria-label": "Graph editor: N adds a node linked to the selected one, arrow keys select, Delete deletes" });
  private readonly nodeLabels = h("datalist", { id: "node-labels" });
  private readonly edgeLabels = h("datalist", { id: "edge-labels" });
  private readonly label = h("input", { type: "text", value: "C", size: 8, maxLength: 64, spellcheck: false, autocomplete: "off" });
  private cy: cytoscape.Core | null = null;
  private directed = false;
  private dragging: cytoscape.NodeSingular | null = null;
  private count = 0;
  private edgeLabel = "1"; // of the first edge

  constructor(private readonly palette: Palette) {
    this.label.setAttribute("list", "node-labels");
    this.label.addEventListener("input", () => this.relabel());
    this.element = h("div", { className: "graph-editor" },
      this.ground,
      h("div", { className: "bar" },
        h("label", {}, "Label ", this.label), this.nodeLabels, this.edgeLabels,
        h("button", { type: "button", onclick: () => this.add() }, "Add node"),
        h("button", { type: "button", onclick: () => this.link() }, "Link selected"),
        h("button", { type: "button", onclick: () => this.remove() }, "Delete"),
        h("button", { type: "button", onclick: () => this.clear() }, "Clear")),
      h("p", { className: "hint" }, "Click the ground to add a node, drag from a node to another to link them, click to select; type to relabel."));
    this.ground.addEventListener("keydown", (e) => this.key(e));
  }

  // set shows a graph at the places of a scene, which only an empty graph lacks; the
  // element must be in the document.
  set(graph: GraphJSON, laidOut: Scene | null = null): void {
    const cy = this.open();
    const at = (v: number) => ({ x: laidOut!.nodes[v].x * 56, y: laidOut!.nodes[v].y * 56 });
    this.directed = graph.directed;
    cy.style().selector("edge").style("target-arrow-shape", graph.directed ? "triangle" : "none").update();
    cy.elements().remove();
    this.count = graph.nodes.length;
    cy.add([
      ...graph.nodes.map((n, v) => ({ group: "nodes" as const, data: { id: `n${v}`, label: n.label, name: graph.names?.[v] }, position: at(v) })),
      ...graph.edges.map((e) => ({ group: "edges" as const, data: { source: `n${e.source}`, target: `n${e.target}`, label: e.label } })),
    ]);
    cy.resize();
    if (graph.nodes.length > 0) cy.fit(undefined, 30);
    if (cy.zoom() > 1.2) {
      cy.zoom(1.2);
      cy.center();
    }
  }

  // offer lists labels to choose from.
  offer(labels: { nodes: string[]; edges: string[] }): void {
    const fill = (list: HTMLDataListElement, texts: string[]) => list.replaceChildren(...texts.map((value) => h("option", { value })));
    fill(this.nodeLabels, labels.nodes);
    fill(this.edgeLabels, labels.edges);
    if (this.count === 0 && labels.nodes.length && !labels.nodes.includes(this.label.value)) this.label.value = labels.nodes[0];
    this.edgeLabel = labels.edges[0] ?? "1";
  }

  graph(): GraphJSON {
    const nodes = this.cy?.nodes().toArray() ?? [];
    const number = new Map(nodes.map((n, v) => [n.id(), v]));
    // Nodes that are added to named ones are called by their places.
    const names = nodes.some((n) => n.data("name") !== undefined) ? nodes.map((n, v) => n.data("name") ?? `new ${v + 1}`) : undefined;
    return {
      directed: this.directed, names,
      nodes: nodes.map((n, id) => ({ id, label: n.data("label") })),
      edges: (this.cy?.edges().toArray() ?? []).map((e) => ({ source: number.get(e.source().id())!, target: number.get(e.target().id())!, label: e.data("label") })),
    };
  }

  private open(): cytoscape.Core {
    if (this.cy) return this.cy;
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    const cy = (this.cy = cytoscape({
      container: this.ground,
      maxZoom: 3,
      minZoom: 0.2,
      boxSelectionEnabled: false,
      autounselectify: false,
      style: [
        { selector: "node", style: { width: 30, height: 30, label: "data(label)", "text-valign": "center", "text-halign": "center", "font-size": 12, "font-weight": 600, color: "#fff", "background-color": (n: cytoscape.NodeSingular) => colour(`--${this.palette.className(n.data("label"))}`) } },
        { selector: "edge", style: { width: 2, "line-color": colour("--line-strong"), "target-arrow-color": colour("--line-strong"), "curve-style": "bezier", label: "data(label)", "font-size": 11, color: colour("--ink"), "text-background-color": colour("--surface"), "text-background-opacity": 1, "text-background-padding": "2px" } },
        { selector: ":selected", style: { "border-width": 3, "border-color": colour("--accent"), "line-color": colour("--accent") } },
      ] as cytoscape.StylesheetJson,
    }));
    cy.on("tap", (e) => {
      // Cytoscape selects nothing after a click on the ground.
      if (e.target === cy) queueMicrotask(() => this.addAt(e.position));
    });
    // Nodes stay in place under the mouse: a drag draws an edge, with the other
    // button or Shift it moves the node.
    cy.on("tapstart", "node", (e) => {
      if ((e.originalEvent as MouseEvent).shiftKey) return;
      this.dragging = e.target;
      cy.autoungrabify(true);
      cy.userPanningEnabled(false);
    });
    cy.on("tapend", (e) => {
      const from = this.dragging;
      this.dragging = null;
      cy.autoungrabify(false);
      cy.userPanningEnabled(true);
      if (!from) return;
      const to = cy.nodes().filter((n) => Math.hypot(n.position().x - e.position.x, n.position().y - e.position.y) < 22).first() as cytoscape.NodeCollection;
      if (to.nonempty() && !to.same(from)) this.join(from, to as cytoscape.NodeSingular);
      else if (to.empty()) this.join(from, this.addAt(e.position));
    });
    cy.on("select", (e) => {
      this.label.value = e.target.data("label");
      this.label.setAttribute("list", e.target.isEdge() ? "edge-labels" : "node-labels");
    });
    return cy;
  }

  private addAt(position: { x: number; y: number }): cytoscape.NodeSingular {
    const cy = this.open();
    const node = cy.add({ group: "nodes", data: { id: `n${this.count++}`, label: this.nodeLabel() }, position: { ...position } }) as cytoscape.NodeSingular;
    this.pick(node);
    this.onchange(this.graph());
    return node;
  }

  // nodeLabel is what a new node is called: as the last one, if an edge is
  // selected.
  private nodeLabel(): string {
    const cy = this.open();
    return cy.edges(":selected").nonempty() ? (cy.nodes().last().data("label") ?? "C") : this.label.value.trim() || "0";
  }

  private add(): void {
    const cy = this.open(), from = cy.nodes(":selected").first();
    const angle = this.count * 2.4, at = from.nonempty() ? from.position() : { x: 0, y: 0 };
    const node = this.addAt({ x: at.x + 60 * Math.cos(angle), y: at.y + 60 * Math.sin(angle) });
    if (from.nonempty()) this.join(from as cytoscape.NodeSingular, node);
    cy.fit(undefined, 30);
    if (cy.zoom() > 1.2) {
      cy.zoom(1.2);
      cy.center();
    }
  }

  private join(a: cytoscape.NodeSingular, b: cytoscape.NodeSingular): void {
    if (a.edgesWith(b).nonempty()) return;
    const label = this.open().edges().last().data("label") ?? this.edgeLabel;
    this.open().add({ group: "edges", data: { source: a.id(), target: b.id(), label } });
    this.onchange(this.graph());
  }

  private link(): void {
    const [a, b] = this.open().nodes(":selected").toArray();
    if (a && b) this.join(a, b);
  }

  private relabel(): void {
    const label = this.label.value.trim();
    const chosen = this.open().$(":selected");
    if (!label || chosen.empty()) return;
    chosen.data("label", label);
    this.open().style().update();
    this.onchange(this.graph());
  }

  private remove(): void {
    this.open().$(":selected").remove();
    this.onchange(this.graph());
  }

  private clear(): void {
    this.set({ directed: false, nodes: [], edges: [] });
    this.onchange(this.graph());
  }

  private pick(element: cytoscape.SingularElementArgument): void {
    this.open().$(":selected").unselect();
    element.select();
  }

  private key(e: KeyboardEvent): void {
    const cy = this.open();
    const around = (step: number) => {
      const all = cy.elements().toArray();
      if (all.length === 0) return;
      const i = all.findIndex((x) => x.selected());
      this.pick(all[(i + step + all.length) % all.length] );
    };
    const actions: Record<string, () => void> = {
      n: () => this.add(),
      Delete: () => this.remove(),
      Backspace: () => this.remove(),
      ArrowRight: () => around(1),
      ArrowDown: () => around(1),
      ArrowLeft: () => around(-1),
      ArrowUp: () => around(-1),
      Enter: () => this.label.focus(),
    };
    const action = actions[e.key];
    if (!action || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    action();
  }
}
