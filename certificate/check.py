"""Checks certificates of edit distances without greed: docs/certificates.md says what they hold.

    python3 certificate/check.py FILE...

prints what each file proves, or why it is refused. The exit code is 1 if one is refused.
"""

import json
import re
import sys
from fractions import Fraction
from typing import Any, NoReturn

Json = Any  # a value as json.loads returns it
DELETED, FREE = -1, -2


class Refused(Exception):
    """A certificate does not prove what it claims."""


def refuse(why: str) -> NoReturn:
    raise Refused(why)


def unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    if len(dict(pairs)) < len(pairs):
        refuse("a member is given twice")
    return dict(pairs)


def written(value: Json) -> str:
    """Returns the only text that the format allows for a value."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return re.sub("[<>&\u2028\u2029]", lambda m: f"\\u{ord(m[0]):04x}", text)


def whole(value: Json, low: int = -(2**63), high: int = 2**63 - 1) -> int:
    if type(value) is int and low <= value <= high:
        return value
    refuse(f"{value!r:.40} is no integer, or out of range")


def listed(value: Json, low: int, high: int = 2**63 - 1) -> list[int]:
    if type(value) is not list:
        refuse("a list is missing")
    return [whole(x, low, high) for x in value]


def members(value: Json, names: str) -> Json:
    """Checks the members of an object; names that end in ? may be left out."""
    if type(value) is not dict:
        refuse("an object is missing")
    order = [name.rstrip("?") for name in names.split() if name.rstrip("?") in value or name[-1] != "?"]
    if list(value) != order:
        refuse(f"an object has the members {', '.join(map(repr, value))}, want {', '.join(order)}")
    if any(name + "?" in names.split() and name not in ("radius", "proof") and not x for name, x in value.items()):
        refuse("an optional member is written, but empty")
    return value


def prices(value: Json, task: str) -> dict[str, Json]:
    labels = members(value, "labels delete insert substitute")["labels"]
    if type(labels) is not list or any(type(x) is not str for x in labels) or len(set(labels)) < len(labels):
        refuse("labels are no different strings")
    if type(value["substitute"]) is not list or len(value["substitute"]) != len(labels):
        refuse("the number of costs is not the number of labels")
    for costs in [value["delete"], value["insert"], *value["substitute"]]:
        if len(listed(costs, 0, 2**30)) != len(labels):
            refuse("the number of costs is not the number of labels")
    if task == "sed" and any(value["insert"]):
        refuse("an insertion costs something in a sed")
    return value


def check_graph(value: Json, header: dict[str, Json]) -> None:
    members(value, "id nodes edges")
    n = len(listed(value["nodes"], 0, len(header["nodes"]["labels"]) - 1))
    if type(value["id"]) is not str or type(value["edges"]) is not list or n > 1024 or len(value["edges"]) > 4096:
        refuse("a graph is too large, or its id or its edges are no such")
    for edge in value["edges"]:
        if len(listed(edge, 0)) != 3 or max(edge[:2]) >= n or edge[2] >= len(header["edges"]["labels"]):
            refuse(f"there is no edge {edge}")


def heaviest(weights: list[list[int]]) -> int:
    """Returns the weight of the heaviest assignment of rows to different columns, where rows may stay alone."""
    rows = len(weights)
    weights = [[0, *row] + [0] * rows for row in weights]  # and a column of 0 for each row; 0 is no column
    columns = len(weights[0]) if rows else 0
    u, v, row_of = [0] * rows, [0] * columns, [-1] * columns
    for i in range(rows):
        row_of[0], j = i, 0
        slack: list[float] = [float("inf")] * columns
        came, done = [0] * columns, [False] * columns
        while row_of[j] >= 0:
            done[j], r = True, row_of[j]
            least, nearest = float("inf"), 0
            for k in range(1, columns):
                if not done[k]:
                    if (d := u[r] + v[k] - weights[r][k]) < slack[k]:
                        slack[k], came[k] = d, j
                    if slack[k] < least:
                        least, nearest = slack[k], k
            for k in range(columns):
                if done[k]:
                    u[row_of[k]] -= int(least)
                    v[k] += int(least)
                else:
                    slack[k] -= least
            j = nearest
        while j:
            row_of[j], j = row_of[came[j]], came[j]
        row_of[0] = -1
    return sum(weights[i][j] for j, i in enumerate(row_of) if i >= 0)


def half_edges(edges: list[list[int]], nodes: int) -> list[list[tuple[int, int, int]]]:
    """Returns for each node the edges there, each with its end there and the node at the other."""
    return [[(k, end, e[1 - end]) for k, e in enumerate(edges) for end in (0, 1) if e[end] == i] for i in range(nodes)]


class Pair:
    """A pair of graphs whose costs are counted in grains."""

    def __init__(self, header: dict[str, Json], query: Json, target: Json, grain: int):
        self.directed, self.grain = header["directed"], grain
        self.n, self.m = len(query["nodes"]), len(target["nodes"])
        self.edges, self.others = query["edges"], target["edges"]
        self.worst, saved = 0, []
        for p, of, to in (
            (header["nodes"], query["nodes"], target["nodes"]),
            (header["edges"], [e[2] for e in self.edges], [e[2] for e in self.others]),
        ):
            self.worst += sum(p["delete"][x] for x in of) + sum(p["insert"][y] for y in to)
            saved.append([[grain * (p["delete"][x] + p["insert"][y] - p["substitute"][x][y]) for y in to] for x in of])
        self.profit, self.weight = saved[0], [[max(0, w) for w in row] for row in saved[1]]
        self.at, self.to = half_edges(self.edges, self.n), half_edges(self.others, self.m)

    def cost(self, where: list[int]) -> int:
        if len(where) != self.n or len({w for w in where if w >= 0}) < sum(w >= 0 for w in where):
            refuse("the map does not list each node of the query, or takes a node twice")
        earned = sum(self.profit[i][j] for i, j in enumerate(where) if j >= 0)
        for ends in {tuple(f[:2]) if self.directed else tuple(sorted(f[:2])) for f in self.others}:
            turned = ends if self.directed else ends[::-1]
            images = [k for k, f in enumerate(self.others) if tuple(f[:2]) in (ends, turned)]
            mapped = [k for k, e in enumerate(self.edges) if (where[e[0]], where[e[1]]) in (ends, turned)]
            earned += heaviest([[self.weight[k][other] for other in images] for k in mapped])
        return self.worst - earned // self.grain

    def divided(self, shares: list[int] | None) -> dict[tuple[int, int, int, int], int]:
        """Returns the share of each two half-edges; without shares, halves."""
        ends = (0,) if self.directed else (0, 1)
        if shares is not None and len(shares) != len(self.edges) * len(self.others) * len(ends):
            refuse(f"there are {len(shares)} shares")
        of, following = {}, iter(shares or [])
        for k in range(len(self.edges)):
            for other, weight in enumerate(self.weight[k]):
                for end in ends:
                    of[k, 0, other, end] = weight // 2 if shares is None else next(following)
                    of[k, 1, other, 1 - end] = weight - of[k, 0, other, end]
        return of

    def start(self, pairs: Json) -> list[int]:
        """Returns the case that fixes pairs of nodes. Target nodes that are inserted get rows of their own, from n on."""
        fixed, inserted = [FREE] * self.n, []
        if type(pairs) is not list or any(len(listed(x, DELETED)) != 2 for x in pairs) or sorted(pairs) != pairs:
            refuse("the fixed pairs are none, or not in order")
        for i, j in pairs:
            if (i, j) == (DELETED, DELETED) or i >= self.n or j >= self.m:
                refuse("a fixed pair is of a node that does not exist")
            if j >= 0 and j in fixed + inserted or i >= 0 and fixed[i] != FREE:
                refuse("a node is fixed twice")
            if i >= 0:
                fixed[i] = j
            else:
                inserted.append(j)
        return fixed + inserted

    def bound(self, fixed: list[int], shares: dict[tuple[int, int, int, int], int]) -> int:
        """Returns what no map of the case earns more than."""
        taken = {j for j in fixed if j >= 0}

        def allowed(i: int, j: int) -> bool:
            return fixed[i] == j or fixed[i] == FREE and j not in taken

        def star(i: int, j: int) -> int:
            return self.profit[i][j] + heaviest([
                [max(0, shares.get((k, x, other, y), 0)) if allowed(p, q) else 0 for other, y, q in self.to[j]]
                for k, x, p in self.at[i]
            ])

        total = sum(star(i, j) for i, j in enumerate(fixed[: self.n]) if j >= 0)
        free = [i for i in range(self.n) if fixed[i] == FREE]
        return total + heaviest([[max(0, star(i, j)) if j not in taken else 0 for j in range(self.m)] for i in free])

    def close(self, case: Json, fixed: list[int], shares: dict[tuple[int, int, int, int], int], need: int) -> None:
        """Refuses unless a case, which may be None, proves that its maps earn less than need."""
        if case is not None and "shares" in members(case, "shares? row? cases?"):
            shares = self.divided(listed(case["shares"], -(2**42), 2**42))
        if self.bound(fixed, shares) < need:
            if case is not None and list(case) != ["shares"]:
                refuse(f"case {fixed} is closed, but the proof divides it, or says nothing")
            return
        if case is None or (row := whole(case.get("row", 0), 0)) >= self.n or fixed[row] != FREE:
            refuse(f"case {fixed} is not closed, and no further cases follow")
        below = case.get("cases", {})
        columns = [j for j in range(DELETED, self.m) if j == DELETED or j not in fixed]
        if type(below) is not dict or list(below) != sorted(below) or not set(below) <= {str(j) for j in columns}:
            refuse(f"a case within {fixed} is of a node that is taken or does not exist")
        for j in columns:
            if below.get(str(j), {}) is None:
                refuse("a case is null")
            self.close(below.get(str(j)), [*fixed[:row], j, *fixed[row + 1 :]], shares, need)


def check_pair(pair: Json, header: dict[str, Json]) -> None:
    ofset = "query" in header
    members(pair, ("target answer?" if ofset else "query target fixed?") + " lower upper? map grain proof?")
    query, lower = header["query"] if ofset else pair["query"], whole(pair["lower"], 0, 2**50)
    check_graph(query, header)
    check_graph(pair["target"], header)
    if len(query["edges"]) * len(pair["target"]["edges"]) > 2**22:
        refuse("the graphs have too many edges together")
    if pair.get("answer", True) is not True:
        refuse("answer is not true")
    both = Pair(header, query, pair["target"], whole(pair["grain"], 1, 1024))
    upper = whole(pair.get("upper", 0), 0)
    if (both.cost(listed(pair["map"], DELETED, both.m - 1)) if pair["map"] is not None else 0) != upper:
        refuse(f"no map costs {upper}")
    start = both.start(pair.get("fixed", []))
    for i, j in enumerate(pair["map"] or []):
        if start[i] != j and (start[i] != FREE or j >= 0 and j in start):
            refuse("the map does not keep the fixed pairs")
    if "proof" in pair and lower == 0:
        refuse("the lower bound 0 needs no proof")
    if lower > 0:
        both.close(pair.get("proof"), start, both.divided(None), (both.worst - lower + 1) * both.grain)


def check_set(header: dict[str, Json], pairs: list[Json]) -> None:
    answers = [p for p in pairs if "answer" in p]
    if len({p["target"]["id"] for p in pairs}) < len(pairs):
        refuse("two graphs have the same id")
    least = max((p.get("upper", 0) for p in answers), default=0)  # of the others
    if "radius" in header:
        if least > header["radius"]:
            refuse("an answer is not within the radius")
        least = header["radius"] + 1
    elif len(answers) != header["nearest"]:
        refuse(f"there are {len(answers)} answers")
    if any(p["map"] is None for p in answers) or any(p["lower"] < least for p in pairs if "answer" not in p):
        refuse("nothing proves whether a graph is an answer")


def check(data: bytes) -> tuple[dict[str, Json], list[Json]]:
    """Returns the header and the pairs of a certificate. It raises Refused."""
    lines = data.decode("utf-8").split("\n")
    if lines.pop():
        refuse("the last line does not end")
    values = []
    for line in lines:
        values.append(json.loads(line, object_pairs_hook=unique))
        if written(values[-1]) != line:
            refuse("a value is not written as the format says")
    if not values:
        refuse("there is no header")
    header, pairs = values[0], values[1:]
    members(header, "greed_certificate task directed unit scale nodes edges query? pairs radius? nearest?")
    if header["task"] not in ("ged", "sed") or type(header["directed"]) is not bool:
        refuse("the task or the direction is unknown")
    whole(header["greed_certificate"], 1, 1)
    for name in ("unit", "scale", "pairs"):
        whole(header[name], 1)
    whole(header.get("radius", 0), 0)
    whole(header.get("nearest", 1), 1)
    if ("radius" in header) + ("nearest" in header) != ("query" in header):
        refuse("a set needs a query, and either a radius or a number of nearest graphs")
    if len(pairs) != header["pairs"]:
        refuse(f"there are {len(pairs)} pairs, want {header['pairs']}")
    prices(header["nodes"], header["task"])
    prices(header["edges"], header["task"])
    for number, pair in enumerate(pairs):
        try:
            check_pair(pair, header)
        except Refused as why:
            refuse(f"pair {number}: {why}")
    if "query" in header:
        check_set(header, pairs)
    return header, pairs


def claims(header: dict[str, Json], pairs: list[Json]) -> list[str]:
    """Says what a certificate proves."""

    def cost(count: int) -> str:
        exact = Fraction(count * header["unit"], header["scale"])
        return str(exact if exact.denominator == 1 else float(exact))

    texts = []
    if "query" in header:
        of = json.dumps(header["query"]["id"])
        if "radius" in header:
            texts.append(f"the answers are all of {len(pairs)} graphs within {cost(header['radius'])} of {of}")
        else:
            texts.append(f"no other of {len(pairs)} graphs is nearer to {of} than the {header['nearest']} answers")
    for pair in pairs:
        if "query" in header and "answer" not in pair:
            continue
        ids = " and ".join(json.dumps(g["id"]) for g in (header.get("query") or pair["query"], pair["target"]))
        value, upper = f"at least {cost(pair['lower'])}", pair.get("upper", 0)
        if pair["map"] is not None:
            value = cost(upper) if pair["lower"] == upper else f"{cost(pair['lower'])} to {cost(upper)}"
        fixed = f" with {len(pair['fixed'])} pairs of nodes fixed" if "fixed" in pair else ""
        texts.append(f"{header['task'].upper()} of {ids} is {value}{fixed}")
    return texts


def main(files: list[str]) -> int:
    sys.setrecursionlimit(8000)  # 1,024 cases within each other
    status = 0
    for name in files:
        try:
            with open(name, "rb") as file:
                for claim in claims(*check(file.read())):
                    print(f"{name}: {claim}")
        except (Refused, ValueError, RecursionError, OSError) as why:
            print(f"{name}: refused: {why}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
