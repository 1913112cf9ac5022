import type { ParseNode } from "smiles-drawer";
import DrawerBase from "smiles-drawer/layout";
import Parser from "smiles-drawer/parser";
import type { GraphJSON } from "./types";
import { implicitHydrogens } from "./chemistry";
import { type Scene, type SceneEdge, type SceneNode, lieDown } from "./scene";

const orders: Record<string, string> = { "-": "1", "/": "1", "\\": "1", "=": "2", "#": "3", $: "4", ":": "ar" };

// Bridged rings are laid out by a force model whose time grows with the cube of
// their size; beyond this many atoms a molecule is laid out as any other graph.
const largest = 150;

const bondLength = 30;

// layoutMolecule lays a molecule out as SmilesDrawer does. The bonds' labels are
// those of graph, if given, so that they are aromatic where the service says so.
// It returns null for what SmilesDrawer cannot lay out, and where its atoms
// differ from graph's nodes.
export function layoutMolecule(smiles: string, graph?: GraphJSON): Scene | null {
  let scene: Scene | null = null;
  try {
    scene = fromTree(Parser.parse(smiles));
  } catch {
    return null;
  }
  if (!scene) return null;
  return graph ? relabel(scene, graph) : scene;
}

function fromTree(tree: ParseNode): Scene | null {
  const base = new DrawerBase({ compactDrawing: false, terminalCarbons: true, bondLength, explicitHydrogens: false });
  base.initDraw(tree, "light", false, []);
  if (base.graph.vertices.length > largest) return null;
  base.processGraph();
  const graph = base.graph;
  const number = new Map<number, number>(); // of the drawing's vertices
  graph.vertices.forEach((v) => {
    if (v.value.element !== "H") number.set(v.id, number.size);
  });
  const aromatic = lowerCase(tree);
  const kept = graph.vertices.filter((v) => number.has(v.id));
  const edges: SceneEdge[] = [];
  const labels: string[][] = kept.map(() => []);
  const inRing = ringBonds(base.rings.map((r) => r.members));
  for (const e of graph.edges) {
    const a = number.get(e.sourceId), b = number.get(e.targetId);
    if (a === undefined || b === undefined) continue;
    if (e.bondType === ".") continue;
    let label = orders[e.bondType] ?? "1";
    if (e.bondType === "-" && aromatic[a] && aromatic[b] && inRing.has(pair(e.sourceId, e.targetId))) label = "ar";
    edges.push({ a, b, label });
    labels[a].push(label);
    labels[b].push(label);
  }
  const nodes: SceneNode[] = kept.map((v, i) => {
    const { element, bracket } = v.value;
    const symbol = element[0].toUpperCase() + element.slice(1);
    const hydrogens = bracket ? Number(bracket.hcount) || 0 : implicitHydrogens(symbol, labels[i], aromatic[i]);
    return { x: v.position.x / bondLength, y: v.position.y / bondLength, label: symbol, atom: { element: symbol, hydrogens, charge: Number(bracket?.charge) || 0 } };
  });
  if (nodes.some((n) => !Number.isFinite(n.x + n.y))) return null;
  const rings = base.rings
    .map((r) => r.members.map((id) => number.get(id)))
    .filter((r): r is number[] => r.every((v) => v !== undefined));
  return lieDown({ molecule: true, directed: false, nodes, edges, rings });
}

// lowerCase tells which atoms but hydrogens are written in lower case, in the
// order in which they are written: SmilesDrawer's vertices forget it.
function lowerCase(tree: ParseNode): boolean[] {
  const lower: boolean[] = [];
  const stack: ParseNode[] = [tree];
  for (let node = stack.pop(); node; node = stack.pop()) {
    const written = typeof node.atom === "string" ? node.atom : node.atom.element;
    if (written !== "H") lower.push(/^[a-z]/.test(written));
    if (node.hasNext) stack.push(node.next!);
    for (let i = node.branchCount - 1; i >= 0; i--) stack.push(node.branches[i]);
  }
  return lower;
}

const pair = (a: number, b: number) => (a < b ? `${a}-${b}` : `${b}-${a}`);

function ringBonds(rings: number[][]): Set<string> {
  const bonds = new Set<string>();
  for (const r of rings) r.forEach((v, i) => bonds.add(pair(v, r[(i + 1) % r.length])));
  return bonds;
}

// relabel takes labels and bonds from graph, places from scene.
function relabel(scene: Scene, graph: GraphJSON): Scene | null {
  if (scene.nodes.length !== graph.nodes.length || scene.edges.length !== graph.edges.length) return null;
  const element = (label: string) => label.replace(/[+-]\d*$/, "");
  if (!scene.nodes.every((n, v) => n.atom!.element === element(graph.nodes[v].label))) return null;
  const nodes = scene.nodes.map((n, v) => ({ ...n, label: graph.nodes[v].label }));
  return { ...scene, nodes, edges: graph.edges.map((e) => ({ a: e.source, b: e.target, label: e.label })) };
}
