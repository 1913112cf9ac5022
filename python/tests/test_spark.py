"""Batches on a Spark cluster of three processes. They take a minute or two, so they run only if
GREED_SPARK is set: GREED_SPARK=1 python -m pytest tests/test_spark.py"""

import csv
import gzip
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import numpy as np
import pytest

import greed

if not os.environ.get("GREED_SPARK"):
    pytest.skip("set GREED_SPARK=1 to test batches on Spark", allow_module_level=True)
pyspark = pytest.importorskip("pyspark")
pytest.importorskip("pandas")
pq = pytest.importorskip("pyarrow.parquet")

import greed.spark as gs  # noqa: E402
from greed import _binary  # noqa: E402

CLUSTER = Path(__file__).parent.parent / "examples" / "spark" / "cluster.sh"
if not CLUSTER.exists():
    CLUSTER = Path(__file__).parents[2] / "examples" / "spark" / "cluster.sh"


def start(folder):
    env = dict(os.environ, PYTHON=sys.executable, PORT=str(random.randrange(20000, 30000)))
    out = subprocess.run([CLUSTER, "start", folder], env=env, check=True, capture_output=True, text=True)
    return out.stdout.strip()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("spark")


@pytest.fixture(scope="module")
def spark(folder):
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    master = start(folder / "cluster")
    paths = os.pathsep.join([str(Path(greed.__file__).parent.parent), os.environ.get("PYTHONPATH", "")])
    builder = SparkSession.builder.master(master).config("spark.ui.port", "0")
    builder = builder.config("spark.executorEnv.PYTHONPATH", paths).config("spark.driver.host", "127.0.0.1")
    builder = builder.config("spark.executor.memory", "768m").config("spark.driver.bindAddress", "127.0.0.1")
    if "GREED_BINARY" in os.environ:
        builder = builder.config("spark.executorEnv.GREED_BINARY", os.environ["GREED_BINARY"])
    session = builder.getOrCreate()
    yield session
    session.stop()
    subprocess.run([CLUSTER, "stop", folder / "cluster"], check=True)


@pytest.fixture(scope="module")
def molecules(folder):
    """A file of 600 small molecules, their ids and SMILES."""
    c = greed.Collection.bundled()
    rows = [(g.id, g.smiles) for g in c if len(g.smiles) < 22][:600]
    path = folder / "m.smi"
    path.write_text("".join(f"{s} {i}\n" for i, s in rows))
    return path, rows


def test_embed(spark, molecules, folder):
    path, rows = molecules
    zipped = folder / "z.smi.gz"
    zipped.write_bytes(gzip.compress(path.read_bytes()))
    counts = gs.Counts(spark)
    want = greed.Model.bundled("sed").embed([s for _, s in rows])
    for file in (path, zipped):
        frame = gs.embed(gs.read(spark, str(file)).repartition(5), task="sed", counts=counts)
        got = {r.id: r.vector for r in frame.collect()}
        assert len(got) == len(rows)
        for (i, _), v in zip(rows, want):
            assert np.array_equal(np.array(got[i], np.float32), v)
    assert counts.graphs.value == 2 * len(rows)


def test_embed_to_a_folder(spark, molecules, folder):
    """Tasks write the files. One that fails late and is repeated leaves its rows once."""
    path, rows = molecules

    def fails_once(batches):
        from pyspark import TaskContext

        yield from batches
        if TaskContext.get().attemptNumber() == 0:
            raise OSError("once")

    frame = gs.read(spark, str(path)).repartition(3).mapInArrow(fails_once, "id string, smiles string")
    counts = gs.Counts(spark)
    written = gs.embed(frame, to=f"file:{folder}/own", counts=counts)
    one = gs.embed(gs.read(spark, str(path)))
    assert written.schema == one.schema
    assert sorted(written.collect()) == sorted(one.collect()) and written.count() == len(rows)
    assert counts.graphs.value == len(rows)  # those of tasks that ended well
    assert sorted(p.name for p in (folder / "own").iterdir()) == ["_SUCCESS"] + [f"part-{i:05}.parquet" for i in range(3)]
    with pytest.raises(FileExistsError):
        gs.embed(frame, to=str(folder / "own"))
    bad = spark.createDataFrame([("a", "CCO"), ("b", "C1CC")], "id string, smiles string")
    assert sorted(r.id for r in gs.embed(bad, rejects=True, to=str(folder / "some")).where("vector is null").collect()) == ["b"]
    with pytest.raises(Exception, match="graph 'b'"):
        gs.embed(bad, to=str(folder / "none"))
    assert not (folder / "none").exists()
    assert gs.embed(bad.limit(0), to=str(folder / "empty")).collect() == []


def test_commands_of_the_docs(molecules, folder):
    """The lines for spark-submit in docs/scale.md, as they stand there but for the port and the folder
    of the cluster."""
    docs = Path(__file__).parents[2] / "docs" / "scale.md"
    if not docs.exists():
        pytest.skip("the documents are not here")
    blocks = [b for b in re.findall(r"```sh\n(.*?)```", docs.read_text(), re.S) if "spark-submit" in b]
    assert len(blocks) == 2
    path, rows = molecules
    place = folder / "docs"
    (place / "examples").mkdir(parents=True)
    (place / "examples" / "spark").symlink_to(CLUSTER.parent)
    (place / "molecules.smi").write_bytes(path.read_bytes() + b"C1CC broken\n")
    bin = [str(Path(sys.executable).parent), str(Path(pyspark.__path__[0]) / "bin"), os.environ["PATH"]]
    paths = [str(Path(greed.__file__).parent.parent), os.environ.get("PYTHONPATH", "")]
    port = str(random.randrange(20000, 30000))
    env = dict(os.environ, PATH=os.pathsep.join(bin), PYTHONPATH=os.pathsep.join(paths), PORT=port, PYTHON=sys.executable,
               PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")  # fmt: skip
    for block in blocks:
        block = block.replace("7077", port).replace("/tmp/cluster", str(folder / "own"))
        done = subprocess.run(["bash", "-euc", block], cwd=place, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-3000:]
        if "--counts" in block:
            assert f"{len(rows)} graphs" in done.stdout and "1 records rejected" in done.stdout
        else:  # all graphs must be readable for distances
            assert pq.read_table(place / "pairs.parquet").num_rows == 100000
        (place / "molecules.smi").write_bytes(path.read_bytes())
    assert pq.read_table(place / "vectors.parquet").num_rows == len(rows)
    assert pq.read_table(place / "bad.parquet").column("id").to_pylist() == ["broken"]


def test_python_of_the_docs(spark, molecules, folder):
    """The Python of docs/scale.md that uses Spark, as it stands there but for the folder and the number of pairs."""
    docs = Path(__file__).parents[2] / "docs" / "scale.md"
    if not docs.exists():
        pytest.skip("the documents are not here")
    blocks = [b for b in re.findall(r"```python\n(.*?)```", docs.read_text(), re.S) if "greed.spark" in b]
    assert len(blocks) == 1
    path, rows = molecules
    place = folder / "data"
    place.mkdir()
    few = [(i, s) for i, s in rows if len(s) < 12]
    text = "".join(f"{s} {i}\n" for i, s in few)
    (place / "molecules.smi.gz").write_bytes(gzip.compress(text.encode()))
    (place / "molecules.smi").write_text(text)
    (place / "queries.smi").write_text("".join(f"{s} {i}\n" for i, s in few[:3]))
    (place / "network.txt").write_text("t # 0\nv 0 C\nv 1 C\nv 2 O\ne 0 1 1\ne 1 2 1\n")
    greed.Model.bundled("sed").save(place / "sed.safetensors")
    block = re.sub(r'"(/data/)?([\w.]*)"', lambda m: f'"{place / m[2]}"', blocks[0])
    exec(block.replace("1_000_000", "1000").replace("parts=100", "parts=3"), {})
    for name, n in (("vectors", len(few)), ("pairs", 1000), ("hoods", 3)):
        assert pq.read_table(place / f"{name}.parquet").num_rows == n, name
    assert len(greed.Collection.open(place / "molecules")) == len(few)


def test_tve(spark, folder):
    path = folder / "g.txt"
    path.write_text("t # a\nv 0 C\nv 1 t#\ne 0 1 1\n\nt # b c\nv 0 C\n")
    frame = gs.read(spark, str(path))
    assert sorted(r.id for r in frame.collect()) == ["a", "b c"]
    d = {(r.query, r.target): (r.lower, r.upper) for r in gs.truth(frame).collect()}
    assert d == {("a", "a"): (0, 0), ("a", "b c"): (2, 2), ("b c", "a"): (2, 2), ("b c", "b c"): (0, 0)}


def test_truth(spark, molecules):
    path, rows = molecules
    some = gs.read(spark, str(path)).where("length(smiles) < 15")
    smiles = {i: s for i, s in rows}
    counts = gs.Counts(spark)
    # Sorting by Spark would run the tasks twice, and count twice.
    got = sorted(gs.truth(some, sample=5000, seed=3, counts=counts).collect(), key=lambda r: r.pair)
    assert [r.pair for r in got] == list(range(5000)) and len({r.query for r in got}) > 50
    want = greed.pairs([smiles[r.query] for r in got], [smiles[r.target] for r in got])
    assert [r.lower for r in got] == list(want.lower) and [r.upper for r in got] == list(want.upper)
    assert counts.pairs.value == counts.proven.value == 5000
    again = sorted(gs.truth(some.repartition(7), sample=5000, seed=3).collect(), key=lambda r: r.pair)
    assert again == got


def test_pages(spark):
    """What was done is on Spark's pages of jobs and of queries."""
    context = spark.sparkContext
    counts = gs.Counts(spark)
    frame = spark.createDataFrame([("a", "CCO"), ("b", "C1CC1"), ("c", "N")], "id string, smiles string")
    context.setJobDescription("mine")
    gs.truth(frame, counts=counts).collect()
    counts.show(spark, "greed truth")
    assert context.getLocalProperty("spark.job.description") == "mine"
    context.setJobDescription(None)
    context._jsc.sc().listenerBus().waitUntilEmpty()
    url = f"{context.uiWebUrl}/api/v1/applications/{context.applicationId}"
    for page in ("jobs", "sql?length=1000"):
        shown = [x.get("description", "") for x in json.load(urllib.request.urlopen(f"{url}/{page}"))]
        assert [x for x in shown if x.startswith("greed truth: 0 graphs, 9 pairs, 9 of them proven, ")], shown


def test_join(spark, molecules, folder):
    path, _ = molecules
    out = folder / "one.csv"
    subprocess.run([_binary.path(), "join", path, "--radius", "1", "-o", out], check=True, capture_output=True)
    want = [tuple(r) for r in csv.reader(out.open())][1:]
    for tasks in (3, 8):
        got = gs.join(spark, path, 1, tasks=tasks).collect()
        rows = sorted(got, key=lambda r: (r.at, want.index((r.query, r.target, f"{r.lower:g}", f"{r.upper:g}"))))
        assert [(r.query, r.target, f"{r.lower:g}", f"{r.upper:g}") for r in rows] == want


def test_search(spark, molecules):
    path, rows = molecules
    queries = gs.read(spark, str(path)).where("length(id) < 3")
    got = gs.search(queries, path, 3).orderBy("query", "rank").collect()
    c = greed.Collection.open(path)
    smiles = dict(rows)
    want = []
    for q in sorted({r.query for r in got}):
        found = c.search(smiles[q], 3, time_limit=float("inf"), workers=1)
        want += [(q, i + 1, a.lower, a.upper, "proven") for i, a in enumerate(found)]
    assert [(r.query, r.rank, r.lower, r.upper, r.status) for r in got] == want and want


def executors(folder):
    """The processes of executors: children of the workers."""
    workers = {int(p.read_text()) for p in (folder / "cluster").glob("worker*.pid")}
    stats = []
    for p in Path("/proc").glob("[0-9]*/stat"):
        try:
            stats.append((int(p.parent.name), int(p.read_text().rpartition(")")[2].split()[1])))
        except OSError:  # it has ended
            continue
    return {pid for pid, parent in stats if parent in workers}


def test_index(spark, molecules, folder):
    """Indexes that tasks built, one of whose executors was killed, are one collection that gives the rows of one index."""
    path, rows = molecules
    frame, where = gs.read(spark, str(path)), folder / "parts"
    made = []
    thread = pyspark.InheritableThread(target=lambda: made.extend(gs.index(frame, where, parts=12)))
    thread.start()
    while not list(where.glob("part-*.index")):
        assert thread.is_alive()
        time.sleep(0.02)
    os.kill(min(executors(folder)), 9)
    assert len(list(where.glob("part-*.index"))) < 12, "not in the middle"
    thread.join()
    assert [Path(p).name for p in made] == [f"part-{i:05}.index" for i in range(1, 13)]
    assert not list(where.glob(".*")), "something of the task that died is left"
    parts = greed.Collection.open(where)
    assert sorted(g.id for g in parts) == sorted(id for id, _ in rows)
    one = folder / "one.smi"
    one.write_text("".join(f"{g.smiles} {g.id}\n" for g in parts))
    queries = frame.where("length(id) < 3")
    want, got = (sorted(map(tuple, gs.search(queries, at, 3).collect())) for at in (one, where))
    assert [r[:5] for r in got] == [r[:5] for r in want] and got
    ids = [[g.id for g in greed.Collection.open(p)] for p in made]
    assert gs.index(frame, where, parts=12) == made  # again: the same graphs in the same parts
    assert [[g.id for g in greed.Collection.open(p)] for p in made] == ids
    with pytest.raises(ValueError, match="name a new folder"):
        gs.index(frame, where, parts=11)
    with pytest.raises(Exception, match="was given before"):
        gs.index(frame.union(frame), folder / "twice", parts=2)
    with pytest.raises(FileNotFoundError, match="nothing-"):
        gs.search(queries, folder / "nothing-*.index", 3)


def plain(folder, *arguments):
    """The rows of the plain command, sorted."""
    out = folder / "plain.csv"
    subprocess.run([_binary.path(), "search", *arguments, "-o", out], check=True, capture_output=True)

    def number(text):
        return float(text) if text else None

    with out.open() as f:
        rows = list(csv.DictReader(f))
    return sorted((r.get("query"), int(r["rank"]), r["id"], *(number(r[x]) for x in ("lower", "upper", "predicted")), r["status"]) for r in rows)


def flags_of(options):
    return [f"-k{value}" if x == "k" else f"--{x}={value}" for x, value in options.items()]


def rows_of(frame):
    names = ("query", "rank", "id", "lower", "upper", "predicted", "status")
    return sorted(tuple(r[name] for name in names) for r in frame.collect())


@pytest.fixture(scope="module")
def parts(molecules, folder):
    """Folders of 1, 2 and 7 indexes of the same molecules."""
    path, _ = molecules
    for n in (1, 2, 7):
        where = folder / f"of{n}"
        where.mkdir()
        for i in range(n):
            share = [f"--part={i + 1}/{n}"] if n > 1 else []
            subprocess.run([_binary.path(), "index", "build", path, "-o", where / f"part-{i + 1}.index", *share], check=True, capture_output=True)
    return {n: folder / f"of{n}" for n in (1, 2, 7)}


def test_search_by_index(spark, molecules, parts, folder):
    """Rows of 1, 2 and 7 indexes are those of the plain command, ties and all."""
    path, rows = molecules
    few = folder / "few.smi"
    few.write_text("".join(f"{s} {i}\n" for i, s in rows[::60]))
    queries = gs.read(spark, str(few))
    patterns = {"acid": "C(=O)[OH]", "halogen": "[#6][Cl,Br]", "none": "[U]"}
    smarts = spark.createDataFrame(list(patterns.items()), "id string, smarts string")
    for n, where in parts.items():
        for options in (
            {"k": 5}, {"radius": 2.0}, {"k": 3, "radius": 4.0}, {"k": 4, "task": "sed"}, {"radius": 1.0, "task": "sed"},
            {"k": 6, "mode": "predicted"}, {"radius": 3.0, "mode": "predicted"}, {"k": 3, "mode": "checked"},
        ):  # fmt: skip
            flags = flags_of(options)
            if options.get("mode") != "predicted":
                flags.append("--time-limit=none")
            want = plain(folder, few, where, *flags)
            tasks = 7 if options == {"k": 5} else None
            assert rows_of(gs.search(queries, where, tasks=tasks, **options)) == want and want, (n, options)
        if n != 2:
            for k in (None, 4):
                want = [(name, *r[1:]) for name, p in patterns.items() for r in plain(folder, f"--smarts={p}", where, *flags_of({"k": k} if k else {}))]
                assert rows_of(gs.search(smarts, where, k)) == sorted(want) and want
    with pytest.raises(Exception, match="was given before"):
        gs.search(queries.union(queries), parts[7], 3).collect()
    with pytest.raises(ValueError, match="leave out radius"):
        gs.search(smarts, parts[7], radius=2)
    with pytest.raises(FileNotFoundError):
        gs.search(queries, folder / "of7" / "nothing-*.index", 3)


def test_places(spark):
    """A partition has a number that Spark sends there."""
    from pyspark.sql import functions as F

    from greed import _spread

    for n in (1, 8, 101):
        frame = spark.createDataFrame([(i,) for i in _spread._places(n)], "place int")
        assert [r.to for r in frame.select("place", F.pmod(F.hash("place"), F.lit(n)).alias("to")).collect()] == list(range(n))


def test_search_when_an_executor_is_killed(spark, molecules, parts, folder):
    path, rows = molecules
    context, tracker = spark.sparkContext, spark.sparkContext.statusTracker()
    want = plain(folder, path, parts[7], "-k5", "--time-limit=none")
    got = []

    def job():
        context.setJobGroup("searches", "searches")
        got.extend(rows_of(gs.search(gs.read(spark, str(path)), parts[7], 5)))

    def progress():
        """The tasks that ended, and all, of the last stage that searches."""
        stages = [tracker.getStageInfo(s) for j in tracker.getJobIdsForGroup("searches") for s in tracker.getJobInfo(j).stageIds]
        return max(((s.stageId, s.numCompletedTasks, s.numTasks) for s in stages if s and s.numTasks >= 8), default=(0, 0, 0))[1:]

    thread = pyspark.InheritableThread(target=job)
    thread.start()
    while progress()[0] == 0:
        assert thread.is_alive(), got
        time.sleep(0.02)
    os.kill(min(executors(folder)), 9)
    done, all = progress()
    assert 0 < done < all, "not in the middle"
    thread.join()
    assert got == want and len(got) == 5 * len(rows)


def test_search_without_an_index(spark, molecules, parts, folder):
    """What an index that is damaged lacks is not proven: rows are open."""
    path, rows = molecules
    where = folder / "damaged"
    shutil.copytree(parts[7], where)
    queries = gs.read(spark, str(path)).where("length(id) < 2")
    for f in (where / "part-3.index").iterdir():
        f.write_bytes(f.read_bytes()[: f.stat().st_size // 2])
    for options in ({"k": 3}, {"radius": 2.0}):
        with pytest.warns(UserWarning, match="part-3.index is not searched"):
            got = rows_of(gs.search(queries, where, **options))
        flags = flags_of(options)
        few = folder / "q.smi"
        few.write_text("".join(f"{s} {i}\n" for i, s in rows if len(i) < 2))
        assert got == plain(folder, few, where, *flags, "--time-limit=none") and {r[-1] for r in got} == {"open"}


def test_hoods(spark, folder):
    graph, model = folder / "large.smi", folder / "ged.safetensors"
    graph.write_text("CC(=O)Oc1ccccc1C(=O)OCCCCCCCCCCCC x\n")
    m = greed.Model.bundled("ged")
    m.save(model)
    got = gs.hoods(spark, graph, 1, model, tasks=2).orderBy("at").collect()
    assert [r.id for r in got] == [str(i) for i in range(25)]
    end = m.embed(["CC"])[0]  # the last atom and its neighbour
    assert np.allclose(got[24].vector, end)


def test_bad_records(spark, folder):
    frame = spark.createDataFrame([("a", "CCO"), ("b", "C1CC"), ("c", None), (None, "C"), ("d", "CCN x"), ("e", "N")], "id string, smiles string")
    rows = {r.id: r for r in gs.embed(frame, rejects=True).collect()}
    assert {i for i, r in rows.items() if r.reason is None} == {"a", "e"}
    assert "ring" in rows["b"].reason and rows["b"].vector is None
    with pytest.raises(Exception, match="graph 'b'"):
        gs.embed(frame.coalesce(1)).collect()  # in one task: which of several fails first is not fixed
    (folder / "unnamed.smi").write_text("CCO\nCCN b\n")
    lines = gs.embed(gs.read(spark, str(folder / "unnamed.smi")), rejects=True).collect()
    assert {r.id: r.reason for r in lines} == {None: "there is no id", "b": None}


def test_a_model_that_does_not_fit(spark, folder):
    frame = spark.createDataFrame([("a", "CCO")], "id string, smiles string")
    path = folder / "ged2.safetensors"
    greed.Model.bundled("ged").save(path)
    with pytest.raises(greed.ModelError, match="trained for ged"):
        gs.embed(frame, path, task="sed")
    (folder / "no").write_text("no model")
    with pytest.raises(greed.GreedError):
        gs.embed(frame, folder / "no")
    with pytest.raises(ValueError, match="want id"):
        gs.embed(frame.drop("id"))


def children(binary):
    """The processes of the program that are not of this test."""
    found = []
    for p in Path("/proc").iterdir():
        try:
            if p.name.isdigit() and os.path.realpath(p / "exe") == os.path.realpath(binary):
                status = (p / "environ").read_bytes()
                if b"SPARK_ENV_LOADED" in status or b"SPARK_EXECUTOR_DIRS" in status:
                    found.append(int(p.name))
        except OSError:
            pass
    return found


def spent(pid):
    """The processor seconds of a process that runs, or None."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return None
    return None if fields[0] == "Z" else (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_cancelling_leaves_no_child(spark):
    context = spark.sparkContext
    hard = ("C1CC(C)CC(O)C1CC" * 4, "C1CC(N)CCC1CO" * 5)
    rows = [("a", hard[0]), ("b", hard[1])]
    frame = gs.truth(spark.createDataFrame(rows, "id string, smiles string").coalesce(1), sample=8)
    before = {p: spent(p) for p in children(_binary.path())}  # of workers that Spark keeps
    ended = []

    def job():
        context.setJobGroup("slow", "slow", interruptOnCancel=True)
        try:
            frame.collect()
        except Exception as error:
            ended.append(error)

    thread = pyspark.InheritableThread(target=job)
    thread.start()
    # A child that computes for long: reading the graphs takes less.
    working = []
    while not working:
        assert thread.is_alive(), f"the job ended before it was cancelled: {ended}"
        time.sleep(0.1)
        working = [p for p in children(_binary.path()) if (spent(p) or 0) > (before.get(p) or 0) + 2]
    at = {p: spent(p) for p in working}
    context.cancelJobGroup("slow")
    thread.join()
    assert ended and "cancel" in str(ended[0]).lower()
    while working := [p for p in working if spent(p) is not None]:
        assert all((spent(p) or 0) < (at[p] or 0) + 60 for p in working), "a child computes on"
        time.sleep(0.1)


def test_a_worker_killed(spark, molecules, folder):
    """The last test: one worker is gone after it."""
    path, _ = molecules
    frame = gs.read(spark, str(path)).where("length(smiles) < 18")
    want = sorted(map(tuple, gs.truth(frame, sample=60000, seed=9).collect()))
    context = spark.sparkContext
    result = []

    def job():
        context.setJobGroup("killed", "killed")
        result.extend(gs.truth(frame, sample=60000, seed=9).collect())

    thread = pyspark.InheritableThread(target=job)
    thread.start()
    tracker = context.statusTracker()

    def progress():
        """The tasks that ended, and all, of the stage that computes distances."""
        stages = [tracker.getStageInfo(s) for j in tracker.getJobIdsForGroup("killed") for s in tracker.getJobInfo(j).stageIds]
        return max(((s.numCompletedTasks, s.numTasks) for s in stages if s and s.numTasks > 8), default=(0, 0))

    while progress()[0] == 0:
        assert thread.is_alive()
        time.sleep(0.05)
    worker = int((folder / "cluster" / "worker1.pid").read_text())
    os.kill(worker, 9)
    done, all = progress()
    assert 0 < done < all, "not in the middle"
    thread.join()
    assert sorted(map(tuple, result)) == want
