package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/greedgraph/greed/edit"
)

// pairsText is the value of --fix. It may begin with a dash, as no flag of one letter does
// that a colon follows.
type pairsText string

// Decode takes the value from the command line.
func (p *pairsText) Decode(ctx *kong.DecodeContext) error {
	if next := ctx.Scan.Peek(); !strings.HasPrefix(next.String(), "-:") {
		return ctx.Scan.PopValueInto("string", (*string)(p))
	}
	*p = pairsText(ctx.Scan.Pop().String())
	return nil
}

// parseFixed reads pairs such as 0:3,1:-,-:2: query node 0 is target node 3, query
// node 1 is deleted, target node 2 is inserted.
func parseFixed(text string) ([][2]int, error) {
	if text == "" {
		return nil, nil
	}
	var pairs [][2]int
	for part := range strings.SplitSeq(text, ",") {
		query, target, ok := strings.Cut(strings.TrimSpace(part), ":")
		v, errQuery := nodeOrNone(query)
		w, errTarget := nodeOrNone(target)
		if !ok || errQuery != nil || errTarget != nil || v == edit.Deleted && w == edit.Deleted {
			return nil, usageError(fmt.Sprintf("--fix %s: %q is not a pair of nodes: want 0:3 (query node 0 is target node 3), 1:- (deleted) or -:2 (inserted)", text, part))
		}
		pairs = append(pairs, [2]int{v, w})
	}
	return pairs, nil
}

func nodeOrNone(text string) (int, error) {
	if text == "-" {
		return edit.Deleted, nil
	}
	n, err := strconv.ParseUint(text, 10, 31)
	return int(n), err
}
