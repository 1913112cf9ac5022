"""The models of greed as modules of PyTorch, to compute with them there, to train them further and to give the weights
back. The form of the file and of the network is that of docs/formats.md.

    m = greed.torch.load("ged.safetensors")
    m(graphs)                       # the vectors, [graphs, dim]
    m.distance(m(queries), m(targets))
    m.save("ged2.safetensors")      # for greed
    m.to_onnx("ged.onnx")           # for programs without greed and PyTorch
"""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import torch
from torch import nn

from ._errors import ModelError
from ._graph import WILDCARD, Graph, expand, graphs as read_graphs


def load(path: str | os.PathLike) -> Encoder:
    """Loads the file of a model. Models of counts are refused: their counts are not computed here."""
    with open(path, "rb") as f:
        head = f.read(int.from_bytes(f.read(8), "little"))
        data = f.read()
    tensors = json.loads(head)
    info = tensors.pop("__metadata__", {})
    if "greed.model" not in info:
        raise ModelError(f"{os.fspath(path)}: not a greed model")
    begins = {name: (t["shape"], *t["data_offsets"]) for name, t in tensors.items()}
    weights = {name: torch.from_numpy(np.frombuffer(data[a:b], "<f4").reshape(shape).copy()) for name, (shape, a, b) in begins.items()}
    return Encoder(info, weights)


class Encoder(nn.Module):
    """The network of a model file. Its parameters have the names and shapes of the tensors there."""

    def __init__(self, info: Mapping[str, str], weights: Mapping[str, torch.Tensor]):
        super().__init__()
        self.info, self.meta = dict(info), json.loads(info["greed.model"])
        self.config: dict[str, Any] = self.meta["config"]
        self.directed: bool = self.meta["training"].get("directed", False)
        if self.config.get("counts"):
            raise ModelError("a model of counts: greed.torch has models of message passing alone")
        self.features = ["degree", "cycle", "cycle_edges"] if self.config.get("features") else []
        self.ways = ["along.", "against."] if self.config.get("apart") else [""]
        self.weights = nn.ParameterDict({name.replace(".", "/"): nn.Parameter(w) for name, w in weights.items()})
        vocabulary = self.meta["vocabulary"]
        self._rows = [{label: i + 1 for i, label in enumerate(vocabulary[kind])} for kind in ("nodes", "edges")]

    def _of(self, name: str) -> torch.Tensor:
        return self.weights[name.replace(".", "/")]

    def _linear(self, name: str, x: torch.Tensor) -> torch.Tensor:
        return nn.functional.linear(x, self._of(name + ".weight"), self._of(name + ".bias"))

    def forward(self, graphs: Iterable[Any]) -> torch.Tensor:
        """Returns the vectors of graphs, in any form that greed.graph takes, [graphs, dim]."""
        given = {name: torch.from_numpy(numbers) for name, numbers in self.inputs(graphs).items()}
        x = self._of("pre.weight")[given["labels"]]
        for name in self.features:
            x = x + self._of(f"pre.{name}.weight")[given[name]]

        def total(x: torch.Tensor) -> torch.Tensor:
            return x.new_zeros(int(given["graphs"]), x.shape[1]).index_add(0, given["graph"], x)

        pool, residual = [total(x)], x
        for i in range(self.config["layers"]):
            layer, message = f"layers.{i}.", []
            for way in self.ways:
                near = x[given[way + "of"]]
                if self.config["conv"] == "gine":
                    near = torch.relu(near + self._of(layer + "edge.weight")[given[way + "edge"]])
                message.append((1 + self._of(layer + way + "eps")) * x + torch.zeros_like(x).index_add(0, given[way + "to"], near))
            x = self._linear(layer + "mlp.2", torch.relu(self._linear(layer + "mlp.0", torch.cat(message, 1))))
            if i % 2 == 1:
                x = residual = x + residual
            x = torch.relu(x)
            pool.append(total(x))
        pooled = torch.cat(pool, 1)
        z = self._linear("post.2", torch.relu(self._linear("post.0", pooled)))
        return z + self._linear("skip", pooled) if self.config.get("skip") else z

    def inputs(self, graphs: Iterable[Any]) -> dict[str, np.ndarray]:
        """Returns graphs as the network takes them, also in ONNX: arrays of int64. The nodes of all graphs are numbered
        one after the other, and for each there are the row of its label (0: unknown) and those of its features. ``graph``
        is the number of its graph, and ``graphs`` is how many there are. Each edge is two arcs, from node ``of`` to node
        ``to``, with ``edge``, the row of its label."""
        batch = _Batch(expand(read_graphs(graphs)), self._rows, self.directed)
        given: dict[str, Any] = {"labels": batch.labels, "graph": batch.owner, "graphs": [batch.count]}
        if self.features:
            given |= batch.features()
        for way, arcs in batch.arcs(len(self.ways) > 1).items():
            given |= {way + name: numbers for name, numbers in zip(("to", "of", "edge"), arcs) if name != "edge" or self.config["conv"] == "gine"}
        return {name: np.asarray(numbers, np.int64) for name, numbers in given.items()}

    def to_onnx(self, path: str | os.PathLike) -> None:
        """Writes the network as ONNX: from :meth:`inputs`, for any number of graphs, to ``vectors``, [graphs, dim]. The
        properties of the file have the model's description, with the labels and the norm. It needs the package onnx."""
        from ._onnx import write

        write(self, path)

    def distance(self, queries: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """Returns the predicted distances of vectors, pair by pair: the norm of queries - targets. Shapes are
        broadcast, so that ``z[:, None], z[None]`` gives those of all pairs."""
        norm = self.config["norm"]
        d = torch.relu(queries - targets) if norm["hinge"] else (queries - targets).abs()
        order = 1 if norm["kind"] == "l1" else 2
        blocks = torch.stack([b.norm(order, -1) for b in d.split(norm["widths"], -1)])
        return blocks.sum(0) if norm["combine"] == "sum" else blocks.amax(0)

    def save(self, path: str | os.PathLike) -> None:
        """Writes the weights to a file that greed reads. Its calibration and its errors are no longer known."""
        meta = {k: v for k, v in self.meta.items() if k != "metrics"}
        info = {k: v for k, v in self.info.items() if k in ("greed.model.version", "greed.model.unseen")}
        head: dict[str, Any] = {"__metadata__": info | {"greed.model": json.dumps(meta)}}
        data = b""
        for name, w in self.weights.items():
            text = w.detach().cpu().numpy().astype("<f4").tobytes()
            head[name.replace("/", ".")] = {"dtype": "F32", "shape": list(w.shape), "data_offsets": [len(data), len(data) + len(text)]}
            data += text
        text = json.dumps(head).encode()
        text += b" " * (-len(text) % 8)
        with open(path, "wb") as f:
            f.write(len(text).to_bytes(8, "little") + text + data)


class _Batch:
    """The nodes of several graphs, numbered one after the other."""

    def __init__(self, graphs: list[Graph], rows: list[dict[str, int]], directed: bool):
        labels: list[int] = []
        owner: list[int] = []
        ends: list[tuple[int, int]] = []
        edges: list[int] = []
        for i, g in enumerate(graphs):
            if g.directed != directed:
                raise ModelError(f"graph {i}: the model was trained on {'directed' if directed else 'undirected'} graphs")
            first = len(labels)
            labels += [0 if x is WILDCARD else rows[0].get(x, 0) for x in g.labels]
            owner += [i] * (len(labels) - first)
            for u, v, x in g.edges:
                ends.append((first + u, first + v))
                edges.append(0 if x is WILDCARD else rows[1].get(x, 0))
        self.count, self.directed, self.ends, self.labels, self.owner = len(graphs), directed, ends, labels, owner
        both, edge = np.array(ends, np.int64).reshape(-1, 2), np.array(edges, np.int64)
        self.out, self.into = both[:, 0], both[:, 1]
        self.along, self.against = (2 * edge, 2 * edge + 1) if directed else (edge, edge)

    def arcs(self, apart: bool) -> dict[str, tuple[np.ndarray, ...]]:
        """Returns for each way of following arcs the nodes, their neighbours and the rows of the labels between. A
        self-loop without direction is one arc."""
        out, into = (self.out, self.into, self.along), (self.into, self.out, self.against)
        if apart:
            return {"along.": out, "against.": into}
        if not self.directed:
            other = self.out != self.into
            into = (into[0][other], into[1][other], into[2][other])
        return {"": tuple(np.concatenate(pair) for pair in zip(out, into))}

    def features(self) -> dict[str, list[int]]:
        """Returns the rows of what surrounds each node."""
        n = len(self.labels)
        near: list[set[int]] = [set() for _ in range(n)]
        degree = [0] * n
        for u, v in self.ends:
            degree[u] += 1
            degree[v] += self.directed or u != v
            if u != v:
                near[u].add(v)
                near[v].add(u)
        shortest, edges = [0] * n, [0] * n
        for v in range(n):
            for u in near[v]:
                if d := _detour(near, u, v):
                    edges[v] += 1
                    shortest[v] = min(shortest[v] or d + 1, d + 1)
        return {
            "degree": [d if d < 16 else min(24, 16 + (d // 16).bit_length()) - 1 for d in degree],
            "cycle": [min(max(0, s - 2), 7) for s in shortest],
            "cycle_edges": [min(e, 7) for e in edges],
        }


def _detour(near: list[set[int]], u: int, v: int) -> int:
    """Returns the length of the shortest way from u to v without the edge between them, 0 if there is none."""
    distance, queue = {u: 0}, deque([u])
    while queue:
        x = queue.popleft()
        for y in near[x]:
            if y not in distance and (x != u or y != v):
                if y == v:
                    return distance[x] + 1
                distance[y] = distance[x] + 1
                queue.append(y)
    return 0
