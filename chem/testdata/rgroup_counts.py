"""Compares greed sar with RDKit's rdRGroupDecomposition on series of the bundled molecules.

    go build -o /tmp/greed ./cmd/greed && python3 chem/testdata/rgroup_counts.py /tmp/greed [RDKIT] [-v]

or, if RDKIT is a copy of RDKit's repository, on three series with activities that are in it.
For each core it counts the molecules in which both find the core, those with the same groups, and the columns and
pairs of equal groups in a column of both tables. docs/molecules.md has the result. RDKit comes from PyPI (rdkit).
"""

import collections
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile
from itertools import combinations

from rdkit import Chem, RDLogger
from rdkit.Chem import rdRGroupDecomposition as rgd

RDLogger.DisableLog("rdApp.*")

CORES = [
    "OC(=O)c1ccccc1", "c1ccc2ncccc2c1", "c1ccc2[nH]ccc2c1", "O=c1[nH]c(=O)c2[nH]cnc2[nH]1", "C1CCNCC1", "O=C1c2ccccc2C(=O)c2ccccc21",
    "c1ccc2scnc2c1", "Nc1ncnc2[nH]cnc12", "O=C1C=CC(=O)c2ccccc12", "c1ccc2[nH]cnc2c1", "[*:1]S(=O)(=O)N[*:2]", "[*:1]c1ccnc([*:2])c1",
    "[*:1]C(=O)NC([*:2])C(=O)O",
]  # fmt: skip


def plain(text):
    """A group without the numbers of its attachments, canonical."""
    mol = Chem.MolFromSmiles(re.sub(r"\[\*:\d+\]", "*", text), sanitize=False)
    if mol is None:
        return text
    try:
        Chem.SanitizeMol(mol)
    except Exception:
        return Chem.MolToSmiles(mol)  # a part of an aromatic ring
    Chem.RemoveStereochemistry(mol)
    return Chem.MolToSmiles(Chem.RemoveHs(mol))


def alike(table):
    """Columns with a group, and pairs of molecules with the same group in the same column."""
    columns = collections.defaultdict(collections.Counter)
    for row in table.values():
        for name, text in row.items():
            if text not in ("[H]*", "*[H]", "", "*"):
                columns[name][text] += 1
    return len(columns), sum(n * (n - 1) // 2 for c in columns.values() for n in c.values())


def bundled(greed):
    """The bundled molecules, with all cores."""
    everything = json.loads(subprocess.run([greed, "sar", "*", "--json"], capture_output=True, text=True, check=True).stdout)
    molecules = [(r["id"], r["smiles"]) for r in everything["rows"]]
    return [(core, molecules) for core in CORES]


def measured(folder):
    """Three series with activities, in a copy of RDKit's repository."""
    bzr = [(str(i), Chem.MolToSmiles(m)) for i, m in enumerate(Chem.SDMolSupplier(str(folder / "Projects/DbCLI/testData/bzr.sdf"))) if m]
    lines = (folder / "Contrib/FreeWilson/data/CHEMBL2321810.smi").read_text().split("\n")
    nav = [tuple(reversed(line.split())) for line in lines if line.strip()]
    with open(folder / "Docs/Book/data/s1p_chembldoc89753.txt") as file:
        s1p = [(r["compound_chembl_id"], r["canonical_smiles"]) for r in csv.DictReader(file)]
    return [
        ("[*:1]c1cc2c(cc1)NC(=O)CN=C2c1ccccc1", bzr), ("c1ccc2c(c1)C(c1ccccc1)=NCc1nncn1-2", bzr),
        ("[*:1]S(=O)(=O)c1ccc(O[*:2])c(C#N)c1", nav),
        ("c1ccccc1-c1noc(-c2ccccc2)n1", s1p), ("[*:1]c1nc(-c2cccc3c2OCCNC3)no1", s1p),
    ]  # fmt: skip


def main():
    greed = sys.argv[1]
    series = measured(pathlib.Path(sys.argv[2])) if len(sys.argv) > 2 and sys.argv[2] != "-v" else bundled(greed)
    totals = collections.Counter()
    print("core | molecules, RDKit | same groups, groups of the same elements | columns, RDKit | equal pairs, RDKit")
    for core, molecules in series:
        with tempfile.NamedTemporaryFile("w", suffix=".smi") as file:
            file.writelines(f"{text}\t{id}\n" for id, text in molecules)
            file.flush()
            command = [greed, "sar", core, file.name, "--json", "--time-limit", "5m"]
            found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        names = [c["name"] for c in found["columns"]]
        ours = {r["id"]: {n: plain(g) for n, g in zip(names, r["groups"])} for r in found["rows"]}
        smiles = dict(molecules)
        params = rgd.RGroupDecompositionParameters()
        params.removeAllHydrogenRGroups = True
        params.timeout = 60
        decomposition = rgd.RGroupDecomposition(Chem.MolFromSmiles(core), params)
        ids = []
        for id, text in molecules:
            mol = Chem.MolFromSmiles(text)
            if mol is None:
                totals["RDKit refuses"] += id in ours
                continue
            if decomposition.Add(mol) >= 0:
                ids.append(id)
        decomposition.Process()
        theirs = {}
        for id, row in zip(ids, decomposition.GetRGroupsAsRows(asSmiles=True)):
            theirs[id] = {n: plain(g) for n, g in row.items() if n != "Core"}
        both = [id for id in ours if id in theirs]
        atoms = lambda row: sorted(set("".join(sorted(re.findall("[A-Z][a-z]?", t.upper()))) for t in heavy(row)))
        heavy = lambda row: sorted(set(t for t in row.values() if t not in ("[H]*", "*[H]", "", "*")))
        same = sum(heavy(ours[id]) == heavy(theirs[id]) for id in both)
        made = sum(atoms(ours[id]) == atoms(theirs[id]) for id in both)
        totals.update(made=made)
        totals.update(both=len(both), same=same, ours=len(ours), theirs=len(theirs))
        a, b = alike({id: ours[id] for id in both}), alike({id: theirs[id] for id in both})
        print(f"{core} | {len(ours)}, {len(theirs)} | {same}, {made} of {len(both)} | {a[0]}, {b[0]} | {a[1]}, {b[1]}")
        shown = 0
        for id in both:
            if heavy(ours[id]) != heavy(theirs[id]) and shown < 3 and "-v" in sys.argv:
                shown += 1
                print("   ", id, smiles[id], heavy(ours[id]), heavy(theirs[id]))
        if "-v" in sys.argv:
            print("    only one:", [i for i in set(ours) ^ set(theirs)][:8])
    print(dict(totals))


main()
