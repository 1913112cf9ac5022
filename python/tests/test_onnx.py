"""Encoders in ONNX, where that and PyTorch are installed."""

import json

import numpy as np
import pytest

import greed

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")
runtime = pytest.importorskip("onnxruntime")

import greed.torch as gt  # noqa: E402


def same(model, graphs, tmp_path):
    """Compares the vectors of graphs in batches of several sizes, with those of greed."""
    model.save(tmp_path / "m.safetensors")
    encoder = gt.load(tmp_path / "m.safetensors")
    encoder.to_onnx(tmp_path / "m.onnx")
    session = runtime.InferenceSession(str(tmp_path / "m.onnx"), providers=["CPUExecutionProvider"])
    want = model.embed(graphs)
    for batch in (graphs, graphs[:1], graphs[1:8]):
        given = encoder.inputs(batch)
        assert sorted(given) == sorted(i.name for i in session.get_inputs())
        got = session.run(["vectors"], given)[0]
        part = want[graphs.index(batch[0]) :][: len(batch)]
        assert got.shape == part.shape
        scale = np.abs(part).max(axis=1, keepdims=True)
        assert (np.abs(got - part) <= 1e-4 * scale + 1e-5).all()
    assert session.run(["vectors"], encoder.inputs([]))[0].shape == (0, model.dim)
    return session


@pytest.mark.parametrize("task", ["ged", "sed"])
def test_bundled(task, tmp_path):
    session = same(greed.Model.bundled(task), [*list(greed.Collection.bundled())[:60], "C", "[Rn]"], tmp_path)
    about = json.loads(session.get_modelmeta().custom_metadata_map["greed.model"])
    assert "C" in about["vocabulary"]["nodes"] and about["config"]["norm"]["kind"] == "l1"


@pytest.mark.parametrize("directed", [False, True])
def test_other_graphs(directed, tmp_path):
    # With self-loops, parallel edges and graphs without edges.
    rng = np.random.default_rng(6)
    graphs = []
    for n in range(1, 25):
        ends = rng.integers(0, n, (2 * n if n > 1 else 0, 2))
        graphs.append(greed.Graph(["abc"[k] for k in rng.integers(0, 3, n)], [(int(u), int(v), "xy"[u % 2]) for u, v in ends], directed=directed))
    same(greed.train(graphs, steps=3, max_pairs=60, hidden=16, layers=3, trials=False, progress=None), graphs, tmp_path)
