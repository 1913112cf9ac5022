package part

import (
	"encoding/json"
	"io"
	"iter"

	"github.com/greedgraph/greed/truth/parquetfile"

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

// vectorRow is a graph of a part with its vector.
type vectorRow struct {
	At     int64     `parquet:"at"`
	ID     string    `parquet:"id"`
	Vector []float32 `parquet:"vector,list"`
}

func (r *vectorRow) at() int { return int(r.At) }

// rowsInGroup is how many the Parquet package holds in memory until it writes them. When parts are merged,
// the distinct ids of as many rows of each are in memory.
const rowsInGroup = 1 << 16

// WritePairs writes a part of pairs. unit(i) is the unit of work of the row that comes with i.
func (h Header) WritePairs(w io.Writer, rows truth.Rows, unit func(i int) int) error {
	h.Maps = rows.Maps
	return write(h, w, func(yield func(pairRow) bool) {
		for i, r := range rows.All {
			p := pairRow{int64(unit(i)), r.Query, r.Target, r.Lower, r.Upper, nil}
			for _, w := range r.Map {
				p.Map = append(p.Map, int32(w))
			}
			if !yield(p) {
				return
			}
		}
	})
}

// WriteVectors writes a part of vectors of the header's model: for each unit of work its graph's id and
// its vector, [len(units), dim].
func (h Header) WriteVectors(w io.Writer, units []int, ids []string, vectors []float32) error {
	dim := h.Models[0].Norm.Dim()
	return write(h, w, func(yield func(vectorRow) bool) {
		for i, unit := range units {
			if !yield(vectorRow{int64(unit), ids[i], vectors[i*dim : (i+1)*dim]}) {
				return
			}
		}
	})
}

func write[T any](h Header, w io.Writer, all iter.Seq[T]) error {
	out := parquetfile.NewWriter[T](w, rowsInGroup)
	h.Version, h.Rows = version, 0
	for row := range all {
		h.Rows++
		if err := out.Write(row); err != nil {
			return err
		}
	}
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	out.SetMetadata(key, string(text))
	return out.Close()
}
