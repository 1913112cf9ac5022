package store

import (
	"errors"
	"fmt"
	"hash/crc32"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/ged/bound"
	"github.com/greedgraph/greed/ged/screen"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/fault"
	"github.com/greedgraph/greed/internal/kernel"
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
	signed         *bound.Signatures
	labels         labels
	neighbourhoods *Neighbourhoods
	large          *graph.Graph // set for a collection of neighbourhoods
	sheet          screen.Sheet
	sheetOnce      sync.Once
	failed         atomic.Pointer[error]
}

// openSegment maps the file of the segment of the collection. It does not compare the content
// with its checksums; [Segment.verify] does.
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
	h := &Segment{path: filepath.Join(s.store.dir, e.fileName()), layout: *e, labels: s.labels, neighbourhoods: s.m.Neighbourhoods}
	f, err := s.store.fs.Open(h.path, false)
	if err != nil {
		return nil, h.damaged(err)
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

// verify compares the file with its checksums.
func (h *Segment) verify() error {
	for _, c := range h.layout.Sections {
		if sum := crc32.Checksum(h.section(c.Name), castagnoli()); sum != c.Sum {
			return h.damaged(fmt.Sprintf("%s do not match their checksum", c.Name))
		}
	}
	return nil
}

// Err returns an error if the file was changed while in use and a record could not be
// read. Such a record was read as an empty graph.
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

// read finds the sections of the file.
func (h *Segment) read() error {
	for _, name := range []string{recordStarts, signatureStarts, signatureWords} {
		if len(h.section(name))%8 != 0 && name != signatureWords || len(h.section(name))%4 != 0 {
			return fmt.Errorf("%s of %d bytes", name, len(h.section(name)))
		}
	}
	h.starts, h.payloads = kernel.View[int64](h.section(recordStarts)), h.section(recordPayloads)
	h.signed = bound.SignaturesOf(kernel.View[int32](h.section(signatureWords)), kernel.View[int64](h.section(signatureStarts)))
	if len(h.starts) != h.layout.Slots+1 || h.starts[0] != 0 || h.starts[h.layout.Slots] != int64(len(h.payloads)) {
		return fmt.Errorf("records of %d slots, want %d", len(h.starts)-1, h.layout.Slots)
	}
	for i, at := range h.starts[1:] {
		if at < h.starts[i] {
			return errors.New("records out of order")
		}
	}
	if h.signed == nil || h.signed.Len() != h.layout.Slots {
		return errors.New("invalid signatures")
	}
	return h.readSheet()
}

// readSheet reads the counts and branches if the file has them.
func (h *Segment) readSheet() error {
	if h.layout.find(sheetOrder) == nil {
		return nil
	}
	sections := []struct {
		name string
		size int
	}{{sheetOrder, 4}, {sheetCounts, 1}, {branchStarts, 8}, {branchLists, 2}, {branchKinds, 1}}
	for _, s := range sections {
		if len(h.section(s.name))%s.size != 0 {
			return fmt.Errorf("%s of %d bytes", s.name, len(h.section(s.name)))
		}
	}
	sheet, err := screen.Parts{
		Order:  kernel.View[int32](h.section(sheetOrder)),
		Counts: h.section(sheetCounts),
		Starts: kernel.View[int64](h.section(branchStarts)),
		Lists:  kernel.View[uint16](h.section(branchLists)),
		Kinds:  h.section(branchKinds),
	}.Open()
	if err != nil {
		return err
	}
	if sheet.Len() != h.layout.Slots {
		return fmt.Errorf("counts of %d graphs, want %d", sheet.Len(), h.layout.Slots)
	}
	h.sheet = *sheet
	return nil
}

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

// Molecule reports whether the record in a slot, which must not be empty, has a SMILES.
func (h *Segment) Molecule(slot int) bool { return isMolecule(h.payload(slot)) }

// sheetBatch is how many records are read before their graphs are counted.
const sheetBatch = 4096

// Sheet returns the counts and branches of all slots. If the file is from before they
// were stored, they are computed at the first call.
func (h *Segment) Sheet() *screen.Sheet {
	h.sheetOnce.Do(func() {
		if h.sheet.Len() == h.Len() {
			return
		}
		var batch []*graph.Graph
		for slot := range h.Len() {
			if batch = append(batch, h.Record(slot).Graph); len(batch) == sheetBatch {
				h.sheet.Extend(batch...)
				batch = batch[:0]
			}
		}
		h.sheet.Extend(batch...)
		h.sheet.Build()
	})
	return &h.sheet
}

// Signatures returns the signatures of all slots.
func (h *Segment) Signatures() *bound.Signatures { return h.signed }

func (h *Segment) decode(slot int, whole bool) (rec dataset.Record) {
	err := fault.Guard(func() (err error) {
		if h.empty(slot) {
			rec.Graph = noGraph(h.labels.vocab)
			return nil
		}
		if !whole {
			rec, err = decodeAbout(h.payload(slot))
			return err
		}
		centre := noCentre
		rec, centre, err = decode(h.payload(slot), h.labels)
		if err == nil && centre != noCentre {
			rec.Graph, err = h.neighbourhoods.neighbourhood(rec.ID, h.large, centre)
		}
		return err
	})
	if err != nil { // the checksums were right, so the file changed under the mapping
		err = h.damaged(err)
		h.failed.CompareAndSwap(nil, &err)
		return dataset.Record{Graph: noGraph(h.labels.vocab)}
	}
	return rec
}

// tree returns the saved vector index of an embedding, or nil. vectors must cover at
// least the slots in the segment.
func (h *Segment) tree(e Embedding, vectors []float32) (vectorindex.Index, error) {
	data := h.section(treeName(e))
	if data == nil {
		return nil, nil
	}
	t, err := vectorindex.OpenBoxTree(e.Norm, vectors[:h.layout.Slots*e.Norm.Dim()], data)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return t, nil
}
