"""Things that live in the process that computes, and outlive it."""

from __future__ import annotations

import os
import uuid
import weakref
from collections.abc import Iterable
from typing import Any

import numpy as np

from ._child import ask, connection
from ._errors import Gone
from ._frames import Array

#: One request that makes or changes a thing, and another thing that it needs.
Step = tuple[str, dict, list[Array], "Kept | None"]


class Kept:
    """A thing that the process keeps under a key. The requests that made it are remembered, so that
    another process (after a fork, a crash, or pickling) gets it, too."""

    def __init__(self, *steps: Step):
        self._steps: list[Step] = list(steps)
        self._begin()

    def _begin(self) -> None:
        self._key = uuid.uuid4().hex
        weakref.finalize(self, _free, self._key, os.getpid()).atexit = False

    def _make(self) -> Any:
        """Carries out the requests and returns what the first answers."""
        return [self._carry_out(step) for step in self._steps][0]

    def _carry_out(self, step: Step) -> Any:
        op, args, arrays, needs = step
        if needs is not None:
            needs._ask("model.info", {}, name="model")  # which makes it if it is gone
            args = {**args, "model": needs._key}
        return ask(op, {**args, "key": self._key}, arrays)[0]

    def _change(self, step: Step) -> Any:
        """Carries out a request that changes the thing."""
        try:
            return self._carry_out(step)
        except Gone:
            self._make()
            return self._carry_out(step)

    def _ask(
        self, op: str, args: dict, arrays: Iterable[Array] = (), progress: Any = None, name: str = "key"
    ) -> tuple[Any, dict[str, np.ndarray]]:
        """Asks for something about the thing, which is made again if it is gone."""
        arrays = list(arrays)
        try:
            return ask(op, {**args, name: self._key}, arrays, progress)
        except Gone:
            self._make()
            return ask(op, {**args, name: self._key}, arrays, progress)

    def __getstate__(self) -> dict:
        state = dict(self.__dict__)
        del state["_key"]
        return state

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update(state)
        self._begin()


def _free(key: str, pid: int) -> None:
    """Lets the process forget a thing when Python has."""
    if pid == os.getpid():
        connection.free(key)
