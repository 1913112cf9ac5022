#!/usr/bin/env python3
"""Measures what the Python package costs, with greed installed and the data of the repository.

    python3 python/benchmarks.py            all of it
    python3 python/benchmarks.py networkx   one of: call, batch, matrix, networkx
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

import greed
from greed import _binary, _graph
from greed._child import ask


def solving(mode: str, queries: list, targets: list | None = None, workers: int = 1) -> tuple[float, float]:
    """Returns the seconds of a request and of the solver in it, with one worker."""
    q, arrays = _graph.encode(queries, "queries")
    args = {"task": "ged", "mode": mode, "queries": q, "maps": True, "workers": workers}
    if targets is not None:
        args["targets"], more = _graph.encode(targets, "targets")
        arrays += more
    begin = time.perf_counter()
    result, _ = ask("distance", args, arrays)
    return time.perf_counter() - begin, result["solving"]


def call() -> None:
    """One pair: time above the solver's own."""
    a, b = "CC(=O)Oc1ccccc1C(=O)O", "CC(=O)Nc1ccccc1C(=O)O"
    _, inside = solving("pairs", [greed.smiles(a)], [greed.smiles(b)])
    times, inner = [], []
    for _ in range(5000):
        begin = time.perf_counter()
        greed.ged(a, b)
        times.append(time.perf_counter() - begin)
        inner.append(solving("pairs", [greed.smiles(a)], [greed.smiles(b)])[1])
    whole, inside = statistics.median(times) * 1e6, statistics.median(inner) * 1e6
    quick = min(times) * 1e6
    print(f"one pair: {whole:.0f} µs (median), {quick:.0f} µs (least), of which the solver {inside:.0f} µs")


def batch() -> None:
    """Many pairs in one request: time above the solver's own."""
    molecules = list(greed.Collection.bundled())[:1000]
    rng = random.Random(1)
    small = [g for g in molecules if len(g.smiles) < 14]
    for what, n in (("pairs", 50_000), ("matrix", 300)):
        overheads = []
        for _ in range(5):
            q = [rng.choice(small) for _ in range(n)]
            t = [rng.choice(small) for _ in range(n)]
            whole, inside = solving(what, q, t)
            overheads.append((whole - inside) / (n if what == "pairs" else n * n) * 1e6)
        print(f"{what} of {n:,}: {statistics.median(overheads):.2f} µs a pair above the solver's own time")


def matrix() -> None:
    """The matrix of 500 molecules against greed ged --matrix, in turns."""
    molecules = list(greed.Collection.bundled())
    chosen = [g for g in molecules if g.expand()._labels and len(g.expand()._labels) <= 12][:500]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m.smi")
        with open(path, "w") as f:
            f.writelines(f"{g.smiles}\t{g.id}\n" for g in chosen)
        ours, theirs = [], []
        for _ in range(3):
            begin = time.perf_counter()
            values = greed.matrix(chosen).values
            ours.append(time.perf_counter() - begin)
            begin = time.perf_counter()
            with open(os.path.join(folder, "out"), "w") as out:
                command = [_binary.path(), "ged", path, path, "--matrix", "--format", "tsv", "--progress=false"]
                subprocess.run(command, stdout=out, check=True)
            theirs.append(time.perf_counter() - begin)
        with open(os.path.join(folder, "out")) as f:
            assert [float(line.split("\t")[3]) for line in f] == values.ravel().tolist()
    a, b = statistics.median(ours), statistics.median(theirs)
    print(f"matrix of {len(chosen)} molecules: {a:.2f} s, greed ged --matrix {b:.2f} s: {a / b:.2f} times")


def networkx() -> None:
    """NetworkX' function against ours on 50 pairs of 7 nodes."""
    import networkx as nx

    rng = random.Random(7)

    def same(a: dict, b: dict) -> bool:
        return a["color"] == b["color"]

    pairs = []
    for _ in range(50):
        pair = []
        for _ in range(2):
            g = nx.gnp_random_graph(7, 0.4, seed=rng.randint(0, 10**9))
            nx.set_node_attributes(g, {v: rng.choice("abc") for v in g}, "color")
            pair.append(g)
        pairs.append(pair)
    begin = time.perf_counter()
    ours = [nx.graph_edit_distance(g, h, node_match=same, backend="greed") for g, h in pairs]
    middle = time.perf_counter()
    theirs = [nx.graph_edit_distance(g, h, node_match=same) for g, h in pairs]
    end = time.perf_counter()
    assert ours == theirs
    a, b = middle - begin, end - middle
    print(f"50 pairs of 7 nodes: greed {a:.3f} s, NetworkX {b:.1f} s: {b / a:.0f} times; equal values")


if __name__ == "__main__":
    greed.ged("C", "N")  # starts the process
    for what in sys.argv[1:] or ["call", "batch", "matrix", "networkx"]:
        {"call": call, "batch": batch, "matrix": matrix, "networkx": networkx}[what]()
