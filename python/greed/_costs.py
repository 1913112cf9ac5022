"""What edits cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Union


@dataclass(frozen=True)
class Table:
    """Costs by label: of inserting and deleting each, and of each becoming another.

    Every label that occurs must be there; a label becomes itself for nothing
    unless ``substitute`` says otherwise.
    """

    insert: Mapping[str, float]
    delete: Mapping[str, float]
    substitute: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class Costs:
    """The costs of the six edits, 1 each unless given. A table overrules the numbers of its kind."""

    node_insert: float = 1.0
    node_delete: float = 1.0
    node_substitute: float = 1.0
    edge_insert: float = 1.0
    edge_delete: float = 1.0
    edge_substitute: float = 1.0
    nodes: Table | None = None
    edges: Table | None = None


#: Costs by name: ``uniform`` is 1 for every edit; ``chem1`` is GEDLIB's CHEM_1.
NAMED: Mapping[str, Costs | None] = {"uniform": None, "chem1": Costs(4, 4, 2, 1, 1, 1)}

CostsLike = Union[Costs, Mapping[str, Any], str, None]


def to_json(costs: CostsLike) -> dict | None:
    """Returns costs in the form of a request; None stands for 1 each."""
    if isinstance(costs, str):
        if costs not in NAMED:
            raise ValueError(f"costs are {costs!r}: want {', '.join(NAMED)}, a Costs or a dict")
        costs = NAMED[costs]
    if costs is None:
        return None
    if isinstance(costs, Costs):
        return {k: v for k, v in asdict(costs).items() if v is not None}
    return dict(costs)
