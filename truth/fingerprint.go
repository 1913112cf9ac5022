package truth

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"hash"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
)

// FingerprintSize is the length of a [Fingerprint].
const FingerprintSize = sha256.Size

// fingerprint hashes all that the bounds of a job depend on: task, costs,
// limits, method, graphs by the texts of their labels, and pairs.
func (j Job) fingerprint() [FingerprintSize]byte {
	return Fingerprint(struct {
		Task   edit.Task
		Costs  edit.Costs
		Limits ged.Options
		Method string
		Maps   bool
	}{j.Task, j.Costs, j.Limits, j.Method, j.Maps}, j.Pairs, func(h *Hash) {
		h.Graphs(j.Queries)
		h.Graphs(j.Targets)
	})
}

// Fingerprint hashes settings, in their JSON form, the graphs that are added by graphs, and pairs.
// It panics if the settings have no JSON form.
func Fingerprint(settings any, pairs []Pair, graphs func(*Hash)) [FingerprintSize]byte {
	h := NewHash()
	form, err := json.Marshal(settings)
	if err != nil {
		panic("truth: " + err.Error()) // costs are checked and finite
	}
	h.Text(string(form))
	graphs(h)
	h.Number(len(pairs))
	for _, p := range pairs {
		h.Number(int(p.Query))
		h.Number(int(p.Target))
	}
	return h.Sum()
}

// Hash hashes a sequence of numbers, texts and graphs with SHA-256.
type Hash struct {
	out *bufio.Writer // writes to sum, which never fails
	sum hash.Hash

	graph []byte // memory of Graph
}

// NewHash returns the hash of nothing.
func NewHash() *Hash {
	sum := sha256.New()
	return &Hash{out: bufio.NewWriterSize(sum, 1<<14), sum: sum}
}

// Number adds a number.
func (h *Hash) Number(x int) {
	h.out.Write(binary.LittleEndian.AppendUint64(h.out.AvailableBuffer(), uint64(x)))
}

// Text adds a text.
func (h *Hash) Text(s string) {
	h.Number(len(s))
	h.out.WriteString(s)
}

// Write adds bytes; it never fails.
func (h *Hash) Write(p []byte) (int, error) { return h.out.Write(p) }

// Graph adds a graph by the texts of its labels.
func (h *Hash) Graph(g graph.Form) {
	h.graph = AppendGraph(h.graph[:0], g)
	h.out.Write(h.graph)
}

// Graphs adds a list of graphs.
func (h *Hash) Graphs(list []*graph.Graph) {
	h.Number(len(list))
	for _, g := range list {
		h.Graph(g)
	}
}

// AppendGraph adds to b what [Hash.Graph] adds to a hash.
func AppendGraph(b []byte, g graph.Form) []byte {
	number := func(x int) { b = binary.LittleEndian.AppendUint64(b, uint64(x)) }
	text := func(s string) {
		number(len(s))
		b = append(b, s...)
	}
	if g.Directed() {
		text("directed")
	} else {
		text("undirected")
	}
	number(g.N())
	for v := range g.N() {
		text(g.LabelText(v))
	}
	number(g.M())
	for e := range g.Edges() {
		number(e.From)
		number(e.To)
		text(g.Vocabulary().EdgeText(e.Label))
	}
	return b
}

// Sum returns the hash of all that was added.
func (h *Hash) Sum() [FingerprintSize]byte {
	h.out.Flush()
	return [FingerprintSize]byte(h.sum.Sum(nil))
}
