"""Searches of several indexes on Spark: each task opens some of the indexes, for many queries."""

from __future__ import annotations

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
    as one collection. The nearest are found in two rounds: each query goes to a few of the parts first, and then, within
    the distance of the last that these have, to the others. If lost is true, other indexes were not searched."""
    from pyspark.sql import functions as F

    spark = queries.sparkSession
    cores = spark.sparkContext.defaultParallelism
    of = min(len(indexes), tasks or 2 * cores)
    bounds = [i * len(indexes) // of for i in range(of + 1)]
    parts = [list(range(bounds[i], bounds[i + 1])) for i in range(of)]
    blocks = -(-_PER_CORE * cores // of)  # of queries, for each part
    places = _places(spark, of * blocks)
    nearest = k is not None and kind != "smarts" and options.get("mode") != "predicted"
    few = max(1, round(of**0.5)) if nearest else 0

    def place(query: str, part: int) -> int:
        return places[part * blocks + hash_of(query) % blocks]

    def rows(which: list[int], asked: list[dict]) -> Iterator[dict]:
        """Searches the indexes of these numbers for what is yet to be searched for."""
        path = ",".join(indexes[i] for i in which)
        for same, some in itertools.groupby(sorted(asked, key=lambda r: (r["radius"] is not None, r["radius"])), lambda r: r["radius"]):
            group = list(some)
            for r, status, answers in _found(path, group, kind, k, same, options):
                out = {**r, "status": status, "radius": None}
                yield {**out, "id": None}
                for a in answers:
                    yield {**out, **a, "index": float(which[int(a["index"])])}

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
            reach = {}
            done: list[dict] = []
            if mine:
                done = list(rows([i for p in mine for i in parts[p]], asked))
                for query, answers in itertools.groupby((r for r in done if r["id"] is not None), lambda r: r["query"]):
                    upper = [r["upper"] for r in answers]
                    if len(upper) == k:
                        reach[query] = upper[-1]
            for r in done:
                r["place"] = place(r["query"], begin)  # where nothing is left to do with it
            for r in asked:
                for p in range(of):
                    if p not in mine:
                        done.append({**r, "place": place(r["query"], p), "part": p, "radius": reach.get(r["query"], radius)})
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
                    done = list(rows(parts[part], asked))
                    base._count(counts, seconds=time.monotonic() - start)
                    yield from _batches(done)

    shares = of * -(-2 * cores // of)
    asked = queries.select("id", kind).repartition(shares, "id").sortWithinPartitions("id")
    frame = asked.mapInArrow(first, _SCHEMA).repartition(of * blocks, "place").mapInArrow(second, _SCHEMA)
    return _merged(frame, k, options.get("mode") == "predicted", lost, F)


def _merged(frame: Any, k: int | None, predicted: bool, lost: bool, F: Any) -> Any:
    """Returns the rows of all queries: the answers of all parts in the order of one collection."""
    from pyspark.sql import Window

    mine = Window.partitionBy("query")
    status = F.lit("open") if lost and not predicted else F.min("status").over(mine)  # of "open" and "proven"
    frame = frame.withColumn("status", status).where("id is not null")
    ties = ("size", "apart", "index", "at")
    if predicted and k is not None:
        chosen = F.row_number().over(mine.orderBy("raw", "index", "at"))
        frame = frame.withColumn("chosen", chosen).where(F.col("chosen") <= k)
    order = ("predicted", *ties) if predicted else ("upper", "lower", *ties)
    frame = frame.withColumn("rank", F.row_number().over(mine.orderBy(*order)))
    if k is not None:
        frame = frame.where(F.col("rank") <= k)
    return frame.select("query", "rank", "id", "lower", "upper", "predicted", "status")


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


def _places(spark: Any, n: int) -> list[int]:
    """Returns a number for each of n partitions, by which Spark sends a row there."""
    from pyspark.sql import functions as F

    drawn = spark.range(0, 40 * n, 1, 1).select(F.col("id").cast("int").alias("id"))
    found = drawn.groupBy(F.pmod(F.hash("id"), F.lit(n)).alias("to")).agg(F.min("id").alias("id")).collect()
    at = {r.to: r.id for r in found}
    return [at[i] for i in range(n)] if len(at) == n else list(range(n))  # some then have two, which does no harm


def hash_of(text: str) -> int:
    """Returns a number that every process gives a text."""
    import zlib

    return zlib.crc32(text.encode())
