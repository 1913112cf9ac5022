import ast
import inspect
import pathlib
import pydoc
import types

import pytest

import greed


def test_help_lists_every_public_name():
    """What can be imported from greed stands in __all__, in help(greed) and, with a text, on the site, whose
    builder reads the source without running it."""
    names = {n for n, x in vars(greed).items() if not n.startswith("_") and not isinstance(x, types.ModuleType)} - {"annotations"}
    assert names | {"aio", "__version__"} == set(greed.__all__) and len(greed.__all__) == len(set(greed.__all__))
    text = pydoc.render_doc(greed, renderer=pydoc.plaintext)
    for name in names:
        x = getattr(greed, name)
        form = f"    {name}(" if inspect.isfunction(x) else f"    class {name}(" if inspect.isclass(x) else f"    {name} = "
        assert form in text, name
        assert inspect.getdoc(x), f"{name} has no text"
        assert not inspect.isclass(x) and not inspect.isfunction(x) or x.__module__ == "greed", name
    source = ast.parse(pathlib.Path(greed.__file__).read_text())
    (listed,) = (s.value for s in source.body if isinstance(s, ast.Assign) and s.targets[0].id == "__all__")
    assert ast.literal_eval(listed) == greed.__all__


def test_public_methods_have_texts():
    for name in greed.__all__:
        x = getattr(greed, name)
        if inspect.isclass(x):
            bare = [n for n, m in vars(x).items() if not n.startswith("_") and callable(m) and not inspect.getdoc(m)]
            assert not bare, f"{name}: {bare}"


def test_site_shows_every_public_name():
    """griffe is what the site's builder reads packages with."""
    griffe = pytest.importorskip("griffe")
    package = griffe.load("greed", search_paths=[pathlib.Path(greed.__file__).parents[1]])
    shown = {n for n, m in package.members.items() if m.is_public}
    assert set(greed.__all__) <= shown


def test_names_in_tracebacks():
    with pytest.raises(greed.GraphError) as e:
        greed.ged("C1", "CC")
    assert type(e.value).__module__ == "greed" and repr(greed.GraphError) == "<class 'greed.GraphError'>"


def test_answers_are_typed():
    """r[0] is an Answer to type checkers, r[:2] a list of them."""
    pytest.importorskip("mypy")
    from mypy import api

    code = "import greed\nr = greed.Collection([]).search('C')\nreveal_type(r[0])\nreveal_type(r[:2])\nreveal_type(r[0].distance)\n"
    out, _, _ = api.run(["--no-incremental", "--cache-dir=/dev/null", "--ignore-missing-imports", "-c", code])
    assert '"greed._collection.Answer"' in out and "list[greed._collection.Answer]" in out and '"float"' in out, out


def test_modules_import_in_one_direction():
    """No module imports another that imports it, not even in a function or for type checkers."""
    folder = pathlib.Path(greed.__file__).parent
    imports: dict[str, set[str]] = {}
    for path in folder.glob("*.py"):
        here = imports.setdefault(path.stem, set())
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.level == 1:
                here |= {node.module} if node.module else {a.name for a in node.names}
    imports = {name: {m for m in there if m in imports and m != "__init__"} for name, there in imports.items()}
    left = set(imports)
    while ready := {name for name in left if not imports[name] & left}:
        left -= ready
    assert not left, f"these import each other: {sorted(left)}"
