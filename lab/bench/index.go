package bench

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/lab/pivottree"
	"github.com/greedgraph/greed/vectorindex"
)

// IndexOptions are options of [Index].
type IndexOptions struct {
	N, Queries int
	Only       []string // names of rows, or the part before a slash; empty means all
	Growth     bool     // measure 10⁴, 10⁵, ... 10⁷ vectors in place of N
	// Graph and Model, if not empty, name the file of one large graph, whose
	// neighbourhoods of Hops are indexed, and that of the model for it.
	Graph, Model string
	Hops         int
	Progress     func(Step)
}

// FullIndex is the number of vectors that the targets refer to: the neighbourhoods of
// DBLP in the paper.
const FullIndex = 1_660_000

// Index measures exact search over vectors on one core: the linear scan, BoxTree and
// the paper's tree in turns, query by query, beside the bandwidth of memory. It
// compares all answers with those of the scan; a difference is an error. If the context
// ends, the table holds the sets measured so far.
func Index(ctx context.Context, opt IndexOptions) (*Table, error) {
	if opt.N < 1 || opt.Queries < 1 {
		return nil, fmt.Errorf("bench: %d vectors and %d queries, want at least one of each", opt.N, opt.Queries)
	}
	if (opt.Graph == "") != (opt.Model == "") {
		return nil, fmt.Errorf("bench: a graph needs a model and a model a graph")
	}
	for _, want := range opt.Only {
		if !slices.ContainsFunc(IndexNames(), func(name string) bool { return named(want, name) }) {
			return nil, fmt.Errorf("bench: no row %q, want some of %s", want, strings.Join(IndexNames(), ", "))
		}
	}
	table := &Table{Scale: 1, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, counted: "queries"}
	sizes := []int{opt.N}
	if opt.Growth {
		sizes = affordable(table)
	}
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		set := task.String()
		if !slices.ContainsFunc(kinds, func(k kind) bool { return opt.wants(set + "/" + k.name) }) {
			continue
		}
		v, err := opt.vectors(ctx, task, slices.Max(sizes))
		switch {
		case ctx.Err() != nil:
			table.Interrupted = true
			return table, nil
		case err != nil:
			return nil, err
		case v == nil: // the given model is for the other task
			continue
		}
		table.Notes = append(table.Notes, fmt.Sprintf("%s: %s", set, v.origin))
		for _, n := range sizes {
			if err := opt.measure(ctx, table, v.first(n)); ctx.Err() != nil {
				table.Interrupted = true
				return table, nil
			} else if err != nil {
				return nil, fmt.Errorf("bench: %s: %w", set, err)
			}
		}
	}
	return table, nil
}

// kind is a kind of index.
type kind struct {
	name  string
	keeps bool // uses the given vectors instead of a copy
	build func(*vectorSet) (vectorindex.Index, error)
}

var kinds = []kind{
	{"scan", false, func(v *vectorSet) (vectorindex.Index, error) { return vectorindex.NewFlat(v.norm, v.vectors) }},
	{"boxtree", true, func(v *vectorSet) (vectorindex.Index, error) { return vectorindex.NewBoxTree(v.norm, v.vectors) }},
	{"pivottree", true, func(v *vectorSet) (vectorindex.Index, error) { return pivottree.New(v.norm, v.vectors) }},
}

// IndexNames returns the names of the rows that Index measures.
func IndexNames() []string {
	var names []string
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		for _, k := range kinds {
			names = append(names, task.String()+"/"+k.name)
		}
	}
	return names
}

// named reports whether want is the name, or its part before a slash.
func named(want, name string) bool { return name == want || strings.HasPrefix(name, want+"/") }

func (o *IndexOptions) wants(name string) bool {
	return len(o.Only) == 0 || slices.ContainsFunc(o.Only, func(want string) bool { return named(want, name) })
}

// subject is an index that is measured.
type subject struct {
	kind
	index  vectorindex.Index
	build  time.Duration
	memory float64                    // relative to the size of the vectors
	times  map[string][]time.Duration // by the name of the question
}

// newSubject builds an index. It counts only memory that stays in use.
func newSubject(k kind, v *vectorSet) (*subject, error) {
	before := heap()
	begin := time.Now()
	x, err := k.build(v)
	if err != nil {
		return nil, err
	}
	s := &subject{kind: k, index: x, build: time.Since(begin), times: make(map[string][]time.Duration)}
	bytes := float64(4 * len(v.vectors))
	s.memory = (float64(heap()) - float64(before)) / bytes
	if k.keeps {
		s.memory++
	}
	return s, nil
}

// heap returns the memory in use. The second collection of garbage empties pools.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// measure builds the indexes of a set and asks them all questions.
func (o *IndexOptions) measure(ctx context.Context, table *Table, v *vectorSet) error {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // figures are those of one core
	var subjects []*subject
	for i, k := range kinds {
		if i > 0 && !o.wants(v.name+"/"+k.name) {
			continue // the others are checked against the scan
		}
		s, err := newSubject(k, v)
		if err != nil {
			return err
		}
		subjects = append(subjects, s)
	}
	sitting := sitting{vectorSet: v, subjects: subjects, progress: o.Progress}
	begin, used := time.Now(), processorTime()
	if err := sitting.run(ctx); err != nil {
		return err
	}
	core := float64(processorTime()-used) / float64(time.Since(begin))
	prefix := ""
	if o.Growth {
		prefix = fmt.Sprintf("%d/", v.len())
	}
	for _, s := range subjects {
		table.Rows = append(table.Rows, Row{
			Name: prefix + v.name + "/" + s.name, About: v.origin, Pairs: v.queryCount(), Runs: 1, Core: core,
			Figures: sitting.figures(s),
		})
	}
	return nil
}
