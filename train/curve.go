package train

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/greedgraph/greed/report"
)

// Curve is the course of the errors over the steps of training.
type Curve struct {
	points []Validated
}

// Validated is one validation.
type Validated struct {
	Trial string  `json:"trial,omitempty"` // the norm that was tried; empty in training proper
	Step  int     `json:"step"`
	Loss  float64 `json:"loss"` // of the last batch
	Rate  float64 `json:"rate"`
	RMSE  float64 `json:"rmse"`
	MAE   float64 `json:"mae"`
}

// Add appends a validation and returns it. It replaces one of the same step, which dates from
// before a resume.
func (c *Curve) Add(p Progress) Validated {
	v := Validated{p.Trial, p.Step, p.Loss, p.Rate, p.Valid.RMSE, p.Valid.MAE}
	c.put(v)
	return v
}

func (c *Curve) put(v Validated) {
	c.points = append(slices.DeleteFunc(c.points, func(p Validated) bool {
		return p.Trial == v.Trial &&
			p.Step >= v.Step
	}), v)
}

// Append appends a validation to a file that [ReadCurve] reads.
func (v Validated) Append(path string) error {
	line, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("train: %w", err)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}

// ReadCurve reads the validations in a file; a missing file has none. It ignores a last line
// that was cut short when the process was killed.
func ReadCurve(path string) (*Curve, error) {
	c := new(Curve)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var v Validated
		if json.Unmarshal(lines.Bytes(), &v) == nil && v.Step > 0 {
			c.put(v)
		}
	}
	return c, lines.Err()
}

// Section returns the curve as a section of a report.
func (c *Curve) Section() report.Section {
	errorsOf := &report.Plot{Title: "Validation error", X: "step", Y: "edits",
		Series: []report.Series{{Name: "RMSE"}, {Name: "MAE"}}}
	loss := &report.Plot{Title: "Training loss", X: "step", Y: "mean squared error of a batch", LogY: true,
		Series: []report.Series{{Name: "loss"}}}
	trials := &report.Plot{Title: "Trials of norms", X: "step", Y: "validation MAE, edits"}
	at := make(map[string]int)
	for _, v := range c.points {
		x := float64(v.Step)
		if v.Trial != "" {
			k, ok := at[v.Trial]
			if !ok {
				k = len(trials.Series)
				at[v.Trial] = k
				trials.Series = append(trials.Series, report.Series{Name: v.Trial})
			}
			trials.Series[k].Points = append(trials.Series[k].Points, report.Point{X: x, Y: v.MAE})
			continue
		}
		errorsOf.Series[0].Points = append(errorsOf.Series[0].Points, report.Point{X: x, Y: v.RMSE})
		errorsOf.Series[1].Points = append(errorsOf.Series[1].Points, report.Point{X: x, Y: v.MAE})
		loss.Series[0].Points = append(loss.Series[0].Points, report.Point{X: x, Y: v.Loss})
	}
	s := report.Section{Title: "Learning curve", Blocks: []report.Block{{Plot: errorsOf}, {Plot: loss}}}
	if len(trials.Series) > 0 {
		s.Blocks = append(s.Blocks, report.Block{Plot: trials})
	}
	return s
}

// ValidPairs calls add for every validation pair with known bounds, with the positions of its
// graphs in Graphs.
func (d Data) ValidPairs(add func(query, target int, lower, upper float64)) {
	for _, b := range d.Valid {
		for i, q := range b.Queries {
			for j, t := range b.Targets {
				if k := i*len(b.Targets) + j; b.Lower[k] == b.Lower[k] { // NaN: not known
					add(int(q), int(t), float64(b.Lower[k]), float64(b.Upper[k]))
				}
			}
		}
	}
}
