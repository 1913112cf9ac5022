#!/usr/bin/env python3
"""Compares searches of several indexes on a Spark cluster of three processes with the plain command and one index.

    python examples/spark/search_figures.py ONE PARTS QUERIES [-k 10] [--turns 2] [--tasks N]

ONE is an index, PARTS a folder of indexes of the same graphs, QUERIES a file of t/v/e graphs or SMILES. It prints
seconds and processor seconds of the plain command, then those of each turn on Spark, of which the first is cold: it
starts Java's workers and the programs and warms Java up. It ends with an error if the distances differ. Linux.
"""

import argparse
import csv
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from figures import HERE, plain, report, timed

import greed
import greed.spark as gs


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("one")
    parser.add_argument("parts")
    parser.add_argument("queries")
    parser.add_argument("-k", type=int, default=10)
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--tasks", type=int)
    a = parser.parse_args()
    from pyspark.sql import SparkSession

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        out = folder / "plain.csv"
        one = plain("search", a.queries, a.one, f"-k{a.k}", "--time-limit=none", "-o", out)
        with out.open() as f:
            want = sorted((r["query"], int(r["rank"]), float(r["upper"])) for r in csv.DictReader(f))
        print(f"plain: {one[0]:.1f} s, {one[1]:.1f} s of processors, {len(want)} rows", flush=True)
        env = dict(os.environ, PYTHON=sys.executable, PORT="7171", MEMORY="2g")
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
            roots = {os.getpid()} | {int(p.read_text()) for p in (folder / "c").glob("*.pid")}
            for turn in range(a.turns):
                got = []
                work = lambda: got.extend(gs.search(gs.read(spark, a.queries), a.parts, a.k, tasks=a.tasks).collect())  # noqa: B023, E731
                report("cold" if turn == 0 else f"turn {turn + 1}", one, timed(roots, work))
                assert sorted((r.query, r["rank"], r.upper) for r in got) == want, "the rows differ"
            spark.stop()
        finally:
            subprocess.run([*cluster, "stop", folder / "c"], check=True)


if __name__ == "__main__":
    main()
