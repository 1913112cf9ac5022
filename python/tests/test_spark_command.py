"""The command for spark-submit, without Spark."""

import functools
import sys
import types

import pytest

from greed import spark


class Anything:
    """Stands for Spark, of which everything can be asked."""

    def __getattr__(self, name):
        return Anything()

    def __call__(self, *args, **kwargs):
        return Anything()


@pytest.fixture
def asked(monkeypatch):
    """What the functions are called with."""
    calls = []
    module = types.ModuleType("pyspark.sql")
    module.SparkSession = Anything()
    monkeypatch.setitem(sys.modules, "pyspark", types.ModuleType("pyspark"))
    monkeypatch.setitem(sys.modules, "pyspark.sql", module)
    monkeypatch.setattr(spark, "Counts", lambda _: Anything())
    monkeypatch.setattr(spark, "read", lambda _, path: f"read {path}")
    for name in ("embed", "truth", "search", "join", "hoods"):

        def called(*args, name=name, counts, **options):
            calls.append((name, [a for a in args if isinstance(a, str)], options))
            return Anything()

        monkeypatch.setattr(spark, name, functools.wraps(getattr(spark, name))(called))
    return calls


@pytest.mark.parametrize(
    "words, want",
    [
        ("embed a.smi out", ("embed", ["read a.smi"], {"to": "out"})),
        ("embed a.smi out --rejects bad --task sed", ("embed", ["read a.smi"], {"rejects": True, "task": "sed"})),
        ("--counts truth a.smi out --random 10 --seed 2", ("truth", ["read a.smi"], {"sample": 10, "seed": 2})),
        ("search q.smi b.index out -k 3 --radius 2.5 --mode checked", ("search", ["read q.smi", "b.index"], {"k": 3, "radius": 2.5, "mode": "checked"})),
        ("join a.smi out --radius 2 --other b.smi --tasks 4", ("join", ["a.smi"], {"radius": 2.0, "other": "b.smi", "tasks": 4})),
        ("hoods n.txt out --hops 2 --model m --max-nodes 50", ("hoods", ["n.txt"], {"hops": 2, "model": "m", "max_nodes": 50})),
    ],
)  # fmt: skip
def test_flags_are_the_arguments_of_functions(asked, words, want):
    assert spark.main(words.split()) == 0
    assert asked == [want]


@pytest.mark.parametrize("words", ["join a.smi out", "hoods n.txt out --hops 2", "dance", "truth a.smi out --random many"])
def test_flags_that_are_missing_or_wrong(asked, words):
    with pytest.raises(SystemExit):
        spark.main(words.split())
    assert asked == []
