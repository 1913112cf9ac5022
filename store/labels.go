package store

import (
	"encoding/binary"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"github.com/greedgraph/greed/graph"
)

// labels maps the numbers of labels in the database to those of a vocabulary. In a new
// vocabulary both are the same. They differ once a query has added a label that the
// collection lacks, or another process has added one to the collection. The value is
// immutable.
type labels struct {
	vocab        *graph.Vocabulary
	nodes, edges []graph.Label // by number in the database; 0 is the wildcard
}

func newLabels() labels {
	return labels{graph.NewVocabulary(), []graph.Label{graph.Wildcard}, []graph.Label{graph.Wildcard}}
}

func labelKey(kind byte, number int) []byte {
	return binary.BigEndian.AppendUint32([]byte{kind}, uint32(number))
}

// read returns l extended by the labels that the collection has gained.
func (l labels) read(tx *bolt.Tx, m *manifest) (labels, error) {
	var err error
	if l.nodes, err = readLabels(tx, 'n', l.nodes, m.NodeLabels, l.vocab.Node); err != nil {
		return l, err
	}
	l.edges, err = readLabels(tx, 'e', l.edges, m.EdgeLabels, l.vocab.Edge)
	return l, err
}

func readLabels(tx *bolt.Tx, kind byte, known []graph.Label, count int, add func(string) graph.Label) ([]graph.Label, error) {
	if len(known) > count {
		// The change failed after it entered labels, or the collection was replaced by one
		// with fewer.
		return known[: count+1 : count+1], nil
	}
	known = known[:len(known):len(known)] // do not share the array: others may extend it, too
	seen := make(map[graph.Label]bool)
	for _, l := range known {
		seen[l] = true
	}
	for i := len(known); i <= count; i++ {
		text, _, err := get(tx, labelsBucket, labelKey(kind, i))
		if err != nil {
			return known, err
		}
		if text == nil {
			return known, fmt.Errorf("%w: label %c%d is missing", ErrDamaged, kind, i)
		}
		l := add(string(text))
		if seen[l] {
			return known, fmt.Errorf("%w: label %c%d occurs twice", ErrDamaged, kind, i)
		}
		seen[l] = true
		known = append(known, l)
	}
	return known, nil
}

// numbering returns the database's numbers for labels of the vocabulary. It enters
// labels that the database lacks.
type numbering struct {
	m            *manifest
	labels       *labels
	nodes, edges map[graph.Label]int
	enter        func(kind byte, number int, text string) error
}

// number returns the numbering of a transaction.
func number(tx *bolt.Tx, m *manifest, l *labels) *numbering {
	return &numbering{m, l, inverse(l.nodes), inverse(l.edges), func(kind byte, number int, text string) error {
		_, err := put(tx, labelsBucket, labelKey(kind, number), []byte(text))
		return err
	}}
}

func inverse(list []graph.Label) map[graph.Label]int {
	of := make(map[graph.Label]int, len(list))
	for i, l := range list {
		of[l] = i
	}
	return of
}

func (n *numbering) node(l graph.Label) (int, error) {
	if i, ok := n.nodes[l]; ok {
		return i, nil
	}
	i := len(n.labels.nodes)
	n.m.NodeLabels, n.nodes[l] = i, i
	n.labels.nodes = append(n.labels.nodes[:i:i], l) // do not share the array: others may extend it, too
	return i, n.enter('n', i, n.labels.vocab.NodeText(l))
}

func (n *numbering) edge(l graph.Label) (int, error) {
	if i, ok := n.edges[l]; ok {
		return i, nil
	}
	i := len(n.labels.edges)
	n.m.EdgeLabels, n.edges[l] = i, i
	n.labels.edges = append(n.labels.edges[:i:i], l)
	return i, n.enter('e', i, n.labels.vocab.EdgeText(l))
}
