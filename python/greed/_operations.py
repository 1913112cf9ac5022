"""What operations take. Made from package operation by go test ./operation -update."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

from ._costs import CostsLike
from ._options import Fixed


class SearchOptions(TypedDict, total=False):
    """The fields of the operation search; docs/reference.md says what they do."""

    task: Literal["ged", "sed"] | None
    smarts: str | None
    radius: float | None
    mode: Literal["proven", "checked", "predicted"] | None
    recall: float | None
    filter: str | Sequence[str] | None
    show: str | Sequence[str] | None
    time_limit: float | str | None
    costs: CostsLike | None
    ignore_edge_labels: bool | None
    no_model: bool | None
    explain: bool | None


class ContainedOptions(TypedDict, total=False):
    """The fields of the operation contained; docs/reference.md says what they do."""

    filter: str | Sequence[str] | None
    show: str | Sequence[str] | None
    time_limit: float | str | None


class VectorsOptions(TypedDict, total=False):
    """The fields of the operation vectors; docs/reference.md says what they do."""

    embedding: str | None
    radius: float | None
    filter: str | Sequence[str] | None


class DistancesOptions(TypedDict, total=False):
    """The fields of the operation distances; docs/reference.md says what they do."""

    fix: Fixed | None
    within: float | None
    costs: CostsLike | None
    ignore_edge_labels: bool | None
    time_limit: float | str | None


class MCSOptions(TypedDict, total=False):
    """The fields of the operation mcs; docs/reference.md says what they do."""

    edges: bool | None
    connected: bool | None
    rings: bool | None
    at_least: int | None
    ignore_edge_labels: bool | None
    time_limit: float | str | None


class JoinOptions(TypedDict, total=False):
    """The fields of the operation join; docs/reference.md says what they do."""

    task: Literal["ged", "sed"] | None
    filter: str | Sequence[str] | None
    time_limit: float | str | None
    costs: CostsLike | None
    ignore_edge_labels: bool | None


class CliffsOptions(TypedDict, total=False):
    """The fields of the operation cliffs; docs/reference.md says what they do."""

    radius: float | None
    fragments: int | None
    environment: int | None
    filter: str | Sequence[str] | None
    time_limit: float | str | None
    costs: CostsLike | None
    ignore_edge_labels: bool | None


class SAROptions(TypedDict, total=False):
    """The fields of the operation sar; docs/reference.md says what they do."""

    smarts: bool | None
    radius: int | None
    only_marked: bool | None
    skip: int | None
    filter: str | Sequence[str] | None
    show: str | Sequence[str] | None
    time_limit: float | str | None


class TrainOptions(TypedDict, total=False):
    """The fields of the operation train; docs/reference.md says what they do."""

    task: Literal["ged", "sed", "mcs"] | None
    preset: Literal["default", "paper"] | None
    hidden: int | None
    layers: int | None
    counts: int | None
    direct: int | None
    norm: str | None
    conv: str | None
    features: bool | None
    steps: int | None
    rate: float | None
    seed: int | None
    max_pairs: int | None
    edits: int | None
    states: int | None
    query_depth: int | None
    query_keep: float | None
    query_limits: Sequence[int] | None
    hops: int | None
    max_nodes: int | None
    costs: CostsLike | None
    ignore_edge_labels: bool | None


class PredictOptions(TypedDict, total=False):
    """The fields of the operation predict; docs/reference.md says what they do."""

    states: int | None
    raw: bool | None


class ChangeOptions(TypedDict, total=False):
    """The fields of the operation change; docs/reference.md says what they do."""

    new: bool | None
    state: str | None
