#!/usr/bin/env python3
"""Builds a release into dist/: archives, packages, container images, wheels, a conda recipe, an
SBOM and checksums.

    python3 release/build.py                    all platforms
    python3 release/build.py linux/amd64        some

It needs Go and nothing of Python's but the standard library. The same sources
and the same Go make the same bytes; times in archives are that of the commit,
or SOURCE_DATE_EPOCH.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import hashlib
import io
import json
import re
import subprocess
import sys
import tarfile
import tempfile
import time
import uuid
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(ROOT / "python"))

import image  # noqa: E402
import packages  # noqa: E402
import wheels  # noqa: E402

from packages import File  # noqa: E402


def documents(platform: str) -> list[File]:
    """Returns what goes with the program wherever it goes."""
    files = [(name, (ROOT / name).read_bytes(), 0o644) for name in ("LICENSE", "NOTICE", "README.md", "CHANGELOG.md")]
    return [*files, ("THIRD-PARTY", wheels.licences(platform).encode(), 0o644)]


def extras(program: Path, folder: Path) -> tuple[list[File], list[File]]:
    """Returns the manual pages and the completions for shells, which a program of this platform writes."""
    subprocess.run([program, "man", str(folder / "man")], check=True)
    pages = [(f"man/{p.name}", p.read_bytes(), 0o644) for p in sorted((folder / "man").iterdir())]
    scripts = []
    for shell in ("bash", "zsh", "fish"):
        text = subprocess.run([program, "completion", shell], check=True, capture_output=True).stdout
        scripts.append((f"completions/greed.{shell}", text, 0o644))
    return pages, scripts


def tar(files: list[File], when: int) -> bytes:
    """Returns a gzipped tar of files, of root and of one time."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.GNU_FORMAT) as t:
        for name, data, mode in files:
            info = tarfile.TarInfo(name)
            info.size, info.mode, info.mtime, info.uname, info.gname = len(data), mode, when, "root", "root"
            t.addfile(info, io.BytesIO(data))
    return gzip.compress(raw.getvalue(), 6, mtime=0)


def zipped(files: list[File], when: int) -> bytes:
    """Returns a zip of files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
        for name, data, mode in files:
            info = zipfile.ZipInfo(name, time.gmtime(max(when, 315532800))[:6])
            info.compress_type, info.external_attr, info.create_system = zipfile.ZIP_DEFLATED, (0o100000 | mode) << 16, 3
            z.writestr(info, data)
    return out.getvalue()


def archive(platform: str, program: bytes, files: list[File], when: int) -> File:
    """Returns the archive of a platform: the program, and files beside it."""
    name = f"greed_{wheels.version()}_{platform.replace('/', '_')}"
    windows = platform.startswith("windows/")
    files = [("greed.exe" if windows else "greed", program, 0o755), *files]
    files = [(f"{name}/{f}", data, mode) for f, data, mode in files]
    return (name + ".zip", zipped(files, when), 0o644) if windows else (name + ".tar.gz", tar(files, when), 0o644)


def page_modules() -> list[dict[str, object]]:
    """Returns the npm packages that the page is made of, as components of CycloneDX."""
    lock = json.loads((ROOT / "server/page/package-lock.json").read_text())
    components = []
    for place, package in lock["packages"].items():
        name = place.rpartition("node_modules/")[2]
        if not name or package.get("dev"):
            continue
        purl = f"pkg:npm/{name.replace('@', '%40')}@{package['version']}"
        kind, _, digest = package["integrity"].partition("-")
        components.append(
            {
                "type": "library", "name": name, "version": package["version"], "purl": purl, "bom-ref": purl,
                "hashes": [{"alg": {"sha512": "SHA-512", "sha1": "SHA-1"}[kind], "content": base64.b64decode(digest).hex()}],
                "licenses": [{"license": {"id": package["license"]}}],
            }
        )  # fmt: skip
    return components


def sbom(platforms: list[str], when: int) -> File:
    """Returns what is linked into the programs, and what their page is made of, as CycloneDX."""
    linked = {(m["path"], m["version"]): m for p in platforms for m in wheels.modules(p)}
    components: list[dict[str, object]] = [
        {
            "type": "library", "name": path, "version": version, "purl": f"pkg:golang/{path}@{version}",
            "bom-ref": f"pkg:golang/{path}@{version}", "licenses": [{"license": {"id": name}} for name in wheels.spdx(module)],
        }
        for (path, version), module in sorted(linked.items())
    ]  # fmt: skip
    components += page_modules()
    name = f"pkg:golang/github.com/greedgraph/greed@{wheels.version()}"
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, name + wheels.git('%H'))}",
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(when)),
            "component": {
                "type": "application", "name": "greed", "version": wheels.version(), "purl": name, "bom-ref": name,
                "licenses": [{"license": {"id": "Apache-2.0"}}],
            },
        },
        "components": components,
        "dependencies": [{"ref": name, "dependsOn": [c["bom-ref"] for c in components]}],
    }  # fmt: skip
    return f"greed_{wheels.version()}.cdx.json", (json.dumps(document, indent=1) + "\n").encode(), 0o644


def recipe(sdist: Path) -> File:
    """Returns the recipe of a conda package that is built from the sdist of a release, for rattler-build and
    conda-forge."""
    project = wheels.project()
    about, urls = project["project"], project["project.urls"]
    python = "python " + about["requires-python"]
    document = {
        "schema_version": 1,
        "package": {"name": about["name"], "version": wheels.version()},
        "source": {
            "url": f"{urls['Source']}/releases/download/v{wheels.version()}/{sdist.name}",
            "sha256": hashlib.sha256(sdist.read_bytes()).hexdigest(),
        },
        "build": {
            "number": 0, "python": {"version_independent": True},
            "script": "python -m pip install . --no-deps --no-build-isolation -vv",
        },
        "requirements": {
            "build": [f"go-nocgo >={go_version()}"],
            "host": [python, "pip"],
            "run": [python, *(re.sub(r"(?=[<>=])", " ", x, count=1) for x in about["dependencies"])],
        },
        "tests": [
            {"python": {"imports": ["greed"]}},
            {"script": ["greed --version", "python -c \"import greed; assert greed.ged('CCO', 'CCN') == 1\""]},
        ],
        "about": {
            "homepage": urls["Source"], "documentation": urls["Documentation"], "summary": about["description"],
            "license": about["license"], "license_file": ["LICENSE", "NOTICE"],
        },
    }  # fmt: skip
    return "recipe.yaml", (json.dumps(document, indent=1) + "\n").encode(), 0o644  # YAML is a superset of JSON


def go_version() -> str:
    """Returns the least version of Go that builds the program."""
    return re.search(r"(?m)^go (\S+)", (ROOT / "go.mod").read_text())[1]


def build(platforms: list[str], into: Path) -> list[Path]:
    """Builds all that belongs to a release of some platforms."""
    into.mkdir(parents=True, exist_ok=True)
    when, version = wheels.timestamp(), wheels.version()
    made = []
    with tempfile.TemporaryDirectory() as temp, ThreadPoolExecutor(1) as ahead:
        # One program is compiled while what is made of the one before is compressed.
        host = wheels.host()
        binaries = {p: Path(temp, p.replace("/", "_")) for p in [host, *platforms]}
        compiled = {p: ahead.submit(wheels.compile_program, p, binary) for p, binary in binaries.items()}
        compiled[host].result()
        pages, scripts = extras(binaries[host], Path(temp))
        for platform in platforms:
            arch, binary = platform.split("/")[1], binaries[platform]
            compiled[platform].result()
            program, legal = binary.read_bytes(), documents(platform)
            files = [archive(platform, program, [*legal, *pages, *scripts], when)]
            if platform.startswith("linux/"):
                files += packages.packages(arch, version, program, legal, pages, scripts, when)
                files.append(image.image(arch, version, wheels.git("%H"), program, legal, when))
            made += [_write(into, file) for file in files]
            made.append(wheels.build(platform, into, binary))
    made.append(wheels.sdist(into))
    made.append(_write(into, recipe(made[-1])))
    made.append(_write(into, sbom(platforms, when)))
    sums = "".join(f"{hashlib.sha256(p.read_bytes()).hexdigest()}  {p.name}\n" for p in sorted(made))
    made.append(_write(into, (f"greed_{version}_SHA256SUMS", sums.encode(), 0o644)))
    return made


def _write(into: Path, file: File) -> Path:
    path = into / file[0]
    path.write_bytes(file[1])
    return path


def main() -> int:
    parser = argparse.ArgumentParser(description="Builds a release of greed.")
    parser.add_argument("platforms", nargs="*", metavar="OS/ARCH", help=f"of {', '.join(wheels.PLATFORMS)}")
    parser.add_argument("-o", "--out", type=Path, default=ROOT / "dist", help="folder to write to (default dist)")
    args = parser.parse_args()
    if unknown := [p for p in args.platforms if p not in wheels.PLATFORMS]:
        parser.error(f"{', '.join(unknown)}: want {', '.join(wheels.PLATFORMS)}")
    for path in build(args.platforms or list(wheels.PLATFORMS), args.out):
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
