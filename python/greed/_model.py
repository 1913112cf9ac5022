"""Models: learnt distances."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _graph
from ._child import ask
from ._distance import Progress, _bar
from ._errors import RequestError
from ._frames import Array
from ._graph import LabelOf, Labels
from ._kept import Kept
from ._operations import TrainOptions
from ._options import formed

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Model(Kept):
    """A learnt distance: graphs become vectors, whose distance predicts that of the graphs.

    ``task`` is "ged", "sed" or "mcs"; ``dim`` the width of vectors; ``metrics`` the
    errors for unseen graphs. ``curve`` holds the learning curve if the
    model was just trained, and ``stopped`` why training ended early, if it did.
    """

    task: str
    dim: int
    norm: str
    fingerprint: str
    metrics: Mapping[str, float]
    costs: Mapping[str, Any]
    training: Mapping[str, Any]

    _info = "model.info"

    def __init__(self, op: str, args: dict, arrays: Iterable[Array] = (), info: dict | None = None):
        super().__init__((op, args, list(arrays), None))
        self.curve: list[dict] = []
        self.stopped: str | None = None
        self._tell(self._make() if info is None else info)

    def _tell(self, info: dict) -> None:
        self.task, self.dim, self.norm = info["task"], info["dim"], info["norm"]
        self.fingerprint, self.metrics, self.costs = info["fingerprint"], info["metrics"] or {}, info["costs"]
        self.training = info.get("training") or {}

    @property
    def measured(self) -> str:
        """What the metrics are of."""
        if self.training.get("held_pairs"):
            return "unseen pairs of training graphs"
        return "training graphs" if self.training.get("validated_on_seen") else "unseen graphs"

    @classmethod
    def load(cls, path: str | os.PathLike) -> Model:
        """Loads the file of a model, as ``greed train`` and :meth:`save` write it."""
        return cls("model.load", {"path": os.path.abspath(os.fspath(path))})

    @classmethod
    def bundled(cls, task: str = "ged") -> Model:
        """Returns the model that comes with greed, of molecules with costs of 1."""
        return cls("model.load", {"bundled": task})

    def save(self, path: str | os.PathLike) -> None:
        """Writes the model to a file, which appears whole or not at all."""
        data = self._ask("model.file", {}, name="model")[1]["model"]
        temporary = f"{os.fspath(path)}.{os.getpid()}.part"
        try:
            with open(temporary, "wb") as f:
                f.write(data.tobytes())
                f.flush()
                os.fsync(f.fileno())
            os.replace(temporary, path)
        except BaseException:
            if os.path.exists(temporary):
                os.remove(temporary)
            raise

    def embed(
        self, graphs: Any, *, side: str = "query", workers: int | None = None,
        node_label: LabelOf = None, edge_label: LabelOf = None, simplify: bool = False,
    ) -> np.ndarray:  # fmt: skip
        """Returns the vectors of graphs, float32 [graphs, dim]. ``side`` is for models that embed
        queries and targets apart."""
        if side not in ("query", "target"):
            raise RequestError(f"side is {side!r}: want query or target")
        packed, arrays = _graph.encode(
            Labels(node_label, edge_label, simplify).graphs(graphs), "queries"
        )
        args = {"queries": packed, "side": side, "workers": workers or 0}
        return self._ask("model.embed", args, arrays, name="model")[1]["vectors"]

    def predict(
        self, queries: Any, targets: Any = None, *, pairs: bool = False, workers: int | None = None,
        node_label: LabelOf = None, edge_label: LabelOf = None, simplify: bool = False,
    ) -> np.ndarray:  # fmt: skip
        """Returns predicted distances, [queries, targets], or with ``pairs`` those of the first and the
        first, the second and the second, and so on. Without targets they are the queries."""
        labels = Labels(node_label, edge_label, simplify)
        q = labels.graphs(queries)
        t = q if targets is None else labels.graphs(targets)
        if pairs and len(q) != len(t):
            raise RequestError(f"{len(q)} queries and {len(t)} targets are no pairs")
        packed, arrays = _graph.encode(q, "queries")
        others, more = _graph.encode(t, "targets")
        args = {"queries": packed, "targets": others, "mode": "pairs" if pairs else "matrix", "workers": workers or 0}
        return self._ask("model.predict", args, arrays + more, name="model")[1]["predicted"]

    def __repr__(self) -> str:
        mae = self.metrics.get("mae")
        known = "" if mae is None else f", MAE {mae:.3g} for {self.measured}"
        return f"<greed.Model {self.task}, {self.dim} coordinates{known}>"


def train(
    graphs: Any,
    *,
    trials: bool = True,
    node_label: LabelOf = None,
    edge_label: LabelOf = None,
    simplify: bool = False,
    workers: int | None = None,
    progress: Progress = True,
    **options: Unpack[TrainOptions],
) -> Model:
    """Learns to predict the distance of graphs like these, and returns the model.

    True distances of some of the graphs are computed first, which with the
    default settings takes minutes, then as many for learning; ``steps`` and
    ``max_pairs`` make it shorter. ``trials=False`` does without the trials that
    choose the norm. docs/reference.md has the other options. ``model.curve`` is the learning curve. Ctrl-C ends training
    and returns the best model so far, whose ``stopped`` says so; before there is one it raises.
    """
    packed, arrays = _graph.encode(Labels(node_label, edge_label, simplify).graphs(graphs), "graphs")
    args = {
        **formed("training", TrainOptions, options), "graphs": packed, "no_trials": not trials, "workers": workers or 0, "key": "",
    }  # fmt: skip
    with _Stages(progress) as report:
        result, out = ask("train", args, arrays, report, best=True)
    model = Model("model.load", {}, [("model", out["model"])])
    model.curve, model.stopped = result["curve"], result.get("stopped") or None
    if model.training.get("validated_on_seen"):
        warnings.warn(
            f"{model.training['graphs']} graphs are too few to hold any out: metrics are for {model.measured}", stacklevel=2
        )
    return model


class _Stages:
    """Shows a bar for each stage of training."""

    def __init__(self, progress: Progress):
        self._wanted = progress
        self._bar: Any = None
        self._stage: str | None = None

    def __enter__(self) -> Any:
        return self._report if self._wanted else None

    def _report(self, step: dict) -> None:
        if callable(self._wanted):
            self._wanted(step["done"], step["total"])
            return
        if step["stage"] != self._stage:
            self.__exit__()
            self._stage, self._bar = step["stage"], _bar(step["stage"], step["total"])
        self._bar.total = step["total"]
        self._bar.update(step["done"] - self._bar.n)
        if step["loss"] and hasattr(self._bar, "set_postfix"):
            self._bar.set_postfix(loss=step["loss"], mae=step["mae"])

    def __exit__(self, *_: Any) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
