"""Frames: the messages between this process and the one that computes.

A frame is a head, a JSON text and arrays, as the Go package ``pipe`` describes.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ._errors import RequestError

PROTOCOL = 6

HEAD = struct.Struct("<IIQQ")
REQUEST, CANCEL, ANSWER, PROGRESS, LOG = range(5)

#: Types of arrays by the codes of array.array and NumPy, which calls int32 a long on Windows.
_TYPES = {"B": "u1", "i": "i4", "l": "i4", "f": "f4", "d": "f8"}

#: An array of a request: its name, and what holds its numbers.
Array = tuple[str, Any]

def _number(x: Any) -> Any:
    """Returns a number of NumPy as Python's."""
    if isinstance(x, np.generic):
        return x.item()
    raise TypeError


_dumps = json.JSONEncoder(separators=(",", ":"), allow_nan=False, ensure_ascii=False, default=_number).encode


def _text(request: dict) -> bytes:
    """Returns the JSON text of a request."""
    try:
        return _dumps(request).encode()
    except (TypeError, ValueError):
        raise RequestError(_unsent(request["args"], "") or "the request cannot be sent") from None


def _unsent(x: Any, where: str) -> str | None:
    """Says which part of an argument cannot be sent."""
    if isinstance(x, (Mapping, list, tuple)):
        parts = x.items() if isinstance(x, Mapping) else enumerate(x)
        return next(filter(None, (_unsent(y, f"{where}.{k}" if where else str(k)) for k, y in parts)), None)
    try:
        _dumps(x).encode()
    except UnicodeEncodeError:
        return f"{where}: {x!r} is not valid text: it has half of a surrogate pair"
    except (TypeError, ValueError):
        return f"{where}: {x!r} cannot be used here"
    return None


def encode(number: int, op: str, args: dict, arrays: Iterable[Array] = ()) -> list[bytes | memoryview]:
    """Returns the pieces of a request."""
    listed: list[dict] = []
    pieces: list[bytes | memoryview] = [b""]
    size = 0
    for name, values in arrays:
        view = memoryview(values)
        listed.append({"name": name, "type": _TYPES[view.format.lstrip("=")], "shape": view.shape})
        if view.nbytes:
            pieces.append(view.cast("B"))
        if padding := -view.nbytes % 8:
            pieces.append(bytes(padding))
        size += view.nbytes + padding
    request = {"op": op, "args": args}
    if listed:
        request["arrays"] = listed
    text = _text(request)
    pieces[0] = HEAD.pack(number, REQUEST, len(text), size) + text
    return pieces


def cancel(number: int) -> bytes:
    """Returns the frame that ends a request."""
    return HEAD.pack(number, CANCEL, 0, 0)


def decode(text: memoryview, data: memoryview) -> tuple[dict, dict[str, np.ndarray]]:
    """Returns the JSON text and the arrays of an answer. The arrays share the memory of data."""
    message = json.loads(bytes(text))
    arrays = {}
    start = 0
    for info in message.get("arrays") or ():
        dtype = np.dtype("<" + info["type"])
        shape = tuple(info["shape"])
        count = int(np.prod(shape, dtype=np.int64))
        arrays[info["name"]] = np.frombuffer(data, dtype, count, start).reshape(shape)
        start += (count * dtype.itemsize + 7) & ~7
    return message, arrays
