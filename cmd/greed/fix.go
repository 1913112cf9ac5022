package main

import (
	"reflect"
	"strings"

	"github.com/alecthomas/kong"
)

// mapPairs reads the flag of pairs of nodes. They may begin with a dash, as no flag of one
// letter does that a colon follows.
func mapPairs(ctx *kong.DecodeContext, target reflect.Value) error {
	if next := ctx.Scan.Peek(); !strings.HasPrefix(next.String(), "-:") {
		var text string
		err := ctx.Scan.PopValueInto("string", &text)
		target.SetString(text)
		return err
	}
	target.SetString(ctx.Scan.Pop().String())
	return nil
}
