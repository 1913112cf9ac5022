package baseline

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/nn"
)

// design is a learnt system before it is made: its network and what its paper trains
// it with.
type design struct {
	Info
	build func(*builder, shape) network
	goal  goal

	steps, batch int
	rate, decay  float64 // of Adam; the decay is part of the gradient, as in PyTorch's Adam
	clip         float64 // of the gradient's length; 0: none
	mean         bool    // the loss of a batch is the mean of its pairs, not their sum: that weighs against the decay
	degrees      degrees
	begin        func(context.Context, *fitting) error // prepares what else is learnt from; may be nil
	ties         bool                                  // nodes that refinement cannot tell apart may count by their numbers
	search       bool                                  // predictions are costs of maps that a search finds
	half         func(example) bool                    // of which half of a batch is drawn, where there are any; nil: none
}

// degrees says where nodes also begin with their degree.
type degrees int

const (
	neverDegrees degrees = iota
	whereUnlabelled
	alwaysDegrees
)

// shape is what decides the sizes of a network's tables.
type shape struct {
	Nodes   int  `json:"nodes"` // rows of labels of nodes
	Degrees bool `json:"degrees,omitempty"`
}

// learner is a [System] that is learnt.
type learner struct {
	design design
	task   edit.Task
	costs  edit.Costs
	ops    kernel.Ops
	goal   goal

	// Nil before Fit.
	vocab  *graph.Vocabulary
	shape  shape
	ps     *nn.Params
	net    network
	labels []*nn.Param
	count  int
	fitted Fitted
}

// learnt returns the design with what is true of all that are learnt.
func (d design) learnt() design {
	d.Learns, d.Steps, d.Searches = true, d.steps, d.search
	return d
}

func (d design) entry() entry {
	d = d.learnt()
	return entry{d.Info, func(task edit.Task, costs edit.Costs) (System, error) {
		if err := costs.Check(); err != nil {
			return nil, err
		}
		return newLearner(d, task, costs), nil
	}}
}

func newLearner(d design, task edit.Task, costs edit.Costs) *learner {
	return &learner{design: d.learnt(), task: task, costs: costs, ops: kernel.Best(), goal: d.goal}
}

// size returns what distances of a pair are measured by: for GED the nodes of both
// graphs (SimGNN, section 4.3), for SED, of which the paper says only that GED is
// replaced, the nodes and edges of the query, the largest SED there is.
func (l *learner) size(q, t *graph.Graph) int {
	if l.task == edit.SED {
		return q.N() + q.M()
	}
	return q.N() + t.N()
}

func (l *learner) Info() Info      { return l.design.Info }
func (l *learner) Parameters() int { return l.count }
func (l *learner) Fitted() Fitted  { return l.fitted }

// prepare makes the network for labels of a vocabulary.
func (l *learner) prepare(vocab *graph.Vocabulary, s shape, seed uint64) {
	b := &builder{ps: new(nn.Params)}
	l.vocab, l.shape, l.ps = vocab, s, b.ps
	l.net = l.design.build(b, s)
	b.ps.Flat()
	b.done(rand.New(rand.NewPCG(seed, 0x510e527fade682d1)))
	l.labels, l.count = b.labels, b.count
}

// rows returns the rows that labels of another vocabulary have in the tables.
func (l *learner) rows(vocab *graph.Vocabulary) nn.Rows {
	rows := nn.Rows{Node: make([]int32, vocab.Nodes()), Features: l.shape.Degrees}
	for i := 1; i < vocab.Nodes(); i++ {
		row, _ := l.vocab.FindNode(vocab.NodeText(graph.Label(i)))
		rows.Node[i] = int32(row)
	}
	return rows
}

// averageUnknown sets the rows of labels that were not learnt to the mean of the
// others, weighted by how often they occur.
func (l *learner) averageUnknown(count []int) {
	total := 0
	for _, n := range count[1:] {
		total += n
	}
	for _, p := range l.labels {
		v := l.ps.Value(p)
		unknown := v[:p.Cols]
		clear(unknown)
		for row := 1; row < p.Rows; row++ {
			l.ops.Axpy(unknown, float32(float64(count[row])/float64(max(1, total))), v[row*p.Cols:][:p.Cols])
		}
	}
}

func (l *learner) Save(path string) error {
	if l.ps == nil {
		return fmt.Errorf("baseline: %s: %w", l.design.Name, ErrNothingLearnt)
	}
	return atomicfile.Write(path, l.write)
}
