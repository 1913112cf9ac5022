"""Models as modules of PyTorch, where that is installed."""

import numpy as np
import pytest

import greed

torch = pytest.importorskip("torch")

import greed.torch as gt  # noqa: E402


def close(a, b):
    scale = np.abs(b).max(axis=1, keepdims=True)
    return (np.abs(a - b) <= 1e-4 * scale + 1e-5).all()


@pytest.mark.parametrize("task", ["ged", "sed"])
def test_same_vectors(task, tmp_path):
    ours = greed.Model.bundled(task)
    ours.save(tmp_path / "m.safetensors")
    theirs = gt.load(tmp_path / "m.safetensors")
    graphs = [*list(greed.Collection.bundled())[:60], "C", "[Rn]", "CC1CC1.C1CCCCCCCCCCCC1"]
    with torch.no_grad():
        z = theirs(graphs)
        d = theirs.distance(z[:, None], z[None]).numpy()
    assert close(z.numpy(), ours.embed(graphs))
    assert np.allclose(d, ours.predict(graphs, raw=True), rtol=1e-3, atol=1e-3)
    assert theirs([]).shape == (0, ours.dim)


@pytest.mark.parametrize("directed", [False, True])
def test_other_graphs(directed, tmp_path):
    # With self-loops, parallel edges, a wildcard, labels that are new, and a node with many neighbours.
    rng = np.random.default_rng(5)
    graphs = []
    for n in range(1, 25):
        ends = rng.integers(0, n, (2 * n, 2))
        graphs.append(greed.Graph(["abc"[k] for k in rng.integers(0, 3, n)], [(int(u), int(v), "xy"[u % 2]) for u, v in ends], directed=directed))
    ours = greed.train(graphs, steps=3, max_pairs=60, hidden=16, layers=3, trials=False, progress=None)
    ours.save(tmp_path / "m.safetensors")
    star = greed.Graph(["a"] * 300, [(0, v, "x") for v in range(1, 300)], directed=directed)
    odd = greed.Graph(["new", greed.WILDCARD], [(0, 1, "new"), (1, 1, greed.WILDCARD)], directed=directed)
    theirs = gt.load(tmp_path / "m.safetensors")
    with torch.no_grad():
        assert close(theirs([*graphs, star, odd]).numpy(), ours.embed([*graphs, star, odd]))
    with pytest.raises(greed.ModelError, match="was trained on"):
        theirs([greed.Graph(["a"], directed=not directed)])


def test_trained_and_given_back(tmp_path):
    greed.Model.bundled("ged").save(tmp_path / "m.safetensors")
    m = gt.load(tmp_path / "m.safetensors")
    pairs, truth = [("CCO", "CCN"), ("CCCC", "CCCO"), ("c1ccccc1", "c1ccncc1")], torch.tensor([1.0, 1.0, 1.0])
    optimizer = torch.optim.Adam(m.parameters(), 1e-3)
    losses = []
    for _ in range(8):
        loss = (m.distance(m([q for q, _ in pairs]), m([t for _, t in pairs])) - truth).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(float(loss))
    assert losses[-1] < losses[0] / 2
    m.save(tmp_path / "back.safetensors")
    back = greed.Model.load(tmp_path / "back.safetensors")
    with torch.no_grad():
        assert close(m(["CCO", "CC(=O)O"]).numpy(), back.embed(["CCO", "CC(=O)O"]))
    (tmp_path / "bad").write_bytes((2).to_bytes(8, "little") + b"{}")
    with pytest.raises(greed.ModelError, match="not a greed model"):
        gt.load(tmp_path / "bad")
