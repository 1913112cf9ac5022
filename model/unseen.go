package model

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/greedgraph/greed/graph"
)

// unseen are the sorted hashes of graphs that were held out of training.
type unseen []uint64

// HoldOut records graphs of the training collection from which the model did not learn. They share a vocabulary.
func (m *Model) HoldOut(graphs []*graph.Graph) {
	m.unseen = nil
	for _, g := range graphs {
		m.unseen = append(m.unseen, m.hash(g))
	}
	slices.Sort(m.unseen)
	m.unseen = slices.Compact(m.unseen)
}

// hash returns a hash of the isomorphism class of g by the texts of its labels.
func (m *Model) hash(g *graph.Graph) uint64 { return graph.Adopt(m.meta.Vocabulary, g).Hash() }

// Unseen returns which of the graphs of a collection the model did not learn from, as far as is known. As many of them
// as were held out of training say how many it probably learnt from. If these are more than a tenth, those held out
// alone are unseen, otherwise all are. Known is false if the model does not say what was held out.
func (m *Model) Unseen(graphs []*graph.Graph) (at []int, known bool) {
	var held, all []int
	for i, g := range graphs {
		if _, ok := slices.BinarySearch(m.unseen, m.hash(g)); ok {
			held = append(held, i)
		}
		all = append(all, i)
	}
	if len(m.unseen) == 0 {
		return all, false
	}
	learnt := float64(len(held)) * float64(m.meta.Training.Graphs) / float64(len(m.unseen))
	if learnt > float64(len(graphs))/10 {
		return held, true
	}
	return all, true
}

// text returns the hashes as a model file has them.
func (u unseen) text() string {
	var b []byte
	for _, h := range u {
		b = binary.LittleEndian.AppendUint64(b, h)
	}
	return base64.StdEncoding.EncodeToString(b)
}

// parseUnseen reads what [unseen.text] wrote.
func parseUnseen(text string) (unseen, error) {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(b)%8 != 0 {
		return nil, fmt.Errorf("%w: %s has no hashes", ErrFormat, unseenKey)
	}
	var u unseen
	for ; len(b) > 0; b = b[8:] {
		u = append(u, binary.LittleEndian.Uint64(b))
	}
	if !slices.IsSorted(u) {
		return nil, fmt.Errorf("%w: %s is not sorted", ErrFormat, unseenKey)
	}
	return u, nil
}
