import pickle

import numpy as np
import pytest

import greed
from greed import _distance


def test_pair():
    d = greed.ged("CCO", "CCN")
    assert (d.lower, d.upper, d.exact, float(d), d.within) == (1, 1, True, 1.0, None)
    assert d.map == {0: 0, 1: 1, 2: 2}
    assert [str(e) for e in d.edits] == ["substitute node 2 (O) by 2 (N)"]
    assert d.edits[0].cost == 1
    [t] = d.transformations
    assert (t.text, t.smirks, t.at, t.query, t.target) == ("OH → NH2", "[*:1]O>>[*:1]N", ((1, 1),), (2,), (2,))
    assert repr(d) == "<ged 1>"


def test_progress_elsewhere_than_on_a_terminal(capsys):
    line = _distance._Line("pairs", 100)
    for k in (5, 20, 4, 71):
        line.update(k)
    line.close()
    assert capsys.readouterr().err == "pairs: 25 of 100\npairs: 100 of 100\n"


def test_subgraph_and_common_subgraph():
    d = greed.sed("c1ccccc1", "Cc1ccccc1O")
    assert float(d) == 0 and d.edits == []
    assert float(greed.sed("CCN", "CCO")) == 1
    m = greed.mcs("CCO", "CCN")
    assert (m.size, m.upper, m.exact) == (2, 2, True)
    assert len(m.map) == 2 and m.not_compared == ["charges", "isotopes", "hydrogens", "stereochemistry"]
    assert greed.mcs("OCCCO.N", "OC.CO.N").size > greed.mcs("OCCCO.N", "OC.CO.N", connected=True).size


def test_costs():
    assert float(greed.ged("C", "CC")) == 2
    assert float(greed.ged("C", "CC", costs="chem1")) == 5
    assert float(greed.ged("C", "CC", costs=greed.Costs(node_insert=7))) == 8
    assert float(greed.ged("C", "CC", costs={"edge_insert": 0.25})) == 1.25
    assert float(greed.ged("C=C", "CC", ignore_edge_labels=True)) == 0
    table = greed.Table({"C": 1, "O": 1}, {"C": 1, "O": 1}, {"C": {"O": 0.5}, "O": {"C": 0.5}})
    assert float(greed.ged("C", "O", costs=greed.Costs(nodes=table))) == 0.5
    with pytest.raises(greed.CostsError, match='"N"'):
        greed.ged("C", "N", costs=greed.Costs(nodes=table))
    with pytest.raises(greed.CostsError, match="node_insert is -1"):
        greed.ged("C", "N", costs=greed.Costs(node_insert=-1))
    with pytest.raises(greed.CostsError, match="nodeinsert"):
        greed.ged("C", "N", costs={"nodeinsert": 1})
    with pytest.raises(greed.CostsError, match="chem1"):
        greed.ged("C", "N", costs="chem9")


def test_mces():
    assert float(greed.mces("CCO", "CCO")) == 0
    assert float(greed.mces("CC", "C=C")) == 1  # a common bond of another order
    assert float(greed.mces("CCO", "CC")) == 1  # the bond that is not common
    assert float(greed.mces("C#N", "C#C")) == 6  # an atom maps to its own element only
    d = greed.matrix(["CCO", "c1ccccc1"], costs="mces")
    assert d.values[0, 1] == float(greed.mces("CCO", "c1ccccc1"))
    assert (greed.matrix(["CCO", "c1ccccc1"], task="mces").values == d.values).all()
    with pytest.raises(ValueError, match="costs of its own"):
        greed.matrix(["CCO"], task="mces", costs="uniform")
    assert greed.mces("CCCCCC", "N", within=1).within is False


def test_limits(hard):
    d = greed.ged(*hard, time_limit=0.05)
    assert not d.exact and 0 < d.lower < d.upper
    with pytest.raises(greed.NotProven, match="between"):
        float(d)
    d.lower, d.upper = 1234567.5, 1234568.25  # rounded, they would be no bounds
    assert "1234567.5 to 1234568.25" in repr(d)
    assert greed.ged("CCO", "CCN", within=1).within is True
    assert greed.ged("CCCCCC", "O", within=3).within is False
    with pytest.raises(ValueError, match="time_limit is 0"):
        greed.ged("C", "N", time_limit=0)


def test_pairs_given_in_advance():
    d = greed.ged("CCO", "CCN", fix={0: 1, 2: None})
    assert d.fixed and d == 4 and d.map[0] == 1 and d.map[2] is None and "least cost" in repr(d)
    assert not greed.ged("CCO", "CCN").fixed and greed.ged("CCO", "CCN", fix="0:1,2:-") == 4
    assert greed.ged("C", "CC", fix=[(None, 0)]).map == {0: 1}
    named = greed.Graph("XY", [("a", "b")], nodes=["a", "b"])
    assert greed.sed(named, named, fix={"a": "b"}).map == {"a": "b", "b": "a"}
    for wrong in ({"c": "a"}, {"a": "b", "b": "b"}):
        with pytest.raises(ValueError):
            greed.ged(named, named, fix=wrong)
    with pytest.raises(TypeError, match="fix"):
        greed.matrix(["C", "N"], fix={0: 0})
    with pytest.raises(ValueError, match="by these costs no node labelled C becomes one labelled N"):
        greed.ged("C", "N", fix={0: 0}, costs="mces")


def test_matrix(molecules):
    d = greed.matrix(molecules)
    assert d.shape == (6, 6) and d.exact.all()
    assert np.asarray(d).dtype == np.float64
    for i, q in enumerate(molecules):
        for j, t in enumerate(molecules):
            assert d.values[i, j] == float(greed.ged(q, t))
    full = greed.matrix(molecules, molecules)
    assert (full.values == d.values).all()
    with pytest.raises(greed.NotProven, match="map=True"):
        d[0, 1]


def test_maps_cost_what_the_matrix_says(molecules):
    costs = greed.Costs(node_insert=2, edge_delete=3)  # not the same both ways
    for chosen in (None, costs):
        d = greed.matrix(molecules, map=True, costs=chosen)
        for i in range(6):
            for j in range(6):
                assert sum(e.cost for e in d[i, j].edits) == d.values[i, j]
                assert d[i, j].query is molecules[i] and d[i, j].target is molecules[j]
    assert (d.values != d.values.T).any()


def test_matrix_of_other_tasks(molecules):
    sub = greed.matrix(molecules, task="sed", within=0)
    assert (sub.within == 1)[5, :2].all() and sub.within[0, 5] == 0
    common = greed.matrix(molecules, task="mcs").values
    assert common[0, 1] == 3 - greed.mcs("CCO", "CCN").size
    with pytest.raises(ValueError, match="ged, sed, mces or mcs"):
        greed.matrix(molecules, task="gde")


def test_open_pairs_are_said(hard):
    d = greed.matrix([*hard, "C"], time_limit=0.05)
    assert not d.exact[0, 1] and d.exact[2, 2]
    with pytest.raises(greed.NotProven, match="2 of 9"):
        np.asarray(d)
    assert (d.lower <= d.upper).all()


def test_pairs(molecules):
    d = greed.pairs(molecules, molecules[::-1], map=True)
    assert d.shape == (6,) and d[1].distance == float(greed.ged("CCN", "CC(=O)O"))
    with pytest.raises(ValueError, match="6 queries and 1 targets"):
        greed.pairs(molecules, molecules[:1])


def test_empty():
    assert greed.matrix([]).shape == (0, 0)
    assert greed.pairs([], []).shape == (0,)
    empty = greed.Graph()
    assert float(greed.ged(empty, "CCO")) == 5
    assert float(greed.ged(empty, empty)) == 0


def test_progress(molecules, capsys):
    seen = []
    greed.matrix(molecules * 40, molecules * 40, progress=lambda done, total: seen.append((done, total)), time_limit=1)
    assert all(0 < done <= total == 240 * 240 for done, total in seen)


def test_an_error_of_progress_ends_the_computation(hard, process):
    def fail(done, total):
        raise RuntimeError("enough")

    # Quick pairs and hard ones: there is something to report before the end.
    with pytest.raises(RuntimeError, match="enough"):
        greed.matrix(["CCO"] * 2000 + [hard[0]], ["CCN"] * 2000 + [hard[1]], progress=fail, time_limit=100)
    assert float(greed.ged("C", "N")) == 1


def test_workers(molecules):
    assert (greed.matrix(molecules, workers=1).values == greed.matrix(molecules, workers=3).values).all()


def test_pickle(molecules):
    d = pickle.loads(pickle.dumps(greed.ged(molecules[0], molecules[1])))
    assert float(d) == 1 and d.map == {0: 0, 1: 1, 2: 2} and len(d.edits) == 1
    m = pickle.loads(pickle.dumps(greed.matrix(molecules, map=True)))
    assert m[0, 1].distance == 1


def test_pandas(molecules):
    pytest.importorskip("pandas")
    frame = greed.matrix(molecules).to_pandas()
    assert frame.loc["m0", "m1"] == 1
    assert list(greed.pairs(molecules, molecules).to_pandas()["upper"]) == [0] * 6


def test_costs_of_rings_and_numbers():
    assert float(greed.ged("CCCCCC", "C1CCCCC1", costs="rings")) == 6
    half = greed.Costs(edges=greed.Table(default={}, ring=0.5))
    assert float(greed.ged("CCCCCC", "C1CCCCC1", costs=half)) == 3.5
    q, t = greed.Graph(["0.5|1"]), greed.Graph(["0.5|3"])
    moved = greed.Costs(nodes=greed.Table(default={"insert": 5}, parts=[{"attributes": ["x", "y"], "weight": 2}]))
    assert float(greed.ged(q, t, costs=moved)) == 4


def test_open_distances_say_why(hard):
    d = greed.ged(*hard, time_limit=0.01)
    assert not d.exact and d.stopped == "time"
    with pytest.raises(greed.NotProven, match="the time limit was reached"):
        float(d)
    many = greed.pairs(["CCO", hard[0]], ["CCN", hard[1]], time_limit=0.01, map=True)
    assert many.stopped.tolist() == [None, "time"] and many[1].stopped == "time"
    assert greed.ged("CCO", "CCN").stopped is None


def test_common():
    assert greed.mces("CCO", "CC=O").common == (2, 1, 0.36)


def test_common_subgraphs_by_edges(hard):
    aspirin, amide = "CC(=O)Oc1ccccc1C(=O)O", "CC(=O)Nc1ccccc1C(=O)O"
    c = greed.mcs(aspirin, amide, edges=True)
    assert c == 11 and c.counts == "edges" and len(c.map) == 12 and repr(c) == "<common subgraph of 11 edges>"
    assert greed.mcs(aspirin, amide, edges=True, connected=True) == 9
    assert greed.mcs("CCCCCC", "C1CCCCC1", edges=True) == 5 and greed.mcs("CCCCCC", "C1CCCCC1", edges=True, rings=True) == 0
    assert greed.mcs(aspirin, amide, edges=True, at_least=12).upper < 12 <= greed.mcs(aspirin, aspirin, edges=True, at_least=12)
    many = greed.mcs_pairs([aspirin, "CCO"], [amide, "CCN"], edges=True, workers=1)
    assert [x.size for x in many] == [11, 1] and not greed.mcs(*hard, edges=True, time_limit="1ms").exact
    for wrong, error in (({"rings": True}, greed.RequestError), ({"size": 3}, TypeError), ({"edges": 1}, greed.RequestError)):
        with pytest.raises(error):
            greed.mcs("C", "N", **wrong)
    assert "common subgraph of 11 edges" in c._repr_html_()


def test_common_subgraphs_are_those_of_rdkit(rng):
    Chem = pytest.importorskip("rdkit.Chem")
    from rdkit.Chem import rdFMCS

    pieces = ["C", "N", "O", "c1ccccc1", "C(=O)", "C1CCCC1", "C(F)"]
    texts = ["".join(rng.choice(pieces) for _ in range(5)) for _ in range(40)]
    pairs = list(zip(texts[::2], texts[1::2]))
    ours = greed.mcs_pairs(*map(list, zip(*pairs)), edges=True, connected=True, rings=True)
    for found, pair in zip(ours, pairs):
        exact = rdFMCS.BondCompare.CompareOrderExact
        theirs = rdFMCS.FindMCS([Chem.MolFromSmiles(s) for s in pair], ringMatchesRingOnly=True, bondCompare=exact)
        assert found == theirs.numBonds, pair
