"""Graph edit distances: exact, learned, explained.

>>> import greed
>>> d = greed.ged("CCO", "CCN")
>>> float(d)
1.0
>>> print(*d.edits)
substitute node 2 (O) by 2 (N)
"""

from __future__ import annotations

from . import aio
from ._child import close
from ._collection import Answer, Collection, SearchResult
from ._costs import Costs, Table
from ._distance import (
    Common,
    CommonSubgraph,
    Distance,
    Distances,
    Edit,
    Transformation,
    ged,
    matrix,
    mces,
    mcs,
    mcs_pairs,
    pairs,
    sed,
)
from ._errors import (
    CostsError,
    DirectionError,
    GraphError,
    GreedError,
    InternalError,
    ModelError,
    NotProven,
    ProcessError,
    RecordError,
    RequestError,
)
from ._graph import WILDCARD, Graph, graph, read, smiles
from ._model import Model, train
from ._near import Cliffs, Effect, NearPair, NearPairs, NearVector
from ._sklearn import NeighborsTransformer
from ._version import __version__

__all__ = [
    "WILDCARD",
    "Answer",
    "Cliffs",
    "Collection",
    "Common",
    "CommonSubgraph",
    "Costs",
    "CostsError",
    "DirectionError",
    "Distance",
    "Distances",
    "Edit",
    "Effect",
    "Graph",
    "GraphError",
    "GreedError",
    "InternalError",
    "Model",
    "ModelError",
    "NearPair",
    "NearPairs",
    "NearVector",
    "NeighborsTransformer",
    "NotProven",
    "ProcessError",
    "RecordError",
    "RequestError",
    "SearchResult",
    "Table",
    "Transformation",
    "__version__",
    "aio",
    "close",
    "ged",
    "graph",
    "matrix",
    "mces",
    "mcs",
    "mcs_pairs",
    "pairs",
    "read",
    "sed",
    "smiles",
    "train",
]
