package store

import (
	"errors"
	"fmt"
	"hash/crc32"
	"path/filepath"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/ged/bound"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/index"
	"github.com/greedgraph/greed/internal/kernel"
)

// Shelf gives the records of a settled file. It is mapped memory, for as long
// as the process lives, and was compared with its checksums. It may be used
// concurrently.
type Shelf struct {
	settled  settled
	data     []byte
	unmap    func() error
	starts   []int64
	payloads []byte
	signed   *bound.Signatures
	vocab    *graph.Vocabulary
	hoods    *Neighbourhoods
	large    *graph.Graph // of a collection of neighbourhoods
}

// openShelf maps the settled file of the collection.
func (s *Snapshot) openShelf() (*Shelf, error) {
	e := s.m.Settled
	path := filepath.Join(s.store.dir, e.fileName())
	damaged := func(what any) error {
		return fmt.Errorf("%s: %w: %v; greed index compact writes it anew", path, ErrDamaged, what)
	}
	f, err := s.store.fs.Open(path, false)
	if err != nil {
		return nil, damaged(err)
	}
	defer f.Close()
	size, err := f.Size()
	if err != nil {
		return nil, err
	}
	if size != e.size() {
		return nil, damaged(fmt.Sprintf("%d bytes, want %d", size, e.size()))
	}
	shelf := &Shelf{settled: *e, vocab: s.store.vocab, hoods: s.m.Hoods, unmap: func() error { return nil }}
	if size > 0 {
		if shelf.data, err = f.Map(int(size)); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		shelf.unmap = func() error { return f.Unmap(shelf.data) }
	}
	for _, c := range e.Sections {
		if sum := crc32.Checksum(shelf.section(c.Name), castagnoli()); sum != c.Sum {
			return nil, damaged(fmt.Sprintf("%s do not match their checksum", c.Name))
		}
	}
	if err := shelf.read(); err != nil {
		return nil, damaged(err)
	}
	if s.m.Hoods != nil {
		shelf.large, err = s.Whole()
	}
	return shelf, err
}

// section returns the bytes of a section, nil if there is none.
func (h *Shelf) section(name string) []byte {
	p := h.settled.find(name)
	if p == nil {
		return nil
	}
	return h.data[p.offset : p.offset+p.Length : p.offset+p.Length]
}

// read finds the parts of the file.
func (h *Shelf) read() error {
	for _, name := range []string{recordStarts, signatureStarts, signatureWords} {
		if len(h.section(name))%8 != 0 && name != signatureWords || len(h.section(name))%4 != 0 {
			return fmt.Errorf("%s of %d bytes", name, len(h.section(name)))
		}
	}
	h.starts, h.payloads = kernel.View[int64](h.section(recordStarts)), h.section(recordPayloads)
	h.signed = bound.SignaturesOf(kernel.View[int32](h.section(signatureWords)), kernel.View[int64](h.section(signatureStarts)))
	if len(h.starts) != h.settled.Slots+1 || h.starts[0] != 0 || h.starts[h.settled.Slots] != int64(len(h.payloads)) {
		return fmt.Errorf("records of %d slots, want %d", len(h.starts)-1, h.settled.Slots)
	}
	for i, at := range h.starts[1:] {
		if at < h.starts[i] {
			return errors.New("records out of order")
		}
	}
	if h.signed == nil || h.signed.Len() != h.settled.Slots {
		return errors.New("signatures that are none")
	}
	return nil
}

// Len returns the number of slots.
func (h *Shelf) Len() int { return h.settled.Slots }

// payload returns the record in a slot as the database has it.
func (h *Shelf) payload(slot int) []byte { return h.payloads[h.starts[slot]:h.starts[slot+1]] }

// empty tells whether a slot held no record when the file was written.
func (h *Shelf) empty(slot int) bool { return h.starts[slot] == h.starts[slot+1] }

// Record returns the record in a slot, which must not be empty.
func (h *Shelf) Record(slot int) dataset.Record { return h.decode(slot, true) }

// About returns the record in a slot without its graph.
func (h *Shelf) About(slot int) dataset.Record { return h.decode(slot, false) }

// Signatures returns the signatures of all slots.
func (h *Shelf) Signatures() *bound.Signatures { return h.signed }

func (h *Shelf) decode(slot int, whole bool) dataset.Record {
	if h.empty(slot) {
		return dataset.Record{Graph: noGraph(h.vocab)}
	}
	payload := h.payload(slot)
	if !whole {
		rec, err := decodeAbout(payload)
		if err != nil {
			panic("store: " + err.Error()) // memory changed under the mapping
		}
		return rec
	}
	rec, centre, err := decode(payload, h.vocab)
	if err != nil {
		panic("store: " + err.Error())
	}
	if centre != noCentre {
		rec.Graph, _ = h.hoods.around(h.large, centre)
	}
	return rec
}

// tree returns the saved index of an embedding, nil if there is none. vectors
// are at least those of the slots on the shelf.
func (h *Shelf) tree(e Embedding, vectors []float32) (index.Index, error) {
	data := h.section(treeName(e))
	if data == nil {
		return nil, nil
	}
	t, err := index.OpenBoxTree(e.Norm, vectors[:h.settled.Slots*e.Norm.Dim()], data)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return t, nil
}
