package part

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/truth"
)

// Parts are all parts of one work, in order.
type Parts struct {
	Header // that of the first
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
	for i, file := range files {
		h, err := readHeader(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
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
	return &Parts{first, named}, nil
}

func readHeader(path string) (h Header, err error) {
	err = open(path, func(f *parquet.File) error {
		text, ok := f.Lookup(key)
		if !ok {
			return fmt.Errorf("%w: it was not written with --part", ErrPart)
		}
		if err := json.Unmarshal([]byte(text), &h); err != nil {
			return fmt.Errorf("%w: %w", ErrPart, err)
		}
		switch {
		case h.Version != version:
			return fmt.Errorf("%w: it is of version %d, want %d", ErrPart, h.Version, version)
		case h.Share.All() || h.Units < 0 || h.Rows < 0:
			return fmt.Errorf("%w: its header is invalid", ErrPart)
		}
		return nil
	})
	return h, err
}

// open calls use with a Parquet file.
func open(path string, use func(*parquet.File) error) (err error) {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	defer func() { // the Parquet package panics at some damaged files
		if x := recover(); x != nil {
			err = fmt.Errorf("%w: damaged: %v", ErrPart, x)
		}
	}()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%w: it is not a file", ErrPart)
	}
	f, err := truth.OpenParquet(in, info.Size())
	if err != nil {
		return fmt.Errorf("%w: %w", ErrPart, err)
	}
	return use(f)
}

// Table returns the pairs of all parts in the order of one run, with the ids that their
// positions stand for.
func (p *Parts) Table() (t *truth.Table, queryIDs, targetIDs []string, err error) {
	if p.Job != Truth && p.Job != Join {
		return nil, nil, nil, fmt.Errorf("%w: parts of %s hold no pairs", ErrPart, p.Job)
	}
	list, err := all[pairRow](p)
	if err != nil {
		return nil, nil, nil, err
	}
	t = &truth.Table{Pairs: make([]truth.Pair, 0, len(list))}
	if p.Maps {
		t.Maps = make([]edit.NodeMap, 0, len(list))
	}
	queries, targets := make(map[string]int), make(map[string]int)
	number := func(of map[string]int, ids *[]string, id string) int {
		at, ok := of[id]
		if !ok {
			at = len(*ids)
			of[id] = at
			*ids = append(*ids, id)
		}
		return at
	}
	for _, r := range list {
		pair := truth.NewPair(number(queries, &queryIDs, r.Query), number(targets, &targetIDs, r.Target))
		pair.Lower, pair.Upper = r.Lower, r.Upper
		t.Pairs = append(t.Pairs, pair)
		if p.Maps {
			m := make(edit.NodeMap, len(r.Map))
			for v, w := range r.Map {
				m[v] = int(w)
			}
			t.Maps = append(t.Maps, m)
		}
	}
	return t, queryIDs, targetIDs, nil
}

// Vectors returns the graphs' ids and rows of all parts in the order of one run,
// [len(ids), dim] with the models' vectors one behind the other.
func (p *Parts) Vectors() (ids []string, vectors []float32, err error) {
	if p.Job != Embed && p.Job != Index {
		return nil, nil, fmt.Errorf("%w: parts of %s hold no vectors", ErrPart, p.Job)
	}
	list, err := all[vectorRow](p)
	if err != nil {
		return nil, nil, err
	}
	dim := p.dim()
	vectors = make([]float32, 0, len(list)*dim)
	for _, r := range list {
		if len(r.Vector) != dim {
			return nil, nil, fmt.Errorf("%w: a vector of %d coordinates, want %d", ErrPart, len(r.Vector), dim)
		}
		ids = append(ids, r.ID)
		vectors = append(vectors, r.Vector...)
	}
	return ids, vectors, nil
}

// all returns the rows of all parts by their units of work. Unless the job is a join,
// every unit has one row.
func all[T any, P interface {
	*T
	at() int
	hash(*truth.Hash)
}](p *Parts) ([]T, error) {
	var list []T
	for i, file := range p.files {
		of, err := some[T, P](file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		share := Share{i + 1, p.Share.Of}
		for j := range of {
			if at := P(&of[j]).at(); at < 0 || at >= p.Units || !share.Has(at) {
				return nil, fmt.Errorf("%s: %w: it holds rows that belong to another part", file, ErrPart)
			}
		}
		list = append(list, of...)
	}
	slices.SortStableFunc(list, func(a, b T) int { return P(&a).at() - P(&b).at() })
	if p.Job == Join {
		return list, nil
	}
	for i := range list {
		if at := P(&list[i]).at(); at != i {
			return nil, fmt.Errorf("%w: number %d of %d %s is missing or occurs twice", ErrPart, i+1, p.Units, p.Job.unit())
		}
	}
	if len(list) != p.Units {
		return nil, fmt.Errorf("%w: they hold %d of %d %s", ErrPart, len(list), p.Units, p.Job.unit())
	}
	return list, nil
}

// some returns the rows of one part, compared with their hash.
func some[T any, P interface {
	*T
	at() int
	hash(*truth.Hash)
}](path string) (list []T, err error) {
	h, err := readHeader(path)
	if err != nil {
		return nil, err
	}
	sum := truth.NewHash()
	err = open(path, func(f *parquet.File) error {
		in := parquet.NewGenericReader[T](f)
		defer in.Close()
		for {
			buf := make([]T, rows)
			n, err := in.Read(buf)
			for i := range buf[:n] {
				P(&buf[i]).hash(sum)
			}
			list = append(list, buf[:n]...)
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return fmt.Errorf("%w: %w", ErrPart, err)
			}
			if len(list) > h.Rows {
				break
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if digest := sum.Sum(); len(list) != h.Rows || hex.EncodeToString(digest[:]) != h.Sum {
		return nil, fmt.Errorf("%w: damaged: its rows do not match their checksum", ErrPart)
	}
	return list, nil
}
