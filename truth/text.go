package truth

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/greedgraph/greed/internal/csvcell"
)

// WriteCSV writes the header query,target,lower,upper, with map if there are
// node maps, and a line for every pair. Numbers are the shortest that read back
// the same. Ids that a spreadsheet would run have an apostrophe in front.
func (r Rows) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	header := []string{"query", "target", "lower", "upper"}
	if r.Maps {
		header = append(header, "map")
	}
	if err := out.Write(header); err != nil {
		return err
	}
	for _, row := range r.All {
		row.Query, row.Target = csvcell.Guard(row.Query), csvcell.Guard(row.Target)
		if err := out.Write(r.fields(row)); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// WriteTSV writes a line for every pair, without a header: the columns of
// [Rows.WriteCSV] separated by tabs, ids escaped by [EscapeTSV].
func (r Rows) WriteTSV(w io.Writer) error {
	out := bufio.NewWriter(w)
	for _, row := range r.All {
		row.Query, row.Target = EscapeTSV(row.Query), EscapeTSV(row.Target)
		out.WriteString(strings.Join(r.fields(row), "\t"))
		if err := out.WriteByte('\n'); err != nil {
			return err
		}
	}
	return out.Flush()
}

func (r Rows) fields(row Row) []string {
	f := []string{row.Query, row.Target, FormatNumber(row.Lower), FormatNumber(row.Upper)}
	if r.Maps {
		f = append(f, FormatMap(row.Map))
	}
	return f
}

// ReadText reads pairs as CSV, or as tab-separated values if the first line has
// a tab, with or without a header: the columns query, target, lower, upper and
// perhaps map, or query, target, distance; an empty upper bound is the lower.
// The ids must be among those given.
// An error names the file as name, and the line.
func ReadText(r io.Reader, name string, queryIDs, targetIDs []string) (*Table, error) {
	t := new(Table)
	ids := newResolver(queryIDs, targetIDs)
	err := eachRow(r, name, func(fields []string) error {
		if len(fields) < 3 || len(fields) > 5 {
			return fmt.Errorf("%d columns, want query, target, lower, upper or query, target, distance", len(fields))
		}
		p, err := ids.pair(fields[0], fields[1])
		if err != nil {
			return err
		}
		if p.Lower, err = bound(fields[2]); err != nil {
			return err
		}
		if p.Upper = p.Lower; len(fields) > 3 && fields[3] != "" {
			if p.Upper, err = bound(fields[3]); err != nil {
				return err
			}
		}
		if p.Lower > p.Upper || math.IsInf(p.Lower, 1) {
			return fmt.Errorf("bounds %v to %v: want a finite lower bound, at most the upper", p.Lower, p.Upper)
		}
		if hasMap := len(fields) == 5; len(t.Pairs) > 0 && hasMap != (t.Maps != nil) {
			return errors.New("some lines have a node map and some have none")
		} else if hasMap {
			m, err := ParseMap(fields[4])
			if err != nil {
				return err
			}
			t.Maps = append(t.Maps, m)
		}
		t.Pairs = append(t.Pairs, p)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return t, nil
}

// bound reads a bound of a distance: a number that is not negative. An upper
// bound may be infinite.
func bound(text string) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x >= 0) {
		return 0, fmt.Errorf("%q is not a distance", text)
	}
	return x, nil
}

// Prediction is a model's distance of a pair.
type Prediction struct {
	Query, Target int32
	Distance      float64
}

// ReadPredictions reads the columns query, target, distance in the forms that
// [ReadText] reads. Distances are finite but may be negative: models err.
func ReadPredictions(r io.Reader, name string, queryIDs, targetIDs []string) ([]Prediction, error) {
	var predictions []Prediction
	ids := newResolver(queryIDs, targetIDs)
	err := eachRow(r, name, func(fields []string) error {
		if len(fields) != 3 {
			return fmt.Errorf("%d columns, want query, target, distance", len(fields))
		}
		p, err := ids.pair(fields[0], fields[1])
		if err != nil {
			return err
		}
		x, err := strconv.ParseFloat(fields[2], 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("%q is not a number", fields[2])
		}
		predictions = append(predictions, Prediction{p.Query, p.Target, x})
		return nil
	})
	return predictions, err
}
