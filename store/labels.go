package store

import (
	"encoding/binary"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"github.com/greedgraph/greed/graph"
)

func labelKey(kind byte, number int) []byte {
	return binary.BigEndian.AppendUint32([]byte{kind}, uint32(number))
}

// readLabels fills an empty vocabulary.
func readLabels(tx *bolt.Tx, m *manifest, v *graph.Vocabulary) error {
	read := func(kind byte, count int, add func(string) graph.Label) error {
		for i := 1; i <= count; i++ {
			text, _, err := get(tx, labelsBucket, labelKey(kind, i))
			if err != nil {
				return err
			}
			if text == nil || int(add(string(text))) != i {
				return fmt.Errorf("%w: label %c%d is missing or occurs twice", ErrDamaged, kind, i)
			}
		}
		return nil
	}
	if err := read('n', m.NodeLabels, v.Node); err != nil {
		return err
	}
	return read('e', m.EdgeLabels, v.Edge)
}

// writeLabels adds the labels that the vocabulary has beyond those stored.
func writeLabels(tx *bolt.Tx, m *manifest, v *graph.Vocabulary) error {
	nodes, edges := v.Nodes()-1, v.Edges()-1
	for ; m.NodeLabels < nodes; m.NodeLabels++ {
		n := m.NodeLabels + 1
		if _, err := put(tx, labelsBucket, labelKey('n', n), []byte(v.NodeText(graph.Label(n)))); err != nil {
			return err
		}
	}
	for ; m.EdgeLabels < edges; m.EdgeLabels++ {
		n := m.EdgeLabels + 1
		if _, err := put(tx, labelsBucket, labelKey('e', n), []byte(v.EdgeText(graph.Label(n)))); err != nil {
			return err
		}
	}
	return nil
}
