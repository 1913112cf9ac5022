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


CostsLike = Union[Costs, Mapping[str, Any], str, None]


def to_json(costs: CostsLike) -> dict | str | None:
    """Returns costs in the form of a request; None stands for 1 each. Names are those of ``greed ged
    --costs``: uniform (1 each), chem1 and chem2 (of GEDLIB), mces (of bonds that are not common)."""
    if costs is None or isinstance(costs, str):
        return costs
    if isinstance(costs, Costs):
        return {k: v for k, v in asdict(costs).items() if v is not None}
    return dict(costs)
