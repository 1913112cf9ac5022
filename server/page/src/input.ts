import * as api from "./api";
import { type Query, parse, sent } from "./api";
import { pack, unpack } from "./compact";
import { byId } from "./dom";
import type { Palette } from "./colours";
import type { GraphEditor } from "./editor";
import { refusal } from "./refusal";
import { Sketcher } from "./sketcher";
import { sceneOf } from "./scenes";
import { savedIn } from "./saved";
import type { Member, State } from "./state";
import { tabs } from "./tabs";

// Given is a query as it was given, which is a part of State.
export type Given = Pick<State, "kind" | "query">;

// Read is what the text field has.
type Read = "query" | "nothing" | "other";

// largest is what a dropped file may have: the service refuses more.
const largest = 1 << 20;

// QueryInput is where the query is typed, drawn, edited or dropped.
export class QueryInput {
  onchange: (given: Given) => void = () => {};
  onsearch: () => void = () => {};
  onmany: (members: Member[]) => void = () => {}; // many queries at once
  onsaved: (address: string) => void = () => {}; // a search that a file keeps
  private readonly text = byId<HTMLTextAreaElement>("text");
  private readonly error = byId("text-error");
  private readonly byId = byId<HTMLInputElement>("by-id");
  private readonly sketcher = new Sketcher(byId("panel-draw"));
  private readonly choose: (tab: string) => void;
  private editor: Promise<GraphEditor> | null = null;
  private info: api.Info | null = null;
  private labels: Promise<{ nodes: string[]; edges: string[] }> | null = null;
  private given: Given = { kind: "smiles", query: "" };
  private tab = "tab-text";
  private reading: Promise<Read> | null = null;
  private file = ""; // the name of the file that the text is from
  private placeholder = this.text.placeholder;

  // collection waits until it is known what the collection is: people are sometimes faster.
  constructor(private readonly palette: Palette, private readonly collection: () => Promise<api.Info>) {
    this.choose = tabs(document.querySelector("[role=tablist]")!, (tab) => {
      this.tab = tab;
      this.text.ariaLabel = tab === "tab-smarts" ? "SMARTS" : "SMILES, or a graph as text";
      this.text.placeholder = tab === "tab-smarts" ? "Paste a SMARTS, such as [CX3](=O)[OX2H1]" : this.placeholder;
      void this.show();
    });
    this.sketcher.onchange = (smiles) => this.take({ kind: "smiles", query: smiles });
    this.sketcher.onsearch = () => this.onsearch();
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
      const card = e.dataTransfer?.getData(dragged);
      if (dropped) void this.drop(dropped);
      else if (card) {
        if ((e.target as Element).closest(".ask")) void this.use(card);
      } else if (e.dataTransfer?.getData("text")) this.type(e.dataTransfer.getData("text"));
    });
    const use = () => void this.read().then((read) => read === "query" && this.onsearch());
    byId("use-id").addEventListener("click", use);
    this.byId.addEventListener("keydown", (e) => {
      if (e.key !== "Enter") return;
      e.preventDefault();
      use();
    });
  }

  // open takes up another collection, whose ids and labels are offered.
  open(info: api.Info): void {
    const other = this.info !== null;
    if (other && this.info!.name !== info.name) this.byId.value = ""; // it names a graph of the other
    this.info = info;
    this.labels = null;
    this.placeholder = `Paste ${info.molecules || !info.graphs ? "SMILES, a MOL block, or " : ""}a graph as t/v/e, JSON, GraphML, DOT …`;
    if (this.tab !== "tab-smarts") this.text.placeholder = this.placeholder;
    for (const tab of ["tab-smarts", "tab-draw"]) {
      byId(tab).hidden = !info.molecules;
      if (!info.molecules && this.tab === tab) this.choose("tab-text");
    }
    if (other && this.tab === "tab-graph") void this.show();
  }

  // use makes a graph of the collection the query, and searches for it.
  async use(id: string): Promise<void> {
    if ((await this.member(id)) === "query") this.onsearch();
  }

  // member makes a graph of the collection the query.
  private async member(id: string): Promise<Read> {
    try {
      const { smiles, graph } = await api.record((await this.collection()).name, id);
      const given: Given = smiles ? { kind: "smiles", query: smiles } : { kind: "graph", query: pack(graph) };
      this.set(given);
      this.onchange(given);
      return "query";
    } catch (e) {
      this.complain((e as Error).message);
      return "nothing";
    }
  }

  // set shows a query that came from elsewhere: an address, an example, an answer.
  set(given: Given): void {
    this.given = given;
    this.complain("");
    this.text.value = written(given);
    if (!given.query) void this.show();
    else if ((given.kind === "smarts") !== (this.tab === "tab-smarts")) this.choose(given.kind === "smarts" ? "tab-smarts" : "tab-text");
    else if (this.tab === "tab-draw" && given.kind === "graph") this.choose("tab-graph");
    else if (this.tab === "tab-graph" && given.kind === "smiles") this.choose("tab-text");
    else void this.show();
  }

  // read makes sure that what is in the text field is the query, and tells whether there is
  // one, or something else that was begun: many queries, or a search from a file.
  read(): Promise<Read> {
    return (this.reading ??= this.understand().finally(() => (this.reading = null)));
  }

  private async understand(): Promise<Read> {
    const id = this.byId.value.trim();
    if (this.tab === "tab-id" && id) return this.member(id);
    const text = whole(this.text.value), smarts = this.tab === "tab-smarts";
    if (!smarts && this.tab !== "tab-text") return this.given.query !== "" ? "query" : "nothing";
    const known = text === this.given.query || this.text.value === written(this.given);
    if (known && (text === "" || smarts === (this.given.kind === "smarts"))) return text !== "" ? "query" : "nothing";
    if (text === "") {
      this.take({ kind: "smiles", query: "" });
      return "nothing";
    }
    if (smarts) {
      this.take({ kind: "smarts", query: text });
      return "query";
    }
    if (/^\S+$/.test(text) && !/^([{<]|\[[{["\]])/.test(text)) {
      this.take({ kind: "smiles", query: text });
      return "query";
    }
    const address = savedIn(text);
    if (address) {
      this.text.value = "";
      this.onsaved(address);
      return "other";
    }
    try {
      const { records, more } = await api.records(text, this.file, (await this.collection()).name);
      const chosen = records.length > 1 ? await (await import("./picker")).pick(records, more ?? false) : records;
      if (chosen.length > 1) {
        this.set({ kind: "smiles", query: "" });
        this.onmany(chosen.map((r) => ({ name: r.name || r.id, query: r.smiles ?? pack(r.graph) })));
        return "other";
      }
      const [one] = chosen;
      if (!one) return "other";
      if (one.error !== undefined) throw new Error(one.error);
      this.take(one.smiles ? { kind: "smiles", query: one.smiles } : { kind: "graph", query: pack(one.graph) });
      // Of several the one that was chosen stays in the field.
      if (records.length > 1) this.set(this.given);
      return "query";
    } catch (e) {
      const { smiles } = text.includes("\n") ? {} : await parse({ text }, undefined, this.info?.name).catch((): Partial<api.Parsed> => ({}));
      if (smiles) {
        this.take({ kind: "smiles", query: smiles }); // a name of several words
        return "query";
      }
      this.complain((e as Error).message);
      return "nothing";
    }
  }

  // complain says why the query cannot be read, with the place marked, and the ways out.
  complain(message: string, ...ways: Node[]): void {
    this.error.replaceChildren(...(message ? refusal(message, whole(this.text.value)) : []), ...ways);
    this.text.toggleAttribute("aria-invalid", message !== "");
  }

  private take(given: Given): void {
    this.given = given;
    this.complain("");
    if (this.tab !== "tab-text") this.text.value = written(given);
    this.onchange(given);
  }

  private type(text: string, file = ""): void {
    this.choose("tab-text");
    this.text.value = whole(text);
    this.file = file;
    void this.read().then((read) => {
      this.file = "";
      if (read === "query") this.onsearch();
    });
  }

  private async drop(file: File): Promise<void> {
    if (file.size > largest) {
      this.complain(`${file.name} is too large for a query: it may have a million letters.`);
      return;
    }
    this.type(await file.text(), file.name);
  }

  // show brings the tab chosen up to date with the query.
  private async show(): Promise<void> {
    if (this.tab === "tab-draw") await this.sketcher.open(this.given.kind === "smiles" ? this.given.query : "");
    if (this.tab === "tab-graph") {
      const [editor, info] = await Promise.all([this.edit(), this.collection().catch(() => null)]);
      const { graph, scene } = await this.laidOut().catch(() => ({ graph: null, scene: null }));
      editor.set(graph ?? { directed: info?.directed ?? false, nodes: [], edges: [] }, scene);
      await this.offer();
    }
  }

  // offer lists the labels of the collection in the editor.
  private async offer(): Promise<void> {
    if (!this.info) return;
    this.labels ??= api.labels(this.info.name);
    const labels = await this.labels.catch(() => null);
    if (labels) (await this.edit()).offer(labels);
  }

  private async laidOut() {
    const query = queryOf(this.given);
    if (!this.given.query || !query) return { graph: null, scene: null };
    const { smiles, graph } = await parse(query, undefined, (await this.collection()).name);
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

// whole leaves out the space around a single line. Of several, an empty first one counts:
// a MOL block may begin so.
function whole(text: string): string {
  const bare = text.trim();
  return bare.includes("\n") ? text : bare;
}

// dragged is the kind of data that a card dragged has: its id.
export const dragged = "application/x-greed-id";

// queryOf returns what the service is asked with.
export function queryOf(given: Given): Query | null {
  if (given.kind !== "graph") return { [given.kind]: given.query };
  const graph = unpack(given.query);
  return graph && { graph: sent(graph) };
}

// written is a query as the text field has it.
const written = ({ kind, query }: Given) => (kind === "graph" ? readable(query) : query);

// readable writes a graph as t/v/e text, which people can read and change.
function readable(packed: string): string {
  const graph = unpack(packed);
  if (!graph) return "";
  const unfit = (x: { label: string; wildcard?: boolean }) => x.wildcard || x.label === "" || /\s/.test(x.label);
  if (graph.directed || graph.names || graph.nodes.some(unfit) || graph.edges.some(unfit)) return JSON.stringify(sent(graph));
  return [
    "t # query",
    ...graph.nodes.map((n, i) => `v ${i} ${n.label}`),
    ...graph.edges.map((e) => `e ${e.source} ${e.target} ${e.label}`),
  ].join("\n");
}
