import type * as api from "./api";
import type { Palette } from "./colours";
import { h } from "./dom";
import { close, Drawing } from "./draw";
import type { Scene } from "./scene";
import { sceneOf } from "./scenes";

// short writes a group that is attached at one position without it: H is a hydrogen, – that nothing is there.
export function short(group: string): string {
  if (group === "") return "–";
  const [, rest] = /^\[\*:\d+\](.+)$/.exec(group) ?? [];
  return rest === "[H]" ? "H" : rest && !rest.includes("[*:") ? rest : group;
}

// single reports whether a group is attached at one position.
export const single = (group: string) => (group.match(/\[\*:\d+\]/g) ?? []).length === 1;

// OpenChemLib takes * of a SMILES for a carbon. So positions of groups are laid out as an element that they do not have.
const standIn = "At";

// labelled writes at the atoms that stand for positions which they are. names has them, in the order of those atoms.
function labelled(scene: Scene, as: string, names: string[]): Scene {
  let at = 0;
  const nodes = scene.nodes.map((n) => {
    if (n.label !== as) return n;
    const name = names[at++];
    return name === undefined ? n : { ...n, label: name, atom: { element: name, hydrogens: 0, charge: 0 } };
  });
  return { ...scene, nodes };
}

const scenes = new Map<string, Promise<Scene | null>>(); // of groups, which many molecules have

// group draws an R-group, once it is in the page. A hydrogen and nothing are written.
export function group(smiles: string, palette: Palette): HTMLElement {
  const text = short(smiles);
  if (text === "H" || text === "–") return h("span", { className: "plain" }, text);
  const drawing = new Drawing(text, palette, close);
  if (!scenes.has(smiles)) scenes.set(smiles, sceneOf(smiles.replaceAll(/\[\*:\d+\]/g, `[${standIn}]`), undefined).then((scene) => scene && labelled(scene, standIn, (smiles.match(/\[\*:\d+\]/g) ?? []).map((mark) => `R${/\d+/.exec(mark)![0]}`))));
  void scenes.get(smiles)!.then((scene) => scene && drawing.show(scene));
  return h("div", { className: "structure", title: text }, drawing.element);
}

// core lays a core out, with its positions as the columns call them.
export async function core({ graph }: api.Parsed, columns: api.Series["columns"]): Promise<Scene | null> {
  const mark = (v: number) => /^\[\*:\d+\]$/.exec(graph.names?.[v] ?? "") && graph.edges.filter((e) => e.source === v || e.target === v).length < 2;
  const atoms = graph.nodes.map((_, v) => v).filter((v) => !mark(v)); // by which columns count
  const names = graph.nodes.flatMap((n, v) => (n.label === "*" ? [mark(v) ? `R${/\d+/.exec(graph.names![v])![0]}` : "*"] : []));
  const nodes = [...graph.nodes], edges = [...graph.edges];
  for (const { name, atom } of columns.filter((c) => !names.includes(c.name))) {
    edges.push({ source: atoms[atom], target: nodes.length, label: "1" });
    nodes.push({ id: nodes.length, label: "*", wildcard: true });
    names.push(name);
  }
  const scene = await sceneOf(undefined, { directed: false, nodes, edges });
  return scene && labelled(scene, "*", names);
}
