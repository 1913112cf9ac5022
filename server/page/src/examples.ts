import type { State } from "./state";

export interface Example {
  name: string;
  about: string;
  state: Partial<State>;
}

// Examples for collections of molecules.
export const molecules: Example[] = [
  { name: "Aspirin", about: "its nearest molecules", state: { kind: "smiles", query: "CC(=O)Oc1ccccc1C(=O)O", find: "similar", k: 12 } },
  { name: "Caffeine", about: "its nearest molecules", state: { kind: "smiles", query: "Cn1cnc2c1c(=O)n(C)c(=O)n2C", find: "similar", k: 12 } },
  { name: "Sulfonamide", about: "as a fragment", state: { kind: "smiles", query: "NS(=O)(=O)c1ccc(N)cc1", find: "nearly", k: 12 } },
  { name: "Indole", about: "molecules that contain it", state: { kind: "smiles", query: "c1ccc2[nH]ccc2c1", find: "contains" } },
  { name: "Carboxylic acid", about: "as a SMARTS: molecules that match it", state: { kind: "smarts", query: "[CX3](=O)[OX2H1]", find: "contains" } },
  { name: "Nicotine", about: "within 5 edits", state: { kind: "smiles", query: "CN1CCCC1c1cccnc1", find: "similar", k: 0, radius: 5 } },
];
