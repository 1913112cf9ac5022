package store

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/embedding"
)

// exported is a row of a Parquet file.
type exported struct {
	ID         string    `parquet:"id"`
	Name       string    `parquet:"name,optional"`
	SMILES     string    `parquet:"smiles,optional"`
	Attributes string    `parquet:"attributes,optional"` // JSON object
	Graph      string    `parquet:"graph,optional"`      // node-link JSON
	Vector     []float32 `parquet:"vector,list"`
}

// exportBatch is how many rows are written at a time.
const exportBatch = 1024

// WriteParquet writes the records as a Parquet file, with their vectors of the
// embedding name unless name is "". The file's key-value metadata hold the embedding's
// model and norm under "greed.model" and "greed.norm".
func (s *Snapshot) WriteParquet(ctx context.Context, w io.Writer, name string) error {
	e, rows, err := s.exportable(name)
	if err != nil {
		return err
	}
	var options []parquet.WriterOption
	if name != "" {
		text, err := json.Marshal(e.Norm)
		if err != nil {
			return err
		}
		options = append(options, parquet.KeyValueMetadata("greed.model", e.Model),
			parquet.KeyValueMetadata("greed.norm", string(text)))
	}
	return s.writeParquet(ctx, w, options, func(slot, _ int) []float32 {
		if name == "" {
			return nil
		}
		dim := e.Norm.Dim()
		return rows[slot*dim : (slot+1)*dim]
	})
}

// WriteManhattan writes the records as WriteParquet does, with the vectors of
// [embedding.Set.Manhattan], whose constant it returns. The metadata hold the model under
// "greed.model" and the constant under "greed.manhattan".
func (s *Snapshot) WriteManhattan(ctx context.Context, w io.Writer, name string) (c float64, err error) {
	set, err := s.Set(ctx, name)
	if err != nil {
		return 0, err
	}
	rows, c, err := set.Manhattan()
	if err != nil {
		return 0, err
	}
	dim := set.Norm.Dim() + 1
	options := []parquet.WriterOption{
		parquet.KeyValueMetadata("greed.model", set.Model),
		parquet.KeyValueMetadata("greed.manhattan", strconv.FormatFloat(c, 'g', -1, 64)),
	}
	return c, s.writeParquet(ctx, w, options, func(_, i int) []float32 { return rows[i*dim : (i+1)*dim] })
}

// writeParquet writes the records with the vectors that vector returns for the slot and the
// number of each.
func (s *Snapshot) writeParquet(ctx context.Context, w io.Writer, options []parquet.WriterOption,
	vector func(slot, i int) []float32) error {
	out := parquet.NewGenericWriter[exported](w, options...)
	var batch []exported
	flush := func() error {
		_, err := out.Write(batch)
		batch = batch[:0]
		return err
	}
	count := 0
	err := s.Range(0, s.m.Slots, func(slot int, rec dataset.Record) error {
		row, err := export(rec)
		if err != nil {
			return err
		}
		row.Vector = vector(slot, count)
		count++
		if batch = append(batch, row); len(batch) < exportBatch {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		return flush()
	})
	if err != nil {
		return err
	}
	if err := flush(); err != nil {
		return err
	}
	return out.Close()
}

func export(rec dataset.Record) (exported, error) {
	row := exported{ID: rec.ID, Name: rec.Name, SMILES: rec.SMILES}
	if rec.Attributes != nil {
		text, err := json.Marshal(rec.Attributes)
		if err != nil {
			return row, err
		}
		row.Attributes = string(text)
	}
	if rec.Graph != nil {
		link, err := dataset.NewNodeLink(rec)
		if err != nil {
			return row, fmt.Errorf("graph %q: %w", rec.ID, err)
		}
		text, err := link.MarshalJSON()
		if err != nil {
			return row, err
		}
		row.Graph = string(text)
	}
	return row, nil
}

// exportable returns an embedding and its rows.
func (s *Snapshot) exportable(name string) (Embedding, []float32, error) {
	if name == "" {
		return Embedding{}, nil, nil
	}
	e, err := s.m.named(name)
	if err != nil {
		return Embedding{}, nil, err
	}
	rows, err := s.rowsFrom(*e, 0)
	return *e, rows, err
}

// Set returns an embedding as an [embedding.Set] with the ids of the records,
// in order.
func (s *Snapshot) Set(ctx context.Context, name string) (*embedding.Set, error) {
	e, rows, err := s.exportable(name)
	if err != nil {
		return nil, err
	}
	set := &embedding.Set{Model: e.Model, Norm: e.Norm}
	dim := e.Norm.Dim()
	for r, err := range s.stored(0) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		rec, err := decodeAbout(r.payload)
		if err != nil {
			return nil, err
		}
		set.Append(rec.ID, rows[r.slot*dim:(r.slot+1)*dim])
	}
	return set, nil
}
