"""Pairs of graphs, and vectors, that are near each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ._bounds import Far, Listed
from ._distance import Transformation, transformations_of


@dataclass(eq=False, repr=False, slots=True)
class NearPair(Far):
    """Two graphs that are near, by their ids: ``lower`` <= their distance <= ``upper``. ``p.distance``
    and ``float(p)`` are the distance where it is proven. ``old`` and ``new`` are the values of the attribute that was asked for,
    None where there is none, and ``change`` is their difference. Where a relation is ">" or "<", the value is above or
    below the number."""

    query: str
    target: str
    lower: float
    upper: float
    query_smiles: str | None = None
    target_smiles: str | None = None
    old: float | None = None
    new: float | None = None
    change: float | None = None
    old_relation: str = ""
    new_relation: str = ""
    change_relation: str = ""
    #: What turns the molecule of the query into that of the target.
    transformations: list[Transformation] = field(default_factory=list)

    @classmethod
    def _of(cls, raw: Mapping[str, Any]) -> NearPair:
        return cls(**{**raw, "transformations": transformations_of(raw.get("transformations"))})

    def _called(self) -> str:
        return f"the distance of {self.query} and {self.target}"

    def __repr__(self) -> str:
        values = f", {self.old_relation}{self.old:g} becomes {self.new_relation}{self.new:g}" if self.change is not None else ""
        return f"<{self.query} and {self.target}: {self._known()}{values}>"


class Effect(NamedTuple):
    """A transformation that occurs in pairs which differ by it alone: in ``pairs`` of them, of which
    ``known`` have both values. ``environment`` is what is around its places of attachment. ``mean`` is
    the mean change of the attribute, ``error`` its standard error, ``low`` and ``high`` are the ends of
    its confidence interval of 95 % by Student's t, as if pairs were independent, and ``up`` and ``down``
    count the pairs in which the attribute rises and falls for certain. In ``censored`` more a value is a
    bound, such as >10000; ``at_least`` and ``at_most`` bound the mean change of all, None where there is
    no bound."""

    text: str
    old: str
    new: str
    environment: list[str]
    pairs: int
    known: int
    mean: float | None
    error: float | None
    low: float | None
    high: float | None
    up: int
    down: int
    censored: int = 0
    at_least: float | None = None
    at_most: float | None = None

    @property
    def smirks(self) -> str:
        """The transformation in the notation of matched molecular pairs."""
        return f"{self.old}>>{self.new}" if self.old or self.new else ""


class NearVector(NamedTuple):
    """A graph whose vector is near, and the distance of the vectors by the norm of their embedding, which
    is what a model predicts."""

    id: str
    name: str | None
    smiles: str | None
    distance: float


class NearPairs(Listed[NearPair]):
    """The pairs of graphs within a distance, nearest first: a sequence of :class:`NearPair`.

    ``proven`` is whether all are there with their exact distances; ``verdict`` says it in a
    sentence, and ``open`` what may still change. ``total`` counts the pairs, also those beyond ``k``.
    """

    _noun = "pairs"

    def __init__(self, raw: Mapping[str, Any]):
        super().__init__(raw, [NearPair._of(p) for p in raw["pairs"]])
        #: None of pairs that exchange a fragment.
        self.radius: float | None = raw.get("radius")
        #: How many graphs were searched for, and how many of the other collection there are.
        self.graphs: int = raw["graphs"]
        self.others: int = raw.get("others", 0)
        self.total: Any = raw["total"]

    def _row(self, p: NearPair) -> dict[str, Any]:
        smiles = {"query_smiles": p.query_smiles, "target_smiles": p.target_smiles} if p.query_smiles else {}
        return dict(
            query=p.query, target=p.target, **smiles, distance=p.upper if p.exact else None, lower=p.lower, upper=p.upper,
            old=p.old, new=p.new, change=p.change, old_relation=p.old_relation, new_relation=p.new_relation,
            change_relation=p.change_relation, transformations="; ".join(x.text for x in p.transformations),
            smirks=" ".join(x.smirks for x in p.transformations if x.smirks),
        )  # fmt: skip


class Cliffs(NearPairs):
    """What near pairs mean for an attribute: a sequence of those that differ, the greatest change first.

    ``effects`` are the transformations of pairs that differ by one alone, those of most pairs first,
    and ``duplicates`` the pairs at distance 0. ``total`` counts all by kind, ``known`` the pairs
    with both values, and ``censored`` those in which one is a bound.
    """

    def __init__(self, raw: Mapping[str, Any]):
        super().__init__(raw)
        self.attribute: str | None = raw.get("attribute")
        self.known: int = raw["known"]
        self.censored: int = raw.get("censored", 0)
        self.duplicates: list[NearPair] = [NearPair._of(p) for p in raw["duplicates"]]
        self.effects: list[Effect] = [
            Effect(
                e["text"], e["from"], e["to"], e.get("environment", []), e["pairs"], e["known"], e.get("mean"), e.get("error"),
                e.get("low"), e.get("high"), e["up"], e["down"], e.get("censored", 0), e.get("at_least"), e.get("at_most"),
            )
            for e in raw["transformations"]
        ]  # fmt: skip
        #: Pairs of molecules whose transformations were not found in time.
        self.unexplained: int = raw.get("unexplained", 0)


class SARRow(NamedTuple):
    """A molecule of a series: its R-groups by the names of the positions, as SMILES."""

    id: str
    smiles: str
    groups: dict[str, str]
    #: How many atoms and bonds of the core are missing or others, and which.
    distance: int
    edits: list[str]
    #: Bonds between atoms of the core that the core does not have.
    bonds: list[str]
    #: Pieces that are not attached to the core.
    rest: str
    #: For every atom of the core the atom of the molecule, or -1.
    map: list[int]
    attributes: dict[str, Any]


class SAR(Listed[SARRow]):
    """A series taken apart into a core and R-groups: a sequence of :class:`SARRow`, in the order of the collection.

    ``columns`` are the positions; ``core`` is a SMARTS, in whose order its atoms are numbered. ``total`` counts all
    molecules that have the core, ``without`` the others.
    """

    _noun = "molecules"

    def __init__(self, raw: Mapping[str, Any]):
        self.columns: list[str] = [c["name"] for c in raw["columns"]]
        super().__init__(raw, [
            SARRow(
                r["id"], r["smiles"], dict(zip(self.columns, r["groups"])), r["distance"], r.get("edits", []), r.get("bonds", []),
                r.get("rest", ""), r["map"], r.get("attributes", {}),
            )
            for r in raw["rows"]
        ])  # fmt: skip
        self.core: str = raw["core"]
        self.total: int = raw["total"]
        self.graphs: int = raw["graphs"]
        self.without: int = raw["without"]
        #: Ids of molecules for which it cannot be decided.
        self.undecided: list[str] = raw.get("undecided", [])

    def _row(self, r: SARRow) -> dict[str, Any]:
        return dict(
            id=r.id, smiles=r.smiles, **r.groups, distance=r.distance, edits="; ".join(r.edits), bonds="; ".join(r.bonds), rest=r.rest, **r.attributes,
        )  # fmt: skip
