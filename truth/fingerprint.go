package truth

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"

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
	}{j.Task, j.Costs, j.Limits, j.Method, j.Maps}, j.Pairs, j.Queries, j.Targets)
}

// Fingerprint hashes settings, in their JSON form, collections of graphs by the
// texts of their labels, and pairs. It panics if the settings have no JSON form.
func Fingerprint(settings any, pairs []Pair, collections ...[]*graph.Graph) [FingerprintSize]byte {
	h := sha256.New()
	w := hasher{bufio.NewWriterSize(h, 1<<14)}
	form, err := json.Marshal(settings)
	if err != nil {
		panic("truth: " + err.Error()) // costs are checked and finite
	}
	w.text(string(form))
	for _, graphs := range collections {
		w.number(len(graphs))
		for _, g := range graphs {
			w.graph(g)
		}
	}
	w.number(len(pairs))
	for _, p := range pairs {
		w.number(int(p.Query))
		w.number(int(p.Target))
	}
	w.Flush()
	return [FingerprintSize]byte(h.Sum(nil))
}

// hasher writes to a hash, which never fails.
type hasher struct{ *bufio.Writer }

func (w hasher) number(x int) {
	w.Write(binary.LittleEndian.AppendUint64(w.AvailableBuffer(), uint64(x)))
}

func (w hasher) text(s string) {
	w.number(len(s))
	w.WriteString(s)
}

func (w hasher) graph(g *graph.Graph) {
	if g.Directed() {
		w.text("directed")
	} else {
		w.text("undirected")
	}
	w.number(g.N())
	for v := range g.N() {
		w.text(g.LabelText(v))
	}
	w.number(g.M())
	for e := range g.Edges() {
		w.number(e.From)
		w.number(e.To)
		w.text(g.Vocabulary().EdgeText(e.Label))
	}
}
