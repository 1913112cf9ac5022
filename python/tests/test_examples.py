"""The notebooks of the repository run from their first cell to their last."""

import json
import pathlib

import pytest

HERE = pathlib.Path(__file__).resolve().parent
NOTEBOOKS = [p for up in HERE.parents[:2] for p in sorted((up / "examples").glob("*.ipynb"))]


@pytest.mark.skipif(not NOTEBOOKS, reason="the examples are not here")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.name)
def test_notebook(path, monkeypatch):
    monkeypatch.chdir(path.parent)
    for name in ("rdkit", "pandas", "sklearn"):
        pytest.importorskip(name)
    scope = {"__name__": "__main__"}
    cells = json.loads(path.read_text())["cells"]
    assert all(not c.get("outputs") for c in cells), "notebooks are kept without outputs"
    for i, cell in enumerate(c for c in cells if c["cell_type"] == "code"):
        exec(compile("".join(cell["source"]), f"{path.name}, cell {i}", "exec"), scope)
    # What the text says.
    if path.name == "gallery.ipynb":
        assert len(scope["hits"]) == 5 and len(set(scope["clusters"])) == 6 and scope["cliffs"][0].change > 0
        assert scope["change"] > 0 and scope["process"] > 0 and scope["common"] > 0 and len(scope["answers"]) == 3
        return
    assert scope["result"].proven and scope["distances"].shape == (3, 5)
    frame = scope["frame"]
    assert len(frame) and (frame["distance"].fillna(1) <= 1).all()
    exact = frame[frame["RDKit matches"]]
    assert (exact["upper"] == 0).all() and len(exact)
    assert len(set(scope["clusters"])) == 6
