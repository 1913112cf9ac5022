import math
import threading

import numpy as np
import pytest

import greed

SMILES = ["Clc1ccccc1", "C1=CC=CC=C1Cl", "Fc1ccccc1", "CCO", "CCN", "CCCCCCCCC"]
VALUES = [1, 1.5, 4, 2, None, 7]


@pytest.fixture
def table():
    pd = pytest.importorskip("pandas")
    return pd.DataFrame({"smiles": SMILES, "y": VALUES, "kind": list("aabbab")})


def test_join_is_right(rng):
    graphs = [g for g in greed.Collection.bundled() if len(g.labels) < 9][:60]
    c = greed.Collection(graphs)
    full = greed.matrix(graphs).values
    ids = [g.id for g in graphs]
    for radius in (0, 1, 2.5):
        j = c.join(radius)
        want = {(ids[a], ids[b]) for a in range(60) for b in range(a + 1, 60) if full[a, b] <= radius}
        assert {(p.query, p.target) for p in j} == want and j.proven and len(j) == j.total == len(want)
        assert all(float(p) == full[ids.index(p.query), ids.index(p.target)] for p in j)
        assert [p.upper for p in j] == sorted(p.upper for p in j)
    some = c.join(2, k=3, workers=1)
    assert len(some) == 3 and some.total > 3 and "3 pairs" in repr(some)
    parts = greed.Collection(["CO", "O"])
    within = parts.join(0, c, task="sed")
    have = greed.matrix(["CO", "O"], graphs, task="sed").values
    assert within.total == (have == 0).sum() and within.others == 60


def test_cliffs(table):
    c = greed.Collection.from_dataframe(table)
    r = c.cliffs("y")
    assert r.proven and r.attribute == "y" and r.question["costs"] == "uniform" and r.known == 3
    first = r[0]
    assert (first.query, first.target, first.change, first.old, first.new) == ("0", "2", 3, 1, 4)
    assert first.transformations[0].text == "Cl → F" and "becomes" in repr(first) and float(first) == 1
    assert [(e.text, e.pairs, e.mean) for e in r.effects if e.known] == [("Cl → F", 2, 2.75)] and r.effects[0].smirks == "[*:1]Cl>>[*:1]F"
    assert [(p.query, p.target) for p in r.duplicates] == [("0", "1")]
    frame = r.to_pandas()
    assert list(frame["change"])[:2] == [3, 2.5] and math.isnan(frame["change"].iloc[-1]) and frame.attrs["status"] == "proven"
    assert r.total == {"pairs": 3, "transformations": 2, "duplicates": 1}
    few = c.cliffs("y", k=1, filter="kind=b", radius=np.float64(5))
    assert few.graphs == 3 and few.question["filter"] == ["kind=b"]
    two = c.cliffs("y", greed.Collection.from_dataframe(table[:1]), radius=0)
    assert two.total["duplicates"] == 2 and two.others == 1
    pd = pytest.importorskip("pandas")
    assert list(pd.DataFrame(r.effects).columns)[:4] == ["text", "old", "new", "environment"]


def test_near_is_never_silent(table):
    c = greed.Collection.from_dataframe(table)
    with pytest.raises(greed.RequestError, match="the attributes are"):
        c.cliffs("z")
    with pytest.raises(greed.RequestError, match="the attributes are"):
        c.join(1, filter="z<3")
    with pytest.raises(TypeError, match="no option 'smarts'"):
        c.join(1, smarts="C")
    with pytest.raises(TypeError):
        c.join()
    for wrong in ({"radius": -1}, {"k": 0}, {"k": 2.5}, {"radius": float("nan")}, {"costs": "none"}, {"time_limit": "soon"}, {"task": "mcs"}):
        with pytest.raises((greed.RequestError, greed.CostsError)):
            c.join(**{"radius": 1, **wrong})
    empty = greed.Collection().join(1)
    assert len(empty) == 0 and empty.proven and empty.to_dicts() == []
    nx = pytest.importorskip("networkx")
    mixed = greed.Collection([nx.DiGraph([(0, 1)])])
    with pytest.raises(greed.DirectionError):
        mixed.join(1, c)


def test_near_says_what_is_open():
    c = greed.Collection.bundled()
    j = c.join(4, time_limit=0.05)
    assert not j.proven and j.open["graphs"] > 0 and "open" in repr(j) and j.question["time_limit"] == "50ms"


def test_near_is_cancelled():
    c = greed.Collection.bundled()
    told = []

    def stop(done, total):
        told.append((done, total))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        c.join(6, progress=stop)
    assert told and told[-1][0] < told[-1][1]
    results = []
    threads = [threading.Thread(target=lambda r=r: results.append(c.join(r, k=2).total)) for r in (0, 0, 1)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert len(results) == 3


def test_collections_that_are_gone_are_made_again(kill):
    a, b = greed.Collection(SMILES), greed.Collection(SMILES)
    want = [(p.query, p.target, p.upper) for p in a.join(2, b)]
    kill()
    assert [(p.query, p.target, p.upper) for p in a.join(2, b)] == want


def test_nearest_vectors():
    c = greed.Collection.bundled()
    z, ids = c.embed(), [g.id for g in c]
    found = c.nearest("17", 5, embedding="ged")[0]
    assert found[0].id == "17" and found[0].distance == 0 and found[0].smiles == c["17"].smiles and len(found) == 5
    # By the bundled model's norm, the sum of absolute differences.
    far = np.abs(z.astype(float) - z[ids.index("17")]).sum(1)
    assert np.allclose(sorted(far)[:5], [a.distance for a in found], atol=1e-3)
    near = c.nearest(vectors=z[:2], radius=2.0, embedding="ged")
    assert [len(n) > 0 for n in near] == [True, True] and all(a.distance <= 2 for n in near for a in n)
    assert c.nearest(vectors=z[0], k=1, embedding="ged", filter=f"id={ids[3]}")[0][0].id == ids[3]
    for wrong in ({}, {"like": "17"}, {"like": "nobody", "embedding": "ged"}, {"vectors": z[:1, :5], "embedding": "ged"},
                  {"vectors": [[float("nan")] * 64], "embedding": "ged"}, {"like": "17", "embedding": "none"}, {"like": "17", "embedding": "ged", "k": 0}):  # fmt: skip
        with pytest.raises((greed.RequestError, KeyError)):
            c.nearest(**wrong)
    with pytest.raises(TypeError, match="no option 'mode'"):
        c.nearest("17", mode="proven")
    with pytest.raises(greed.RequestError):
        greed.Collection(SMILES).nearest("0")


def test_sar(table):
    c = greed.Collection.from_dataframe(table)
    r = c.sar("c1ccccc1", show="y")
    assert r.proven and r.total == 3 and r.without == 3 and r.graphs == 6 and r.columns == ["R1"]
    assert [row.groups["R1"] for row in r] == ["[*:1]Cl", "[*:1]Cl", "[*:1]F"] and r[2].attributes == {"y": 4}
    near = c.sar("c1ccncc1[*:4]", radius=1)
    assert [row.distance for row in near] == [1, 1, 1] and "is C" in near[0].edits[0] and near.columns[0] == "R4"
    frame = r.to_pandas()
    assert list(frame["R1"]) == ["[*:1]Cl", "[*:1]Cl", "[*:1]F"] and list(frame["y"]) == [1, 1.5, 4]
    assert len(c.sar("C", k=2)) == 2 and len(c.sar("[F,Cl]c", smarts=True)) == 3
    with pytest.raises(greed.RequestError, match="ring bond 1 is not closed"):
        c.sar("C1CC")
    with pytest.raises(TypeError, match="the core is a int"):
        c.sar(3)
    Chem = pytest.importorskip("rdkit.Chem")
    assert len(c.sar(Chem.MolFromSmarts("[F,Cl]c"))) == 3 and len(c.sar(Chem.MolFromSmiles("Fc1ccccc1"))) == 1


def test_drawn_query(table, tmp_path):
    c = greed.Collection.from_dataframe(table)
    atoms = "".join(f"    {i}.0000    0.0000    0.0000 {a:3} 0  0\n" for i, a in enumerate("CLC"))
    text = f"x\n  own\n\n  3  2  0  0  0  0            999 V2000\n{atoms}  1  2  1  0\n  2  3  8  0\nM  ALS   2  2 F N   O   \nM  END\n"
    (tmp_path / "q.mol").write_text(text)
    (query,) = greed.read(tmp_path / "q.mol")
    for options in ({}, {"task": "sed", "radius": 0}):
        with pytest.raises(greed.RequestError, match="search for it as a pattern"):
            c.search(query, **options)
    assert [a.id for a in c.search(smarts=text)] == []
