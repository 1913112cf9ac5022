package store

import (
	"errors"
	"fmt"

	"github.com/greedgraph/greed/ged/bound"
	"github.com/greedgraph/greed/ged/screen"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/fault"
	"github.com/greedgraph/greed/internal/kernel"
)

// Signatures returns the signatures of all slots. The first call verifies their
// checksums. If they are damaged, [Segment.Err] says so, and they are those of the records.
func (h *Segment) Signatures() *bound.Signatures { return h.signed() }

// Sheet returns the counts and branches of all slots, as [Segment.Signatures] does.
func (h *Segment) Sheet() *screen.Sheet { return h.sheet() }

func (h *Segment) readSignatures() *bound.Signatures {
	var signed *bound.Signatures
	err := fault.Guard(func() error {
		words, starts := h.section(signatureWords), h.section(signatureStarts)
		if len(words)%4 != 0 || len(starts)%8 != 0 {
			return errors.New("invalid signatures")
		}
		if err := h.verify(ofSignatures); err != nil {
			return err
		}
		signed = bound.SignaturesOf(kernel.View[int32](words), kernel.View[int64](starts), h.memory.forget)
		if signed == nil || signed.Len() != h.Len() {
			return errors.New("invalid signatures")
		}
		return nil
	})
	if err == nil {
		return signed
	}
	h.noteError(err)
	signed = new(bound.Signatures)
	h.eachBatch(func(graphs []*graph.Graph) {
		for _, g := range graphs {
			signed.Append(g)
		}
	})
	return signed
}

func (h *Segment) readSheet() *screen.Sheet {
	sheet, err := h.storedSheet()
	if err == nil {
		return sheet
	}
	h.noteError(err)
	sheet = new(screen.Sheet)
	h.eachBatch(func(graphs []*graph.Graph) { sheet.Extend(graphs...) })
	sheet.Build()
	return sheet
}

// storedSheet returns the counts and branches in the file.
func (h *Segment) storedSheet() (sheet *screen.Sheet, err error) {
	err = fault.Guard(func() error {
		sections := []struct {
			name string
			size int
		}{{sheetOrder, 4}, {sheetCounts, 1}, {branchStarts, 8}, {branchLists, 2}, {branchKinds, 1}}
		for _, s := range sections {
			if len(h.section(s.name))%s.size != 0 {
				return fmt.Errorf("%s of %d bytes", s.name, len(h.section(s.name)))
			}
		}
		if err := h.verify(ofSheet); err != nil {
			return err
		}
		sheet, err = screen.Parts{
			Order:  kernel.View[int32](h.section(sheetOrder)),
			Counts: h.section(sheetCounts),
			Starts: kernel.View[int64](h.section(branchStarts)),
			Lists:  kernel.View[uint16](h.section(branchLists)),
			Kinds:  h.section(branchKinds),
		}.Open(h.memory.forget)
		if err == nil && sheet.Len() != h.Len() {
			err = fmt.Errorf("counts of %d graphs, want %d", sheet.Len(), h.Len())
		}
		return err
	})
	return sheet, err
}

// eachBatch gives the graphs of all slots, some thousands at a time.
func (h *Segment) eachBatch(give func([]*graph.Graph)) {
	var batch []*graph.Graph
	for slot := range h.Len() {
		if batch = append(batch, h.Record(slot).Graph); len(batch) == pieceSlots || slot == h.Len()-1 {
			give(batch)
			batch = batch[:0]
		}
	}
}
