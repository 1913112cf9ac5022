import json
import os
import pickle
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import greed
from greed import _binary

SMALL = {"max_pairs": 100, "hidden": 16, "layers": 2, "trials": False, "progress": None}


@pytest.fixture(scope="module")
def graphs():
    return list(greed.Collection.bundled())[:30]


@pytest.fixture(scope="module")
def model(graphs):
    return greed.train(graphs, steps=30, **SMALL)


def test_training(model, graphs):
    assert model.task == "ged" and model.curve and model.stopped is None
    assert model.curve[-1]["done"] == 30 and model.metrics["mae"] > 0
    again = greed.train(graphs, steps=30, **SMALL)
    assert again.fingerprint == model.fingerprint  # of the same seed
    assert greed.train(graphs, steps=30, seed=2, **SMALL).fingerprint != model.fingerprint


def test_predictions_are_distances_of_vectors(model, graphs):
    z = model.embed(graphs)
    assert z.shape == (30, model.dim) and z.dtype == np.float32
    p = model.predict(graphs)
    assert p.shape == (30, 30) and np.allclose(p, p.T) and (np.diag(p) == 0).all()
    assert np.allclose(model.predict(graphs, graphs[::-1], pairs=True), np.diag(p[:, ::-1]))
    assert model.embed([]).shape == (0, model.dim)
    assert model.predict([], graphs).shape == (0, 30)
    with pytest.raises(ValueError, match="cannot be paired"):
        model.predict(graphs, graphs[:2], pairs=True)


def test_predictions_are_those_of_the_command(tmp_path):
    # CCO and CC(=O)Oc1ccccc1C(=O)O have few vertices in common: bounds by labels hold there, and the norm does not.
    smiles = ["C", "CCO", "c1ccccc1", "CC(=O)Oc1ccccc1C(=O)O", "[Na+].[Cl-]", "FC(F)(F)F"]
    (tmp_path / "x.smi").write_text("".join(f"{s}\n" for s in smiles))
    m = greed.Model.bundled()
    m.save(tmp_path / "m.safetensors")
    seen = []
    for flags, options in [([], {}), (["--raw"], {"raw": True}), (["--states", "100"], {"states": 100})]:
        run = [_binary.path(), "predict", "m.safetensors", "x.smi", "x.smi", "--matrix", "--json", *flags]
        out = subprocess.run(run, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
        want = np.array([json.loads(line)["predicted"] for line in out.splitlines()]).reshape(6, 6)
        assert (m.predict(smiles, **options) == want).all()
        seen.append(want)
    assert (seen[0] != seen[1]).any() and (seen[0] != seen[2]).any()
    with pytest.raises(greed.GreedError, match="leave out states"):
        m.predict(smiles, raw=True, states=3)


def test_files(model, graphs, tmp_path):
    model.save(tmp_path / "m.safetensors")
    assert os.listdir(tmp_path) == ["m.safetensors"]
    loaded = greed.Model.load(tmp_path / "m.safetensors")
    assert loaded.fingerprint == model.fingerprint
    assert (loaded.embed(graphs[:3]) == model.embed(graphs[:3])).all()
    assert pickle.loads(pickle.dumps(model)).fingerprint == model.fingerprint
    (tmp_path / "bad").write_text("no model at all")
    with pytest.raises(greed.ModelError, match="not a greed model"):
        greed.Model.load(tmp_path / "bad")
    with pytest.raises(FileNotFoundError):
        greed.Model.load(tmp_path / "none")
    with pytest.raises(greed.ModelError, match="mcs"):
        greed.Model.bundled("mcs")


def test_attached(model, graphs):
    c = greed.Collection(graphs)
    c.attach(model)
    assert c.models == ["ged"] and (c.embed() == model.embed(graphs)).all()
    assert c.search(graphs[3], 1, mode="checked")[0].upper == 0


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_interrupt_keeps_the_best_model(graphs):
    started = threading.Event()

    def progress(done, total):
        if total == 100000 and done > 0 and not started.is_set():
            started.set()
            os.kill(os.getpid(), signal.SIGINT)

    m = greed.train(graphs, steps=100000, **{**SMALL, "progress": progress})
    assert m.stopped == "interrupted" and 0 < len(m.curve) < 200 and m.embed(["CCO"]).shape == (1, m.dim)
    # Nothing may be left to the garbage collector then: Python drops an interrupt that it
    # notices in a finalizer.
    many = list(greed.Collection.bundled())
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):  # before there is a model
        greed.train(many, progress=None)
    assert float(greed.ged("C", "N")) == 1


def test_bad_training():
    with pytest.raises(greed.GreedError):
        greed.train([], progress=None)
    with pytest.raises(greed.GreedError, match="rate"):
        greed.train(["CC", "CCC", "CCCC"], rate=-1, progress=None)
