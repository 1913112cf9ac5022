"""Numbers of which only bounds may be known."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, overload

import numpy as np

from ._errors import NotProven
from ._notes import Note, notes_of


def _number(x: float) -> str:
    """Returns all digits of a number: rounded, bounds might be none."""
    return repr(float(x)).removesuffix(".0")


class Bounded:
    """A value that compares like the number that it stands for, with numbers and with others like it, as far as
    ``lower`` and ``upper`` decide it. Otherwise :class:`NotProven` is raised."""

    __slots__ = ()
    lower: Any
    upper: Any

    @property
    def exact(self) -> Any:
        """Whether the bounds meet."""
        return self.lower is not None and self.lower == self.upper

    def _proven(self) -> Any:
        """Returns the number; :class:`NotProven` unless it is proven."""
        if not self.exact:
            known = "only predicted" if self.lower is None else f"between {_number(self.lower)} and {_number(self.upper)}"
            raise NotProven(f"{self._called()} is {known}{self._why()}")
        return self.upper

    def _called(self) -> str:
        """Returns its name in errors."""
        return "the distance"

    def _why(self) -> str:
        """Returns why it is not proven, as the end of a sentence."""
        return ""

    def _known(self) -> str:
        """Returns what is known of the number, for people."""
        return _number(self.upper) if self.exact else f"{_number(self.lower)} to {_number(self.upper)}"

    def __float__(self) -> float:
        return float(self._proven())

    def __bool__(self) -> bool:
        return bool(self != 0)

    def __hash__(self) -> int:
        return hash(self._proven())

    def __format__(self, spec: str) -> str:
        return format(float(self), spec) if spec else str(self)

    def __eq__(self, other: Any) -> Any:
        return self._compared(other, lambda a, b: ((a[0] == b[1]) & (a[1] == b[0]), (a[1] < b[0]) | (a[0] > b[1])))

    def __ne__(self, other: Any) -> Any:
        return self._compared(other, lambda a, b: ((a[1] < b[0]) | (a[0] > b[1]), (a[0] == b[1]) & (a[1] == b[0])))

    def __lt__(self, other: Any) -> Any:
        return self._compared(other, lambda a, b: (a[1] < b[0], a[0] >= b[1]))

    def __le__(self, other: Any) -> Any:
        return self._compared(other, lambda a, b: (a[1] <= b[0], a[0] > b[1]))

    def __gt__(self, other: Any) -> Any:
        return self._compared(other, lambda a, b: (a[0] > b[1], a[1] <= b[0]))

    def __ge__(self, other: Any) -> Any:
        return self._compared(other, lambda a, b: (a[0] >= b[1], a[1] < b[0]))

    def _compared(self, other: Any, decide: Callable[[tuple, tuple], tuple[Any, Any]]) -> Any:
        """Returns what the bounds decide, given whether it is so and whether it is not."""
        if (x := _bounds(other)) is None:
            return NotImplemented
        own = _bounds(self)
        assert own is not None
        yes, no = decide(own, x)
        if not np.all(yes | no):
            raise NotProven(f"{self!r} cannot be compared with {other!r} before it is proven: see lower and upper")
        return yes if isinstance(yes, np.ndarray) else bool(yes)


def _bounds(x: Any) -> tuple[Any, Any] | None:
    """Returns the bounds of a number, or None."""
    if isinstance(x, Bounded):
        if x.lower is None:
            raise NotProven(f"{x!r} is not a distance")
        return x.lower, x.upper
    if isinstance(x, (int, float, np.integer, np.floating, np.ndarray)) and not isinstance(x, bool):
        return x, x
    return None


class Far(Bounded):
    """A distance of two graphs."""

    __slots__ = ()

    @property
    def distance(self) -> float:
        """The distance; :class:`NotProven` unless it is proven."""
        return float(self._proven())


T = TypeVar("T")


class Listed(Sequence[T]):
    """What was found, in order. ``status`` says how far to trust it: "proven" (complete and exact), or "open"
    where time ended before that, or an index of several is missing or damaged; ``proven`` is whether it is the
    first, ``verdict`` says it in a sentence, and ``open`` what may still change."""

    _noun = "answers"

    def __init__(self, raw: Mapping[str, Any], items: list[T]):
        self.status: str = raw["status"]
        self.proven: bool = raw["status"] == "proven"
        self.verdict: str = raw["verdict"]
        #: How the request was understood.
        self.question: Mapping[str, Any] = raw.get("question") or {}
        self.open: Mapping[str, Any] = raw.get("open") or {}
        self.seconds: Any = raw["seconds"]
        #: How graphs were read, what was left out in that, and how a query differs from what a model was trained on.
        self.notes: list[Note] = notes_of(raw.get("notes"))
        self._items = items

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, i: int) -> T: ...
    @overload
    def __getitem__(self, i: slice) -> list[T]: ...
    def __getitem__(self, i: int | slice) -> T | list[T]:
        return self._items[i]

    def _row(self, item: T) -> dict[str, Any]:
        raise NotImplementedError

    def to_dicts(self) -> list[dict[str, Any]]:
        """Returns a row for each."""
        return [self._row(item) for item in self]

    def to_pandas(self) -> Any:
        """Returns a pandas.DataFrame, whose ``attrs`` hold the status and the verdict."""
        import pandas as pd

        frame = pd.DataFrame(self.to_dicts())
        frame.attrs.update(status=self.status, verdict=self.verdict)
        return frame

    def to_polars(self) -> Any:
        """Returns a polars.DataFrame."""
        import polars as pl

        return pl.DataFrame(self.to_dicts(), infer_schema_length=None)

    def __repr__(self) -> str:
        noun = self._noun.removesuffix("s") if len(self) == 1 else self._noun
        lines = [f"<{len(self)} {noun}, {self.verdict}>"]
        return "\n".join(lines + [f"  {x!r}" for x in self._items[:10]] + ["  ..."] * (len(self) > 10))
