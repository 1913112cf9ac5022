"""What operations take. Made from package operation by go test ./operation -update."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

from ._costs import CostsLike
from ._options import Fixed


class SearchOptions(TypedDict, total=False):
    """The fields of the operation search; docs/reference.md says what they do."""

    task: Literal["ged", "sed"]
    smarts: str
    radius: float
    mode: Literal["proven", "checked", "predicted"]
    filter: str | Sequence[str]
    show: str | Sequence[str]
    time_limit: float | str
    costs: CostsLike
    ignore_edge_labels: bool
    no_model: bool
    explain: bool


class ContainedOptions(TypedDict, total=False):
    """The fields of the operation contained; docs/reference.md says what they do."""

    filter: str | Sequence[str]
    show: str | Sequence[str]
    time_limit: float | str


class VectorsOptions(TypedDict, total=False):
    """The fields of the operation vectors; docs/reference.md says what they do."""

    embedding: str
    radius: float
    filter: str | Sequence[str]


class DistancesOptions(TypedDict, total=False):
    """The fields of the operation distances; docs/reference.md says what they do."""

    fix: Fixed
    within: float
    costs: CostsLike
    ignore_edge_labels: bool
    time_limit: float | str


class MCSOptions(TypedDict, total=False):
    """The fields of the operation mcs; docs/reference.md says what they do."""

    edges: bool
    connected: bool
    rings: bool
    at_least: int
    ignore_edge_labels: bool
    time_limit: float | str


class JoinOptions(TypedDict, total=False):
    """The fields of the operation join; docs/reference.md says what they do."""

    task: Literal["ged", "sed"]
    filter: str | Sequence[str]
    time_limit: float | str
    costs: CostsLike
    ignore_edge_labels: bool


class CliffsOptions(TypedDict, total=False):
    """The fields of the operation cliffs; docs/reference.md says what they do."""

    radius: float
    filter: str | Sequence[str]
    time_limit: float | str
    costs: CostsLike
    ignore_edge_labels: bool


class TrainOptions(TypedDict, total=False):
    """The fields of the operation train; docs/reference.md says what they do."""

    task: Literal["ged", "sed", "mcs"]
    preset: Literal["default", "paper"]
    hidden: int
    layers: int
    counts: int
    direct: int
    norm: str
    conv: str
    features: bool
    steps: int
    rate: float
    seed: int
    max_pairs: int
    edits: int
    states: int
    query_depth: int
    query_keep: float
    query_limits: Sequence[int]
    hops: int
    max_nodes: int
    costs: CostsLike
    ignore_edge_labels: bool


class ChangeOptions(TypedDict, total=False):
    """The fields of the operation change; docs/reference.md says what they do."""

    new: bool
    state: str
