package main

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/operation"
)

// costsHelp describes the file that --costs takes.
const costsHelp = `
A file for --costs is a JSON object, such as {"node_insert": 2, "edge_substitute": 0}.
The weights are node_insert, node_delete, node_substitute and the same with edge_; a
weight that is left out is 1. A cost is 0 or from 1e-9 to 1e9; the largest is at most
1e6 times the least above 0. Costs by label go into "nodes" or "edges":

    {"nodes": {"substitute": {"F": {"Cl": 0.3}}, "default": {"insert": 2, "delete": 2}}}

where "default" covers the labels that are not named. "ring" in "edges" is the extra
cost of an edge in a ring that becomes one outside, or the other way round. "parts"
compare attributes, numbers by their difference:

    {"nodes": {"default": {"insert": 5, "delete": 5}, "parts": [
      {"attributes": ["type"], "differ": 3}, {"attributes": ["minutes"], "weight": 0.1}]}}

If relabelling an edge costs more than deleting and inserting it, it is deleted and
inserted. docs/costs.md explains everything and gives the sources.
`

// mapCosts reads the flag of costs that belong to an operation: a name or a file.
func mapCosts(ctx *kong.DecodeContext, target reflect.Value) error {
	var name string
	if err := ctx.Scan.PopValueInto("costs", &name); err != nil {
		return err
	}
	costs := operation.CostsOf(name)
	if _, known := edit.Named(name); !known {
		text, err := os.ReadFile(name)
		if errors.Is(err, os.ErrNotExist) {
			err = fmt.Errorf("%s is neither a file nor one of %s", name, strings.Join(edit.Names(), ", "))
		}
		if err != nil {
			return err
		}
		costs = operation.CostsIn(name, text)
	}
	target.Set(reflect.ValueOf(costs))
	return nil
}
