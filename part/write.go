package part

import (
	"encoding/hex"
	"encoding/json"
	"io"
	"math"

	"github.com/parquet-go/parquet-go"

	"github.com/greedgraph/greed/truth"
)

// key is that of the header in the metadata of the Parquet file that a part is.
const key = "greed.part"

// pairRow is a pair of a part. At is the unit of work that it belongs to: the number of
// the pair, or that of the query in a join.
type pairRow struct {
	At     int64   `parquet:"at"`
	Query  string  `parquet:"query,dict"`
	Target string  `parquet:"target,dict"`
	Lower  float64 `parquet:"lower"`
	Upper  float64 `parquet:"upper"`
	Map    []int32 `parquet:"map,list"`
}

func (r *pairRow) at() int { return int(r.At) }

func (r *pairRow) hash(h *truth.Hash) {
	h.Number(int(r.At))
	h.Text(r.Query)
	h.Text(r.Target)
	h.Number(int(math.Float64bits(r.Lower)))
	h.Number(int(math.Float64bits(r.Upper)))
	h.Number(len(r.Map))
	for _, w := range r.Map {
		h.Number(int(w))
	}
}

// vectorRow is a graph of a part with its vectors, one behind the other.
type vectorRow struct {
	At     int64     `parquet:"at"`
	ID     string    `parquet:"id"`
	Vector []float32 `parquet:"vector,list"`
}

func (r *vectorRow) at() int { return int(r.At) }

func (r *vectorRow) hash(h *truth.Hash) {
	h.Number(int(r.At))
	h.Text(r.ID)
	h.Number(len(r.Vector))
	for _, x := range r.Vector {
		h.Number(int(math.Float32bits(x)))
	}
}

// rows is how many rows are written or read at a time.
const rows = 1 << 10

// WritePairs writes a part of pairs. at(i) is the unit of work that pair i of the table
// belongs to.
func (h Header) WritePairs(w io.Writer, t *truth.Table, at func(i int) int, queryIDs, targetIDs []string) error {
	h.Maps = t.Maps != nil
	return write(h, w, len(t.Pairs), func(i int) pairRow {
		p := t.Pairs[i]
		r := pairRow{int64(at(i)), queryIDs[p.Query], targetIDs[p.Target], p.Lower, p.Upper, nil}
		if h.Maps {
			for _, w := range t.Maps[i] {
				r.Map = append(r.Map, int32(w))
			}
		}
		return r
	})
}

// WriteVectors writes a part of vectors: for each unit of work its graph's id and its
// row, [len(units), dim] with the models' vectors one behind the other.
func (h Header) WriteVectors(w io.Writer, units []int, ids []string, vectors []float32) error {
	dim := h.dim()
	return write(h, w, len(units), func(i int) vectorRow {
		return vectorRow{int64(units[i]), ids[i], vectors[i*dim : (i+1)*dim]}
	})
}

func write[T any, P interface {
	*T
	hash(*truth.Hash)
}](h Header, w io.Writer, n int, row func(int) T) error {
	out := parquet.NewGenericWriter[T](w, parquet.Compression(&parquet.Zstd), parquet.CreatedBy("greed", "", ""))
	sum := truth.NewHash()
	buf := make([]T, 0, rows)
	for i := range n {
		buf = append(buf, row(i))
		P(&buf[len(buf)-1]).hash(sum)
		if len(buf) == cap(buf) || i == n-1 {
			if _, err := out.Write(buf); err != nil {
				return err
			}
			buf = buf[:0]
		}
	}
	digest := sum.Sum()
	h.Version, h.Rows, h.Sum = version, n, hex.EncodeToString(digest[:])
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	out.SetKeyValueMetadata(key, string(text))
	return out.Close()
}
