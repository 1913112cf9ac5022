#!/usr/bin/env python3
"""Measures what the Python package costs, with greed installed and the data of the repository.

    python3 python/benchmarks.py            all of it
    python3 python/benchmarks.py networkx   one of: call, many, batch, matrix, networkx, common,
                                            large, containment, spaces
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.remove(os.path.dirname(os.path.realpath(__file__)))  # greed is the one that is installed

import greed  # noqa: E402
from greed import _binary, _graph  # noqa: E402
from greed._child import ask, connection  # noqa: E402


def processor() -> float:
    """Returns the seconds of processor time of this process and, on Linux, of the one that computes,
    which say more than a clock where others use the machine."""
    own = time.process_time()
    try:
        with open(f"/proc/{connection.process()}/stat") as f:
            ticks = f.read().rpartition(")")[2].split()
    except OSError:
        return own
    return own + (int(ticks[11]) + int(ticks[12])) / os.sysconf("SC_CLK_TCK")


def solving(mode: str, queries: list, targets: list | None = None, workers: int = 1) -> tuple[float, float]:
    """Returns the seconds of a request and of the solver in it, with one worker."""
    q, arrays = _graph.encode(queries, "queries")
    args = {"task": "ged", "mode": mode, "queries": q, "maps": True, "workers": workers}
    if targets is not None:
        args["targets"], more = _graph.encode(targets, "targets")
        arrays += more
    begin = time.perf_counter()
    result, _ = ask("distance", args, arrays)
    return time.perf_counter() - begin, result["solving"]


def call() -> None:
    """One pair: time above the solver's own."""
    a, b = "CC(=O)Oc1ccccc1C(=O)O", "CC(=O)Nc1ccccc1C(=O)O"
    times, n = [], 5000
    start = processor()
    for _ in range(n):
        begin = time.perf_counter()
        greed.ged(a, b)
        times.append(time.perf_counter() - begin)
    used = (processor() - start) / n * 1e6
    inside = statistics.median(solving("pairs", [greed.smiles(a)], [greed.smiles(b)])[1] for _ in range(n)) * 1e6
    whole, quick = statistics.median(times) * 1e6, min(times) * 1e6
    print(
        f"one pair: {whole:.0f} µs (median), {quick:.0f} µs (least), {used:.0f} µs of processor time "
        f"of both processes, of which the solver {inside:.0f} µs"
    )


def many() -> None:
    """Calls at the same time: beside a thread that is busy, and of 100 tasks of asyncio."""
    hard = "C1CC(C)CC(O)C1CC" * 4, "C1CC(N)CCC1CO" * 5
    busy = threading.Thread(target=greed.ged, args=hard, kwargs={"time_limit": 4})
    busy.start()
    times = []
    while busy.is_alive():
        begin = time.perf_counter()
        greed.ged("CCO", "CCN")
        times.append(time.perf_counter() - begin)
    print(
        f"a call beside a thread that takes 4 s: {statistics.median(times) * 1e3:.2f} ms (median of {len(times)}), "
        f"{max(times) * 1e3:.0f} ms (most)"
    )

    async def tasks() -> list:
        return await asyncio.gather(*(greed.aio.ged("CCO", "C" * (1 + i % 9)) for i in range(100)))

    asyncio.run(tasks())  # starts the threads
    used, begin = processor(), time.perf_counter()
    asyncio.run(tasks())
    whole = time.perf_counter() - begin
    print(f"100 tasks of asyncio, a distance each: {whole:.3f} s, {processor() - used:.3f} s of processor time")

    async def cancelled() -> None:
        try:
            await asyncio.wait_for(greed.aio.ged(*hard), 0.2)
        except asyncio.TimeoutError:
            pass

    begin = time.perf_counter()
    asyncio.run(cancelled())
    print(f"wait_for of 0.2 s around a pair without limit: {time.perf_counter() - begin:.2f} s")


def batch() -> None:
    """Many pairs in one request: time above the solver's own."""
    molecules = list(greed.Collection.bundled())[:1000]
    rng = random.Random(1)
    small = [g for g in molecules if len(g.smiles) < 14]
    for what, n in (("pairs", 50_000), ("matrix", 300)):
        overheads = []
        for _ in range(9):
            q = [rng.choice(small) for _ in range(n)]
            t = [rng.choice(small) for _ in range(n)]
            whole, inside = solving(what, q, t)
            overheads.append((whole - inside) / (n if what == "pairs" else n * n) * 1e6)
        print(
            f"{what} of {n:,}: {statistics.median(overheads):.2f} µs a pair above the solver's own time (median), "
            f"{min(overheads):.2f} µs (least)"
        )


def matrix() -> None:
    """The matrix of 500 molecules against greed ged --matrix, in turns."""
    molecules = list(greed.Collection.bundled())
    chosen = [g for g in molecules if g.expand()._labels and len(g.expand()._labels) <= 12][:500]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m.smi")
        with open(path, "w") as f:
            f.writelines(f"{g.smiles}\t{g.id}\n" for g in chosen)
        ours, theirs = [], []
        for _ in range(3):
            begin = processor()
            values = greed.matrix(chosen).values
            ours.append(processor() - begin)
            begin = os.times()
            with open(os.path.join(folder, "out"), "w") as out:
                command = [_binary.path(), "ged", path, path, "--matrix", "--format", "tsv", "--progress=false"]
                subprocess.run(command, stdout=out, check=True)
            end = os.times()
            theirs.append(end.children_user + end.children_system - begin.children_user - begin.children_system)
        with open(os.path.join(folder, "out")) as f:
            assert [float(line.split("\t")[3]) for line in f] == values.ravel().tolist()
    a, b = statistics.median(ours), statistics.median(theirs)
    print(f"matrix of {len(chosen)} molecules, processor time: {a:.2f} s, greed ged --matrix {b:.2f} s: {a / b:.2f} times")


def networkx() -> None:
    """NetworkX' function against ours on 50 pairs of 7 nodes."""
    import networkx as nx

    rng = random.Random(7)

    def same(a: dict, b: dict) -> bool:
        return a["color"] == b["color"]

    pairs = []
    for _ in range(50):
        pair = []
        for _ in range(2):
            g = nx.gnp_random_graph(7, 0.4, seed=rng.randint(0, 10**9))
            nx.set_node_attributes(g, {v: rng.choice("abc") for v in g}, "color")
            pair.append(g)
        pairs.append(pair)
    begin = processor()
    ours = [nx.graph_edit_distance(g, h, node_match=same, backend="greed") for g, h in pairs]
    middle = processor()
    theirs = [nx.graph_edit_distance(g, h, node_match=same) for g, h in pairs]
    end = processor()
    assert ours == theirs
    a, b = middle - begin, end - middle
    print(f"50 pairs of 7 nodes, processor time: greed {a:.3f} s, NetworkX {b:.1f} s: {b / a:.0f} times; equal values")


def common() -> None:
    """Largest common subgraphs of molecules against RDKit, with 3 s for each pair."""
    from rdkit import Chem, RDLogger
    from rdkit.Chem import rdFMCS, rdRascalMCES

    RDLogger.DisableLog("rdApp.*")
    rng = random.Random(7)
    molecules = [g.smiles for g in greed.Collection.bundled() if "." not in g.smiles]

    def connected(a: object, b: object) -> int | None:
        exact = rdFMCS.BondCompare.CompareOrderExact
        found = rdFMCS.FindMCS([a, b], ringMatchesRingOnly=True, bondCompare=exact, timeout=3)
        return None if found.canceled else found.numBonds

    def disconnected(a: object, b: object) -> int | None:
        how = rdRascalMCES.RascalOptions()
        how.similarityThreshold, how.timeout, how.ringMatchesRingOnly, how.completeAromaticRings = 0.0, 3, False, False
        found = rdRascalMCES.FindMCES(a, b, how)
        return len(found[0].bondMatches()) if found and not found[0].timedOut else None

    for least, most, n in ((12, 20, 200), (22, 35, 40)):
        drawn: list = []
        while len(drawn) < 2 * n:
            text = rng.choice(molecules)
            mol = Chem.MolFromSmiles(text)
            if mol is not None and least <= mol.GetNumAtoms() <= most:
                drawn.append((text, mol))
        for other, options in ((connected, {"connected": True, "rings": True}), (disconnected, {})):
            texts = [s for s, _ in drawn]
            begin = processor()
            ours = greed.mcs_pairs(texts[:n], texts[n:], edges=True, time_limit=3, workers=1, **options)
            middle = processor()
            theirs = [other(a, b) for (_, a), (_, b) in zip(drawn[:n], drawn[n:])]
            end = processor()
            known = [(a, b) for a, b in zip(ours, theirs) if b is not None and a.exact]
            print(
                f"{n} pairs of {least} to {most} atoms, {other.__name__}: greed {middle - begin:.2f} s, "
                f"{sum(a.exact for a in ours)} proven; RDKit {end - middle:.2f} s, {sum(b is not None for b in theirs)} found; "
                f"{sum(a == b for a, b in known)} of {len(known)} equal"
            )


def large() -> None:
    """Largest common subgraphs, unconnected, of large molecules of aids42k against RASCAL, with 3 s of the clock for
    each: 100 pairs of 40 to 60 and of 60 to 100 atoms. Molecules go by the hashes of their ids, and are paired as they
    follow each other. Labels stand for elements; which is which does not matter here."""
    from rdkit import Chem, RDLogger
    from rdkit.Chem import rdRascalMCES

    RDLogger.DisableLog("rdApp.*")
    orders = {"1": Chem.BondType.SINGLE, "2": Chem.BondType.DOUBLE, "3": Chem.BondType.TRIPLE}

    def molecule(g: greed.Graph) -> object:
        m = Chem.RWMol()
        for label in g.labels:
            atom = Chem.Atom(int(label) + 5)  # 1 is carbon
            atom.SetNoImplicit(True)
            m.AddAtom(atom)
        for u, v, label in g.edges:
            m.AddBond(u, v, orders[label])
        m.UpdatePropertyCache(strict=False)
        Chem.FastFindRings(m)
        return m.GetMol()

    how = rdRascalMCES.RascalOptions()
    how.similarityThreshold, how.timeout, how.ringMatchesRingOnly, how.completeAromaticRings = 0.0, 3, False, False
    how.maxBondMatchPairs = 1_000_000
    root = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    graphs = greed.read(os.path.join(root, "..", "shared", "data", "aids42k", "aids42k.txt.gz"))
    for least, most in ((40, 60), (60, 100)):
        fit = [g for g in graphs if least <= len(g.labels) <= most]
        fit.sort(key=lambda g: hashlib.sha256(f"59 {g.id}".encode()).hexdigest())
        proven = found = below = above = 0
        used = [0.0, 0.0]
        n = int(os.environ.get("GREED_PAIRS", 100))
        for a, b in zip(fit[: 2 * n : 2], fit[1 : 2 * n : 2]):
            begin = processor()
            ours = greed.mcs(a, b, edges=True, time_limit=3)
            middle = processor()
            best = rdRascalMCES.FindMCES(molecule(a), molecule(b), how)
            used = [used[0] + middle - begin, used[1] + processor() - middle]
            theirs = len(best[0].bondMatches()) if best else 0
            proven += ours.exact
            found += bool(best and not best[0].timedOut)
            below += ours.lower < theirs
            above += ours.lower > theirs
            assert not best or best[0].timedOut or not ours.exact or ours.lower == theirs
        print(
            f"{n} pairs of {least} to {most} atoms: greed {used[0]:.1f} s, {proven} proven; RASCAL {used[1]:.1f} s, {found}; "
            f"greed's is larger in {above}, smaller in {below}"
        )


def containment() -> None:
    """Molecules that contain a fragment or match a SMARTS, from an index, with default options and one worker, in
    turns with RDKit's SubstructLibrary, which holds the molecules and prints of them. Different rules of aromaticity
    make some answers differ."""
    from rdkit import Chem, RDConfig, RDLogger
    from rdkit.Chem import rdSubstructLibrary
    from rdkit.Chem.Scaffolds import MurckoScaffold

    RDLogger.DisableLog("rdApp.*")
    molecules = list(greed.Collection.bundled())
    library = rdSubstructLibrary.SubstructLibrary(rdSubstructLibrary.MolHolder(), rdSubstructLibrary.PatternHolder())
    count: dict[str, int] = {}
    for g in molecules:
        if (mol := Chem.MolFromSmiles(g.smiles)) is not None:
            library.AddMol(mol)
            scaffold = MurckoScaffold.GetScaffoldForMol(mol)
            if scaffold.GetNumAtoms() >= 5:
                text = Chem.MolToSmiles(scaffold)
                count[text] = count.get(text, 0) + 1
    frequent = sorted(count, key=lambda text: (-count[text], text))
    fragments = frequent[:40] + random.Random(7).sample(frequent[40:400], 47)
    with open(os.path.join(RDConfig.RDDataDir, "SmartsLib", "RLewis_smarts.txt")) as f:
        lines = [line.split()[0] for line in f if line.strip() and not line.startswith("#")]
    smarts = [text for text in lines if Chem.MolFromSmarts(text) is not None][:100]
    with tempfile.TemporaryDirectory() as folder:
        path, index = os.path.join(folder, "m.smi"), os.path.join(folder, "m.index")
        with open(path, "w") as f:
            f.writelines(f"{g.smiles}\t{g.id}\n" for g in molecules)
        command = [_binary.path(), "index", "build", path, "-o", index, "--progress=false"]
        subprocess.run(command, check=True, capture_output=True)
        collection = greed.Collection.open(index)
        for what, texts, read, options in (
            ("fragments", fragments, Chem.MolFromSmiles, {"task": "sed", "radius": 0}),
            ("SMARTS", smarts, Chem.MolFromSmarts, {}),
        ):
            patterns = [read(text) for text in texts]
            asked = [{"query": t, **options} if options else {"smarts": t} for t in texts]
            ours, theirs = [], []
            for _ in range(5):
                begin = processor()
                found = sum(len(collection.search(workers=1, **a)) for a in asked)
                middle = processor()
                known = sum(len(library.GetMatches(p, maxResults=1_000_000, numThreads=1)) for p in patterns)
                ours.append(middle - begin)
                theirs.append(processor() - middle)
            a, b = (statistics.median(times) / len(texts) * 1e3 for times in (ours, theirs))
            print(
                f"{len(texts)} {what} among {len(molecules):,} molecules, processor time a query: greed {a:.2f} ms, "
                f"RDKit {b:.2f} ms; {found} and {known} answers"
            )
        collection.close()


def spaces() -> None:
    """Products of public synthon spaces that contain a SMARTS, all of them, by greed and by RDKit's SynthonSpaceSearch
    with one thread and no limit of answers, in the same sitting. Canonical SMILES of RDKit are compared; what only one
    of them has is matched with RDKit's own molecule."""
    from rdkit import Chem, RDLogger
    from rdkit.Chem import rdSynthonSpaceSearch

    RDLogger.DisableLog("rdApp.*")
    folder = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "shared", "data", "spaces")
    smarts = [
        "c1ccccc1", "C(=O)N", "[NX3;H1]C(=O)c", "c1ccncc1", "[NX3;H0]C(=O)c", "c1nnnn1C", "n1ccnc1", "NC(=O)N", "OC(=O)C",
        "c1ccc2ccccc2c1", "[F,Cl]c1ccccc1", "C1CCNCC1", "CC(C)NC(=O)", "c1ccccc1CN", "c-c", "[#6]S(=O)(=O)[#7]",
    ]  # fmt: skip
    rare = ["[#6]S(=O)(=O)[#7]", "c1nnnn1C", "c1ccc2ccccc2c1", "C1CCC1", "[F,Cl]c1ccccc1", "n1ccnc1"]
    for name, patterns in (
        ("amide_space.txt", smarts), ("triazole_space.txt", smarts), ("urea_space.txt", smarts), ("amino_acid.txt", smarts),
        ("map_numbers.txt", smarts), ("missing_hit.txt", smarts), ("idorsia_toy_space_a.txt", rare),
    ):  # fmt: skip
        path = os.path.join(folder, name)
        ours, theirs, both, ours_only, theirs_only, wrong = 0.0, 0.0, 0, 0, 0, 0
        space = greed.Collection.open(path)
        other = rdSynthonSpaceSearch.SynthonSpace()
        other.ReadTextFile(path)
        params = rdSynthonSpaceSearch.SynthonSpaceSearchParams()
        params.maxHits, params.numThreads, params.timeOut = -1, 1, 0
        for text in patterns:
            begin = processor()
            found = [a.smiles for a in space.search(smarts=text, workers=1, time_limit="none")]
            middle = processor()
            known = [Chem.MolToSmiles(m) for m in other.SubstructureSearch(Chem.MolFromSmarts(text), params=params).GetHitMolecules()]
            ours, theirs = ours + middle - begin, theirs + processor() - middle
            a = {Chem.MolToSmiles(m) for m in map(Chem.MolFromSmiles, found) if m is not None}
            b, pattern = set(known), Chem.MolFromSmarts(text)
            both, ours_only, theirs_only = both + len(a & b), ours_only + len(a - b), theirs_only + len(b - a)
            missed = sum(Chem.MolFromSmiles(x).HasSubstructMatch(pattern) for x in a - b)
            wrong += sum(Chem.MolFromSmiles(x).HasSubstructMatch(pattern) for x in b - a)
            if a ^ b:
                print(f"  {text}: {missed} of {len(a - b)} that only greed has match by RDKit; only RDKit has {sorted(b - a)[:2]}")
        print(
            f"{name}, {len(space):,} products, {len(patterns)} SMARTS, processor time in all: greed {ours:.2f} s, RDKit {theirs:.2f} s; "
            f"{both} answers of both, {ours_only} of greed alone, {theirs_only} of RDKit alone ({wrong} of them match)"
        )
        space.close()


if __name__ == "__main__":
    greed.ged("C", "N")  # starts the process
    parts = call, many, batch, matrix, networkx, common, large, containment, spaces
    every = {part.__name__: part for part in parts}
    for what in sys.argv[1:] or every:
        every[what]()
