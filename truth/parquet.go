package truth

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/truth/parquetfile"
)

// row is a pair as Parquet holds it.
type row struct {
	Query  string  `parquet:"query,dict"`
	Target string  `parquet:"target,dict"`
	Lower  float64 `parquet:"lower"`
	Upper  float64 `parquet:"upper"`
}

// mappedRow is a pair with its node map: target nodes, -1 for deleted.
type mappedRow struct {
	row
	Map []int32 `parquet:"map,list"`
}

// WriteParquet writes the columns query, target (text), lower, upper (float64)
// and, if there are node maps, map (lists of int32: the target node of every
// query node, -1 where it is deleted). Equal rows give equal bytes.
func (r Rows) WriteParquet(w io.Writer) error {
	if !r.Maps {
		return writeRows(w, r, func(x Row) row { return row{x.Query, x.Target, x.Lower, x.Upper} })
	}
	return writeRows(w, r, func(x Row) mappedRow {
		m := make([]int32, len(x.Map))
		for v, w := range x.Map {
			m[v] = int32(w)
		}
		return mappedRow{row{x.Query, x.Target, x.Lower, x.Upper}, m}
	})
}

// rowsInGroup is how many rows the Parquet package holds in memory until it writes them.
const rowsInGroup = 1 << 20

func writeRows[T any](w io.Writer, rows Rows, as func(Row) T) error {
	out := parquetfile.NewWriter[T](w, rowsInGroup)
	for _, r := range rows.All {
		for _, id := range []string{r.Query, r.Target} {
			if !utf8.ValidString(id) {
				return fmt.Errorf("truth: the id %q is not UTF-8, which Parquet needs: write .csv or .tsv", id)
			}
		}
		if err := out.Write(as(r)); err != nil {
			return err
		}
	}
	return out.Close()
}

// ReadParquet reads what [Rows.WriteParquet] wrote, or another file with these
// columns. The ids must be among those given. An error names the file as name,
// and the row.
func ReadParquet(r io.ReaderAt, size int64, name string, queryIDs, targetIDs []string) (t *Table, err error) {
	at := -1 // the row that is read
	defer func() {
		if err == nil {
			return
		}
		if t = nil; at < 0 {
			err = fmt.Errorf("%s: %w", name, err)
		} else {
			err = fmt.Errorf("%s: row %d: %w", name, at, err)
		}
	}()
	defer parquetfile.Recover(&err)()
	file, err := parquetfile.Open(r, size)
	if err != nil {
		return nil, err
	}
	for _, column := range []string{"query", "target", "lower", "upper"} {
		if _, ok := file.Schema().Lookup(column); !ok {
			return nil, fmt.Errorf("there is no column %q", column)
		}
	}
	t = new(Table)
	ids := newResolver(queryIDs, targetIDs)
	if _, ok := file.Schema().Lookup("map", "list", "element"); !ok {
		return t, readRows(file, &at, func(r *row) error { return t.add(ids, *r) })
	}
	t.Maps = []edit.NodeMap{}
	return t, readRows(file, &at, func(r *mappedRow) error {
		m := make(edit.NodeMap, len(r.Map))
		for v, w := range r.Map {
			if m[v] = int(w); w < edit.Deleted {
				return fmt.Errorf("node map sends %d to %d", v, w)
			}
		}
		t.Maps = append(t.Maps, m)
		return t.add(ids, r.row)
	})
}

func (t *Table) add(ids resolver, r row) error {
	p, err := ids.pair(r.Query, r.Target)
	if err != nil {
		return err
	}
	if !(r.Lower >= 0 && r.Lower <= r.Upper) || math.IsInf(r.Lower, 1) {
		return fmt.Errorf("bounds %v to %v: want a finite lower bound from 0, at most the upper", r.Lower, r.Upper)
	}
	p.Lower, p.Upper = r.Lower, r.Upper
	t.Pairs = append(t.Pairs, p)
	return nil
}

// readRows calls each with the rows of a file. At is the number of the row meanwhile.
func readRows[T any](file *parquet.File, at *int, each func(*T) error) error {
	in, err := parquetfile.NewReader[T](file)
	if err != nil {
		return err
	}
	defer in.Close()
	for {
		*at++
		row, err := in.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = each(row)
		}
		if err != nil {
			return err
		}
	}
}

// ReadFile reads the file of pairs at path: Parquet if it begins like that or is named
// .parquet, which refuses one that lost its beginning, else text (see [ReadText]).
func ReadFile(path string, queryIDs, targetIDs []string) (*Table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	magic := make([]byte, 4)
	_, err = f.ReadAt(magic, 0)
	if err == nil && string(magic) == parquetfile.Magic || strings.ToLower(filepath.Ext(path)) == ".parquet" {
		return ReadParquet(f, info.Size(), path, queryIDs, targetIDs)
	}
	return ReadText(f, path, queryIDs, targetIDs)
}
