import type { Atom, Scene } from "./scene";

// Valences of the elements that SMILES writes without brackets.
const valences: Record<string, number[]> = {
  B: [3], C: [4], N: [3, 5], O: [2], P: [3, 5], S: [2, 4, 6], F: [1], Cl: [1], Br: [1], I: [1],
};

// AtomLabel is what the label of an atom says, as the rules of a collection have it: "NH3+",
// "13C", "C(R)".
type AtomLabel = Omit<Atom, "hydrogens"> & { hydrogens?: number };

// readAtom reads the label of an atom, or returns null for any other label.
export function readAtom(label: string): AtomLabel | null {
  const [, isotope, element, hydrogens, sign, digits, stereo] = /^(\?|\d*)([A-Z][a-z]?|\*)(?:H(\d*))?(?:([+-])(\d*))?(?:\((\w)\))?$/.exec(label) ?? [];
  if (!element) return null;
  const charge = sign ? (sign === "+" ? 1 : -1) * Number(digits || 1) : 0;
  return { element, charge, hydrogens: hydrogens === undefined ? undefined : Number(hydrogens || 1), isotope: isotope || undefined, stereo };
}

// orderOf returns the order that the label of a bond says, without its E or Z.
export const orderOf = (label: string) => label.replace(/\([EZ]\)$/, "");

// implicitHydrogens returns how many hydrogens an atom written without brackets
// has. orders are its bonds' labels; aromatic tells whether it is written in
// lower case.
export function implicitHydrogens(element: string, orders: string[], aromatic: boolean): number {
  const allowed = valences[element];
  if (!allowed) return 0;
  let used = 0;
  for (const o of orders) used += o === "ar" || o === "*" ? 1 : Number(orderOf(o)) || 1;
  if (aromatic) {
    // One electron is the ring's, unless the atom gives it a pair.
    if (element === "O" || element === "S") return 0;
    return Math.max(0, allowed[0] - used - 1);
  }
  const valence = allowed.find((v) => v >= used);
  return valence === undefined ? 0 : valence - used;
}

// plainAtom describes an atom of which only the label and the bonds are known.
export function plainAtom(label: string, orders: string[]): Atom {
  const atom = readAtom(label) ?? { element: label, charge: 0 };
  return { ...atom, hydrogens: atom.hydrogens ?? (atom.charge ? 0 : implicitHydrogens(atom.element, orders, orders.includes("ar"))) };
}

// showsElement tells whether the atom's symbol is written: all but carbon in a
// chain or ring.
export function showsElement(scene: Scene, v: number, degree: number): boolean {
  const atom = scene.nodes[v].atom;
  return !atom || atom.element !== "C" || atom.charge !== 0 || atom.isotope !== undefined || degree === 0;
}

// isAromatic tells whether all bonds of a ring are.
export function isAromatic(ring: number[], labels: Map<string, string>): boolean {
  return ring.every((v, i) => {
    const w = ring[(i + 1) % ring.length];
    return labels.get(v < w ? `${v}-${w}` : `${w}-${v}`) === "ar";
  });
}
