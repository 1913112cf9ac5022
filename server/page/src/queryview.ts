import * as api from "./api";
import type { Palette } from "./colours";
import { byId, h } from "./dom";
import { Drawing } from "./draw";
import { queryOf } from "./input";
import { lost } from "./refusal";
import { choose, kekule } from "./rings";
import type { Scene } from "./scene";
import { sceneOf } from "./scenes";
import type { State } from "./state";
import type { GraphJSON } from "./types";

// asPattern draws atoms as a SMARTS has them, which are the names of the nodes.
const asPattern = (scene: Scene): Scene => ({ ...scene, nodes: scene.nodes.map((n) => ({ ...n, atom: { element: n.name ?? n.label, hydrogens: 0, charge: 0 } })) });

// QueryView draws the query as the service reads it, and says what the comparison
// leaves out.
export class QueryView {
  onrefused: (message: string) => void = () => {}; // the service cannot read the query
  readonly drawing: Drawing;
  private readonly figure = byId("query");
  private readonly labels = new Set<string>(); // of graphs that are no molecules, on show

  // compared tells what of molecules a collection compares.
  constructor(private readonly palette: Palette, private readonly compared: (collection: string) => Promise<api.Compared[]>) {
    this.drawing = new Drawing("The query", palette);
    this.figure.prepend(this.drawing.element);
    const circles = byId<HTMLInputElement>("circles");
    circles.checked = !kekule();
    circles.addEventListener("change", () => choose(circles.checked));
  }

  // show draws the query of a state. It returns null if there is none, or none that can
  // be read.
  async show(state: State, signal: AbortSignal): Promise<{ graph: GraphJSON; scene: Scene } | null> {
    if (!state.query) {
      this.figure.hidden = true;
      return null;
    }
    try {
      const query = queryOf(state);
      if (!query) throw new api.Problem(400, "The address holds no graph: copy the link again.");
      const { smiles, name, graph } = await api.parse(query, signal, state.collection);
      const pattern = state.kind === "smarts";
      const written = state.kind === "graph" ? undefined : smiles ?? state.query;
      const laidOut = await sceneOf(written, graph);
      const scene = pattern && laidOut ? asPattern(laidOut) : laidOut;
      if (signal.aborted || !scene) return null;
      this.figure.hidden = false;
      this.drawing.show(scene);
      const [node, edge] = scene.molecule ? ["atoms", "bonds"] : ["nodes", "edges"];
      byId("query-size").textContent = `${graph.nodes.length} ${node}, ${graph.edges.length} ${edge}`;
      byId("query-lost").textContent = state.kind === "smiles" ? lost(state.query, await this.compared(state.collection)) : "";
      if (signal.aborted) return null;
      byId("query-name").textContent = `Read as ${name ?? (pattern ? "a pattern" : scene.molecule || smiles ? "a molecule" : `a ${graph.directed ? "directed " : ""}graph${graph.names ? " with names" : ""}`)}`;
      byId("rings").hidden = !graph.edges.some((e) => e.label === "ar") || !scene.molecule;
      this.labels.clear();
      this.explain(scene);
      return { graph, scene };
    } catch (e) {
      if (signal.aborted) return null;
      const status = e instanceof api.Problem ? e.status : 0;
      if (status !== 400 && status !== 422) throw e;
      this.onrefused((e as Error).message);
      return null;
    }
  }

  // hide takes the query off the page until it is read again.
  hide(): void {
    this.figure.hidden = true;
    this.labels.clear();
  }

  // explain adds the labels of a graph that is no molecule to the legend.
  explain(scene: Scene): void {
    if (!scene.molecule) scene.nodes.forEach((n) => this.labels.add(n.label));
    byId("labels").replaceChildren(...[...this.labels].slice(0, 12).map((l) => h("span", { className: `key ${this.palette.className(l)}` }, l)));
  }
}
