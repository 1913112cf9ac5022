package store

import (
	"context"
	"io"
	"sync"

	"github.com/greedgraph/greed/ged/bound"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/kernel"
)

// signBatch is how many records are read before their graphs are signed.
const signBatch = 4096

// copyRecords writes the sections of records and signatures and tells whether
// it did: records without graphs are not settled.
func (s *Snapshot) copyRecords(ctx context.Context, w *settledWriter, workers int) (bool, error) {
	c := &recordCopier{snap: s, starts: make([]int64, 1, s.m.Slots+1)}
	err := w.section(recordPayloads, func(out io.Writer) error { return c.run(ctx, out, workers) })
	if err != nil || c.foreign {
		return false, err
	}
	if err := w.section(recordStarts, int64s(c.starts)); err != nil {
		return false, err
	}
	words, starts := c.signed.Words()
	err = w.section(signatureWords, func(out io.Writer) error {
		_, err := out.Write(kernel.Bytes(words))
		return err
	})
	if err != nil {
		return false, err
	}
	return true, w.section(signatureStarts, int64s(starts))
}

type recordCopier struct {
	snap    *Snapshot
	starts  []int64
	signed  bound.Signatures
	foreign bool
}

// run copies the payloads of all slots to out.
func (c *recordCopier) run(ctx context.Context, out io.Writer, workers int) error {
	s := c.snap
	var payloads [][]byte // of consecutive slots, nil where they are empty
	flush := func() error {
		err := c.copy(out, payloads, workers)
		payloads = payloads[:0]
		return err
	}
	slots, sum, count := 0, uint64(0), 0
	cursor := s.tx.Bucket(recordsBucket).Cursor()
	for key, value := cursor.First(); key != nil && !c.foreign; key, value = cursor.Next() {
		slot, err := slotOf(key)
		if err != nil {
			return err
		}
		payload, own, err := unseal(recordsBucket, key, value)
		if err != nil {
			return err
		}
		if slot >= s.m.Slots || slot < slots || count == s.m.Records {
			return s.miscounted()
		}
		for ; slots < slot; slots++ {
			payloads = append(payloads, nil)
		}
		payloads = append(payloads, payload)
		slots++
		count++
		sum += uint64(own)
		if len(payloads) >= signBatch {
			if err := flush(); err != nil {
				return err
			}
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	if c.foreign {
		return nil
	}
	if count != s.m.Records || sum != s.m.Sum {
		return s.miscounted()
	}
	for ; slots < s.m.Slots; slots++ {
		payloads = append(payloads, nil)
	}
	return flush()
}

// copy writes payloads and signs their graphs.
func (c *recordCopier) copy(out io.Writer, payloads [][]byte, workers int) error {
	graphs, err := c.graphs(payloads, workers)
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
	return nil
}

// graphs reads the graphs of payloads; those of empty slots are empty.
func (c *recordCopier) graphs(payloads [][]byte, workers int) ([]*graph.Graph, error) {
	if c.snap.m.Hoods != nil {
		if _, err := c.snap.Whole(); err != nil { // once, before it is shared
			return nil, err
		}
	}
	graphs, errs := make([]*graph.Graph, len(payloads)), make([]error, workers)
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			for i := w; i < len(payloads) && errs[w] == nil; i += workers {
				if payloads[i] == nil {
					graphs[i] = noGraph(c.snap.store.vocab)
					continue
				}
				rec, err := c.snap.decode(payloads[i])
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

// noGraph stands in for the graph of an empty slot.
func noGraph(vocab *graph.Vocabulary) *graph.Graph {
	g, err := graph.NewBuilder(vocab, false).Build()
	if err != nil {
		panic("store: " + err.Error())
	}
	return g
}
