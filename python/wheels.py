#!/usr/bin/env python3
"""Builds the wheels of greed-graph: the package with the program of one platform in each.

    python3 python/wheels.py                       all platforms, into dist/
    python3 python/wheels.py linux/amd64 -o DIR    some

It needs Go and nothing of Python's but the standard library. Built twice from
the same sources, wheels are the same byte for byte. ``pip install ./python``
builds the one of this platform (PEP 517), and ``wheels.py sdist`` packs the sources
that the program is built from.
"""

from __future__ import annotations

import argparse
import base64
import functools
import gzip
import hashlib
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent

#: Tags by what Go calls the platform. The program needs no C library, so on
#: Linux one wheel is for both kinds; Go asks for macOS 12.
PLATFORMS = {
    "linux/amd64": "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    "linux/arm64": "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    "darwin/amd64": "macosx_12_0_x86_64",
    "darwin/arm64": "macosx_12_0_arm64",
    "windows/amd64": "win_amd64",
    "windows/arm64": "win_arm64",
}

NAME = "greed_graph"


def version() -> str:
    """Returns the version that the package says it has."""
    scope: dict = {}
    exec((HERE / "greed" / "_version.py").read_text(), scope)
    return scope["__version__"]


def timestamp() -> int:
    """Returns the time of the sources: SOURCE_DATE_EPOCH, else of the last commit, else that of the
    oldest file a zip can hold."""
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(given)
    return int(git("%ct") or 315532800)


def git(what: str) -> str:
    """Returns something about the last commit, or nothing where there is no git."""
    try:
        out = subprocess.run(["git", "log", "-1", f"--format={what}"], cwd=ROOT, capture_output=True, text=True)
    except FileNotFoundError:
        return ""
    return out.stdout.strip()


def compile_program(platform: str, into: Path) -> None:
    """Cross-compiles the program."""
    goos, goarch = platform.split("/")
    env = dict(os.environ, CGO_ENABLED="0", GOOS=goos, GOARCH=goarch)
    flags = f"-s -w -X main.release={version()}"
    if commit := git("%H"):
        flags += f" -X main.commit={commit} -X main.date={git('%cI')}"
    command = ["go", "build", "-trimpath", "-buildvcs=false", f"-ldflags={flags}", "-o", str(into), "./cmd/greed"]
    subprocess.run(command, cwd=ROOT, env=env, check=True)


@functools.cache
def modules(platform: str) -> list[dict]:
    """Returns the modules that are linked into the program of a platform: path, version and folder."""
    goos, goarch = platform.split("/")
    form = "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}"
    out = subprocess.run(
        ["go", "list", "-deps", "-f", form, "./cmd/greed"], cwd=ROOT, check=True, capture_output=True, text=True,
        env=dict(os.environ, CGO_ENABLED="0", GOOS=goos, GOARCH=goarch),
    ).stdout  # fmt: skip
    lines = sorted({line for line in out.splitlines() if line})
    return [dict(zip(("path", "version", "dir"), line.split("\t"))) for line in lines]


@functools.cache
def licences(platform: str) -> str:
    """Returns the licences of all that is linked into the program, which their terms ask to be passed on."""
    goroot = subprocess.run(["go", "env", "GOROOT"], capture_output=True, text=True, check=True).stdout.strip()
    parts = []
    for module in [{"path": "The Go programming language", "dir": goroot}, *modules(platform)]:
        for file in legal(module):
            text = file.read_text(errors="replace").strip()
            parts.append(f"{module['path']} {module.get('version', '')}".strip() + f": {file.name}\n\n{text}\n")
    return ("\n" + "-" * 78 + "\n\n").join(parts)


def legal(module: dict) -> list[Path]:
    """Returns the files of a module that say on which terms it is used."""
    files = [f for f in sorted(Path(module["dir"]).iterdir()) if f.is_file() and f.stem.upper() in _LEGAL]
    if not files:
        raise SystemExit(f"{module['path']} has no licence in {module['dir']}")
    return files


def spdx(module: dict) -> list[str]:
    """Returns the licences of a module by their names in SPDX, told by sentences that only they have."""
    text = " ".join(" ".join(f.read_text(errors="replace") for f in legal(module)).split())
    found = [name for name, sentence in _SENTENCES.items() if re.search(sentence, text, re.I)]
    if "BSD-3-Clause" in found and "BSD-2-Clause" in found:
        found.remove("BSD-2-Clause")  # whose text is a part of the other
    if not found:
        raise SystemExit(f"the licence of {module['path']} in {module['dir']} is not known")
    return found


_SENTENCES = {
    "Apache-2.0": r"Apache License,? Version 2\.0",
    "BSD-2-Clause": r"Redistributions in binary form must reproduce",
    "BSD-3-Clause": r"Neither the name of|may not be used to endorse",
    "ISC": r"Permission to use, copy, modify, and(/or)? distribute this software for any purpose with or without fee",
    "MIT": r"Permission is hereby granted, free of charge, to any person obtaining",
    "MPL-2.0": r"Mozilla Public License,? (Version|v\.) ?2\.0",
}
_LEGAL = {"LICENSE", "LICENCE", "COPYING", "NOTICE", "PATENTS", "LICENSE-GO", "LICENSE-APACHE", "LICENSE-MIT", "UNLICENSE"}


def project() -> dict:
    """Returns the project's table of pyproject.toml, whose form here is simple enough to read without
    the tomllib that Python 3.10 lacks: strings, lists of strings, tables."""
    tables: dict[str, dict] = {}
    table: dict = {}
    text = (HERE / "pyproject.toml").read_text()
    lines = iter(text.splitlines())
    for line in lines:
        line = line.strip()
        if line.startswith("["):
            table = tables.setdefault(line.strip("[]"), {})
        elif "=" in line:
            key, value = (part.strip() for part in line.split("=", 1))
            while value.startswith("[") and not value.endswith("]"):
                value += " " + next(lines).strip()
            table[key] = eval(value, {"__builtins__": {}, "true": True, "false": False})  # of our own file
    return tables


def maintainer() -> str:
    """Returns who answers for releases: a name and an address."""
    return project()["tool.greed"]["maintainer"]


def metadata() -> str:
    """Returns the METADATA of a wheel."""
    p = project()["project"]
    extras = project()["project.optional-dependencies"]
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {p['name']}",
        f"Version: {version()}",
        f"Summary: {p['description']}",
        f"Keywords: {','.join(p['keywords'])}",
        f"Maintainer-email: {maintainer()}",
        f"License-Expression: {p['license']}",
        "License-File: LICENSE",
        "License-File: NOTICE",
        "License-File: THIRD-PARTY",
        f"Requires-Python: {p['requires-python']}",
        *(f"Requires-Dist: {x}" for x in p["dependencies"]),
        *(f"Provides-Extra: {k}" for k in extras),
        *(f'Requires-Dist: {x}; extra == "{k}"' for k, list_ in extras.items() for x in list_),
        *(f"Project-URL: {k}, {v}" for k, v in project()["project.urls"].items()),
        *(f"Classifier: {x}" for x in p["classifiers"]),
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(lines) + "\n\n" + readme()


def readme() -> str:
    """Returns the README with links that hold outside the repository, too."""
    source = project()["project.urls"]["Source"]

    def whole(link: re.Match) -> str:
        target, _, anchor = link[1].partition("#")
        path = (HERE / target).resolve()
        if not target.startswith("../") and not path.exists():
            return link[0]  # a SMILES; source archives lack what is outside this folder
        return f"]({source}/blob/main/{path.relative_to(ROOT).as_posix()}{'#' + anchor if anchor else ''})"

    return re.sub(r"\]\((?![a-z]+:|#)([^)]+)\)", whole, (HERE / "README.md").read_text())


def entry_points() -> str:
    """Returns the entry_points.txt of a wheel."""
    tables = project()
    groups = {"console_scripts": tables["project.scripts"]}
    for name, table in tables.items():
        if name.startswith("project.entry-points."):
            groups[name.split(".", 2)[2].strip('"')] = table
    return "\n".join(
        f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in table.items()) for group, table in groups.items()
    )


class Wheel:
    """A wheel being written."""

    def __init__(self, path: Path, when: int):
        self._zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9)
        self._when = time.gmtime(max(when, 315532800))[:6]
        self._record: list[str] = []

    def add(self, name: str, data: bytes, mode: int = 0o644) -> None:
        info = zipfile.ZipInfo(name, self._when)
        info.compress_type = zipfile.ZIP_DEFLATED
        info.external_attr = (0o100000 | mode) << 16
        info.create_system = 3  # Unix, wherever it is built
        self._zip.writestr(info, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self._record.append(f"{name},sha256={digest},{len(data)}\n")

    def close(self, record: str) -> None:
        self._record.append(f"{record},,\n")
        info = zipfile.ZipInfo(record, self._when)
        info.compress_type = zipfile.ZIP_DEFLATED
        info.external_attr = 0o100644 << 16
        info.create_system = 3
        self._zip.writestr(info, "".join(self._record))
        self._zip.close()


def build(platform: str, into: Path, program: Path | None = None) -> Path:
    """Builds the wheel of a platform into a folder, of a program that is there or is compiled."""
    tag = "py3-none-" + PLATFORMS[platform]
    path = into / f"{NAME}-{version()}-{tag}.whl"
    into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temp:
        binary = Path(temp) / ("greed.exe" if platform.startswith("windows/") else "greed")
        if program is None:
            compile_program(platform, binary)
        else:
            binary.write_bytes(program.read_bytes())
        part = Path(temp) / "wheel"
        wheel = Wheel(part, timestamp())
        for file in sorted((HERE / "greed").iterdir()):
            if file.suffix == ".py" or file.name == "py.typed":
                wheel.add(f"greed/{file.name}", file.read_bytes())
        wheel.add(f"greed/bin/{binary.name}", binary.read_bytes(), 0o755)
        info = f"{NAME}-{version()}.dist-info"
        wheel.add(f"{info}/METADATA", metadata().encode())
        tags = "".join(f"Tag: py3-none-{one}\n" for one in PLATFORMS[platform].split("."))
        wheel.add(
            f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: greed wheels.py\nRoot-Is-Purelib: false\n{tags}".encode()
        )
        wheel.add(f"{info}/entry_points.txt", entry_points().encode())
        wheel.add(f"{info}/top_level.txt", b"greed\n")
        for name in ("LICENSE", "NOTICE"):
            wheel.add(f"{info}/licenses/{name}", (ROOT / name).read_bytes())
        wheel.add(f"{info}/licenses/THIRD-PARTY", licences(platform).encode())
        wheel.close(f"{info}/RECORD")
        path.write_bytes(part.read_bytes())
    return path


def sources() -> list[Path]:
    """Returns the files that the program and the package are made of, on any platform."""
    files = {ROOT / name for name in ("go.mod", "go.sum", "LICENSE", "NOTICE", "README.md")}
    files |= {HERE / name for name in ("pyproject.toml", "wheels.py", "README.md")}
    files |= {f for f in (HERE / "greed").iterdir() if f.suffix == ".py" or f.name == "py.typed"}
    kinds = ("GoFiles", "IgnoredGoFiles", "SFiles", "HFiles", "EmbedFiles")
    for goos, goarch in (p.split("/") for p in PLATFORMS):
        out = subprocess.run(
            ["go", "list", "-deps", "-json=Dir,Standard,Module," + ",".join(kinds), "./cmd/greed"], cwd=ROOT, check=True,
            capture_output=True, text=True, env=dict(os.environ, CGO_ENABLED="0", GOOS=goos, GOARCH=goarch),
        ).stdout  # fmt: skip
        at, decoder = 0, json.JSONDecoder()
        while (at := out.find("{", at)) >= 0:
            package, at = decoder.raw_decode(out, at)
            if not package.get("Standard") and package["Module"].get("Main"):
                files |= {Path(package["Dir"]) / f for kind in kinds for f in package.get(kind) or () if not f.endswith("_test.go")}
    return sorted(files)


def sdist(into: Path) -> Path:
    """Packs the sources, from which the wheel of any platform is built by Go."""
    name = f"{NAME}-{version()}"
    # The root has a pyproject.toml of its own, since the back end lies below it.
    text = (HERE / "pyproject.toml").read_text().replace('backend-path = ["."]', 'backend-path = ["python"]')
    text = text.replace('readme = "README.md"', 'readme = "python/README.md"')
    packed = [(f.relative_to(ROOT).as_posix(), f.read_bytes()) for f in sources()]
    packed += [("pyproject.toml", text.encode()), ("PKG-INFO", metadata().encode())]
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as t:
        for path, data in sorted(packed):
            info = tarfile.TarInfo(f"{name}/{path}")
            info.size, info.mode, info.mtime = len(data), 0o644, timestamp()
            t.addfile(info, io.BytesIO(data))
    into.mkdir(parents=True, exist_ok=True)
    path = into / f"{name}.tar.gz"
    path.write_bytes(gzip.compress(raw.getvalue(), 9, mtime=0))
    return path


def host() -> str:
    """Returns what Go calls this platform."""
    out = subprocess.run(["go", "env", "GOHOSTOS", "GOHOSTARCH"], capture_output=True, text=True, check=True)
    return "/".join(out.stdout.split())


# The hooks of PEP 517.


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return build(host(), Path(wheel_directory)).name


def build_sdist(sdist_directory, config_settings=None):
    return sdist(Path(sdist_directory)).name


def main() -> int:
    parser = argparse.ArgumentParser(description="Builds the wheels of greed-graph.")
    parser.add_argument("platforms", nargs="*", metavar="OS/ARCH", help=f"of {', '.join(PLATFORMS)}, host or sdist")
    parser.add_argument("-o", "--out", type=Path, default=ROOT / "dist", help="folder to write to (default dist)")
    parser.add_argument("--binary", type=Path, help="take this program and compile none; for one platform")
    args = parser.parse_args()
    chosen = [host() if p == "host" else p for p in args.platforms] or [*PLATFORMS, "sdist"]
    if unknown := [p for p in chosen if p not in PLATFORMS and p != "sdist"]:
        parser.error(f"{', '.join(unknown)}: want {', '.join(PLATFORMS)}, host or sdist")
    if args.binary and len(chosen) != 1:
        parser.error("--binary is of one platform")
    for platform in chosen:
        print(sdist(args.out) if platform == "sdist" else build(platform, args.out, args.binary))
    return 0


if __name__ == "__main__":
    sys.exit(main())
