"""Batches on Apache Spark: embed, truth, index, search, join and neighbourhoods over DataFrames.

A DataFrame of graphs has a column ``id`` (text, each once) and a column ``smiles``, or a
column ``graph`` with the text of one graph in the form t/v/e. :func:`read` makes one of
files. Every row of a result depends on its own input alone, so the rows are the same
whatever the number of executors, and after one of them died.

The nodes need this package (the wheel carries the program). From a shell::

    spark-submit "$(python -c 'import greed.spark as s; print(s.__file__)')" embed molecules.smi vectors.parquet
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import functools
import hashlib
import inspect
import itertools
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Literal

import numpy as np

import greed
from greed import _binary
from greed._options import TimeLimit

#: How many graphs, pairs or queries a request to the program has. Tasks have many requests.
BATCH = 2000

#: The columns of what searches find.
FOUND = "query string, rank int, id string, lower double, upper double, predicted double, status string"

#: How many graphs a task of truth keeps at most before it reads others.
MOST_KEPT = 20_000


class Counts:
    """What a job has done so far: accumulators, to be read on the driver. Tasks that Spark runs again
    count again."""

    def __init__(self, spark: Any):
        context = spark.sparkContext
        self.graphs, self.pairs, self.proven = (context.accumulator(0) for _ in range(3))
        self.rejected, self.seconds = context.accumulator(0), context.accumulator(0.0)

    def show(self, spark: Any, what: str) -> None:
        """Puts the counts on Spark's pages of jobs and queries, as the description of an empty job
        that it runs: accumulators of Python have no names there."""
        context = spark.sparkContext
        before = context.getLocalProperty("spark.job.description")
        context.setJobDescription(f"{what}: {self}")
        try:
            spark.range(0, 1, 1, 1).collect()
        finally:
            context.setJobDescription(before)

    def __repr__(self) -> str:
        return (
            f"{self.graphs.value} graphs, {self.pairs.value} pairs, {self.proven.value} of them proven, "
            f"{self.rejected.value} records rejected, {self.seconds.value:.1f} s of tasks"
        )


def read(spark: Any, path: str, format: str | None = None) -> Any:
    """Reads Parquet with the columns of a DataFrame of graphs, or text, compressed or not: SMILES
    (a line is SMILES, space, id) or t/v/e (``t # id``). The ending of the name decides the format."""
    from pyspark.sql import functions as F

    name = path.rstrip("/").removesuffix(".gz").removesuffix(".bz2").removesuffix(".zst")
    format = format or {"smi": "smiles", "smiles": "smiles", "parquet": "parquet"}.get(name.rsplit(".", 1)[-1], "tve")
    if format == "parquet":
        return spark.read.parquet(path)
    if format == "smiles":
        lines = spark.read.text(path).where(F.trim("value") != "")
        parts = F.split(F.trim("value"), r"\s+", 2)
        return lines.select(F.get(parts, F.lit(1)).alias("id"), F.get(parts, F.lit(0)).alias("smiles"))
    if format == "tve":
        records = spark.read.option("lineSep", "\nt ").text(path)
        text = F.concat(F.lit("t "), F.regexp_replace("value", r"^t ", ""))
        rows = records.where(F.trim("value") != "").select(text.alias("graph"))
        return rows.select(F.regexp_extract("graph", r"^t\s+#?\s*([^\n]*?)\s*(?:\n|$)", 1).alias("id"), "graph")
    raise ValueError(f"format is {format!r}: want smiles, tve or parquet")


def embed(graphs: Any, model: str | os.PathLike | None = None, *, task: str = "ged", rejects: bool = False,
          to: str | None = None, counts: Counts | None = None) -> Any:  # fmt: skip
    """Returns the vectors of graphs by a model, or by the bundled one for a task: ``id``,
    ``vector`` (floats). With ``rejects`` a record that cannot be read does not end the job: its
    vector is null, and ``reason`` says why. ``to`` is a new folder: the rows are written there as
    Parquet at once, for less than ``write.parquet`` takes, and the frame reads them."""
    spark = graphs.sparkSession
    own = _Model(spark, model, task)
    own.probe(graphs)
    kind = _kind(graphs)

    def work(rows: list[tuple[str, str]]) -> Any:
        import pyarrow as pa

        if kind == "smiles" and all(id and text and len(text.split()) == 1 for id, text in rows):
            # Read by the program itself, unless one cannot be. No Graph is made of them.
            args = {"queries": {"smiles": [text for _, text in rows]}, "workers": 1}
            with contextlib.suppress(greed.GreedError):
                vectors = own.get()._ask("model.embed", args)[1]["vectors"]
                _count(counts, graphs=len(rows))
                starts = np.arange(len(rows) + 1, dtype=np.int32) * vectors.shape[1]
                columns = [pa.array([id for id, _ in rows]), pa.ListArray.from_arrays(starts, pa.array(vectors.ravel()))]
                columns += [pa.nulls(len(rows), pa.string())] * rejects
                return pa.RecordBatch.from_arrays(columns, schema=_arrow(schema, pa))
        good, bad = _parse(rows, kind, rejects)
        vectors = own.get().embed([g for _, g in good], workers=1) if good else np.empty((0, 0), np.float32)
        _count(counts, graphs=len(good), rejected=len(bad))
        done = {i: v.tolist() for (i, _), v in zip(good, vectors)}
        return [
            {"id": id, "vector": done.get(i), **({"reason": bad.get(i)} if rejects else {})} for i, (id, _) in enumerate(rows)
        ]

    schema = "id string, vector array<float>" + (", reason string" if rejects else "")
    return _map(graphs.select("id", kind), schema, work, counts, to=to)


def truth(graphs: Any, *, sample: int | None = None, seed: int = 1, task: str = "ged", costs: Any = None,
          time_limit: TimeLimit = None, counts: Counts | None = None) -> Any:  # fmt: skip
    """Returns distances between the graphs of a DataFrame: of all pairs, or of as many drawn at
    random: ``pair`` (its number), ``query``, ``target``, ``lower``, ``upper``. The graphs go to
    every executor."""
    spark = graphs.sparkSession
    kind = _kind(graphs)
    # The order of rows in Spark is not fixed: ids make it so.
    rows = sorted((r[0], r[1]) for r in graphs.select("id", kind).collect())
    n = len(rows)
    total = n * n if sample is None else sample
    if n == 0 and total:
        raise ValueError("there are no graphs")
    shared = spark.sparkContext.broadcast(rows)

    parsed: dict[int, greed.Graph] = {}  # of a task, from one request to the next

    def work(numbers: list[tuple[int]]) -> Any:
        import pyarrow as pa

        at = np.array([x[0] for x in numbers], dtype=np.uint64)
        q, t = (at // np.uint64(n), at % np.uint64(n)) if sample is None else _drawn(at, seed, n)
        q, t = q.tolist(), t.tolist()
        if need := sorted({*q, *t} - parsed.keys()):
            if len(parsed) > MOST_KEPT:
                parsed.clear()
                need = sorted({*q, *t})
            parsed.update(zip(need, (g for _, g in _parse([shared.value[i] for i in need], kind, False)[0])))
        d = greed.pairs([parsed[i] for i in q], [parsed[i] for i in t], task=task, costs=costs, time_limit=time_limit, workers=1)
        _count(counts, pairs=len(at), proven=int((d.lower == d.upper).sum()))
        ids = [[shared.value[i][0] for i in side] for side in (q, t)]
        columns = [at.astype(np.int64), *ids, np.asarray(d.lower, np.float64), np.asarray(d.upper, np.float64)]
        return pa.RecordBatch.from_arrays([pa.array(c) for c in columns], schema=_arrow(schema, pa))

    schema = "pair long, query string, target string, lower double, upper double"
    numbers = spark.range(0, total, 1, _tasks(spark, total))
    return _map(numbers, schema, work, counts)


def _drawn(at: np.ndarray, seed: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Returns the pair of every number: SplitMix64 of the number, twice."""

    def mixed(x: np.ndarray) -> np.ndarray:
        with np.errstate(over="ignore"):
            x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return x ^ (x >> np.uint64(31))

    with np.errstate(over="ignore"):
        start = mixed(np.full_like(at, np.uint64(seed))) + at * np.uint64(0x9E3779B97F4A7C15)
        return mixed(start) % np.uint64(n), mixed(start ^ np.uint64(0xD1B54A32D192ED03)) % np.uint64(n)


def index(graphs: Any, folder: str | os.PathLike, parts: int, *, model: str | os.PathLike | None = None,
          counts: Counts | None = None) -> list[str]:  # fmt: skip
    """Builds indexes of a DataFrame of graphs in a folder that every node can write, one in a task, and returns their
    paths: together they are one collection. A graph goes to the part that the hash of its id chooses, in which graphs
    are in the order of their ids, so the same graphs give the same parts. Each index appears whole or not at all and
    takes the place of one of the same name; a part without graphs is left out, and those of a call with more parts are
    refused. The indexes have the model, or for molecules the bundled ones. Other columns are left out."""
    spark = graphs.sparkSession
    kind = _kind(graphs)
    if parts < 1:
        raise ValueError(f"parts is {parts}: want 1 or more")
    where = _local(spark, os.fspath(folder))
    if where is None:
        raise ValueError(f"{folder} is in a store that only Spark can write: an index is a folder of a file system")
    where.mkdir(parents=True, exist_ok=True)
    names = {f"part-{i + 1:05}.index" for i in range(parts)}
    if other := sorted(x.name for x in where.iterdir() if x.name not in names and x.name[0] not in "._"):
        raise ValueError(f"{where} has {other[0]}, which would be part of the collection: name a new folder")
    own = _Model(spark, model, None) if model else None

    def run(batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow as pa
        from pyspark import TaskContext

        begin, task = time.monotonic(), TaskContext.get()
        assert task is not None
        name = f"part-{task.partitionId() + 1:05}.index"
        rows = 0
        with tempfile.TemporaryDirectory(prefix=f".{name}-", dir=where) as made:
            file, new = Path(made) / ("graphs.smi" if kind == "smiles" else "graphs.txt"), Path(made) / name
            with open(file, "w", encoding="utf-8") as out:
                for batch in batches:
                    for id, text in zip(*(c.to_pylist() for c in batch.columns)):
                        if not id or not text or kind == "smiles" and len(text.split()) != 1:
                            raise greed.RecordError(f"graph {id!r}: there is no id, or not one graph: {text!r:.100}")
                        line = f"{text} {id}\n" if kind == "smiles" else f"t # {id}\n" + text.partition("\n")[2] + "\n"
                        out.write(line)
                        rows += 1
            if rows:
                flags = [f"--model={own.path()}"] if own else []
                _run(["index", "build", str(file), "-o", str(new), f"--from={'smiles' if kind == 'smiles' else 'tve'}",
                      *flags, "--workers=1"])  # fmt: skip
                shutil.rmtree(where / name, ignore_errors=True)
                try:
                    new.rename(where / name)
                except OSError:  # a copy of the task that Spark ran beside this one was faster
                    if not (where / name).is_dir():
                        raise
        _count(counts, graphs=rows, seconds=time.monotonic() - begin)
        yield pa.RecordBatch.from_pydict({"name": [name] * min(rows, 1)}, schema=_arrow("name string", pa))

    shares = graphs.select("id", kind).repartition(parts, "id").sortWithinPartitions("id")
    done = sorted(row.name for row in shares.mapInArrow(run, "name string").collect())
    for left in [*where.glob(".part-*"), *(where / name for name in names.difference(done))]:
        shutil.rmtree(left, ignore_errors=True)  # of tasks that died, or of other graphs
    return [str(where / name) for name in done]


def search(queries: Any, collection: str | os.PathLike, k: int | None = None, *, radius: float | None = None,
           task: Literal["ged", "sed"] = "ged", mode: Literal["proven", "checked", "predicted"] = "proven",
           time_limit: TimeLimit = None, tasks: int | None = None, counts: Counts | None = None) -> Any:  # fmt: skip
    """Searches a collection, a file, an index or several as one (a folder of them, a pattern or a list of paths), at a
    path that every node can read, for every query of a DataFrame: ``query``, ``rank``, ``id``, ``lower``, ``upper``,
    ``predicted``, ``status``. Queries are graphs, each with an id of its own, or patterns in a column ``smarts``.

    Of several indexes each task searches some, for many queries, and the rows are those that one index of all graphs
    would give; ``tasks`` says among how many the indexes are divided, one for each core unless given. The ``checked``
    are candidates of the whole collection: there each task searches all indexes for some of the queries. Indexes that
    are missing or damaged are named by a warning, and no answer is proven then.
    Without ``time_limit`` (for a query, in each task) all answers are proven."""
    kind = "smarts" if {"id", "smarts"} <= set(queries.columns) else _kind(queries)
    path = os.path.abspath(os.fspath(collection))
    if mode not in ("proven", "checked", "predicted"):
        raise ValueError(f"mode is {mode!r}: want proven, checked or predicted")
    if tasks is not None and tasks < 1:
        raise ValueError(f"tasks is {tasks}: want 1 or more")
    there = _opened(path)  # what is wrong is refused before the job starts
    indexes, lost = there._paths, there.info().get("unsearched", [])
    for index in lost:
        warnings.warn(f"{index['index']} is not searched, so no answer is proven: {index['reason']}", stacklevel=2)
    limit = None if mode == "predicted" else float("inf") if time_limit is None else time_limit
    options: dict[str, Any] = {"time_limit": limit}
    if kind == "smarts":
        if radius or task == "sed" or mode != "proven":
            raise ValueError("a SMARTS is contained or not: leave out radius, task and mode")
    else:
        options |= {"task": task, "mode": mode}
        k = 10 if k is None and radius is None else k
    from greed import _spread

    if len(indexes) > 1 and mode != "checked" and not any("," in index for index in indexes):
        return _spread.search(queries, kind, indexes, k, radius, options, bool(lost), tasks, counts)

    def work(rows: list[tuple[str, str]]) -> Iterator[dict]:
        asked = [{"query": id, "text": text} for id, text in rows]
        for r, status, answers in _spread._found(path, asked, kind, k, radius, options):
            _count(counts, graphs=1, proven=int(status == "proven"))
            for rank, a in enumerate(answers):
                row = {name: a[name] for name in ("id", "lower", "upper", "predicted")}
                yield {"query": r["query"], "rank": rank + 1, **row, "status": status}

    return _map(queries.select("id", kind), FOUND, work, counts, batch=_spread.BATCH)


@functools.lru_cache(maxsize=64)
def _opened(path: str) -> greed.Collection:
    return greed.Collection.open(path)


def join(spark: Any, collection: str | os.PathLike, radius: float, other: str | os.PathLike | None = None, *,
         task: str = "ged", tasks: int | None = None, counts: Counts | None = None) -> Any:  # fmt: skip
    """Returns all pairs of graphs of a collection, or of two, within a distance: ``at`` (the number
    of the query), ``query``, ``target``, ``lower``, ``upper``. Each task does a share of the queries,
    so that no pair is missed or comes twice. The files are at paths that every node can read."""
    files = [os.path.abspath(os.fspath(p)) for p in (collection, other) if p is not None]
    for file in files:
        os.stat(file)
    options = ["join", *files, f"--radius={radius}", f"--task={task}"]
    schema = "at long, query string, target string, lower double, upper double"
    return _shares(spark, options, schema, tasks, counts, "pairs")


def hoods(spark: Any, graph: str | os.PathLike, hops: int, model: str | os.PathLike, *, max_nodes: int = 1000,
          tasks: int | None = None, counts: Counts | None = None) -> Any:  # fmt: skip
    """Returns the vectors of the neighbourhoods of all nodes of one large graph: ``at`` (the number of
    the node), ``id``, ``vector``. The file of the graph is at a path that every node can read."""
    file = os.path.abspath(os.fspath(graph))
    os.stat(file)
    own = _Model(spark, model, None)
    options = ["embed", file, f"--hops={hops}", f"--max-nodes={max_nodes}"]
    return _shares(spark, options, "at long, id string, vector array<float>", tasks, counts, "graphs", own)


def _shares(spark: Any, options: list[str], schema: str, tasks: int | None, counts: Counts | None, what: str,
            model: _Model | None = None) -> Any:  # fmt: skip
    """Runs a command, with its model first, with --part in every task and returns the rows of the parts."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    of = tasks or 2 * spark.sparkContext.defaultParallelism

    def run(batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                begin = time.monotonic()
                with tempfile.TemporaryDirectory(prefix="greed-spark-") as folder:
                    out = os.path.join(folder, "share.part")
                    with_model = [model.path()] if model else []
                    _run([options[0], *with_model, *options[1:], f"--part={number + 1}/{of}", "-o", out, "--workers=1"])
                    table = pq.read_table(out, columns=[c.split()[0] for c in schema.split(", ")])
                    _count(counts, **{what: table.num_rows})
                    if what == "pairs":
                        lower, upper = table.column("lower"), table.column("upper")
                        _count(counts, proven=sum(a == b for a, b in zip(lower.to_pylist(), upper.to_pylist())))
                    _count(counts, seconds=time.monotonic() - begin)
                    yield from table.replace_schema_metadata(None).cast(_arrow(schema, pa)).to_batches()

    return spark.range(0, of, 1, of).mapInArrow(run, schema)


def _run(arguments: list[str]) -> None:
    """Runs the program. It ends when this process does, however that ends."""
    env = dict(os.environ, GOMAXPROCS="1")
    done = subprocess.run([_binary.path(), *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          env=env, preexec_fn=_die_with_parent if sys.platform == "linux" else None)  # fmt: skip
    if done.returncode:
        raise greed.GreedError(done.stderr.strip()[-2000:] or f"greed ended with {done.returncode}")


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def _map(frame: Any, schema: str, work: Callable[[list[tuple]], Any], counts: Counts | None,
         batch: int = BATCH, to: str | None = None) -> Any:  # fmt: skip
    """Calls work with the rows of every task, some thousand at a time. It gives rows, or a batch
    of Arrow. With a folder they are written there."""

    def run(batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow as pa

        os.environ.setdefault("GOMAXPROCS", "1")  # Spark has a task for every core
        into = _arrow(schema, pa)
        for given in batches:
            columns = [c.to_pylist() for c in given.columns]
            rows = list(zip(*columns))
            for start in range(0, len(rows), batch):
                begin = time.monotonic()
                done = work(rows[start : start + batch])
                if not isinstance(done, pa.RecordBatch):
                    done = pa.RecordBatch.from_pylist(list(done), schema=into)
                _count(counts, seconds=time.monotonic() - begin)
                if done.num_rows:
                    yield done

    if to is None:
        return frame.mapInArrow(run, schema)
    if (folder := _local(frame.sparkSession, to)) is None:
        frame.mapInArrow(run, schema).write.parquet(to)
    else:
        _write(frame, run, schema, folder)
    return frame.sparkSession.read.parquet(to)


def _local(spark: Any, folder: str) -> Path | None:
    """Returns the path of a folder that programs can write to, or None if only Spark can."""
    path = spark._jvm.org.apache.hadoop.fs.Path(folder)
    uri = path.getFileSystem(spark._jsc.hadoopConfiguration()).makeQualified(path).toUri()
    return Path(uri.getPath()) if uri.getScheme() == "file" else None


def _write(frame: Any, run: Callable[[Iterable[Any]], Iterator[Any]], schema: str, folder: Path) -> None:
    """Lets tasks write what they make. Vectors that become rows of Spark cost half as much as
    embedding. Only the driver gives files their names, when all are whole: a task that Spark
    repeats, or runs twice, adds nothing."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    parts = folder / "_temporary"

    def write(batches: Iterable[Any]) -> Iterator[Any]:
        name = f"{uuid.uuid4()}.parquet"
        made = run(batches)
        # Vectors repeat too rarely for dictionaries and compression.
        with pq.ParquetWriter(parts / name, _arrow(schema, pa), compression="none", use_dictionary=False) as file:
            while some := list(itertools.islice(made, 10)):  # a group of rows
                file.write_table(pa.Table.from_batches(some))
        yield pa.RecordBatch.from_pydict({"name": [name]})

    os.makedirs(folder)
    try:
        parts.mkdir()
        rows = frame.mapInArrow(write, "name string").collect()
        if not rows:  # Spark knows that there are no graphs, and ran nothing
            pq.write_table(_arrow(schema, pa).empty_table(), folder / "part-00000.parquet")
        for i, row in enumerate(rows):
            os.rename(parts / row.name, folder / f"part-{i:05}.parquet")
        shutil.rmtree(parts)
        (folder / "_SUCCESS").touch()
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _arrow(schema: str, pa: Any) -> Any:
    kinds = {"string": pa.string(), "long": pa.int64(), "int": pa.int32(), "double": pa.float64(), "array<float>": pa.list_(pa.float32())}
    return pa.schema([(name, kinds[kind]) for name, kind in (field.split() for field in schema.split(", "))])


def _count(counts: Counts | None, **more: float) -> None:
    if counts is not None:
        for name, n in more.items():
            getattr(counts, name).add(n)


def _tasks(spark: Any, units: int) -> int:
    """Returns how many tasks to make: a few for every core, of thousands of units each."""
    return max(1, min(units // BATCH, 8 * spark.sparkContext.defaultParallelism))


def _kind(frame: Any) -> str:
    """Returns the column that holds graphs."""
    for name in ("smiles", "graph"):
        if name in frame.columns and "id" in frame.columns:
            return name
    raise ValueError(f"the columns are {', '.join(frame.columns)}: want id, and smiles or graph")


def _parse(rows: list[tuple[str, str]], kind: str, skip: bool) -> tuple[list[tuple[int, greed.Graph]], dict[int, str]]:
    """Returns the graphs of rows by their positions, and why others cannot be read. Unless skip is
    true, the first of those is an error."""
    bad: dict[int, str] = {}
    texts = {}
    for i, (id, text) in enumerate(rows):
        if not id:
            bad[i] = "there is no id"
        elif not text or kind == "smiles" and len(text.split()) != 1:
            bad[i] = "there is not a SMILES" if kind == "smiles" else "there is no graph"
        else:
            texts[i] = f"{text} {i}\n" if kind == "smiles" else f"t # {i}\n" + text.partition("\n")[2] + "\n"
    good = _read("".join(texts.values()), kind, True) if texts else []
    graphs = [(int(str(g.id)), g) for g in good]
    for i in texts.keys() - {i for i, _ in graphs}:
        try:
            _read(texts[i], kind, False)
            bad[i] = "the record cannot be read"
        except greed.GreedError as e:
            bad[i] = str(e).partition(": ")[2] or str(e)
    if bad and not skip:
        i = min(bad)
        raise greed.RecordError(f"graph {rows[i][0]!r}: {bad[i]}")
    for i, g in graphs:
        g.id = rows[i][0]
    return graphs, bad


def _read(text: str, kind: str, skip: bool) -> list[greed.Graph]:
    with tempfile.NamedTemporaryFile("w", suffix=".smi" if kind == "smiles" else ".txt", encoding="utf-8") as f:
        f.write(text)
        f.flush()
        try:
            return greed.read(f.name, format="smiles" if kind == "smiles" else "tve", skip_bad=skip)
        except greed.RecordError:
            if not skip:
                raise
            return []  # none can be read


class _Model:
    """A model on its way to the tasks."""

    def __init__(self, spark: Any, path: str | os.PathLike | None, task: str | None):
        model = greed.Model.bundled(task or "ged") if path is None else greed.Model.load(path)
        if task is not None and model.task != task:
            raise greed.ModelError(f"the model was trained for {model.task}, not for {task}")
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "model"
            model.save(file)
            data = file.read_bytes()
        self._name = hashlib.sha256(data).hexdigest()
        self._data = spark.sparkContext.broadcast(data)
        self._kind = model.task

    def probe(self, graphs: Any) -> None:
        """Embeds one graph here, so that a model that does not fit is refused before the job starts."""
        kind = _kind(graphs)
        some = graphs.select("id", kind).head(1)
        good, _ = _parse([(r[0], r[1]) for r in some], kind, True)
        if good:
            self.get().embed([good[0][1]], workers=1)

    def path(self) -> str:
        """Returns the path of the model's file on this node."""
        file = Path(tempfile.gettempdir()) / f"greed-{os.getuid() if hasattr(os, 'getuid') else 0}-{self._name}.safetensors"
        if not file.exists():
            part = file.with_suffix(f".{os.getpid()}.part")
            part.write_bytes(self._data.value)
            os.replace(part, file)
        return str(file)

    def get(self) -> greed.Model:
        return _loaded(self.path())


@functools.lru_cache(maxsize=4)
def _loaded(path: str) -> greed.Model:
    return greed.Model.load(path)


#: The arguments of functions that are numbers on the command line.
_NUMBERS: dict[str, Callable] = {
    "sample": int, "seed": int, "k": int, "parts": int, "tasks": int, "hops": int, "max_nodes": int, "radius": float,
}  # fmt: skip


def main(arguments: list[str] | None = None) -> int:
    """The command for spark-submit. The flags of a command are the arguments of its function."""
    from pyspark.sql import SparkSession

    parser = argparse.ArgumentParser(prog="greed.spark", description="Runs batches of greed on Spark.")
    parser.add_argument("--counts", action="store_true", help="print what was done")
    commands = parser.add_subparsers(dest="command", required=True)

    for f, about, *inputs in (
        (embed, "vectors of graphs", "graphs"), (truth, "distances of pairs", "graphs"),
        (index, "indexes that are one collection", "graphs"),
        (search, "nearest graphs of many queries", "queries", "collection"),
        (join, "all pairs within a distance", "collection"), (hoods, "vectors of neighbourhoods of one large graph", "graph"),
    ):  # fmt: skip
        p = commands.add_parser(f.__name__, help=about, argument_default=argparse.SUPPRESS)
        for name in inputs:
            p.add_argument(name)
        p.add_argument("out", help="folder of indexes to write" if f is index else "folder of Parquet to write")
        for name, x in inspect.signature(f).parameters.items():
            if name not in ("spark", "counts", "to", "folder", *inputs):
                flag = {"k": "-k", "sample": "--random"}.get(name, "--" + name.replace("_", "-"))
                said = "folder of Parquet for the records that cannot be read, with the reasons" if name == "rejects" else None
                p.add_argument(flag, dest=name, type=_NUMBERS.get(name, str), required=x.default is x.empty, help=said)
        p.set_defaults(function=f, inputs=inputs)
    options = vars(parser.parse_args(arguments))
    command, f, out, show = (options.pop(name) for name in ("command", "function", "out", "counts"))
    given = [options.pop(name) for name in options.pop("inputs")]
    if rejects := options.get("rejects"):
        options["rejects"] = True
    elif f in (embed, index):
        options["to" if f is embed else "folder"] = out

    spark = SparkSession.builder.appName(f"greed {command}").getOrCreate()
    counts = Counts(spark)
    try:
        given = [spark, *given] if f in (join, hoods) else [read(spark, given[0]), *given[1:]]
        frame = f(*given, **options, counts=counts)
        if rejects:
            frame = frame.persist()
            frame.where("reason is not null").select("id", "reason").write.parquet(rejects)
            frame = frame.where("reason is null").drop("reason")
        if "to" not in options and "folder" not in options:
            frame.write.parquet(out)
        counts.show(spark, f"greed {command}")
        if show:
            print(counts)
    except (greed.GreedError, ValueError, OSError) as error:
        print(f"greed.spark: {error}", file=sys.stderr)
        return 1
    finally:
        spark.stop()
    return 0


if __name__ == "__main__":
    from greed.spark import main as command  # tasks find functions by the name of the module

    sys.exit(command())
