import type { State } from "./state";

export interface Example {
  name: string;
  about: string;
  state: Partial<State>;
}

// Examples for collections of molecules.
export const molecules: Example[] = [
  { name: "Aspirin", about: "its nearest molecules", state: { kind: "smiles", query: "CC(=O)Oc1ccccc1C(=O)O", task: "ged", k: 12 } },
  { name: "Caffeine", about: "its nearest molecules", state: { kind: "smiles", query: "Cn1cnc2c1c(=O)n(C)c(=O)n2C", task: "ged", k: 12 } },
  { name: "Sulfonamide", about: "as a fragment", state: { kind: "smiles", query: "NS(=O)(=O)c1ccc(N)cc1", task: "sed", k: 12 } },
  { name: "Indole", about: "as a fragment", state: { kind: "smiles", query: "c1ccc2[nH]ccc2c1", task: "sed", k: 12 } },
  { name: "Nicotine", about: "within 5 edits", state: { kind: "smiles", query: "CN1CCCC1c1cccnc1", task: "ged", k: 0, radius: 5 } },
];
