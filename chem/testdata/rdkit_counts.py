#!/usr/bin/python3
"""Write what RDKit says of a file of molecules, for TestAgainstRDKit.

    rdkit_counts.py nci5k.smi > nci5k_rdkit.tsv.gz

The input has a SMILES, a tab and an identifier a line. The output, gzipped, has
one line per molecule, tab-separated: identifier; heavy atoms; bonds; fragments;
formula of the heavy atoms; the labels of the bonds, ordered by their lower, then
their higher atom, a letter each: 1, 2, 3, 4, or a for aromatic; and "rejected"
if RDKit refuses the valence of an atom and was told to go on. Then come lines
that begin with "query": SMILES, number of molecules that contain it, and the
first 16 digits of the SHA-256 of their identifiers, joined by commas.

The fixture was made with RDKit 2026.09.1 (pip install rdkit).
"""

import collections
import gzip
import hashlib
import sys

from rdkit import Chem, RDLogger
from rdkit.Chem import AllChem

QUERIES = [
    "c1ccccc1",
    "C1=CC=CC=C1C(=O)O",
    "c1ccncc1",
    "c1ccc2ccccc2c1",
    "C1=CC=C2C(=C1)C=CN2",
    "CC(=O)Nc1ccccc1",
    "CC(=O)OC",
    "CN(=O)=O",
    "O=C1C=CC(=O)C=C1",
    "c1ccsc1",
    "c1ccoc1",
    "CC#N",
    "c1ccccc1N=Nc1ccccc1",
    "NS(=O)(=O)C",
    "COP",
    "C1CCCCC1",
    "c1ccc(cc1)-c1ccccc1",
    "C1CCC2C(C1)CCC1C2CCC2CCCC12",
    "c1cc*cc1",
    "O=C*C(=O)O",
]

LETTERS = {
    Chem.BondType.SINGLE: "1",
    Chem.BondType.DOUBLE: "2",
    Chem.BondType.TRIPLE: "3",
    Chem.BondType.QUADRUPLE: "4",
    Chem.BondType.AROMATIC: "a",
}


# What makes bonds to metals dative, and which greed leaves as they are.
DATIVE = Chem.SanitizeFlags.SANITIZE_CLEANUP_ORGANOMETALLICS


def read(smiles):
    """Return the molecule and whether RDKit refuses it."""
    mol = Chem.RemoveHs(Chem.MolFromSmiles(smiles, sanitize=False), sanitize=False)
    every = Chem.SanitizeFlags.SANITIZE_ALL ^ DATIVE
    try:
        Chem.SanitizeMol(mol, every)
        return mol, False
    except Chem.AtomValenceException:
        mol.UpdatePropertyCache(strict=False)
        Chem.SanitizeMol(mol, every ^ Chem.SanitizeFlags.SANITIZE_PROPERTIES)
        return mol, True


def describe(mol):
    count = collections.Counter(a.GetSymbol() for a in mol.GetAtoms())
    formula = " ".join(f"{e}{n}" for e, n in sorted(count.items()))
    ends = lambda b: sorted((b.GetBeginAtomIdx(), b.GetEndAtomIdx()))
    bonds = "".join(LETTERS[b.GetBondType()] for b in sorted(mol.GetBonds(), key=ends))
    return [mol.GetNumHeavyAtoms(), mol.GetNumBonds(), len(Chem.GetMolFrags(mol)), formula, bonds]


def query(smiles):
    """Return a pattern in which * matches any atom."""
    p = AllChem.AdjustQueryParameters.NoAdjustments()
    p.makeDummiesQueries = True
    return AllChem.AdjustQueryProperties(Chem.MolFromSmiles(smiles), p)


def main():
    RDLogger.DisableLog("rdApp.*")
    rows, molecules = [], []
    for line in open(sys.argv[1]):
        smiles, name = line.rstrip("\n").split("\t")
        mol, rejected = read(smiles)
        molecules.append((name, mol))
        rows.append([name, *describe(mol)] + (["rejected"] if rejected else []))
    for smiles in QUERIES:
        pattern = query(smiles)
        names = [name for name, mol in molecules if mol.HasSubstructMatch(pattern)]
        digest = hashlib.sha256(",".join(names).encode()).hexdigest()[:16]
        rows.append(["query", smiles, len(names), digest])
    text = "".join("\t".join(map(str, row)) + "\n" for row in rows)
    sys.stdout.buffer.write(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    main()
