import { Molecule, MoleculeProperties } from "openchemlib";

// Properties are what is computed of a molecule.
export interface Properties {
  weight?: number; // not of what has attachment points
  rings: number; // bonds that must go until there is none
  logP?: number; // not of all elements
  formula: string;
}

// propertiesOf computes the properties of molecules; of those that cannot be read there are
// none.
export function propertiesOf(molecules: string[]): (Properties | null)[] {
  return molecules.map((smiles) => {
    try {
      const molecule = Molecule.fromSmiles(smiles, { noCoordinates: true, noStereo: true });
      const { relativeWeight, formula } = molecule.getMolecularFormula();
      const pieces = molecule.getFragmentNumbers([], false, true);
      const logP = new MoleculeProperties(molecule).logP;
      return { weight: Number.isNaN(relativeWeight) ? undefined : relativeWeight, rings: molecule.getAllBonds() - molecule.getAllAtoms() + pieces, logP: logP > -900 ? logP : undefined, formula };
    } catch {
      return null;
    }
  });
}
