package vectorindex

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/greedgraph/greed/internal/kernel"
)

// ErrTree reports data that are not a tree over the given vectors.
var ErrTree = errors.New("vectorindex: not a tree of these vectors")

// memory gives an index its arrays, new ones or those of a file. The shape of the
// vectors decides the number and the lengths of the arrays, so a file holds
// nothing but the arrays, one after the other.
type memory struct {
	fresh bool
	rest  []byte   // of what was saved
	parts [][]byte // handed out so far
	short bool     // rest had not enough
}

// arrayAlign divides the offset of every array in a file.
const arrayAlign = 64

// take returns an array of n numbers.
func take[T kernel.Fixed](m *memory, n int) []T {
	if m.fresh {
		s := make([]T, n)
		kernel.Huge(s)
		m.parts = append(m.parts, kernel.Bytes(s))
		return s
	}
	size := n * binary.Size(*new(T))
	padded := (size + arrayAlign - 1) / arrayAlign * arrayAlign
	if len(m.rest) < padded {
		m.short, m.rest = true, nil
		return make([]T, n)
	}
	part := m.rest[:size:size]
	m.rest = m.rest[padded:]
	return kernel.View[T](part)
}

// WriteTo writes the tree without its vectors, for [OpenBoxTree].
func (t *BoxTree) WriteTo(w io.Writer) (int64, error) {
	total := int64(0)
	for _, part := range t.memory.parts {
		pad := make([]byte, (arrayAlign-len(part)%arrayAlign)%arrayAlign)
		for _, b := range [][]byte{part, pad} {
			n, err := w.Write(b)
			total += int64(n)
			if err != nil {
				return total, err
			}
		}
	}
	return total, nil
}

// whole returns an error unless the file had the length that the shape asks for
// and its positions are those of vectors.
func (t *BoxTree) whole() error {
	if t.memory.short || len(t.memory.rest) > 0 {
		return fmt.Errorf("%w: %d vectors of %d coordinates", ErrTree, t.n, t.dim)
	}
	for _, p := range t.positions {
		if uint32(p) >= uint32(t.n) {
			return fmt.Errorf("%w: position %d of %d", ErrTree, p, t.n)
		}
	}
	return nil
}
