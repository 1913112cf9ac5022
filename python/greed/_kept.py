"""Objects that live in the process that computes, and outlive it."""

from __future__ import annotations

import copy
import os
import threading
import uuid
import weakref
from collections.abc import Iterable
from typing import Any, TypeVar

import numpy as np

from ._child import ask, connection
from ._errors import Gone, RequestError
from ._frames import Array

T = TypeVar("T")

#: One request that makes or changes a thing, and another thing that it needs.
Step = tuple[str, dict, list[Array], "Kept | None"]


class Kept:
    """An object that the process holds under a key. The requests that made it are remembered, so that
    another process (after a fork, a crash, or pickling) gets it, too."""

    #: The request that tells of the thing.
    _info = ""

    def __init__(self, *steps: Step):
        self._steps: list[Step] = list(steps)
        self._begin()

    def _begin(self) -> None:
        self._key = uuid.uuid4().hex
        self._making = (os.getpid(), threading.RLock())
        self._free = weakref.finalize(self, _free, self._key, os.getpid())
        self._free.atexit = False

    def close(self) -> None:
        """Releases what the process holds for this object, files and memory. It cannot be used afterwards."""
        self._free()
        self._key = ""

    def __enter__(self: T) -> T:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()  # type: ignore[attr-defined]

    def _changing(self) -> threading.RLock:
        """Returns the lock for making or changing the object. A fork does not copy who holds it."""
        pid = os.getpid()
        if self._making[0] != pid:
            self._making = (pid, threading.RLock())
        return self._making[1]

    def _named(self, name: str) -> dict:
        if not self._key:
            raise RequestError(f"this {type(self).__name__} was closed")
        return {name: self._key}

    def _make(self) -> Any:
        """Carries out the requests and returns the answer to the first."""
        return [self._carry_out(step) for step in self._steps][0]

    def _carry_out(self, step: Step) -> Any:
        op, args, arrays, needs = step
        if needs is not None:
            needs._ask("model.info", {})  # which makes it if it is gone
            args = {**args, "model": needs._key}
        return ask(op, {**args, **self._named("key")}, arrays)[0]

    def _change(self, step: Step) -> Any:
        """Carries out a request that changes the object."""
        with self._changing():
            try:
                return self._carry_out(step)
            except Gone:
                self._make()
                return self._carry_out(step)

    def _ask(self, op: str, args: dict, arrays: Iterable[Array] = (), progress: Any = None) -> tuple[Any, dict[str, np.ndarray]]:
        """Sends a request about the object, which is made again if it is gone."""
        arrays = list(arrays)
        args = {**args, **self._named("key")}
        try:
            return ask(op, args, arrays, progress)
        except Gone:
            with self._changing():
                try:  # another thread may have made it
                    ask(type(self)._info, self._named("key"))
                except Gone:
                    self._make()
            return ask(op, args, arrays, progress)

    def __getstate__(self) -> dict:
        self._named("key")
        state = {name: x for name, x in self.__dict__.items() if name not in ("_key", "_making", "_free")}
        # What a copy remembers of its changes is its own.
        return {name: copy.copy(x) if isinstance(x, (list, dict)) else x for name, x in state.items()}

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update(state)
        self._begin()


def _free(key: str, pid: int) -> None:
    """Lets the process drop an object when Python has."""
    if pid == os.getpid():
        connection.free(key)
