import pickle
import sys

import numpy as np
import pytest

import greed

SMILES = ["CCO", "CCN", "C1CC1", "c1ccccc1O", "CC(=O)O", "C", "CCCC", "OCCO"]


@pytest.fixture(scope="module")
def bundled():
    return greed.Collection.bundled()


def test_search_is_right():
    c = greed.Collection(SMILES)
    distances = greed.matrix(["CO"], SMILES).values[0]
    r = c.search("CO", 3)
    assert [float(a) for a in r] == sorted(distances)[:3]
    assert r.proven and r.status == "proven" and len(r) == 3
    for a in r:
        assert float(a) == distances[int(a.id)] == sum(e.cost for e in a.edits)
        assert bool(a.transformations) == bool(a.edits)
        assert a.smiles == SMILES[a.position] and set(a.map) == {0, 1}
    near = c.search("CO", radius=2)
    assert {a.id for a in near} == {str(i) for i, d in enumerate(distances) if d <= 2}
    parts = c.search("CO", radius=0, task="sed")
    assert {a.id for a in parts} == {"0", "3", "4", "7"}


def test_many_queries_and_neighbours():
    c = greed.Collection(SMILES)
    distances, positions = c.kneighbors(["CO", "CCCCC"], 2)
    full = greed.matrix(["CO", "CCCCC"], SMILES).values
    assert distances.shape == (2, 2) and (np.sort(full)[:, :2] == distances).all()
    assert (np.take_along_axis(full, positions, 1) == distances).all()
    with pytest.raises(ValueError, match="n_neighbors is 9, but there are 8"):
        c.kneighbors(["CO"], 9)


def test_put_and_delete():
    c = greed.Collection(SMILES[:2], ids=["a", "b"])
    assert c.put(["CCCC", "O"], ids=["c", "a"]) == 1
    assert len(c) == 3 and c["a"].smiles == "O" and sorted(g.id for g in c) == ["a", "b", "c"]
    assert c.delete(["b", "nothing"]) == 1 and len(c) == 2
    with pytest.raises(KeyError, match="no graph with the id"):
        c["b"]
    with pytest.raises(ValueError, match="pass ids"):
        c.put(["C"])
    with pytest.raises(ValueError, match="1 ids for 2"):
        c.put(["C", "N"], ids=["x"])
    with pytest.raises(TypeError):
        c.delete("ab")
    assert c.search("O", 1)[0].id == "a"


def test_empty():
    c = greed.Collection()
    assert len(c) == 0 and len(c.search("CO")) == 0 and list(c) == []


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_collection_outlives_its_process(kill):
    c = greed.Collection(SMILES[:2], ids=["a", "b"])
    c.put(["OO"], ids=["c"])
    c.delete(["a"])
    c.attach(greed.Model.bundled())
    kill()
    assert len(c) == 2 and c.models == ["ged"] and c.search("OO", 1)[0].id == "c"
    other = pickle.loads(pickle.dumps(c))
    other.put(["N"], ids=["d"])
    assert (len(other), len(c)) == (3, 2)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_copies_are_changed_alone(kill):
    import copy

    c = greed.Collection(["CCO", "CCN"])
    d = copy.copy(c)
    d.put(["CCC"], ids=["new"])
    c.delete(["0"])
    kill()  # each is made again with its own changes
    assert [g.id for g in c] == ["1"] and [g.id for g in d] == ["0", "1", "new"]


def test_only_what_has_become_of_graphs_is_kept(kill):
    c = greed.Collection(["C", "N"])
    for i in range(200):
        c.put(["CO" + "C" * (i % 5)], ids=["x"])
    c.delete(["0"])
    assert len(c._steps) == 1 and set(c._changes) == {"x", "0"}
    kill()
    assert sorted(g.id for g in c) == ["1", "x"] and c["x"].smiles == "COCCCC"


def test_index_on_the_disk(tmp_path):
    c = greed.Collection(SMILES)
    disk = c.save(tmp_path / "index")
    assert len(disk) == 8
    disk.put(["CCCCN"], ids=["new"])
    again = greed.Collection.open(tmp_path / "index")
    assert len(again) == 9 and again["new"].smiles == "CCCCN"
    again.delete(["new"])
    assert len(disk) == 8  # sees what another has written
    with pytest.raises(greed.GreedError):
        c.save(tmp_path / "index")


def test_files(tmp_path):
    (tmp_path / "m.csv").write_text("name,smiles,mass\nethanol,CCO,46\namine,CCN,45\n")
    c = greed.Collection.open(tmp_path / "m.csv")
    assert len(c) == 2 and c["amine"].attributes["mass"] == "45"
    with pytest.raises(FileNotFoundError):
        greed.Collection.open(tmp_path / "none")


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_tables(kind):
    library = pytest.importorskip(kind)
    frame = library.DataFrame({"smiles": SMILES[:3], "key": ["a", "b", "c"], "mass": [46.1, 45.0, 42.0]})
    c = greed.Collection.from_dataframe(frame, id="key")
    assert [g.id for g in c] == ["a", "b", "c"] and c["a"].attributes == {"mass": 46.1}
    assert [a.id for a in c.search("CCO", filter="mass<46")] == ["b", "c"]
    r = c.search("CCO")
    table = r.to_pandas() if kind == "pandas" else r.to_polars()
    assert list(table["id"]) == [a.id for a in r] and list(table["distance"]) == [0, 1, 2]
    with pytest.raises(ValueError, match="no column 'structure'"):
        greed.Collection.from_dataframe(frame, smiles="structure")
    with pytest.raises(greed.GraphError, match="row 0: 46.1"):
        greed.Collection.from_dataframe(frame, smiles="mass")


def test_networkx_graphs_keep_their_labels_and_names():
    nx = pytest.importorskip("networkx")
    graphs = [nx.path_graph(["a", "b", "c"]), nx.cycle_graph(["x", "y", "z"])]
    for g in graphs:
        nx.set_node_attributes(g, "K", "kind")
    c = greed.Collection(graphs, ids=["path", "cycle"], node_label="kind")
    r = c.search(nx.set_node_attributes(q := nx.path_graph(3), "K", "kind") or q, 2)
    assert [(a.id, float(a)) for a in r] == [("path", 0), ("cycle", 1)]
    assert set(r[1].map.values()) == {"x", "y", "z"} and r[1].edits[0].kind == "insert edge"
    assert set(r[1].edits[0].target) <= {"x", "y", "z"}
    assert r[0].graph.labels == ["K"] * 3


def test_modes_and_embedding(bundled):
    r = bundled.search("CCOCC", 3, mode="predicted")
    assert r.status == "predicted" and r[0].lower is None and r[0].predicted >= 0 and not r.proven
    with pytest.raises(greed.NotProven, match="only predicted"):
        float(r[0])
    assert bundled.search("CCOCC", 3, mode="checked").status == "checked"
    assert bundled.search("CCOCC", 3, time_limit=float("inf")).proven
    z = bundled.embed()
    assert z.shape == (len(bundled), greed.Model.bundled().dim) and z.dtype == np.float32
    with pytest.raises(greed.ModelError, match="no model"):
        greed.Collection(SMILES).embed()
    with pytest.raises(greed.GreedError):
        bundled.search("C", mode="guessed")
    with pytest.raises(greed.GreedError, match="trained with other costs"):
        bundled.search("C", costs="chem1", mode="predicted")
    other = bundled.search("C", 1, costs="chem1")
    assert other.proven and other.question["costs"] == "chem1" and "trained with other costs" in other.notes[0].text
    assert bundled.search("C", 1, costs="chem1", no_model=True).proven


def test_bad_queries():
    c = greed.Collection(SMILES)
    with pytest.raises(greed.GraphError, match="query 0"):
        c.search("C1CC")
    with pytest.raises(ValueError, match="k: 0"):
        c.search("C", 0)
    with pytest.raises(greed.GreedError, match="filter"):
        c.search("C", filter="what ever it is")
    with pytest.raises(greed.DirectionError):
        greed.Collection([greed.Graph("ab", [(0, 1)], directed=True), "CC"])


def test_things_that_python_forgets_are_freed():
    from greed._child import ask

    c = greed.Collection(SMILES)
    key = c._key
    assert ask("collection.info", {"key": key})[0]["graphs"] == c.info()["graphs"] == 8
    del c
    import gc

    gc.collect()
    with pytest.raises(greed.GreedError, match="nothing is stored"):
        ask("collection.info", {"key": key})


def test_what_is_not_known_is_refused():
    c = greed.Collection(SMILES)
    with pytest.raises(TypeError, match=r"'raduis' \(is it radius\?\)"):
        c.search("CCO", raduis=1)
    for wrong in ({"colour": 1}, {"filter": "wieght<300"}, {"show": "wieght"}, {"time_limit": "soon"}, {"radius": -1}):
        with pytest.raises((TypeError, ValueError)):
            c.search("C", **wrong)
    assert c.search("[Xe]", 1).unmatched["nodes"] == ["Xe"]


def test_show(tmp_path):
    frame = pytest.importorskip("pandas").DataFrame({"smiles": SMILES, "mass": range(len(SMILES))})
    found = greed.Collection.from_dataframe(frame).search(SMILES[1], 1, show="mass")
    assert found[0].attributes == {"mass": 1} and found.to_dicts()[0]["mass"] == 1


def test_smarts():
    c = greed.Collection(["CCO", "COC", "CCS", "c1ccccc1O"])
    found = c.search(smarts="[O,S;H1]-C")
    assert found.proven and [c[a.id].smiles for a in found] == ["CCO", "CCS"]
    assert [a.map for a in found] == [{0: 2, 1: 1}] * 2 and [a.edits for a in found] == [[], []] and found.query is None
    assert c.search_many([]) == [] and len(c.search_many([], smarts="O")) == 1
    assert len(c.search(None, 1, smarts="O")) == 1
    for query, options in (("CCO", {"smarts": "C"}), (None, {"smarts": "[C"}), (None, {"smarts": "C", "radius": 2}), (None, {"smarts": "C", "task": "ged"})):
        with pytest.raises(greed.RequestError):
            c.search(query, **options)
    with pytest.raises(greed.GreedError):
        c.search(None)


def test_changes():
    c = greed.Collection(["CCO", "CCN"])
    before = c.state
    done = c.change(["CCC", "CCS"], ids=["0", "x"], delete=["1", "none"])
    assert done == (2, 1, 1, c.state) and done.state != before and c["0"].smiles == "CCC"
    for wrong in ({"new": True}, {"state": before}, {"state": ""}):
        with pytest.raises(ValueError):
            c.put(["CCF"], ids=["x"], **wrong)
        assert c["x"].smiles == "CCS" and c.state == done.state
    assert c.put(["CCF"], ids=["x"], state=done.state) == 1 and c.put(["CCI"], ids=["y"], new=True) == 0
    with pytest.raises(ValueError, match="state: it is empty"):
        c.delete(["x"], state="")
    with pytest.raises(TypeError, match="hurry"):
        c.delete(["x"], hurry=True)
    for wrong in ("", "x" * 5000):
        with pytest.raises(ValueError, match="id"):
            c.delete([wrong])
    greed.close()  # made again as it was
    assert len(c) == 3 and c.delete(["x", "y", "z"]) == 2


def test_answers_are_explained_when_they_are_looked_at(monkeypatch):
    """A search computes no edits; looking at those of one answer requests those of all, in one message."""
    c = greed.Collection(["CCO", "CCN", "C1CC1", "CCCl"], ids=list("abcd"))
    eager = c.search("CCO", 3, explain=True)
    lazy = c.search("CCO", 3)
    sent = []
    ask = greed._kept.ask
    monkeypatch.setattr(greed._kept, "ask", lambda op, *rest: sent.append(op) or ask(op, *rest))
    assert [a.map for a in lazy] == [a.map for a in eager] and sent == []
    assert "edits" not in lazy[0]._raw and [a.edits for a in lazy] == [a.edits for a in eager] != []
    assert [a.transformations for a in lazy] == [a.transformations for a in eager]
    assert sent == ["collection.explain"]
    pattern, found = "[Cl,N]", c.search(smarts="[Cl,N]")
    assert len(found) == 2 and found[0].map == c.search(smarts=pattern, explain=True)[0].map and found[0].edits == []
    rings = c.search("CCO", 3, costs="rings")
    assert [a.edits for a in rings] == [a.edits for a in c.search("CCO", 3, costs="rings", explain=True)]


@pytest.mark.parametrize("saved", [False, True])
def test_edits_of_answers_that_have_changed(saved, tmp_path):
    """A graph that was replaced since the search is not explained by another."""
    c = greed.Collection(["CCO", "CCN"], ids=["a", "b"])
    if saved:
        c = c.save(tmp_path / "index")
    found, before = c.search("CCO", 2), c.search("CCO", 2, explain=True)
    c.put(["c1ccccc1"], ids=["b"])
    try:
        assert found[1].edits == before[1].edits
    except greed.RequestError as e:
        assert "search again" in str(e)


def test_ids_of_a_table_are_those_of_the_command_line(tmp_path):
    """A column that is named like an id has the ids, in a frame as in a file."""
    pd = pytest.importorskip("pandas")
    for columns, want in (({"name": ["x", "y"]}, ["x", "y"]), ({"CMPD_ID": [7, 8], "name": ["x", "y"]}, ["7", "8"]), ({"mass": [1, 2]}, ["0", "1"])):
        frame = pd.DataFrame({"smiles": ["CCO", "CCN"], **columns})
        frame.to_csv(tmp_path / "a.csv", index=False)
        ids = [g.id for g in greed.Collection.from_dataframe(frame)]
        assert ids == [g.id for g in greed.Collection.open(tmp_path / "a.csv")] == want
    same = greed.Collection.from_dataframe(pd.DataFrame({"smiles": ["CCO", "CCN"], "name": ["x", "x"]}))
    assert [(g.id, g.attributes) for g in same] == [("0", {"name": "x"}), ("1", {"name": "x"})]


def test_notes_of_reading_are_in_results(tmp_path):
    """What was left out when a file was read is said with every answer about it."""
    (tmp_path / "a.smi").write_text("C[13CH2]O a\nCCN b\n")
    c = greed.Collection.open(tmp_path / "a.smi")
    for found in (c.search("CCO", 1), c.join(1), c.cliffs()):
        assert greed.Note("1 molecule: isotopes dropped") in found.notes


def test_recall(bundled):
    query = "CC(=O)Oc1ccccc1C(=O)O"
    near = {a.id for a in bundled.search(query, radius=3)}
    for mode in ["checked", "predicted"]:
        r = bundled.search(query, radius=3, mode=mode, recall=0.99)
        assert r.recall["share"] == 0.99 and r.recall["confidence"] == 0.95 and r.recall["cut"] > 3
        assert len(near & {a.id for a in r}) >= len(near) - 1
        assert "not proven" in r.verdict and not r.proven
    assert bundled.search(query, radius=3, mode="checked").recall is None
    with pytest.raises(greed.RequestError, match="proven answers have all"):
        bundled.search(query, radius=3, recall=0.99)
    with pytest.raises(greed.GreedError, match="129 of the 500 queries"):
        bundled.search(query, radius=1, mode="checked", recall=0.99)
    with pytest.raises(greed.GreedError, match="has 3 nodes"):
        bundled.search("CCO", radius=3, mode="checked", recall=0.99)


def test_standard_forms_are_rules_of_a_collection(tmp_path):
    pyridone, salt = "O=c1cccc[nH]1", "C[NH2+]CC(=O)[O-].Cl"
    plain = greed.Collection([pyridone, salt])
    assert float(plain.search("Oc1ccccn1", 1)[0]) > 0 and "forms" not in plain.search("C", 1).question
    c = greed.Collection([pyridone, salt], ids=["p", "s"], tautomers=True, neutralise=True, largest_fragment=True)
    assert float(c.search("Oc1ccccn1", 1)[0]) == 0
    assert float(c.search("CNCC(=O)O", 1)[0]) == 0
    said = c.search("C", 1).question
    assert said["forms"] == ["largest_fragment", "neutralise", "tautomers"] and "tautomers" in said["not_compared"]
    assert "tautomers as one molecule" in said["text"]
    c.put(["Cc1ccc[nH]c1=O"], ids=["m"])  # what is put is read so, too, and what is saved
    assert float(c.search("Cc1cccnc1O", 1)[0]) == 0
    kept = c.save(tmp_path / "forms.index")
    assert float(kept.search("Cc1cccnc1O", 1)[0]) == 0 and kept.search("C", 1).question["forms"] == said["forms"]
    file = tmp_path / "two.smi"
    file.write_text(f"{pyridone} p\n{salt} s\n")
    assert float(greed.Collection.open(file, tautomers=True).search("Oc1ccccn1", 1)[0]) == 0
    with pytest.raises(TypeError, match="no standard form 'tautomer'"):
        greed.Collection([pyridone], tautomer=True)
    with pytest.raises(greed.GraphError, match="give molecules by their SMILES"):
        greed.Collection([[(0, 1)]], tautomers=True)
