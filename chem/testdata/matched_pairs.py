"""Compares the matched pairs that greed finds with those by the cuts of RDKit.

    head -150 nci5k.smi > some.smi            the bundled molecules
    greed cliffs some.smi --fragments 10 --json > pairs.json
    python3 chem/testdata/matched_pairs.py some.smi pairs.json

It prints how many pairs both find, and in how many of these both fragments have as many atoms.
"""

import itertools
import json
import sys

from rdkit import Chem, RDLogger
from rdkit.Chem import rdMMPA

RDLogger.DisableLog("rdApp.*")
MOST = 10


def heavy(m):
    return sum(a.GetAtomicNum() > 0 for a in m.GetAtoms())


def cuts(m):
    """All ways to cut a fragment off by one to three bonds: the fragment and what stays."""
    for n in (1, 2, 3):
        for core, chains in rdMMPA.FragmentMol(m, minCuts=n, maxCuts=n, maxCutBonds=60, resultsAsMols=False):
            if core:
                yield n, core, chains
            else:
                first, second = chains.split(".")
                yield n, first, second
                yield n, second, first


whole, stays, capped, best = {}, {}, {}, {}
for line in open(sys.argv[1]):
    smiles, name = line.split()[:2]
    m = Chem.MolFromSmiles(smiles)
    whole.setdefault(Chem.MolToSmiles(m, isomericSmiles=False), []).append(name)
    for n, fragment, rest in cuts(m):
        rest = Chem.MolFromSmiles(rest)
        size = heavy(Chem.MolFromSmiles(fragment))
        if size > MOST or size > heavy(rest):
            continue
        for a in rest.GetAtoms():
            if a.GetAtomicNum() == 0:
                a.SetAtomMapNum(0)
                a.SetIsotope(0)
        key = n, ".".join(sorted(Chem.MolToSmiles(rest).split(".")))
        known = stays.setdefault(key, {})
        known[name] = min(size, known.get(name, size))
        if n == 1:
            next(a for a in rest.GetAtoms() if a.GetAtomicNum() == 0).SetAtomicNum(1)
            key = name, Chem.MolToSmiles(Chem.RemoveHs(rest), isomericSmiles=False)
            capped[key] = min(size, capped.get(key, size))


def add(a, b, size):
    if a != b:
        pair = tuple(sorted((a, b)))
        best[pair] = min(size, best.get(pair, size))


for names in whole.values():
    for a, b in itertools.combinations(names, 2):
        add(a, b, 0)
for (a, smiles), size in capped.items():
    for b in whole.get(smiles, []):
        add(a, b, size)
for known in stays.values():
    for a, b in itertools.combinations(known, 2):
        add(a, b, known[a] + known[b])
found = json.load(open(sys.argv[2]))
ours = {
    tuple(sorted((p["query"], p["target"]))): sum(len(t["query"]) + len(t["target"]) for t in p.get("transformations", []))
    for p in found["pairs"] + found["duplicates"]
}
both = ours.keys() & best.keys()
print(f"{len(best)} pairs by RDKit, {len(ours)} by greed, {len(both)} by both, {sum(best[p] == ours[p] for p in both)} of these by as many atoms")
