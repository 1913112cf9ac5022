"""Writes SDF of molecules with stereochemistry, and lets RDKit and greed read it back.

    go build -o /tmp/greed ./cmd/greed && python3 chem/testdata/sdf_counts.py /tmp/greed [FILE.smi]

Without a file it takes the bundled molecules, each once as it is and once as up to two of its stereoisomers. It counts
the records whose MOL block is the molecule by its atoms and bonds, whose item SMILES is the molecule with its
stereochemistry, and that greed reads back with --stereo as the SMILES that it wrote. docs/inputs.md has the result.
RDKit comes from PyPI (rdkit).
"""

import collections
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from rdkit import Chem, RDLogger
from rdkit.Chem.EnumerateStereoisomers import EnumerateStereoisomers, StereoEnumerationOptions

RDLogger.DisableLog("rdApp.*")


def isomers(lines):
    for n, line in enumerate(lines):
        yield line
        mol = Chem.MolFromSmiles(line)
        if mol is not None and len(mol.GetAtoms()) < 100:
            for other in EnumerateStereoisomers(mol, options=StereoEnumerationOptions(maxIsomers=2, rand=n, onlyUnassigned=False)):
                text = Chem.MolToSmiles(other)
                if "@" in text or "/" in text:
                    yield text


def main():
    greed, work, count = sys.argv[1], Path(tempfile.mkdtemp()), collections.Counter()
    run = lambda *args: subprocess.run([greed, *map(str, args)], check=True, capture_output=True)
    if len(sys.argv) > 2:
        lines = [line.split()[0] for line in Path(sys.argv[2]).read_text().splitlines() if line.strip()]
    else:
        rows = json.loads(run("sar", "*", "--json").stdout)["rows"]
        lines = list(isomers([row["smiles"] for row in rows]))
    (work / "in.smi").write_text("".join(f"{line}\tm{i}\n" for i, line in enumerate(lines)))
    run("dataset", "convert", work / "in.smi", "-o", work / "out.sdf", "--skip-bad")
    run("dataset", "convert", work / "out.sdf", "-o", work / "back.smi", "--stereo")
    back = dict(line.split("\t")[::-1] for line in (work / "back.smi").read_text().splitlines())
    plain = lambda mol: Chem.MolToSmiles(mol, isomericSmiles=False)
    for mol in Chem.SDMolSupplier(str(work / "out.sdf")):
        count["records"] += 1
        if mol is None:
            count["refused by RDKit"] += 1
            continue
        text = lines[int(mol.GetProp("_Name")[1:])]
        want = Chem.MolFromSmiles(text)
        if want is None:
            count["of which RDKit refuses the SMILES"] += 1
            continue
        marked = "@" in text or "/" in text
        count["with stereochemistry"] += marked
        count["same atoms and bonds"] += plain(mol) == plain(want)
        count["same by item"] += Chem.MolToSmiles(Chem.MolFromSmiles(mol.GetProp("SMILES"))) == Chem.MolToSmiles(want)
        count["same in RDKit by the block alone"] += Chem.MolToSmiles(mol) == Chem.MolToSmiles(want)
        count["read back by greed"] += back.get(mol.GetProp("_Name")) == text
    print(dict(count))


main()
