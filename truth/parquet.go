package truth

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/greedgraph/greed/edit"
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

const (
	// rowsAtATime is how many rows are handed to or taken from the Parquet package.
	rowsAtATime = 1 << 10
	// rowsInGroup is how many the Parquet package holds in memory until it writes them.
	rowsInGroup = 1 << 20
)

func writeRows[T any](w io.Writer, rows Rows, as func(Row) T) error {
	out := parquet.NewGenericWriter[T](w, parquet.Compression(&parquet.Zstd), parquet.CreatedBy("greed", "", ""), parquet.MaxRowsPerRowGroup(rowsInGroup))
	buf := make([]T, 0, rowsAtATime)
	var sum checksum
	for _, r := range rows.All {
		if !rows.Maps {
			r.Map = nil
		}
		sum.add(r.Query, r.Target, r.Lower, r.Upper, r.Map)
		if buf = append(buf, as(r)); len(buf) == cap(buf) {
			if _, err := out.Write(buf); err != nil {
				return err
			}
			buf = buf[:0]
		}
	}
	if _, err := out.Write(buf); err != nil {
		return err
	}
	out.SetKeyValueMetadata(checksumKey, sum.String())
	return out.Close()
}

// checksumKey is where the metadata of a file has the checksum of its rows. Pages have
// checksums of their own, but what says how to read them, headers and footer, has none.
const checksumKey = "greed.rows"

// checksum is of rows in their order: their texts, numbers and node maps.
type checksum struct {
	crc uint32
	buf []byte
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (c *checksum) add(query, target string, lower, upper float64, m edit.NodeMap) {
	c.buf = c.buf[:0]
	for _, text := range []string{query, target} {
		c.buf = append(binary.AppendUvarint(c.buf, uint64(len(text))), text...)
	}
	for _, x := range []float64{lower, upper} {
		c.buf = binary.LittleEndian.AppendUint64(c.buf, math.Float64bits(x))
	}
	c.buf = binary.AppendUvarint(c.buf, uint64(len(m)))
	for _, w := range m {
		c.buf = binary.AppendVarint(c.buf, int64(w))
	}
	c.crc = crc32.Update(c.crc, castagnoli, c.buf)
}

func (c *checksum) String() string { return fmt.Sprintf("%08x", c.crc) }

// ReadParquet reads what [Rows.WriteParquet] wrote, or another file with these
// columns. The ids must be among those given. An error names the file as name,
// and the row.
func ReadParquet(r io.ReaderAt, size int64, name string, queryIDs, targetIDs []string) (t *Table, err error) {
	defer func() { // the Parquet package panics at some damaged files
		if x := recover(); x != nil {
			t, err = nil, fmt.Errorf("%s: damaged Parquet file: %v", name, x)
		}
	}()
	file, err := OpenParquet(r, size)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, column := range []string{"query", "target", "lower", "upper"} {
		if _, ok := file.Schema().Lookup(column); !ok {
			return nil, fmt.Errorf("%s: there is no column %q", name, column)
		}
	}
	want, summed := file.Lookup(checksumKey)
	if summed { // by greed, which compresses by Zstd: damage that names another way may take all memory
		for _, group := range file.Metadata().RowGroups {
			for _, column := range group.Columns {
				if codec := column.MetaData.Codec; codec != format.Zstd {
					return nil, fmt.Errorf("%s: damaged Parquet file: a column compressed by %v", name, codec)
				}
			}
		}
	}
	var sum checksum
	t = new(Table)
	ids := newResolver(queryIDs, targetIDs)
	if _, ok := file.Schema().Lookup("map", "list", "element"); !ok {
		err = readRows(file, name, func(r *row) error {
			sum.add(r.Query, r.Target, r.Lower, r.Upper, nil)
			return t.add(ids, *r)
		})
	} else {
		t.Maps = []edit.NodeMap{}
		err = readRows(file, name, func(r *mappedRow) error {
			m := make(edit.NodeMap, len(r.Map))
			for v, w := range r.Map {
				if m[v] = int(w); w < edit.Deleted {
					return fmt.Errorf("node map sends %d to %d", v, w)
				}
			}
			sum.add(r.Query, r.Target, r.Lower, r.Upper, m)
			t.Maps = append(t.Maps, m)
			return t.add(ids, r.row)
		})
	}
	if err != nil {
		return nil, err
	}
	if got := sum.String(); summed && got != want {
		return nil, fmt.Errorf("%s: damaged Parquet file: its rows have the checksum %s, written were rows with %s", name, got, want)
	}
	return t, nil
}

// parquetMagic begins and ends a Parquet file.
const parquetMagic = "PAR1"

// OpenParquet opens a Parquet file. It finds files that were cut short, and ends the
// reading of damaged ones that would go on for ever. The Parquet package panics at some
// damaged files, now or when rows are read.
func OpenParquet(r io.ReaderAt, size int64) (*parquet.File, error) {
	if err := checkParquetEnds(r, size); err != nil {
		return nil, err
	}
	return parquet.OpenFile(&rationed{r, rereads*size + 1<<20}, size)
}

// checkParquetEnds finds files that were cut short, before the Parquet package
// believes the length that it takes for that of the footer.
func checkParquetEnds(r io.ReaderAt, size int64) error {
	const ends = 12 // magic, footer length and magic
	head, tail := make([]byte, 4), make([]byte, 8)
	if size < ends {
		return errors.New("not a Parquet file: too short")
	}
	if _, err := r.ReadAt(head, 0); err != nil {
		return err
	}
	if _, err := r.ReadAt(tail, size-8); err != nil {
		return err
	}
	if string(head) != parquetMagic || string(tail[4:]) != parquetMagic {
		return errors.New("not a whole Parquet file: it does not begin and end with " + parquetMagic)
	}
	if footer := int64(binary.LittleEndian.Uint32(tail)); footer > size-ends {
		return fmt.Errorf("damaged Parquet file: a footer of %d bytes in a file of %d", footer, size)
	}
	return nil
}

// rereads is how often over a Parquet file may be read. Reading a whole one
// takes each byte a few times; some damaged ones are read without end.
const rereads = 16

// rationed is an [io.ReaderAt] that gives left more bytes.
type rationed struct {
	io.ReaderAt
	left int64
}

func (r *rationed) ReadAt(p []byte, at int64) (int, error) {
	if r.left -= int64(len(p)); r.left < 0 {
		return 0, errors.New("damaged Parquet file: its parts point at each other")
	}
	return r.ReaderAt.ReadAt(p, at)
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

func readRows[T any](file *parquet.File, name string, each func(*T) error) error {
	in := parquet.NewGenericReader[T](file)
	defer in.Close()
	buf := make([]T, rowsAtATime)
	for at := 0; ; {
		n, err := in.Read(buf)
		for i := range buf[:n] {
			if err := each(&buf[i]); err != nil {
				return fmt.Errorf("%s: row %d: %w", name, at+i, err)
			}
		}
		at += n
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: row %d: %w", name, at, err)
		}
	}
}

// ReadFile reads the file of pairs at path: Parquet if it begins like that or is named
// .parquet, which refuses one that lost its beginning, JSON if it begins with a list (see
// [ReadJSON]), else text (see [ReadText]).
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
	if err == nil && string(magic) == parquetMagic || filepath.Ext(path) == ".parquet" {
		return ReadParquet(f, info.Size(), path, queryIDs, targetIDs)
	}
	in := bufio.NewReader(f)
	for n := 1; ; n++ {
		start, err := in.Peek(n)
		if err != nil {
			break
		}
		if last := start[n-1]; last == '[' {
			return ReadJSON(in, path, queryIDs, targetIDs)
		} else if last > ' ' {
			break
		}
	}
	return ReadText(in, path, queryIDs, targetIDs)
}
