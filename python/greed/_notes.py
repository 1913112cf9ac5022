"""What is said beside an answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple


class Note(NamedTuple):
    """A remark on how something was read or answered: ``text`` says it in a sentence. ``option`` is the
    option that it is about, None if it is about none, and ``value`` what that would be set to."""

    text: str
    option: str | None = None
    value: str | None = None

    def __str__(self) -> str:
        return self.text


def notes_of(raw: Iterable[Mapping[str, Any]] | None) -> list[Note]:
    """Returns notes from their JSON form."""
    return [Note(n["text"], n.get("option"), n.get("value")) for n in raw or ()]
