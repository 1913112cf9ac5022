package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/greedgraph/greed/edit"
)

// costFlags choose the edit costs where no model brings its own.
type costFlags struct {
	Costs            string `default:"uniform" placeholder:"NAME|FILE" help:"Edit costs: uniform (every edit 1), chem1 (nodes 4, relabelling 2, edges 1) or a JSON file (default uniform)."`
	IgnoreEdgeLabels bool   `help:"Relabel edges for nothing."`
}

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
	}
	text, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return edit.Costs{}, fmt.Errorf("--costs %s: no such file, and not one of uniform, chem1", name)
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
		return edit.Costs{}, fmt.Errorf("%w: %w", edit.ErrCosts, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return edit.Costs{}, fmt.Errorf("%w: more text after the JSON object", edit.ErrCosts)
	}
	return costs, costs.Check()
}
