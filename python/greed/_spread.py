"""Searches of several indexes on Spark: each task opens some of the indexes, for many queries."""

from __future__ import annotations

import functools
import itertools
import os
import time
from collections.abc import Iterable, Iterator
from typing import Any

import greed
from greed import spark as base

#: How many queries a request to the program has.
BATCH = 100

#: How many tasks there are for a core, so that all end at about the same time, and one that is lost is not much.
_PER_CORE = 4

# What goes from one round to the next: answers, with what orders them, and queries that a task is yet to search for,
# which have no status. An answer without an id says how a search ended.
_SCHEMA = (
    "place int, query string, text string, part int, radius double, status string, id string, lower double, upper double, "
    "predicted double, size double, apart double, index double, at double, raw double"
)
_ORDERS = ("size", "apart", "index", "at", "raw")


def search(queries: Any, kind: str, indexes: list[str], k: int | None, radius: float | None, options: dict[str, Any],
           lost: bool, tasks: int | None, counts: base.Counts | None) -> Any:  # fmt: skip
    """Returns the rows of :func:`greed.spark.search`. A task searches the indexes of a part, some that follow each other,
    as one collection. The nearest are found in two rounds: each query goes to a few of the parts first, one after the
    other, and then, within the distance of the last that these have, to the others. If lost is true, other indexes were
    not searched."""
    cores = queries.sparkSession.sparkContext.defaultParallelism
    of = min(len(indexes), tasks or cores)
    bounds = [i * len(indexes) // of for i in range(of + 1)]
    parts = [list(range(bounds[i], bounds[i + 1])) for i in range(of)]
    blocks = -(-_PER_CORE * cores // of)  # of queries, for each part
    places = _places(of * blocks)
    nearest = k is not None and kind != "smarts" and options.get("mode") != "predicted"
    few = max(1, round(of**0.5)) if nearest else 0

    def place(query: str, part: int) -> int:
        return places[part * blocks + hash_of(query) % blocks]

    def rows(part: int, asked: list[dict]) -> Iterator[dict]:
        """Searches the indexes of a part for what is yet to be searched for."""
        path = ",".join(indexes[i] for i in parts[part])
        for same, some in itertools.groupby(sorted(asked, key=lambda r: (r["radius"] is not None, r["radius"])), lambda r: r["radius"]):
            group = list(some)
            for r, status, answers in _found(path, group, kind, k, same, options):
                out = {**r, "part": part, "status": status, "radius": None}
                yield {**out, "id": None}
                for a in answers:
                    yield {**out, **a, "index": float(parts[part][int(a["index"])])}

    def first(batches: Iterable[Any]) -> Iterator[Any]:
        """The round of the few parts: yields their answers, and the searches that are left."""
        from pyspark import TaskContext

        context = TaskContext.get()
        assert context is not None
        begin = context.partitionId() % of
        mine = sorted((begin + i) % of for i in range(few))
        last = None
        for batch in _chunks(batches):
            start = time.monotonic()
            asked = []
            for query, text in zip(batch["id"], batch[kind]):
                if query is not None and query == last:
                    raise greed.RecordError(f"query {query!r} was given before: ids must differ")
                last = query
                asked.append({"place": None, "query": query, "text": text, "part": None, "radius": radius})
            base._count(counts, graphs=len(asked))
            nearest_of: dict[str, list[float]] = {}  # the k least upper bounds of each query
            done: list[dict] = []
            for p in mine:
                done += rows(p, asked)
                for r in done:
                    if r["id"] is not None and r["part"] == p:
                        nearest_of.setdefault(r["query"], []).append(r["upper"])
                for r in asked:
                    found = nearest_of[r["query"]] = sorted(nearest_of.get(r["query"], []))[:k]
                    if len(found) == k:
                        r["radius"] = found[-1]
            for r in done:
                r["place"] = place(r["query"], begin)  # where nothing is left to do with it
            for r in asked:
                for p in range(of):
                    if p not in mine:
                        done.append({**r, "place": place(r["query"], p), "part": p})
            base._count(counts, seconds=time.monotonic() - start)
            yield from _batches(done)

    def second(batches: Iterable[Any]) -> Iterator[Any]:
        """The round of the other parts."""
        for given in batches:
            import pyarrow.compute as pc

            known = pc.is_valid(given.column("status"))
            if (passed := given.filter(known)).num_rows:
                yield passed
            todo = sorted(given.filter(pc.invert(known)).to_pylist(), key=lambda r: (r["part"], r["query"]))
            for part, some in itertools.groupby(todo, lambda r: r["part"]):
                while asked := list(itertools.islice(some, BATCH)):
                    start = time.monotonic()
                    done = list(rows(part, asked))
                    base._count(counts, seconds=time.monotonic() - start)
                    yield from _batches(done)

    shares = of * -(-2 * cores // of)
    asked = queries.select("id", kind).repartition(shares, "id").sortWithinPartitions("id")
    frame = asked.mapInArrow(first, _SCHEMA).repartition(of * blocks, "place").mapInArrow(second, _SCHEMA)
    merge = functools.partial(_merged, k=k, predicted=options.get("mode") == "predicted", lost=lost)
    return frame.repartition("query").sortWithinPartitions("query").mapInArrow(merge, base.FOUND)


def _merged(batches: Iterable[Any], k: int | None, predicted: bool, lost: bool) -> Iterator[Any]:
    """Yields the rows of queries whose answers of all parts follow each other: in the order of one collection."""
    import pyarrow as pa

    by = (*(("predicted",) if predicted else ("upper", "lower")), "size", "apart", "index", "at")
    schema = base._arrow(base.FOUND, pa)
    made: list[dict] = []
    rows = itertools.chain.from_iterable(batch.to_pylist() for batch in batches)
    for query, group in itertools.groupby(rows, lambda r: r["query"]):
        all = list(group)
        status = "open" if lost and not predicted else min(r["status"] for r in all)  # of "open" and "proven"
        found = [r for r in all if r["id"] is not None]
        if predicted and k is not None:
            found = sorted(found, key=lambda r: (r["raw"], r["index"], r["at"]))[:k]
        found.sort(key=lambda r: [r[name] for name in by])
        made += [{**r, "rank": i + 1, "status": status} for i, r in enumerate(found[:k])]
        if len(made) >= base.BATCH:
            yield pa.RecordBatch.from_pylist(made, schema=schema)
            made = []
    if made:
        yield pa.RecordBatch.from_pylist(made, schema=schema)


def _found(path: str, asked: list[dict], kind: str, k: int | None, radius: float | None,
           options: dict[str, Any]) -> Iterator[tuple[dict, str, list[dict]]]:  # fmt: skip
    """Searches for queries and yields of each its row, the status and the answers."""
    os.environ.setdefault("GOMAXPROCS", "1")  # Spark has a task for every core
    collection = base._opened(path)
    options = {**options, "radius": radius, "explain": False, "workers": 1}
    if kind == "smarts":
        for r in asked:
            if not r["query"] or not r["text"]:
                raise greed.RecordError(f"query {r['query']!r}: there is no id or no SMARTS")
            yield r, *_answers(collection._found([], k, {**options, "smarts": r["text"]}, orders=True))
        return
    good, _ = base._parse([(r["query"], r["text"]) for r in asked], kind, False)
    _, _, found, out = collection._found([g for _, g in good], k, options, orders=True)
    at = 0
    for (i, _), one in zip(good, found):
        n = len(one["answers"])
        yield asked[i], *_answers(([], {}, [one], {"orders": out["orders"][at : at + n]}))
        at += n


def _answers(done: tuple[list, dict, list, dict]) -> tuple[str, list[dict]]:
    """Returns the status of one search and its answers as rows."""
    one, orders = done[2][0], done[3]["orders"]
    rows = []
    for a, order in zip(one["answers"], orders.tolist()):
        rows.append({name: a.get(name) for name in ("id", "lower", "upper", "predicted")} | dict(zip(_ORDERS, order)))
    return one["status"], rows


def _chunks(batches: Iterable[Any]) -> Iterator[dict[str, list]]:
    for batch in batches:
        for start in range(0, batch.num_rows, BATCH):
            yield batch.slice(start, BATCH).to_pydict()


def _batches(rows: list[dict]) -> Iterator[Any]:
    import pyarrow as pa

    if rows:
        yield pa.RecordBatch.from_pylist(rows, schema=base._arrow(_SCHEMA, pa))


def _places(n: int) -> list[int]:
    """Returns a number for each of n partitions, by which Spark sends a row there."""
    at: dict[int, int] = {}
    for number in itertools.count():
        at.setdefault(_murmur(number) % n, number)
        if len(at) == n:
            return [at[i] for i in range(n)]
    raise AssertionError


def _murmur(number: int) -> int:
    """Returns Spark's hash of a number of 32 bits: MurmurHash3 with the seed 42, as a signed number."""
    mask = 0xFFFFFFFF

    def rotated(x: int, by: int) -> int:
        return (x << by | x >> 32 - by) & mask

    h = 42 ^ rotated(number * 0xCC9E2D51 & mask, 15) * 0x1B873593 & mask
    h = (rotated(h, 13) * 5 + 0xE6546B64 ^ 4) & mask
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 1)):
        h = (h ^ h >> shift) * factor & mask
    return h - (h >> 31 << 32)


def hash_of(text: str) -> int:
    """Returns a number that every process gives a text."""
    import zlib

    return zlib.crc32(text.encode())
