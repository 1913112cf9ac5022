import { Molecule } from "openchemlib";
import { orderOf, plainAtom, readAtom } from "./chemistry";
import { type Scene, type SceneEdge, type SceneNode, edgeKey, lieDown } from "./scene";
import type { GraphJSON } from "./types";

// layoutMolecule lays a molecule out as OpenChemLib does. smiles is how it was written, if
// it was, and says which hydrogens its atoms have. Labels are those of graph, if given, so
// that bonds are aromatic where the service says so. It returns null for what is no
// molecule.
export function layoutMolecule(smiles: string | undefined, graph?: GraphJSON): Scene | null {
  const written = smiles ? fromText(smiles) : null;
  if (!graph) return written;
  if (!smiles && graph.nodes.every((n) => n.label === "*")) return null;
  return (written && relabel(written, graph)) ?? fromGraph(graph);
}

function fromText(smiles: string): Scene | null {
  let molecule: Molecule;
  try {
    molecule = Molecule.fromSmiles(smiles, { noCoordinates: true, noStereo: true });
  } catch {
    return null;
  }
  molecule.ensureHelperArrays(Molecule.cHelperRings); // which puts hydrogens behind the other atoms
  const atoms = Array.from({ length: molecule.getAtoms() }, (_, v): SceneNode => {
    const label = molecule.getAtomicNo(v) === 0 ? "*" : molecule.getAtomLabel(v);
    return { x: 0, y: 0, label, atom: { element: label, hydrogens: molecule.getAllHydrogens(v), charge: molecule.getAtomCharge(v) } };
  });
  const edges = Array.from({ length: molecule.getBonds() }, (_, i): SceneEdge => ({
    a: molecule.getBondAtom(0, i), b: molecule.getBondAtom(1, i),
    ...bond(molecule, i),
  }));
  return placed(molecule, atoms, edges);
}

// bond returns the label of a bond, and the order that an aromatic one has where double bonds
// are drawn.
function bond(molecule: Molecule, i: number): Pick<SceneEdge, "label" | "order"> {
  const order = String(molecule.getBondOrder(i));
  return molecule.isAromaticBond(i) || molecule.isDelocalizedBond(i) ? { label: "ar", order: molecule.getBondType(i) === Molecule.cBondTypeDelocalized ? undefined : order } : { label: order };
}

// fromGraph lays out a graph whose labels are those of a molecule.
function fromGraph(graph: GraphJSON): Scene | null {
  if (graph.directed) return null;
  const molecule = new Molecule(graph.nodes.length, graph.edges.length);
  const orders: string[][] = graph.nodes.map(() => []);
  for (const { label } of graph.nodes) {
    const element = readAtom(label)?.element;
    const number = element && element !== "*" ? Molecule.getAtomicNoFromLabel(element) : 0;
    if (element !== "*" && (number < 2 || number > 118)) return null;
    molecule.addAtom(number);
  }
  const types: Record<string, number> = {
    "1": Molecule.cBondTypeSingle, "2": Molecule.cBondTypeDouble, "3": Molecule.cBondTypeTriple, "4": Molecule.cBondTypeQuadruple,
    ar: Molecule.cBondTypeDelocalized, "*": Molecule.cBondTypeSingle,
  };
  for (const { source, target, label } of graph.edges) {
    const order = orderOf(label);
    if (!(order in types) || source === target) return null;
    molecule.setBondType(molecule.addBond(source, target), types[order]);
    orders[source].push(label);
    orders[target].push(label);
  }
  const atoms = graph.nodes.map((n, v): SceneNode => ({ x: 0, y: 0, label: n.label, atom: plainAtom(n.label, orders[v]) }));
  return placed(molecule, atoms, graph.edges.map((e) => ({ a: e.source, b: e.target, label: e.label })));
}

// placed gives atoms the places that OpenChemLib finds, in bond lengths.
function placed(molecule: Molecule, atoms: SceneNode[], edges: SceneEdge[]): Scene | null {
  molecule.inventCoordinates();
  const unit = molecule.getAverageBondLength(true) || 1;
  const nodes = atoms.map((n, v) => ({ ...n, x: molecule.getAtomX(v) / unit, y: molecule.getAtomY(v) / unit }));
  if (nodes.some((n) => !Number.isFinite(n.x + n.y))) return null;
  return lieDown({ molecule: true, directed: false, nodes, edges, rings: rings(molecule, edges) });
}

// rings returns the small rings, and for bonds that are in none of them a shortest ring.
function rings(molecule: Molecule, edges: SceneEdge[]): number[][] {
  molecule.ensureHelperArrays(Molecule.cHelperRings);
  const small = molecule.getRingSet();
  const all = Array.from({ length: small.getSize() }, (_, i) => Array.from(small.getRingAtoms(i))); // theirs cannot be sent
  const key = (a: number, b: number) => (a < b ? `${a}-${b}` : `${b}-${a}`);
  const known = new Set(all.flatMap((r) => r.map((v, i) => key(v, r[(i + 1) % r.length]))));
  const near: number[][] = Array.from({ length: molecule.getAllAtoms() }, () => []);
  for (const { a, b } of edges) {
    near[a].push(b);
    near[b].push(a);
  }
  edges.forEach(({ a, b }, i) => {
    if (known.has(key(a, b)) || !molecule.isRingBond(i)) return;
    const ring = around(near, a, b);
    ring.forEach((v, j) => known.add(key(v, ring[(j + 1) % ring.length])));
    all.push(ring);
  });
  return all;
}

// around returns a shortest way from a to b that is not the bond between them.
function around(near: number[][], a: number, b: number): number[] {
  const from = new Map([[a, a]]), queue = [a];
  for (const v of queue) {
    for (const w of near[v]) {
      if (from.has(w) || (v === a && w === b)) continue;
      from.set(w, v);
      queue.push(w);
    }
    if (from.has(b)) break;
  }
  const way = [b];
  while (way[0] !== a) way.unshift(from.get(way[0])!);
  return way;
}

// relabel takes labels and bonds from graph, places from scene. It returns null where its
// atoms differ from graph's nodes.
function relabel(scene: Scene, graph: GraphJSON): Scene | null {
  if (scene.nodes.length !== graph.nodes.length || scene.edges.length !== graph.edges.length) return null;
  const labels = graph.nodes.map((n) => readAtom(n.label));
  if (!scene.nodes.every((n, v) => n.atom!.element === labels[v]?.element)) return null;
  const nodes = scene.nodes.map((n, v) => ({ ...n, label: graph.nodes[v].label, atom: { ...n.atom!, isotope: labels[v]!.isotope, stereo: labels[v]!.stereo } }));
  const key = (a: number, b: number) => edgeKey(a, b, false);
  // Where the service says aromatic and OpenChemLib does not, the bond is as it was written.
  const order = new Map(scene.edges.map((e) => [key(e.a, e.b), e.order ?? (e.label === "ar" ? undefined : e.label)]));
  const edges = graph.edges.map((e): SceneEdge => ({ a: e.source, b: e.target, label: e.label, order: e.label === "ar" ? order.get(key(e.source, e.target)) : undefined }));
  return { ...scene, nodes, edges };
}
