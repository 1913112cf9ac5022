package part

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/greedgraph/greed/truth/parquetfile"

	"github.com/parquet-go/parquet-go"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/truth"
)

// Parts are all parts of one work, in order.
type Parts struct {
	Header     // that of the first
	Total  int // rows of all parts
	files  []string
}

// Open reads the headers of all parts of one work, given in any order. If one is missing
// or given twice, or they do not belong together, the error says which and why. It wraps
// [ErrPart].
func Open(files []string) (*Parts, error) {
	if len(files) == 0 {
		return nil, fmt.Errorf("%w: no part is given", ErrPart)
	}
	var first Header
	var named []string
	total := 0
	for i, file := range files {
		f, err := open(file)
		if err == nil {
			err = f.file.Close()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		h := f.Header
		total += h.Rows
		if i == 0 {
			first, named = h, make([]string, h.Share.Of)
		}
		if err := first.fits(&h); err != nil {
			return nil, fmt.Errorf("%s: %w, as %s is", file, err, files[0])
		}
		if before := named[h.Share.Part-1]; before != "" {
			return nil, fmt.Errorf("%w: %s and %s are both part %s", ErrPart, before, file, h.Share)
		}
		named[h.Share.Part-1] = file
	}
	var missing []string
	for i, file := range named {
		if file == "" {
			missing = append(missing, strconv.Itoa(i+1))
		}
	}
	if n := len(missing); n > 0 {
		if n > 10 {
			missing = append(missing[:10], "…")
		}
		return nil, fmt.Errorf("%w: %d of %d are missing: %s", ErrPart, n, len(named), strings.Join(missing, ", "))
	}
	return &Parts{first, total, named}, nil
}

// partFile is a part that is open.
type partFile struct {
	Header
	file *os.File
	rows *parquet.File
}

// open opens a part.
func open(path string) (p *partFile, err error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, in.Close())
		}
	}()
	info, err := in.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%w: it is not a file", ErrPart)
	}
	p = &partFile{file: in}
	if p.rows, err = parquetfile.Open(in, info.Size()); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPart, err)
	}
	text, ok := p.rows.Lookup(key)
	if !ok {
		return nil, fmt.Errorf("%w: it was not written with --part", ErrPart)
	}
	if err := json.Unmarshal([]byte(text), &p.Header); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPart, err)
	}
	switch {
	case p.Version != version:
		return nil, fmt.Errorf("%w: it is of version %d, want %d", ErrPart, p.Version, version)
	case p.Share.All() || p.Units < 0 || p.Rows < 0:
		return nil, fmt.Errorf("%w: its header is invalid", ErrPart)
	}
	return p, nil
}

// Pairs returns the pairs of all parts in the order of one run, each with its unit of work. They are read
// when they are needed. What that meets, such as a part that is damaged, is left in failed; then the rows
// end early.
func (p *Parts) Pairs(ctx context.Context, failed *error) (truth.Rows, error) {
	if p.Job != Truth && p.Job != Join {
		return truth.Rows{}, fmt.Errorf("%w: parts of %s hold no pairs", ErrPart, p.Job)
	}
	return truth.Rows{Maps: p.Maps, All: func(yield func(int, truth.Row) bool) {
		*failed = each(ctx, p, func(r *pairRow) bool {
			row := truth.Row{Query: r.Query, Target: r.Target, Lower: r.Lower, Upper: r.Upper}
			if p.Maps {
				row.Map = make(edit.NodeMap, len(r.Map))
				for v, w := range r.Map {
					row.Map[v] = int(w)
				}
			}
			return yield(int(r.At), row)
		})
	}}, nil
}

// Vectors returns the graphs' ids and vectors of all parts in the order of one run, [len(ids), dim].
func (p *Parts) Vectors(ctx context.Context) (ids []string, vectors []float32, err error) {
	if p.Job != Embed || len(p.Models) != 1 {
		return nil, nil, fmt.Errorf("%w: parts of %s hold no vectors", ErrPart, p.Job)
	}
	dim, odd := p.Models[0].Norm.Dim(), -1
	err = each(ctx, p, func(r *vectorRow) bool {
		if len(r.Vector) != dim {
			odd = len(r.Vector)
			return false
		}
		ids, vectors = append(ids, r.ID), append(vectors, r.Vector...)
		return true
	})
	if odd >= 0 {
		err = fmt.Errorf("%w: a vector of %d coordinates, want %d", ErrPart, odd, dim)
	}
	if err != nil {
		return nil, nil, err
	}
	return ids, vectors, nil
}
