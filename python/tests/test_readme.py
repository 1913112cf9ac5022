import doctest
import pathlib
import re

import pytest

import greed


class Checker(doctest.OutputChecker):
    """How many more answers a search has seen when it ends depends on its threads."""

    def check_output(self, want, got, flags):
        want, got = (re.sub(r"there may be more|at least \d+ more|\d+ more", "more", x) for x in (want, got))
        return super().check_output(want, got, flags)


@pytest.mark.parametrize("folder", ["..", "."])
def test_examples_of_the_readme(folder):
    """The README lies beside the tests or, in the repository, above them."""
    file = pathlib.Path(__file__).parent / folder / "README.md"
    if not file.exists():
        pytest.skip("it is the other one")
    pytest.importorskip("networkx")
    test = doctest.DocTestParser().get_doctest(file.read_text(), {}, "README.md", str(file), 0)
    failed, tried = doctest.DocTestRunner(Checker()).run(test)
    assert tried > 0 and failed == 0


def test_example_of_the_project():
    """The README of the whole project lies above the package, or beside the tests under another name."""
    here = pathlib.Path(__file__).resolve()
    files = [f for f in (here.parents[1] / "PROJECT.md", *(up / "README.md" for up in here.parents[2:3])) if f.exists()]
    if not files:
        pytest.skip("it is not here")
    pytest.importorskip("networkx")
    example = re.search(r"```python\n(.*?)```", files[0].read_text(), re.S)
    scope = {}
    exec(example.group(1), scope)
    assert scope["d"].distance == 1


def test_examples_of_docstrings():
    failed, tried = doctest.testmod(greed, extraglobs={"greed": greed})
    assert tried >= 10 and failed == 0
