"""Packages of Linux distributions: a .deb and an .rpm with the program, its service and its manuals."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent

#: A file: its name, content and mode.
File = tuple[str, bytes, int]


def packages(arch: str, version: str, program: bytes, documents: list[File], manuals: list[File], scripts: list[File],
             when: int) -> list[File]:  # fmt: skip
    """Returns the .deb and the .rpm of an architecture, in Go's name for it. nfpm writes them, which
    needs no tools of either distribution and gives the same bytes for the same files."""
    with tempfile.TemporaryDirectory() as temp:
        stage = Path(temp)
        contents: list[dict] = []

        def add(to: str, data: bytes, mode: int = 0o644, **more: str) -> None:
            source = stage / f"{len(contents)}"
            source.write_bytes(data)
            contents.append({"src": str(source), "dst": to, "file_info": {"mode": mode, "owner": "root", "group": "root"}, **more})

        add("/usr/bin/greed", program, 0o755)
        add("/usr/lib/systemd/system/greed.service", (HERE / "greed.service").read_bytes())
        add("/etc/default/greed", (HERE / "greed.default").read_bytes(), type="config|noreplace")
        for name, data, mode in documents:
            if name == "LICENSE":
                add("/usr/share/doc/greed/copyright", data, mode, packager="deb")
                add("/usr/share/licenses/greed/LICENSE", data, mode, packager="rpm")
            else:
                add(f"/usr/share/doc/greed/{name}", data, mode)
        for name, data, mode in manuals:
            add(f"/usr/share/man/man1/{Path(name).name}.gz", gzip.compress(data, mtime=0), mode)
        for name, data, mode in scripts:
            for to, packager in _COMPLETIONS[Path(name).suffix]:
                add(to, data, mode, **({"packager": packager} if packager else {}))
        config = {
            "name": "greed",
            "arch": arch,
            "platform": "linux",
            "version": version,
            "section": "science",
            "maintainer": "The greed authors <https://github.com/greedgraph/greed>",
            "homepage": "https://github.com/greedgraph/greed",
            "license": "Apache-2.0",
            "description": "search by graph edit distance\nFinds the graphs most like a given graph, and those that contain it;\n"
            "molecules and any other labelled graphs. With a service of HTTP.",
            "mtime": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(when)),
            "disable_globbing": True,
            "contents": contents,
            "scripts": {name: str(HERE / name) for name in ("postinstall", "preremove", "postremove")},
            "overrides": {"deb": {"depends": ["passwd"]}, "rpm": {"depends": ["shadow-utils"]}},
            "rpm": {"buildhost": "localhost", "summary": "search by graph edit distance"},
        }
        (stage / "nfpm.yaml").write_text(json.dumps(config))  # YAML is a superset of JSON
        out = []
        for packager, name in (("deb", f"greed_{version}_{arch}.deb"), ("rpm", f"greed-{version}-1.{_RPM[arch]}.rpm")):
            command = ["go", "tool", "-modfile=release/tools.mod", "nfpm", "package", "--packager", packager,
                       "--config", str(stage / "nfpm.yaml"), "--target", str(stage / name)]  # fmt: skip
            made = subprocess.run(command, cwd=ROOT, env=dict(os.environ, SOURCE_DATE_EPOCH=str(when)), capture_output=True, text=True)
            if made.returncode:
                sys.exit(f"nfpm: {made.stderr or made.stdout}")
            out.append((name, (stage / name).read_bytes(), 0o644))
        return out


#: Where shells look for completions, by the ending of the script, and in which packages.
_COMPLETIONS = {
    ".bash": [("/usr/share/bash-completion/completions/greed", "")],
    ".zsh": [("/usr/share/zsh/vendor-completions/_greed", "deb"), ("/usr/share/zsh/site-functions/_greed", "rpm")],
    ".fish": [("/usr/share/fish/vendor_completions.d/greed.fish", "")],
}

#: Architectures of .rpm by Go's names.
_RPM = {"amd64": "x86_64", "arm64": "aarch64"}
