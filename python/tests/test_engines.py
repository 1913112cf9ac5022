"""The examples for Ray, Dask and FAISS; each needs its package."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import greed

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))

SMILES = ["CCO", "CCN", "C1CC1", "c1ccccc1O", "CC(=O)O", "C"] * 7


def test_ray():
    ray = pytest.importorskip("ray")
    import ray_embed

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False,
             runtime_env={"env_vars": {"PYTHONPATH": os.pathsep.join(sys.path)}})  # fmt: skip
    try:
        got = ray_embed.embed(SMILES, size=5)
    finally:
        ray.shutdown()
    assert np.array_equal(got, greed.Model.bundled("ged").embed(SMILES))


def test_dask():
    dd = pytest.importorskip("dask.dataframe")
    import dask_pairs
    import pandas as pd

    table = pd.DataFrame({"query": SMILES, "target": SMILES[::-1]})
    got = dask_pairs.solve(dd.from_pandas(table, npartitions=4)).compute(scheduler="threads")
    want = greed.pairs(list(table["query"]), list(table["target"]))
    assert list(got["lower"]) == list(want.lower) == list(got["upper"])


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """A folder with the bundled molecules' vectors, the constant, a query's vectors for GED and SED, and the
    distances of the ten nearest."""
    from greed import _binary

    folder = tmp_path_factory.mktemp("exported")

    def run(*args):
        return subprocess.run([_binary.path(), *args], cwd=folder, check=True, capture_output=True, text=True).stdout

    bundled = list(greed.Collection.bundled())[:500]
    (folder / "m.smi").write_text("".join(f"{g.smiles} {g.id}\n" for g in bundled))
    run("index", "build", "m.smi", "-o", "m.index")
    c = float(run("index", "export", "m.index", "-o", "z.npy", "--embedding", "sed", "--manhattan").split()[-1])
    assert c == float(run("index", "export", "m.index", "-o", "sed.parquet", "--embedding", "sed", "--manhattan").split()[-1])
    run("index", "export", "m.index", "-o", "ged.parquet", "--embedding", "ged")
    q = {task: greed.Model.bundled(task).embed(["c1ccccc1O"])[0] for task in ("ged", "sed")}
    x = np.load(folder / "z.npy")[:, :-1]
    sed = np.sort(np.maximum(q["sed"] - x, 0).sum(axis=1, dtype=np.float64))[:10]
    return folder, c, q, sed


def test_faiss(exported):
    faiss = pytest.importorskip("faiss")
    folder, c, queries, want = exported
    q = queries["sed"]
    z = np.load(folder / "z.npy")
    index = faiss.IndexFlat(z.shape[1], faiss.METRIC_L1)
    index.add(z)
    d, rows = index.search(np.append(q, np.float32(0))[None], 10)
    sed = (d[0] + q.sum(dtype=np.float64) - c) / 2
    assert np.allclose(sed, want, atol=1e-3)


def test_qdrant(exported):
    qdrant_client = pytest.importorskip("qdrant_client")
    pq = pytest.importorskip("pyarrow.parquet")
    from qdrant_client import models

    folder, c, queries, want = exported
    q = queries["sed"]
    table = pq.read_table(folder / "sed.parquet", columns=["id", "vector"]).to_pydict()
    client = qdrant_client.QdrantClient(":memory:")
    size = len(table["vector"][0])
    client.create_collection("z", vectors_config=models.VectorParams(size=size, distance=models.Distance.MANHATTAN))
    points = [models.PointStruct(id=i, vector=v, payload={"id": table["id"][i]}) for i, v in enumerate(table["vector"])]
    client.upsert("z", points)
    found = client.query_points("z", [*q.tolist(), 0.0], limit=10, search_params=models.SearchParams(exact=True)).points
    sed = (np.array([p.score for p in found]) + q.sum(dtype=np.float64) - c) / 2
    assert np.allclose(sed, want, atol=1e-3)


def test_clickhouse(exported):
    """The SQL of docs/scale.md in ClickHouse's engine without a server."""
    chdb = pytest.importorskip("chdb")
    pq = pytest.importorskip("pyarrow.parquet")
    folder, _, queries, sed = exported
    x = np.array(pq.read_table(folder / "ged.parquet", columns=["vector"]).column(0).to_pylist(), np.float64)
    ged = np.sort(np.abs(queries["ged"] - x).sum(axis=1))[:10]
    for task, distance, want in (
        ("ged", "L1Distance(vector, q)", ged),
        ("sed", "arraySum((q, x) -> greatest(0, q - x), q, arrayPopBack(vector))", sed),
    ):
        q = "[" + ",".join(map(repr, queries[task].astype(float).tolist())) + "]"
        sql = f"""with {q}::Array(Float64) as q
            select id, {distance} as d from file('{folder}/{task}.parquet') order by d, id limit 10"""
        rows = str(chdb.query(sql, "CSV")).split()
        assert len({r.split(",")[0] for r in rows}) == 10
        assert np.allclose([float(r.split(",")[1]) for r in rows], want, atol=1e-3)
