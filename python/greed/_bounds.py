"""Numbers of which only bounds may be known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ._errors import NotProven


class Bounded:
    """What is compared as the number that it stands for: with numbers and with others like it, as far as
    ``lower`` and ``upper`` tell. :class:`NotProven` is raised where they do not."""

    __slots__ = ()
    lower: Any
    upper: Any

    @property
    def value(self) -> Any:
        """The number; :class:`NotProven` unless it is proven."""
        raise NotImplementedError

    def __float__(self) -> float:
        return float(self.value)

    def __bool__(self) -> bool:
        return bool(self != 0)

    def __hash__(self) -> int:
        return hash(self.value)

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
        """Returns what is decided of the bounds, which is whether it is so and whether it is not."""
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
            raise NotProven(f"{x!r} is no distance")
        return x.lower, x.upper
    if isinstance(x, (int, float, np.integer, np.floating, np.ndarray)) and not isinstance(x, bool):
        return x, x
    return None
