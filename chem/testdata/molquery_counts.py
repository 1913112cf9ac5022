"""Compares what query MOL blocks match in greed and in RDKit.

    go build -o /tmp/greed ./cmd/greed && python3 chem/testdata/molquery_counts.py /tmp/greed [QUERIES [KIND]]

It cuts fragments out of the bundled molecules, makes atoms and bonds of them lists, any-atoms and query bonds, adds
conditions on substituents, ring bonds, unsaturation and topology, and writes each as V2000 and as V3000. With a KIND of bond, such
as 7, some or all bonds of a fragment have this kind, and nothing else is changed. The answers of both programs are sets
of bundled molecules. docs/molecules.md has the result. RDKit comes from PyPI (rdkit).
"""

import collections
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from rdkit import Chem, RDLogger

RDLogger.DisableLog("rdApp.*")
ELEMENTS = ["C", "N", "O", "S", "F", "Cl", "Br", "P"]


def fragment(rng, mol):
    """Some connected atoms, with the bonds between them in Kekulé form."""
    mol = Chem.Mol(mol)
    Chem.Kekulize(mol, clearAromaticFlags=True)
    want, atoms = rng.randint(2, 8), [rng.randrange(mol.GetNumAtoms())]
    rings = mol.GetRingInfo().AtomRings()
    if rings and rng.random() < 0.4:
        atoms = list(rng.choice(rings))
    while len(atoms) < want:
        near = [n.GetIdx() for a in atoms for n in mol.GetAtomWithIdx(a).GetNeighbors() if n.GetIdx() not in atoms]
        if not near:
            break
        atoms.append(rng.choice(near))
    number = {a: i for i, a in enumerate(atoms)}
    bonds = [
        (number[b.GetBeginAtomIdx()], number[b.GetEndAtomIdx()], int(b.GetBondTypeAsDouble()))
        for b in mol.GetBonds() if b.GetBeginAtomIdx() in number and b.GetEndAtomIdx() in number
    ]  # fmt: skip
    return [mol.GetAtomWithIdx(a).GetSymbol() for a in atoms], bonds


def query(rng, mol):
    symbols, bonds = fragment(rng, mol)
    atoms = [{"symbol": s} for s in symbols]
    for a in atoms:
        if rng.random() < 0.25:
            a["list"] = (rng.random() < 0.4, rng.sample(ELEMENTS, rng.randint(1, 4)))
            if not a["list"][0] and a["symbol"] not in a["list"][1] and rng.random() < 0.8:
                a["list"][1][0] = a["symbol"]
        elif rng.random() < 0.08:
            a["symbol"] = rng.choice(["A", "Q", "X", "M", "*"])
        for name, values, chance in (("sub", [1, 2, 3, -1, -2], 0.08), ("rbc", [2, 3, -1, -2], 0.08), ("uns", [1], 0.08)):
            if rng.random() < chance:
                a[name] = rng.choice(values)
    bonds = [(u, v, rng.choice([5, 6, 7, 8]) if rng.random() < 0.15 else kind, rng.choice([1, 2]) if rng.random() < 0.12 else 0) for u, v, kind in bonds]
    return atoms, bonds


def kinds(rng, mol, kind):
    """A fragment of which some or all bonds, or those of its rings, have a kind."""
    symbols, bonds = fragment(rng, mol)
    part = rng.choice([0.2, 0.5, 1])
    return [{"symbol": s} for s in symbols], [(u, v, kind if rng.random() < part else order, 0) for u, v, order in bonds]


def v2000(atoms, bonds):
    out = ["", "  own", "", f"{len(atoms):3}{len(bonds):3}  0  0  0  0            999 V2000"]
    out += [f"    0.0000    0.0000    0.0000 {'L' if 'list' in a else a['symbol']:3} 0  0  0  0  0  0  0  0  0  0  0  0" for a in atoms]
    out += [f"{u + 1:3}{v + 1:3}{kind:3}  0  0{topology:3}  0" for u, v, kind, topology in bonds]
    for i, a in enumerate(atoms, 1):
        if "list" in a:
            out.append(f"M  ALS {i:3}{len(a['list'][1]):3} {'T' if a['list'][0] else 'F'} " + "".join(f"{e:4}" for e in a["list"][1]))
        out += [f"M  {name.upper()}  1 {i:3} {a[name]:3}" for name in ("sub", "rbc", "uns") if name in a]
    return "\n".join([*out, "M  END", ""])


def v3000(atoms, bonds):
    out = ["", "  own", "", "  0  0  0     0  0            999 V3000", "M  V30 BEGIN CTAB", f"M  V30 COUNTS {len(atoms)} {len(bonds)} 0 0 0", "M  V30 BEGIN ATOM"]
    for i, a in enumerate(atoms, 1):
        kind = ("NOT [" if a["list"][0] else "[") + ",".join(a["list"][1]) + "]" if "list" in a else a["symbol"]
        kind = f'"{kind}"' if " " in kind else kind
        more = "".join(f" {key}={a[name]}" for name, key in (("sub", "SUBST"), ("rbc", "RBCNT"), ("uns", "UNSAT")) if name in a)
        out.append(f"M  V30 {i} {kind} 0 0 0 0{more}")
    out += ["M  V30 END ATOM", "M  V30 BEGIN BOND"]
    out += [f"M  V30 {i} {kind} {u + 1} {v + 1}" + (f" TOPO={topology}" if topology else "") for i, (u, v, kind, topology) in enumerate(bonds, 1)]
    return "\n".join([*out, "M  V30 END BOND", "M  V30 END CTAB", "M  END", ""])


def main():
    greed, many = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 150
    rows = json.loads(subprocess.run([greed, "sar", "*", "--json"], check=True, capture_output=True).stdout)["rows"]
    mols = {r["id"]: m for r in rows if (m := Chem.MolFromSmiles(r["smiles"])) is not None}
    rng, count, work = random.Random(61), collections.Counter(), Path(tempfile.mkdtemp())
    for n in range(many):
        mol = rng.choice(list(mols.values()))
        asked = kinds(rng, mol, int(sys.argv[3])) if sys.argv[3:4] and sys.argv[3].isdigit() else query(rng, mol)
        for write in (v2000, v3000):
            text = write(*asked)
            q = Chem.MolFromMolBlock(text, removeHs=False)
            if q is None:
                count["refused by RDKit"] += 1
                continue
            file = work / "q.mol"
            file.write_text(text)
            run = subprocess.run([greed, "search", "--smarts", str(file), "bundled", "--json"], capture_output=True, text=True)
            if run.returncode:
                count["refused by greed"] += 1
                print("greed:", run.stderr.strip().splitlines()[0])
                continue
            ours = {a["id"] for a in json.loads(run.stdout)["answers"] if a["id"] in mols}
            theirs = {id for id, m in mols.items() if m.HasSubstructMatch(q)}
            count[write.__name__] += 1
            count["answers"] += len(theirs)
            if ours == theirs:
                count["the same"] += 1
            else:
                print(n, write.__name__, Chem.MolToSmarts(q), "only greed", sorted(ours - theirs)[:4], "only RDKit", sorted(theirs - ours)[:4])
                print(text) if "-v" in sys.argv else None
    print(dict(count))


main()
