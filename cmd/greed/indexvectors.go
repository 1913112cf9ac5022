package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/embedding"
	"github.com/greedgraph/greed/norm"
	"github.com/greedgraph/greed/store"
)

// foreignName is the name of an embedding by another program.
const foreignName = "vectors"

// foreign indexes the vectors of another program, with the graphs they are of if
// those are given.
func (c *indexBuild) foreign(s *session, src greed.Source, st *store.Store, b *built) error {
	rows, dim, err := readNPY(c.Vectors)
	if err != nil {
		return err
	}
	n, err := foreignNorm(c.Norm, dim)
	if err != nil {
		return err
	}
	ids, err := readIDs(c.IDs)
	if err != nil {
		return err
	}
	if len(ids)*dim != len(rows) {
		return fmt.Errorf("%s has %s, %s has %s", c.IDs, count(len(ids), "id"), c.Vectors,
			count(len(rows)/dim, "vector"))
	}
	records, err := c.named(s, src, ids)
	if err != nil {
		return err
	}
	task := edit.GED
	if n.Hinge {
		task = edit.SED
	}
	b.Graphs, b.Embeddings = len(ids), []string{foreignName}
	if err := st.AddForeign(s.ctx, foreignName, task, n); err != nil {
		return err
	}
	for from := 0; from < len(ids); from += batchSize {
		to := min(from+batchSize, len(ids))
		vectors := map[string][]float32{foreignName: rows[from*dim : to*dim]}
		if _, err := st.Put(s.ctx, records[from:to], vectors); err != nil {
			return err
		}
	}
	return nil
}

// named returns the record of every id, with its graph if there is a
// collection.
func (c *indexBuild) named(s *session, src greed.Source, ids []string) ([]dataset.Record, error) {
	records := make([]dataset.Record, len(ids))
	position := make(map[string]int, len(ids))
	for i, id := range ids {
		if before, again := position[id]; again {
			return nil, fmt.Errorf("%s: line %d: id %q was given before, in line %d", c.IDs, i+1, id, before+1)
		}
		position[id] = i
		records[i].ID = id
	}
	if c.Graphs == "" {
		return records, nil
	}
	_, err := s.each(src, c.Graphs, func(rec dataset.Record) error {
		if i, ok := position[rec.ID]; ok {
			records[i] = rec
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i, rec := range records {
		if rec.Graph == nil {
			return nil, fmt.Errorf("%s: line %d: %s holds no graph %q", c.IDs, i+1, c.Graphs, rec.ID)
		}
	}
	return records, nil
}

func readNPY(path string) (rows []float32, dim int, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	rows, dim, err = embedding.ReadNPY(f)
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return rows, dim, errors.Join(err, f.Close())
}

// readIDs returns the lines of a file.
func readIDs(path string) ([]string, error) {
	file := os.Stdin
	if path != "-" {
		var err error
		if file, err = os.Open(path); err != nil {
			return nil, err
		}
		defer file.Close()
	}
	data, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	var ids []string
	for line := range bytes.Lines(data) {
		ids = append(ids, string(bytes.TrimRight(line, "\r\n")))
	}
	return ids, nil
}

// foreignNorm reads the flag --norm for vectors of a dimension.
func foreignNorm(text string, dim int) (norm.Norm, error) {
	var n norm.Norm
	if strings.HasPrefix(text, "{") {
		d := json.NewDecoder(strings.NewReader(text))
		d.DisallowUnknownFields()
		if err := d.Decode(&n); err != nil {
			return n, fmt.Errorf("--norm: %w", err)
		}
	} else {
		kind, hinge := strings.CutPrefix(text, "hinge-")
		n = norm.Norm{Kind: norm.Kind(kind), Combine: norm.Sum, Hinge: hinge}
		for left := dim; left > 0; left -= norm.MaxBlock {
			n.Widths = append(n.Widths, min(left, norm.MaxBlock))
		}
		if n.Kind == norm.L2 && len(n.Widths) > 1 {
			return n, fmt.Errorf("--norm %s: vectors have %d coordinates, and a block of l2 at most %d: divide them "+
				"into "+
				"blocks, as docs/formats.md says", text, dim, norm.MaxBlock)
		}
	}
	if err := n.Check(); err != nil {
		return n, fmt.Errorf("--norm %s: %w", text, err)
	}
	if n.Dim() != dim {
		return n, fmt.Errorf("--norm is for %d coordinates, the vectors have %d", n.Dim(), dim)
	}
	return n, nil
}
