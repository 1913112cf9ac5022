"""Collections: graphs to search."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence, Sized
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _graph
from ._bounds import Far, Listed
from ._child import ask
from ._distance import Edit, Transformation, edits_of, shown, transformations_of
from ._errors import NotProven, RequestError
from ._graph import Forms, Graph, LabelOf, Labels, ReadOptions
from ._kept import Kept, Step
from ._model import Model
from ._near import SAR, Cliffs, NearPairs, NearVector
from ._operations import ChangeOptions, CliffsOptions, JoinOptions, SAROptions, SearchOptions, VectorsOptions
from ._options import Labelling, Work, formed, split

if TYPE_CHECKING:
    from typing_extensions import Unpack


class _Options(SearchOptions, Work, Labelling, total=False):
    pass


class _JoinOptions(JoinOptions, Work, total=False):
    pass


class _CliffsOptions(CliffsOptions, Work, total=False):
    pass


class Changed(NamedTuple):
    """What a change did: how many graphs it put, replaced and deleted, and the state after it."""

    put: int
    replaced: int
    deleted: int
    state: str


class Collection(Kept):
    """Graphs to search, in memory or in an index on the disk.

    ``Collection(graphs)`` takes a list or other iterable of anything that
    :func:`greed.graph` takes. :meth:`open` reads a file or an index,
    :meth:`from_dataframe` a column of a table, and :meth:`bundled` returns the
    molecules that come with greed. Graphs are known by ids: those given, or of
    their graphs, or their positions.

    ``largest_fragment``, ``neutralise`` and ``tautomers`` read molecules, and what they are compared
    with, in standard forms: docs/inputs.md. The molecules are then given by their SMILES.
    """

    def __init__(
        self,
        graphs: Iterable[Any] = (),
        *,
        ids: Iterable[Any] | None = None,
        node_label: LabelOf = None,
        edge_label: LabelOf = None,
        simplify: bool = False,
        **forms: Unpack[Forms],
    ):
        labels = Labels(node_label, edge_label, simplify)
        given = labels.graphs(graphs)
        packed, arrays = _packed(given, ids)
        self._compared = _graph.compared(given)
        args = {"graphs": packed, "compared": self._compared or (), "forms": _graph.forms_in(given, forms)}
        self._begin_with(labels, args, arrays)

    _info = "collection.info"

    @classmethod
    def _of(cls, args: dict) -> Collection:
        c = cls.__new__(cls)
        #: What the labels of its molecules have besides elements and bonds; None: it has none, or it is not known.
        c._compared = None
        c._begin_with(Labels(), args, [])
        return c

    def _begin_with(self, labels: Labels, args: dict, arrays: list) -> None:
        self._labels = labels
        #: The attributes that answers show unless a search says which.
        self._shown: list[str] = []
        #: What has become of the collection in memory since it was made: graphs that were put, and None
        #: for those deleted, by id.
        self._changes: dict[str, Graph | None] = {}
        super().__init__(("collection.open", args, arrays, None))
        info = self._make()
        self._on_disk: bool = info["index"]
        self._paths: list[str] = info["paths"] or []
        #: How its graphs were read, if they were.
        self._rules: dict | None = info.get("rules")
        if info["molecules"]:
            self._compared = tuple(name for rule, name in _graph.COMPARED.items() if (self._rules or {}).get(rule))

    def _make(self) -> Any:
        info = super()._make()
        if self._changes:
            there = {i: g for i, g in self._changes.items() if g is not None}
            packed, arrays = _packed(list(there.values()), there)
            args = {"graphs": packed, "delete": [i for i, g in self._changes.items() if g is None]}
            self._carry_out(("collection.change", args, arrays, None))
        return info

    @classmethod
    def open(cls, path: str | os.PathLike, **options: Unpack[ReadOptions]) -> Collection:
        """Opens an index, or reads a file or folder, then with the options of :func:`greed.read`.

        What is put into an index or deleted is on the disk when the call returns. NetworkX graphs that
        are searched for or put get their labels as the graphs of the file did.
        """
        return cls._of(_graph.reading(path, options))

    @classmethod
    def bundled(cls) -> Collection:
        """Returns 4,999 molecules of the NCI Open Database with models for GED and SED."""
        return cls._of({"bundled": True})

    @classmethod
    def from_dataframe(cls, frame: Any, smiles: str = "smiles", id: str | None = None, **forms: Unpack[Forms]) -> Collection:
        """Makes a collection from a pandas or Polars table with a column of SMILES. Ids come from the column
        ``id``; unless that is given, from one that is named like an id, as in files (``id``, ``mol_id``, ``name``
        and the like), if its values differ; else they are positions. Other columns become attributes, for filters
        and results. The standard forms are those of :class:`Collection`."""
        graphs = _from_table(frame, smiles, id)
        c = cls(graphs, **forms)
        c._shown = list(dict.fromkeys(name for g in graphs for name, x in g.attributes.items() if _plain(x) is not None))
        return c

    def info(self) -> dict[str, Any]:
        """What the collection holds: the JSON of ``greed index info --json`` and of ``GET /v1/collections/{name}``,
        without the names that these add."""
        return self._ask("collection.info", {})[0]

    def __len__(self) -> int:
        return self.info()["graphs"]

    @property
    def models(self) -> list[str]:
        """The tasks for which there is a model."""
        return [m["task"] for m in self.info()["models"]]

    def __getitem__(self, id: str) -> Graph:
        return self.get([id])[0]

    def __contains__(self, id: object) -> bool:
        """Whether there is a graph with an id."""
        if not isinstance(id, (str, int, np.integer)):
            raise TypeError(f"{id!r} is not an id: a collection knows ids only")
        try:
            self.get([id])
        except KeyError:
            return False
        return True

    def __repr__(self) -> str:
        if not self._key:
            return "<greed.Collection, closed>"
        info = self.info()
        models = ", ".join(m["task"] for m in info["models"])
        return f"<greed.Collection of {info['graphs']:,} graphs" + (f", models for {models}" if models else "") + ">"

    def __iter__(self) -> Iterator[Graph]:
        return iter(self._records({}))

    def get(self, ids: Iterable[Any]) -> list[Graph]:
        """Returns the graphs with the given ids; KeyError if one does not exist."""
        return self._records({"ids": _ids(ids)})

    def _records(self, which: dict) -> list[Graph]:
        out = _graph.records(*self._ask("collection.get", which))
        for g in out:
            g._compared = self._compared
        return out

    @property
    def state(self) -> str:
        """The name of the collection's state: every change makes it another."""
        return self.info()["state"]

    def put(self, graphs: Iterable[Any], *, ids: Iterable[Any] | None = None, **options: Unpack[ChangeOptions]) -> int:
        """Adds graphs, or replaces those with their ids, and returns how many were replaced. Options are
        those of :meth:`change`."""
        return self.change(graphs, ids=ids, **options).replaced

    def delete(self, ids: Iterable[Any], **options: Unpack[ChangeOptions]) -> int:
        """Removes the graphs with the given ids and returns how many existed."""
        return self.change(delete=ids, **options).deleted

    def change(
        self, put: Iterable[Any] = (), *, ids: Iterable[Any] | None = None, delete: Iterable[Any] = (), **options: Unpack[ChangeOptions]
    ) -> Changed:
        """Removes the graphs with the given ids and adds others, or replaces those with their ids, in one transaction.

        With ``new`` nothing is changed if there is a graph already with an id that is put; with
        ``state``, unless the collection is in it: see :attr:`state`.
        """
        list_ = self._graphs(put, self._labels)
        if ids is None and any(g.id is None for g in list_):
            raise RequestError("graphs without an id: pass ids")
        packed, arrays = _packed(list_, ids)
        gone = _ids(delete)
        args = {**formed("change", ChangeOptions, options), "graphs": packed, "delete": gone}
        changes: dict[str, Graph | None] = dict.fromkeys(gone)
        changes.update(zip((about["id"] for about in packed["about"]), list_))
        with self._changing():
            done = self._change(("collection.change", args, arrays, None))
            if not self._on_disk:  # it is remembered what has become of the graphs
                for i, g in changes.items():
                    self._changes.pop(i, None)  # the last put comes last
                    self._changes[i] = g
        return Changed(done["put"], done["replaced"], done["deleted"], done["state"])

    def _graphs(self, objs: Any, labels: Labels) -> list[Graph]:
        """Returns graphs to compare with those of the collection or to add to it."""
        if self._rules is not None and not any(labels):
            out = _graph.graphs(objs, rules=self._rules)
        else:
            out = _graph.graphs(objs, **labels._asdict())
        _graph.compared((g for g in out if g.smiles is None), known=self._compared)  # SMILES are read as the collection was
        return out

    def save(self, path: str | os.PathLike) -> Collection:
        """Writes an index with graphs, models and vectors to a new folder, and opens that."""
        path = os.path.abspath(os.fspath(path))
        self._ask("collection.save", {"path": path})
        return Collection._of({"path": path})

    def attach(self, model: Model | str | os.PathLike) -> None:
        """Makes searches for the model's task use the model. The whole collection is embedded."""
        if not isinstance(model, Model):
            model = Model.load(model)
        step: Step = ("collection.attach", {}, [], model)
        with self._changing():
            self._change(step)
            self._steps.append(step)

    def embed(self, task: str = "ged") -> np.ndarray:
        """Returns the vectors of all graphs by the model for a task, float32 [graphs, dim], in the
        order of the collection."""
        return self._ask("collection.vectors", {"task": task})[1]["vectors"]

    def map(self, task: str = "ged") -> tuple[list[str], np.ndarray]:
        """Returns ids and points, [graphs, 2], of the collection in the plane in which the vectors of its
        model for a task vary most; of a large collection those of a sample."""
        found = self._ask("collection.map", {"task": task})[0]
        return found["ids"], np.array(found["points"], np.float32).reshape(-1, 2)

    def certificate(self, query: Any, k: int | None = None, **options: Unpack[_Options]) -> str:
        """Returns a certificate of the proven answers to a search: of their distances, and that no other
        graph is one. Options are ``task``, ``radius``, ``filter``, ``time_limit``, ``costs``,
        ``ignore_edge_labels`` and the labels of :meth:`search`. :func:`verify` checks it."""
        asked = formed("certificate", _Options, {"k": k, **options}, "k")
        list_ = self._graphs([query], self._labels._replace(**split(asked, Labelling)))
        packed, arrays = _graph.encode(list_, "queries")
        return self._ask("collection.certifySearch", {**asked, "queries": packed}, arrays)[0][0]["certificate"]

    def search(self, query: Any = None, k: int | None = None, **options: Unpack[_Options]) -> SearchResult:
        """Finds the graphs nearest to a query: the ``k`` nearest (10 unless a radius is given), all
        within ``radius``, or the ``k`` nearest of those.

        ``task="sed"`` finds graphs that contain the query, exactly or nearly. ``mode`` is
        "proven" (nothing is missed, within 10 s unless ``time_limit`` says otherwise, in seconds or
        as "1m" or "none"), "checked" (candidates of a model, with exact distances) or "predicted"
        (vectors alone). With a radius, ``recall=0.99`` makes the last two find so much of what lies
        within it, where the model was calibrated (``greed calibrate``). ``smarts``, in place of the query, finds the molecules that contain a
        pattern; so does a query molecule of RDKit, such as ``Chem.MolFromSmarts("[!#6]")``, as the query.
        ``filter`` has conditions on attributes, such as ``"mass<300"``, and
        ``show`` names attributes that answers carry. Other options: ``costs``,
        ``ignore_edge_labels``, ``no_model``, as docs/reference.md describes them,
        and ``node_label``, ``edge_label``, ``simplify``, ``workers`` and ``progress``.
        """
        if (pattern := _graph.query_pattern(query)) is not None:
            if options.get("smarts"):
                raise RequestError("smarts: it is the query: leave out the others")
            # Of a molecule that is contained, these two say what a pattern means anyway.
            if options.get("task") == "sed":
                del options["task"]
            if options.get("radius") == 0:
                del options["radius"]
            query, options["smarts"] = None, pattern
        return self.search_many([] if query is None and options.get("smarts") else [query], k, **options)[0]

    def search_many(self, queries: Any, k: int | None = None, **options: Unpack[_Options]) -> list[SearchResult]:
        """Searches for several queries in one request. ``time_limit`` is for each. Otherwise as
        :meth:`search`."""
        list_, asked, found, out = self._found(queries, k, options)
        of: Sequence[Graph | None] = list_ or [None]  # none of a SMARTS
        maps = _maps(found, out) if "maps" in out else [None] * len(found)
        return [SearchResult(self, q, f, asked, m) for q, f, m in zip(of, found, maps)]

    def _found(self, queries: Any, k: int | None, options: Any, orders: bool = False) -> tuple[list[Graph], dict, list, dict[str, np.ndarray]]:
        """Searches. With orders there is an array of that name, [answers, 5], by which those who merge answers sort
        them: size, apart, index, place, raw prediction."""
        asked = formed("search", _Options, {"k": k, **options}, "k")
        if self._shown:
            asked.setdefault("show", self._shown)
        progress = asked.pop("progress", None)
        list_ = self._graphs(queries, self._labels._replace(**split(asked, Labelling)))
        _graph.plain(list_)
        packed, arrays = _graph.encode(list_, "queries")
        args = {**asked, "queries": packed, "progress": bool(progress), "orders": orders}
        with shown(progress, "queries") as report:
            found, out = self._ask("collection.search", args, arrays, report)
        return list_, asked, found, out

    def _edits(self, r: SearchResult, maps: np.ndarray) -> list[dict]:
        """Requests what explains the answers of a search whose distances were computed."""
        answers = [a for a in r if a.lower is not None]
        packed, arrays = _graph.encode([] if r.query is None else [r.query], "queries")
        which = {"ids": [a.id for a in answers], "positions": [a.position for a in answers], "upper": [a.upper for a in answers]}
        args = {**r._asked, "queries": packed, **which}
        return self._ask("collection.explain", args, [*arrays, ("maps", np.ascontiguousarray(maps, np.int32))])[0]

    def kneighbors(self, queries: Any, n_neighbors: int = 5, **options: Any) -> tuple[np.ndarray, np.ndarray]:
        """Returns distances and positions of the nearest graphs, [queries, n_neighbors] each, as
        scikit-learn does; :class:`NotProven` unless all are proven. Options are those of
        :meth:`search_many`."""
        distances, positions = [], []
        for i, r in enumerate(self.search_many(queries, n_neighbors, **options)):
            if not r.proven:
                raise NotProven(f"query {i}: {r.verdict}")
            if len(r) < n_neighbors:
                raise RequestError(f"n_neighbors is {n_neighbors}, but there are {len(r)} graphs")
            distances.append([a.upper for a in r])
            positions.append([a.position for a in r])
        shape = (len(distances), n_neighbors)
        return np.array(distances, float).reshape(shape), np.array(positions, np.int64).reshape(shape)

    def nearest(self, like: Any = None, k: int | None = None, *, vectors: Any = None, **options: Unpack[VectorsOptions]) -> list[list[NearVector]]:
        """Finds the graphs whose vectors are nearest to those of the graphs with the ids ``like``, or to
        ``vectors``, float [queries, dim], as :meth:`embed` returns them: for each the ``k`` nearest, 10
        unless a ``radius`` is given. No distances of graphs are computed.

        ``filter`` is that of :meth:`search`. ``embedding`` names the vectors, "ged" or "sed" or others
        of an index, where there are several.
        """
        asked = formed("search by vectors", VectorsOptions, dict(options))
        if k is not None:
            asked["k"] = k
        if like is not None:
            asked["like"] = _ids([like] if isinstance(like, (str, int, np.integer)) else like)
        if vectors is not None:
            rows = np.asarray(vectors, np.float32)
            if rows.ndim not in (1, 2) or not np.isfinite(rows).all():
                raise RequestError(f"vectors are of shape {rows.shape}: want numbers, [dim] or [queries, dim]")
            asked["vectors"] = np.atleast_2d(rows).tolist()
        found, _ = self._ask("collection.nearest", asked)
        return [[NearVector(a["id"], a.get("name"), a.get("smiles"), a["distance"]) for a in f["answers"]] for f in found["results"]]

    def join(self, radius: float, other: Collection | None = None, k: int | None = None, **options: Unpack[_JoinOptions]) -> NearPairs:
        """Finds all pairs of graphs within a distance, nearest first, or the ``k`` nearest; with ``other``
        pairs of which one graph is of that collection.

        Within one collection a pair comes once if the distance is the same both ways.
        ``task="sed"`` finds graphs that are contained in others, exactly or nearly. ``filter``,
        ``time_limit`` (without it none), ``costs`` and ``ignore_edge_labels`` are those of
        :meth:`search`; also ``workers`` and ``progress``.
        """
        return NearPairs(self._near("join", _JoinOptions, other, {"radius": radius, "k": k, **options}))

    def cliffs(self, attribute: str | None = None, other: Collection | None = None, k: int | None = None, **options: Unpack[_CliffsOptions]) -> Cliffs:
        """Reports what the pairs within ``radius`` (default 2) mean for an attribute that is a
        number: which are near in structure and far in it (activity cliffs), what exchanging one
        fragment for another does to it on average, and which graphs occur twice.

        ``k`` is how many of each list are wanted. The other options are those of :meth:`join`.
        """
        return Cliffs(self._near("cliffs", _CliffsOptions, other, {"attribute": attribute, "k": k, **options}))

    def sar(self, core: str | Any, k: int | None = None, **options: Unpack[SAROptions]) -> SAR:
        """Takes the molecules that have a core apart: which groups they have at which position of it.

        ``core`` is a SMILES, a SMARTS, the text of a MOL file or an RDKit molecule, with or without marked positions
        (``[*:1]``); a query molecule of RDKit counts as its SMARTS. ``radius`` finds molecules that
        have the core nearly, too, ``only_marked`` leaves out those with groups at other positions, ``show`` names
        attributes, ``k`` is how many rows are wanted.
        """
        asked = formed("sar", SAROptions, dict(options))
        asked["core"], smarts = _graph.core_text(core)
        if smarts:
            asked["smarts"] = True
        if k is not None:
            asked["k"] = k
        found, _ = self._ask("collection.sar", asked)
        return SAR(found)

    def _near(self, op: str, known: Any, other: Collection | None, options: dict[str, Any]) -> Any:
        """Requests near pairs."""
        asked = formed(op, known, options, "k", "radius", "attribute")
        progress = asked.pop("progress", None)
        asked["progress"] = bool(progress)
        if other is not None:
            if not isinstance(other, Collection):
                raise TypeError(f"other is a {type(other).__name__}: want a greed.Collection, as greed.Collection(graphs) makes one")
            other._ask("collection.info", {})  # which makes it if it is gone
            asked.update(other._named("other"))
        with shown(progress, "near pairs") as report:
            return self._ask(f"collection.{op}", asked, (), report)[0]


def _packed(graphs: Sequence[Graph], ids: Iterable[Any] | None) -> tuple[dict, list]:
    """Returns graphs and their records in the form of a request."""
    if ids is None:
        names = [str(i) if g.id is None else g.id for i, g in enumerate(graphs)]
    else:
        names = _ids(ids if isinstance(ids, Sized) else islice(ids, len(graphs) + 1))  # which may have no end
    if len(names) != len(graphs):
        raise RequestError(f"{len(names)} ids for {len(graphs)} graphs")
    packed, arrays = _graph.encode(graphs, "graphs")
    packed["about"] = [
        {"id": name, "name": g.name or "", "nodes": None if g.nodes is None else [str(v) for v in g.nodes],
         "attributes": {str(k): _plain(v) for k, v in g.attributes.items()} or None}
        for name, g in zip(names, graphs)
    ]  # fmt: skip
    return packed, arrays


def _ids(ids: Iterable[Any]) -> list[str]:
    """Returns ids as texts."""
    if isinstance(ids, str):
        raise TypeError("ids are a list, not a string")
    return [_id(i) for i in ids]


def _id(id: Any) -> str:
    """Returns an id as text. A missing value is not an id."""
    if isinstance(id, slice) or _graph.missing(id):
        raise TypeError(f"{id!r} is not an id: want a string or a number")
    return str(id)


def _plain(x: Any) -> Any:
    """Returns an attribute in its JSON form."""
    if isinstance(x, np.generic) and not isinstance(x, (np.datetime64, np.timedelta64)):
        x = x.item()
    if _graph.missing(x):
        return None
    if isinstance(x, float) and not np.isfinite(x):
        return str(x)  # JSON has no such number
    return x if x is None or isinstance(x, (str, int, float, bool)) else str(x)


def _from_table(frame: Any, smiles: str, id: str | None) -> list[Graph]:
    columns = list(frame.columns)
    for name in columns:
        if columns.count(name) > 1:
            raise RequestError(f"frame has several columns {name!r}: give each a name of its own")
    for name in (smiles, *(() if id is None else (id,))):
        if name not in columns:
            raise RequestError(f"the table has no column {name!r}; it has {', '.join(map(repr, columns))}")
    values = {name: frame[name].to_list() for name in columns}
    if id is None:
        at = ask("columns", {"names": [str(name) for name in columns]})[0]["id"]
        if at >= 0 and columns[at] != smiles and _tells_apart(values[columns[at]]):
            id = columns[at]
    others = [name for name in columns if name not in (smiles, id)]
    out = []
    for i, text in enumerate(values[smiles]):
        if not isinstance(text, str):
            raise _graph.GraphError(f"row {i}: {text!r} is not a SMILES", i)
        try:
            g = _graph.smiles(text, id=_id(i if id is None else values[id][i]))
        except TypeError as e:
            raise _graph.GraphError(f"row {i} has no id", i) from e
        g.attributes = {str(name): values[name][i] for name in others}
        out.append(g)
    return out


def _tells_apart(values: Sequence[Any]) -> bool:
    """Reports whether values can be ids: each is there, and once."""
    return not any(map(_graph.missing, values)) and len(set(map(str, values))) == len(values)


def _maps(found: Sequence[Mapping[str, Any]], arrays: Mapping[str, np.ndarray]) -> list[np.ndarray]:
    """Returns the node maps of the answers of each search, [answers, nodes of the query]."""
    out, at = [], 0
    for f, n in zip(found, arrays["nodes"].tolist()):
        shape = (sum("lower" in a for a in f["answers"]), n)
        out.append(arrays["maps"][at : at + shape[0] * n].reshape(shape))
        at += shape[0] * n
    return out


class Answer(Far):
    """One graph found: ``lower`` <= its distance <= ``upper``; only predicted, these are None and
    ``predicted`` is what the model says. ``a.distance`` and ``float(a)`` are the distance where it is
    proven, and
    answers are compared with numbers by it; another answer is never equal."""

    __slots__ = ("id", "name", "smiles", "position", "predicted", "lower", "upper", "similarity", "attributes", "origins", "_result", "_raw", "_graph", "_at")

    def __init__(self, result: SearchResult, raw: dict):
        self.id: str = raw["id"]
        self.name: str | None = raw.get("name")
        self.smiles: str | None = raw.get("smiles")
        self.position: int = raw["position"]
        self.predicted: float | None = raw.get("predicted")
        self.lower: float | None = None if "lower" not in raw else float(raw["lower"])
        self.upper: float | None = None if "upper" not in raw else float(raw["upper"])
        self.similarity: float = raw["similarity"]
        #: The attributes that ``show`` names, as far as the graph has them.
        self.attributes: Mapping[str, Any] = raw.get("attributes") or {}
        #: Of a product of a synthon space all ways to make it: ``reaction``, and ``synthons`` with ``id`` and ``smiles``.
        self.origins: Sequence[Mapping[str, Any]] = raw.get("origins") or []
        self._result, self._raw = result, raw
        self._graph: Graph | None = None
        self._at = -1  # among those whose distances were computed

    def _called(self) -> str:
        return f"the distance of {self.id}"

    def __eq__(self, other: Any) -> Any:
        return self is other if isinstance(other, Answer) else super().__eq__(other)

    def __ne__(self, other: Any) -> Any:
        return self is not other if isinstance(other, Answer) else super().__ne__(other)

    def __hash__(self) -> int:
        return id(self)

    @property
    def graph(self) -> Graph:
        """The graph found, as it is in the collection now."""
        if self._graph is None:
            self._graph = self._result.collection[self.id]
        return self._graph

    @property
    def map(self) -> dict[Hashable, Hashable | None] | None:
        """The node of the graph found that each node of the query is mapped to, or None."""
        m = self._result._map(self)
        return None if m is None else _graph.named_map(m, self._result._nodes, self._names())

    def _names(self) -> tuple | None:
        return None if self.smiles else self.graph.nodes

    @property
    def edits(self) -> list[Edit]:
        """What turns the query into the graph found, or into a part of it. It is computed when it is looked at,
        of all answers at once."""
        raw = self._result._explained(self).get("edits")
        return edits_of(raw, self._result._nodes, self._names() if raw else None)

    @property
    def transformations(self) -> list[Transformation]:
        """What differs between two molecules, as exchanged fragments."""
        return transformations_of(self._result._explained(self).get("transformations"))

    def _known(self) -> str:
        """Returns what is known of the distance, for people."""
        return f"predicted {self.predicted:.3g}" if self.lower is None else super()._known()

    def __repr__(self) -> str:
        return f"<{self.id}: {self._known()}>"


class SearchResult(Listed[Answer]):
    """What a search found, nearest first: a sequence of :class:`Answer`.

    ``status`` is "proven" (complete and exact), "open" (time ended before that,
    or an index of several is missing or damaged),
    "checked" or "predicted"; ``proven`` is whether it is the first, and
    ``verdict`` says it in a sentence, ``open`` what may still change.
    """

    def __init__(
        self, collection: Collection, query: Graph | None, raw: Mapping[str, Any], asked: dict[str, Any], maps: np.ndarray | None
    ):
        super().__init__(raw, [Answer(self, a) for a in raw["answers"]])
        self._asked, self._maps = asked, maps
        #: What explains the answers whose distances were computed; None: not requested yet.
        self._explanations: list[dict] | None = None
        for at, a in enumerate(a for a in self._items if a.lower is not None):
            a._at = at
        self.collection, self.query = collection, query
        self._nodes = None if query is None else query.nodes
        self.task: str = raw["task"]
        self.mode: str = raw["mode"]
        #: Labels of the query that the collection lacks, if any.
        self.unmatched: Mapping[str, Any] | None = raw.get("unmatched")
        #: Graphs as far away as the last of ``k`` answers that are none: ``distance``, ``more``, ``open``.
        self.tied: Mapping[str, Any] = raw.get("tied") or {}
        #: What share of the graphs within the radius was found at least, if that was requested: ``share``,
        #: ``confidence``, ``cut``, ``queries``, ``of``.
        self.recall: Mapping[str, Any] | None = raw.get("recall")
        #: Of a search in a synthon space: ``within`` (all products up to this distance are known), ``contain``.
        self.made: Mapping[str, Any] = raw.get("made") or {}
        self.stats: Mapping[str, Any] = raw["stats"]

    def _map(self, a: Answer) -> list[int] | None:
        """Returns the node map of an answer."""
        if self._maps is None or a.lower is None:
            return a._raw.get("map")
        return self._maps[a._at].tolist()

    def _explained(self, a: Answer) -> dict[str, Any]:
        """Returns the edits and the transformations of an answer, those of all in one message."""
        if self._maps is None or a.lower is None:
            return a._raw
        if self._explanations is None:
            self._explanations = self.collection._edits(self, self._maps)
        return self._explanations[a._at]

    def __contains__(self, answer: object) -> bool:
        """Whether it is an answer or the id of one."""
        return any(answer == a.id if isinstance(answer, str) else answer is a for a in self)

    def _row(self, a: Answer) -> dict[str, Any]:
        row: dict[str, Any] = {"id": a.id}
        if a.name and a.name != a.id:
            row["name"] = a.name
        if a.smiles:
            row["smiles"] = a.smiles
        row.update(
            distance=a.upper if a.exact else None, lower=a.lower, upper=a.upper, predicted=a.predicted,
            similarity=a.similarity, position=a.position, edits="; ".join(map(str, a.edits)),
        )  # fmt: skip
        for name, value in a.attributes.items():
            row[f"attribute {name}" if name in row else name] = value
        return row
