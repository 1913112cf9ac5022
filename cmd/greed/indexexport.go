package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/embedding"
	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/store"
)

// indexExport writes an index for other programs.
type indexExport struct {
	Index     string `arg:"" help:"The index."`
	Out       string `short:"o" placeholder:"FILE" help:"${index_export_out}"`
	To        string `placeholder:"URL" help:"${index_export_to}"`
	Manhattan bool   `help:"${index_export_manhattan}"`
	Embedding string `placeholder:"NAME" help:"Export the vectors of this embedding, where there are several."`
	IDs       string `writes:"" name:"ids" placeholder:"FILE" help:"${index_export_ids}"`

	constant float64 // of --manhattan
}

func (c *indexExport) Run(s *session) error {
	switch {
	case (c.To == "") == (c.Out == ""):
		return usageError("name a file with -o, or a database with --to")
	case c.To != "" && (c.Embedding != "" || c.IDs != "" || c.Manhattan):
		return usageError("--to copies graphs without vectors: leave out --embedding, --ids and --manhattan")
	case !c.vectors() && (c.Embedding != "" || c.IDs != "" || c.Manhattan):
		return usageError(fmt.Sprintf("-o %s has graphs alone, and vectors are in files whose names end in .npy or "+
			".parquet: leave out --embedding, --ids and --manhattan", c.Out))
	case c.To != "":
		return c.toDatabase(s)
	}
	graphs := 0
	err := withIndex(c.Index, func(st *store.Store) error {
		return st.Hold(s.ctx, func(snap *store.Snapshot) error {
			graphs = snap.Len()
			return c.export(s, snap)
		})
	})
	if err != nil {
		return err
	}
	text := ""
	if c.Manhattan {
		text = fmt.Sprintf(", constant %v", c.constant)
	}
	return s.answer(struct {
		Out       string  `json:"out"`
		Graphs    int     `json:"graphs"`
		Embedding string  `json:"embedding,omitempty"`
		Constant  float64 `json:"constant,omitempty"`
	}{c.Out, graphs, c.Embedding, c.constant}, "%s: %s%s\n", c.Out, count(graphs, "graph"), text)
}

// vectors reports whether the file to write has vectors.
func (c *indexExport) vectors() bool { return checkVectors(c.Out) == nil }

func (c *indexExport) export(s *session, snap *store.Snapshot) error {
	if !c.vectors() {
		return c.graphs(s, snap)
	}
	list := snap.Embeddings()
	parquet := strings.ToLower(filepath.Ext(c.Out)) == ".parquet"
	switch {
	case c.Embedding != "":
	case len(list) == 1:
		c.Embedding = list[0].Name
	case len(list) == 0 && !parquet:
		return fmt.Errorf("%s holds no vectors; export it to a .parquet file", c.Index)
	case len(list) > 1:
		return usageError(fmt.Sprintf("%s holds %d embeddings: name one with --embedding", c.Index, len(list)))
	}
	if parquet && c.IDs == "" {
		return atomicfile.Write(c.Out, func(w io.Writer) (err error) {
			if c.Manhattan {
				c.constant, err = snap.WriteManhattan(s.ctx, w, c.Embedding)
				return err
			}
			return snap.WriteParquet(s.ctx, w, c.Embedding)
		})
	}
	if parquet {
		return usageError("--ids is for vectors: a .parquet file has the ids in it")
	}
	set, err := snap.Set(s.ctx, c.Embedding)
	if err != nil {
		return err
	}
	rows, dim := set.Vectors, set.Norm.Dim()
	if c.Manhattan {
		rows, c.constant, err = set.Manhattan()
		dim++
	}
	if err == nil {
		err = atomicfile.Write(c.Out, func(w io.Writer) error { return embedding.WriteNPY(w, rows, dim) })
	}
	if err != nil || c.IDs == "" {
		return err
	}
	return atomicfile.Write(c.IDs, func(w io.Writer) error {
		for _, id := range set.IDs {
			if _, err := fmt.Fprintln(w, field(id)); err != nil {
				return err
			}
		}
		return nil
	})
}

// graphs writes all graphs as they were read.
func (c *indexExport) graphs(s *session, snap *store.Snapshot) error {
	err := dataset.Create(c.Out, "", func(w *dataset.Writer) error {
		err := snap.Range(0, snap.Slots(), func(slot int, rec dataset.Record) (err error) {
			if rec.Graph == nil {
				return fmt.Errorf("%s holds vectors without graphs", c.Index)
			}
			if rec.Block, err = snap.Block(slot); err != nil {
				return err
			}
			return errors.Join(w.Write(rec), s.ctx.Err())
		})
		s.remark(c.Out, w.Notes())
		return err
	})
	if errors.Is(err, dataset.ErrUnknownFormat) {
		err = fmt.Errorf("%w; vectors go to .npy and .parquet", err)
	}
	return err
}
