"""Writes SDF of molecules with stereochemistry, and lets RDKit and greed read it back.

    go build -o /tmp/greed ./cmd/greed && python3 chem/testdata/sdf_counts.py /tmp/greed [FILE.smi | --names]

Without a file it takes the bundled molecules, each once as it is and once as up to two of its stereoisomers; with --names
the compounds of chem/chemname. It counts the records that are the same molecule with its stereochemistry: in RDKit by the
MOL block alone, and by the item SMILES; in greed by both, and by the block alone. Then RDKit draws the same molecules, and
greed reads these blocks. docs/inputs.md has the result. RDKit comes from PyPI (rdkit).
"""

import collections
import json
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from rdkit import Chem, RDLogger
from rdkit.Chem import rdDepictor
from rdkit.Chem.EnumerateStereoisomers import EnumerateStereoisomers, StereoEnumerationOptions

RDLogger.DisableLog("rdApp.*")
SHOWN = 10  # differences that are printed


def isomers(lines):
    for n, line in enumerate(lines):
        yield line
        mol = Chem.MolFromSmiles(line)
        if mol is not None and len(mol.GetAtoms()) < 100:
            for other in EnumerateStereoisomers(mol, options=StereoEnumerationOptions(maxIsomers=2, rand=n, onlyUnassigned=False)):
                text = Chem.MolToSmiles(other)
                if "@" in text or "/" in text:
                    yield text


def names():
    with zipfile.ZipFile(Path(__file__).parents[1] / "chemname" / "names.zip") as z:
        texts = [z.read(n).decode() for n in sorted(z.namelist()) if n.startswith("compounds/")]
    return list(dict.fromkeys(line.split("\t")[0] for text in texts for line in text.splitlines() if line))


def main():
    greed, work, count = sys.argv[1], Path(tempfile.mkdtemp()), collections.Counter()
    run = lambda *args: subprocess.run([greed, *map(str, args)], check=True, capture_output=True)
    if sys.argv[2:] == ["--names"]:
        lines = names()
    elif len(sys.argv) > 2:
        lines = [line.split()[0] for line in Path(sys.argv[2]).read_text().splitlines() if line.strip()]
    else:
        rows = json.loads(run("sar", "*", "--json").stdout)["rows"]
        lines = list(isomers([row["smiles"] for row in rows]))
    (work / "in.smi").write_text("".join(f"{line}\tm{i}\n" for i, line in enumerate(lines)))
    run("dataset", "convert", work / "in.smi", "-o", work / "out.sdf", "--skip-bad")

    def back(name):
        run("dataset", "convert", work / name, "-o", work / "back.smi", "--stereo", "--skip-bad")
        return {i: text for text, i in (line.split("\t") for line in (work / "back.smi").read_text().splitlines())}

    whole = back("out.sdf")
    records = (work / "out.sdf").read_text().split("$$$$\n")[:-1]
    (work / "block.sdf").write_text("".join(record.partition("M  END\n")[0] + "M  END\n$$$$\n" for record in records))
    block = back("block.sdf")

    wanted = {f"m{i}": Chem.MolFromSmiles(line) for i, line in enumerate(lines)}
    drawn = []
    for name, mol in wanted.items():
        if mol is not None and mol.GetNumAtoms() < 999:
            other = Chem.Mol(mol)
            rdDepictor.Compute2DCoords(other)
            other.SetProp("_Name", name)
            drawn.append((name, Chem.MolToMolBlock(other)))
    (work / "rdkit.sdf").write_text("".join(text + "$$$$\n" for _, text in drawn))
    theirs = back("rdkit.sdf")

    def canonical(text):
        mol = text and Chem.MolFromSmiles(text)
        return Chem.MolToSmiles(mol) if mol else None

    shown = collections.Counter()

    def check(what, name, mine, want):
        count[what] += mine == want
        if mine != want and shown[what] < SHOWN:
            shown[what] += 1
            print(f"not {what}: {name} {lines[int(name[1:])]}\n    {mine}\n    {want}")

    for mol, record in zip(Chem.SDMolSupplier(str(work / "out.sdf")), records):
        name = record.partition("\n")[0]
        count["records"] += 1
        want = wanted[name] and Chem.MolToSmiles(wanted[name])
        if mol is None or want is None:
            count["refused by RDKit" if mol is None else "of which RDKit refuses the SMILES"] += 1
            continue
        count["with stereochemistry"] += "@" in want or "/" in want
        check("same in RDKit by the block alone", name, Chem.MolToSmiles(mol), want)
        check("same by the item", name, canonical(mol.GetProp("SMILES")), want)
        check("read back by greed", name, whole.get(name), lines[int(name[1:])])
        check("same in greed by the block alone", name, canonical(block.get(name)), want)
    for name, text in drawn:
        mol = Chem.MolFromMolBlock(text)
        if mol is not None:
            count["drawn by RDKit"] += 1
            check("of which the same in greed", name, canonical(theirs.get(name)), Chem.MolToSmiles(mol))
    print(dict(count))


main()
