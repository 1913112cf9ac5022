"""Forms of greed's functions for asyncio.

>>> import asyncio, greed.aio
>>> asyncio.run(greed.aio.ged("CCO", "CCN"))
<ged 1>

They take what the functions take; a method takes its object first, as in
``await aio.search(collection, query)``. Any number run at the same time. A task that is
cancelled, say by ``asyncio.wait_for``, ends what is computed for it. :func:`asynchronous`
makes such a form of any other function that calls those of greed.
"""

from __future__ import annotations

import asyncio
import functools
import os
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from . import _distance, _graph, _model
from ._child import Call, Cancelled
from ._collection import Collection
from ._model import Model

P = ParamSpec("P")
T = TypeVar("T")

#: How many calls of one process run at the same time; others wait for one of these.
MOST = 256

_pools: dict[int, ThreadPoolExecutor] = {}


def _pool() -> ThreadPoolExecutor:
    """Returns the threads of this process, which a fork does not copy."""
    return _pools.setdefault(os.getpid(), ThreadPoolExecutor(MOST, "greed.aio"))


def asynchronous(f: Callable[P, T]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Returns the form of a function for asyncio, which runs it in a thread."""

    @functools.wraps(f)
    async def form(*args: P.args, **kwargs: P.kwargs) -> T:
        call = Call()
        work = asyncio.get_running_loop().run_in_executor(_pool(), _run, call, f, args, kwargs)
        try:
            done, result = await asyncio.shield(work)
        except asyncio.CancelledError:
            call.cancel()
            await asyncio.wait([work])
            raise
        if not done:
            raise asyncio.CancelledError
        return result

    form.__doc__ = f"The form of :func:`{f.__qualname__}` for asyncio."
    return form


def _run(call: Call, f: Callable, args: tuple, kwargs: dict) -> tuple[bool, Any]:
    """Returns what a function returns. A future must not be given the exception of cancelling."""
    try:
        return True, call.run(f, args, kwargs)
    except Cancelled:
        return False, None


ged = asynchronous(_distance.ged)
sed = asynchronous(_distance.sed)
mces = asynchronous(_distance.mces)
mcs = asynchronous(_distance.mcs)
mcs_pairs = asynchronous(_distance.mcs_pairs)
pairs = asynchronous(_distance.pairs)
matrix = asynchronous(_distance.matrix)
verify = asynchronous(_distance.verify)
read = asynchronous(_graph.read)
train = asynchronous(_model.train)
open = asynchronous(Collection.open)
search = asynchronous(Collection.search)
search_many = asynchronous(Collection.search_many)
nearest = asynchronous(Collection.nearest)
join = asynchronous(Collection.join)
cliffs = asynchronous(Collection.cliffs)
sar = asynchronous(Collection.sar)
kneighbors = asynchronous(Collection.kneighbors)
change = asynchronous(Collection.change)
put = asynchronous(Collection.put)
delete = asynchronous(Collection.delete)
predict = asynchronous(Model.predict)
embed = asynchronous(Model.embed)
