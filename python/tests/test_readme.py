import doctest
import pathlib

import pytest

import greed


@pytest.mark.parametrize("folder", ["..", "."])
def test_examples_of_the_readme(folder):
    """The README lies beside the tests or, in the repository, above them."""
    file = pathlib.Path(__file__).parent / folder / "README.md"
    if not file.exists():
        pytest.skip("it is the other one")
    pytest.importorskip("networkx")
    failed, tried = doctest.testfile(str(file), module_relative=False)
    assert tried > 0 and failed == 0


def test_examples_of_docstrings():
    for name in ("greed", "greed._distance"):
        module = __import__(name, fromlist=["_"])
        failed, tried = doctest.testmod(module, extraglobs={"greed": greed})
        assert tried > 0 and failed == 0
