package dataset

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

func onnxFormat() format {
	return format{
		name: "onnx", named: true, about: "ONNX networks: operators, and the tensors between them",
		extensions: []string{"onnx"},
		sniff: func(head []byte) bool {
			// A model has no magic, but programs write its fields in their order, the version first.
			if len(head) == 0 || head[0] != modelVersion<<3 {
				return false
			}
			for graph, n := false, 0; ; head = head[n:] {
				var number protowire.Number
				var kind protowire.Type
				if number, kind, n = protowire.ConsumeTag(head); n < 0 {
					return graph
				}
				inModel := number <= 8 || number == 14 || number == 20 || number == 25
				want := protowire.BytesType
				if number == modelVersion || number == 5 {
					want = protowire.VarintType
				}
				if !inModel || kind != want {
					return false
				}
				graph = graph || number == modelGraph || number == modelOperators
				value := protowire.ConsumeFieldValue(number, kind, head[n:])
				if value < 0 {
					return graph && kind == protowire.BytesType // the head ends here
				}
				n += value
			}
		},
		open: func(in *input, e *env) (decoder, error) {
			return &onnx{wire: wire{input: in, env: e}}, nil
		},
	}
}

// Numbers of fields of onnx.proto.
const (
	modelVersion   = 1
	modelProducer  = 2
	modelGraph     = 7
	modelOperators = 8
	modelFunctions = 25

	graphNode    = 1
	graphName    = 2
	graphWeights = 5
	graphInput   = 11
	graphOutput  = 12
	graphValue   = 13

	nodeInput     = 1
	nodeOutput    = 2
	nodeName      = 3
	nodeOperator  = 4
	nodeAttribute = 5
)

// onnx decodes a model of ONNX (onnx.proto, versions 1 to 13). Its nodes are the operators, those of bodies of If, Loop
// and Scan among them, and the inputs and outputs of graphs, which are labelled so. Nodes have the attributes of the
// operator, and weights, which says the types and shapes of its constant inputs, if any; edges are tensors, with their
// shape and type as far as the model states them. The values of weights are skipped, and functions with a note.
type onnx struct {
	wire
	raw  *rawGraph
	done bool
	// tensors are the names of tensors. By number: the node that makes each, plus 1, its attributes as an edge, and
	// what it is as a constant, a number of constants plus 1.
	tensors                 names
	producer, shape, weight []uint32
	constants               names
	defined                 []uint32 // tensors that operators make
	inputs                  []uint32 // of the operators that are open
}

// ofTensor marks the end of an edge that is a tensor until it is known which node makes it.
const ofTensor = 1 << 31

func (d *onnx) next() (Record, error) {
	if d.done {
		return Record{}, io.EOF
	}
	d.done = true
	d.raw = &d.env.raw
	d.raw.reset(d.env, 1)
	d.raw.directed = true
	graphs := 0
	err := d.fields(func(number protowire.Number, kind protowire.Type) error {
		switch {
		case number == modelGraph && kind == protowire.BytesType:
			if graphs++; graphs > 1 {
				return d.bad("found two graphs in a model, expected one")
			}
			return d.network(nil)
		case number == modelProducer && kind == protowire.BytesType:
			text, err := d.text()
			d.raw.setAttribute("producer", text)
			return err
		case number == modelFunctions:
			d.env.notes.count(1, "function of the model was left out: its calls are operators",
				"functions of the model were left out: their calls are operators")
		}
		return errSkip
	})
	if err == nil && graphs == 0 {
		err = d.bad("found no graph, expected a model of ONNX")
	}
	var rec Record
	if err == nil {
		rec, err = d.env.build(d.raw)
	}
	if err != nil {
		return Record{}, d.env.bad(d.name, 1, d.raw.id, nil, err)
	}
	rec.File = d.name
	return rec, nil
}

// tensor returns the number of a tensor.
func (d *onnx) tensor(name string) uint32 {
	number, added := d.tensors.get(name)
	if added {
		d.producer, d.shape, d.weight = add(d.producer, 0), add(d.shape, noAttrs), add(d.weight, 0)
	}
	return number
}

// network reads a graph. Its outputs are nodes or, of a body, what outer is called with, ends of edges.
func (d *onnx) network(outer func(from uint32)) error {
	var inputs, outputs []uint32
	nodes, edges, defined := len(d.raw.nodes), len(d.raw.edges), len(d.defined)
	err := d.message(func(number protowire.Number, kind protowire.Type) (err error) {
		if kind != protowire.BytesType {
			return errSkip
		}
		var t uint32
		switch number {
		case graphNode:
			return d.operator()
		case graphName:
			if outer != nil {
				return errSkip
			}
			d.raw.id, err = d.text()
		case graphWeights:
			err = d.constant()
		case graphInput:
			t, err = d.value()
			inputs = add(inputs, t)
		case graphOutput:
			t, err = d.value()
			outputs = add(outputs, t)
		case graphValue:
			_, err = d.value()
		default:
			return errSkip
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, t := range inputs {
		if d.weight[t] == 0 {
			if err := d.end("Input", t); err != nil {
				return err
			}
			d.makes(t)
		}
	}
	for _, t := range outputs {
		if outer != nil {
			if p := d.producer[t]; p > 0 {
				outer(p - 1)
			} else {
				outer(t | ofTensor)
			}
			continue
		}
		if err := d.end("Output", t); err != nil {
			return err
		}
		if err := d.raw.join(t|ofTensor, uint32(len(d.raw.nodes)-1), 1, noAttrs); err != nil {
			return err
		}
	}
	d.resolve(nodes, edges, outer == nil)
	for _, t := range d.defined[defined:] {
		d.producer[t] = 0 // what a body makes is known there alone
	}
	d.defined = d.defined[:defined]
	return nil
}

// makes says that the last node makes a tensor.
func (d *onnx) makes(t uint32) {
	d.producer[t] = uint32(len(d.raw.nodes))
	d.defined = add(d.defined, t)
}

// resolve makes the edges of a graph lead from its nodes, and those from constants weights of their nodes. The first
// node and the first edge are given. Edges from elsewhere stay unless the graph is whole.
func (d *onnx) resolve(node, first int, whole bool) {
	kept, missing := d.raw.edges[:first], 0
	var text []byte
	for i, e := range d.raw.edges[first:] {
		t := e.from &^ ofTensor
		switch {
		case e.from&ofTensor == 0:
			kept = append(kept, e)
		case int(d.producer[t]) > node:
			e.from, e.attrs = d.producer[t]-1, d.shape[t]
			kept = append(kept, e)
		case d.weight[t] > 0:
			if len(text) > 0 {
				text = append(text, ", "...)
			}
			text = append(text, d.constants.at(d.weight[t]-1)...)
		case !whole:
			kept = append(kept, e)
		default:
			missing++
		}
		if next := first + i + 1; len(text) > 0 && (next == len(d.raw.edges) || d.raw.edges[next].to != e.to) {
			node := &d.raw.nodes[e.to]
			node.attrs = d.raw.nodeAttrs.add(node.attrs, "weights", string(text), textKind)
			text = text[:0]
		}
	}
	d.raw.edges = kept
	d.env.notes.count(missing, "tensor that nothing makes was left out", "tensors that nothing makes were left out")
}

// end adds a node for an input or an output. It is called as its tensor, unless an operator is.
func (d *onnx) end(label string, t uint32) error {
	chain := d.raw.nodeAttrs.add(d.raw.nodeAttrs.add(noAttrs, "weights", "", textKind), "label", label, textKind)
	tensor := string(d.tensors.at(t))
	for _, name := range []string{tensor, label + " " + tensor} {
		if number := d.raw.mention(name); d.raw.at[number] == undeclared {
			return d.raw.addNode(number, 1, chain)
		}
	}
	return d.bad("found the %s %s twice", strings.ToLower(label), quoted(tensor))
}

// node adds a node by the first of some names that no other node has, or by the last of them with a number.
func (d *onnx) node(chain uint32, names ...string) error {
	for _, name := range names {
		if name == "" {
			continue
		}
		if number := d.raw.mention(name); d.raw.at[number] == undeclared {
			return d.raw.addNode(number, 1, chain)
		}
	}
	for k := len(d.raw.nodes); ; k++ {
		if number := d.raw.mention(names[len(names)-1] + "_" + strconv.Itoa(k)); d.raw.at[number] == undeclared {
			return d.raw.addNode(number, 1, chain)
		}
	}
}

// operator reads a node.
func (d *onnx) operator() error {
	var name, operator, first string
	open, outputs, chain := len(d.inputs), len(d.defined), noAttrs
	err := d.message(func(number protowire.Number, kind protowire.Type) (err error) {
		if kind != protowire.BytesType {
			return errSkip
		}
		var text string
		switch number {
		case nodeInput:
			if text, err = d.text(); text != "" { // else the input is not used
				d.inputs = add(d.inputs, d.tensor(text)|ofTensor)
			}
		case nodeOutput:
			if text, err = d.text(); text != "" {
				d.defined = add(d.defined, d.tensor(text))
				if first == "" {
					first = text
				}
			}
		case nodeName:
			name, err = d.text()
		case nodeOperator:
			operator, err = d.text()
		case nodeAttribute:
			chain, err = d.attribute(chain)
		default:
			return errSkip
		}
		return err
	})
	if err != nil {
		return err
	}
	if operator == "" {
		return d.bad("found a node without an operator")
	}
	chain = d.raw.nodeAttrs.add(d.raw.nodeAttrs.add(chain, "weights", "", textKind), "label", operator, textKind)
	if err := d.node(chain, name, first, operator); err != nil {
		return err
	}
	for _, from := range d.inputs[open:] {
		if err := d.raw.join(from, uint32(len(d.raw.nodes)-1), 1, noAttrs); err != nil {
			return err
		}
	}
	d.inputs = d.inputs[:open]
	for _, t := range d.defined[outputs:] {
		d.producer[t] = uint32(len(d.raw.nodes))
	}
	return nil
}

// Numbers of fields of an attribute, and of the tensor types.
const (
	attributeName    = 1
	attributeFloat   = 2
	attributeInt     = 3
	attributeString  = 4
	attributeTensor  = 5
	attributeGraph   = 6
	attributeFloats  = 7
	attributeInts    = 8
	attributeStrings = 9
	attributeGraphs  = 11

	tensorDims = 1
	tensorType = 2
	tensorName = 8

	valueName = 1
	valueType = 2
)

// attribute reads an attribute of an operator and returns its chain with one more entry. A body is read as a graph.
func (d *onnx) attribute(chain uint32) (uint32, error) {
	var name string
	var values []byte
	set := func(err error, text string) error {
		if len(values) > 0 {
			values = append(values, ' ')
		}
		values = append(values, text...)
		return err
	}
	err := d.message(func(number protowire.Number, kind protowire.Type) (err error) {
		switch {
		case number == attributeName && kind == protowire.BytesType:
			name, err = d.text()
		case number == attributeString || number == attributeStrings:
			if kind != protowire.BytesType {
				return errSkip
			}
			var text string
			text, err = d.text()
			err = set(err, text)
		case number == attributeFloat || number == attributeFloats:
			err = d.numbers(kind, func() error {
				x, err := d.float()
				return set(err, strconv.FormatFloat(float64(x), 'g', -1, 32))
			})
		case number == attributeInt || number == attributeInts:
			err = d.numbers(kind, func() error {
				x, err := d.varint()
				return set(err, strconv.FormatInt(int64(x), 10))
			})
		case number == attributeTensor && kind == protowire.BytesType:
			var text string
			_, text, err = d.described()
			err = set(err, text)
		case (number == attributeGraph || number == attributeGraphs) && kind == protowire.BytesType:
			err = d.network(func(from uint32) { d.inputs = add(d.inputs, from) })
		default:
			return errSkip
		}
		return err
	})
	if err == nil && name != "" && len(values) > 0 {
		chain = d.raw.nodeAttrs.add(chain, name, string(values), textKind)
	}
	return chain, err
}

// mostShape is how many bytes of a type and a shape are kept.
const mostShape = 20

// described reads a tensor: its name, type and shape. Its values are skipped.
func (d *onnx) described() (name, text string, err error) {
	var dims []byte
	element := uint64(0)
	err = d.message(func(number protowire.Number, kind protowire.Type) (err error) {
		switch {
		case number == tensorDims:
			err = d.numbers(kind, func() error {
				x, err := d.varint()
				dims = dimension(dims, strconv.FormatInt(int64(x), 10))
				return err
			})
		case number == tensorType && kind == protowire.VarintType:
			element, err = d.varint()
		case number == tensorName && kind == protowire.BytesType:
			name, err = d.text()
		default:
			return errSkip
		}
		return err
	})
	text = elementName(element)
	if len(dims) > 0 {
		text += " " + string(dims)
	}
	return name, text, err
}

// dimension adds a dimension to a shape, unless that is long already.
func dimension(dims []byte, size string) []byte {
	switch {
	case len(dims) >= mostShape:
		return dims
	case len(dims)+1+len(size) > mostShape:
		return append(dims, strings.Repeat("…", 1+mostShape/3)...)[:mostShape]
	case len(dims) > 0:
		dims = append(dims, 'x')
	}
	return append(dims, size...)
}

// constant reads an initialiser.
func (d *onnx) constant() error {
	name, text, err := d.described()
	if err != nil {
		return err
	}
	number, _ := d.constants.get(text)
	d.weight[d.tensor(name)] = number + 1
	return nil
}

// value reads an input, an output or a tensor between operators, with its type and shape.
func (d *onnx) value() (t uint32, err error) {
	var name, element string
	var dims []byte
	err = d.message(func(number protowire.Number, kind protowire.Type) (err error) {
		switch {
		case kind != protowire.BytesType:
			return errSkip
		case number == valueName:
			name, err = d.text()
		case number == valueType:
			err = d.message(func(number protowire.Number, kind protowire.Type) error {
				if number != 1 || kind != protowire.BytesType { // of a tensor
					return errSkip
				}
				return d.message(func(number protowire.Number, kind protowire.Type) (err error) {
					switch {
					case number == 1 && kind == protowire.VarintType:
						var x uint64
						x, err = d.varint()
						element = elementName(x)
					case number == 2 && kind == protowire.BytesType:
						dims, err = d.dims()
					default:
						return errSkip
					}
					return err
				})
			})
		default:
			return errSkip
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	t = d.tensor(name)
	chain := noAttrs
	if len(dims) > 0 {
		chain = d.raw.edgeAttrs.add(chain, "shape", string(dims), textKind)
	}
	if element != "" {
		chain = d.raw.edgeAttrs.add(chain, "element", element, textKind)
	}
	d.shape[t] = chain
	return t, nil
}

// dims reads a shape: of each dimension its size or its name, or ? if it has none.
func (d *onnx) dims() (dims []byte, err error) {
	err = d.message(func(number protowire.Number, kind protowire.Type) error {
		if number != 1 || kind != protowire.BytesType {
			return errSkip
		}
		size := "?"
		err := d.message(func(number protowire.Number, kind protowire.Type) (err error) {
			switch {
			case number == 1 && kind == protowire.VarintType:
				var x uint64
				x, err = d.varint()
				size = strconv.FormatInt(int64(x), 10)
			case number == 2 && kind == protowire.BytesType:
				size, err = d.text()
			default:
				return errSkip
			}
			return err
		})
		dims = dimension(dims, size)
		return err
	})
	return dims, err
}

// elements are the types of tensors (TensorProto.DataType).
var elements = [...]string{
	"", "float32", "uint8", "int8", "uint16", "int16", "int32", "int64", "string", "bool", "float16", "float64",
	"uint32", "uint64", "complex64", "complex128", "bfloat16",
}

func elementName(x uint64) string {
	if x < uint64(len(elements)) {
		return elements[x]
	}
	return fmt.Sprintf("type%d", x)
}
