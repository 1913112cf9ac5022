"""The examples of the repository run, and print what the docs show."""

import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

from greed import _binary

HERE = pathlib.Path(__file__).resolve().parent
NOTEBOOKS = [p for up in HERE.parents[:2] for p in sorted((up / "examples").glob("*.ipynb"))]


@pytest.mark.skipif(not NOTEBOOKS, reason="the examples are not here")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.name)
def test_notebook(path, monkeypatch):
    monkeypatch.chdir(path.parent)
    for name in ("rdkit", "pandas", "sklearn", "matplotlib"):
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


EXAMPLES = [p for p in sorted((HERE.parents[1] / "examples").rglob("*")) if p.suffix in (".py", ".sh")]
OF_ARGUMENTS = [p for p in EXAMPLES if p.name != "figures.py"]  # which needs none


@pytest.mark.skipif(not EXAMPLES, reason="the examples are not here")
@pytest.mark.parametrize("path", OF_ARGUMENTS, ids=lambda p: p.name)
def test_without_arguments_an_example_says_how_it_is_used(path, tmp_path):
    how = [sys.executable] if path.suffix == ".py" else ["bash"]
    away = {**os.environ, "PATH": "/usr/bin:/bin"}  # there is no greed there
    if path.name == "drugs.py":
        pytest.importorskip("rdkit")
    r = subprocess.run([*how, path], capture_output=True, text=True, cwd=tmp_path, env=away)
    assert r.returncode != 0 and "Traceback" not in r.stderr and path.name in r.stderr, r.stderr


@pytest.mark.skipif(not EXAMPLES, reason="the examples are not here")
def test_drugs_prints_what_the_docs_show():
    """examples/drugs.txt and the table of docs/molecules.md are what examples/drugs.py prints."""
    pytest.importorskip("rdkit")
    folder = HERE.parents[1]
    run = [sys.executable, folder / "examples" / "drugs.py", _binary.path()]
    out = subprocess.run(run, capture_output=True, text=True, check=True).stdout
    assert (folder / "examples" / "drugs.txt").read_text().split("\n", 1)[1] == out
    page = (folder / "docs" / "molecules.md").read_text()
    for text in out.strip().split("\n\n"):
        name, rings = re.match(r"(\w+)  \S+  \((\d+) rings\)", text).groups()
        means = re.findall(r"^  \S.*: Tanimoto ([\d.]+), ([\d.]+) rings", text, re.M)
        row = [name, rings, *(m[0] for m in means), *(m[1] for m in means)]
        assert f"| {' | '.join(row)} |" in page
