"""Runs the command line of greed: ``greed`` and ``python -m greed``."""

from __future__ import annotations

import os
import subprocess
import sys

from . import _binary
from ._errors import ProcessError


def main() -> int:
    """Becomes the program; on Windows, which cannot, runs it."""
    try:
        program = _binary.path()
        if sys.platform != "win32":
            os.execv(program, ["greed", *sys.argv[1:]])
        return subprocess.call([program, *sys.argv[1:]])
    except (ProcessError, OSError) as e:
        print(f"greed: {e}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
