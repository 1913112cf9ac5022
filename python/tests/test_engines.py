"""The examples for Ray, Dask and FAISS, and what docs/scale.md has of others; each needs its package."""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from pathlib import Path

import numpy as np
import pytest

import greed

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))

SMILES = ["CCO", "CCN", "C1CC1", "c1ccccc1O", "CC(=O)O", "C"] * 7


def test_ray():
    ray = pytest.importorskip("ray")
    import ray_embed

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False,
             runtime_env={"env_vars": {"PYTHONPATH": os.pathsep.join(sys.path)}})  # fmt: skip
    try:
        got = ray_embed.embed(SMILES, size=5)
    finally:
        ray.shutdown()
    assert np.array_equal(got, greed.Model.bundled("ged").embed(SMILES))


def test_dask():
    dd = pytest.importorskip("dask.dataframe")
    import dask_pairs
    import pandas as pd

    table = pd.DataFrame({"query": SMILES, "target": SMILES[::-1]})
    got = dask_pairs.solve(dd.from_pandas(table, npartitions=4)).compute(scheduler="threads")
    want = greed.pairs(list(table["query"]), list(table["target"]))
    assert list(got["lower"]) == list(want.lower) == list(got["upper"])


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """A folder with the bundled molecules' vectors, the constant, a query's vectors for GED and SED, and the
    distances of the ten nearest."""
    from greed import _binary

    folder = tmp_path_factory.mktemp("exported")

    def run(*args):
        return subprocess.run([_binary.path(), *args], cwd=folder, check=True, capture_output=True, text=True).stdout

    bundled = list(greed.Collection.bundled())[:500]
    (folder / "m.smi").write_text("".join(f"{g.smiles} {g.id}\n" for g in bundled))
    run("index", "build", "m.smi", "-o", "m.index")
    c = float(run("index", "export", "m.index", "-o", "z.npy", "--embedding", "sed", "--manhattan").split()[-1])
    assert c == float(run("index", "export", "m.index", "-o", "sed.parquet", "--embedding", "sed", "--manhattan").split()[-1])
    run("index", "export", "m.index", "-o", "ged.parquet", "--embedding", "ged")
    q = {task: greed.Model.bundled(task).embed(["c1ccccc1O"])[0] for task in ("ged", "sed")}
    x = np.load(folder / "z.npy")[:, :-1]
    sed = np.sort(np.maximum(q["sed"] - x, 0).sum(axis=1, dtype=np.float64))[:10]
    return folder, c, q, sed


def test_faiss(exported):
    faiss = pytest.importorskip("faiss")
    folder, c, queries, want = exported
    q = queries["sed"]
    z = np.load(folder / "z.npy")
    index = faiss.IndexFlat(z.shape[1], faiss.METRIC_L1)
    index.add(z)
    d, rows = index.search(np.append(q, np.float32(0))[None], 10)
    sed = (d[0] + q.sum(dtype=np.float64) - c) / 2
    assert np.allclose(sed, want, atol=1e-3)


def test_qdrant(exported):
    qdrant_client = pytest.importorskip("qdrant_client")
    pq = pytest.importorskip("pyarrow.parquet")
    from qdrant_client import models

    folder, c, queries, want = exported
    q = queries["sed"]
    table = pq.read_table(folder / "sed.parquet", columns=["id", "vector"]).to_pydict()
    client = qdrant_client.QdrantClient(":memory:")
    size = len(table["vector"][0])
    client.create_collection("z", vectors_config=models.VectorParams(size=size, distance=models.Distance.MANHATTAN))
    points = [models.PointStruct(id=i, vector=v, payload={"id": table["id"][i]}) for i, v in enumerate(table["vector"])]
    client.upsert("z", points)
    found = client.query_points("z", [*q.tolist(), 0.0], limit=10, search_params=models.SearchParams(exact=True)).points
    sed = (np.array([p.score for p in found]) + q.sum(dtype=np.float64) - c) / 2
    assert np.allclose(sed, want, atol=1e-3)


def test_clickhouse(exported):
    """The SQL of docs/scale.md in ClickHouse's engine without a server."""
    chdb = pytest.importorskip("chdb")
    pq = pytest.importorskip("pyarrow.parquet")
    folder, _, queries, sed = exported
    x = np.array(pq.read_table(folder / "ged.parquet", columns=["vector"]).column(0).to_pylist(), np.float64)
    ged = np.sort(np.abs(queries["ged"] - x).sum(axis=1))[:10]
    for task, distance, want in (
        ("ged", "L1Distance(vector, q)", ged),
        ("sed", "arraySum((q, x) -> greatest(0, q - x), q, arrayPopBack(vector))", sed),
    ):
        q = "[" + ",".join(map(repr, queries[task].astype(float).tolist())) + "]"
        sql = f"""with {q}::Array(Float64) as q
            select id, {distance} as d from file('{folder}/{task}.parquet') order by d, id limit 10"""
        rows = str(chdb.query(sql, "CSV")).split()
        assert len({r.split(",")[0] for r in rows}) == 10
        assert np.allclose([float(r.split(",")[1]) for r in rows], want, atol=1e-3)


def free_ports(n):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(n)]
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def ask(port, sql, data=b""):
    query = urllib.parse.urlencode({"query": sql, "insert_distributed_sync": 1})
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/?{query}", data=data) as answer:
        return answer.read().decode()


@pytest.fixture(scope="module")
def clickhouses(tmp_path_factory):
    """The HTTP ports of two servers, each of which knows both as the cluster two."""
    program = shutil.which("clickhouse-server")
    if program is None:
        pytest.skip("ClickHouse is not installed (Debian: clickhouse-server)")
    folder = tmp_path_factory.mktemp("clickhouse")
    ports = free_ports(6)
    shards = "".join(f"<shard><replica><host>127.0.0.1</host><port>{p}</port></replica></shard>" for p in ports[:2])
    servers = []
    try:
        for i in range(2):
            own = folder / str(i)
            own.mkdir()
            tcp, http, between = ports[i::2]
            (own / "users.xml").write_text("""<yandex><profiles><default/></profiles><quotas><default/></quotas><users><default>
                <password/><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota>
                </default></users></yandex>""")
            (own / "config.xml").write_text(f"""<yandex><logger><level>warning</level><console>1</console></logger>
                <listen_host>127.0.0.1</listen_host><tcp_port>{tcp}</tcp_port><http_port>{http}</http_port>
                <interserver_http_port>{between}</interserver_http_port><path>{own}/data/</path><tmp_path>{own}/tmp/</tmp_path>
                <mark_cache_size>10000000</mark_cache_size><users_config>{own}/users.xml</users_config>
                <default_profile>default</default_profile><default_database>default</default_database>
                <remote_servers><two>{shards}</two></remote_servers></yandex>""")
            with (own / "log").open("w") as log:
                command = [program, f"--config-file={own}/config.xml"]
                server = subprocess.Popen(command, cwd=own, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            servers.append(server)
            while True:
                assert server.poll() is None, (own / "log").read_text()
                with contextlib.suppress(OSError):
                    ask(http, "select 1")
                    break
                time.sleep(0.1)
        yield ports[2:4]
    finally:
        for server in servers:
            server.kill()
            server.wait()


def test_clickhouse_distributed(exported, clickhouses):
    """The SQL of docs/scale.md over two servers. L1Distance is left to the test above, since servers of 2018, such
    as Debian's, do not have it, nor Parquet."""
    pq = pytest.importorskip("pyarrow.parquet")
    folder, _, queries, _ = exported
    for task, distance in (
        ("ged", "arraySum((q, x) -> abs(q - x), q, vector)"),
        ("sed", "arraySum((q, x) -> greatest(0, q - x), q, vector)"),
    ):
        q = queries[task].astype(float)
        table = pq.read_table(folder / f"{task}.parquet", columns=["id", "smiles", "vector"]).to_pylist()
        for row in table:
            del row["vector"][len(q) :]
        for port in clickhouses:
            ask(port, f"create table {task}_here (id String, smiles String, vector Array(Float32)) engine = MergeTree() order by tuple()")
        first = clickhouses[0]
        ask(first, f"create table {task} as {task}_here engine = Distributed(two, default, {task}_here, cityHash64(id))")
        ask(first, f"insert into {task} format JSONEachRow", "".join(json.dumps(row) + "\n" for row in table).encode())
        parts = [int(ask(port, f"select count() from {task}_here")) for port in clickhouses]
        assert sum(parts) == len(table) and min(parts) > 0
        x = np.array([row["vector"] for row in table])
        away = np.abs(q - x) if task == "ged" else np.maximum(q - x, 0)
        want = np.sort(away.sum(axis=1))[:10]
        sql = f"with [{','.join(map(repr, q.tolist()))}] as q select id, {distance} as d from {task} order by d, id limit 10"
        rows = [row.split("\t") for row in ask(first, sql).splitlines()]
        assert len({row[0] for row in rows}) == 10
        assert np.allclose([float(row[1]) for row in rows], want, atol=1e-3)
