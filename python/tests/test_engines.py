"""The examples for Ray and Dask; each needs its package."""

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
             runtime_env={"env_vars": {"PYTHONPATH": sys.path[0]}})  # fmt: skip
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
