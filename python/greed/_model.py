"""Models: learnt distances."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _graph
from ._child import ask
from ._distance import shown
from ._errors import RequestError
from ._frames import Array
from ._graph import Labels
from ._kept import Kept
from ._operations import PredictOptions, TrainOptions
from ._options import Labelling, Progress, formed, split

if TYPE_CHECKING:
    from typing_extensions import Unpack


class _Options(Labelling, total=False):
    workers: int | None


class _PredictOptions(PredictOptions, _Options, total=False):
    pass


class _TrainOptions(TrainOptions, _Options, total=False):
    pass


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
        """What the metrics were measured on."""
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
        data = self._ask("model.file", {})[1]["model"]
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

    def embed(self, graphs: Any, **options: Unpack[_Options]) -> np.ndarray:
        """Returns the vectors of graphs, float32 [graphs, dim]. Options are ``workers``, ``node_label``,
        ``edge_label`` and ``simplify``."""
        asked = formed("embedding", _Options, options)
        given = Labels(**split(asked, Labelling)).graphs(graphs)
        _graph.compared(given)
        packed, arrays = _graph.encode(given, "queries")
        return self._ask("model.embed", {"queries": packed, **asked}, arrays)[1]["vectors"]

    def predict(
        self, queries: Any, targets: Any = None, *, pairs: bool = False, **options: Unpack[_PredictOptions]
    ) -> np.ndarray:
        """Returns predicted distances, [queries, targets], or with ``pairs`` those of the first and the
        first, the second and the second, and so on. Without targets they are the queries. Predictions are
        kept within bounds that labels and degrees prove, as ``greed predict`` does. Options are those of
        :meth:`embed`; ``raw``: leave predictions as the norm gives them; ``states``: keep them
        within what the solver proves in so many search states, too."""
        asked = formed("prediction", _PredictOptions, options)
        labels = Labels(**split(asked, Labelling))
        q = labels.graphs(queries)
        t = q if targets is None else labels.graphs(targets)
        if pairs and len(q) != len(t):
            raise RequestError(f"{len(q)} queries and {len(t)} targets cannot be paired")
        _graph.compared([*q, *t])
        packed, arrays = _graph.encode(q, "queries")
        others, more = _graph.encode(t, "targets")
        args = {"queries": packed, "targets": others, "mode": "pairs" if pairs else "matrix", **asked}
        return self._ask("model.predict", args, arrays + more)[1]["predicted"]

    def __repr__(self) -> str:
        mae = self.metrics.get("mae")
        known = "" if mae is None else f", MAE {mae:.3g} for {self.measured}"
        return f"<greed.Model {self.task}, {self.dim} coordinates{known}>"


def train(graphs: Any, *, trials: bool = True, progress: Progress = True, **options: Unpack[_TrainOptions]) -> Model:
    """Learns to predict the distance of graphs like these, and returns the model.

    True distances of some of the graphs are computed first, which with the
    default settings takes minutes, then as many for learning; ``steps`` and
    ``max_pairs`` make it shorter. ``trials=False`` does without the trials that
    choose the norm. docs/reference.md has the other options. ``model.curve`` is the learning curve. Ctrl-C ends training
    and returns the best model so far, whose ``stopped`` says so; before there is one it raises.
    """
    asked = formed("training", _TrainOptions, options)
    given = Labels(**split(asked, Labelling)).graphs(graphs)
    _graph.compared(given)
    packed, arrays = _graph.encode(given, "graphs")
    with shown(progress) as report:
        result, out = ask("train", {**asked, "graphs": packed, "no_trials": not trials, "key": ""}, arrays, report, best=True)
    model = Model("model.load", {}, [("model", out["model"])])
    model.curve, model.stopped = result["curve"], result.get("stopped") or None
    if model.training.get("validated_on_seen"):
        warnings.warn(
            f"{model.training['graphs']} graphs are too few to hold any out: metrics are for {model.measured}", stacklevel=2
        )
    return model
