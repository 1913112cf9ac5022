"""What was answered silently and wrongly is an error, or right."""

import json

import numpy as np
import pytest

import greed


@pytest.fixture(scope="module")
def c():
    return greed.Collection(["CCO", "CCN", "CCC"])


def test_ids_are_different(tmp_path):
    with pytest.raises(greed.RequestError, match="'?\"a\" is the id of both graph 0 and graph 1"):
        greed.Collection(["CCO", "CCN"], ids=["a", "a"])
    with pytest.raises(greed.RequestError, match="there is no id"):
        greed.Collection(["CCO"], ids=[""])
    c = greed.Collection(["CCO"])
    with pytest.raises(greed.RequestError, match="is the id of both graph"):
        c.put(["CCO", "CCN"], ids=["a", "a"])
    (tmp_path / "a.smi").write_text("CCO x\nCCN x\n")
    with pytest.raises(greed.RequestError, match="is the id of both graph"):
        greed.Collection.open(tmp_path / "a.smi")
    assert len(greed.read(tmp_path / "a.smi")) == 2
    c.save(tmp_path / "a.index")
    with pytest.raises(greed.RequestError, match="is an index: Collection.open opens it"):
        greed.read(tmp_path / "a.index")
    for call in (lambda: c.get("12"), lambda: c.put(["C", "N"], ids="ab"), lambda: greed.Collection(["C", "N"], ids="ab")):
        with pytest.raises(TypeError, match="not a string"):
            call()


def test_in(c):
    assert "0" in c and 0 in c and np.int64(2) in c and "9" not in c
    with pytest.raises(TypeError):
        greed.smiles("C") in c
    r = c.search("CCO", 2)
    assert "0" in r and "2" not in r and r[0] in r and greed.Collection(["C"]).search("C")[0] not in r


def test_distances_are_compared_as_numbers(hard, c):
    d, same = greed.ged("CCO", "CCN"), greed.ged("C", "N")
    assert d == 1 and d != 2 and d < 2 and d <= np.float64(1) and 0.5 < d and d == same and hash(d) == hash(1.0)
    assert not (d == 2 or d < 1 or d > 1) and d != "1" and d is not None
    assert f"{d:.2f}" == "1.00" and str(d) == "<ged 1>" and not greed.ged("C", "C") and sorted([d, greed.ged("C", "C")])[0] == 0
    left = greed.ged(*hard, time_limit=0.01)
    assert left < 1000 and left > 0 and left != 1000
    for compared in (lambda: left == left.lower, lambda: left < (left.lower + left.upper) / 2, lambda: f"{left:.1f}", lambda: hash(left)):
        with pytest.raises(greed.NotProven):
            compared()
    m = greed.matrix(["C", "N", "CC"])
    assert (m == 1).tolist() == [[False, True, False], [True, False, False], [False, False, False]]
    assert (m <= 1).sum() == 5 and (m >= m.values).all()
    many = greed.pairs(["C", hard[0]], ["N", hard[1]], time_limit=0.01)
    assert (many < 1000).all() and (many == 1).tolist() == [True, False]
    with pytest.raises(greed.NotProven):
        many == many.lower  # noqa: B015
    with pytest.raises(TypeError):
        bool(m)
    common = greed.mcs("CCO", "CCN")
    assert common == 2 and common > 1 and float(common) == 2
    a, b = c.search("CCC", 3)[1:]
    assert a == 1 and a <= b and a != b and f"{a:.1f}" == "1.0"
    predicted = greed.Collection.bundled().search("CCC", 1, mode="predicted")[0]
    with pytest.raises(greed.NotProven):
        predicted == 0  # noqa: B015


def test_numbers_of_numpy(c):
    assert len(c.search("CCO", np.int64(2), radius=np.float32(2), workers=np.int64(1), explain=np.bool_(True))) == 2
    assert greed.ged("CCO", "CCN", within=np.int64(2), time_limit=np.float32(2), costs={"node_substitute": np.float32(0.5)}) == 0.5
    assert greed.ged("C", "N", costs=greed.Costs(node_substitute=np.int64(2))) == 2
    assert greed.matrix(["C", "N"], workers=np.int64(1)).shape == (2, 2)


@pytest.mark.parametrize(
    "options", [{"mode": "x"}, {"k": 2.5}, {"k": float("nan")}, {"k": True}, {"k": "2"}, {"radius": float("nan")},
                {"radius": -1}, {"workers": 1.5}, {"workers": -1}, {"task": "x"}, {"time_limit": float("nan")},
                {"time_limit": True}, {"time_limit": 1e-12}, {"time_limit": "x"}, {"filter": "nobody>3"}, {"show": "nobody"}, {"filter": "\ud800=1"}],
)  # fmt: skip
def test_wrong_options_of_searches(c, options):
    with pytest.raises(greed.RequestError):
        c.search("CCO", **options)


def test_wrong_options_elsewhere(c, tmp_path):
    for call in (
        lambda: greed.ged("C", "N", within=float("nan")),
        lambda: greed.ged("C", "N", time_limit=float("nan")),
        lambda: greed.ged("C", "N", costs={"node_insert": float("nan")}),
        lambda: greed.matrix(["C"], task="x"),
        lambda: greed.matrix(["C"], task="mcs", costs="chem1"),
        lambda: greed.matrix(["C", "N"], workers=-1),
        lambda: greed.Model.bundled("x"),
        lambda: c.embed("x"),
    ):
        with pytest.raises(greed.RequestError):
            call()
    with pytest.raises(greed.CostsError):
        greed.ged("C", "N", costs=5)
    with pytest.raises(FileNotFoundError, match="pass a list"):
        greed.matrix("CCO")
    for call in (lambda: greed.ged("C", "N", foo=1), lambda: greed.read(tmp_path, foo=1), lambda: greed.Collection.open(tmp_path, foo=1)):
        with pytest.raises(TypeError, match="foo"):
            call()
    assert greed.matrix(["C", "N"], time_limit="1m").exact.all()


def test_labels_that_are_no_text():
    for q, t in ((greed.Graph(["\ud800"]), greed.Graph(["\ud801"])), ("\ud800", "\ud801")):
        with pytest.raises(greed.RequestError, match="half of a surrogate pair"):
            greed.ged(q, t)
    with pytest.raises(greed.RequestError, match="half of a surrogate pair"):
        greed.Collection(["C"], ids=["\ud800"])
    assert greed.ged(greed.Graph(["\U0001f600 ß"]), greed.Graph(["\U0001f600 ß"])) == 0


@pytest.mark.parametrize(
    "edges", [[(0, None)], [(float("nan"), 1)], np.array([[0, np.nan]]), np.zeros((2, 2, 2)), np.array([[0, None]], object)]
)  # fmt: skip
def test_what_stands_for_nothing_is_no_node(edges):
    with pytest.raises(greed.GraphError, match="is not a node"):
        greed.ged(edges, [(0, 1)])


def test_what_stands_for_nothing_is_no_id(c):
    for id in (None, float("nan"), np.float32("nan"), slice(0, 2)):
        for call in (lambda: c.put(["C"], ids=[id]), lambda: greed.Collection(["C"], ids=[id]), lambda: c[id], lambda: c.delete([id])):
            with pytest.raises(TypeError, match="is not an id"):
                call()
    with pytest.raises(greed.GraphError, match="is not a SMILES"):
        greed.smiles(None)
    with pytest.raises(greed.CostsError, match="node_substitute is None"):
        greed.ged("C", "N", costs={"node_substitute": None})


def test_hydrogens_of_rdkit():
    Chem = pytest.importorskip("rdkit.Chem")
    d = greed.ged(Chem.MolFromSmiles("[2H]C"), "CO")
    assert d.map.keys() == {0, 1} and d.edits[0].query in ((0,), (1,))
    with_all = Chem.AddHs(Chem.MolFromSmiles("CO"))
    assert greed.ged(with_all, "CO").map == {0: 0, 1: 1}
    parser = Chem.SmilesParserParams()
    parser.removeHs = False
    for text, nodes in {"[H]/N=C/C": {1, 2, 3}, "[H+].C": {0, 1}, "[H][H]": {0, 1}, "*[H]": {0, 1}, "[3H]OC[H]": {0, 1, 2}}.items():
        assert set(greed.ged(Chem.MolFromSmiles(text, parser), "CO").map) == nodes, text


def test_other_columns_are_in_results():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"smiles": ["CCO", "CCN"], "mass": [46.0, 45.0], "distance": ["near", "far"], "none": [None, None]})
    c = greed.Collection.from_dataframe(frame)
    r = c.search("CCO", 1)
    assert r[0].attributes == {"mass": 46, "distance": "near"}
    row = r.to_pandas().iloc[0]
    assert row["mass"] == 46 and row["distance"] == 0 and row["attribute distance"] == "near"
    assert c.search("CCO", 1, show=["mass"])[0].attributes == {"mass": 46}
    with pytest.raises(greed.GraphError, match="row 1 has no id"):
        greed.Collection.from_dataframe(frame.assign(id=["a", None]), id="id")


def test_models_of_few_graphs_say_so():
    with pytest.warns(UserWarning, match="too few to hold any out"):
        m = greed.train(["C", "CC"], steps=5, max_pairs=5, hidden=16, layers=1, trials=False, progress=False)
    assert "training graphs" in repr(m)


def test_rules_of_a_file_are_those_of_queries(tmp_path):
    nx = pytest.importorskip("networkx")

    def ring(kinds):
        g = nx.cycle_graph(len(kinds))
        for v, kind in enumerate(kinds):
            g.nodes[v].update(kind=kind, weight=v)
        return nx.relabel_nodes(g, lambda v: ("node", v))

    graphs = [ring("abc"), ring("abcd"), ring("aaa")]
    with open(tmp_path / "g.ndjson", "w") as f:
        for g in graphs:
            f.write(json.dumps(nx.node_link_data(nx.relabel_nodes(g, str), edges="links")) + "\n")
    memory = greed.Collection.open(tmp_path / "g.ndjson", node_label="kind")
    disk = memory.save(tmp_path / "index")
    for c in (memory, disk, greed.Collection.open(tmp_path / "index", node_label="kind")):
        r = c.search(graphs[2], 3)
        assert [float(a) for a in r] == [0, 2, 6] and r.unmatched is None
        assert set(r[0].map) == set(graphs[2]) and r[0].map.keys() == {("node", v) for v in range(3)}
        c.put([graphs[1]], ids=["again"])
        assert [a.id for a in c.search(graphs[1], radius=0)] == [c.search(graphs[1], 1)[0].id, "again"]
        c.delete(["again"])
    for options in ({"node_label": "weight"}, {"format": "json"}, {"charge": True}):
        with pytest.raises(greed.RequestError):
            greed.Collection.open(tmp_path / "index", **options)


def test_charges_of_a_file_are_those_of_queries(tmp_path):
    (tmp_path / "a.smi").write_text("C[O-] x\nCO y\n")
    c = greed.Collection.open(tmp_path / "a.smi", charge=True)
    assert [(a.id, float(a)) for a in c.search("C[O-]", 2)] == [("x", 0), ("y", 1)]
    assert c.save(tmp_path / "index").search("CO", 1)[0].id == "y"


def test_labels_of_molecules_are_not_mixed(tmp_path):
    (tmp_path / "a.smi").write_text("C[NH3+] ion\nCN amine\n")
    ion, amine = greed.read(tmp_path / "a.smi", charge=True)
    (plain, _) = greed.read(tmp_path / "a.smi")
    assert greed.ged(ion, amine) == 1 and greed.ged(plain, "CN") == 0 and greed.ged(ion, "C[NH3+]", charge=True) == 0
    assert greed.ged(greed.smiles("C[NH3+]").expand(), "CN") == 0
    for call in (
        lambda: greed.ged(ion, "C[NH3+]"),
        lambda: greed.ged("C[NH3+]", ion),
        lambda: greed.ged(ion, plain),
        lambda: greed.matrix([ion, "CN"]),
        lambda: greed.pairs(["CN", "CN"], [amine, "CN"]),
        lambda: greed.ged(plain.expand(), "CN", charge=True),
        lambda: greed.Collection([ion, "CN"]),
        lambda: greed.Collection(["CN"]).search(ion),
        lambda: greed.Collection(["CN"]).put([ion]),
        lambda: greed.Collection.bundled().search(ion),
        lambda: greed.Model.bundled().predict([ion], ["CN"]),
    ):
        with pytest.raises(greed.GraphError, match="charges besides elements and bonds|compare nothing besides elements and bonds"):
            call()
    c = greed.Collection([ion, amine])
    for query in ("C[NH3+]", ion, c["ion"]):
        assert [(a.id, a.upper) for a in c.search(query, 2)] == [("ion", 0), ("amine", 1)]
    c.put(["C[NH2+]C"], ids=["other"])
    assert c.search("C[NH2+]C", 1)[0].id == "other"
    with pytest.raises(greed.GraphError, match="charges"):
        greed.ged(c["ion"], "C[NH3+]")
    kept = greed.Collection.open(tmp_path / "a.smi", charge=True)  # whose molecules are SMILES
    for call in (
        lambda: greed.ged(kept["ion"], kept["amine"]),
        lambda: greed.Collection(list(kept)),
        lambda: greed.Model.bundled().embed([kept["ion"]]),
    ):
        with pytest.raises(greed.GraphError, match="^ion is of a collection that compares charges"):
            call()
    assert greed.ged(kept["ion"], kept["amine"], charge=True) == 1 and kept.search(kept["ion"], 1)[0].upper == 0
    kept.put([ion, kept["amine"], "C[NH2+]C"], ids=["a", "b", "c"])
    assert [a.id for a in kept.search(ion, radius=0)] == ["ion", "a"]
    (tmp_path / "j.json").write_text('{"nodes":[{"id":0,"label":"N+"}],"edges":[]}')
    assert greed.Collection.open(tmp_path / "j.json").search(greed.read(tmp_path / "a.smi", charge=True)[0], 1)[0].upper == 2


def test_other_and_columns_are_named(c):
    pandas = pytest.importorskip("pandas")
    for call in (lambda: c.join(1, other=["CCO"]), lambda: c.cliffs(other="x.smi")):
        with pytest.raises(TypeError, match="^other is a (list|str): want a greed.Collection"):
            call()
    frame = pandas.DataFrame([["CCO", 1, 2]], columns=["smiles", "x", "x"])
    with pytest.raises(greed.RequestError, match="^frame has several columns 'x'"):
        greed.Collection.from_dataframe(frame)


def test_a_column_named_id_is_filtered():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"smiles": ["CCO", "CCN"], "id": [71, 72], "code": ["a", "b"]})
    t = greed.Collection.from_dataframe(frame, id="code")
    assert [a.id for a in t.search("CCO", filter=["attribute id=72"])] == ["b"]
    assert [a.id for a in t.search("CCO", filter=["id=a"])] == ["a"]


def test_attributes_that_are_no_labels_are_told(tmp_path, caplog):
    for name, w in (("a", 1.5), ("b", 7.5)):
        (tmp_path / f"{name}.json").write_text(f'{{"nodes":[{{"id":0,"w":{w}}}],"edges":[]}}')
    assert greed.ged(tmp_path / "a.json", tmp_path / "b.json") == 0
    told = [r for r in caplog.records if "without labels" in r.getMessage()]
    assert len(told) == 2 and all(r.levelname == "WARNING" for r in told)
    r = greed.Collection.open(tmp_path / "a.json").search(tmp_path / "b.json")
    assert r.question["not_compared"] == ["node attributes"]


def test_missing_values_are_no_labels():
    import networkx as nx

    gone = [None, float("nan"), np.datetime64("NaT")]
    try:
        import pandas as pd

        gone += [pd.NA, pd.NaT]
    except ImportError:
        pass
    for x in gone:
        g = nx.Graph([("a", "b", {"kind": x})])
        nx.set_node_attributes(g, {"a": x, "b": "C"}, "label")
        for made in (
            lambda: greed.Graph([x]),
            lambda: greed.Graph("ab", [(0, 1, x)]),
            lambda: greed.graph([(0, 1, x)]),
            lambda: greed.graph(g, node_label="label"),
            lambda: greed.graph(g, edge_label="kind"),
        ):
            with pytest.raises(greed.GraphError, match="is not a label"):
                made()
        with pytest.raises(greed.GraphError, match="no part of a label"):
            greed.graph(g, node_label=["label"])
        with pytest.raises(greed.GraphError, match="not a node"):
            greed.graph([(0, x)])
        with pytest.raises(TypeError, match="not an id"):
            greed.Collection(["C"], ids=[x])
        c = greed.Collection([greed.Graph("a", attributes={"x": x}), greed.Graph("a", attributes={"x": 3})])
        assert c["0"].attributes["x"] is None
        assert [a.id for a in c.search(greed.Graph("a"), filter="x exists")] == ["1"]


def test_infinite_attributes_are_not_missing():
    c = greed.Collection([greed.Graph("a", attributes={"x": x}) for x in (float("inf"), 3.0, float("nan"))])
    assert c["0"].attributes["x"] == "inf"
    assert [a.id for a in c.search(greed.Graph("a"), filter="x exists")] == ["0", "1"]


def test_edges_say_what_they_are():
    for edges, said in (
        ([(0, 1, "x", "y")], "is not an edge"),
        ([(0,)], "is not an edge"),
        ([(0, 1.0)], "want the positions"),
        ([("0", "1")], "want the positions"),
        ([(0, 2**40)], "want the positions"),
    ):
        with pytest.raises(greed.GraphError, match=said):
            greed.Graph("ab", edges)
    with pytest.raises(greed.GraphError, match="two nodes are named 'x'"):
        greed.Graph("abc", [("x", "y")], nodes=["x", "x", "y"])


def test_a_wildcard_is_not_folded():
    import networkx as nx

    for g, options in (
        (nx.Graph([(0, 0), (0, 1)]), {"node_label": lambda _: greed.WILDCARD}),
        (nx.MultiGraph([(0, 1), (0, 1)]), {"edge_label": lambda _: greed.WILDCARD}),
    ):
        with pytest.raises(greed.GraphError, match="a wildcard cannot be folded"):
            greed.graph(g, simplify=True, **options)


def test_what_is_iterated_over():
    m = greed.matrix(["C", "N"], map=True)
    with pytest.raises(TypeError, match="iterate over values"):
        list(m)
    with pytest.raises(TypeError):
        1 in m  # noqa: B015
    assert [list(row) for row in m.values] == [[0, 1], [1, 0]]
    assert [float(d) for d in greed.pairs(["C", "N"], ["N", "N"], map=True)] == [1, 0]
    with pytest.raises(greed.GraphError, match="pass its values"):
        greed.matrix({"C": "CCO", "N": "CCN"})


def test_tables_are_no_lists_of_graphs():
    pd = pytest.importorskip("pandas")
    with pytest.raises(greed.GraphError, match="one of its columns"):
        greed.matrix(pd.DataFrame({"C": ["CCO"], "N": ["CCN"]}))


def test_ids_without_end():
    import itertools

    with pytest.raises(greed.RequestError, match="3 ids for 2 graphs"):
        greed.Collection(["C", "N"], ids=itertools.count())
    assert greed.Collection(["C", "N"], ids=iter([5, 6])).get([5, 6])


def test_times_are_numbers():
    import datetime

    with pytest.raises(greed.RequestError, match="want a number of seconds"):
        greed.ged("C", "N", time_limit=datetime.timedelta(seconds=1))
