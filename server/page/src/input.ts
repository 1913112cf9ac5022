import { Problem, type Query, parse, sent } from "./api";
import { pack, unpack } from "./compact";
import { byId } from "./dom";
import type { Palette } from "./colours";
import type { GraphEditor } from "./editor";
import { Sketcher } from "./sketcher";
import { sceneOf } from "./scenes";
import type { State } from "./state";
import { tabs } from "./tabs";

// Given is a query as it was given, which is a part of State.
export type Given = Pick<State, "kind" | "query">;

// largest is what a dropped file may have: the service refuses more.
const largest = 1 << 20;

// QueryInput is where the query is typed, drawn, edited or dropped.
export class QueryInput {
  onchange: (given: Given) => void = () => {};
  onsearch: () => void = () => {};
  private readonly text = byId<HTMLTextAreaElement>("text");
  private readonly error = byId("text-error");
  private readonly sketcher = new Sketcher(byId("panel-draw"));
  private readonly choose: (tab: string) => void;
  private editor: Promise<GraphEditor> | null = null;
  private given: Given = { kind: "smiles", query: "" };
  private tab = "tab-text";

  constructor(private readonly palette: Palette) {
    this.choose = tabs(document.querySelector("[role=tablist]")!, (tab) => {
      this.tab = tab;
      void this.show();
    });
    this.sketcher.onchange = (smiles) => this.take({ kind: "smiles", query: smiles });
    this.text.addEventListener("input", () => this.complain(""));
    this.text.addEventListener("change", () => void this.read());
    this.text.addEventListener("keydown", (e) => {
      if (e.key === "Enter" && !e.shiftKey && !this.text.value.includes("\n")) {
        e.preventDefault();
        this.onsearch();
      }
    });
    const file = byId<HTMLInputElement>("file");
    byId("choose-file").addEventListener("click", () => file.click());
    file.addEventListener("change", () => file.files?.[0] && void this.drop(file.files[0]));
    document.addEventListener("dragover", (e) => {
      e.preventDefault();
      document.body.classList.add("dropping");
    });
    document.addEventListener("dragleave", (e) => {
      if (!e.relatedTarget) document.body.classList.remove("dropping");
    });
    document.addEventListener("drop", (e) => {
      e.preventDefault();
      document.body.classList.remove("dropping");
      const dropped = e.dataTransfer?.files[0];
      if (dropped) void this.drop(dropped);
      else if (e.dataTransfer?.getData("text")) this.type(e.dataTransfer.getData("text"));
    });
  }

  // set shows a query that came from elsewhere: an address, an example, an answer.
  set(given: Given): void {
    this.given = given;
    this.complain("");
    this.text.value = given.kind === "smiles" ? given.query : readable(given.query);
    if (this.tab === "tab-draw" && given.kind === "graph") this.choose("tab-graph");
    else if (this.tab === "tab-graph" && given.kind === "smiles") this.choose("tab-text");
    else if (this.tab !== "tab-text") void this.show();
  }

  // read makes sure that what is in the text field is the query. It tells
  // whether there is one.
  async read(): Promise<boolean> {
    const text = this.text.value.trim();
    if (this.tab !== "tab-text") return this.given.query !== "";
    if (text === this.given.query || (this.given.kind === "graph" && this.text.value === readable(this.given.query))) return text !== "";
    if (text === "") {
      this.take({ kind: "smiles", query: "" });
      return false;
    }
    if (/^\S+$/.test(text) && !/^[{[<]/.test(text)) {
      this.take({ kind: "smiles", query: text });
      return true;
    }
    try {
      const { smiles, graph } = await parse(text);
      this.take(smiles ? { kind: "smiles", query: smiles } : { kind: "graph", query: pack(graph) });
      return true;
    } catch (e) {
      this.complain((e as Problem).message);
      return false;
    }
  }

  complain(message: string): void {
    this.error.textContent = message;
    this.text.toggleAttribute("aria-invalid", message !== "");
  }

  private take(given: Given): void {
    this.given = given;
    this.complain("");
    if (this.tab !== "tab-text") this.text.value = given.kind === "smiles" ? given.query : readable(given.query);
    this.onchange(given);
  }

  private type(text: string): void {
    this.choose("tab-text");
    this.text.value = text.trim();
    void this.read().then((ok) => ok && this.onsearch());
  }

  private async drop(file: File): Promise<void> {
    if (file.size > largest) {
      this.complain(`${file.name} has ${(file.size / (1 << 20)).toFixed(1)} MiB; a query may have 1 MiB. Search with many graphs on the command line: greed search.`);
      return;
    }
    this.type(await file.text());
  }

  // show brings the tab chosen up to date with the query.
  private async show(): Promise<void> {
    if (this.tab === "tab-draw") this.sketcher.open(this.given.kind === "smiles" ? this.given.query : "");
    if (this.tab === "tab-graph") {
      const editor = await this.edit();
      const { graph, scene } = await this.laidOut().catch(() => ({ graph: null, scene: null }));
      editor.set(graph ?? { directed: false, nodes: [], edges: [] }, scene);
    }
  }

  private async laidOut() {
    const query = queryOf(this.given);
    if (!this.given.query || !query) return { graph: null, scene: null };
    const { smiles, graph } = await parse(query);
    return { graph, scene: await sceneOf(smiles, graph) };
  }

  private edit(): Promise<GraphEditor> {
    this.editor ??= import("./editor").then(({ GraphEditor }) => {
      const editor = new GraphEditor(this.palette);
      byId("panel-graph").append(editor.element);
      editor.onchange = (graph) => this.take(graph.nodes.length ? { kind: "graph", query: pack(graph) } : { kind: "smiles", query: "" });
      return editor;
    });
    return this.editor;
  }
}

// queryOf returns what the service is asked with.
export function queryOf(given: Given): Query | null {
  if (given.kind === "smiles") return { smiles: given.query };
  const graph = unpack(given.query);
  return graph && { graph: sent(graph) };
}

// readable writes a graph as t/v/e text, which people can read and change.
function readable(packed: string): string {
  const graph = unpack(packed);
  if (!graph) return "";
  const unfit = (x: { label: string; wildcard?: boolean }) => x.wildcard || x.label === "" || /\s/.test(x.label);
  if (graph.directed || graph.nodes.some(unfit) || graph.edges.some(unfit)) return JSON.stringify(sent(graph));
  return [
    "t # query",
    ...graph.nodes.map((n, i) => `v ${i} ${n.label}`),
    ...graph.edges.map((e) => `e ${e.source} ${e.target} ${e.label}`),
  ].join("\n");
}
