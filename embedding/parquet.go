package embedding

import (
	"encoding/json"
	"io"

	"github.com/parquet-go/parquet-go"
)

// WriteParquet writes a Parquet file with the columns id and vector. Its metadata hold the
// model under "greed.model" and the norm, as JSON, under "greed.norm".
func (s *Set) WriteParquet(w io.Writer) error {
	text, err := json.Marshal(s.Norm)
	if err != nil {
		return err
	}
	type row struct {
		ID     string    `parquet:"id"`
		Vector []float32 `parquet:"vector,list"`
	}
	rows := make([]row, s.Len())
	for i, id := range s.IDs {
		rows[i] = row{id, s.Vector(i)}
	}
	out := parquet.NewGenericWriter[row](w, parquet.KeyValueMetadata("greed.model", s.Model),
		parquet.KeyValueMetadata("greed.norm", string(text)))
	if _, err := out.Write(rows); err != nil {
		return err
	}
	return out.Close()
}
