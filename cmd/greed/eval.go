package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
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
	Files []string `arg:"" name:"file" help:"A model made by greed train (not with --predictions), the queries and the targets: every query is paired with every target. Without targets pairs are drawn from the queries."`

	Predictions string   `type:"existingfile" placeholder:"FILE" help:"Judge these distances instead of a model: lines of query, target, distance (.csv or tab-separated), the ids as in the collections."`
	Task        taskFlag `default:"ged" placeholder:"TASK" help:"With --predictions, the distance that they are of: ged, sed."`

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
	costFlags
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
    greed eval --predictions other.csv test.txt train.txt

The last judges another program by the same figures. A model brings its task and
its edit costs; --task and --costs are for predictions.
`
}

func (c *evalCommand) Run(s *session) error {
	in, err := c.judged(s)
	if err != nil {
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

// judged returns predictions with the ground truth to judge them by.
func (c *evalCommand) judged(s *session) (*eval.Input, error) {
	if c.Predictions != "" {
		return c.predictions(s)
	}
	if len(c.Files) < 2 || len(c.Files) > 3 {
		return nil, usageError(fmt.Sprintf("%d files: want a model, queries and, if they are others, targets", len(c.Files)))
	}
	m, err := model.Load(c.Files[0])
	if err != nil {
		return nil, err
	}
	in, err := c.draw(s, m.Metadata(), c.Files[1:])
	if err != nil {
		return nil, err
	}
	if err := c.label(s, m.Metadata().Costs, in); err != nil {
		return nil, err
	}
	in.Predicted, err = predictPairs(s, m, in)
	return in, err
}

// predictions reads what another program predicts, and makes ground truth of
// its pairs.
func (c *evalCommand) predictions(s *session) (*eval.Input, error) {
	if len(c.Files) > 2 {
		return nil, usageError(fmt.Sprintf("%d files: with --predictions, want queries and, if they are others, targets", len(c.Files)))
	}
	costs, err := c.costs()
	if err != nil {
		return nil, err
	}
	vocab := graph.NewVocabulary()
	queries, err := c.load(s, c.Files[0], vocab)
	if err != nil {
		return nil, err
	}
	targets := queries
	if len(c.Files) == 2 {
		if targets, err = c.load(s, c.Files[1], vocab); err != nil {
			return nil, err
		}
	}
	f, err := os.Open(c.Predictions)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	list, err := truth.ReadPredictions(f, c.Predictions, idsOf(queries), idsOf(targets))
	if err != nil {
		return nil, err
	}
	in := &eval.Input{Task: c.Task.Task, Queries: graphsOf(queries), Targets: graphsOf(targets)}
	for _, p := range list {
		in.Pairs = append(in.Pairs, truth.NewPair(int(p.Query), int(p.Target)))
		in.Predicted = append(in.Predicted, p.Distance)
	}
	if err := c.markCopies(s, vocab, in, len(c.Files) == 2); err != nil {
		return nil, err
	}
	return in, c.label(s, costs, in)
}

// draw reads the graphs and chooses the pairs.
func (c *evalCommand) draw(s *session, meta model.Metadata, files []string) (*eval.Input, error) {
	vocab := graph.NewVocabulary()
	queries, err := c.part(s, files[0], vocab)
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(c.Seed, 0))
	in := &eval.Input{Task: meta.Task, Queries: queries, Targets: queries}
	count := c.Random
	switch {
	case len(files) == 2:
		if in.Targets, err = c.part(s, files[1], vocab); err != nil {
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
	return in, c.markCopies(s, vocab, in, len(files) == 2)
}

// markCopies marks copies of graphs that the model has seen, if those are named.
// Where targets are given apart they are taken to be the ones seen.
func (c *evalCommand) markCopies(s *session, vocab *graph.Vocabulary, in *eval.Input, apart bool) error {
	if c.Seen == "" {
		return nil
	}
	seen, err := c.load(s, c.Seen, vocab)
	if err != nil {
		return err
	}
	in.QueryCopies = eval.Copies(in.Queries, graphsOf(seen))
	if in.Task == edit.GED && !apart {
		in.TargetCopies = in.QueryCopies
	}
	return nil
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

func (c *evalCommand) label(s *session, costs edit.Costs, in *eval.Input) error {
	shown := s.bar(len(in.Pairs), "ground truth, pairs")
	defer shown.finish()
	done := 0
	labeller := truth.Labeller{
		Task: in.Task, Costs: costs, Limits: ged.Options{Time: c.TimeLimit}, Workers: s.workers,
		Progress: func(p truth.Progress) { shown.add(p.Done - done); done = p.Done },
	}
	return labeller.LabelAll(s.ctx, in.Queries, in.Targets, in.Pairs)
}

// predictPairs embeds every graph once.
func predictPairs(s *session, m *model.Model, in *eval.Input) ([]float64, error) {
	zq, err := m.EmbedAs(s.ctx, model.Query, in.Queries, s.workers)
	if err != nil {
		return nil, err
	}
	zt, err := m.EmbedAs(s.ctx, model.Target, in.Targets, s.workers)
	if err != nil {
		return nil, err
	}
	dim := m.Norm().Dim()
	predicted := make([]float64, len(in.Pairs))
	for i, p := range in.Pairs {
		predicted[i] = m.Distance(zq[int(p.Query)*dim:][:dim], zt[int(p.Target)*dim:][:dim])
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
