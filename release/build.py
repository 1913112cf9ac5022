#!/usr/bin/env python3
"""Builds a release: archives, packages, wheels, an SBOM and checksums, into dist/.

    python3 release/build.py                    all platforms
    python3 release/build.py linux/amd64        some

It needs Go and nothing of Python's but the standard library. The same sources
and the same Go make the same bytes; times in archives are that of the commit,
or SOURCE_DATE_EPOCH.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import json
import sys
import tarfile
import tempfile
import time
import uuid
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(ROOT / "python"))

import wheels  # noqa: E402

#: A file of an archive: its name, content and mode.
File = tuple[str, bytes, int]


def documents(platform: str) -> list[File]:
    """Returns what goes with the program wherever it goes."""
    files = [(name, (ROOT / name).read_bytes(), 0o644) for name in ("LICENSE", "NOTICE", "README.md", "CHANGELOG.md")]
    return [*files, ("THIRD-PARTY", wheels.licences(platform).encode(), 0o644)]


def tar(files: list[File], when: int, folders: bool = False) -> bytes:
    """Returns a gzipped tar of files, of root and of one time; with folders, also their folders."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.GNU_FORMAT) as t:
        made = set()
        for name, data, mode in files:
            for up in reversed(Path(name).parents) if folders else ():
                if str(up) not in made:
                    made.add(str(up))
                    info = tarfile.TarInfo(str(up) if str(up) == "." else f"./{up}")
                    info.type, info.mode, info.mtime = tarfile.DIRTYPE, 0o755, when
                    info.uname = info.gname = "root"
                    t.addfile(info)
            info = tarfile.TarInfo(f"./{name}" if folders else name)
            info.size, info.mode, info.mtime, info.uname, info.gname = len(data), mode, when, "root", "root"
            t.addfile(info, io.BytesIO(data))
    out = io.BytesIO()
    with gzip.GzipFile(filename="", fileobj=out, mode="wb", mtime=when) as z:
        z.write(raw.getvalue())
    return out.getvalue()


def zipped(files: list[File], when: int) -> bytes:
    """Returns a zip of files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
        for name, data, mode in files:
            info = zipfile.ZipInfo(name, time.gmtime(max(when, 315532800))[:6])
            info.compress_type, info.external_attr, info.create_system = zipfile.ZIP_DEFLATED, (0o100000 | mode) << 16, 3
            z.writestr(info, data)
    return out.getvalue()


def archive(platform: str, program: bytes, when: int) -> tuple[str, bytes]:
    """Returns the archive of a platform."""
    name = f"greed_{wheels.version()}_{platform.replace('/', '_')}"
    windows = platform.startswith("windows/")
    files = [("greed.exe" if windows else "greed", program, 0o755), *documents(platform)]
    files = [(f"{name}/{f}", data, mode) for f, data, mode in files]
    return (name + ".zip", zipped(files, when)) if windows else (name + ".tar.gz", tar(files, when))


def deb(platform: str, program: bytes, when: int) -> tuple[str, bytes]:
    """Returns the Debian package: the program, its service, and the folder of its data."""
    arch = platform.split("/")[1]
    docs = [(f"usr/share/doc/greed/{n}", data, mode) for n, data, mode in documents(platform) if n != "LICENSE"]
    files = [
        ("usr/bin/greed", program, 0o755),
        ("lib/systemd/system/greed.service", (HERE / "greed.service").read_bytes(), 0o644),
        ("etc/default/greed", (HERE / "greed.default").read_bytes(), 0o644),
        ("usr/share/doc/greed/copyright", (ROOT / "LICENSE").read_bytes(), 0o644),
        *docs,
    ]
    size = sum(len(data) for _, data, _ in files) // 1024 + 1
    control = (
        f"Package: greed\nVersion: {wheels.version()}\nArchitecture: {arch}\nSection: science\nPriority: optional\n"
        "Maintainer: The greed authors <https://github.com/greedgraph/greed>\n"
        f"Homepage: https://github.com/greedgraph/greed\nInstalled-Size: {size}\nDepends: passwd\n"
        "Description: search by graph edit distance\n Finds the graphs most like a given graph, and those that contain it;\n"
        " molecules and any other labelled graphs. With a service of HTTP.\n"
    )
    sums = "".join(f"{hashlib.md5(data).hexdigest()}  {name}\n" for name, data, _ in files)  # what Debian asks for
    about = [
        ("control", control.encode(), 0o644),
        ("md5sums", sums.encode(), 0o644),
        ("conffiles", b"/etc/default/greed\n", 0o644),
        *((script, (HERE / script).read_bytes(), 0o755) for script in ("postinst", "prerm", "postrm")),
    ]
    members = [
        ("debian-binary", b"2.0\n"),
        ("control.tar.gz", tar(about, when, folders=True)),
        ("data.tar.gz", tar(files, when, folders=True)),
    ]
    out = b"!<arch>\n"
    for name, data in members:
        out += f"{name:<16}{when:<12}{0:<6}{0:<6}{'100644':<8}{len(data):<10}`\n".encode() + data + b"\n" * (len(data) % 2)
    return f"greed_{wheels.version()}_{arch}.deb", out


def sbom(platforms: list[str], when: int) -> tuple[str, bytes]:
    """Returns what is linked into the programs, as CycloneDX."""
    linked = {(m["path"], m["version"]) for p in platforms for m in wheels.modules(p)}
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
        "components": [
            {"type": "library", "name": path, "version": version, "purl": f"pkg:golang/{path}@{version}",
             "bom-ref": f"pkg:golang/{path}@{version}"}
            for path, version in sorted(linked)
        ],
        "dependencies": [{"ref": name, "dependsOn": [f"pkg:golang/{path}@{version}" for path, version in sorted(linked)]}],
    }  # fmt: skip
    return f"greed_{wheels.version()}.cdx.json", (json.dumps(document, indent=1) + "\n").encode()


def build(platforms: list[str], into: Path) -> list[Path]:
    """Builds all that belongs to a release of some platforms."""
    into.mkdir(parents=True, exist_ok=True)
    when = wheels.timestamp()
    made = []
    for platform in platforms:
        with tempfile.TemporaryDirectory() as temp:
            binary = Path(temp) / "greed"
            wheels.compile_program(platform, binary)
            program = binary.read_bytes()
            files = [archive(platform, program, when)]
            if platform.startswith("linux/"):
                files.append(deb(platform, program, when))
            made += [_write(into, file) for file in files]
            made.append(wheels.build(platform, into, binary))
    made.append(_write(into, sbom(platforms, when)))
    sums = "".join(f"{hashlib.sha256(p.read_bytes()).hexdigest()}  {p.name}\n" for p in sorted(made))
    made.append(_write(into, (f"greed_{wheels.version()}_SHA256SUMS", sums.encode())))
    return made


def _write(into: Path, file: tuple[str, bytes]) -> Path:
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
