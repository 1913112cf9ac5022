"""Finds the program that computes."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

from ._errors import ProcessError

_NAME = "greed.exe" if sys.platform == "win32" else "greed"


def path() -> str:
    """Returns the path of the program: that of GREED_BINARY, else the one in the package."""
    if chosen := os.environ.get("GREED_BINARY"):
        return chosen
    own = Path(__file__).parent / "bin" / _NAME
    if not own.is_file():
        raise ProcessError(
            f"{own} is missing: this is not an installed wheel. "
            "Build the program with `go build ./cmd/greed` and set GREED_BINARY to its path."
        )
    if not os.access(own, os.X_OK):  # unpacked by something that keeps no modes
        own.chmod(own.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    return str(own)
