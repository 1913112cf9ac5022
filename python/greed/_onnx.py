"""The encoder of a model as a graph of ONNX."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

# The first operator set that adds in ScatterElements, and the format of files that came with it.
OPSET, FORMAT = 16, 8


def write(encoder: Any, path: str | os.PathLike) -> None:
    """Writes an encoder of greed.torch, with its description as properties of the file."""
    model = _Builder(encoder).model()
    onnx.checker.check_model(model)
    onnx.save_model(model, os.fspath(path))


class _Builder:
    def __init__(self, encoder: Any):
        self.encoder = encoder
        self.nodes: list[onnx.NodeProto] = []
        self.constants = [numpy_helper.from_array(w.detach().cpu().numpy(), name.replace("/", ".")) for name, w in encoder.weights.items()]

    def add(self, op: str, *inputs: str, **attributes: int | str) -> str:
        """Adds a node and returns the name of its output."""
        name = f"{op}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, list(inputs), [name], name, **attributes))
        return name

    def constant(self, value: np.ndarray) -> str:
        self.constants.append(numpy_helper.from_array(value, f"constant_{len(self.constants)}"))
        return self.constants[-1].name

    def linear(self, name: str, x: str) -> str:
        return self.add("Gemm", x, name + ".weight", name + ".bias", transB=1)

    def onto(self, rows: str, x: str, to: str) -> str:
        """Adds each row of x to that row of rows which its entry of to says."""
        at = self.add("Expand", self.add("Unsqueeze", to, self.constant(np.array([1]))), self.add("Shape", x))
        return self.add("ScatterElements", rows, at, x, axis=0, reduction="add")

    def total(self, x: str, width: int) -> str:
        shape = self.add("Concat", "graphs", self.constant(np.array([width])), axis=0)
        return self.onto(self.add("ConstantOfShape", shape), x, "graph")

    def model(self) -> onnx.ModelProto:
        e = self.encoder
        width = int(e.weights["pre/weight"].shape[1])
        x = self.add("Gather", "pre.weight", "labels")
        for name in e.features:
            x = self.add("Add", x, self.add("Gather", f"pre.{name}.weight", name))
        pool, residual = [self.total(x, width)], x
        for i in range(e.config["layers"]):
            layer, message = f"layers.{i}.", []
            for way in e.ways:
                near = self.add("Gather", x, way + "of")
                if e.config["conv"] == "gine":
                    near = self.add("Relu", self.add("Add", near, self.add("Gather", layer + "edge.weight", way + "edge")))
                own = self.add("Add", x, self.add("Mul", x, layer + way + "eps"))
                message.append(self.onto(own, near, way + "to"))
            x = self.linear(layer + "mlp.2", self.add("Relu", self.linear(layer + "mlp.0", self.add("Concat", *message, axis=1))))
            if i % 2 == 1:
                x = residual = self.add("Add", x, residual)
            x = self.add("Relu", x)
            pool.append(self.total(x, width))
        pooled = self.add("Concat", *pool, axis=1)
        z = self.linear("post.2", self.add("Relu", self.linear("post.0", pooled)))
        if e.config.get("skip"):
            z = self.add("Add", z, self.linear("skip", pooled))
        self.nodes.append(helper.make_node("Identity", [z], ["vectors"]))
        sizes = {"graphs": 1, "labels": "nodes", "graph": "nodes"} | {name: "nodes" for name in e.features}
        sizes |= {way + name: way + "arcs" for way in e.ways for name in ("to", "of", "edge")[: 3 if e.config["conv"] == "gine" else 2]}
        graph = helper.make_graph(
            self.nodes,
            "encoder",
            [helper.make_tensor_value_info(name, TensorProto.INT64, [size]) for name, size in sizes.items()],
            [helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["graphs", sum(e.config["norm"]["widths"])])],
            self.constants,
        )
        made = helper.make_model(graph, producer_name="greed", ir_version=FORMAT, opset_imports=[helper.make_opsetid("", OPSET)])
        helper.set_model_props(made, e.info)
        return made
