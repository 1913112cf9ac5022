"""The exceptions of greed."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any


class GreedError(Exception):
    """Base of all exceptions of greed."""


class GraphError(GreedError, ValueError):
    """A graph that cannot be used.

    ``record`` is its position in what was passed, from 0, and ``side`` is
    ``"query"`` or ``"target"`` where there are two; either may be None.
    """

    def __init__(self, message: str, record: int | None = None, side: str | None = None):
        super().__init__(message)
        self.record = record
        self.side = side

    def __reduce__(self):
        return type(self), (str(self), self.record, self.side)


class RecordError(GraphError):
    """A record of a file that cannot be read: ``file``, ``line`` and ``record`` say which."""

    def __init__(self, message: str, file: str | None = None, line: int | None = None, record: int | None = None):
        super().__init__(message, record)
        self.file = file
        self.line = line

    def __reduce__(self):
        return type(self), (str(self), self.file, self.line, self.record)


class CostsError(GreedError, ValueError):
    """Edit costs that cannot be used, or not with this model."""


class DirectionError(GraphError):
    """A directed and an undirected graph have no distance."""


class ModelError(GreedError, ValueError):
    """A model that cannot be used for what was asked, or is not there."""


class NotProven(GreedError, ValueError):
    """A number was asked for where there are only bounds."""


class RequestError(GreedError, ValueError):
    """An option of a request is wrong: an unknown mode, a filter on an attribute that no graph has, a
    number that is none, a text that is none."""


class ProcessError(GreedError, RuntimeError):
    """The process that computes cannot be started, or has ended; the next call starts another."""


class Gone(GreedError):
    """The process does not hold what was requested: another process did."""


class InternalError(GreedError, RuntimeError):
    """A defect of greed: please report it."""


def no_option(what: str, name: str, known: Sequence[str]) -> TypeError:
    """Returns the exception of an option that there is not, with the one that was probably meant."""
    meant = "".join(f" (is it {near}?)" for near in get_close_matches(name, known, 1))
    return TypeError(f"{what} has no option {name!r}{meant}; it has {', '.join(known)}")


def from_answer(error: dict) -> Exception:
    """Returns the exception that an answer's error stands for."""
    code, message = error.get("code"), error.get("message", "")
    record, side = error.get("record"), error.get("side")
    if code == "record":
        return RecordError(message, error.get("file"), error.get("line"), record)
    if code == "graph":
        where = "" if record is None else f"{side or 'graph'} {record}: "
        return GraphError(where + message, record, side)
    if code == "direction":
        return DirectionError(message, record, side)
    kinds: dict[Any, type[Exception]] = {
        "costs": CostsError, "value": RequestError, "model": ModelError, "missing": FileNotFoundError, "key": KeyError,
        "gone": Gone, "error": GreedError,
    }  # fmt: skip
    return kinds.get(code, InternalError)(message)
