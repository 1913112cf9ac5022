import type { GraphJSON } from "./types";

const elements = new Set(
  ("H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe " +
    "Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U").split(" "),
);
const organic = new Set(["B", "C", "N", "O", "P", "S", "F", "Cl", "Br", "I"]);
const inRings = new Set(["B", "C", "N", "O", "P", "S", "As", "Se"]);
const signs: Record<string, string> = { "1": "", "2": "=", "3": "#", "4": "$", ar: "" };

// writeSMILES writes a graph whose labels are those of a molecule, so that it can
// be laid out as one. order has the nodes as written. It returns null for other
// graphs.
export function writeSMILES(graph: GraphJSON): { text: string; order: number[] } | null {
  if (graph.directed || graph.nodes.length === 0) return null;
  const near: { to: number; label: string; edge: number }[][] = graph.nodes.map(() => []);
  for (const [edge, e] of graph.edges.entries()) {
    if (!(e.label in signs) || e.source === e.target) return null;
    near[e.source].push({ to: e.target, label: e.label, edge });
    near[e.target].push({ to: e.source, label: e.label, edge });
  }
  const aromatic = near.map((bonds) => bonds.some((b) => b.label === "ar"));
  const atoms: string[] = [];
  for (const [v, { label }] of graph.nodes.entries()) {
    const [, element, charge] = /^([A-Z][a-z]?)([+-]\d*)?$/.exec(label) ?? [];
    if (!elements.has(element) || element === "H" || (aromatic[v] && !inRings.has(element))) return null;
    const written = aromatic[v] ? element.toLowerCase() : element;
    atoms.push(charge || !organic.has(element) ? `[${written}${charge ?? ""}]` : written);
  }

  // The first walk finds the bonds that close rings, the second writes.
  const number = new Map<number, number>(); // of the bonds that close rings
  const seen = new Set<number>(), used = new Set<number>();
  const find = (v: number) => {
    seen.add(v);
    for (const b of near[v]) {
      if (used.has(b.edge)) continue;
      used.add(b.edge);
      if (seen.has(b.to)) number.set(b.edge, number.size + 1);
      else find(b.to);
    }
  };
  const order: number[] = [];
  const write = (v: number, from: number): string => {
    order.push(v);
    const sign = (b: { to: number; label: string }) => (b.label === "1" && aromatic[v] && aromatic[b.to] ? "-" : signs[b.label]);
    let text = atoms[v];
    for (const b of near[v]) {
      const closes = number.get(b.edge);
      if (closes !== undefined) text += sign(b) + (closes < 10 ? closes : `%${closes}`);
    }
    const branches = near[v].filter((b) => b.edge !== from && !number.has(b.edge)).map((b) => sign(b) + write(b.to, b.edge));
    return text + branches.map((b, i) => (i < branches.length - 1 ? `(${b})` : b)).join("");
  };
  const pieces: string[] = [];
  graph.nodes.forEach((_, v) => {
    if (seen.has(v)) return;
    find(v);
    if (number.size < 100) pieces.push(write(v, -1));
  });
  return number.size < 100 ? { text: pieces.join("."), order } : null;
}
