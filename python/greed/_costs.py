"""What edits cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Union

from ._errors import CostsError


@dataclass(frozen=True)
class Table:
    """Costs by label: of inserting and deleting each label, and of substituting one by another.

    Every label that occurs must be there, unless there is a ``default``, a mapping with
    ``insert``, ``delete``, ``substitute`` and ``equal``; a label becomes itself for
    nothing unless ``substitute`` or ``equal`` says otherwise. ``parts``, ``most`` and
    ``ring`` are those of docs/costs.md: differences of the values that ``|`` joins in a
    label, and what it costs to take an edge into a ring or out of one.
    """

    insert: Mapping[str, float] | None = None
    delete: Mapping[str, float] | None = None
    substitute: Mapping[str, Mapping[str, float]] | None = None
    default: Mapping[str, float] | None = None
    parts: Sequence[Mapping[str, Any]] | None = None
    most: float | None = None
    ring: float | None = None


@dataclass(frozen=True)
class Costs:
    """The costs of the six edits, 1 each by default. A table overrides the numbers of its kind."""

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
    --costs``: uniform (1 each), chem1 and chem2 (of GEDLIB), rings (opening and closing rings costs
    more), mces (of bonds that are not common), letter and fingerprint (of GEDLIB, for drawings)."""
    if costs is None or isinstance(costs, str):
        return costs
    if isinstance(costs, Costs):
        return _given(asdict(costs))
    if isinstance(costs, Mapping):
        if missing := [name for name, x in costs.items() if x is None]:
            raise CostsError(f"{missing[0]} is None: leave it out, or give a number")
        return dict(costs)
    raise CostsError(f"costs are {costs!r}: want a name, greed.Costs or a dict of its fields")


def _given(x: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a mapping without values of None, at any depth."""
    return {k: _given(v) if isinstance(v, Mapping) else v for k, v in x.items() if v is not None}
