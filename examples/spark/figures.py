#!/usr/bin/env python3
"""Compares greed.spark on a cluster of three processes with the plain command on the same cores.

    python examples/spark/figures.py [--pairs 1000000] [--graphs 1000000] [--longest 28] [--turns 1]

Needs what greed.spark needs, and Linux. Distances of all pairs of small molecules and vectors
of molecules (the bundled ones, again and again) are computed by `greed truth` and `greed embed`
and by Spark, vectors in several turns, of which the first warms Java up. It prints seconds and
processor seconds of both, and what Spark's page of queries says, and ends with an error if a row differs.
"""

import argparse
import csv
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

import greed
import greed.spark as gs
from greed import _binary

HERE = Path(__file__).parent


def spent(roots):
    """The processor seconds of processes, of those that they started and of those that ended."""
    parents, seconds = {}, {}
    for p in Path("/proc").iterdir():
        try:
            fields = (p / "stat").read_text().rsplit(")", 1)[1].split() if p.name.isdigit() else None
        except OSError:
            continue
        if fields:
            parents[int(p.name)] = int(fields[1])
            seconds[int(p.name)] = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    total = 0
    for pid in seconds:
        above = pid
        while above in parents and above not in roots:
            above = parents[above]
        total += seconds[pid] if above in roots else 0
    return total


def timed(roots, what):
    begin, before = time.monotonic(), spent(roots)
    what()
    return time.monotonic() - begin, spent(roots) - before


def plain(*arguments):
    def ended():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    begin, before = time.monotonic(), ended()
    subprocess.run([_binary.path(), *arguments], check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - begin, ended() - before


def report(name, one, spark):
    print(f"{name}: plain {one[0]:.1f} s, {one[1]:.1f} s of processors; Spark {spark[0]:.1f} s, {spark[1]:.1f} s: "
          f"{100 * (spark[0] / one[0] - 1):+.0f} %, {100 * (spark[1] / one[1] - 1):+.0f} %", flush=True)  # fmt: skip


def page(spark):
    """What Spark's page of queries shows of the nodes that run greed."""
    context = spark.sparkContext
    url = f"{context.uiWebUrl}/api/v1/applications/{context.applicationId}/sql?details=true&length=1000"
    for query in json.load(urllib.request.urlopen(url)):
        for node in query["nodes"]:
            if node["nodeName"] == "MapInArrow":
                shown = {m["name"]: m["value"].split("\n")[-1].split(" (")[0] for m in node["metrics"]}
                yield {k: shown.get(k) for k in ("number of output rows", "time to execute Python code")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--graphs", type=int, default=1_000_000)
    parser.add_argument("--longest", type=int, default=28, help="the longest SMILES of the pairs")
    parser.add_argument("--turns", type=int, default=1)
    parser.add_argument("--cores", type=int, default=2)
    a = parser.parse_args()
    from pyspark.sql import SparkSession

    bundled = [g.smiles for g in greed.Collection.bundled()]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        small = sorted({s for s in bundled if len(s) <= a.longest})
        n = round(a.pairs**0.5)
        (folder / "small.smi").write_text("".join(f"{small[i % len(small)]} {i}\n" for i in range(n)))
        (folder / "all.smi").write_text("".join(f"{bundled[i % len(bundled)]} {i}\n" for i in range(a.graphs)))
        model = folder / "ged.safetensors"
        greed.Model.bundled("ged").save(model)

        workers = f"--workers={a.cores}"
        pairs = plain("truth", folder / "small.smi", folder / "small.smi", "-o", folder / "pairs.csv", workers)

        env = dict(os.environ, PYTHON=sys.executable, PORT="7171", CORES=str(max(1, a.cores // 2)), MEMORY="2g")
        cluster = [HERE / "cluster.sh"]
        master = subprocess.run([*cluster, "start", folder / "c"], env=env, check=True, capture_output=True, text=True).stdout.strip()
        try:
            os.environ["PYSPARK_PYTHON"] = sys.executable
            path = os.pathsep.join([str(Path(greed.__file__).parent.parent), os.environ.get("PYTHONPATH", "")])
            builder = SparkSession.builder.master(master).config("spark.executorEnv.PYTHONPATH", path)
            builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
            if "GREED_BINARY" in os.environ:
                builder = builder.config("spark.executorEnv.GREED_BINARY", os.environ["GREED_BINARY"])
            spark = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
            spark.range(0, 8, 1, 8).rdd.map(lambda x: x).count()  # the cluster is up
            roots = {os.getpid()} | {int(p.read_text()) for p in (folder / "c").glob("*.pid")}
            counts = gs.Counts(spark)
            report(f"{n * n} pairs", pairs, timed(roots, lambda: gs.truth(gs.read(spark, str(folder / "small.smi")), counts=counts)
                                                  .write.parquet(str(folder / "pairs"))))  # fmt: skip
            for turn in range(a.turns):
                to = str(folder / f"vectors{turn}")
                vectors = plain("embed", model, folder / "all.smi", "-o", folder / "z.npy", workers)
                work = lambda: gs.embed(gs.read(spark, str(folder / "all.smi")), model, to=to, counts=counts)  # noqa: B023, E731
                report(f"{a.graphs} molecules", vectors, timed(roots, work))
            print(counts)
            for shown in page(spark):
                print("Spark's page:", shown)
            spark.stop()
        finally:
            subprocess.run([*cluster, "stop", folder / "c"], check=True)

        t = pq.read_table(folder / "pairs")
        got = sorted(zip(*(t.column(c).to_pylist() for c in ("query", "target", "lower", "upper"))))
        with (folder / "pairs.csv").open() as f:
            rows = csv.DictReader(f)
            want = sorted((r["query"], r["target"], float(r["lower"]), float(r["upper"])) for r in rows)
        assert got == want, "the distances differ"
        t = pq.read_table(to)
        ids = np.array(t.column("id").to_pylist(), dtype=np.int64)
        z = t.column("vector").combine_chunks().flatten().to_numpy().reshape(len(ids), -1)
        want = np.load(folder / "z.npy")
        assert len(ids) == len(want) and np.array_equal(z[np.argsort(ids)], want), "the vectors differ"
        print("all rows are the same")


if __name__ == "__main__":
    main()
