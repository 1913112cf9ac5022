// Package baseline holds the systems that learnt distances are compared with: each
// from its own paper, built of the operations of package nn, trained on the same
// pairs as our models and evaluated by the same measures. Nothing but package bench and
// the command line imports it. docs/baselines.md says where each departs from its
// paper, and what was measured.
//
// Legend of dimensions: G graphs, V nodes and P pairs of a batch.
package baseline

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/eval"
	"github.com/greedgraph/greed/train"
)

// System predicts the distances of pairs of graphs under one task and one set of
// costs. It is not safe for concurrent use.
type System interface {
	Info() Info
	// Fit learns from the pairs of data. If the context ends after the first
	// validation, the system is the best so far and the error is the context's. A
	// system that does not learn does nothing.
	Fit(ctx context.Context, data train.Data, opt Options) error
	// Predict sets in.Predicted, in edit-cost units. Each graph is embedded once.
	Predict(ctx context.Context, in *eval.Input, opt Options) (Work, error)
	// Parameters returns the number of trainable numbers, 0 before Fit.
	Parameters() int
	// Fitted says how Fit ended.
	Fitted() Fitted
	// Save writes what was learnt to a file. Before Fit, and of systems that do not
	// learn, the error wraps [ErrNothingLearnt].
	Save(path string) error
}

// Info describes a system.
type Info struct {
	Name  string // in commands and files
	Title string // in tables
	Paper string // authors and year
	About string // one line: what it does
	Tasks []edit.Task
	// Learns reports whether Fit does anything, Steps how many batches it trains on unless
	// options say otherwise.
	Learns bool
	Steps  int
	// Searches reports whether a search decides every pair anew, which takes milliseconds.
	Searches bool
	// RanksOnly means that a prediction orders targets and is no distance.
	RanksOnly bool
	// Indexable reports whether a graph's embedding can be stored and searched: its
	// distance is a norm of two vectors. Of the others, Cached says what can be kept of
	// a graph before its partner is known.
	Indexable bool
	Cached    string
}

// Does reports whether the system has the task.
func (i Info) Does(task edit.Task) bool { return slices.Contains(i.Tasks, task) }

// Options say how to train and predict. The zero value is what the system's paper
// says, on one core, as seed 0.
type Options struct {
	Seed  uint64
	Steps int // batches to train on, at most; 0: the system's own number
	// Validations is how often training is validated, about; 0: [Validations].
	Validations int
	// Workers is how many cores predict at a time, 0 for one. Training uses one, so
	// that the same seed gives the same numbers everywhere.
	Workers int
	// Time is the limit of a pair for systems that have one; 0: the paper's 0.1 s.
	Time time.Duration
	// States limits the search of GENN-A* in a pair; 0: its default.
	States int
	// Checkpoint, if not empty, is a file from which a training that was stopped continues, with the same numbers.
	// It is written after every validation and when the context ends.
	Checkpoint string
	// Progress, if not nil, is called after every validation and, a few times a second, with the number of
	// pairs predicted.
	Progress func(Progress)
	// Clock tells the time that [Work] and [Fitted] count, such as processor time; nil:
	// the wall clock.
	Clock func() time.Duration
}

// Progress says how far a system is.
type Progress struct {
	System      string
	Stage       string // "training" or "pairs"
	Done, Total int
	Loss        float64       // of the last batch, in the system's own units
	Valid, Best train.Metrics // in edit-cost units
}

// Work is what predictions cost.
type Work struct {
	Graphs, Pairs int
	// Embed is the time for what is cached of each graph, Score for all pairs after.
	Embed, Score time.Duration
	// Exact counts the pairs whose bounds met or, of GENN-A*, whose search ended by itself;
	// a learnt heuristic may be too high, so that proves nothing.
	Exact int
}

// Fitted says how training ended.
type Fitted struct {
	Steps int
	Time  time.Duration
	Valid train.Metrics // the best; of a system that only ranks, of its loss
}

func (o Options) ready() Options {
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	if o.Clock == nil {
		begin := time.Now()
		o.Clock = func() time.Duration { return time.Since(begin) }
	}
	if o.Workers == 0 {
		o.Workers = 1
	}
	if o.Validations == 0 {
		o.Validations = Validations
	}
	if o.Time == 0 {
		o.Time = pairTime
	}
	return o
}

// pairTime is what the paper gives a pair of a system that is not learnt.
const pairTime = 100 * time.Millisecond

// entry is a system of the registry.
type entry struct {
	Info
	make func(task edit.Task, costs edit.Costs) (System, error)
}

// Systems describes all systems, in the order of the paper's tables.
func Systems() []Info {
	var all []Info
	for _, e := range registry() {
		all = append(all, e.Info)
	}
	return all
}

// Names returns the names that [New] knows.
func Names() []string {
	var names []string
	for _, e := range registry() {
		names = append(names, e.Name)
	}
	return names
}

// New returns a system. The error says what is wrong if the name is unknown, the
// system does not have the task, or a program that it needs is missing.
func New(name string, task edit.Task, costs edit.Costs) (System, error) {
	for _, e := range append(registry(), ablationEntries()...) {
		if e.Name != name {
			continue
		}
		if !e.Does(task) {
			return nil, fmt.Errorf("baseline: %s does not predict %v", name, task)
		}
		return e.make(task, costs)
	}
	return nil, fmt.Errorf("baseline: unknown system %q, want one of %s", name, strings.Join(Names(), ", "))
}

func registry() []entry {
	var all []entry
	for _, d := range designs(h2mnWidth, nscWidth, orderWidth) {
		all = append(all, d.entry())
	}
	return append(all, branchEntry(), mipEntry())
}

// designs lists the systems that learn. The largest have the given widths, which are
// small in tests.
func designs(h2mn, nsc, neuromatch int) []design {
	return append(h2mnDesigns(h2mn), astarDesign(), gennDesign(), gotsimDesign(), nscDesign(nsc), simgnnDesign(), neuromatchDesign(neuromatch))
}
