"""What the options of several functions have in common."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import ParamSpec, TypeVar, Union

from ._errors import RequestError

P = ParamSpec("P")
T = TypeVar("T")

#: Seconds, or a text such as "500ms", "1m" or "none".
TimeLimit = Union[float, str, None]


def limit(x: float | str) -> str:
    """Returns a time limit as a request has it."""
    if isinstance(x, str):
        return x
    if x == float("inf"):
        return "none"
    if isinstance(x, bool) or not x >= 1e-9:
        raise RequestError(f'time_limit is {x}: want a number of seconds, at least 1e-9, or a text such as "1m"')
    return f"{min(float(x), 1e9):.9f}s"


def renamed(**names: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Makes a function take options by their old names, too, with a warning."""

    def decorate(f: Callable[P, T]) -> Callable[P, T]:
        @functools.wraps(f)
        def g(*args: P.args, **options: P.kwargs) -> T:
            for old, new in names.items():
                if old in options:
                    warnings.warn(f"{old} is now {new}", DeprecationWarning, stacklevel=2)
                    options[new] = options.pop(old)
            return f(*args, **options)

        return g

    return decorate
