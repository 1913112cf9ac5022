"""A transformer with the conventions of scikit-learn, which need not be installed."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._collection import Collection
from ._errors import RequestError
from ._options import TimeLimit


def _unfitted(text: str) -> Exception:
    """Returns the exception that scikit-learn has for it, if that is there."""
    try:
        from sklearn.exceptions import NotFittedError
    except ImportError:
        return RequestError(text)
    return NotFittedError(text)


class NeighborsTransformer:
    """Turns graphs into the sparse graph of their nearest neighbours, as scikit-learn's
    ``KNeighborsTransformer(mode="distance")`` does of points: for estimators with
    ``metric="precomputed"`` or ``affinity="precomputed_nearest_neighbors"``.

    It answers with edit distances that are proven, or raises :class:`NotProven`. Each graph
    fitted gets one neighbour more than asked for: itself.
    """

    def __init__(
        self, n_neighbors: int = 5, *, task: str = "ged", time_limit: TimeLimit = None, workers: int | None = None
    ):
        self.n_neighbors = n_neighbors
        self.task = task
        self.time_limit = time_limit
        self.workers = workers

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Returns the parameters."""
        return {name: getattr(self, name) for name in ("n_neighbors", "task", "time_limit", "workers")}

    def set_params(self, **params: Any) -> NeighborsTransformer:
        """Sets parameters."""
        for name, value in params.items():
            if name not in self.get_params():
                raise ValueError(f"there is no parameter {name!r}")
            setattr(self, name, value)
        return self

    def fit(self, X: Any, y: Any = None) -> NeighborsTransformer:
        """Takes the graphs among which neighbours are searched for, or a collection."""
        self.collection_ = X if isinstance(X, Collection) else Collection(X)
        self.n_samples_fit_ = len(self.collection_)
        return self

    def transform(self, X: Any) -> Any:
        """Returns the distances of the neighbours of graphs, a scipy.sparse matrix [graphs, fitted]."""
        from scipy.sparse import csr_matrix

        if not hasattr(self, "collection_"):
            raise _unfitted("this NeighborsTransformer is not fitted: call fit first")
        if self.n_neighbors > self.n_samples_fit_:
            raise RequestError(f"n_neighbors is {self.n_neighbors}, but there are {self.n_samples_fit_} graphs")
        queries = list(X)
        k = min(self.n_neighbors + 1, self.n_samples_fit_)
        distances, positions = self.collection_.kneighbors(
            queries, k, task=self.task, time_limit=self.time_limit, workers=self.workers
        )
        starts = np.arange(0, len(queries) * k + 1, k)
        return csr_matrix((distances.ravel(), positions.ravel(), starts), (len(queries), self.n_samples_fit_))

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Returns the neighbours of graphs among themselves."""
        graphs = list(X)
        return self.fit(graphs).transform(graphs)

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import Tags, TargetTags, TransformerTags

        return Tags(estimator_type="transformer", target_tags=TargetTags(required=False), transformer_tags=TransformerTags())
