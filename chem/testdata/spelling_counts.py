"""Write how often RDKit finds the conditions of SMARTS in molecules, for TestSpellingsByRDKit.

    pip install rdkit
    python3 spelling_counts.py molecules.smi > spellings.tsv
    GREED_SPELLINGS=$PWD/spellings.tsv go test ./chem -run SpellingsByRDKit -v

The first line has the patterns. Each other has a SMILES and, for each pattern, the number of atoms that match its
first atom, or ? if that differs among 20 random spellings of the molecule.
"""

import random
import sys

from rdkit import Chem, RDLogger

RDLogger.DisableLog("rdApp.*")

PATTERNS = (
    "A a C c [!#6] [+] [R] [r] [k] [x] [h] [z] [Z] [r{3-7}] [k{10-}] *~* *-* *=* *:* *@* *!@* *-;@* [r6]-[r6]".split()
    + [f"[{letter}{n}]" for letter in "HhDdXvRrkxzZ" for n in range(9)]
    + [f"[{letter}{n}]" for letter in "rk" for n in range(9, 31)]
)


def main(path):
    queries = [Chem.MolFromSmarts(p) for p in PATTERNS]
    random.seed(1)
    print("patterns", *PATTERNS, sep="\t")
    for line in open(path):
        m = Chem.MolFromSmiles(line.split()[0])
        if m is None:
            continue
        counts = []
        for _ in range(20):
            order = list(range(m.GetNumAtoms()))
            random.shuffle(order)
            text = Chem.MolToSmiles(Chem.RenumberAtoms(m, order), canonical=False)
            n = Chem.MolFromSmiles(text)
            counts.append([len({a[0] for a in n.GetSubstructMatches(q, uniquify=False, maxMatches=10**6)}) for q in queries])
        print(line.split()[0], *(c[0] if len(set(c)) == 1 else "?" for c in zip(*counts)), sep="\t")


main(sys.argv[1])
