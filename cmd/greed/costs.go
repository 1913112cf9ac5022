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
