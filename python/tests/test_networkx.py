"""The backend against NetworkX' own functions."""

import itertools
import os
import pathlib
import random
import re
import subprocess
import sys
import time

import pytest

nx = pytest.importorskip("networkx")
pytest.importorskip("scipy")  # NetworkX' own functions need it

import greed  # noqa: E402


def with_attributes(g, rng):
    for _, d in g.nodes(data=True):
        d["color"] = rng.choice("abc")
        d["weight"] = rng.randint(1, 4)
    for _, _, d in g.edges(data=True):
        d["color"] = rng.choice("xy")
        d["weight"] = rng.randint(1, 3)
    return g


def random_graph(rng, n, directed=False):
    return with_attributes(nx.gnp_random_graph(n, 0.4, seed=rng.randint(0, 10**9), directed=directed), rng)


def same_color(a, b):
    return a["color"] == b["color"]


def difference(a, b):
    return abs(a["weight"] - b["weight"]) / 2


def weight(a):
    return a["weight"]


WAYS = {
    "plain": {},
    "node_match": {"node_match": same_color},
    "both match": {"node_match": same_color, "edge_match": same_color},
    "substitution": {"node_subst_cost": difference, "edge_subst_cost": difference},
    "all": {
        "node_subst_cost": difference, "node_del_cost": weight, "node_ins_cost": weight,
        "edge_subst_cost": difference, "edge_del_cost": weight, "edge_ins_cost": weight,
    },
    "one way": {"node_del_cost": weight, "edge_ins_cost": weight},
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("directed", [False, True])
def test_equal_values(way, directed, rng):
    for _ in range(6):
        g, h = random_graph(rng, rng.randint(0, 5), directed), random_graph(rng, rng.randint(0, 5), directed)
        want = nx.graph_edit_distance(g, h, **WAYS[way])
        got = nx.graph_edit_distance(g, h, backend="greed", **WAYS[way])
        assert got == pytest.approx(want), (list(g.edges), list(h.edges))


def path_cost(g, h, path, node_match=None, edge_match=None, node_subst_cost=None, node_del_cost=None,
              node_ins_cost=None, edge_subst_cost=None, edge_del_cost=None, edge_ins_cost=None):  # fmt: skip
    """What a path costs, by the documentation of NetworkX."""

    def cost(pairs, query, target, match, subst, delete, insert):
        total = 0
        for a, b in pairs:
            if b is None:
                total += delete(query[a]) if delete else 1
            elif a is None:
                total += insert(target[b]) if insert else 1
            elif subst:
                total += subst(query[a], target[b])
            elif match:
                total += not match(query[a], target[b])
        return total

    nodes, edges = path
    assert sorted(a for a, _ in nodes if a is not None) == sorted(g.nodes)
    assert sorted(b for _, b in nodes if b is not None) == sorted(h.nodes)
    assert sorted(a for a, _ in edges if a is not None) == sorted(g.edges)
    assert sorted(b for _, b in edges if b is not None) == sorted(h.edges)
    image = dict(nodes)
    for a, b in edges:
        if a is not None and b is not None:
            ends = tuple(image[v] for v in a)
            assert ends == b or not g.is_directed() and ends[::-1] == b
    return cost(nodes, g.nodes, h.nodes, node_match, node_subst_cost, node_del_cost, node_ins_cost) + cost(
        edges, g.edges, h.edges, edge_match, edge_subst_cost, edge_del_cost, edge_ins_cost
    )


def canonical(path):
    nodes, edges = path
    return frozenset(nodes), frozenset(edges)


@pytest.mark.parametrize("way", WAYS)
def test_optimal_paths(way, rng):
    for _ in range(5):
        g, h = random_graph(rng, rng.randint(1, 4)), random_graph(rng, rng.randint(1, 4))
        want, cost = nx.optimal_edit_paths(g, h, **WAYS[way])
        paths, got = nx.optimal_edit_paths(g, h, backend="greed", **WAYS[way])
        assert got == pytest.approx(cost)
        for path in paths:
            assert path_cost(g, h, path, **WAYS[way]) == pytest.approx(cost)
        # NetworkX leaves out paths whose sums round upwards, and of equal ones takes one.
        assert {frozenset(nodes) for nodes, _ in want} <= {frozenset(nodes) for nodes, _ in paths}
        assert len({canonical(p) for p in paths}) == len(paths)


def test_generators(rng):
    g, h = random_graph(rng, 5), random_graph(rng, 5)
    want = nx.graph_edit_distance(g, h)
    costs = list(nx.optimize_graph_edit_distance(g, h, backend="greed"))
    assert costs[-1] == want and costs == sorted(set(costs), reverse=True)
    steps = list(nx.optimize_edit_paths(g, h, backend="greed"))
    assert steps[-1][2] == want and path_cost(g, h, steps[-1][:2]) == want
    every = list(nx.optimize_edit_paths(g, h, strictly_decreasing=False, backend="greed"))
    least = [canonical(p[:2]) for p in every if p[2] == want]
    assert len(least) == len(set(least)) == len(nx.optimal_edit_paths(g, h, backend="greed")[0])
    assert list(nx.optimize_graph_edit_distance(g, h, upper_bound=want - 1, backend="greed")) == []
    assert all(c <= want + 1 for c in nx.optimize_graph_edit_distance(g, h, upper_bound=want + 1, backend="greed"))


def test_generators_yield_while_the_search_goes_on():
    g, h = nx.gnp_random_graph(40, 0.2, seed=1), nx.gnp_random_graph(40, 0.2, seed=2)
    steps = nx.optimize_edit_paths(g, h, timeout=600, backend="greed")
    first, second = next(steps)[2], next(steps)[2]
    assert second < first
    steps.close()  # which ends the search
    from greed._child import connection

    time.sleep(0.5)
    assert not connection._child._waiting
    costs = [c for _, _, c in nx.optimize_edit_paths(g, h, timeout=1, backend="greed")]
    assert len(costs) > 1 and costs == sorted(set(costs), reverse=True)


def test_roots_and_bounds():
    g, h = nx.star_graph(5), nx.star_graph(5)
    for roots in itertools.product(range(3), range(3)):
        want = nx.graph_edit_distance(g, h, roots=roots)
        assert nx.graph_edit_distance(g, h, roots=roots, backend="greed") == want
    with pytest.raises(nx.NodeNotFound):
        nx.graph_edit_distance(g, h, roots=(9, 0), backend="greed")
    path, cycle = nx.path_graph(6), nx.cycle_graph(6)
    for bound in (0, 0.5, 1, 1.5):
        want = nx.graph_edit_distance(path, cycle, upper_bound=bound)
        assert nx.graph_edit_distance(path, cycle, upper_bound=bound, backend="greed") == want
    assert nx.optimal_edit_paths(path, cycle, upper_bound=0, backend="greed") == ([], None)
    with pytest.raises(nx.NetworkXError):
        nx.graph_edit_distance(g, h, timeout=0, backend="greed")
    never = {"node_subst_cost": lambda a, b: float("inf")}
    assert nx.graph_edit_distance(g, h, roots=(0, 0), **never) is None
    assert nx.graph_edit_distance(g, h, roots=(0, 0), backend="greed", **never) is None
    assert list(nx.optimize_edit_paths(g, h, roots=(0, 0), backend="greed", **never)) == []


def test_timeout_gives_the_best_so_far():
    g, h = nx.gnp_random_graph(60, 0.2, seed=1), nx.gnp_random_graph(60, 0.2, seed=2)
    assert nx.graph_edit_distance(g, h, timeout=0.2, backend="greed") > 0


def test_loops_and_parallel_edges():
    a, b = nx.DiGraph([(0, 0), (0, 1)]), nx.DiGraph([(0, 1), (1, 1)])
    assert nx.graph_edit_distance(a, b, backend="greed") == 2
    g, h = nx.MultiGraph([(0, 1), (0, 1), (0, 1)]), nx.MultiGraph([(0, 1)])
    assert nx.graph_edit_distance(g, h, backend="greed") == nx.graph_edit_distance(g, h) == 2
    paths, cost = nx.optimal_edit_paths(g, h, backend="greed")
    assert cost == 2 and sorted(e for _, edges in paths[:1] for e in edges if e[1]) == [((0, 1, 0), (0, 1, 0))]


def test_what_is_refused():
    from greed._networkx import backend

    assert "directed" in backend.can_run("graph_edit_distance", (nx.Graph(), nx.DiGraph()), {})


def test_costs_that_are_none():
    g = nx.path_graph(3)
    for bad in (-1, float("nan")):
        with pytest.raises(greed.CostsError, match="node deletion"):
            nx.graph_edit_distance(g, g, node_del_cost=lambda a, bad=bad: bad, backend="greed")
    inf = float("inf")
    assert nx.graph_edit_distance(g, g, node_subst_cost=lambda a, b: inf, backend="greed") == 10
    assert nx.graph_edit_distance(g, g, edge_subst_cost=lambda a, b: inf, backend="greed") == 4


def test_functions_are_called_once_for_each_element():
    g, h = nx.path_graph(4), nx.path_graph(3)
    calls = []
    nx.graph_edit_distance(g, h, backend="greed", node_subst_cost=lambda a, b: calls.append(1) or 0)
    assert len(calls) == 12


def test_an_exception_of_a_function_is_the_users():
    g = nx.path_graph(3)
    with pytest.raises(KeyError, match="color"):
        nx.graph_edit_distance(g, g, node_match=same_color, backend="greed")


def test_no_warning_and_no_stale_conversion(recwarn):
    g, h = nx.path_graph(4), nx.path_graph(4)
    for v in g:
        g.nodes[v]["color"] = h.nodes[v]["color"] = "a"
    assert nx.graph_edit_distance(g, h, node_match=same_color, backend="greed") == 0
    g.nodes[0]["color"] = "b"  # behind NetworkX' back
    assert nx.graph_edit_distance(g, h, node_match=same_color, backend="greed") == 1
    assert not [w for w in recwarn if "cache" in str(w.message)]


def test_fifty_pairs_of_seven_nodes():
    rng = random.Random(7)
    for _ in range(5):  # all fifty take NetworkX minutes: see benchmarks.py
        g, h = random_graph(rng, 6), random_graph(rng, 6)
        assert nx.graph_edit_distance(g, h, backend="greed") == nx.graph_edit_distance(g, h)


PAIRS = int(os.environ.get("GREED_PAIRS", 60))


def drawn(rng):
    """Two graphs of up to four nodes, now and then with loops and parallel edges, and arguments with random functions."""
    directed, loops, multi = rng.random() < 0.4, rng.random() < 0.2, rng.random() < 0.3
    pair = []
    for _ in range(2):
        g = random_graph(rng, rng.randint(0, 4), directed)
        if multi:
            g = (nx.MultiDiGraph if directed else nx.MultiGraph)(g)
            for u, v in list(g.edges()):
                for _ in range(rng.randint(0, 2)):
                    g.add_edge(u, v, color=rng.choice("xy"), weight=rng.randint(1, 2))
        if loops and g:
            g.add_edge(v := rng.choice(list(g)), v, color="x", weight=1)
        pair.append(g)
    options = {}
    for kind in ("node", "edge"):
        if rng.random() < 0.3:
            options[kind + "_match"] = same_color
        elif rng.random() < 0.6:
            costs = {(a, b): rng.choice([0, 0.5, 1, 2.25, 7, float("inf")]) for a in "abcxy" for b in "abcxy"}
            options[kind + "_subst_cost"] = lambda a, b, costs=costs: costs[a["color"], b["color"]]
        for what in ("_del_cost", "_ins_cost"):
            if rng.random() < 0.4:
                options[kind + what] = lambda a, by=rng.choice([0.5, 1, 3]): by * a["weight"]
    if rng.random() < 0.3 and pair[0] and pair[1]:
        options["roots"] = rng.choice(list(pair[0])), rng.choice(list(pair[1]))
    if rng.random() < 0.3:
        options["upper_bound"] = rng.choice([0, 1, 2.5, 6])
    return *pair, options


def least_cost(g, h, roots=None, upper_bound=float("inf"), **functions):
    """The distance by the documentation of NetworkX, of all maps of nodes; None above a bound."""
    nodes, targets, best = list(g), list(h), float("inf")
    ends = (lambda u, v: (u, v)) if g.is_directed() else (lambda u, v: frozenset((u, v)))
    here, there = {}, {}
    for at, edges in ((here, g.edges), (there, h.edges)):
        for e in edges:
            at.setdefault(ends(*e[:2]), []).append(e)
    for images in itertools.permutations([*targets, *[None] * len(nodes)], len(nodes)):
        image = dict(zip(nodes, images))
        if roots is not None and image[roots[0]] != roots[1]:
            continue
        pairs = [*image.items(), *((None, w) for w in targets if w not in images)]
        apart, same = [(e, None) for e in g.edges] + [(None, e) for e in h.edges], []
        total = path_cost(g, h, (pairs, apart), **functions)
        for mine in here.values():
            others = there.get(ends(*(image[v] for v in mine[0][:2])), [])
            if others:  # parallel edges may become each other in any way
                ways = itertools.permutations([*others, *[None] * len(mine)], len(mine))
                by = {(e, f): min(0, edge_cost(g, h, e, f, **functions)) for e in mine for f in others}
                same.append(min(sum(by.get(pair, 0) for pair in zip(mine, way)) for way in ways))
        best = min(best, total + sum(same))
    return best if best < float("inf") and best <= upper_bound else None


def edge_cost(g, h, e, f, edge_match=None, edge_subst_cost=None, edge_del_cost=None, edge_ins_cost=None, **_):
    """What substituting an edge costs more than deleting and inserting it."""
    a, b = g.edges[e], h.edges[f]
    substitute = edge_subst_cost(a, b) if edge_subst_cost else 1 - edge_match(a, b) if edge_match else 0
    return substitute - (edge_del_cost(a) if edge_del_cost else 1) - (edge_ins_cost(b) if edge_ins_cost else 1)


def test_random_pairs(rng):
    """What greed says is right, and NetworkX says the same but where README says why it does not. GREED_PAIRS=3000 takes
    more pairs; -s prints how many there were of each kind."""
    found = dict.fromkeys(("equal", "loops, NetworkX differs", "NetworkX has None with roots", "NetworkX says more"), 0)
    for _ in range(PAIRS):
        g, h, options = drawn(rng)
        want = nx.graph_edit_distance(g, h, **options)
        loops = any(e[0] == e[1] for e in [*g.edges, *h.edges])
        got = nx.graph_edit_distance(g, h, backend="greed", **options)
        assert got == pytest.approx(least_cost(g, h, **options)), (list(g.edges(data=True)), list(h.edges(data=True)), options)
        if got == pytest.approx(want):
            found["equal"] += 1
        elif loops:
            found["loops, NetworkX differs"] += 1
        elif want is None:
            assert "roots" in options or "upper_bound" in options
            found["NetworkX has None with roots"] += 1
        else:
            assert got is not None and got < want
            found["NetworkX says more"] += 1
    print(found)


def test_networkx_own_tests():
    """Those of NetworkX' test suite for these functions, but what greed does otherwise on purpose."""
    file = os.path.join(os.path.dirname(nx.__file__), "algorithms", "tests", "test_similarity.py")
    if not os.path.exists(file):
        pytest.skip("this NetworkX comes without its tests")
    out = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-rxX", "-k", "not simrank and not panther", file],
        env=dict(os.environ, NETWORKX_TEST_BACKEND="greed"),
        cwd=os.path.dirname(nx.__file__),
        capture_output=True, text=True,
    )  # fmt: skip
    assert out.returncode == 0, out.stdout[-4000:]
    assert " passed" in out.stdout
    from greed._networkx import EXPECTED

    assert sum(f"::{name} " in out.stdout for name in EXPECTED) == len(EXPECTED)

    readme = pathlib.Path(__file__).resolve().parents[1] / "README.md"
    if not readme.exists():
        return
    page = readme.read_text()
    passed, others = map(int, re.search(r"(\d+) passed.* (\d+) xfailed", out.stdout).groups())
    assert f"Of NetworkX' {passed + others} tests of these functions and its random paths, {passed} pass" in page
    for name in set(re.findall(r"^XFAIL .*::(\w+)", out.stdout, re.M)):
        assert f"`{name}`" in page or name.startswith("test_generate_random_paths_"), name
