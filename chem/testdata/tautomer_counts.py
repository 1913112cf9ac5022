"""Makes tautomers.tsv.gz: pairs of molecules with what RDKit's tautomer hashes say of them.

    python3 chem/testdata/tautomer_counts.py bundle/nci5k.smi.gz

Most of the up to 10,000 pairs are a bundled molecule and one of the tautomers that RDKit's TautomerEnumerator makes of it,
which may have moved hydrogens of carbon, too; at most half are two bundled molecules of the same formula. The columns:
two SMILES, and 1 or 0 for equal HetAtomTautomer and HetAtomTautomerv2 hashes. TestTautomersRDKit compares. RDKit comes from PyPI (rdkit).
"""

import gzip
import itertools
import random
import sys

from rdkit import Chem, RDLogger
from rdkit.Chem import rdMolHash
from rdkit.Chem.MolStandardize import rdMolStandardize
from rdkit.Chem.rdMolDescriptors import CalcMolFormula

RDLogger.DisableLog("rdApp.*")
random.seed(61)
PAIRS = 10_000
enumerator = rdMolStandardize.TautomerEnumerator()
enumerator.SetMaxTautomers(16)
enumerator.SetMaxTransforms(64)


def flat(smiles):
    mol = Chem.MolFromSmiles(smiles)
    if mol is None or mol.GetNumHeavyAtoms() > 30 or "." in smiles:
        return None
    Chem.RemoveStereochemistry(mol)
    return mol


def digest(mol, function):
    return rdMolHash.MolHash(Chem.Mol(mol), function)


def row(a, b):
    equal = [
        int(digest(a, f) == digest(b, f))
        for f in (rdMolHash.HashFunction.HetAtomTautomer, rdMolHash.HashFunction.HetAtomTautomerv2)
    ]
    return f"{Chem.MolToSmiles(a)}\t{Chem.MolToSmiles(b)}\t{equal[0]}\t{equal[1]}\n"


molecules = [m for m in (flat(line.split()[0]) for line in gzip.open(sys.argv[1], "rt")) if m]
random.shuffle(molecules)
formulas = {}
for mol in molecules:
    formulas.setdefault(CalcMolFormula(mol), []).append(mol)
isomers = [p for same in formulas.values() for p in itertools.combinations(same, 2) if Chem.MolToSmiles(p[0]) != Chem.MolToSmiles(p[1])]
random.shuffle(isomers)
isomers = isomers[: PAIRS // 2]
rows = []
for mol in molecules:
    try:
        found = [Chem.MolFromSmiles(Chem.MolToSmiles(t)) for t in enumerator.Enumerate(mol)]
    except Exception:
        continue
    own = Chem.MolToSmiles(mol)
    found = [t for t in found if t is not None and Chem.MolToSmiles(t) != own]
    rows += [row(mol, t) for t in random.sample(found, min(6, len(found)))]
    if len(rows) >= PAIRS - len(isomers):
        break
del rows[PAIRS - len(isomers) :]
print(len(rows), "pairs of tautomers", flush=True)
rows += [row(a, b) for a, b in isomers]
with gzip.GzipFile("chem/testdata/tautomers.tsv.gz", "wb", mtime=0) as f:
    f.write("".join(rows).encode())
print(len(rows), "pairs")
