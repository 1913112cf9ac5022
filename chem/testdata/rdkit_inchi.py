"""Writes inchi.tsv.gz: of every ninth molecule of nci5k its SMILES, its InChI, and the
SMILES of what RDKit reads that InChI as. Molecules with bonds to metals are left out. Written with RDKit 2026.09.1.

    python3 rdkit_inchi.py ../../bundle/nci5k.smi.gz inchi.tsv.gz
"""

import gzip
import re
import sys

from rdkit import Chem, RDLogger

RDLogger.DisableLog("rdApp.*")
with gzip.open(sys.argv[1], "rt") as source:
    lines = source.readlines()[::9]
rows = []
for line in lines:
    smiles = line.split()[0]
    molecule = Chem.MolFromSmiles(smiles)
    inchi = Chem.MolToInchi(molecule) if molecule else ""
    pieces = [int(re.match(r"\d*", part)[0] or 1) for part in inchi.split("/")[1].split(".")] if inchi else []
    if not inchi or sum(pieces) != len(Chem.GetMolFrags(molecule) if molecule else []):
        continue  # InChI cuts bonds to metals
    back = Chem.MolFromInchi(inchi)
    rows.append("\t".join([smiles, inchi, Chem.MolToSmiles(back) if back else ""]))
with open(sys.argv[2], "wb") as file, gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as out:
    out.write("".join(row + "\n" for row in rows[:500]).encode())
