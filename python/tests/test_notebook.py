import sys

import pytest

import greed


def test_tables_without_drawings(monkeypatch):
    monkeypatch.setitem(sys.modules, "rdkit", None)
    c = greed.Collection(["CCO", "CCN"], ids=["<b>", "b"])
    html = c.search("CCO")._repr_html_()
    assert "&lt;b&gt;" in html and "<b>proven" in html and "<code>CCN</code>" in html and "<svg" not in html
    assert "<code>CCO</code>" in greed.ged("CCO", "CCN")._repr_html_()
    assert greed.smiles("CCO")._repr_svg_() is None


def test_drawings():
    pytest.importorskip("rdkit.Chem.Draw.rdMolDraw2D")
    html = greed.Collection(["CCO", "CCN", "[H][H]", "C[N](C)(C)(C)C"]).search("CCO")._repr_html_()
    assert html.count("<svg") == 4
    plain, marked = greed.smiles("CCO")._repr_svg_(), greed.ged("CCO", "CCN")._repr_html_()
    assert plain.startswith("<svg") and marked.count("<svg") == 2
    assert "ellipse" in marked and "ellipse" not in plain  # the atoms that change


def test_a_pair_that_is_no_molecule():
    html = greed.ged([(0, 1)], [(0, 1), (1, 2)])._repr_html_()
    assert "insert node" in html and "greed.Graph" in html


def test_what_nobody_reads_is_not_shown():
    c = greed.Collection(["CCO"] * 60, ids=map(str, range(60)))
    html = c.search("CCO", 60)._repr_html_()
    assert html.count("<tr>") == 1 + 50 and "and 10 more answers" in html
    assert "and 13 more" in greed.ged(greed.Graph(), greed.Graph(["C"] * 63))._repr_html_()


def test_nothing_found():
    html = greed.Collection(["CCO"]).search("CCN", radius=0)._repr_html_()
    assert "no answers; proven" in html and "<table>" not in html


def test_characters_that_hide():
    html = greed.Collection(["CCO"], ids=["\u202ea"]).search("CCO")._repr_html_()
    assert "\u202e" not in html and "\\u202ea" in html
