"""What notebooks show: tables with drawings. Molecules are drawn if RDKit is there. Graphs and results know nothing
of it: this module, which knows them, gives them their pictures."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from ._collection import Answer, SearchResult
from ._distance import CommonSubgraph, Distance, Edit
from ._graph import Graph, smiles, without_hydrogens

#: How many answers, and edits of each, are shown.
_MOST = 50


def _text(text: str) -> str:
    """Returns a text as HTML. Characters that would turn the direction of others, or not be seen, are written as \\u202e."""
    return escape(re.sub("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]", lambda c: ascii(c[0])[1:-1], text))


def svg(graph: Graph, nodes: Iterable[int] = (), edges: Iterable[tuple[int, int]] = (), width: int = 220) -> str | None:
    """Returns a drawing of a molecule with some atoms and bonds marked, or None."""
    if graph.smiles is None:
        return None
    try:
        from rdkit import Chem, RDLogger
        from rdkit.Chem.Draw import rdMolDraw2D
    except ImportError:
        return None
    RDLogger.logger()  # loads the module whose switches follow
    mol = Chem.MolFromSmiles(graph.smiles, sanitize=False)
    if mol is None:
        return None
    # RDKit's own limits of valence are no reason not to draw.
    mol.UpdatePropertyCache(strict=False)
    Chem.GetSymmSSSR(mol)
    # Hydrogens are no nodes: numbers of atoms differ where SMILES writes them as atoms.
    mol, _ = without_hydrogens(mol)
    atoms = [v for v in nodes if v < mol.GetNumAtoms()]
    bonds = []
    for u, v in edges:
        if max(u, v) < mol.GetNumAtoms() and (bond := mol.GetBondBetweenAtoms(u, v)) is not None:
            bonds.append(bond.GetIdx())
    drawer = rdMolDraw2D.MolDraw2DSVG(width, width * 3 // 4)
    drawer.drawOptions().prepareMolsBeforeDrawing = False  # type: ignore[assignment]
    try:
        mol = rdMolDraw2D.PrepareMolForDrawing(mol, kekulize=False)
        drawer.DrawMolecule(mol, highlightAtoms=atoms, highlightBonds=bonds)
    except Exception:  # a drawing is no reason for a result not to be shown
        return None
    drawer.FinishDrawing()
    return drawer.GetDrawingText().partition("?>")[2].strip()


def _picture(graph: Graph, marks: tuple[set[int], set[tuple[int, int]]]) -> str:
    return svg(graph, *marks) or f"<code>{_text(graph.smiles or repr(graph))}</code>"


def _marks(edits: Iterable[Edit], side: str, names: tuple | None) -> tuple[set[int], set[tuple[int, int]]]:
    """Returns the nodes and edges that edits touch on one side, by number."""
    number = None if names is None else {v: i for i, v in enumerate(names)}
    nodes: set[int] = set()
    edges: set[tuple[int, int]] = set()
    for e in edits:
        ends: Any = getattr(e, side)
        if ends is None:
            continue
        ends = tuple(ends) if number is None else tuple(number[v] for v in ends)
        if len(ends) == 1:
            nodes.add(ends[0])
        else:
            edges.add(ends)
    return nodes, edges


def _list(edits: Sequence[Edit]) -> str:
    lines = "".join(f"<li>{_text(str(e))}</li>" for e in edits[:_MOST])
    if len(edits) > _MOST:
        lines += f"<li>and {len(edits) - _MOST:,} more</li>"
    return f"<ul style='text-align:left;margin:0'>{lines}</ul>" if lines else ""


def pair(d: Distance) -> str:
    """Returns the two graphs of a distance beside each other, and the edits."""
    edits = d.edits if d.task != "mcs" else []
    # RDKit molecules have other numbers than their SMILES: marks are by position.
    query = _picture(d.query, _marks(edits, "query", d.query.nodes))
    target = _picture(d.target, _marks(edits, "target", d.target.nodes))
    known = d._known() if d.exact else f"{d._known()}, not proven"
    return (
        f"<table><tr><th>query</th><th>target</th><th>{_text(d.task)} {known}</th></tr>"
        f"<tr><td>{query}</td><td>{target}</td><td>{_list(edits)}</td></tr></table>"
    )


def common(c: CommonSubgraph) -> str:
    """Returns the two graphs of a common subgraph beside each other, with what they have in common marked."""
    m = c._map
    there = {(u, v) for u, v, _ in c.target.edges} | ({(v, u) for u, v, _ in c.target.edges} if not c.target.directed else set())
    nodes = {v for v, w in enumerate(m) if w >= 0}
    edges = {(u, v) for u, v, _ in c.query.edges if u in nodes and v in nodes and (m[u], m[v]) in there}
    query = _picture(c.query, (nodes, edges))
    target = _picture(c.target, ({m[v] for v in nodes}, {(m[u], m[v]) for u, v in edges}))
    return f"<table><tr><th>query</th><th>target</th></tr><tr><td>{query}</td><td>{target}</td></tr></table><p>{_text(repr(c))}</p>"


def result(r: SearchResult) -> str:
    """Returns the answers of a search as a table."""
    rows = []
    for a in r[:_MOST]:
        edits = a.edits
        known = f"<i>{a._known()}</i>" if a.lower is None else a._known()
        drawn = a.smiles and svg(smiles(a.smiles), *_marks(edits, "target", None))
        picture = drawn or f"<code>{_text(a.smiles or '')}</code>"
        rows.append(
            f"<tr><td>{_text(a.id)}</td><td>{known}</td><td>{_similarity(a)}</td><td>{picture}</td><td>{_list(edits)}</td></tr>"
        )
    notes = "".join(f"<br>{_text(w)}" for w in map(str, r.notes))
    if not rows:
        return f"<p><b>no answers; {_text(r.verdict)}</b>{notes}</p>"
    more = f"<p>and {len(r) - _MOST:,} more answers</p>" if len(r) > _MOST else ""
    return (
        f"<p><b>{_text(r.verdict)}</b>{notes}</p><table><tr><th>id</th><th>{_text(r.task)}</th><th>similarity</th>"
        f"<th>graph</th><th>edits</th></tr>{''.join(rows)}</table>{more}"
    )


def _similarity(a: Answer) -> str:
    """Returns the similarity of an answer; of one with bounds it is the least that it can be."""
    if a.exact or a.lower is None:
        return f"{a.similarity:.3f}"
    return f"≥ {math.floor(a.similarity * 1000) / 1000:.3f}"


for _kind, _form, _picture_of in (
    (Graph, "_repr_svg_", svg), (Distance, "_repr_html_", pair), (CommonSubgraph, "_repr_html_", common),
    (SearchResult, "_repr_html_", result),
):  # fmt: skip
    setattr(_kind, _form, _picture_of)
