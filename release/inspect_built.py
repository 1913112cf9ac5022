#!/usr/bin/env python3
"""Reads a built .rpm and container image back, with nothing of what wrote them.

    python3 release/inspect_built.py DIST PROGRAM ROOT

DIST has a release of one Linux platform, PROGRAM is its program, and the files of the
image are written below ROOT, which must not exist.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import struct
import sys
import tarfile
from pathlib import Path


def header(data: bytes, at: int) -> tuple[dict[int, object], int]:
    """Returns the tags of a header of an .rpm and where it ends (rpm's doc/manual/format_v4)."""
    magic, count, size = struct.unpack_from(">8sII", data, at)
    assert magic == b"\x8e\xad\xe8\x01\0\0\0\0", f"no header at {at}"
    store = at + 16 + 16 * count
    tags: dict[int, object] = {}
    for i in range(count):
        tag, kind, offset, n = struct.unpack_from(">IIII", data, at + 16 + 16 * i)
        place = store + offset
        if kind in (6, 8, 9):  # texts, each with a 0 at its end
            texts = data[place : store + size].split(b"\0", n)[:n]
            tags[tag] = [t.decode() for t in texts] if kind != 6 else texts[0].decode()
        elif kind in (3, 4):
            tags[tag] = list(struct.unpack_from(f">{n}{'H' if kind == 3 else 'I'}", data, place))
    return tags, store + size


def rpm(path: Path) -> tuple[dict[int, object], dict[str, tuple[int, bytes]]]:
    """Returns the tags of an .rpm, and the mode and content of its files."""
    data = path.read_bytes()
    assert data[:4] == b"\xed\xab\xee\xdb", "no .rpm"
    _, end = header(data, 96)
    tags, end = header(data, -(-end // 8) * 8)
    payload, at, files = gzip.decompress(data[end:]), 0, {}
    while True:  # cpio, "newc"
        assert payload[at : at + 6] == b"070701", f"no entry at {at} of the payload"
        fields = [int(payload[at + 6 + 8 * i : at + 14 + 8 * i], 16) for i in range(13)]
        mode, size, length = fields[1], fields[6], fields[11]
        name = payload[at + 110 : at + 110 + length - 1].decode()
        at = -(-(at + 110 + length) // 4) * 4
        if name == "TRAILER!!!":
            return tags, files
        files[name.lstrip(".")] = mode, payload[at : at + size]
        at = -(-(at + size) // 4) * 4


def check_rpm(path: Path, program: bytes) -> None:
    tags, files = rpm(path)
    assert tags[1000] == "greed" and tags[1014] == "Apache-2.0", tags
    assert files["/usr/bin/greed"] == (0o100755, program), "another program"
    for wanted in ("/usr/lib/systemd/system/greed.service", "/etc/default/greed", "/usr/share/licenses/greed/LICENSE",
                   "/usr/share/man/man1/greed-search.1.gz", "/usr/share/bash-completion/completions/greed",
                   "/usr/share/zsh/site-functions/_greed", "/usr/share/fish/vendor_completions.d/greed.fish"):  # fmt: skip
        assert files[wanted][1], f"{wanted} is missing"
    assert "useradd" in tags[1024] and "disable" in tags[1025], "scripts are missing"
    names = [tags[1118][d] + base for d, base in zip(tags[1116], tags[1117])]
    config = [name for name, flags in zip(names, tags[1037]) if flags & 1]
    assert config == ["/etc/default/greed"], config
    for name, digest in zip(names, tags[1035]):
        assert not digest or hashlib.sha256(files[name][1]).hexdigest() == digest, f"{name} is not what the header says"


def check_image(path: Path, program: bytes, root: Path) -> None:
    with tarfile.open(path) as t:
        members = {m.name: t.extractfile(m).read() for m in t}
    for name, data in members.items():
        if name.startswith("blobs/"):
            assert name == "blobs/sha256/" + hashlib.sha256(data).hexdigest(), name

    def blob(descriptor: dict) -> bytes:
        data = members["blobs/" + descriptor["digest"].replace(":", "/")]
        assert len(data) == descriptor["size"], descriptor
        return data

    assert json.loads(members["oci-layout"]) == {"imageLayoutVersion": "1.0.0"}
    (listed,) = json.loads(members["index.json"])["manifests"]
    manifest = json.loads(blob(listed))
    about = json.loads(blob(manifest["config"]))
    (layer,) = manifest["layers"]
    raw = gzip.decompress(blob(layer))
    assert about["rootfs"]["diff_ids"] == ["sha256:" + hashlib.sha256(raw).hexdigest()]
    config = about["config"]
    assert config["User"] == "65532:65532" and config["ExposedPorts"] and config["Volumes"] and config["Healthcheck"], config
    (loaded,) = json.loads(members["manifest.json"])
    assert loaded["Config"] in members and loaded["Layers"] == ["blobs/" + layer["digest"].replace(":", "/")]
    root.mkdir()
    with gzip.open(Path(root, "layer"), "wb") as f:
        f.write(raw)
    with tarfile.open(root / "layer") as t:
        data = t.getmember("data")
        assert (data.uid, data.mode) == (65532, 0o750), "the volume is not the user's"
        t.extractall(root, filter="fully_trusted") if hasattr(tarfile, "data_filter") else t.extractall(root)
    (root / "layer").unlink()
    assert (root / "greed").read_bytes() == program, "another program"


def main() -> None:
    dist, program, root = Path(sys.argv[1]), Path(sys.argv[2]).read_bytes(), Path(sys.argv[3])
    check_rpm(next(dist.glob("*.rpm")), program)
    check_image(next(dist.glob("*.oci.tar")), program, root)


if __name__ == "__main__":
    main()
