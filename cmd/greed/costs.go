package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"

	"github.com/greedgraph/greed/edit"
)

// costFlags choose the edit costs where no model brings its own.
type costFlags struct {
	Costs            string `default:"uniform" placeholder:"NAME|FILE" help:"Edit costs: uniform (every edit 1), chem1 (nodes 4, relabelling 2, edges 1), chem2 (nodes 2.75, relabelling 5.5, edges 0.825), mces (bonds by their order) or a JSON file (default uniform)."`
	IgnoreEdgeLabels bool   `help:"Make relabelling an edge free."`
}

// costsHelp describes the file that --costs takes.
const costsHelp = `
A file for --costs is a JSON object, such as {"node_insert": 2, "edge_substitute": 0}.
The weights are node_insert, node_delete, node_substitute and the same with edge_; a
weight that is left out is 1. A cost is 0 or from 1e-9 to 1e9. Costs by label go into "nodes" or "edges":

    {"nodes": {"substitute": {"F": {"Cl": 0.3}}, "default": {"insert": 2, "delete": 2}}}

where "default" covers the labels that are not named (docs/costs.md). If relabelling
an edge costs more than deleting and inserting it, it is deleted and inserted.
`

func (f costFlags) costs() (edit.Costs, error) {
	costs, err := namedCosts(f.Costs)
	if err != nil {
		return edit.Costs{}, err
	}
	if f.IgnoreEdgeLabels {
		costs = costs.IgnoreEdgeLabels()
	}
	return costs, nil
}

func namedCosts(name string) (edit.Costs, error) {
	switch name {
	case "uniform":
		return edit.Uniform(), nil
	case "chem1":
		return edit.Chem1(), nil
	case "chem2":
		return edit.Chem2(), nil
	case "mces":
		return edit.MCES(), nil
	}
	text, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return edit.Costs{}, fmt.Errorf("--costs %s: no such file, and not one of uniform, chem1, chem2, mces", name)
	}
	if err != nil {
		return edit.Costs{}, err
	}
	costs, err := parseCosts(text)
	if err != nil {
		return edit.Costs{}, fmt.Errorf("%s: %w", name, err)
	}
	return costs, nil
}

// parseCosts reads the JSON form of [edit.Costs]; weights that are not given
// are 1.
func parseCosts(text []byte) (edit.Costs, error) {
	costs := edit.Uniform()
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&costs); err != nil {
		return edit.Costs{}, fmt.Errorf("%w: %w", edit.ErrCosts, costsFault(err))
	}
	if _, err := d.Token(); err != io.EOF {
		return edit.Costs{}, fmt.Errorf("%w: more text after the JSON object", edit.ErrCosts)
	}
	return costs, costs.Check()
}

// costsFault says what is wrong with the text of costs in words of the file.
func costsFault(err error) error {
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF):
		return errors.New("the file is empty, want a JSON object")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the JSON object has no end")
	case errors.As(err, &kind):
		if text, ok := strings.CutPrefix(kind.Value, "number "); ok {
			return fmt.Errorf("%s is %s, want at most %v", kind.Field, text, float64(edit.MaxCost))
		}
		want := "a JSON object"
		if kind.Type.Kind() == reflect.Float64 {
			want = "a number"
		}
		if kind.Field == "" {
			return fmt.Errorf("a JSON %s, want %s", kind.Value, want)
		}
		return fmt.Errorf("%s is a JSON %s, want %s", kind.Field, kind.Value, want)
	}
	return err
}
