"""What was installed is what a wheel should be."""

import base64
import hashlib
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys

import pytest

import greed

try:
    DIST = importlib.metadata.distribution("greed-graph")
except importlib.metadata.PackageNotFoundError:
    pytest.skip("greed-graph is not installed", allow_module_level=True)


def test_metadata():
    assert DIST.version == greed.__version__
    assert DIST.metadata["License-Expression"] == "Apache-2.0"
    assert [r for r in DIST.requires if "extra" not in r] == ["numpy>=1.22"]
    text = DIST.metadata.get_payload()
    assert not [link for link in re.findall(r"\]\(([^)]*)\)", text) if not link.startswith(("https://", "#"))]
    assert {u.partition(",")[0] for u in DIST.metadata.get_all("Project-URL")} >= {"Source", "Documentation", "Issues"}
    groups = {e.group: e.value for e in DIST.entry_points}
    assert groups["networkx.backends"] == "greed._networkx:backend"
    assert set(groups) == {"console_scripts", "networkx.backends", "networkx.backend_info"}


def test_record_is_right():
    hashed = 0
    for file in DIST.files:
        path = file.locate()
        assert path.exists(), file
        if file.hash is not None:
            digest = base64.urlsafe_b64encode(hashlib.new(file.hash.mode, path.read_bytes()).digest()).rstrip(b"=")
            assert digest.decode() == file.hash.value, file
            hashed += 1
    assert hashed > 15


def test_licences_and_types_are_there():
    names = {str(f) for f in DIST.files}
    info = f"greed_graph-{DIST.version}.dist-info"
    for name in ("licenses/LICENSE", "licenses/NOTICE", "licenses/THIRD-PARTY", "METADATA", "WHEEL", "entry_points.txt"):
        assert f"{info}/{name}" in names
    assert "greed/py.typed" in names
    third = DIST.read_text("licenses/THIRD-PARTY")
    assert "github.com/alecthomas/kong" in third and "Permission is hereby granted" in third
    assert "The Go programming language" in third


def test_program_is_on_the_path():
    folder = os.path.dirname(sys.executable)
    program = shutil.which("greed", path=folder)
    assert program is not None
    out = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    assert out.stdout.startswith(f"greed {DIST.version}")
    failed = subprocess.run([program, "ged", "C1CC", "C"], capture_output=True, text=True)
    assert failed.returncode == 1 and "not closed" in failed.stderr
