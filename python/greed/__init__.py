"""Graph edit distances: exact, learnt, explained.

>>> import greed
>>> d = greed.ged("CCO", "CCN")
>>> float(d)
1.0
>>> print(*d.edits)
substitute node 2 (O) by 2 (N)
"""

from __future__ import annotations

# What is imported under its own name is exported, to type checkers too.
from . import aio as aio
from ._child import close as close
from ._collection import Answer as Answer, Collection as Collection, SearchResult as SearchResult
from ._costs import Costs as Costs, Table as Table
from ._distance import Common as Common, CommonSubgraph as CommonSubgraph, Distance as Distance, Distances as Distances
from ._distance import Edit as Edit, Transformation as Transformation, ged as ged, matrix as matrix, mces as mces
from ._distance import mcs as mcs, mcs_pairs as mcs_pairs, pairs as pairs, sed as sed
from ._errors import CostsError as CostsError, DirectionError as DirectionError, GraphError as GraphError
from ._errors import GreedError as GreedError, InternalError as InternalError, ModelError as ModelError
from ._errors import NotProven as NotProven, ProcessError as ProcessError, RecordError as RecordError
from ._errors import RequestError as RequestError
from ._graph import WILDCARD as WILDCARD, Graph as Graph, graph as graph, read as read, smiles as smiles
from ._model import Model as Model, train as train
from ._near import Cliffs as Cliffs, Effect as Effect, NearPair as NearPair, NearPairs as NearPairs
from ._near import NearVector as NearVector
from ._notes import Note as Note
from ._sklearn import NeighborsTransformer as NeighborsTransformer
from ._version import __version__ as __version__
