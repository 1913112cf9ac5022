package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/ged/bound"
	"github.com/greedgraph/greed/ged/screen"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/fault"
	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/internal/varint"
	"github.com/greedgraph/greed/vectorindex"
)

// Segment gives access to the records of a segment. It is mapped memory, valid while
// the state that it belongs to is held. It may be used concurrently.
type Segment struct {
	path           string
	layout         segmentLayout
	memory         *memory
	starts         []int64
	payloads       []byte
	sums           blockSums
	signed         func() *bound.Signatures
	labels         labels
	neighbourhoods *Neighbourhoods
	large          *graph.Graph // set for a collection of neighbourhoods
	sheet          func() *screen.Sheet
	byID           func() []int32
	numbers        func() *graph.Vocabulary
	failed         atomic.Pointer[error]
	looked         atomic.Int64 // graphs that searches looked at since memory was last given back
}

// openSegment maps the file of the segment of the collection. It does not verify the content
// against its checksums; [Segment.verify] does.
func (s *Snapshot) openSegment() (*Segment, error) {
	if s.segment != nil {
		return s.segment.Segment, s.segment.err
	}
	h, err := s.mapSegment()
	if err != nil {
		return nil, err
	}
	if err := h.read(); err != nil {
		return nil, h.damaged(err)
	}
	if s.m.Neighbourhoods != nil {
		h.large, err = s.Whole()
	}
	return h, err
}

// mapSegment maps the file of the segment, which must have the recorded length.
func (s *Snapshot) mapSegment() (*Segment, error) {
	e := s.m.Segment
	h := &Segment{path: filepath.Join(s.store.dir, e.fileName()), layout: *e, labels: s.labels,
		neighbourhoods: s.m.Neighbourhoods}
	h.signed, h.sheet = sync.OnceValue(h.readSignatures), sync.OnceValue(h.readSheet)
	h.byID = sync.OnceValue(h.readByID)
	h.numbers = sync.OnceValue(func() *graph.Vocabulary { return h.labels.numbered() })
	f, err := s.store.fs.Open(h.path, false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, h.damaged(err)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size, err := f.Size()
	if err != nil {
		return nil, err
	}
	if size != e.size() {
		return nil, h.damaged(fmt.Sprintf("%d bytes, want %d", size, e.size()))
	}
	if h.memory, err = mapFile(f, int(size)); err != nil {
		return nil, fmt.Errorf("%s: %w", h.path, err)
	}
	s.held.add(h.memory)
	return h, h.memory.release() // the snapshot has it
}

func (h *Segment) damaged(what any) error {
	return fmt.Errorf("%s: %w: %v; greed index compact rewrites it", h.path, ErrDamaged, what)
}

// verify checks the checksums of the sections that accepts selects. Their memory is given back
// meanwhile, since most of it no search needs.
func (h *Segment) verify(accepts func(name string) bool) error {
	for _, c := range h.layout.Sections {
		if !accepts(c.Name) {
			continue
		}
		sum := uint32(0)
		for part := range slices.Chunk(h.section(c.Name), forgetBytes) {
			sum = crc32.Update(sum, castagnoli(), part)
			h.memory.forget(part)
		}
		if sum != c.Sum {
			return fmt.Errorf("%s do not match their checksum", c.Name)
		}
	}
	return nil
}

// verifyAll verifies the checksums of the whole file.
func (h *Segment) verifyAll() error {
	if err := h.verify(func(string) bool { return true }); err != nil {
		return h.damaged(err)
	}
	return nil
}

// verifyOpening verifies the checksums of the sections that opening reads. The others are
// verified when they are first read: records block by block, signatures, counts, the order of ids and vector
// indexes whole.
func (h *Segment) verifyOpening() error {
	return h.verify(func(name string) bool {
		return name != recordPayloads && name != idOrder && !ofSignatures(name) && !ofSheet(name) &&
			!strings.HasPrefix(name, treePrefix)
	})
}

// Err returns an error if something was read that is damaged, or gone since the file was
// opened. Such a record was read as an empty graph.
func (h *Segment) Err() error {
	if err := h.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// section returns the bytes of a section, nil if there is none.
func (h *Segment) section(name string) []byte {
	p := h.layout.find(name)
	if p == nil {
		return nil
	}
	return h.memory.data[p.offset : p.offset+p.Length : p.offset+p.Length]
}

// read finds the records.
func (h *Segment) read() error {
	if len(h.section(recordStarts))%8 != 0 {
		return fmt.Errorf("%s of %d bytes", recordStarts, len(h.section(recordStarts)))
	}
	h.starts, h.payloads = kernel.View[int64](h.section(recordStarts)), h.section(recordPayloads)
	if len(h.starts) != h.layout.Slots+1 || h.starts[0] != 0 || h.starts[h.layout.Slots] != int64(len(h.payloads)) {
		return fmt.Errorf("records of %d slots, want %d", len(h.starts)-1, h.layout.Slots)
	}
	if !slices.IsSorted(h.starts) {
		return errors.New("records out of order")
	}
	h.memory.forget(h.section(recordStarts))
	var err error
	h.sums, err = openBlockSums(h.section(recordSums), len(h.payloads))
	return err
}

const (
	restBytes = 1 << 30 // segments of more give memory back between the steps of searches
	// restAfter is how many graphs are looked at before. Each lies somewhere else and brings what is
	// around it into memory, by 64 KiB.
	restAfter = 1 << 13
)

// Rest says that a step of a search is over that looked at so many graphs. When there were many, a
// large segment gives its memory back: what the next step needs is elsewhere, and in the system's cache.
func (h *Segment) Rest(looked int) { h.rest(looked, restBytes) }

func (h *Segment) rest(looked, bytes int) {
	if len(h.memory.data) > bytes && h.looked.Add(int64(looked)) >= restAfter {
		h.looked.Store(0)
		h.memory.forget(h.memory.data)
	}
}

// Vocabulary numbers the labels of [Segment.Signatures] and [Segment.Sheet].
func (h *Segment) Vocabulary() *graph.Vocabulary { return h.numbers() }

// Len returns the number of slots.
func (h *Segment) Len() int { return h.layout.Slots }

// payload returns the record in a slot as stored in the database.
func (h *Segment) payload(slot int) []byte { return h.payloads[h.starts[slot]:h.starts[slot+1]] }

// empty reports whether a slot was empty when the file was written.
func (h *Segment) empty(slot int) bool { return h.starts[slot] == h.starts[slot+1] }

// Record returns the record in a slot, which must not be empty.
func (h *Segment) Record(slot int) dataset.Record { return h.decode(slot, true) }

// About returns the record in a slot without its graph.
func (h *Segment) About(slot int) dataset.Record { return h.decode(slot, false) }

// AttributeText returns the attributes of the record in a slot as it has them, a JSON object in mapped memory, or nil
// if it has none. It reads nothing else of the record.
func (h *Segment) AttributeText(slot int) (text []byte) {
	h.peek(slot, func(d decoder) error {
		text = d.attributeText()
		if text != nil && (text[0] != '{' || !json.Valid(text)) {
			text = nil
			return errors.New("attributes are not JSON")
		}
		return d.Err
	})
	return text
}

// peek calls read with the record in a slot, unless that is empty. What cannot be read is noted.
func (h *Segment) peek(slot int, read func(d decoder) error) {
	h.noteError(fault.Guard(func() error {
		if h.empty(slot) {
			return nil
		}
		if err := h.intact(slot); err != nil {
			return err
		}
		return read(decoder{varint.Reader{Rest: h.payload(slot)}})
	}))
}

// Graph returns the graph in a slot, which must not be empty, built in memory that the next use of in overwrites. It
// reads nothing else of the record.
func (h *Segment) Graph(slot int, in *graph.Scratch) (g *graph.Graph) {
	h.noteError(fault.Guard(func() error {
		if err := h.intact(slot); err != nil {
			return err
		}
		d := decoder{varint.Reader{Rest: h.payload(slot)}}
		if flags := d.skipAbout(); flags&hasGraph != 0 && d.Err == nil {
			g = d.graphIn(in, h.labels, flags&isDirected != 0)
		}
		return d.Err
	}))
	if g == nil { // a neighbourhood, or damaged
		return h.Record(slot).Graph
	}
	return g
}

// Form returns the graph in a slot, which must not be empty, built or not.
func (h *Segment) Form(slot int) (form graph.Form) {
	h.noteError(fault.Guard(func() error {
		if err := h.intact(slot); err != nil {
			return err
		}
		d := decoder{varint.Reader{Rest: h.payload(slot)}}
		if flags := d.skipAbout(); flags&hasGraph != 0 && d.Err == nil {
			form = d.form(h.labels, flags&isDirected != 0)
		}
		return d.Err
	}))
	if h.Err() != nil || form == nil { // a neighbourhood
		return h.Record(slot).Graph
	}
	return form
}

// Plain returns how many of the records were not molecules when the file was written, of how
// many.
func (h *Segment) Plain() (plain, records int) { return h.layout.Plain, h.layout.Records }

// Molecule reports whether the record in a slot, which must not be empty, has a SMILES.
func (h *Segment) Molecule(slot int) (is bool) {
	h.noteError(fault.Guard(func() error {
		if err := h.intact(slot); err != nil {
			return err
		}
		is = isMolecule(h.payload(slot))
		return nil
	}))
	return is
}

// intact verifies the checksums of the record in a slot.
func (h *Segment) intact(slot int) error {
	return h.sums.verify(h.payloads, h.starts[slot], h.starts[slot+1])
}

// noteError keeps the first error for [Segment.Err].
func (h *Segment) noteError(err error) {
	if err != nil {
		err = h.damaged(err)
		h.failed.CompareAndSwap(nil, &err)
	}
}

func (h *Segment) decode(slot int, whole bool) (rec dataset.Record) {
	err := fault.Guard(func() (err error) {
		if h.empty(slot) {
			rec.Graph = noGraph(h.labels.vocab)
			return nil
		}
		if err := h.intact(slot); err != nil {
			return err
		}
		if !whole {
			rec, err = decodeAbout(h.payload(slot))
			return err
		}
		rec, err = h.neighbourhoods.decode(h.payload(slot), h.labels, h.large)
		return err
	})
	if err != nil {
		h.noteError(err)
		return dataset.Record{Graph: noGraph(h.labels.vocab)}
	}
	return rec
}

// tree verifies the checksum of the saved vector index of an embedding and returns it.
// vectors must cover at least the slots in the segment.
func (h *Segment) tree(e Embedding, vectors []float32) (vectorindex.Index, error) {
	own := treeName(e)
	if err := h.verify(func(name string) bool { return name == own }); err != nil {
		return nil, h.damaged(err)
	}
	t, err := vectorindex.OpenBoxTree(e.Norm, vectors[:h.layout.Slots*e.Norm.Dim()], h.section(own))
	if err != nil {
		return nil, h.damaged(err)
	}
	return t, nil
}
