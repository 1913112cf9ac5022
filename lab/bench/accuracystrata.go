package bench

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/greedgraph/greed/eval"
)

// strataParts is how many strata an axis has, at most: of about as many pairs each.
const strataParts = 4

// Stratum is the errors of the pairs of a set whose graphs, or whose distances, are of about
// a size. RMSE and bias are means over models.
type Stratum struct {
	Pairs string  `json:"pairs"` // the set
	By    string  `json:"by"`
	From  float64 `json:"from"`
	To    float64 `json:"to"` // the first size that is too large
	Count int     `json:"count"`
	RMSE  float64 `json:"rmse"`
	Bias  float64 `json:"bias"` // above 0 where predictions are too large
}

// strataOf puts the bins of each axis together to strata.
func strataOf(set string, g eval.Grid) (list []Stratum) {
	for _, axis := range []struct {
		by    string
		axis  eval.Axis
		cells []eval.Cell
	}{
		{"query nodes", g.Sizes, g.BySize},
		{"target nodes", g.Targets, g.ByTarget},
		{"distance", g.Distances, g.ByDistance},
	} {
		total, done := 0, 0
		for _, c := range axis.cells {
			total += c.Pairs
		}
		s := Stratum{Pairs: set, By: axis.by, From: axis.axis.Start}
		squares, signed := 0.0, 0.0
		for i, c := range axis.cells {
			if s.To = axis.axis.Start + float64(i+1)*axis.axis.Width; c.Pairs > 0 {
				n := float64(c.Pairs)
				s.Count += c.Pairs
				squares += n * float64(c.RMSE) * float64(c.RMSE)
				signed += n * float64(c.Bias)
			}
			if s.Count == 0 || done+s.Count < total && strataParts*s.Count < total {
				continue
			}
			s.RMSE, s.Bias = math.Sqrt(squares/float64(s.Count)), signed/float64(s.Count)
			list = append(list, s)
			done += s.Count
			s = Stratum{Pairs: set, By: axis.by, From: s.To}
			squares, signed = 0, 0
		}
	}
	return list
}

// meanStrata returns the means of the strata of several models, which have the same, one
// model after the other.
func meanStrata(all []Stratum, models int) []Stratum {
	n := len(all) / models
	list := make([]Stratum, n)
	for i := range list {
		list[i] = all[i]
		list[i].RMSE, list[i].Bias = 0, 0
		for k := i; k < len(all); k += n {
			list[i].RMSE += all[k].RMSE / float64(models)
			list[i].Bias += all[k].Bias / float64(models)
		}
	}
	return list
}

// writeStrata writes the strata of the rows below each other.
func (t *AccuracyTable) writeStrata(w io.Writer) error {
	lines := [][]string{{"row", "pairs", "by", "RMSE (bias)", "", "", ""}}
	for _, r := range t.Rows {
		last := Stratum{}
		for i, s := range r.Strata {
			if i == 0 || s.Pairs != last.Pairs || s.By != last.By {
				line := make([]string, 3, 3+strataParts)
				if line[2] = s.By; i == 0 {
					line[0] = r.Name
				}
				if s.Pairs != last.Pairs {
					line[1] = s.Pairs
				}
				lines = append(lines, line)
			}
			at := &lines[len(lines)-1]
			*at = append(*at, fmt.Sprintf("%s to below %s: %s (%+.3f)", digits(s.From), digits(s.To), places(s.RMSE), s.Bias))
			last = s
		}
	}
	if len(lines) == 1 {
		return nil
	}
	for i := range lines {
		for len(lines[i]) < 3+strataParts {
			lines[i] = append(lines[i], "")
		}
	}
	var b strings.Builder
	b.WriteString("\nErrors by size and distance, each axis in parts of about as many pairs:\n\n")
	writeColumns(&b, lines)
	_, err := io.WriteString(w, b.String())
	return err
}
