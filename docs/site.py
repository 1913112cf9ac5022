#!/usr/bin/env python3
"""Builds the documentation site: README, docs, the Python package and its docstrings, the help of every command,
and the notebooks with what their cells show.

    python3 docs/site.py            into site/
    python3 docs/site.py -o DIR

It needs Go, which builds the program and the package, and pip: what it installs goes into a virtual environment of
its own, which it removes. It fails if a link, an anchor or a picture of the site leads nowhere, if a page is empty, if
a page would ask another host for something, or if the search does not find every flag and every field. Where packages
cannot be installed it exits with 3.
"""

from __future__ import annotations

import argparse
import base64
import html
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = "https://github.com/greedgraph/greed"
NEEDED = ["mkdocs<2", "mkdocs-material", "mkdocstrings[python]"]
SHOWN = ["nbclient", "ipykernel", "matplotlib", "pandas", "rdkit", "scikit-learn"]  # what notebooks need

#: Pages by the paths that links in the repository use, in groups.
PAGES = {
    "Start": ["index.md", "overview.md", "examples/gallery.md"],
    "Search": ["docs/search.md", "docs/page.md", "docs/inputs.md", "docs/costs.md", "docs/certificates.md", "docs/scale.md"],
    "Molecules": ["docs/molecules.md", "docs/spaces.md", "examples/rdkit.md"],
    "Programs": ["docs/programs.md"],
    "Run a service": ["docs/service.md", "docs/operations.md", "docs/resilience.md", "SECURITY.md"],
    "Python": ["python/README.md", "api.md"],
    "Reference": ["commands.md", "docs/reference.md", "docs/formats.md", "CHANGELOG.md"],
    "How it works": ["ARCHITECTURE.md", "docs/design.md", "docs/solver.md", "docs/divergence.md", "CONTRIBUTING.md"],
    "Measurements": ["docs/benchmarks.md", "docs/baselines.md", "docs/datasets.md", "docs/tried.md", "docs/tried-learning.md",
                     "docs/tried-service.md"],
}  # fmt: skip
FLAT = [page for group in PAGES.values() for page in group]

CONFIG = {
    "site_name": "greed",
    "site_url": "",
    "use_directory_urls": False,
    "theme": {
        "name": "material", "font": False, "favicon": "icon.svg",
        "features": ["navigation.tabs", "navigation.sections", "navigation.top", "navigation.footer", "toc.follow", "search.suggest",
                     "search.highlight", "content.code.copy"],
        "palette": [
            {"media": "(prefers-color-scheme)", "primary": "custom", "accent": "teal", "toggle": {"icon": "material/brightness-auto", "name": "Light"}},
            {"media": "(prefers-color-scheme: light)", "scheme": "default", "primary": "custom", "accent": "teal",
             "toggle": {"icon": "material/brightness-7", "name": "Dark"}},
            {"media": "(prefers-color-scheme: dark)", "scheme": "slate", "primary": "custom", "accent": "teal",
             "toggle": {"icon": "material/brightness-4", "name": "As the system"}},
        ],
    },
    "extra": {"generator": False},
    "extra_css": ["site.css"],
    "markdown_extensions": ["tables", "fenced_code", "toc", "pymdownx.highlight", "pymdownx.superfences", "md_in_html", "attr_list"],
}  # fmt: skip

STYLE = """
:root { --md-primary-fg-color: #0f6b63; --md-primary-bg-color: #fff; --md-typeset-a-color: #0f6b63; }
[data-md-color-scheme="slate"] { --md-primary-fg-color: #17342f; --md-typeset-a-color: #5cc4b4; --md-accent-fg-color: #5cc4b4; }
.md-typeset table:not([class]) { font-size: .65rem; }
.shown { overflow-x: auto; border-left: .15rem solid var(--md-typeset-a-color); padding: .1rem .8rem; margin: .6rem 0 1.4rem; font-size: .7rem; }
.shown table { border-collapse: collapse; }
.shown :is(td, th) { padding: .15rem .6rem; text-align: left; vertical-align: middle; border-bottom: 1px solid var(--md-default-fg-color--lightest); }
/* Drawings have black bonds: they lie on paper, in the dark too. */
.shown svg, .shown img { background: #fff; border-radius: .3rem; max-width: 100%; height: auto; }
.shown td svg { width: 9rem; max-width: none; }
"""

#: The start page; its cell is run as those of the notebooks are.
START = """# Graphs like this one, and what differs

greed finds the graphs most like a given graph, and those that contain it, by **graph edit distance**: the least number
of nodes and edges to insert, delete or relabel. Molecules, call graphs, process models; a model learns the distance,
an exact solver proves the answers.

[Install and first steps](overview.md) ·
[The gallery](examples/gallery.md) · [The source]({source})

## The first answer

    go run ./cmd/greed search "CC(=O)Oc1ccccc1C(=O)O"

or, in a notebook, with what differs marked:
"""
FIRST = 'import greed\n\ngreed.Collection.bundled().search("CC(=O)Oc1ccccc1C(=O)O", 4)'
NEXT = """
## Where to go

| if you | read |
|---|---|
| look for molecules | [Working with molecules](docs/molecules.md), [synthon spaces](docs/spaces.md) |
| compare versions of a program or a process | [Programs](docs/programs.md) |
| have graphs in files | [Inputs](docs/inputs.md), [edit costs](docs/costs.md) |
| write Python | [The package](python/README.md), [its functions](api.md) |
| run a service | [The service](docs/service.md), [operations](docs/operations.md) |
| look for a flag or a field | [Commands](commands.md), [operations](docs/reference.md) |
"""


class Kitchen:
    """What pages are made with: a virtual environment, the program, and a notebook's kernel."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        venv.create(folder / "venv", with_pip=True)
        self.bin = folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
        self.pip(*NEEDED, *SHOWN)
        run(sys.executable, ROOT / "python" / "wheels.py", "host", "--out", folder / "dist", cwd=ROOT, quiet=True)
        self.pip("--no-index", *(folder / "dist").glob("*.whl"))
        self.program = folder / "greed"
        run("go", "build", "-o", self.program, "./cmd/greed", cwd=ROOT)

    def pip(self, *what: object) -> None:
        try:
            run(self.bin / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what)
        except subprocess.CalledProcessError:
            sys.exit(3)  # pip said why

    def cells(self, sources: list[str], where: Path) -> list[list[dict]]:
        """Returns the outputs of cells that are run one after the other."""
        ask, answer = self.folder / "ask.json", self.folder / "answer.json"
        ask.write_text(json.dumps(sources))
        code = (
            "import json, sys, nbformat, nbclient\n"
            "v = nbformat.v4\n"
            "book = v.new_notebook(cells=[v.new_code_cell(s) for s in json.load(open(sys.argv[1]))])\n"
            "nbclient.NotebookClient(book, timeout=600, kernel_name='python3').execute(cwd=sys.argv[3])\n"
            "json.dump([c.outputs for c in book.cells], open(sys.argv[2], 'w'))\n"
        )
        own = {**os.environ, "PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}", "JUPYTER_PATH": str(self.folder / "venv" / "share" / "jupyter"),
               "IPYTHONDIR": str(self.folder / "ipython"), "MPLCONFIGDIR": str(self.folder / "matplotlib")}  # fmt: skip
        run(self.bin / "python", "-c", code, ask, answer, where, env=own)
        return json.loads(answer.read_text())


def run(*args: object, quiet: bool = False, **how: object) -> None:
    subprocess.run([str(a) for a in args], check=True, stdout=subprocess.DEVNULL if quiet else None, **how)


def build(out: Path) -> None:
    """Builds the site into a folder, and looks at all of it."""
    with tempfile.TemporaryDirectory() as temp:
        folder = Path(temp)
        kitchen = Kitchen(folder)
        write(folder, kitchen)
        run(kitchen.bin / "python", "-m", "mkdocs", "build", "--quiet", "--strict", "-f", folder / "mkdocs.json", "-d", out.resolve(),
            env=dict(os.environ, NO_MKDOCS_2_WARNING="1"))  # fmt: skip
    if faults := check(out):
        sys.exit("\n".join(faults))


def write(folder: Path, kitchen: Kitchen) -> None:
    """Writes what MkDocs reads."""
    unknown = {p.relative_to(ROOT).as_posix() for p in (ROOT / "docs").glob("*.md")} - set(FLAT)
    if unknown:
        sys.exit(f"docs/site.py: PAGES has no place for {', '.join(sorted(unknown))}")
    pages = folder / "pages"
    for page in FLAT:
        path = pages / page
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text(page, kitchen, path))
    for picture in [*(ROOT / "docs").glob("*.png"), *(ROOT / "docs").glob("*.svg")]:
        shutil.copy(picture, pages / "docs")
    shutil.copy(ROOT / "server" / "page" / "src" / "icon.svg", pages)
    (pages / "site.css").write_text(STYLE)
    for path in (ROOT / "python" / "greed").glob("*.py"):
        copy = folder / "package" / "greed" / path.name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(marked(path.read_text()))
    options = {"show_source": False, "show_root_full_path": False}
    plugins = ["search", {"mkdocstrings": {"handlers": {"python": {"paths": [str(folder / "package")], "options": options}}}}]
    nav = [{group: [{title(pages / page): page} for page in list_]} for group, list_ in PAGES.items()]
    config = {**CONFIG, "docs_dir": str(pages), "plugins": plugins, "nav": nav}
    (folder / "mkdocs.json").write_text(json.dumps(config, indent=1))  # which is YAML, too


def text(page: str, kitchen: Kitchen, to: Path) -> str:
    """Returns a page as Markdown; its pictures are written beside it."""
    if page == "api.md":
        return "# The Python package\n\n::: greed\n    options:\n      show_root_heading: false\n      members_order: source\n" \
               "\n::: greed.aio\n"  # fmt: skip
    if page == "commands.md":
        return commands(kitchen)
    if page == "index.md":
        (outputs,) = kitchen.cells([FIRST], ROOT / "examples")
        return "\n".join([START.format(source=SOURCE), cell(FIRST, outputs, to), NEXT])
    path = ROOT / ("README.md" if page == "overview.md" else page)
    if page.startswith("examples/"):
        cells = json.loads(path.with_suffix(".ipynb").read_text())["cells"]
        sources = ["".join(c["source"]) for c in cells]
        made = iter(kitchen.cells([s for c, s in zip(cells, sources) if c["cell_type"] == "code"], ROOT / "examples"))
        return "\n\n".join(s if c["cell_type"] == "markdown" else cell(s, next(made), to) for c, s in zip(cells, sources))

    def whole(link: re.Match) -> str:
        """Links to what is no page lead to the repository."""
        target, _, anchor = link[2].partition("#")
        other = os.path.relpath((path.parent / target).resolve(), ROOT)
        if other == "README.md" and target:  # MkDocs takes a page of that name for the first
            return f"{link[1]}{os.path.relpath(ROOT / 'overview.md', path.parent)}{'#' + anchor if anchor else ''})"
        if other in FLAT or not target or other.endswith((".png", ".svg")) or not (ROOT / other).exists():
            return link[0]  # what is none may be a SMILES
        return f"{link[1]}{SOURCE}/blob/main/{other}{'#' + anchor if anchor else ''})"

    return re.sub(r"(\]\()(?![a-z]+:)([^)\s]+)\)", whole, path.read_text())


def cell(source: str, outputs: list[dict], page: Path) -> str:
    """Returns a cell with what it shows. Only an import or an assignment shows nothing."""
    parts = [f"```python\n{source}\n```"]
    for output in outputs:
        data = output.get("data", {})
        joined = {kind: x if isinstance(x, str) else "".join(x) for kind, x in data.items() if isinstance(x, (str, list))}
        if "text/html" in joined or "image/svg+xml" in joined:
            made = joined.get("text/html") or joined["image/svg+xml"]
            made = re.sub(r"<\?xml.*?\?>|<style.*?</style>|\n\s*", " ", made, flags=re.S)  # one line is one block
        elif "image/png" in joined:
            name = f"{page.stem}-{len(list(page.parent.glob(page.stem + '-*.png')))}.png"
            (page.parent / name).write_bytes(base64.b64decode(joined["image/png"]))
            made = f'<img src="{name}" alt="What the cell above draws">'
        else:
            plain = joined.get("text/plain") or "".join(output.get("text", ""))
            made = f"<pre>{html.escape(plain.rstrip()).replace(chr(10), '&#10;')}</pre>"
        parts.append(f'<div class="shown">{made}</div>')
    return "\n\n".join(parts)


def commands(kitchen: Kitchen) -> str:
    """Returns a page with the help of every command."""

    def help_(*words: str) -> str:
        wide = dict(os.environ, COLUMNS="100")
        return subprocess.run([kitchen.program, *words, "--help"], check=True, capture_output=True, text=True, env=wide).stdout

    top = help_()
    names = re.findall(r"(?m)^  ([a-z]+(?: [a-z]+)*)(?:  +|$)", top.split("\nCommands:\n")[1].split("\n\n")[0])
    parts = ["# Commands\n\nThe help of every command, as `greed COMMAND --help` prints it.\n", f"## greed\n\n```text\n{top.rstrip()}\n```\n"]
    parts += [f"## greed {name}\n\n```text\n{help_(*name.split()).rstrip()}\n```\n" for name in names]
    return "\n".join(parts)


def marked(source: str) -> str:
    """Returns a module whose docstrings are Markdown: names without roles, examples as code."""
    source = re.sub(r":(?:class|func|meth):`", "`", source)
    return re.sub(r"(?m)^( *)>>> (?:.*\n)+?(?=\n| *\"\"\")", lambda m: f"{m[1]}```pycon\n{m[0]}{m[1]}```\n", source)


def title(page: Path) -> str:
    """Returns what a page is called: its first heading, of the README no name of its own."""
    if page.name == "overview.md":
        return "Overview"
    return next(line[2:].strip() for line in page.read_text().splitlines() if line.startswith("# "))


class Page(html.parser.HTMLParser):
    """What a page of the site has: anchors, links, what it loads, words."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.words = 0
        self.main = self.skip = 0
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        a = dict(attrs)
        self.ids |= {x for x in (a.get("id"), a.get("name")) if x}
        if tag == "a" and a.get("href"):
            self.links.append(a["href"] or "")
        if tag in ("script", "img", "source", "iframe") and a.get("src"):
            self.loads.append(a["src"] or "")
        if tag == "source" and a.get("srcset"):
            self.loads.append((a["srcset"] or "").split()[0])
        if tag == "link" and a.get("rel") in ("stylesheet", "icon", "preload", "modulepreload"):
            self.loads.append(a.get("href") or "")
        self.main += tag == "article"
        self.skip += tag in ("script", "style")

    def handle_endtag(self, tag: str) -> None:
        self.main -= tag == "article"
        self.skip -= tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        if self.main > 0 and not self.skip:
            self.words += len(data.split())


def check(out: Path) -> list[str]:
    """Returns what is wrong with a site."""
    pages = {path: Page(path.read_text()) for path in sorted(out.rglob("*.html"))}
    faults = []
    links = 0
    for path, page in pages.items():
        name = path.relative_to(out)
        if name.name != "404.html" and page.words < 40:
            faults.append(f"{name}: the page is empty ({page.words} words)")
        for link in page.links + page.loads:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.loads and parts.scheme != "data":
                    faults.append(f"{name}: {link} is loaded from elsewhere")
                continue
            links += 1
            if name.name == "404.html":
                continue  # which is shown for any address
            to = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            to = to / "index.html" if to.is_dir() else to
            if not to.exists():
                faults.append(f"{name}: {link} leads nowhere")
            elif parts.fragment and to in pages and urllib.parse.unquote(parts.fragment) not in pages[to].ids:
                faults.append(f"{name}: there is no {link}")
    if links < 1000:
        faults.append(f"only {links} links were found")
    found = " ".join(html.unescape(d["text"]) + " " + d["title"] for d in json.loads((out / "search" / "search_index.json").read_text())["docs"])
    wanted = set(re.findall(r"--[a-z][a-z-]+", (ROOT / "cmd" / "greed" / "flags.txt").read_text()))
    wanted |= set(re.findall(r"(?m)^\| `(\w+)` \|", (ROOT / "docs" / "reference.md").read_text()))
    faults += [f"the search does not find {word}" for word in sorted(wanted) if word not in found]
    return faults


def main() -> None:
    parser = argparse.ArgumentParser(description="Builds the documentation site.")
    parser.add_argument("-o", "--out", type=Path, default=ROOT / "site", help="folder to write to (default site)")
    build(parser.parse_args().out.resolve())


if __name__ == "__main__":
    main()
