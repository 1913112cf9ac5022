package store

import (
	"encoding/binary"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"github.com/greedgraph/greed/graph"
)

// labels maps the numbers of labels in the database to those of a vocabulary. In a new
// vocabulary both are the same. They differ once a change has failed after it added labels
// to the vocabulary. The value is immutable.
type labels struct {
	vocab        *graph.Vocabulary
	moves        int // of the manifest: compacting numbers labels anew
	nodes, edges numbered
}

func newLabels() labels {
	return labels{vocab: graph.NewVocabulary(), nodes: noLabels(), edges: noLabels()}
}

// numbered returns the vocabulary that has the labels under their numbers in the database: l's own or, where
// other collections have added to it, another.
func (l labels) numbered() *graph.Vocabulary {
	same := true
	for _, kind := range []numbered{l.nodes, l.edges} {
		for i, label := range kind.labels {
			same = same && int(label) == i
		}
	}
	if same {
		return l.vocab
	}
	own := graph.NewVocabulary()
	for _, label := range l.nodes.labels[1:] {
		own.Node(l.vocab.NodeText(label))
	}
	for _, label := range l.edges.labels[1:] {
		own.Edge(l.vocab.EdgeText(label))
	}
	return own
}

func labelKey(kind byte, number int) []byte {
	return binary.BigEndian.AppendUint32([]byte{kind}, uint32(number))
}

// read returns l as the collection has it now. If that was compacted since, the numbers
// are others, in a new vocabulary.
func (l labels) read(tx *bolt.Tx, m *manifest) (labels, error) {
	if l.moves != m.Moves {
		l = newLabels()
		l.moves = m.Moves
	}
	var err error
	if l.nodes, err = readLabels(tx, 'n', l.nodes, m.NodeLabels, l.vocab.Node); err != nil {
		return l, err
	}
	l.edges, err = readLabels(tx, 'e', l.edges, m.EdgeLabels, l.vocab.Edge)
	return l, err
}

func readLabels(tx *bolt.Tx, kind byte, known numbered, count int, add func(string) graph.Label) (numbered, error) {
	if known.len() > count {
		return known.first(count), nil // a copy of the database may be older than what is known
	}
	for i := known.len() + 1; i <= count; i++ {
		text, _, err := get(tx, labelsBucket, labelKey(kind, i))
		if err != nil {
			return known, err
		}
		if text == nil {
			return known, fmt.Errorf("%w: label %c%d is missing", ErrDamaged, kind, i)
		}
		l := add(string(text))
		if _, ok := known.number(l); ok {
			return known, fmt.Errorf("%w: label %c%d occurs twice", ErrDamaged, kind, i)
		}
		known = known.add(l)
	}
	return known, nil
}

// numbering gives labels of a vocabulary their numbers in the database, in a transaction
// that enters those that it lacks.
type numbering struct {
	m      *manifest
	labels *labels
	enter  func(kind byte, number int, text string) error
}

// number returns the numbering of a transaction.
func number(tx *bolt.Tx, m *manifest, l *labels) *numbering {
	return &numbering{m, l, func(kind byte, number int, text string) error {
		_, err := put(tx, labelsBucket, labelKey(kind, number), []byte(text))
		return err
	}}
}

func (n *numbering) node(l graph.Label) (int, error) {
	return n.number('n', l, &n.labels.nodes, &n.m.NodeLabels, n.labels.vocab.NodeText)
}

func (n *numbering) edge(l graph.Label) (int, error) {
	return n.number('e', l, &n.labels.edges, &n.m.EdgeLabels, n.labels.vocab.EdgeText)
}

func (n *numbering) number(kind byte, l graph.Label, known *numbered, count *int,
	text func(graph.Label) string) (int, error) {
	if i, ok := known.number(l); ok {
		return i, nil
	}
	*known = known.add(l)
	*count = known.len()
	return *count, n.enter(kind, *count, text(l))
}
