"""Distances of pairs and of many pairs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _graph
from ._bounds import Bounded, Far
from ._child import ask
from ._errors import NotProven, RequestError
from ._graph import Graph, Labels
from ._operations import DistancesOptions, MCSOptions
from ._options import Fixed, Labelling, Progress, Work, formed, limit, split

if TYPE_CHECKING:
    from typing_extensions import Unpack


class _CommonOptions(MCSOptions, Labelling, total=False):
    charge: bool


class _ManyCommonOptions(_CommonOptions, Work, total=False):
    pass


class _Options(DistancesOptions, Labelling, total=False):
    charge: bool


class _ManyOptions(_Options, Work, total=False):
    map: bool


@dataclass(frozen=True)
class Edit:
    """One edit: ``kind`` is such as "delete edge". ``query`` and ``target`` hold the node, or the
    two ends of the edge, on each side, None where there is none; ``old`` and ``new`` are labels."""

    kind: str
    query: tuple[Hashable, ...] | None
    target: tuple[Hashable, ...] | None
    old: str | None
    new: str | None
    cost: float

    def __str__(self) -> str:
        def where(ends: tuple | None) -> str:
            return "-".join(map(str, ends or ()))

        if self.kind.startswith("delete"):
            return f"{self.kind} {where(self.query)} ({self.old})"
        if self.kind.startswith("insert"):
            return f"{self.kind} {where(self.target)} ({self.new}) of the target"
        return f"{self.kind} {where(self.query)} ({self.old}) by {where(self.target)} ({self.new})"


def edits_of(raw: list | None, query: Sequence[Hashable] | None, target: Sequence[Hashable] | None) -> list[Edit]:
    """Returns edits from their JSON form, by the names of the nodes, if they have any."""
    out = []
    for e in raw or ():
        ends = [
            None if side not in e else tuple(e[side]) if names is None else tuple(names[v] for v in e[side])
            for side, names in (("query", query), ("target", target))
        ]
        old, new = (e.get(label, "") if side in e else None for label, side in (("from", "query"), ("to", "target")))
        out.append(Edit(e["op"], ends[0], ends[1], old, new, float(e["cost"])))
    return out


class Transformation(NamedTuple):
    """A fragment of a molecule that becomes another: ``text`` says it in words, such as "Cl → OMe",
    and ``old`` and ``new`` are SMILES in which ``[*:1]``, ``[*:2]`` stand for the atoms ``at``, each
    of the query and of the target. ``query`` and ``target`` are the atoms of the fragments."""

    text: str
    old: str
    new: str
    at: tuple[tuple[int, int], ...]
    query: tuple[int, ...]
    target: tuple[int, ...]

    @property
    def smirks(self) -> str:
        """The transformation in the notation of matched molecular pairs: ``[*:1]Cl>>[*:1]OC``, "" if no fragments differ."""
        return f"{self.old}>>{self.new}" if self.old or self.new else ""


def transformations_of(raw: list | None) -> list[Transformation]:
    """Returns transformations from their JSON form."""
    return [
        Transformation(t["text"], t["from"], t["to"], tuple(map(tuple, t["at"])), tuple(t["query"]), tuple(t["target"]))
        for t in raw or ()
    ]


class Common(NamedTuple):
    """Nodes and edges that two graphs have in common, labels included, and the similarity of the
    graphs by these, between 0 and 1 (Johnson, 1985)."""

    nodes: int
    edges: int
    johnson: float


@dataclass(eq=False, repr=False, slots=True)
class Distance(Far):
    """What is known of a distance: ``lower`` <= distance <= ``upper``.

    ``float(d)`` and ``d.distance`` are the distance where it is proven, and raise
    :class:`NotProven` where a limit of time left it open. So do comparisons (``d < 3``,
    ``d == 1``, ``if d``) where the bounds do not decide them. ``map`` gives every
    node of the query the node of the target that it becomes, or None: an
    edit path that costs ``upper``, which ``edits`` lists. ``within`` tells
    whether the distance is at most the threshold asked for, None if that is
    open or nothing was asked. ``stopped`` says why the distance is open: "time",
    "memory", "size" (the graphs are too large for more) or "rounding" (costs without a
    common unit cannot be added exactly enough); None where it is not, or where the
    bounds answer what was asked. ``fixed`` is whether pairs of nodes were given in advance:
    then the number is the least cost with these.
    """

    task: str
    lower: float
    upper: float
    within: bool | None
    stopped: str | None
    query: Graph
    target: Graph
    _map: np.ndarray
    _kind: dict[str, Any]
    fixed: bool = False

    def _why(self) -> str:
        return f": {_WHY[self.stopped]}" if self.stopped else ""

    @property
    def map(self) -> dict[Hashable, Hashable | None]:
        """The node of the target that each node of the query is mapped to, or None."""
        return _graph.named_map(self._map.tolist(), self.query.nodes, self.target.nodes)

    @property
    def common(self) -> Common:
        """What the graphs have in common under the map: with :func:`mces`, their largest common part."""
        found = self._explained()["common"]
        return Common(int(found["nodes"]), int(found["edges"]), float(found["johnson"]))

    @property
    def edits(self) -> list[Edit]:
        """The edits of the map, in an order in which they can be carried out."""
        path = self._explained().get("edits")
        if path is None:
            raise RequestError("common subgraphs have no edits")
        return edits_of(path, self.query.nodes, self.target.nodes)

    @property
    def transformations(self) -> list[Transformation]:
        """What differs between two molecules, as exchanged fragments; empty for graphs
        that are not molecules."""
        return transformations_of(self._explained().get("transformations"))

    def optimal_maps(self, most: int = 100, time_limit: float | str | None = None) -> list[dict[Hashable, Hashable | None]]:
        """Returns all node maps of least cost, ``most`` at most, each as :attr:`map`;
        :class:`NotProven` if the distance is not found in time."""
        asked = {"maps": most, **({} if time_limit is None else {"time_limit": limit(time_limit)})}
        found = self._asked("distance", asked)[0]
        if not found["exact"]:
            raise NotProven("the maps of least cost are not known: the distance is not exact")
        return [_graph.named_map(m, self.query.nodes, self.target.nodes) for m in found["maps"]]

    def certificate(self, time_limit: float | str | None = None) -> str:
        """Returns a certificate of the distance, or of the least cost with pairs given in advance, computed anew, or of
        its bounds where time runs out: the lines of a file that :func:`verify` checks without the solver."""
        asked = {} if time_limit is None else {"time_limit": limit(time_limit)}
        if "fix" in self._kind:
            asked["fix"] = self._kind["fix"]
        return self._asked("certify", asked)[0]["certificate"]

    def _explained(self) -> dict[str, Any]:
        """Requests what follows from the map."""
        return self._asked("explain", {"map": self._map.tolist()})

    def _asked(self, operation: str, more: Mapping[str, Any]) -> Any:
        """Returns what an operation says of the pair."""
        args, arrays = _encoded([self.query], [self.target], self._kind.get("charge", False))
        asked = {name: x for name, x in self._kind.items() if name not in ("charge", "fix")}
        return ask(operation, {**args, **asked, **more}, arrays)[0]

    def __repr__(self) -> str:
        extra = "" if self.within is None else f", within: {self.within}"
        name = "least cost with the pairs given" if self.fixed else self.task
        return f"<{name} {self._known()}{extra}>"


@dataclass(eq=False, repr=False, slots=True)
class CommonSubgraph(Bounded):
    """The largest subgraph that two graphs have in common: of at least ``size`` nodes, or edges if
    those are counted, and at most ``upper``, which are the same where that is proven. ``map`` shows
    one of this size. It is compared as its size: ``greed.mcs(a, b) >= 8``."""

    size: int
    upper: int
    #: What is counted: "nodes" or "edges".
    counts: str
    query: Graph
    target: Graph
    _map: list[int]
    #: What does not count, such as the charges of molecules.
    not_compared: list[str]

    @property
    def lower(self) -> int:  # type: ignore[override]
        """The size of the subgraph found."""
        return self.size

    def _called(self) -> str:
        return f"the number of {self.counts} of the largest common subgraph"

    @property
    def map(self) -> dict[Hashable, Hashable]:
        """The nodes of the query in the subgraph, each with its node of the target."""
        named = _graph.named_map(self._map, self.query.nodes, self.target.nodes)
        return {v: w for v, w in named.items() if w is not None}

    def __repr__(self) -> str:
        return f"<common subgraph of {self._known()} {self.counts}>"


def _encoded(queries: list[Graph], targets: list[Graph] | None, charge: bool) -> tuple[dict[str, Any], list]:
    """Returns a request about graphs."""
    args: dict[str, Any] = {}
    _graph.plain([*queries, *(targets or ())])
    _graph.compared([*queries, *(targets or ())], charge)
    args["queries"], arrays = _graph.encode(queries, "queries", charge)
    if targets is not None:
        args["targets"], more = _graph.encode(targets, "targets", charge)
        arrays += more
    return args, arrays


def _taken(what: str, known: Any, options: Mapping[str, Any]) -> tuple[dict[str, Any], Labels, bool]:
    """Returns the options of a request, and how its graphs are read."""
    asked = formed(what, known, options)
    return asked, Labels(**split(asked, Labelling)), bool(asked.pop("charge", False))


def _kind(asked: Mapping[str, Any], charge: bool) -> dict[str, Any]:
    """Returns which distance is requested."""
    kind = {name: asked[name] for name in ("task", "costs", "ignore_edge_labels", "fix") if name in asked}
    return {**kind, "charge": True} if charge else kind


def _distance(query: Any, target: Any, task: str, options: Mapping[str, Any]) -> Distance:
    asked, labels, charge = _taken("distance", _Options, options)
    q, t = labels.graph(query), labels.graph(target)
    if "fix" in asked:
        asked["fix"] = _fixed(asked["fix"], q, t)
    asked["task"] = task
    args, arrays = _encoded([q], [t], charge)
    _, out = ask("distances", {**args, **asked, "mode": "pairs", "map": True}, arrays)
    known = _WITHIN[out["within"][0]] if "within" in out else None
    stopped = _STOPS[out["stopped"][0]]
    return Distance(
        task, float(out["lower"][0]), float(out["upper"][0]), known, stopped, q, t, out["maps"], _kind(asked, charge), "fix" in asked
    )


def _fixed(pairs: Fixed, query: Graph, target: Graph) -> str:
    """Returns pairs of nodes in the form of a request."""
    if isinstance(pairs, str):
        return pairs

    def number(v: Hashable, g: Graph) -> str:
        if v is None:
            return "-"
        if g.nodes is None:
            return str(v)
        try:
            return str(g.nodes.index(v))
        except ValueError:
            raise RequestError(f"fix: there is no node {v!r}") from None

    each = pairs.items() if isinstance(pairs, Mapping) else pairs
    return ",".join(f"{number(v, query)}:{number(w, target)}" for v, w in each)


def _by_bonds(options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns options of a GED that is the distance of :func:`mces`."""
    if options.get("costs") is not None or options.get("ignore_edge_labels"):
        raise RequestError("mces has costs of its own, by which bonds are told apart")
    return {**options, "costs": "mces"}


_WITHIN = (False, True, None)
_WHY = {
    "time": "the time limit was reached", "states": "the limit of search states was reached", "memory": "it needs more memory than the solver may use",
    "size": "graphs of this size are only bounded", "interrupted": "it was interrupted",
    "rounding": "it lies within the rounding of the costs",
}  # fmt: skip
_STOPS = (None, "time", "states", "memory", "size", "interrupted", "rounding")


def ged(query: Any, target: Any, **options: Unpack[_Options]) -> Distance:
    """Returns the graph edit distance: the least cost of edits that turn query into target.

    Both are anything that :func:`greed.graph` takes, which explains
    ``node_label``, ``edge_label`` and ``simplify``. ``costs`` are the name of
    some ("uniform", 1 for every edit, "chem1", "chem2", "rings", "mces", "letter", "fingerprint"),
    a :class:`Costs` or a dict of its fields; with ``ignore_edge_labels`` relabelling an edge is free.
    After ``time_limit`` (seconds, or a text such as "500ms") there are bounds. ``within`` asks only
    whether the distance is at most that, which is quicker. ``charge`` makes charges part of the labels
    of atoms. ``fix`` gives pairs of nodes in advance, such as ``{0: 3, 1: None}`` or, to insert node
    2, ``[(0, 3), (None, 2)]``: then the number is the least cost with these.

    >>> greed.ged("CCO", "CCN")
    <ged 1>
    """
    return _distance(query, target, "ged", options)


def sed(query: Any, target: Any, **options: Unpack[_Options]) -> Distance:
    """Returns the subgraph edit distance: the least cost of edits that turn query into a subgraph
    of target, 0 if it is one. Options are those of :func:`ged`.

    >>> greed.sed("c1ccccc1", "Cc1ccccc1O")
    <sed 0>
    """
    return _distance(query, target, "sed", options)


def mces(query: Any, target: Any, **options: Unpack[_Options]) -> Distance:
    """Returns the distance of maximum common edge subgraphs, that of myopic-mces: atoms map to their
    own element only, a bond that is not common costs its order (1.5 if aromatic), a common
    bond the difference of the orders. Options are those of :func:`ged`, whose costs "mces" it is.

    >>> float(greed.mces("CCO", "CC=O"))
    1.0
    >>> greed.mces("CCO", "CC=O").common
    Common(nodes=2, edges=1, johnson=0.36)
    """
    return _distance(query, target, "ged", _by_bonds(options))


def verify(certificate: str) -> dict[str, Any]:
    """Returns what a certificate proves, of each pair and of a search, as greed verify says it;
    :class:`RequestError` if it is refused.

    >>> greed.verify(greed.ged("CCO", "CCN").certificate())["pairs"][0]["upper"]
    1
    """
    return ask("verify", {"certificate": certificate}, [])[0]


def mcs(query: Any, target: Any, **options: Unpack[_CommonOptions]) -> CommonSubgraph:
    """Returns the largest subgraph that two graphs have in common: by nodes and induced, or with
    ``edges`` by edges, as chemists compare molecules; with ``connected`` in one piece.

    Options of ``edges``: ``rings`` maps rings only to rings, as RDKit's FindMCS does by
    ``ringMatchesRingOnly``, and ``at_least`` asks only whether so many are in common and, if so, how
    many. ``ignore_edge_labels``, ``time_limit``, ``charge`` and the labels are those of :func:`ged`.

    >>> greed.mcs("CCO", "CCN")
    <common subgraph of 2 nodes>
    >>> greed.mcs("CC(=O)Oc1ccccc1C(=O)O", "CC(=O)Nc1ccccc1C(=O)O", edges=True)
    <common subgraph of 11 edges>
    """
    return mcs_pairs([query], [target], **options)[0]


def mcs_pairs(queries: Any, targets: Any, **options: Unpack[_ManyCommonOptions]) -> list[CommonSubgraph]:
    """Returns the results of :func:`mcs` for the first query and the first target, the second and the second,
    and so on, in one request and on all cores."""
    asked, labels, charge = _taken("search for common subgraphs", _ManyCommonOptions, options)
    progress = asked.pop("progress", None)
    q, t = labels.graphs(queries), labels.graphs(targets)
    if len(q) != len(t):
        raise RequestError(f"{len(q)} queries and {len(t)} targets cannot be paired")
    args, arrays = _encoded(q, t, charge)
    with shown(progress, "common subgraphs") as report:
        found, _ = ask("mcs", {**args, **asked, "progress": bool(progress)}, arrays, report)
    counts = "edges" if asked.get("edges") else "nodes"
    return [CommonSubgraph(f["size"], f["upper"], counts, a, b, f["map"], f.get("not_compared", [])) for f, a, b in zip(found, q, t)]


@dataclass(eq=False, repr=False)
class Distances(Bounded):
    """What is known of many distances: arrays ``lower`` and ``upper``, of one dimension for pairs,
    of [queries, targets] for a matrix, and ``exact``, where they meet.

    ``d.values``, or ``np.asarray(d)``, are the distances where all are proven, and
    raise :class:`NotProven` elsewhere; ``d.upper`` is there in any case. ``d <= 3`` is an array, too.
    ``d[i, j]`` (of pairs ``d[i]``) is one :class:`Distance` with its map and
    edits, if ``map=True`` asked for them.
    """

    task: str
    lower: np.ndarray
    upper: np.ndarray
    within: np.ndarray | None
    _stopped: np.ndarray
    queries: list[Graph]
    targets: list[Graph]
    _sizes: np.ndarray  # nodes of the queries, which are the lengths of the maps
    _maps: np.ndarray | None
    _kind: dict[str, Any]

    def __post_init__(self) -> None:
        if self._maps is not None:
            lengths = self._sizes if self.lower.ndim == 1 else np.repeat(self._sizes, len(self.targets))
            self._starts = np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        raise TypeError("several distances are neither true nor false")

    @property
    def shape(self) -> tuple[int, ...]:
        return self.lower.shape

    def __len__(self) -> int:
        return len(self.lower)

    def __iter__(self) -> Iterator[Distance]:
        if self.lower.ndim != 1:
            raise TypeError("a matrix has rows of numbers: iterate over values, lower or upper")
        return map(self.__getitem__, range(len(self)))

    @property
    def stopped(self) -> np.ndarray:
        """Why distances are open, as :class:`Distance` says it, None where they are not."""
        return np.array(_STOPS, dtype=object)[self._stopped]

    @property
    def values(self) -> np.ndarray:
        """The distances; :class:`NotProven` unless all are proven."""
        open_pairs = self.lower.size - int(self.exact.sum())
        if open_pairs:
            raise NotProven(f"{open_pairs} of {self.lower.size} distances are only bounded: see lower, upper and exact")
        return self.upper

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        values = self.values
        if copy or (dtype is not None and values.dtype != dtype):
            return values.astype(dtype or values.dtype, copy=True)
        return values

    def __getitem__(self, at: int | tuple[int, int]) -> Distance:
        index: tuple[int, ...] = at if isinstance(at, tuple) else (at,)
        if len(index) != self.lower.ndim:
            raise IndexError(f"want {self.lower.ndim} positions, have {at!r}")
        index = tuple(range(n)[i] for i, n in zip(index, self.lower.shape))
        flat = int(np.ravel_multi_index(index, self.lower.shape))
        if self._maps is None:
            raise NotProven("there are no maps: ask for them with map=True, or read lower and upper")
        m = self._maps[self._starts[flat] : self._starts[flat + 1]]
        within = None if self.within is None else _WITHIN[self.within[index]]
        return Distance(
            self.task, float(self.lower[index]), float(self.upper[index]), within, _STOPS[self._stopped[index]],
            self.queries[index[0]], self.targets[index[-1]], m, self._kind,
        )  # fmt: skip

    def to_pandas(self) -> Any:
        """Returns the values as a pandas DataFrame, or a Series for pairs, with the ids of the graphs."""
        import pandas as pd

        if self.lower.ndim == 1:
            return pd.DataFrame({
                "query": _ids(self.queries), "target": _ids(self.targets),
                "lower": self.lower, "upper": self.upper, "exact": self.exact,
            })  # fmt: skip
        return pd.DataFrame(self.values, _ids(self.queries), _ids(self.targets))

    def __repr__(self) -> str:
        return f"<{self.task} of {' x '.join(map(str, self.shape))} pairs, {self.exact.mean() * 100 if self.lower.size else 100:.4g} % exact>"


def _ids(graphs: list[Graph]) -> list[str]:
    return [str(i) if g.id is None else g.id for i, g in enumerate(graphs)]


def matrix(graphs: Any, others: Any = None, *, task: str = "ged", **options: Unpack[_ManyOptions]) -> Distances:
    """Returns the distances of every graph with every other, or with each of ``others``.

    ``graphs`` and ``others`` are lists or other iterables of anything that
    :func:`greed.graph` takes, or a path of a file. ``task`` is "ged", "sed", "mces" or
    "mcs" (nodes of the larger graph that are not in the maximum common
    subgraph). ``time_limit`` is for each pair; ``map`` asks for node maps and edits. Other options
    are those of :func:`ged` but ``fix``. All cores compute, or as many as ``workers`` says.
    """
    return _many("self" if others is None else "matrix", graphs, others, task, options)


def pairs(queries: Any, targets: Any, *, task: str = "ged", **options: Unpack[_ManyOptions]) -> Distances:
    """Returns the distances of the first query and the first target, the second and the second, and
    so on. Arguments are those of :func:`matrix`."""
    return _many("pairs", queries, targets, task, options)


def _many(mode: str, queries: Any, targets: Any, task: str, options: Mapping[str, Any]) -> Distances:
    if task not in ("ged", "sed", "mces", "mcs"):
        raise RequestError(f"task is {task!r}: want ged, sed, mces or mcs")
    if options.get("fix") is not None:
        raise TypeError("fix names nodes of one query and one target: see ged and sed")
    if task == "mces":
        task, options = "ged", _by_bonds(options)
    asked, labels, charge = _taken("distance", _ManyOptions, options)
    asked["task"] = task
    progress = asked.pop("progress", None)
    q = labels.graphs(queries)
    t = None if targets is None else labels.graphs(targets)
    if mode == "pairs" and t is not None and len(q) != len(t):
        raise RequestError(f"{len(q)} queries and {len(t)} targets cannot be paired")
    args, arrays = _encoded(q, t, charge)
    with shown(progress, f"{task}, pairs") as report:
        _, out = ask("distances", {**args, **asked, "mode": mode, "progress": bool(progress)}, arrays, report)
    return Distances(
        task, out["lower"], out["upper"], out.get("within"), out["stopped"], q, q if t is None else t,
        out["query_nodes"], out.get("maps"), _kind(asked, charge),
    )  # fmt: skip


class shown:
    """Shows progress while a request runs, a bar for each of its stages: with tqdm if it is there, else as a
    line of text."""

    def __init__(self, progress: Progress, what: str = ""):
        self._wanted, self._stage = progress, what
        self._bar: Any = None

    def __enter__(self) -> Callable[[dict], None] | None:
        return self._report if self._wanted else None

    def _report(self, state: Mapping) -> None:
        done, total, stage = int(state["done"]), int(state["total"]), state.get("stage", self._stage)
        if callable(self._wanted):
            self._wanted(done, total)
            return
        if stage != self._stage:
            self.__exit__(stage)
        if self._bar is None:
            self._stage, self._bar = stage, _bar(stage, total)
        self._bar.total = total
        self._bar.update(done - self._bar.n)
        if state.get("loss") and hasattr(self._bar, "set_postfix"):
            self._bar.set_postfix(loss=state["loss"], mae=state["mae"])

    def __exit__(self, failed: Any = None, *_: Any) -> None:
        """Ends the bar, full unless something failed or was ended by another stage."""
        if self._bar is not None:
            if failed is None:
                self._bar.update(self._bar.total - self._bar.n)
            self._bar.close()
            self._bar = None


def _bar(what: str, total: int) -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Line(what, total)
    return tqdm(desc=what, total=total)


class _Line:
    """A progress bar of one line, where there is no tqdm; elsewhere than on a terminal ten lines."""

    def __init__(self, what: str, total: int):
        self.what, self.total, self.n = what, total, 0

    def update(self, k: int) -> None:
        before, self.n = self.n, self.n + k
        terminal = sys.stderr.isatty()
        if terminal or 10 * before // max(1, self.total) < 10 * self.n // max(1, self.total):
            start, end = ("\r", "") if terminal else ("", "\n")
            print(f"{start}{self.what}: {self.n:,} of {self.total:,}", end=end, file=sys.stderr, flush=True)

    def close(self) -> None:
        if sys.stderr.isatty():
            print(file=sys.stderr)
