"""Writes digits.onnx, a small network, and digits.optimised.onnx, what ONNX Runtime makes of it (pip install onnx
onnxruntime)."""

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper


def weights(name: str, *shape: int) -> onnx.TensorProto:
    return numpy_helper.from_array(np.random.RandomState(1).rand(*shape).astype(np.float32), name)


node = helper.make_node
shape = numpy_helper.from_array(np.array([1, -1], dtype=np.int64))
nodes = [
    node("Conv", ["image", "conv1.weight", "conv1.bias"], ["c1"], "/conv1/Conv", kernel_shape=[3, 3], pads=[1] * 4),
    node("BatchNormalization", ["c1", "bn.scale", "bn.bias", "bn.mean", "bn.var"], ["b1"], "/bn/BatchNormalization"),
    node("Relu", ["b1"], ["r1"], "/relu/Relu"),
    node("MaxPool", ["r1"], ["p1"], "/pool/MaxPool", kernel_shape=[2, 2], strides=[2, 2]),
    node("Identity", ["p1"], ["i1"], "/drop/Identity"),
    node("Constant", [], ["shape"], "/Constant", value=shape),
    node("Reshape", ["i1", "shape"], ["f1"], "/Reshape"),
    node("MatMul", ["f1", "fc.weight"], ["m1"], "/fc/MatMul"),
    node("Add", ["m1", "fc.bias"], ["scores"], "/fc/Add"),
]
network = helper.make_graph(
    nodes,
    "digits",
    [helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 1, 8, 8])],
    [helper.make_tensor_value_info("scores", TensorProto.FLOAT, [1, 10])],
    [weights("conv1.weight", 4, 1, 3, 3), weights("conv1.bias", 4)]
    + [weights(f"bn.{name}", 4) for name in ("scale", "bias", "mean", "var")]
    + [weights("fc.weight", 64, 10), weights("fc.bias", 10)],
)
model = helper.make_model(network, opset_imports=[helper.make_opsetid("", 17)], ir_version=8, producer_name="example")
onnx.save(onnx.shape_inference.infer_shapes(model), "digits.onnx")
options = onnxruntime.SessionOptions()
options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
options.optimized_model_filepath = "digits.optimised.onnx"
onnxruntime.InferenceSession("digits.onnx", options, providers=["CPUExecutionProvider"])
