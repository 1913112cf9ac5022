#!/usr/bin/env python3
"""Builds the documentation site: README, docs, the Python package and its docstrings, the gallery.

    python3 docs/site.py            into site/
    python3 docs/site.py -o DIR

It installs MkDocs into a virtual environment of its own, which it removes.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = "https://github.com/greedgraph/greed"
NEEDED = ["mkdocs<2", "mkdocs-material", "mkdocstrings[python]"]

#: Pages by the paths that links in the repository use; the order is that of the site.
PAGES = [
    "README.md", "python/README.md", "examples/gallery.md", "examples/rdkit.md", "api.md",
    *sorted(p.relative_to(ROOT).as_posix() for p in (ROOT / "docs").glob("*.md")), "ARCHITECTURE.md", "CONTRIBUTING.md",
    "SECURITY.md", "CHANGELOG.md",
]  # fmt: skip

CONFIG = {
    "site_name": "greed",
    "site_url": "",
    "repo_url": SOURCE,
    "use_directory_urls": False,
    "theme": {"name": "material", "font": False, "features": ["navigation.indexes", "search.suggest", "content.code.copy"]},
    "markdown_extensions": ["tables", "fenced_code", "toc", "pymdownx.highlight", "pymdownx.superfences", "md_in_html"],
}


def text(page: str) -> str:
    """Returns a page as Markdown."""
    if page == "api.md":
        return "# The Python package\n\n::: greed\n    options:\n      show_root_heading: false\n      members_order: source\n" \
               "\n::: greed.aio\n"  # fmt: skip
    path = ROOT / page
    if page.startswith("examples/"):
        cells = json.loads(path.with_suffix(".ipynb").read_text())["cells"]
        parts = ["".join(c["source"]) for c in cells]
        return "\n\n".join(p if c["cell_type"] == "markdown" else f"```python\n{p}\n```" for p, c in zip(parts, cells))

    def whole(link: re.Match) -> str:
        """Links to what is no page lead to the repository."""
        target, _, anchor = link[2].partition("#")
        other = os.path.relpath((path.parent / target).resolve(), ROOT)
        if other in PAGES or not target or other.endswith((".png", ".svg")) or not (ROOT / other).exists():
            return link[0]  # what is none may be a SMILES
        return f"{link[1]}{SOURCE}/blob/main/{other}{'#' + anchor if anchor else ''})"

    return re.sub(r"(\]\()(?![a-z]+:)([^)\s]+)\)", whole, path.read_text())


def build(out: Path) -> None:
    """Builds the site into a folder."""
    with tempfile.TemporaryDirectory() as temp:
        folder = Path(temp)
        venv.create(folder / "venv", with_pip=True)
        python = folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *NEEDED], check=True)
        write(folder)
        subprocess.run([python, "-m", "mkdocs", "build", "--quiet", "--strict", "-f", folder / "mkdocs.json", "-d", out.resolve()],
                       check=True, env=dict(os.environ, NO_MKDOCS_2_WARNING="1"))  # fmt: skip


def write(folder: Path) -> None:
    """Writes what MkDocs reads."""
    for page in PAGES:
        path = folder / "pages" / page
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text(page))
    for picture in [*(ROOT / "docs").glob("*.png"), *(ROOT / "docs").glob("*.svg")]:
        shutil.copy(picture, folder / "pages" / "docs")
    for path in (ROOT / "python" / "greed").glob("*.py"):
        copy = folder / "package" / "greed" / path.name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(marked(path.read_text()))
    options = {"show_source": False, "show_root_full_path": False}
    plugins = ["search", {"mkdocstrings": {"handlers": {"python": {"paths": [str(folder / "package")], "options": options}}}}]
    nav = [{title(folder / "pages" / page): page} for page in PAGES]
    config = {**CONFIG, "docs_dir": str(folder / "pages"), "plugins": plugins, "nav": nav}
    (folder / "mkdocs.json").write_text(json.dumps(config, indent=1))  # which is YAML, too


def marked(source: str) -> str:
    """Returns a module whose docstrings are Markdown: names without roles, examples as code."""
    source = re.sub(r":(?:class|func|meth):`", "`", source)
    return re.sub(r"(?m)^( *)>>> (?:.*\n)+?(?=\n| *\"\"\")", lambda m: f"{m[1]}```pycon\n{m[0]}{m[1]}```\n", source)


def title(page: Path) -> str:
    """Returns the first heading of a page."""
    return next(line[2:].strip() for line in page.read_text().splitlines() if line.startswith("# "))


def main() -> None:
    parser = argparse.ArgumentParser(description="Builds the documentation site.")
    parser.add_argument("-o", "--out", type=Path, default=ROOT / "site", help="folder to write to (default site)")
    build(parser.parse_args().out)


if __name__ == "__main__":
    main()
