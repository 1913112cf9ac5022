"""Graphs, and what can be converted to one."""

from __future__ import annotations

import json
import os
import re
import sys
from array import array
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, Union

import numpy as np

from ._child import ask, log
from ._errors import GraphError, RequestError, no_option
from ._frames import Array

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: The label of nodes and edges that have none.
UNLABELLED = "0"


class _Wildcard:
    """The label that matches any label in a subgraph query."""

    def __repr__(self) -> str:
        return "greed.WILDCARD"

    def __reduce__(self) -> str:
        return "WILDCARD"


WILDCARD = _Wildcard()

#: How a label is found: the name of an attribute, several for costs that compare their values, a
#: function, or None for no labels.
LabelOf = Union[str, Sequence[str], Callable[..., Any], None]


class Graph:
    """A labelled graph: a molecule given by its SMILES, or nodes and edges.

    Make one with :func:`greed.graph`, :func:`greed.smiles` or :func:`greed.read`.
    Graphs do not change.

    ``id`` and ``name`` are what a file calls it, ``attributes`` its other properties.
    ``nodes`` are the names of the nodes, in the order of their numbers, or None
    where they are numbered 0, 1, 2, ....
    """

    __slots__ = ("smiles", "directed", "nodes", "id", "name", "attributes", "_labels", "_ends", "_marks", "_compared", "_asks")

    smiles: str | None
    directed: bool
    nodes: tuple[Hashable, ...] | None
    id: str | None
    name: str | None
    attributes: Mapping[str, Any]

    def __init__(
        self,
        labels: Iterable[Any] = (),
        edges: Iterable[Sequence[Any]] = (),
        *,
        directed: bool = False,
        nodes: Iterable[Hashable] | None = None,
        id: str | None = None,
        name: str | None = None,
        attributes: Mapping[str, Any] | None = None,
    ):
        """Makes a graph from the labels of its nodes and edges ``(u, v)`` or ``(u, v, label)``,
        whose ends are positions in ``labels`` or, if ``nodes`` names them, names."""
        self.smiles = None
        self.directed = directed
        self.nodes = None if nodes is None else tuple(nodes)
        self.id, self.name, self.attributes = id, name, attributes or {}
        self._compared: tuple[str, ...] | None = None
        self._asks = False  # it was read of a query molecule, whose conditions it does not have
        self._labels = [as_label(x) for x in labels]
        position = None
        if self.nodes is not None:
            position = {v: i for i, v in enumerate(self.nodes)}
            if len(self.nodes) != len(self._labels):
                raise GraphError(f"{len(self.nodes)} nodes, {len(self._labels)} labels")
            if twice := [v for i, v in enumerate(self.nodes) if position[v] != i]:
                raise GraphError(f"two nodes are named {twice[0]!r}")
        self._ends = array("i")
        self._marks = []
        for edge in edges:
            u, v, label = _edge(edge)
            try:
                self._ends.extend((u, v) if position is None else (position[u], position[v]))
            except KeyError as e:
                raise GraphError(f"edge {u!r}-{v!r}: there is no node {e.args[0]!r}") from None
            except (TypeError, OverflowError):
                raise GraphError(f"edge {u!r}-{v!r}: want the positions of two nodes, or name the nodes by nodes=…") from None
            self._marks.append(label)

    @classmethod
    def _make(cls, smiles=None, directed=False, nodes=None, id=None, name=None, attributes=None, labels=(), ends=None, marks=()):
        g = cls.__new__(cls)
        g.smiles, g.directed, g.nodes, g.id, g.name, g.attributes = smiles, directed, nodes, id, name, attributes or {}
        g._labels, g._ends, g._marks = labels, ends if ends is not None else array("i"), marks
        # What the labels of a molecule have besides elements and bonds; None: it is none, or they are not there.
        g._compared = None
        g._asks = False
        return g

    def __repr__(self) -> str:
        name = "" if self.id is None else f" {self.id}"
        if self.smiles is not None:
            return f"<greed.Graph{name} {self.smiles}>"
        kind = "directed, " if self.directed else ""
        return f"<greed.Graph{name} {kind}{len(self._labels)} nodes, {len(self._marks)} edges>"

    def expand(self) -> Graph:
        """Returns the same graph with its nodes and edges loaded, for a molecule those of its SMILES."""
        if self.smiles is None:
            return self
        g = expand([self])[0]
        g.id, g.name, g.attributes, g.nodes = self.id, self.name, self.attributes, self.nodes
        g._compared = ()
        g._asks = self._asks
        return g

    @property
    def labels(self) -> list[Any]:
        """The labels of the nodes."""
        return list(self.expand()._labels)

    @property
    def edges(self) -> list[tuple[int, int, Any]]:
        """The edges: their ends, as positions of nodes, and labels."""
        g = self.expand()
        return list(zip(g._ends[0::2], g._ends[1::2], g._marks))

    def to_networkx(self) -> Any:
        """Returns a networkx.Graph or DiGraph with the attribute ``label`` on nodes and edges, or a MultiGraph or
        MultiDiGraph if there are parallel edges."""
        import networkx as nx

        g = self.expand()
        ends = {(u, v) if g.directed or u < v else (v, u) for u, v, _ in g.edges}
        parallel = len(ends) < len(g.edges)
        out: Any = (nx.MultiDiGraph if g.directed else nx.MultiGraph)() if parallel else nx.DiGraph() if g.directed else nx.Graph()
        names = g.nodes if g.nodes is not None else range(len(g._labels))
        out.add_nodes_from((v, {"label": label}) for v, label in zip(names, g._labels))
        out.add_edges_from((names[u], names[v], {"label": label}) for u, v, label in g.edges)
        return out


def missing(x: Any) -> bool:
    """Returns whether a value is None, NaN, or what pandas has in their place."""
    try:
        return x is None or bool(x != x)
    except (TypeError, ValueError):  # pandas.NA does not say; arrays are values
        return type(x).__name__ == "NAType"


def as_label(x: Any) -> Any:
    """Returns the text of a label. Real numbers are not labels: they would hardly ever be equal. Neither is a
    missing value, which would equal every other one."""
    if isinstance(x, str) or x is WILDCARD:
        return x
    if missing(x):
        raise GraphError(f"{x!r} is not a label: leave out what has none, fill it, or pass a function")
    if isinstance(x, (bool, np.bool_)):
        return str(bool(x))
    if isinstance(x, (float, np.floating)):
        if not np.isfinite(x) or x != int(x):
            raise GraphError(f"{x!r} is a real number, not a label: round or bin it, or pass a function")
        return str(int(x))
    return str(x)


def smiles(text: str, *, id: str | None = None, name: str | None = None) -> Graph:
    """Returns the molecule of a SMILES: atoms without hydrogens, labelled by element, and bonds
    by order. It is parsed when it is used."""
    if not isinstance(text, str):
        raise GraphError(f"{text!r} is not a SMILES: want a string")
    return Graph._make(smiles=text, id=id, name=name)


#: What names of compounds are written with, and letters that no SMILES has outside brackets.
_NAME, _FOREIGN = re.compile(r"[\w \-,.'()+/’‐–]{3,}"), re.compile(r"[^BCNOPSFIbcnops\d\-.()+/]")
_CAS = re.compile(r"\s*\d{2,7}-\d\d-\d\s*")


def of_texts(texts: Sequence[str]) -> list[Graph]:
    """Returns the molecules of SMILES and of names of compounds, which the program knows. Whatever else a
    text is, an error says when the graph is used."""
    out = [smiles(text) for text in texts]
    maybe = [
        i for i, text in enumerate(texts)
        if _NAME.fullmatch(text) and _FOREIGN.search(text.replace("Cl", "").replace("Br", "")) or _CAS.fullmatch(text)
    ]
    if maybe:
        for found in ask("names", {"texts": [texts[i] for i in maybe]})[0]:
            out[maybe[found["text"]]] = smiles(found["smiles"], name=found["name"])
            log.info("%s", found["remark"])
    return out


def graph(
    obj: Any,
    *,
    node_label: LabelOf = None,
    edge_label: LabelOf = None,
    simplify: bool = False,
    rules: Mapping[str, Any] | None = None,
) -> Graph:
    """Returns the graph that an object stands for.

    The object is a :class:`Graph`; a SMILES, or the name of a common compound, or its CAS number;
    a ``pathlib.Path`` of a file with
    one graph; a networkx graph; an RDKit molecule; a PyTorch Geometric ``Data``;
    or a list or array of edges ``(u, v)`` or ``(u, v, label)``.

    ``node_label`` and ``edge_label`` choose the labels of networkx graphs and
    ``Data``: an attribute by its name, or a function of the attributes (of a
    node or an edge of networkx, or of a row of ``x`` or ``edge_attr``). A list of names, of networkx
    graphs, makes their values the label together, numbers too: for costs that compare
    them (``parts`` of :class:`Table`). Without, nodes or edges have no labels. A missing value (None, NaN,
    ``pandas.NA``) is no label, and an error. Self-loops and parallel edges are edges like others;
    with ``simplify`` a node ``C`` with a loop labelled ``x`` becomes ``C@x``, and
    parallel edges ``x`` and ``y`` become one edge ``x+y``. ``rules``, those of a file that
    was read, take the place of all three.
    """
    if isinstance(obj, Graph):
        return obj
    if rules is None and (node_label is not None or edge_label is not None):
        if isinstance(obj, str) or hasattr(obj, "GetNumHeavyAtoms"):
            raise GraphError(
                "atoms and bonds always have labels: leave out node_label and edge_label (ignore_edge_labels compares without those of bonds)"
            )
    if isinstance(obj, str):
        return of_texts([obj])[0]
    if isinstance(obj, os.PathLike):
        graphs = _of_file(obj, node_label, edge_label, simplify, rules)
        if len(graphs) != 1:
            raise GraphError(f"{os.fspath(obj)} has {len(graphs)} graphs, want one")
        return graphs[0]
    if hasattr(obj, "is_multigraph") and hasattr(obj, "adj"):
        return _from_networkx(obj, node_label, edge_label, simplify) if rules is None else _by_rules(obj, rules)
    if hasattr(obj, "GetNumHeavyAtoms"):
        return _from_rdkit(obj)
    if hasattr(obj, "edge_index") and hasattr(obj, "num_nodes"):
        return _from_pyg(obj, node_label, edge_label, simplify)
    if isinstance(obj, (list, tuple, np.ndarray)):
        return _from_edges(obj)
    raise GraphError(
        f"{type(obj).__module__}.{type(obj).__name__} is not a graph: want a SMILES, a path, a networkx graph, "
        "an RDKit molecule, a PyTorch Geometric Data or a list of edges"
    )


def _name(label: LabelOf) -> str | None:
    if callable(label):
        raise GraphError("labels of files are chosen by the name of an attribute, not by a function")
    return label if label is None or isinstance(label, str) else ",".join(label)


def _of_file(
    path: Any, node_label: LabelOf = None, edge_label: LabelOf = None, simplify: bool = False, rules: Mapping[str, Any] | None = None
) -> list[Graph]:
    if rules is not None:
        return records(*ask("read", {"path": os.path.abspath(os.fspath(path)), **rules}))
    return read(path, node_label=_name(node_label), edge_label=_name(edge_label), simplify=simplify)


def graphs(objs: Any, **options: Any) -> list[Graph]:
    """Returns the graphs of a file (a path), of one column of a table, or of any iterable."""
    if isinstance(objs, (str, os.PathLike)):
        try:
            return _of_file(objs, **options)
        except FileNotFoundError as e:
            raise FileNotFoundError(f"{e} (where several graphs are expected, pass a list of them or a path)") from None
    if isinstance(objs, Graph) or hasattr(objs, "is_multigraph") or hasattr(objs, "GetNumHeavyAtoms"):
        raise GraphError("one graph where several are expected: put it into a list")
    if isinstance(objs, Mapping) or hasattr(objs, "columns"):
        raise GraphError(f"a {type(objs).__name__} where several graphs are expected: pass its values, or one of its columns")
    out = []
    objs = list(objs)
    texts = iter(of_texts([obj for obj in objs if isinstance(obj, str)]))
    for i, obj in enumerate(objs):
        try:
            out.append(obj if isinstance(obj, Graph) else next(texts) if isinstance(obj, str) else graph(obj, **options))
        except GraphError as e:
            if e.record is not None:
                raise
            raise type(e)(f"graph {i}: {e}", i) from e
    return out


class Labels(NamedTuple):
    """The arguments of :func:`graph` that many functions take and pass on."""

    node_label: LabelOf = None
    edge_label: LabelOf = None
    simplify: bool = False

    def graph(self, obj: Any) -> Graph:
        """Returns the graph that an object stands for."""
        return graph(obj, **self._asdict())

    def graphs(self, objs: Any) -> list[Graph]:
        """Returns the graphs that several objects stand for."""
        return graphs(objs, **self._asdict())


def _made(directed: bool, labels: list, ends: Iterable, marks: Iterable, simplify: bool, nodes: Sequence) -> Graph:
    """Makes a graph, which simplify makes simple."""
    names = None if list(nodes) == list(range(len(labels))) else tuple(nodes)
    if not simplify:
        flat = array("i", (v for e in ends for v in e))
        return Graph._make(directed=directed, nodes=names, labels=labels, ends=flat, marks=list(marks))
    loops: dict[int, list] = {}
    edges: dict[tuple[int, int], list] = {}
    for (u, v), label in zip(ends, marks):
        if u == v:
            loops.setdefault(u, []).append(label)
        else:
            edges.setdefault((u, v) if directed or u < v else (v, u), []).append(label)
    for u, several in loops.items():
        labels[u] = f"{_text(labels[u])}@{_folded(several)}"
    flat = array("i")
    for u, v in edges:
        flat.append(u)
        flat.append(v)
    marks = [several[0] if len(several) == 1 else _folded(several) for several in edges.values()]
    return Graph._make(directed=directed, nodes=names, labels=labels, ends=flat, marks=marks)


def _text(label: Any) -> str:
    if label is WILDCARD:
        raise GraphError("a wildcard cannot be folded into a label with others")
    return label


def _folded(several: list) -> str:
    """Returns one label in place of several."""
    return "+".join(sorted(map(_text, several)))


def _attribute(what: LabelOf, attributes: Mapping, where: Callable[[], str]) -> Any:
    if what is None:
        return UNLABELLED
    if callable(what):
        return as_label(what(attributes))
    try:
        if isinstance(what, str):
            return as_label(attributes[what])
        return "|".join(_value(name, attributes[name]) for name in what)
    except KeyError as e:
        have = ", ".join(map(repr, attributes)) or "none"
        raise GraphError(f"{where()} has no attribute {e.args[0]!r}; it has {have}") from None


def _value(name: str, x: Any) -> str:
    if missing(x):
        raise GraphError(f"attribute {name!r} is {x!r}, which is no part of a label: fill it, or pass a function")
    return str(x)


def _from_networkx(g: Any, node_label: LabelOf, edge_label: LabelOf, simplify: bool) -> Graph:
    nodes = list(g)
    position = {v: i for i, v in enumerate(nodes)}
    if node_label is None:
        labels: list = [UNLABELLED] * len(nodes)
    else:
        labels = [_attribute(node_label, d, lambda: f"node {v!r}") for v, d in g.nodes(data=True)]
    ends, marks = [], []
    for u, v, d in g.edges(data=True):
        ends.append((position[u], position[v]))
        marks.append(UNLABELLED if edge_label is None else _attribute(edge_label, d, lambda: f"edge {u!r}-{v!r}"))
    out = _made(g.is_directed(), labels, ends, marks, simplify, nodes)
    out.name = str(g.name) if g.name else None
    return out


def _by_rules(g: Any, rules: Mapping[str, Any]) -> Graph:
    """Has a networkx graph read by the same rules as a file."""
    import networkx as nx

    nodes: dict[Hashable, Any] = {str(v): v for v in g}
    if len(nodes) < len(g):
        raise GraphError("two nodes have the same name as text")
    link = nx.node_link_data(nx.relabel_nodes(g, str), edges="links")
    text = json.dumps(link, default=lambda x: x.item() if isinstance(x, np.generic) else str(x))
    out = records(*ask("read", {"text": text, "format": "json", **rules}))[0]
    names = tuple(nodes[v] for v in out.nodes) if out.nodes is not None else tuple(nodes.values())
    out.id, out.name = None, str(g.name) if g.name else None
    out.nodes = None if names == tuple(range(len(names))) else names
    return out


def _from_rdkit(mol: Any) -> Graph:
    """Lets RDKit write the SMILES, which knows the aromaticity, and keeps the numbers of its atoms."""
    Chem = sys.modules["rdkit.Chem"] if "rdkit.Chem" in sys.modules else __import__("rdkit.Chem").Chem
    name = mol.GetProp("_Name") if mol.HasProp("_Name") else None
    numbers = None
    if any(a.GetAtomicNum() == 1 for a in mol.GetAtoms()):
        mol, numbers = without_hydrogens(mol)
    if (pattern := query_pattern(mol)) is not None:
        raise GraphError(
            f"the molecule is a query ({pattern}), and a graph has no conditions: find what contains it by Collection.search(mol), or by its smarts"
        )
    text = Chem.MolToSmiles(mol)
    if not text:
        raise GraphError("the molecule has no atoms")
    order = mol.GetPropsAsDict(True, True)["_smilesAtomOutputOrder"]
    return Graph._make(smiles=text, nodes=tuple(order) if numbers is None else tuple(numbers[i] for i in order), name=name or None)


def query_pattern(obj: Any) -> str | None:
    """Returns the SMARTS of a molecule of RDKit that has conditions on atoms or bonds, and None of
    another and of any other object. An atom or a bond that may be any is none."""
    if not hasattr(obj, "GetNumHeavyAtoms"):
        return None
    asks = any(x.HasQuery() and x.DescribeQuery().strip() not in ("AtomNull", "BondNull") for x in (*obj.GetAtoms(), *obj.GetBonds()))
    return sys.modules["rdkit.Chem"].MolToSmarts(obj) if asks else None


def core_text(obj: Any) -> tuple[str, bool]:
    """Returns a core as text, and whether that is a SMARTS: of a molecule of RDKit, or a text itself."""
    if isinstance(obj, str):
        return obj, False
    if not hasattr(obj, "GetNumHeavyAtoms"):
        raise TypeError(f"the core is a {type(obj).__name__}: want a SMILES, a SMARTS, the text of a MOL file or a molecule of RDKit")
    pattern = query_pattern(obj)
    return (sys.modules["rdkit.Chem"].MolToSmiles(obj), False) if pattern is None else (pattern, True)


def without_hydrogens(mol: Any) -> tuple[Any, list[int]]:
    """Returns a molecule of RDKit without the hydrogens that are not nodes, and the atoms that are left.
    Those with isotopes or charges are nodes, and so are those without one heavy neighbour."""
    Chem = sys.modules["rdkit.Chem"]
    mol = Chem.Mol(mol)
    Chem.RemoveStereochemistry(mol)  # it would keep hydrogens, and is not compared
    for i, atom in enumerate(mol.GetAtoms()):
        atom.SetIntProp("_greed", i)
    how = Chem.RemoveHsParameters()
    how.showWarnings = False
    mol = Chem.RemoveHs(mol, how, sanitize=False)
    numbers = [atom.GetIntProp("_greed") for atom in mol.GetAtoms()]
    for atom in mol.GetAtoms():
        atom.ClearProp("_greed")
    return mol, numbers


def _rows(values: Any, label: LabelOf, count: int) -> list:
    """Returns a label for each row: a number, the position of the 1 in a one-hot row, or the result of a function."""
    rows = np.asarray(values.detach().cpu() if hasattr(values, "detach") else values)
    if len(rows) != count:
        raise GraphError(f"{len(rows)} rows of labels for {count} elements")
    if callable(label):
        return [as_label(label(row)) for row in rows]
    if not isinstance(label, str):
        raise GraphError("labels of Data are one attribute, or a function that makes a label of a row")
    if rows.ndim == 2 and rows.shape[1] == 1:
        rows = rows[:, 0]
    if rows.ndim == 1:
        return [as_label(x) for x in rows.tolist()]
    ones = (rows == 1).sum(1) == 1
    if not (ones & ((rows != 0).sum(1) == 1)).all():
        raise GraphError("rows are not one-hot: pass a function that makes a label of a row")
    return [str(i) for i in rows.argmax(1).tolist()]


def _column(data: Any, usual: str, of: Any) -> Any:
    """Returns the attribute of a Data that makes the labels; functions are given the rows of the usual one."""
    name = usual if callable(of) else of
    if not isinstance(name, str):
        raise GraphError(f"a label of Data is one attribute, or a function that makes it of a row, not {of!r}")
    return getattr(data, name)


def _from_pyg(data: Any, node_label: LabelOf, edge_label: LabelOf, simplify: bool) -> Graph:
    index = data.edge_index
    index = np.asarray(index.detach().cpu() if hasattr(index, "detach") else index)
    n, m = int(data.num_nodes), index.shape[1]
    labels = [UNLABELLED] * n
    if node_label is not None:
        labels = _rows(_column(data, "x", node_label), node_label, n)
    marks = [UNLABELLED] * m
    if edge_label is not None:
        marks = _rows(_column(data, "edge_attr", edge_label), edge_label, m)
    ends = list(zip(*index.tolist())) if m else []
    directed = not _mirrored(ends, marks)
    if not directed:
        both = [(e, x) for e, x in zip(ends, marks) if e[0] <= e[1]]
        ends, marks = [e for e, _ in both], [x for _, x in both]
    return _made(directed, labels, ends, marks, simplify, range(n))


def _mirrored(ends: list, marks: list) -> bool:
    """Reports whether every edge is there in both directions with the same label, which is how
    PyTorch Geometric represents undirected graphs."""
    there = Counter(zip(ends, marks))
    return all(there[(v, u), x] == k for ((u, v), x), k in there.items())


def _edge(edge: Any) -> tuple[Any, Any, Any]:
    """Returns the ends and the label of an edge."""
    if not isinstance(edge, (list, tuple, np.ndarray)) or len(edge) not in (2, 3):
        raise GraphError(f"{edge!r} is not an edge: want (u, v) or (u, v, label)")
    u, v, *rest = edge.tolist() if isinstance(edge, np.ndarray) else edge
    return u, v, as_label(rest[0]) if rest else UNLABELLED


def _from_edges(edges: Any) -> Graph:
    position: dict[Hashable, int] = {}
    ends, marks = [], []
    once: Counter = Counter()  # edges without the same in the other direction
    for edge in edges:
        u, v, label = _edge(edge)
        for end in (u, v):
            if isinstance(end, (list, dict, set)) or missing(end):
                raise GraphError(f"{edge!r} is not an edge: {end!r} is not a node")
        a, b = position.setdefault(u, len(position)), position.setdefault(v, len(position))
        if a != b and once[b, a, label] > 0:  # as in files of edges, it is listed in both directions
            once[b, a, label] -= 1
            continue
        once[a, b, label] += 1
        ends.append((a, b))
        marks.append(label)
    return _made(False, [UNLABELLED] * len(position), ends, marks, False, list(position))


def named_map(m: Sequence[int], names: Sequence[Hashable] | None, others: Sequence[Hashable] | None) -> dict:
    """Returns a node map by the names of the nodes."""
    if names is not None and len(names) != len(m):
        raise GraphError(f"the query has {len(m)} nodes but {len(names)} names")
    return {
        (v if names is None else names[v]): (None if w < 0 else w if others is None else others[w]) for v, w in enumerate(m)
    }


# What follows is graphs in requests and answers.


#: What of molecules can be compared besides elements and bonds, by the options of :func:`read`.
COMPARED = {"charge": "charges", "isotope": "isotopes", "hydrogens": "hydrogens", "stereo": "stereochemistry"}


def plain(graphs: Iterable[Graph]) -> None:
    """Refuses query molecules, whose conditions graphs do not have."""
    if any(g._asks for g in graphs):
        raise RequestError(
            "the query is drawn with lists of elements, query atoms or bonds, or counts, which a distance does not compare: "
            "search for it as a pattern, smarts=the text of its MOL file"
        )


def compared(graphs: Iterable[Graph], charge: bool = False, known: tuple[str, ...] | None = None) -> tuple[str, ...] | None:
    """Returns what the labels of molecules have besides elements and bonds, None where there are none.
    It must be the same in all, and as ``known`` if that is not None: an ion would not equal itself."""
    own = ("charges",) if charge else ()
    for g in graphs:
        if g.smiles is not None and g._compared and g._compared != own:
            raise GraphError(
                f"{g.id or g.smiles} is of a collection that compares {', '.join(g._compared)} besides elements and bonds, which its SMILES alone "
                "does not: compare it there, charges also by charge=True of a distance, or read all with the same options of greed.read"
            )
        has = own if g.smiles is not None else g._compared
        if has is None or has == known:
            continue
        if known is not None:
            a, b = (", ".join(x) or "nothing" for x in (known, has))
            raise GraphError(
                f"molecules that compare {a} besides elements and bonds, and one that compares {b} ({g.id or g.smiles or g!r}): read all with "
                "the same options of greed.read; charge=True of a distance is for SMILES"
            )
        known = has
    return known


def encode(graphs: Sequence[Graph], name: str, charge: bool = False) -> tuple[dict, list[Array]]:
    """Returns the graphs in the form of a request."""
    texts = [g.smiles for g in graphs if g.smiles is not None]
    packed: dict[str, Any] = {"smiles": texts}
    if charge:
        packed["charge"] = True
    if len(texts) == len(graphs):
        return packed, []
    kinds, sizes, labels, ends, marks = array("B"), array("i"), array("i"), array("i"), array("i")
    node_number: dict[Any, int] = {}
    edge_number: dict[Any, int] = {}
    for g in graphs:
        if g.smiles is not None:
            kinds.append(0)
            continue
        kinds.append(1)
        sizes.extend((len(g._labels), len(g._marks), g.directed))
        labels.extend([-1 if x is WILDCARD else node_number.setdefault(x, len(node_number)) for x in g._labels])
        ends.extend(g._ends)
        marks.extend([-1 if x is WILDCARD else edge_number.setdefault(x, len(edge_number)) for x in g._marks])
    packed["nodes"], packed["edges"] = list(node_number), list(edge_number)
    return packed, [
        (name + ".kinds", kinds),
        (name + ".sizes", np.frombuffer(sizes, np.int32).reshape(-1, 3)),
        (name + ".labels", labels),
        (name + ".ends", np.frombuffer(ends, np.int32).reshape(-1, 2) if ends else np.zeros((0, 2), np.int32)),
        (name + ".edges", marks),
    ]


def decode(packed: dict, arrays: Mapping[str, np.ndarray]) -> Iterator[Graph]:
    """Yields the graphs of an answer."""
    node_texts, edge_texts = packed["nodes"] + [WILDCARD], packed["edges"] + [WILDCARD]
    labels, marks = arrays["graphs.labels"].tolist(), arrays["graphs.edges"].tolist()
    ends = np.ascontiguousarray(arrays["graphs.ends"], np.int32)
    v = e = 0
    for n, m, directed in arrays["graphs.sizes"].tolist():
        yield Graph._make(
            directed=bool(directed),
            labels=[node_texts[i] for i in labels[v : v + n]],
            ends=array("i", ends[e : e + m].tobytes()),
            marks=[edge_texts[i] for i in marks[e : e + m]],
        )
        v, e = v + n, e + m


def expand(graphs: Sequence[Graph]) -> list[Graph]:
    """Returns graphs with their nodes and edges loaded."""
    packed, arrays = encode(graphs, "graphs")
    result, out = ask("expand", {"graphs": packed}, arrays)
    return list(decode(result, out))


class Forms(TypedDict, total=False):
    """The standard forms in which molecules are read."""

    largest_fragment: bool
    neutralise: bool
    tautomers: bool


def forms_in(graphs: Iterable[Graph], forms: Mapping[str, Any]) -> list[str]:
    """Returns the names of the forms that are wanted, in which graphs must not be read yet."""
    for name in forms:
        if name not in Forms.__annotations__:
            raise TypeError(f"molecules have no standard form {name!r}; they have {', '.join(Forms.__annotations__)}")
    wanted = [name for name, on in forms.items() if on]
    for g in graphs if wanted else ():
        if g.smiles is None:
            raise GraphError(f"{g.id or g!r} is nodes and edges, which have no {' or '.join(wanted)}: give molecules by their SMILES")
    return wanted


class ReadOptions(Forms, total=False):
    """How files are read."""

    format: str | None
    node_label: str | None
    edge_label: str | None
    simplify: bool
    directed: bool
    charge: bool
    isotope: bool
    hydrogens: bool
    stereo: bool
    smiles_column: str | int | None
    id_column: str | int | None
    skip_bad: bool


def reading(path: str | os.PathLike, options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the part of a request that names a file and says how it is read."""
    for name in options:
        if name not in ReadOptions.__annotations__:
            raise no_option("reading", name, [*ReadOptions.__annotations__])
    args = {name: x for name, x in options.items() if x is not None}
    for name in ("smiles_column", "id_column"):
        if name in args:
            args[name] = str(args[name])
    if not os.fspath(path):
        raise ValueError("the path is empty")  # it would be the folder where the program runs
    return {"path": os.path.abspath(os.fspath(path)), **args}


def read(path: str | os.PathLike, **options: Unpack[ReadOptions]) -> list[Graph]:
    """Reads the graphs of a file or folder in any format that greed knows, recognised by its content.

    Options are those of docs/inputs.md: ``format``; ``node_label`` and ``edge_label``, the names of
    attributes; ``simplify``, ``directed``, ``charge``, ``isotope``, ``hydrogens`` and
    ``stereo``, what of molecules is compared; their standard forms, ``largest_fragment``,
    ``neutralise`` and ``tautomers``; ``smiles_column`` and ``id_column`` of tables. ``skip_bad``
    passes over records that cannot be read, which are logged; without it the first is a
    :class:`RecordError` that names file, line and record.
    """
    return records(*ask("read", reading(path, options)))


def records(result: dict, arrays: Mapping[str, np.ndarray]) -> list[Graph]:
    """Returns the graphs of an answer with their records. A molecule keeps its SMILES."""
    out = []
    for g, about in zip(decode(result["graphs"], arrays), result["records"]):
        if about.get("smiles"):
            if not result.get("plain"):
                g = Graph._make(smiles=about["smiles"])
            g._compared = tuple(result.get("compared") or ())
        g._asks = bool(about.get("asks"))
        g.id, g.name, g.attributes = about["id"], about.get("name"), about.get("attributes") or {}
        if about.get("nodes"):
            g.nodes = tuple(about["nodes"])
        out.append(g)
    return out
