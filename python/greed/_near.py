"""Pairs of graphs, and vectors, that are near each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ._bounds import Bounded
from ._distance import Transformation, transformations_of
from ._errors import NotProven


class NearPair(Bounded):
    """Two graphs that are near, by their ids: ``lower`` <= their distance <= ``upper``. ``float(p)`` is the
    distance where it is proven. ``old`` and ``new`` are the values of the attribute that was asked for,
    None where there is none, and ``change`` is their difference."""

    __slots__ = ("query", "target", "query_smiles", "target_smiles", "lower", "upper", "old", "new", "change", "transformations")

    def __init__(self, raw: Mapping[str, Any]):
        self.query: str = raw["query"]
        self.target: str = raw["target"]
        self.query_smiles: str | None = raw.get("query_smiles")
        self.target_smiles: str | None = raw.get("target_smiles")
        self.lower = float(raw["lower"])
        self.upper = float(raw["upper"])
        self.old: float | None = raw.get("old")
        self.new: float | None = raw.get("new")
        self.change: float | None = raw.get("change")
        #: What turns the molecule of the query into that of the target.
        self.transformations: list[Transformation] = transformations_of(raw.get("transformations"))

    @property
    def value(self) -> float:
        """The distance; :class:`NotProven` unless it is proven."""
        if self.lower != self.upper:
            raise NotProven(f"the distance of {self.query} and {self.target} is between {self.lower:g} and {self.upper:g}")
        return self.upper

    def __repr__(self) -> str:
        known = f"{self.upper:g}" if self.lower == self.upper else f"{self.lower:g} to {self.upper:g}"
        change = "" if self.change is None else f", {self.old:g} becomes {self.new:g}"
        return f"<{self.query} and {self.target}: {known}{change}>"


class Effect(NamedTuple):
    """A transformation that occurs in pairs which differ by it alone: in ``pairs`` of them, of which
    ``known`` have both values. ``mean`` is the mean change of the attribute, ``error`` its standard
    error, and ``up`` and ``down`` count the pairs in which it rises and falls."""

    text: str
    old: str
    new: str
    pairs: int
    known: int
    mean: float | None
    error: float | None
    up: int
    down: int

    @property
    def smirks(self) -> str:
        """The transformation as matched molecular pairs are written."""
        return f"{self.old}>>{self.new}"


class NearVector(NamedTuple):
    """A graph whose vector is near, and the distance of the vectors by the norm of their embedding, which
    is what a model predicts."""

    id: str
    name: str | None
    smiles: str | None
    distance: float


class NearPairs(Sequence[NearPair]):
    """The pairs of graphs within a distance, nearest first: a sequence of :class:`NearPair`.

    ``proven`` is whether all are there with their exact distances; ``verdict`` says it in a
    sentence, and ``open`` what may still change. ``total`` counts the pairs, also those beyond ``k``.
    """

    def __init__(self, raw: Mapping[str, Any]):
        self.status: str = raw["status"]
        self.proven: bool = raw["status"] == "proven"
        self.verdict: str = raw["verdict"]
        #: How the request was understood.
        self.question: Mapping[str, Any] = raw["question"]
        self.radius: float = raw["radius"]
        #: How many graphs were searched for, and how many of the other collection there are.
        self.graphs: int = raw["graphs"]
        self.others: int = raw.get("others", 0)
        self.total: Any = raw["total"]
        self.open: Mapping[str, int] = raw.get("open") or {}
        self.seconds: float = raw["seconds"]
        self._pairs = [NearPair(p) for p in raw["pairs"]]

    def __len__(self) -> int:
        return len(self._pairs)

    def __getitem__(self, i: Any) -> Any:
        return self._pairs[i]

    def to_dicts(self) -> list[dict[str, Any]]:
        """Returns the pairs as rows."""
        return [_row(p) for p in self]

    def to_pandas(self) -> Any:
        """Returns a pandas.DataFrame of the pairs, whose ``attrs`` hold the status and the verdict."""
        import pandas as pd

        frame = pd.DataFrame(self.to_dicts())
        frame.attrs.update(status=self.status, verdict=self.verdict)
        return frame

    def to_polars(self) -> Any:
        """Returns a polars.DataFrame of the pairs."""
        import polars as pl

        return pl.DataFrame(self.to_dicts(), infer_schema_length=None)

    def __repr__(self) -> str:
        lines = [f"<{len(self)} pairs, {self.verdict}>"]
        return "\n".join(lines + [f"  {p!r}" for p in self._pairs[:10]] + ["  ..."] * (len(self) > 10))


class Cliffs(NearPairs):
    """What near pairs mean for an attribute: a sequence of those that differ, the greatest change first.

    ``effects`` are the transformations of pairs that differ by one alone, those of most pairs first,
    and ``duplicates`` the pairs at distance 0. ``total`` counts all by kind, and ``known`` the pairs
    with both values.
    """

    def __init__(self, raw: Mapping[str, Any]):
        super().__init__(raw)
        self.attribute: str | None = raw.get("attribute")
        self.known: int = raw["known"]
        self.duplicates: list[NearPair] = [NearPair(p) for p in raw["duplicates"]]
        self.effects: list[Effect] = [
            Effect(e["text"], e["from"], e["to"], e["pairs"], e["known"], e.get("mean"), e.get("error"), e["up"], e["down"])
            for e in raw["transformations"]
        ]
        #: Pairs of molecules whose transformations were not found in time.
        self.unexplained: int = raw.get("unexplained", 0)


def _row(p: NearPair) -> dict[str, Any]:
    row: dict[str, Any] = {"query": p.query, "target": p.target}
    if p.query_smiles:
        row.update(query_smiles=p.query_smiles, target_smiles=p.target_smiles)
    row.update(
        distance=p.upper if p.lower == p.upper else None, lower=p.lower, upper=p.upper, old=p.old, new=p.new, change=p.change,
        transformations="; ".join(t.text for t in p.transformations), smirks=" ".join(t.smirks for t in p.transformations),
    )  # fmt: skip
    return row
