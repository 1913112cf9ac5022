package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/eval"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/sample"
	"github.com/greedgraph/greed/truth"
)

// evalCommand judges a model by ground truth.
type evalCommand struct {
	Model   string `arg:"" type:"existingfile" help:"A model made by greed train."`
	Queries string `arg:"" help:"The queries or, without targets, the collection to draw pairs from."`
	Targets string `arg:"" optional:"" help:"The targets: every query is paired with every target."`

	Random    int           `placeholder:"N" help:"N random pairs; without targets 10000."`
	Draw      int           `default:"2000" placeholder:"N" help:"Without targets, for sed: how many queries to draw from the collection (default 2000)."`
	Split     string        `placeholder:"FILE" help:"Keep to one part of this split."`
	Part      string        `default:"test" help:"Which part (default test)."`
	Seen      string        `placeholder:"FILE" help:"The graphs that the model was trained on, to tell copies of them apart."`
	TimeLimit time.Duration `default:"1s" placeholder:"TIME" help:"Settle for bounds of a pair after this time; 0: never (default 1s)."`
	Seed      uint64        `default:"7" help:"Decides what is drawn (default 7)."`
	Out       string        `short:"o" placeholder:"FILE" help:"Save the report as JSON."`
	HeatMap   string        `placeholder:"FILE" help:"Draw the errors by query size and distance, as .png or .svg."`

	queryFlags
	readFlags
}

// Help shows below the usage of the command.
func (evalCommand) Help() string {
	return `
Computes the true distances of pairs, exactly or within bounds, and says how far
the predictions are off. A prediction between the bounds counts as right.

    greed eval ged.safetensors test.txt train.txt
    greed eval sed.safetensors molecules.txt --split splits.json
    greed eval ged.safetensors molecules.smi --random 5000 --heat-map errors.png
`
}

func (c *evalCommand) Run(s *session) error {
	m, err := model.Load(c.Model)
	if err != nil {
		return err
	}
	in, err := c.draw(s, m.Metadata())
	if err != nil {
		return err
	}
	if err := c.label(s, m.Metadata(), in); err != nil {
		return err
	}
	if in.Predicted, err = predictPairs(s, m, in); err != nil {
		return err
	}
	report, err := eval.Evaluate(*in)
	if err != nil {
		return err
	}
	if c.Out != "" {
		if err := atomicfile.Write(c.Out, report.WriteJSON); err != nil {
			return err
		}
	}
	if c.HeatMap != "" {
		format := strings.TrimPrefix(filepath.Ext(c.HeatMap), ".")
		if err := atomicfile.Write(c.HeatMap, func(w io.Writer) error { return report.Errors.WriteHeatMap(w, format) }); err != nil {
			return err
		}
	}
	if s.json {
		return report.WriteJSON(s.out)
	}
	return report.WriteText(s.out)
}

// draw reads the graphs and chooses the pairs.
func (c *evalCommand) draw(s *session, meta model.Metadata) (*eval.Input, error) {
	vocab := graph.NewVocabulary()
	queries, err := c.part(s, c.Queries, vocab)
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(c.Seed, 0))
	in := &eval.Input{Task: meta.Task, Queries: queries, Targets: queries}
	count := c.Random
	switch {
	case c.Targets != "":
		if in.Targets, err = c.part(s, c.Targets, vocab); err != nil {
			return nil, err
		}
	case meta.Task == edit.SED:
		if in.Queries, err = c.drawQueries(rng, queries); err != nil {
			return nil, err
		}
		fallthrough
	default:
		if count == 0 {
			count = 10_000
		}
	}
	if count > 0 {
		in.Pairs = truth.RandomPairs(rng, len(in.Queries), len(in.Targets), count)
	} else {
		in.Pairs = truth.AllPairs(len(in.Queries), len(in.Targets))
	}
	if c.Seen != "" {
		seen, err := c.load(s, c.Seen, vocab)
		if err != nil {
			return nil, err
		}
		in.QueryCopies = eval.Copies(in.Queries, graphsOf(seen))
		if meta.Task == edit.GED && c.Targets == "" {
			in.TargetCopies = in.QueryCopies
		}
	}
	return in, nil
}

func (c *evalCommand) drawQueries(rng *rand.Rand, targets []*graph.Graph) ([]*graph.Graph, error) {
	sampler, limits, err := c.sampler()
	if err != nil {
		return nil, err
	}
	drawn, err := sample.Queries(rng, sample.Rooted(targets), sampler, limits, c.Draw)
	var queries []*graph.Graph
	for _, q := range drawn {
		queries = append(queries, q.Graph)
	}
	return queries, err
}

// part reads the graphs of a collection, of one part if a split is given.
func (c *evalCommand) part(s *session, path string, vocab *graph.Vocabulary) ([]*graph.Graph, error) {
	records, err := c.load(s, path, vocab)
	if err != nil || c.Split == "" {
		return graphsOf(records), err
	}
	return partOf(records, c.Split, c.Part)
}

func (c *evalCommand) label(s *session, meta model.Metadata, in *eval.Input) error {
	shown := s.bar(len(in.Pairs), "ground truth, pairs")
	defer shown.finish()
	done := 0
	labeller := truth.Labeller{
		Task: meta.Task, Costs: meta.Costs, Limits: ged.Options{Time: c.TimeLimit}, Workers: s.workers,
		Progress: func(p truth.Progress) { shown.add(p.Done - done); done = p.Done },
	}
	return labeller.LabelAll(s.ctx, in.Queries, in.Targets, in.Pairs)
}

// predictPairs embeds every graph once.
func predictPairs(s *session, m *model.Model, in *eval.Input) ([]float64, error) {
	zq, err := m.Embed(s.ctx, in.Queries, s.workers)
	if err != nil {
		return nil, err
	}
	zt, err := m.Embed(s.ctx, in.Targets, s.workers)
	if err != nil {
		return nil, err
	}
	n := m.Norm()
	dim := n.Dim()
	predicted := make([]float64, len(in.Pairs))
	for i, p := range in.Pairs {
		predicted[i] = n.Distance(zq[int(p.Query)*dim:][:dim], zt[int(p.Target)*dim:][:dim])
	}
	return predicted, nil
}

// queryFlags say how queries are drawn from a collection for sed.
type queryFlags struct {
	QueryDepth  int     `default:"5" placeholder:"N" help:"For sed, depth of the breadth-first search that draws a query (default 5)."`
	QueryKeep   float64 `default:"0.8" placeholder:"P" help:"For sed, the probability that it follows an edge (default 0.8)."`
	QueryLimits []int   `default:"5,25" placeholder:"MIN,MAX" help:"For sed, the fewest and most nodes of a query (default 5,25)."`
}

func (f *queryFlags) sampler() (sample.Sampler, sample.Limits, error) {
	limits := sample.PaperLimits()
	if len(f.QueryLimits) != 2 || f.QueryLimits[0] < 1 || f.QueryLimits[1] < f.QueryLimits[0] {
		return nil, limits, usageError("--query-limits wants the fewest and the most nodes, such as 5,25")
	}
	if f.QueryDepth < 1 || !(f.QueryKeep > 0 && f.QueryKeep <= 1) {
		return nil, limits, usageError(fmt.Sprintf("--query-depth %d --query-keep %v: want a depth above 0 and a probability", f.QueryDepth, f.QueryKeep))
	}
	limits.MinNodes, limits.MaxNodes = f.QueryLimits[0], f.QueryLimits[1]
	return sample.BFS{Depth: f.QueryDepth, Keep: f.QueryKeep}, limits, nil
}
