"""Write which of the bundled molecules RDKit finds by 1,000 SMARTS of its own files.

    git clone https://github.com/rdkit/rdkit
    pip install rdkit
    python3 smarts_counts.py rdkit nci5k.smi > smarts.tsv
    GREED_SMARTS=$PWD/smarts.tsv go test ./chem -run SMARTSByRDKit -v

The first line has the ids of the molecules that RDKit reads. Each other is a pattern and the ids of the
molecules that contain it. The patterns are not part of
greed.
"""

import csv
import random
import re
import sys
from pathlib import Path

from rdkit import Chem, RDLogger

RDLogger.DisableLog("rdApp.*")


def patterns(root):
    """Yield every text of RDKit's files that may be a SMARTS."""
    for name in ("RLewis_smarts.txt", "patty_rules.txt"):
        for line in (root / "Data/SmartsLib" / name).read_text(errors="replace").splitlines():
            yield from line.split()[:1]
    for line in (root / "Data/Functional_Group_Hierarchy.txt").read_text().splitlines():
        yield from line.split("\t")[1:2]
    for line in (root / "Code/GraphMol/MolStandardize/test_data/fragmentPatterns.txt").read_text().splitlines():
        yield from line.split("\t")[1:2]
    name = "Contrib/NIBRSubstructureFilters/SubstructureFilter_HitTriaging_wPubChemExamples.csv"
    with open(root / name, newline="", errors="replace") as f:
        for row in csv.DictReader(f):
            yield row["SMARTS"]
    for source in sorted(root.rglob("*.cpp")):
        for text in re.findall(r'SmartsToMol\(\s*"([^"\\]+)"', source.read_text(errors="replace")):
            yield text
        for text in re.findall(r'"([^"\\]+)"_smarts', source.read_text(errors="replace")):
            yield text
    for source in sorted(root.rglob("*.py")):
        for text in re.findall(r"MolFromSmarts\(\s*r?[\"']([^\"'\\]+)[\"']", source.read_text(errors="replace")):
            yield text


def main(root, molecules):
    asked = {}
    for text in patterns(root):
        pattern = Chem.MolFromSmarts(text) if text.isascii() and not re.search(r"\s|>", text) else None
        if pattern is not None and pattern.GetNumAtoms() > 0:
            asked[text] = pattern
    chosen = sorted(asked)
    random.Random(1).shuffle(chosen)
    targets = []
    for line in open(molecules):
        smiles, name = line.split()[:2]
        m = Chem.MolFromSmiles(smiles)
        if m is not None:
            targets.append((name, m))
    print("molecules", " ".join(name for name, m in targets), sep="\t")
    for text in chosen[:1000]:
        print(text, " ".join(name for name, m in targets if m.HasSubstructMatch(asked[text])), sep="\t")


main(Path(sys.argv[1]), sys.argv[2])
