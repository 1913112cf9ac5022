"""Writes turned.txt: pairs of stereoisomers in random spellings, and in how many centres and double bonds they differ.

The number is the least over all ways to lay one molecule on the other without regard to stereochemistry, by the parities
that RDKit reads. Repeat with RDKit 2026.09: python3 chem/testdata/turned.py > chem/testdata/turned.txt
"""

import itertools
import random

from rdkit import Chem, RDLogger

RDLogger.DisableLog("rdApp.*")
random.seed(61)
PARENTS = """
C[C@H](O)Cl
C[C@H](N)C(=O)O
OC(=O)[C@H](O)[C@H](O)C(=O)O
C[C@H]1CC[C@H](O)CC1
C[C@H]1CCC[C@@H](C)C1
O[C@H]1[C@H](O)[C@@H](O)[C@H](O)[C@H](O)[C@@H]1O
OC[C@H]1OC(O)[C@H](O)[C@@H](O)[C@@H]1O
C/C=C/C
C/C(Cl)=C(F)/C
OC(=O)/C=C/C(=O)O
C/C=C/C=C/C
C/C=C/[C@H](O)C
CC(C)C[C@H](N)C(=O)N[C@@H](Cc1ccccc1)C(=O)O
C[C@@H]1CC[C@H]2[C@@H](C1)OC(C)(C)c1c2c(O)cc(C)c1
CN1[C@H]2CC[C@@H]1[C@@H](C(=O)OC)[C@@H](OC(=O)c1ccccc1)C2
CC(C)(C)[C@H](O)c1ccc([C@@H](O)C(C)(C)C)cc1
C[S@](=O)c1ccccc1
Cl[C@H]1C[C@@H](Cl)C1
OC[C@H](O)[C@@H](O)[C@H](O)[C@H](O)CO
N[C@@H]1CC[C@@H](C(=O)O)CC1
C1CC[C@H]2CCCC[C@H]2C1
C/C=C1/CC[C@H](C)CC1
FC(F)(F)[C@@H](O)/C=C/c1ccccc1
C[C@H]1C[C@H](C)C[C@H](C)C1
""".split()


def flips(smiles):
    """All stereoisomers that differ in some marked centres and bonds, at most 8."""
    m = Chem.MolFromSmiles(smiles)
    centres = [a.GetIdx() for a in m.GetAtoms() if a.GetChiralTag() != Chem.ChiralType.CHI_UNSPECIFIED]
    bonds = [b.GetIdx() for b in m.GetBonds() if b.GetStereo() != Chem.BondStereo.STEREONONE]
    every = list(itertools.product([False, True], repeat=len(centres) + len(bonds)))
    for choice in random.sample(every, min(8, len(every))):
        x = Chem.RWMol(m)
        for i, flip in zip(centres, choice):
            if flip:
                x.GetAtomWithIdx(i).InvertChirality()
        other = {Chem.BondStereo.STEREOE: Chem.BondStereo.STEREOZ, Chem.BondStereo.STEREOZ: Chem.BondStereo.STEREOE,
                 Chem.BondStereo.STEREOCIS: Chem.BondStereo.STEREOTRANS, Chem.BondStereo.STEREOTRANS: Chem.BondStereo.STEREOCIS}
        for i, flip in zip(bonds, choice[len(centres):]):
            if flip:
                x.GetBondWithIdx(i).SetStereo(other[x.GetBondWithIdx(i).GetStereo()])
        yield x.GetMol()


def parity(order):
    return sum(a > b for a, b in itertools.combinations(order, 2)) % 2


def around(a):
    return [b.GetOtherAtomIdx(a.GetIdx()) for b in a.GetBonds()]


def differ(a, b):
    """In how many centres and double bonds two molecules differ, at the least."""
    plain = Chem.Mol(a)
    Chem.RemoveStereochemistry(plain)
    best = None
    for match in b.GetSubstructMatches(plain, uniquify=False, useChirality=False, maxMatches=10000):
        n = 0
        for x in a.GetAtoms():
            y = b.GetAtomWithIdx(match[x.GetIdx()])
            none = Chem.ChiralType.CHI_UNSPECIFIED
            if (x.GetChiralTag() == none) != (y.GetChiralTag() == none):
                n += 1
            elif x.GetChiralTag() != none:
                images = [match[i] for i in around(x)]
                odd = parity([around(y).index(i) for i in images])
                n += (x.GetChiralTag() == y.GetChiralTag()) == bool(odd)
        for x in a.GetBonds():
            y = b.GetBondBetweenAtoms(match[x.GetBeginAtomIdx()], match[x.GetEndAtomIdx()])
            cis = (Chem.BondStereo.STEREOZ, Chem.BondStereo.STEREOCIS)
            none = Chem.BondStereo.STEREONONE
            if (x.GetStereo() == none) != (y.GetStereo() == none):
                n += 1
            elif x.GetStereo() != none:
                images = {match[i] for i in x.GetStereoAtoms()}
                crossed = len(images - set(y.GetStereoAtoms())) % 2
                n += ((x.GetStereo() in cis) == (y.GetStereo() in cis)) == bool(crossed)
        best = n if best is None else min(best, n)
    return best


for parent in PARENTS:
    isomers = list(flips(parent))
    texts = [Chem.MolToSmiles(m, canonical=False, doRandom=True) for m in isomers for _ in range(2)]
    for first, second in itertools.combinations(random.sample(texts, min(len(texts), 8)), 2):
        print(first, second, differ(Chem.MolFromSmiles(first), Chem.MolFromSmiles(second)))
