"""The container image: the program alone, without a distribution, as an OCI archive."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import tarfile
import time

#: A file: its name, content and mode.
File = tuple[str, bytes, int]

#: The user that the program runs as, and who owns its data.
USER = 65532


def image(arch: str, version: str, commit: str, program: bytes, documents: list[File], when: int) -> File:
    """Returns the image of an architecture, in Go's name for it: an OCI image layout in a tar, with the
    manifest that ``docker load`` knows beside it."""
    raw = _layer(program, documents, when)
    layer = gzip.compress(raw, 6, mtime=0)
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(when))
    name = f"greed:{version}"
    config = {
        "created": created,
        "architecture": arch,
        "os": "linux",
        "config": {
            "User": f"{USER}:{USER}",
            "Env": ["PATH=/", "GREED_LISTEN=:8080"],
            "Entrypoint": ["/greed"],
            "Cmd": ["serve", "--demo"],
            "WorkingDir": "/data",
            "Volumes": {"/data": {}},
            "ExposedPorts": {"8080/tcp": {}},
            "StopSignal": "SIGTERM",
            "Healthcheck": {
                "Test": ["CMD", "/greed", "serve", "--ready"],
                "Interval": 30_000_000_000, "Timeout": 5_000_000_000, "StartPeriod": 60_000_000_000, "Retries": 3,
            },
            "Labels": {
                "org.opencontainers.image.title": "greed",
                "org.opencontainers.image.description": "search by graph edit distance",
                "org.opencontainers.image.version": version,
                "org.opencontainers.image.revision": commit,
                "org.opencontainers.image.created": created,
                "org.opencontainers.image.licenses": "Apache-2.0",
                "org.opencontainers.image.source": "https://github.com/greedgraph/greed",
            },
        },
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(raw).hexdigest()}"]},
        "history": [{"created": created, "created_by": "release/build.py"}],
    }  # fmt: skip
    blobs: dict[str, bytes] = {}

    def blob(kind: str, data: bytes) -> dict:
        digest = hashlib.sha256(data).hexdigest()
        blobs[f"blobs/sha256/{digest}"] = data
        return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": f"sha256:{digest}", "size": len(data)}

    about = blob("config.v1+json", _json(config))
    layers = [blob("layer.v1.tar+gzip", layer)]
    manifest = blob("manifest.v1+json", _json({
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json", "config": about, "layers": layers,
    }))  # fmt: skip
    manifest["platform"] = {"architecture": arch, "os": "linux"}
    manifest["annotations"] = {"org.opencontainers.image.ref.name": version, "io.containerd.image.name": f"docker.io/library/{name}"}

    def place(descriptor: dict) -> str:
        return "blobs/sha256/" + descriptor["digest"].partition(":")[2]

    files = {
        "oci-layout": _json({"imageLayoutVersion": "1.0.0"}),
        "index.json": _json({"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [manifest]}),
        "manifest.json": _json([{"Config": place(about), "RepoTags": [name], "Layers": [place(x) for x in layers]}]),
        **dict(sorted(blobs.items())),
    }
    return f"greed_{version}_linux_{arch}.oci.tar", _tar([(n, data, 0o644, 0) for n, data in files.items()], [], when), 0o644


def _layer(program: bytes, documents: list[File], when: int) -> bytes:
    """Returns what is in the image, as a tar."""
    passwd = f"root:x:0:0:root:/:/nologin\ngreed:x:{USER}:{USER}:greed:/data:/nologin\n"
    group = f"root:x:0:\ngreed:x:{USER}:\n"
    folders = [("data/", 0o750, USER), ("etc/", 0o755, 0), ("tmp/", 0o1777, 0), ("usr/", 0o755, 0), ("usr/share/", 0o755, 0),
               ("usr/share/doc/", 0o755, 0), ("usr/share/doc/greed/", 0o755, 0)]  # fmt: skip
    files = [
        ("greed", program, 0o755, 0),
        ("etc/passwd", passwd.encode(), 0o644, 0),
        ("etc/group", group.encode(), 0o644, 0),
        *((f"usr/share/doc/greed/{name}", data, mode, 0) for name, data, mode in documents),
    ]
    return _tar(files, folders, when)


def _tar(files: list[tuple[str, bytes, int, int]], folders: list[tuple[str, int, int]], when: int) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as t:
        for name, mode, owner in folders:
            info = tarfile.TarInfo(name.rstrip("/"))
            info.type, info.mode, info.mtime, info.uid, info.gid = tarfile.DIRTYPE, mode, when, owner, owner
            t.addfile(info)
        for name, data, mode, owner in files:
            info = tarfile.TarInfo(name)
            info.size, info.mode, info.mtime, info.uid, info.gid = len(data), mode, when, owner, owner
            t.addfile(info, io.BytesIO(data))
    return out.getvalue()


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()
