package dataset_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/lab/testing/graphtest"
)

// Fields of onnx.proto, for short.
func onnxModel(graph ...string) string {
	return graphtest.Varint(1, 8) + graphtest.Bytes(7, graph...)
}

func operator(op string, inputs, outputs []string, more ...string) string {
	var text []string
	for _, name := range inputs {
		text = append(text, graphtest.Bytes(1, name))
	}
	for _, name := range outputs {
		text = append(text, graphtest.Bytes(2, name))
	}
	return graphtest.Bytes(1, append(append(text, graphtest.Bytes(4, op)), more...)...)
}

func tensorValue(field int, name string, dims ...string) string {
	var shape string
	for _, d := range dims {
		shape += graphtest.Bytes(1, graphtest.Bytes(2, d))
	}
	return graphtest.Bytes(field, graphtest.Bytes(1, name), graphtest.Bytes(2, graphtest.Bytes(1, graphtest.Varint(1, 1), graphtest.Bytes(2, shape))))
}

// aNetwork has an operator with weights, one without, and shapes.
var aNetwork = onnxModel(
	graphtest.Bytes(2, "net"),
	operator("Conv", []string{"x", "w", "b"}, []string{"y"}, graphtest.Bytes(3, "conv"),
		graphtest.Bytes(5, graphtest.Bytes(1, "pads"), graphtest.Varint(8, 1), graphtest.Varint(8, 1)),
		graphtest.Bytes(5, graphtest.Bytes(1, "mode"), graphtest.Bytes(4, "same"))),
	operator("Relu", []string{"y"}, []string{"z"}),
	graphtest.Bytes(5, graphtest.Varint(1, 4), graphtest.Varint(1, 3), graphtest.Varint(2, 1), graphtest.Bytes(8, "w"), graphtest.Bytes(9, strings.Repeat("\x00", 48))),
	graphtest.Bytes(5, graphtest.Bytes(1, "\x04"), graphtest.Varint(2, 7), graphtest.Bytes(8, "b")), // packed
	tensorValue(11, "x", "N", "3"), tensorValue(11, "w", "4", "3"), tensorValue(12, "z", "N", "4"), tensorValue(13, "y", "N", "4"),
)

// TestONNX: operators and tensors, what weights are, and bodies.
func TestONNX(t *testing.T) {
	for _, c := range []struct {
		what, text, nodes, edges, want string
	}{
		{"operators", aNetwork, "", "", "Conv Relu Input Output; 0>1:Nx4 1>3:Nx4 2>0:Nx3"},
		{"weights", aNetwork, "label,weights", "element", "Conv|float32 4x3, int64 4 Relu| Input| Output|; 0>1:float32 1>3:float32 2>0:float32"},
		{"attributes", aNetwork, "label,pads,mode", "-", "Conv|1 1|same Relu|0|0 Input|0|0 Output|0|0; 0>1:0 1>3:0 2>0:0"},
		{"names", aNetwork, "id", "-", "conv z x Output z; 0>1:0 1>3:0 2>0:0"},
		{"bodies that use one name", onnxModel(
			operator("Relu", []string{"in"}, []string{"x"}),
			operator("If", []string{"c"}, []string{"out"},
				graphtest.Bytes(5, graphtest.Bytes(1, "then_branch"), graphtest.Bytes(6, operator("Neg", []string{"x"}, []string{"y"}), tensorValue(12, "y"))),
				graphtest.Bytes(5, graphtest.Bytes(1, "else_branch"), graphtest.Bytes(6, operator("Abs", []string{"x"}, []string{"y"}), tensorValue(12, "y")))),
			tensorValue(11, "in"), tensorValue(11, "c"), tensorValue(12, "out")),
			"", "-", "Relu Neg Abs If Input Input Output; 0>1:0 0>2:0 1>3:0 2>3:0 3>6:0 4>0:0 5>3:0"},
		{"what nothing makes", onnxModel(operator("Add", []string{"a", "a", ""}, []string{"b"})), "", "-", "Add; "},
	} {
		opt := dataset.Options{Rules: dataset.Rules{NodeLabel: c.nodes, EdgeLabel: c.edges, EdgeChosen: true}}
		opt.NodeChosen = strings.Contains(c.nodes, "pads") // which only some have
		list, _, err := readText(c.text, "stream", opt)
		if err != nil || len(list) != 1 {
			t.Errorf("%s: %d graphs, %v", c.what, len(list), err)
			continue
		}
		if got := drawing(list[0].Graph); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
	list, notes, err := readText(aNetwork+graphtest.Bytes(25, "f")+graphtest.Bytes(2, "me"), "x.onnx", dataset.Options{})
	if err != nil || list[0].ID != "net" || list[0].Attributes["producer"] != "me" || !contains(notes, "1 function of the model was left out") {
		t.Errorf("%+v, notes %q, %v", list, notes, err)
	}
}

// TestONNXDamaged: a model that is cut short anywhere is an error or a smaller model, and says at which byte.
func TestONNXDamaged(t *testing.T) {
	for at := range aNetwork {
		_, _, err := readText(aNetwork[:at], "x", dataset.Options{Format: "onnx"})
		if err == nil {
			t.Errorf("cut after %d bytes it is read", at)
		}
	}
	for text, want := range map[string]string{
		onnxModel(operator("", nil, nil)):                         "without an operator",
		onnxModel("\x0a\x7f"):                                     "longer than what holds it",
		onnxModel() + onnxModel():                                 "two graphs",
		graphtest.Varint(1, 8):                                    "no graph",
		onnxModel("\x0b"):                                         "of today do not have",
		onnxModel(graphtest.Bytes(2, strings.Repeat("a", 1<<17))): "expected at most 65536",
		onnxModel(operator("Loop", nil, nil, bodies(40))):         "deep",
		onnxModel(graphtest.Bytes(5, "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")): "no number",
	} {
		if _, _, err := readText(text, "x", dataset.Options{Format: "onnx"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text[:min(len(text), 40)], err, want)
		}
	}
}

func bodies(n int) string {
	if n == 0 {
		return ""
	}
	return graphtest.Bytes(5, graphtest.Bytes(6, operator("Loop", nil, nil, bodies(n-1))))
}

// TestONNXOfONNX reads what the onnx package and ONNX Runtime wrote: before and after an optimiser.
func TestONNXOfONNX(t *testing.T) {
	for name, want := range map[string]string{
		"digits.onnx":           "Conv BatchNormalization Relu MaxPool Identity Constant Reshape MatMul Add Input Output; 0>1:1x4x8x8 1>2:1x4x8x8 2>3:1x4x8x8 3>4:1x4x4x4 4>6:1x4x4x4 5>6:2 6>7:1x64 7>8:1x10 8>10:1x10 9>0:1x1x8x8",
		"digits.optimised.onnx": "FusedConv MaxPool Reshape Gemm Input Output; 0>1:1x4x8x8 1>2:1x4x4x4 2>3:1x64 3>5:1x10 4>0:1x1x8x8",
	} {
		text, err := os.ReadFile(filepath.Join("..", "examples", "networks", name))
		if err != nil {
			t.Fatal(err)
		}
		list, _, err := readText(string(text), name, dataset.Options{})
		if err != nil || drawing(list[0].Graph) != want {
			t.Errorf("%s: %v, %s", name, err, drawing(list[0].Graph))
		}
	}
}
