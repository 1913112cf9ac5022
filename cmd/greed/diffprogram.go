package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/diff"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/operation"
)

// soonProgram is how long the differences of two functions are sought where --time-limit says nothing, and soonMatch
// how long their distance is while functions are matched.
const (
	soonProgram = 200 * time.Millisecond
	soonMatch   = 5 * time.Millisecond
)

// programs are two versions of a program whose functions were matched.
type programs struct {
	names [2][]string // of the functions, without what the names of all have in common
	list  []diff.Function
}

// matchPrograms matches the functions of two collections.
func (c *diffCommand) matchPrograms(s *session, src greed.Source, measure operation.Measure,
	both [2][]dataset.Record) (*programs, error) {
	p := &programs{}
	var versions [2]diff.Program
	for i, list := range both {
		p.names[i] = bare(dataset.IDs(list))
		versions[i].Names = p.names[i]
		for _, rec := range list {
			versions[i].Graphs = append(versions[i].Graphs, rec.Graph)
		}
	}
	if c.Calls != "" {
		files := strings.Split(c.Calls, ",")
		if len(files) != 2 {
			return nil, usageError("--calls: want two call graphs, as old.dot,new.dot")
		}
		for i, file := range files {
			r, err := s.read(src, file)
			if err != nil {
				return nil, err
			}
			if len(r.Records) != 1 {
				return nil, fmt.Errorf("--calls: %s has %s, want the call graph alone", file,
					count(len(r.Records), "graph"))
			}
			if versions[i].Calls, err = callsOf(s, file, &r.Records[0], dataset.IDs(both[i]), p.names[i]); err != nil {
				return nil, err
			}
		}
	}
	opt := measure.Options(dataset.Rules{})
	opt.Time = soonMatch
	comparers := make([]*greed.Comparer, s.workers)
	for i := range comparers {
		var err error
		if comparers[i], err = greed.NewComparer(edit.GED, opt); err != nil {
			return nil, err
		}
	}
	done := s.stage(func() string { return "matching" })
	defer done()
	var err error
	p.list, err = diff.MatchFunctions(s.ctx, &versions[0], &versions[1], s.workers,
		func(ctx context.Context, worker, i, j int) (float64, error) {
			r, err := comparers[worker].Bounds(ctx, both[0][i].Graph, both[1][j].Graph)
			return r.Upper, err
		})
	return p, err
}

// bare returns names without the words with which all begin, and those with which all end, as compilers write them.
func bare(names []string) []string {
	if len(names) < 2 {
		return names
	}
	before, after := names[0], names[0]
	for _, name := range names {
		for !strings.HasPrefix(name, before) {
			before = before[:len(before)-1]
		}
		for !strings.HasSuffix(name, after) {
			after = after[1:]
		}
	}
	inName := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_$./:", r)
	}
	before = strings.TrimRightFunc(before, inName)
	after = strings.TrimLeftFunc(after, inName)
	list := make([]string, len(names))
	for i, name := range names {
		if len(name) <= len(before)+len(after) {
			return names
		}
		list[i] = name[len(before) : len(name)-len(after)]
	}
	return list
}

// callsOf returns the functions that each function calls, by a call graph whose nodes have their names, or these as
// labels.
func callsOf(s *session, file string, rec *dataset.Record, ids, names []string) ([][]int, error) {
	g := rec.Graph
	labels := make([]string, g.N())
	for v := range labels {
		labels[v] = g.LabelText(v)
	}
	forms := [][]string{labels, unbraced(labels)}
	if called := rec.NodeNames(); called != nil {
		forms = append(forms, called)
	}
	var function []int // of each node, or -1
	most := 0
	for _, known := range [][]string{ids, names} {
		at := make(map[string]int, len(known))
		for i, name := range known {
			at[name] = i
		}
		for _, form := range forms {
			found, n := slices.Repeat([]int{-1}, g.N()), 0
			for v, name := range form {
				if i, ok := at[name]; ok {
					found[v] = i
					n++
				}
			}
			if n > most {
				function, most = found, n
			}
		}
	}
	if most == 0 {
		return nil, fmt.Errorf("--calls: no node of %s has the name of a function, such as %s", file, field(names[0]))
	}
	if 2*most < len(names) {
		s.note("%s names %d of %s", file, most, count(len(names), "function"))
	}
	calls := make([][]int, len(names))
	for e := range g.Edges() {
		if u, v := function[e.From], function[e.To]; u >= 0 && v >= 0 {
			calls[u] = append(calls[u], v)
			if !g.Directed() {
				calls[v] = append(calls[v], u)
			}
		}
	}
	for i := range calls {
		slices.Sort(calls[i])
		calls[i] = slices.Compact(calls[i])
	}
	return calls, nil
}

// unbraced returns labels without the braces in which DOT has records.
func unbraced(labels []string) (list []string) {
	for _, label := range labels {
		label = strings.TrimSuffix(strings.TrimPrefix(label, "{"), "}")
		list = append(list, label)
	}
	return list
}

// lines say what became of functions, in a few lines: one of each kind.
func (p *programs) lines() (lines []string) {
	var renamed, moved, split, merged, removed, added []string
	for _, f := range p.list {
		old, fresh := "", ""
		if f.Old >= 0 {
			old = p.names[0][f.Old]
		}
		if f.New >= 0 {
			fresh = p.names[1][f.New]
		}
		switch {
		case f.Fate == diff.FateRenamed:
			renamed = append(renamed, old+" → "+fresh)
		case f.Fate == diff.FateMoved:
			moved = append(moved, old+" → "+fresh)
		case f.Fate == diff.FateSplit:
			split = append(split, fresh+" from "+p.names[1][f.Of])
		case f.Fate == diff.FateMerged:
			merged = append(merged, old+" into "+p.names[0][f.Of])
		case f.New < 0:
			removed = append(removed, old)
		case f.Old < 0:
			added = append(added, fresh)
		}
	}
	for _, of := range []struct {
		what string
		list []string
	}{
		{"renamed", renamed}, {"moved", moved}, {"split", split}, {"merged", merged}, {"removed", removed},
		{"added", added},
	} {
		const most = 6
		switch n := len(of.list); {
		case n == 0:
		case n > most+1:
			lines = append(lines, fmt.Sprintf("%d %s: %s and %d more", n, of.what, strings.Join(of.list[:most], ", "),
				n-most))
		default:
			lines = append(lines, fmt.Sprintf("%d %s: %s", n, of.what, strings.Join(of.list, ", ")))
		}
	}
	return lines
}

// became is what became of a function, beside the difference of its graph.
type became struct {
	Fate diff.Fate `json:"fate,omitempty"`
	Of   string    `json:"of,omitempty"`  // the function from which it was split, or into which it was merged
	Why  string    `json:"why,omitempty"` // what speaks for it
}

// of returns what became of a function.
func (p *programs) of(f diff.Function) *became {
	b := &became{Fate: f.Fate, Why: f.Why}
	switch f.Fate {
	case diff.FateSplit:
		b.Of = p.names[1][f.Of]
	case diff.FateMerged:
		b.Of = p.names[0][f.Of]
	}
	return b
}

// text says it in a sentence, or is "".
func (b *became) text() string {
	switch b.Fate {
	case "":
		return ""
	case diff.FateSplit:
		return fmt.Sprintf("split from %s: %s", b.Of, b.Why)
	case diff.FateMerged:
		return fmt.Sprintf("merged into %s: %s", b.Of, b.Why)
	}
	return string(b.Fate) + ": " + b.Why
}

// moved reports whether a function has another name than before.
func (b *became) moved() bool {
	return b != nil && (b.Fate == diff.FateRenamed || b.Fate == diff.FateMoved)
}
