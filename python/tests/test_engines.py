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


def test_faiss(tmp_path):
    faiss = pytest.importorskip("faiss")
    from greed import _binary

    def run(*args):
        return subprocess.run([_binary.path(), *args], cwd=tmp_path, check=True, capture_output=True, text=True).stdout

    bundled = list(greed.Collection.bundled())[:500]
    (tmp_path / "m.smi").write_text("".join(f"{g.smiles} {g.id}\n" for g in bundled))
    run("index", "build", "m.smi", "-o", "m.index")
    c = float(run("index", "export", "m.index", "-o", "z.npy", "--embedding", "sed", "--manhattan").split()[-1])
    z = np.load(tmp_path / "z.npy")
    index = faiss.IndexFlat(z.shape[1], faiss.METRIC_L1)
    index.add(z)
    q = greed.Model.bundled("sed").embed(["c1ccccc1O"])[0]
    d, rows = index.search(np.append(q, np.float32(0))[None], 10)
    sed = (d[0] + q.sum(dtype=np.float64) - c) / 2
    want = np.sort(np.maximum(q - z[:, :-1], 0).sum(axis=1, dtype=np.float64))[:10]
    assert np.allclose(sed, want, atol=1e-3)
