package bench

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/eval"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/train"
	"github.com/greedgraph/greed/truth"
)

// Exam is a collection that [Accuracy] evaluates models on: what they learn from, and pairs
// of graphs that they have not seen.
type Exam struct {
	Name  string
	Task  edit.Task
	Costs edit.Costs
	// Learn and Check are the graphs to train on and to validate with; Check is nil where a
	// part of Learn is to be held out. Of a single graph they are found by the plan.
	Learn, Check []*graph.Graph
	Sets         []*ExamSet
	plan         func(*train.Plan)
	material     *material
}

// ExamSet is a set of pairs to evaluate on.
type ExamSet struct {
	Name  string
	Input *eval.Input // without predictions
	pairs *pairSet
}

// Names of the sets of pairs of an [Exam].
const (
	TestTrain = testTrain // GED: a test graph and one to learn from
	Unseen    = unseen    // GED: two test graphs
	Random    = random    // SED: an unseen target with a query drawn from another
	Ranking   = ranking   // SED: some queries with many unseen targets
	Walks     = walks     // SED: queries of random walks
	Restarts  = restarts  // SED: queries of random walks with restarts
	Shadow    = shadow    // SED: queries drawn as shaDow does
	UpTo50    = upTo50    // SED: queries of 5 to 50 nodes
	From25    = from25    // SED: queries of 25 to 50 nodes
)

// OpenExam reads an exam by one of [AccuracyNames], or by such a name of GED with mcs in
// place of ged, whose pairs are evaluated by their maximum common subgraphs. If a file is
// missing, the error wraps [fs.ErrNotExist]. Scale is the share of the pairs to evaluate on.
func OpenExam(name, data, splits string, scale float64) (*Exam, error) {
	common := strings.HasPrefix(name, "mcs/")
	if common {
		name = "ged/" + strings.TrimPrefix(name, "mcs/")
	}
	all := exams()
	at := slices.IndexFunc(all, func(e exam) bool { return e.name == name })
	if at < 0 {
		return nil, fmt.Errorf("bench: no row %q, want one of %s", name, strings.Join(AccuracyNames(), ", "))
	}
	x := &examLab{lab: &lab{Options: Options{Data: data, Scale: scale}, collections: make(map[string][]collection)}, splits: splits}
	b, err := all[at].prepare(x)
	if err != nil {
		return nil, err
	}
	e := &Exam{Name: name, Task: all[at].task, Costs: b.costs, Learn: b.learn, Check: b.check, plan: b.plan, material: b}
	if common {
		e.Name, e.Task = "mcs/"+strings.TrimPrefix(name, "ged/"), edit.MCS
	}
	for _, s := range b.sets {
		if common {
			s.in.Task, s.solved, s.file = edit.MCS, false, "mcs-"+s.file
			for i := range s.in.Pairs {
				s.in.Pairs[i].Lower, s.in.Pairs[i].Upper = 0, math.Inf(1)
			}
		}
		e.Sets = append(e.Sets, &ExamSet{s.name, &s.in, s})
	}
	return e, nil
}

// Plan returns the plan by which ground truth to learn from is made.
func (e *Exam) Plan() train.Plan {
	p := train.DefaultPlan(e.Task, e.Costs)
	e.plan(&p)
	return p
}

// Split returns the graphs to learn from and those to validate with, as the papers take
// them: where the collection names none to validate with, a tenth drawn at random. The
// test graphs of these collections are so drawn too: of those of LINUX almost all are
// copies of training graphs. A split that keeps copies together leaves a few shapes that
// the others do not show, and validation by them keeps the worst of a training. The graphs
// to validate with are nil where [Exam.Plan] finds them.
func (e *Exam) Split(seed uint64) (learn, check []*graph.Graph) {
	return e.material.split(e.Task, seed)
}

func (b *material) split(task edit.Task, seed uint64) (learn, check []*graph.Graph) {
	if !task.Symmetric() || b.check != nil {
		return b.learn, b.check
	}
	rng := rand.New(rand.NewPCG(seed, 0x9b05688c2b3e6c1f))
	for i, k := range rng.Perm(len(b.learn)) {
		if i < len(b.learn)/10 {
			check = append(check, b.learn[k])
		} else {
			learn = append(learn, b.learn[k])
		}
	}
	return learn, check
}

// PairTime is the most time that [Exam.Solve] spends on a pair.
const PairTime = budget

// Solve computes the distances of the pairs of a set, or reads them from its journal in
// the folder.
func (e *Exam) Solve(ctx context.Context, s *ExamSet, folder string, workers int, progress func(truth.Progress)) error {
	o := AccuracyOptions{Folder: folder, Workers: workers, Progress: func(p Step) {
		progress(truth.Progress{Done: p.Done, Total: p.Total})
	}}
	return o.solve(ctx, e.Name, e.material, s.pairs)
}

// Set returns the set of a name, or nil.
func (e *Exam) Set(name string) *ExamSet {
	for _, s := range e.Sets {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// ReadLarge reads the only graph of a collection of the data folder.
func ReadLarge(data, file string) (*graph.Graph, error) {
	x := &lab{Options: Options{Data: data}, collections: make(map[string][]collection)}
	all, err := x.read(file)
	if err != nil {
		return nil, err
	}
	if len(all[0]) != 1 {
		return nil, fmt.Errorf("bench: %s holds %d graphs, want one", filepath.Base(file), len(all[0]))
	}
	return all[0][0].Graph, nil
}

// ProcessorTime returns the processor time of this process and of those that it started
// and that have ended, or 0 if the system does not tell.
func ProcessorTime() time.Duration { return processorTime() }
