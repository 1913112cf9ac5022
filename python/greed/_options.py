"""What the options of several functions have in common."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from numbers import Real
from typing import TYPE_CHECKING, Any, TypedDict, Union

from ._costs import to_json
from ._errors import RequestError, no_option

if TYPE_CHECKING:
    from ._graph import LabelOf

#: Seconds, or a text such as "500ms", "1m" or "none".
TimeLimit = Union[float, str, None]

#: Nodes of a query and the nodes of a target that they become, None where there is none.
Fixed = Union[Mapping[Hashable, Hashable], Iterable[tuple[Hashable, Hashable]], str]

#: None: no bar; True: a bar on standard error; else called with what is done and the total.
Progress = Union[bool, Callable[[int, int], Any], None]


class Labelling(TypedDict, total=False):
    """How graphs of other packages get their labels: see :func:`greed.graph`."""

    node_label: LabelOf
    edge_label: LabelOf
    simplify: bool


class Work(TypedDict, total=False):
    """How a request is carried out: by how many threads, all cores unless given, and whether with a bar."""

    workers: int | None
    progress: Progress


def limit(x: float | str) -> str:
    """Returns a time limit in the form of a request."""
    if isinstance(x, str):
        return x
    if x == float("inf"):
        return "none"
    if isinstance(x, bool) or not isinstance(x, Real) or not x >= 1e-9:
        raise RequestError(f'time_limit is {x}: want a number of seconds, at least 1e-9, or a text such as "1m"')
    return f"{min(float(x), 1e9):.9f}s"


def formed(what: str, known: Any, options: Mapping[str, Any], *others: str) -> dict[str, Any]:
    """Returns options in the form of a request. Those that are None are left out, and an unknown one
    is a TypeError."""
    asked: dict[str, Any] = {}
    for name, value in options.items():
        if name not in known.__annotations__ and name not in others:
            raise no_option(f"a {what}", name, [*known.__annotations__, *others])
        if value is not None:
            asked[name] = _FORMS[name](value) if name in _FORMS else value
    return asked


def split(asked: dict[str, Any], known: Any) -> dict[str, Any]:
    """Takes the known options out of others."""
    return {name: asked.pop(name) for name in known.__annotations__ if name in asked}


def _texts(x: str | Iterable[str]) -> list[str]:
    return [x] if isinstance(x, str) else [str(text) for text in x]


_FORMS = {"time_limit": limit, "filter": _texts, "show": _texts, "costs": to_json}
