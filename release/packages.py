"""Packages of Linux distributions: a .deb and an .rpm with the program, its service and its manuals."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
from email.utils import formatdate
from pathlib import Path

import wheels

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
                add("/usr/share/doc/greed/copyright", _COPYRIGHT.encode(), mode, packager="deb")
                add("/usr/share/licenses/greed/LICENSE", data, mode, packager="rpm")
            else:
                add(f"/usr/share/doc/greed/{name}", data, mode)
        entry = f"greed ({version}) unstable; urgency=medium\n\n  * CHANGELOG.md says what is new.\n\n -- {wheels.maintainer()}  {formatdate(when)}\n"
        add("/usr/share/doc/greed/changelog.gz", gzip.compress(entry.encode(), mtime=0), packager="deb")
        add("/usr/share/lintian/overrides/greed", _OVERRIDES.encode(), packager="deb")
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
            "maintainer": wheels.maintainer(),
            "homepage": "https://github.com/greedgraph/greed",
            "description": "search by graph edit distance\nFinds the graphs most like a given graph, and those that contain it;\n"
            "molecules and any other labelled graphs. With a service of HTTP.",
            "mtime": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(when)),
            "disable_globbing": True,
            "contents": contents,
            "scripts": {name: str(HERE / name) for name in ("postinstall", "preremove", "postremove")},
            "overrides": {"deb": {"depends": ["passwd"]}, "rpm": {"depends": ["shadow-utils"]}},
            "rpm": {"buildhost": "localhost", "summary": "search by graph edit distance"},
        }
        out = []
        for packager, name, more in (
            ("deb", f"greed_{version}_{arch}.deb", {}),
            ("rpm", f"greed-{version}-1.{_RPM[arch]}.rpm", {"license": "Apache-2.0"}),
        ):
            (stage / "nfpm.yaml").write_text(json.dumps({**config, **more}))  # YAML is a superset of JSON
            command = ["go", "tool", "-modfile=release/tools.mod", "nfpm", "package", "--packager", packager,
                       "--config", str(stage / "nfpm.yaml"), "--target", str(stage / name)]  # fmt: skip
            made = subprocess.run(command, cwd=ROOT, env=dict(os.environ, SOURCE_DATE_EPOCH=str(when)), capture_output=True, text=True)
            if made.returncode:
                sys.exit(f"nfpm: {made.stderr or made.stdout}")
            out.append((name, (stage / name).read_bytes(), 0o644))
        return out


#: What Debian wants to know of rights.
_COPYRIGHT = """Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: greed
Source: https://github.com/greedgraph/greed

Files: *
Copyright: 2026 The greed authors
License: Apache-2.0
 /usr/share/common-licenses/Apache-2.0 has the licence, THIRD-PARTY beside this file those of
 the libraries in the program.
"""

#: What lintian is told of: the program is one of Go, and the scripts are those of the .rpm, too, which
#: knows no debhelper.
_OVERRIDES = """greed: statically-linked-binary [usr/bin/greed]
greed: maintainer-script-calls-systemctl *
"""

#: Where shells look for completions, by the ending of the script, and in which packages.
_COMPLETIONS = {
    ".bash": [("/usr/share/bash-completion/completions/greed", "")],
    ".zsh": [("/usr/share/zsh/vendor-completions/_greed", "deb"), ("/usr/share/zsh/site-functions/_greed", "rpm")],
    ".fish": [("/usr/share/fish/vendor_completions.d/greed.fish", "")],
}

#: Architectures of .rpm by Go's names.
_RPM = {"amd64": "x86_64", "arm64": "aarch64"}
