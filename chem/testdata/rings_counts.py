"""Write what RDKit says of odd rings, for TestRingsByRDKit.

    pip install rdkit
    python3 rings_counts.py 36000 > rings.tsv
    python3 rings_counts.py molecules.smi > molecules.tsv
    GREED_RINGS=$PWD/rings.tsv go test ./chem -run RingsByRDKit -v

The rings are made from seed 1: one to five of 3 to 20 members each, fused by a bond, by several or by an atom,
of carbon and of what else may be aromatic or just not, with charges, stated hydrogens, wildcards, and
double bonds in the rings and out of them. Each is written in Kekulé form and as RDKit writes it. A line has a
SMILES that RDKit reads, a tab, and a letter for each bond as in rdkit_counts.py.
"""

import random
import sys

from rdkit import Chem, RDLogger
from rdkit_counts import LETTERS

RDLogger.DisableLog("rdApp.*")

SIZES = [3, 4, 5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 8, 9, 9, 10, 11, 12, 13, 16, 18, 20]
ELEMENTS = "C N O S Se Te P B Si As Ge *".split()
OFTEN = [60, 12, 6, 6, 2, 2, 3, 3, 2, 1, 1, 2]


def skeleton(r):
    """Return the number of atoms and the bonds of rings that share bonds or atoms."""
    n = r.choice(SIZES)
    bonds = [(i, (i + 1) % n) for i in range(n)]
    for _ in range(r.choice([0, 0, 1, 1, 2, 2, 3, 4])):
        size = r.choice(SIZES[:16])
        how = r.random()
        if how < 0.8:  # fused by a bond
            u, v = r.choice(bonds)
            new = size - 2
        elif how < 0.9:  # a bridge
            u, v = r.sample(range(n), 2)
            new = max(size - 4, 1)
        else:  # one atom in common
            u = v = r.randrange(n)
            new = max(size - 1, 2)
        path = [u, *range(n, n + new), v]
        bonds += zip(path, path[1:])
        n += new
    return n, bonds


def odd(r):
    """Return an odd ring system, not sanitized."""
    n, bonds = skeleton(r)
    plain = r.random() < 0.3
    m = Chem.RWMol()
    for _ in range(n):
        e = "C" if plain and r.random() < 0.8 else r.choices(ELEMENTS, OFTEN)[0]
        m.AddAtom(Chem.Atom(0 if e == "*" else Chem.GetPeriodicTable().GetAtomicNumber(e)))
    doubled = set()
    wanted = r.choice([0.5, 0.9, 1, 1])
    for u, v in r.sample(bonds, len(bonds)):
        double = not {u, v} & doubled and r.random() < wanted
        if double and all(m.GetAtomWithIdx(x).GetAtomicNum() in (8, 16, 34, 52) for x in (u, v)):
            double = r.random() < 0.1
        if double:
            doubled |= {u, v}
        triple = double and r.random() < 0.01
        m.AddBond(u, v, Chem.BondType.TRIPLE if triple else Chem.BondType.DOUBLE if double else Chem.BondType.SINGLE)
    for v in range(n):
        if r.random() < (0.4 if v not in doubled else 0.03):
            end = m.AddAtom(Chem.Atom(r.choice([8, 8, 8, 16, 7, 6, 34, 15])))
            m.AddBond(v, end, Chem.BondType.DOUBLE)
        elif r.random() < 0.08:
            end = m.AddAtom(Chem.Atom(r.choice([6, 8, 9, 17])))
            m.AddBond(v, end, Chem.BondType.SINGLE)
        a = m.GetAtomWithIdx(v)
        if r.random() < 0.08:
            a.SetFormalCharge(r.choice([1, 1, -1, -1, 2, -2]))
        if a.GetFormalCharge() or r.random() < 0.05:
            a.SetNoImplicit(True)
            a.SetNumExplicitHs(r.choice([0, 0, 1, 1, 2]))
    return m


def describe(m):
    ends = lambda b: sorted((b.GetBeginAtomIdx(), b.GetEndAtomIdx()))
    return "".join(LETTERS.get(b.GetBondType(), "?") for b in sorted(m.GetBonds(), key=ends))


def write(text):
    """Write a line, and return the molecule, if RDKit reads the text."""
    m = Chem.MolFromSmiles(text) if text else None
    if m is not None:
        print(text, describe(m), sep="\t")
    return m


def main(what):
    if not what.isdigit():
        for line in open(what):
            write(line.split()[0])
        return
    r = random.Random(1)
    count = 0
    while count < int(what):
        m = write(Chem.MolToSmiles(odd(r), canonical=False))
        if m is not None:
            count += 1
            write(Chem.MolToSmiles(m, canonical=False))


if __name__ == "__main__":
    main(sys.argv[1])
