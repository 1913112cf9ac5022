package store

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/greedgraph/greed/ged/bound"
	"github.com/greedgraph/greed/ged/screen"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/kernel"
)

// pieceSlots is how many records are read before their signatures are computed.
const pieceSlots = 4096

// recordCopier writes the sections of records, their order and signatures. It reads the records in
// pieces, so that others can write in between. A record that is removed meanwhile may
// be copied or not; readers look in the database for removals since.
type recordCopier struct {
	view    func(context.Context, func(*Snapshot) error) error
	piece   time.Duration
	writer  *segmentWriter
	workers int

	moves          int      // of the collection at the start
	trees          []treeOf // embeddings that get a vector index
	held           Held     // memory of their rows
	labels         labels   // with the database's numbers, whatever labels others have added
	neighbourhoods *Neighbourhoods
	large          *graph.Graph
	starts         []int64
	signed         bound.Signatures
	sheet          screen.Sheet
	foreign        bool // the records have no graphs, so there is no segment
}

// run copies the records of all slots that exist at the start.
func (c *recordCopier) run(ctx context.Context) error {
	if err := c.view(ctx, c.begin); err != nil {
		return err
	}
	w := c.writer
	var summed blockSummer
	err := w.section(recordPayloads, func(out io.Writer) error {
		summed.to = out
		err := c.copyAll(ctx, &summed)
		summed.end()
		return err
	})
	if err != nil || c.foreign {
		return err
	}
	words, starts := c.signed.Words()
	sheet := c.sheet.Parts()
	for _, part := range []struct {
		name string
		data []byte
	}{
		{recordSums, summed.sums},
		{recordStarts, kernel.Bytes(c.starts)},
		{signatureWords, kernel.Bytes(words)},
		{signatureStarts, kernel.Bytes(starts)},
		{sheetOrder, kernel.Bytes(sheet.Order)},
		{sheetCounts, sheet.Counts},
		{branchStarts, kernel.Bytes(sheet.Starts)},
		{branchLists, kernel.Bytes(sheet.Lists)},
		{branchKinds, sheet.Kinds},
	} {
		err := w.section(part.name, func(out io.Writer) error {
			_, err := out.Write(part.data)
			return err
		})
		if err != nil {
			return err
		}
	}
	return w.section(idOrder, func(out io.Writer) error { return c.copyOrder(ctx, out) })
}

func (c *recordCopier) begin(s *Snapshot) (err error) {
	c.moves, c.neighbourhoods, c.writer.layout.Slots = s.m.Moves, s.m.Neighbourhoods, s.m.Slots
	c.starts = make([]int64, 1, s.m.Slots+1)
	if s.labels, err = newLabels().read(s.tx, s.m); err != nil {
		return err
	}
	c.labels = s.labels
	if c.neighbourhoods != nil {
		if c.large, err = s.Whole(); err != nil {
			return err
		}
	}
	for _, e := range s.m.serve() {
		rows, verify, err := s.rowsUnverified(e)
		if err != nil {
			return err
		}
		c.trees = append(c.trees, treeOf{treeName(e), e.Norm, rows, verify})
	}
	c.held = s.held.take()
	return nil
}

// copyAll copies the payloads of all slots to out, piece by piece.
func (c *recordCopier) copyAll(ctx context.Context, out io.Writer) error {
	slots := c.writer.layout.Slots
	for len(c.starts) <= slots && !c.foreign {
		var payloads [][]byte // of consecutive slots, nil for empty ones
		err := c.view(ctx, func(s *Snapshot) (err error) {
			if s.m.Moves != c.moves {
				return fmt.Errorf("%s: %w", s.store.dir, ErrRewritten)
			}
			payloads, err = c.read(s, len(c.starts)-1, slots)
			return err
		})
		if err != nil {
			return err
		}
		if err := c.copy(out, payloads); err != nil {
			return err
		}
	}
	return nil
}

// read reads the records of slots from from on until time is up.
func (c *recordCopier) read(s *Snapshot, from, slots int) ([][]byte, error) {
	e := &c.writer.layout
	begin := time.Now()
	var payloads [][]byte
	cursor := s.tx.Bucket(recordsBucket).Cursor()
	for key, value := cursor.Seek(slotKey(from)); ; key, value = cursor.Next() {
		slot := slots
		if key != nil {
			at, err := slotOf(key)
			if err != nil {
				return nil, err
			}
			if at < from+len(payloads) || at >= s.m.Slots {
				return nil, s.miscounted()
			}
			slot = min(at, slots)
		}
		for from+len(payloads) < slot && len(payloads) < pieceSlots {
			payloads = append(payloads, nil)
		}
		if slot == slots || len(payloads) >= pieceSlots || len(payloads)%64 == 0 && time.Since(begin) > c.piece &&
			len(payloads) > 0 {
			return payloads, nil
		}
		payload, own, err := unseal(recordsBucket, key, value)
		if err != nil {
			return nil, err
		}
		payloads = append(payloads, bytes.Clone(payload))
		if !isMolecule(payload) {
			e.Plain++
		}
		e.Records++
		e.Sum += uint64(own)
	}
}

// copy writes payloads and computes the signatures of their graphs.
func (c *recordCopier) copy(out io.Writer, payloads [][]byte) error {
	graphs, err := c.graphs(payloads)
	if err != nil {
		return err
	}
	for i, p := range payloads {
		if graphs[i] == nil {
			c.foreign = true
			return nil
		}
		c.signed.Append(graphs[i])
		if _, err := out.Write(p); err != nil {
			return err
		}
		c.starts = append(c.starts, c.starts[len(c.starts)-1]+int64(len(p)))
	}
	c.sheet.Extend(graphs...)
	return nil
}

// graphs decodes the graphs of payloads. Empty slots get empty graphs.
func (c *recordCopier) graphs(payloads [][]byte) ([]*graph.Graph, error) {
	graphs, errs := make([]*graph.Graph, len(payloads)), make([]error, c.workers)
	var wait sync.WaitGroup
	for w := range c.workers {
		wait.Go(func() {
			for i := w; i < len(payloads) && errs[w] == nil; i += c.workers {
				if payloads[i] == nil {
					graphs[i] = noGraph(c.labels.vocab)
					continue
				}
				rec, err := c.neighbourhoods.decode(payloads[i], c.labels, c.large)
				graphs[i], errs[w] = rec.Graph, err
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return graphs, nil
}

// noGraph stands for the graph of an empty slot.
func noGraph(vocab *graph.Vocabulary) *graph.Graph {
	return graph.NewBuilder(vocab, false).MustBuild()
}
