import pathlib
import pickle
import subprocess
import sys

import numpy as np
import pytest

import greed


def test_numbers_of_networkx_are_compared_by_costs():
    nx = pytest.importorskip("networkx")
    g, h = nx.Graph(), nx.Graph()
    g.add_node(0, x=0.5, y=1)
    h.add_node(0, x=2.0, y=1)
    moved = greed.Costs(nodes=greed.Table(default={"insert": 5, "delete": 5}, parts=[{"attributes": ["x", "y"], "weight": 2}]))
    assert greed.ged(g, h, node_label=["x", "y"], costs=moved) == 3
    with pytest.raises(greed.GraphError, match="no attribute 'z'"):
        greed.ged(g, h, node_label=["x", "z"])


def test_smiles_errors_name_the_record():
    with pytest.raises(greed.GraphError, match="query 1: .*C1CC.*not closed") as e:
        greed.matrix(["CC", "C1CC"])
    assert (e.value.record, e.value.side) == (1, "query")
    with pytest.raises(greed.GraphError, match="target 0"):
        greed.ged("C", "C(")
    with pytest.raises(greed.GraphError, match="not a graph"):
        greed.ged("C", 7)
    with pytest.raises(greed.GraphError, match="graph 1"):
        greed.matrix(["CC", 7])


def test_graph_by_hand():
    g = greed.Graph(["a", "b", "c"], [(0, 1), (1, 2, "x")])
    h = greed.Graph(["a", "b", "c"], [("u", "v"), ("v", "w", "y")], nodes=["u", "v", "w"])
    d = greed.ged(g, h)
    assert float(d) == 1 and d.map == {0: "u", 1: "v", 2: "w"}
    assert d.edits[0].query == (1, 2) and d.edits[0].target == ("v", "w")
    assert g.edges == [(0, 1, "0"), (1, 2, "x")]
    assert pickle.loads(pickle.dumps(h)).nodes == ("u", "v", "w")
    with pytest.raises(greed.GraphError, match="there is no node 'z'"):
        greed.Graph(["a"], [("a", "z")], nodes=["a"])
    assert float(greed.ged(greed.Graph(["a"], [(0, 0)]), greed.Graph(["a"], [(0, 0), (0, 0, "x")]))) == 1
    with pytest.raises(greed.GraphError, match="node 9"):
        greed.ged(greed.Graph(["a"], [(0, 9)]), g)


def test_wildcard():
    any_node = greed.Graph([greed.WILDCARD, "C"], [(0, 1, greed.WILDCARD)])
    assert float(greed.sed(any_node, "C#N")) == 0
    assert any_node.labels[0] is greed.WILDCARD
    assert pickle.loads(pickle.dumps(any_node)).labels[0] is greed.WILDCARD
    assert greed.smiles("*C").labels == [greed.WILDCARD, "C"]


def test_hostile_names():
    names = ["", "\x00", "ä\U0001f600", "a\tb\n", '"', "*", " "]
    g = greed.Graph(names, [(names[i], names[i + 1], names[i]) for i in range(6)], nodes=names)
    d = greed.ged(g, g)
    assert float(d) == 0 and d.map == dict(zip(names, names))
    d = greed.ged(g, greed.Graph(names[1:], nodes=names[1:]))
    assert {e.old for e in d.edits if e.kind == "delete edge"} == set(names[:6])


def test_large():
    """5,000 nodes and as many labels."""
    n = 5000
    g = greed.Graph([str(i) for i in range(n)], [(i, (i + 1) % n, str(i)) for i in range(n)])
    d = greed.ged(g, greed.Graph(["7", "8"], [(0, 1, "7")]), time_limit=20)
    assert float(d) == 2 * n - 3
    assert {v: w for v, w in d.map.items() if w is not None} == {7: 0, 8: 1}
    assert len(d.edits) == 2 * n - 3


def test_directed():
    a = greed.Graph("ab", [(0, 1)], directed=True)
    b = greed.Graph("ab", [(1, 0)], directed=True)
    assert float(greed.ged(a, b)) == 2
    with pytest.raises(greed.DirectionError):
        greed.ged(a, "CC")


def test_edge_lists():
    assert float(greed.ged([(0, 1), (1, 2)], [(0, 1), (1, 2), (2, 0)])) == 1
    assert float(greed.ged(np.array([[0, 1], [1, 2]]), [("a", "b"), ("b", "c")])) == 0
    d = greed.ged([("a", "b", "x")], [("c", "d", "y")])
    assert float(d) == 1 and set(d.map.values()) == {"c", "d"}
    with pytest.raises(greed.GraphError, match="not an edge"):
        greed.graph([1, 2])


def test_labels_are_no_real_numbers():
    assert greed.Graph([1, 2.0, np.int64(3), True]).labels == ["1", "2", "3", "True"]
    for bad in (1.5, float("inf")):
        with pytest.raises(greed.GraphError, match="real number"):
            greed.Graph([bad])


def test_networkx_labels_are_chosen_by_name():
    nx = pytest.importorskip("networkx")
    g = nx.Graph(name="g")
    g.add_node("x", kind="C")
    g.add_node("y", kind="O")
    g.add_edge("x", "y", order=1)
    h = g.copy()
    h.nodes["y"]["kind"] = "N"
    assert float(greed.ged(g, h)) == 0
    d = greed.ged(g, h, node_label="kind", edge_label="order")
    assert float(d) == 1 and d.map == {"x": "x", "y": "y"}
    assert float(greed.ged(g, h, node_label=lambda a: a["kind"] == "C")) == 0
    assert greed.graph(g).name == "g"
    with pytest.raises(greed.GraphError, match="node 'x' has no attribute 'label'; it has 'kind'"):
        greed.ged(g, h, node_label="label")
    back = greed.graph(g, node_label="kind").to_networkx()
    assert back.nodes["y"]["label"] == "O" and back.has_edge("x", "y")


def test_networkx_that_is_not_simple():
    nx = pytest.importorskip("networkx")
    g = nx.MultiDiGraph([(0, 1), (0, 1), (1, 1)])
    m = greed.graph(g)
    assert m.edges == [(0, 1, "0"), (0, 1, "0"), (1, 1, "0")]
    assert float(greed.ged(m, nx.MultiDiGraph([(0, 1)]))) == 2
    assert float(greed.sed(m, nx.MultiDiGraph([(0, 1), (0, 1), (0, 1)]))) == 1
    assert [str(e) for e in greed.ged(m, nx.DiGraph([(0, 1)])).edits] == ["delete edge 1-1 (0)", "delete edge 0-1 (0)"]
    back = m.to_networkx()
    assert back.is_multigraph() and back.is_directed() and sorted(back.edges()) == [(0, 1), (0, 1), (1, 1)]
    both = greed.graph([(0, 1), (1, 0), (1, 2), (1, 2)])
    assert both.edges == [(0, 1, "0"), (1, 2, "0"), (1, 2, "0")]
    s = greed.graph(g, simplify=True)
    assert s.directed and s.labels == ["0", "0@0"] and s.edges == [(0, 1, "0+0")]


def test_rdkit():
    Chem = pytest.importorskip("rdkit.Chem")
    mol = Chem.MolFromSmiles("OCc1ccccc1")
    mol = Chem.RenumberAtoms(mol, list(range(mol.GetNumAtoms()))[::-1])
    d = greed.ged(mol, "NCc1ccccc1")
    assert float(d) == 1
    (edit,) = d.edits
    assert mol.GetAtomWithIdx(edit.query[0]).GetSymbol() == "O"
    assert float(greed.ged(Chem.AddHs(mol), "OCc1ccccc1")) == 0
    oxygen = next(a.GetIdx() for a in Chem.AddHs(mol).GetAtoms() if a.GetSymbol() == "O")
    (edit,) = greed.ged(Chem.AddHs(mol), "NCc1ccccc1").edits
    assert edit.query == (oxygen,)


def test_conditions_of_query_molecules_are_compared():
    Chem = pytest.importorskip("rdkit.Chem")
    c = greed.Collection(["CCC", "COC", "CNC", "CCO"])
    assert [a.smiles for a in c.search(Chem.MolFromSmarts("[!#6]"), task="sed", radius=0)] == ["COC", "CNC", "CCO"]
    block = """
  own

  3  2  1  0  0  0            999 V2000
    0.0000    0.0000    0.0000 C   0  0
    1.0000    0.0000    0.0000 L   0  0
    2.0000    0.0000    0.0000 C   0  0
  1  2  1  0
  2  3  8  0
M  ALS   2  2 F N   O   {}
M  END
""".format("")
    want = ["COC", "CNC"]
    assert [a.smiles for a in c.search(Chem.MolFromMolBlock(block))] == want
    assert [a.smiles for a in c.search(smarts=block)] == want
    with pytest.raises(greed.RequestError, match="does not apply to a SMARTS"):
        c.search(Chem.MolFromSmarts("[!#6]"), task="ged")
    with pytest.raises(greed.GraphError, match="is a query"):
        greed.ged(Chem.MolFromSmarts("[!#6]"), "C")
    with pytest.raises(greed.RequestError, match="MOL file: line 5: an atom AH"):
        c.search(smarts=block.replace(" C  ", " AH "))


class Data:
    """What of PyTorch Geometric's Data is used."""

    def __init__(self, edge_index, n, **attributes):
        self.edge_index = np.array(edge_index).reshape(2, -1)
        self.num_nodes = n
        self.x = self.edge_attr = None
        self.__dict__.update(attributes)


def test_pyg():
    ring = Data([[0, 1, 1, 2, 2, 0], [1, 0, 2, 1, 0, 2]], 3, x=np.eye(3)[[0, 0, 1]])
    path = Data([[0, 1, 1, 2], [1, 0, 2, 1]], 3, x=np.eye(3)[[0, 0, 2]])
    assert float(greed.ged(ring, path)) == 1
    assert float(greed.ged(ring, path, node_label="x")) == 2
    assert greed.graph(ring, node_label="x").labels == ["0", "0", "1"]
    one_way = greed.graph(Data([[0, 1], [1, 2]], 3))
    assert one_way.directed
    with pytest.raises(greed.GraphError, match="one-hot"):
        greed.graph(Data([[0, 1], [1, 0]], 2, x=np.array([[0.5, 1], [1, 1]])), node_label="x")
    with pytest.raises(greed.GraphError, match="one attribute"):
        greed.graph(path, node_label=["x", "y"])
    assert greed.graph(Data([[], []], 2)).labels == ["0", "0"]


def test_files(tmp_path):
    file = tmp_path / "m.smi"
    file.write_text("CCO ethanol\nCCN amine\n")
    a, b = greed.read(file)
    assert (a.id, a.smiles, b.name) == ("ethanol", "CCO", "amine")
    assert greed.matrix(file).values[0, 1] == 1
    assert greed.matrix(str(file), [b]).shape == (2, 1)
    file.write_text("CCO ethanol\nC1CC bad\nC good\n")
    with pytest.raises(greed.RecordError, match="not closed") as e:
        greed.read(file)
    assert (e.value.line, e.value.record, pathlib.Path(e.value.file)) == (2, 1, file)
    assert [g.id for g in greed.read(file, skip_bad=True)] == ["ethanol", "good"]
    (charged,) = greed.read(_written(tmp_path / "c.smi", "[NH4+] a\n"), charge=True)
    assert charged.labels == ["N+"]
    assert float(greed.ged(_written(tmp_path / "one.smi", "CCO"), "CCO")) == 0
    with pytest.raises(ValueError, match="path is empty"):
        greed.read("")
    with pytest.raises(ValueError, match="path is empty"):
        greed.Collection.open("")
    with pytest.raises(FileNotFoundError):
        greed.read(tmp_path / "none.smi")


def _written(path, text):
    path.write_text(text)
    return path


def test_file_with_attributes(tmp_path):
    nx = pytest.importorskip("networkx")
    g = nx.path_graph(["a", "b"])
    nx.set_node_attributes(g, {"a": "A", "b": "B"}, "kind")
    nx.write_graphml(g, tmp_path / "g.graphml")
    (r,) = greed.read(tmp_path / "g.graphml", node_label="kind")
    assert r.labels == ["A", "B"] and r.nodes == ("a", "b")
    assert greed.ged(r, g, node_label="kind").map == {"a": "a", "b": "b"}


def test_charges():
    assert float(greed.ged("[NH4+]", "N")) == 0
    d = greed.ged("[NH4+]", "N", charge=True)
    assert float(d) == 1 and d.edits[0].old == "N+"


def test_nothing_is_imported_before_it_is_used():
    code = """
import sys, greed
assert float(greed.ged("CCO", "CCN")) == 1
loaded = {"networkx", "rdkit", "torch", "pandas", "polars", "scipy", "sklearn", "tqdm"} & set(sys.modules)
assert not loaded, loaded
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_smiles_have_labels():
    for choice in ({"edge_label": "-"}, {"node_label": "foo"}):
        with pytest.raises(greed.GraphError, match="atoms and bonds always have labels"):
            greed.graph("C=C", **choice)


def test_names_of_compounds_are_molecules():
    aspirin = "CC(=O)Oc1ccccc1C(=O)O"
    g = greed.graph("aspirin")
    assert g.smiles == aspirin and g.name == "Acetylsalicylic acid, CAS 50-78-2"
    assert greed.ged("Aspirin", "50-78-2") == 0 and greed.sed("phenol", "aspirin") == 0
    assert greed.mcs("acetic acid", "ethanol") == 3
    assert greed.matrix(["ethanol", "CCO", "CCl"], ["64-17-5"]).values.tolist() == [[0], [0], [3]]
    c = greed.Collection([aspirin, "benzoic acid", "CCO"])
    assert c["1"].smiles == greed.graph("benzoic acid").smiles
    assert [a.id for a in c.search("aspirin", radius=0)] == ["0"]
    assert [r.id for r in c.sar("benzoic acid")] == ["0", "1"]
    assert c.sar("benzoic acid").notes[0].text.startswith('"benzoic acid" is read as Benzoic acid')
    assert greed.graph("CO").smiles == "CO" and greed.smiles("ethanol").smiles == "ethanol"
    for use in (lambda: greed.ged("asprin", "C"), lambda: c.search("asprin"), lambda: c.sar("asprin")):
        with pytest.raises(ValueError, match="no SMILES and no name that is known here: is it Acetylsalicylic acid") as e:
            use()
        assert "SMARTS" not in str(e.value)
