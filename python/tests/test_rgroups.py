"""greed sar against RDKit's rdRGroupDecomposition, on cores and molecules that RDKit's own tests ask about: where the
groups differ, the difference is one of those that are listed here."""

import collections
import re

import pytest

import greed

SHARED = "RDKit has one column for several groups at one atom that is not marked, such as *N.*O"
ELSEWHERE = "the core can be laid on either of two rings, and both choices make as many groups alike"

# A name, the core, whether it is a SMARTS, whether groups may be at its marks alone, the molecules, and those in which
# the groups differ, with the reason.
SERIES = [
    ("chlorobenzenes", "c1ccccc1", False, False, ["c1(Cl)ccccc1", "c1c(Cl)cccc1", "c1cccc(Cl)c1", "c1cc(Cl)ccc1", "c1ccc(Cl)cc1"], {}),
    ("one mark", "c1ccccc1[*:1]", False, True, ["c1(Cl)ccccc1", "c1c(Cl)cccc1", "c1cc(Cl)ccc1", "c1ccc(Cl)cc1", "c1c(Cl)cccc(I)1"], {}),
    ("azepanes", "C1CCNCCC1", False, False, ["C1CCNC(Cl)CC1", "C1CC(Cl)NCCC1", "C1CCNC(I)CC1", "C1CC(I)NCCC1"], {}),
    ("coumarins", "O=c1oc2ccccc2cc1", False, False,
     ["O=c1cc(Cn2ccnc2)c2ccc(Oc3ccccc3)cc2o1", "O=c1oc2ccccc2c(Cn2ccnc2)c1-c1ccccc1", "COc1ccc2c(Cn3cncn3)cc(=O)oc2c1"], {}),
    ("phenols", "Oc1ccccc1", False, False, ["Oc1ccccc1", "Oc1c(F)cccc1", "Oc1ccccc1F", "Oc1c(F)cc(N)cc1", "Oc1ccccc1Cl"], {}),
    ("toluenes", "Cc1ccccc1", False, False, ["c1ccccc1C", "Fc1ccccc1C", "c1cccc(F)c1C", "Fc1cccc(F)c1C"], {}),
    ("toluenes, two halogens", "Cc1ccccc1", False, False, ["c1(Cl)cccc(Cl)c1C", "Fc1cccc(Cl)c1C", "Clc1cccc(F)c1C", "Fc1cccc(F)c1C"], {}),
    ("hydrogen at a mark", "[*:1]OCC", False, True, ["OCC", "COCC"], {}),
    ("pyridines", "c1c([*:1])c([*:2])ccn1", False, False,
     ["c1c(F)cccn1", "c1c(Cl)c(C)c(Br)cn1", "c1c(O)cccn1", "c1c(Br)c(C)c(F)cn1"], {}),
    ("pyridines, few labels", "c1c([*:1])c([*:2])ccn1", False, False,
     ["c1c(F)cccn1", "c1c(Cl)c(C)ccn1", "c1c(O)cccn1", "c1cc(C)c(F)cn1"], {}),
    ("one carbon with two groups", "O1C([*:1])([*:2])CCC1", False, False,
     ["NC1CCCO1", "OC1CCCO1", "SC1CCCO1", "O1C2(CN2)CCC1", "OC1(P)CCCO1", "NC1(O)CCCO1", "CC1(N)CCCO1", "CCC1(C)CCCO1",
      "CCC1(C(C)C)CCCO1", "CCC1(Cc2ccccc2)CCCO1", "OCC1(Cc2ccccc2)CCCO1", "CCCC1(CO)CCCO1", "CCCCC1(CC(C)C)CCCO1"], {}),
    ("one carbon, no marks", "C1CCOC1", True, False,
     ["C1CCO[C@@H](N)1", "C1CCO[C@H](N)1", "C1CCO[C@@](N)(O)1", "C1CCO[C@@](N)(P)1", "C1CCO[C@@H](O)1", "C1CCO[C@@](O)(N)1",
      "C1CCO[C@@H](S)1", "C1CCO[C@@](S)(P)1"],
     {m: SHARED for m in ("C1CCO[C@@](N)(O)1", "C1CCO[C@@](N)(P)1", "C1CCO[C@@](O)(N)1", "C1CCO[C@@](S)(P)1")}),
    ("spiro", "C1CCCCC1([*:5])[*:6]", False, False, ["C1CCCCC12CC2", "C1CCCCC1(C)C", "C1CCCCC1(Cl)Br"], {}),
    ("a chain of marks", "C([*:1])N([*:5])O([*:6])", True, False, ["C(Cl)N(N)O(O)"], {}),
    ("a bridge", "C1([*:1])C([*:2])CC1", False, True, ["C1CC2NC12"], {}),
    ("a bridge, one mark", "C1([*:1])CCC1", False, True, ["C1CC2NC12"], {}),
    ("a bridge beyond the mark", "C1([*:1])CCC1", False, False, ["C1CC2NC12"], {}),
    ("geminal beyond the mark", "C1CCCCC1[*:1]", False, False, ["C1CCCCC1(N)(O)"], {}),
    ("aromatic nitrogen", "c1ccc(-c2cccc3[nH]ncc23)nc1", False, False, ["c1ccc(-c2cccc3n(C)ncc23)nc1", "c1ccc(-c2cccc3[nH]ncc23)[n+](CC)c1"], {}),
    ("an oxidised sulfur", "[#6]-1-[#6]-[#6]-[#6]-[#7]-[#16]-1", True, False, ["O=S1(=O)CCCCN1"], {"O=S1(=O)CCCCN1": SHARED}),
    ("a double bond out of the core", "[#6]([*:1])([*:2])~1~[#6]~[#6]~[#6]~[#6]~[#6]~1", True, False, ["C=1(C)CCCCC1"], {}),
    ("geminal in a ring", "[#6]-[#8]-[#6]-1-[#6]-[#6]-[#6]-[#6]-[#7]-1", True, False, ["COC1CCC(C)(C)CN1"], {"COC1CCC(C)(C)CN1": SHARED}),
    ("any atoms", "C(=O)*C1~C~C~*~*~C~1", True, False,
     ["CO[C@H]1CN(c2nc(-c3cnc(OCCN4CCN(C)CC4)cn3)c(C(=O)O)s2)CC[C@H]1NC(=O)c1[nH]c(C)c(Cl)c1Cl"], {}),
    ("a fused isoxazolidine", "N1OCC1", False, False, ["C1CC2ONC12"], {}),
    ("several phenyls", "c1ccccc1", True, False, ["Fc1ccccc1Nc2ccc(Cl)cc2", "c1cc(O)cc(Oc2cccc(Br)c2)c1", "Ic1ccccc1"],
     {"Fc1ccccc1Nc2ccc(Cl)cc2": ELSEWHERE}),
    ("two marks side by side", "[*:1]c1c([*:2])cccc1", True, False, ["c1ccc(C)c(N)c1", "c1ccc(F)c(O)c1", "c1ccc(c2ccccc2)c(N)c1"], {}),
    ("pyrazolopyridazines", "c1cc(-c2c([*:1])nn3nc([*:2])ccc23)nc(N(c2ccc([*:4])c([*:3])c2))n1", False, False,
     ["Cc1ccc2c(c3ccnc(Nc4cccc(c4)C(F)(F)F)n3)c(nn2n1)c5ccc(F)cc5", "Cc1ccc2c(c3ccnc(Nc4ccc(F)c(F)c4)n3)c(nn2n1)c5ccc(F)cc5",
      "Cc1ccc2c(c3ccnc(Nc4ccc5OCCOc5c4)n3)c(nn2n1)c6ccc(F)cc6", "Cc1ccc2c(c3ccnc(Nc4ccc(Cl)c(c4)C(F)(F)F)n3)c(nn2n1)c5ccc(F)cc5",
      "C1CC1c2nn3ncccc3c2c4ccnc(Nc5ccccc5)n4", "Fc1ccc(Nc2nccc(n2)c3c(nn4ncccc34)C5CC5)cc1F",
      "COCCOc1cnn2ncc(c3ccnc(Nc4cccc(OC)c4)n3)c2c1", "Cc1ccc2c(c3ccnc(Nc4ccccc4)n3)c(nn2n1)c5cccc(c5)C(F)(F)F"], {}),
]  # fmt: skip


def plain(text, Chem):
    """A group without the numbers of its attachments, canonical, without chirality."""
    mol = Chem.MolFromSmiles(re.sub(r"\[\*:\d+\]", "*", text), sanitize=False)
    try:
        Chem.SanitizeMol(mol)
    except Exception:
        return Chem.MolToSmiles(mol)  # a part of an aromatic ring
    Chem.RemoveStereochemistry(mol)
    return Chem.MolToSmiles(Chem.RemoveHs(mol))


def groups(row, Chem):
    """The groups of a molecule without hydrogens."""
    return collections.Counter(g for t in row if t and (g := plain(t, Chem)) not in ("[H]*", "*[H]", "*"))


def theirs(core, smarts, marked, molecules, Chem, rgd):
    """The groups of each molecule that has the core, by RDKit."""
    params = rgd.RGroupDecompositionParameters()
    params.removeAllHydrogenRGroups = True
    params.onlyMatchAtRGroups = marked
    taken = rgd.RGroupDecomposition((Chem.MolFromSmarts if smarts else Chem.MolFromSmiles)(core), params)
    has = [m for m in molecules if taken.Add(Chem.MolFromSmiles(m)) >= 0]
    taken.Process()
    rows = taken.GetRGroupsAsRows(asSmiles=True)
    return {m: groups([t for name, t in row.items() if name != "Core"], Chem) for m, row in zip(has, rows)}


def ours(core, smarts, marked, molecules, Chem):
    table = greed.Collection(molecules, ids=molecules).sar(core if not smarts else Chem.MolFromSmarts(core), only_marked=marked)
    return {r.id: groups(r.groups.values(), Chem) for r in table}


def whole(row):
    """Atoms of all groups, by element."""
    return collections.Counter(re.findall("[A-Z][a-z]?", "".join(sorted(row.elements())).upper()))


@pytest.mark.parametrize(("core", "smarts", "marked", "molecules", "why"), [s[1:] for s in SERIES], ids=[s[0] for s in SERIES])
def test_as_rdkit(core, smarts, marked, molecules, why):
    Chem = pytest.importorskip("rdkit.Chem")
    rgd = pytest.importorskip("rdkit.Chem.rdRGroupDecomposition")
    mine, other = ours(core, smarts, marked, molecules, Chem), theirs(core, smarts, marked, molecules, Chem, rgd)
    assert mine.keys() == other.keys()
    assert {m for m in mine if mine[m] != other[m]} == why.keys()
    for m, reason in why.items():
        if reason == SHARED:
            assert mine[m] == collections.Counter(g for t in other[m].elements() for g in t.split("."))
        else:
            assert whole(mine[m]) == whole(other[m])
