"""Write what RDKit says of valences, for TestValences.

    pip install rdkit
    python3 valence_counts.py > valences.tsv

A line has the symbol of an element, a tab, a charge from -4 to 4, a tab, and a character for each number
of single bonds from 0 to 8 to carbon atoms: how many hydrogens the atom then has in a MOL block, which
states none, or "x" if RDKit refuses the valence.
Elements whose atoms never have hydrogens and are never refused are left out, as is hydrogen.

    python3 valence_counts.py 20000 > molecules.tsv
    python3 valence_counts.py molecules.smi > molecules.tsv
    GREED_VALENCES=$PWD/molecules.tsv go test ./chem -run ValencesOfMolecules -v

Of a number of odd rings, as rings_counts.py makes them, in Kekulé form and as RDKit writes them, or of a file
of SMILES, a line has the SMILES, a tab, and the hydrogens of each atom, or "x" if RDKit refuses a valence.
The fixture was made with RDKit 2026.09.1.
"""

import random
import sys

from rdkit import Chem, RDLogger
from rdkit_counts import read
from rings_counts import odd

RDLogger.DisableLog("rdApp.*")


def hydrogens(number, charge, bonds):
    m = Chem.RWMol()
    a = Chem.Atom(number)
    a.SetFormalCharge(charge)
    m.AddAtom(a)
    for _ in range(bonds):
        m.AddBond(0, m.AddAtom(Chem.Atom(6)), Chem.BondType.SINGLE)
    try:
        m.UpdatePropertyCache(strict=True)
    except Chem.AtomValenceException:
        return "x"
    return str(m.GetAtomWithIdx(0).GetTotalNumHs())


def elements():
    for number in range(2, 119):
        symbol = Chem.GetPeriodicTable().GetElementSymbol(number)
        rows = {charge: "".join(hydrogens(number, charge, n) for n in range(9)) for charge in range(-4, 5)}
        if set("".join(rows.values())) != {"0"}:
            for charge, row in rows.items():
                print(symbol, charge, row, sep="\t")


def molecules(list):
    for smiles in list:
        try:
            m, refused = read(smiles)
        except Chem.KekulizeException:
            continue
        print(smiles, "x" if refused else ",".join(str(a.GetTotalNumHs()) for a in m.GetAtoms()), sep="\t")


def rings(count):
    r = random.Random(2)
    for _ in range(count):
        smiles = Chem.MolToSmiles(odd(r), canonical=False)
        yield smiles
        m = Chem.MolFromSmiles(smiles)
        if m is not None:
            yield Chem.MolToSmiles(m, canonical=False)


def main():
    if len(sys.argv) == 1:
        elements()
    elif sys.argv[1].isdigit():
        molecules(rings(int(sys.argv[1])))
    else:
        molecules(line.split()[0] for line in open(sys.argv[1]))


main()
