"""Graph edit distances: exact, learnt, explained.

>>> import greed
>>> d = greed.ged("CCO", "CCN")
>>> float(d)
1.0
>>> print(*d.edits)
substitute node 2 (O) by 2 (N)
"""

from __future__ import annotations

from . import _notebook as _notebook, aio
from ._child import close
from ._collection import Answer, Changed, Collection, SearchResult
from ._costs import Costs, Table
from ._distance import Common, CommonSubgraph, Distance, Distances, Edit, Transformation
from ._distance import ged, matrix, mces, mcs, mcs_pairs, pairs, sed, verify
from ._errors import CostsError, DirectionError, GraphError, GreedError, InternalError, ModelError
from ._errors import NotProven, ProcessError, RecordError, RequestError
from ._graph import WILDCARD, Graph, graph, read, smiles
from ._model import Model, train
from ._near import SAR, Cliffs, Effect, NearPair, NearPairs, NearVector, SARRow
from ._notes import Note
from ._sklearn import NeighborsTransformer
from ._version import __version__

# What help() and the site show. It is a list of texts, so that programs that only read the source find it.
__all__ = [
    "ged", "sed", "mces", "mcs", "mcs_pairs", "pairs", "matrix", "verify",
    "Distance", "Distances", "Common", "CommonSubgraph", "Edit", "Transformation",
    "Costs", "Table",
    "graph", "smiles", "read", "Graph", "WILDCARD",
    "Collection", "SearchResult", "Answer", "Changed", "Note",
    "NearPairs", "NearPair", "NearVector", "Cliffs", "Effect", "SAR", "SARRow",
    "train", "Model", "NeighborsTransformer",
    "GreedError", "GraphError", "RecordError", "DirectionError", "CostsError", "ModelError", "NotProven", "RequestError",
    "ProcessError", "InternalError",
    "aio", "close", "__version__",
]  # fmt: skip

for _name in __all__:  # tracebacks and help call things as users do
    if getattr(globals()[_name], "__module__", "").startswith("greed._"):
        globals()[_name].__module__ = "greed"
del _name
