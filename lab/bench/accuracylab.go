package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/eval"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/published"
	"github.com/greedgraph/greed/sample"
	"github.com/greedgraph/greed/train"
	"github.com/greedgraph/greed/truth"
)

// material is an exam together with its graphs and pairs.
type material struct {
	model        string // the names of its models start with it
	costs        edit.Costs
	learn, check []*graph.Graph
	plan         func(*train.Plan) // the settings that differ from the default
	sets         []*pairSet
}

// pairSet is a set of pairs to evaluate models on. Their distances are known or still to
// be computed.
type pairSet struct {
	name, file string // name of the set, and of its journal
	in         eval.Input
	solved     bool
	loose      float64 // the mean gap of the bounds to evaluate against; 0: as small as can be
}

// targets are the collection of an SED exam and how queries are drawn from it.
type targets struct {
	name, file string
	hops       int // radius of the neighbourhoods; 0 means whole graphs
	queries    sample.BFS
	// drawn says that centres are drawn at random, because there are too many nodes.
	// Otherwise a committed split lists the parts.
	drawn     bool
	strangers bool // asks for queries unlike those in training, too
}

const (
	randomPairs    = 10_000 // of an SED exam
	rankedQueries  = 50
	rankedTargets  = 200
	drawnCentres   = 20_000 // of a graph with more nodes
	pairTime       = budget
	listedTrain    = "-test-train.csv"
	listedUnseen   = "-test-test.csv"
	splitSeed      = 1
	streamPairs    = 3
	streamRankings = 4
	streamSeen     = 5

	streamStrangers = 20
)

// examLab is what the exams of one run share.
type examLab struct {
	*lab
	splits string
	seen   bool // evaluate on targets learnt from, too
}

// ged returns the material of a GED benchmark.
func (x *examLab) ged(name, list string) (*material, error) {
	test, learn, err := x.benchmark(name)
	if err != nil {
		return nil, err
	}
	b := &material{model: name, costs: edit.Uniform().IgnoreEdgeLabels(), learn: dataset.Graphs(learn), plan: func(*train.Plan) {}}
	across := eval.Input{Task: edit.GED, Queries: dataset.Graphs(test), Targets: b.learn}
	across.QueryCopies = eval.Copies(across.Queries, b.learn)
	within := eval.Input{Task: edit.GED, Queries: across.Queries, Targets: across.Queries, QueryCopies: across.QueryCopies, TargetCopies: across.QueryCopies}
	if list == "" {
		across.Pairs = x.some(truth.AllPairs(len(test), len(learn)))
		within.Pairs = x.some(truth.PairsOnce(len(test), len(test)))
	} else {
		if across.Pairs, err = x.listed(list+listedTrain, test, learn); err != nil {
			return nil, err
		}
		if within.Pairs, err = x.listed(list+listedUnseen, test, test); err != nil {
			return nil, err
		}
		within.Pairs = slices.DeleteFunc(within.Pairs, func(p truth.Pair) bool { return p.Query == p.Target })
	}
	b.sets = []*pairSet{
		{name: testTrain, file: name + "-test-train", in: across, solved: list != ""},
		{name: unseen, file: name + "-unseen", in: within, solved: list != ""},
	}
	return b, nil
}

// listed reads pairs with their distances from a committed list.
func (x *examLab) listed(name string, queries, targets collection) ([]truth.Pair, error) {
	path := filepath.Join(x.splits, name)
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	table, err := truth.ReadFile(path, dataset.IDs(queries), dataset.IDs(targets))
	if err != nil {
		return nil, err
	}
	return x.some(table.Pairs), nil
}

// some returns a random share of the pairs.
func (x *examLab) some(pairs []truth.Pair) []truth.Pair {
	if x.Scale < 1 {
		newRand(streamPairs).Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
		pairs = pairs[:x.scaled(len(pairs))]
	}
	return pairs
}

// sed returns the material of a collection of targets. Queries are drawn from the
// held-out targets or, if groups names a file, read from it.
func (x *examLab) sed(t targets, groups string) (*material, error) {
	files := []string{t.file}
	if groups != "" {
		files = append(files, groups)
	}
	all, err := x.read(files...)
	if err != nil {
		return nil, err
	}
	b := &material{model: t.name, costs: edit.Uniform().IgnoreEdgeLabels()}
	test, err := x.divide(t, all[0], b)
	if err != nil {
		return nil, err
	}
	learnt := b.seen(t, all[0])
	copies := eval.Copies(test, learnt)
	if groups != "" {
		among := func(targets []*graph.Graph) eval.Input {
			in := eval.Input{Task: edit.SED, Queries: dataset.Graphs(all[1]), Targets: targets}
			in.Pairs = x.some(truth.AllPairs(len(in.Queries), len(targets)))
			return in
		}
		in := among(test)
		in.TargetCopies = copies
		b.sets = []*pairSet{{name: ranking, file: "groups", in: in}}
		if x.seen {
			b.addSeen("sed/aids", "groups", among(learnt))
		}
		return b, nil
	}
	draw := func(stream uint64, from []*graph.Graph, count int) (eval.Input, error) {
		drawn, err := sample.Queries(newRand(stream), sample.Rooted(from), t.queries, sample.PaperLimits(), count)
		in := eval.Input{Task: edit.SED, Targets: from}
		for _, q := range drawn {
			in.Queries = append(in.Queries, q.Graph)
		}
		return in, err
	}
	drawPairs := func(stream uint64, from []*graph.Graph) (eval.Input, error) {
		in, err := draw(stream, from, x.scaled(randomPairs))
		rng := newRand(stream + 10)
		for q := range in.Queries {
			in.Pairs = append(in.Pairs, truth.NewPair(q, rng.IntN(len(from))))
		}
		return in, err
	}
	pairs, err := drawPairs(streamPairs, test)
	if err != nil {
		return nil, err
	}
	ranks, err := draw(streamRankings, test, x.scaled(rankedQueries))
	if err != nil {
		return nil, err
	}
	pairs.TargetCopies, ranks.TargetCopies = copies, copies
	chosen := newRand(streamRankings + 10).Perm(len(test))
	for q := range ranks.Queries {
		for _, i := range chosen[:min(rankedTargets, len(chosen))] {
			ranks.Pairs = append(ranks.Pairs, truth.NewPair(q, i))
		}
	}
	b.sets = []*pairSet{{name: random, file: t.name + "-random", in: pairs}, {name: ranking, file: t.name + "-rankings", in: ranks}}
	if x.seen {
		in, err := drawPairs(streamSeen, learnt)
		if err != nil {
			return nil, err
		}
		b.addSeen("sed/"+t.name, t.name, in)
	}
	if t.strangers {
		sets, err := x.strangeSets(t, pairs.Queries, test, copies)
		if err != nil {
			return nil, err
		}
		b.sets = append(b.sets, sets...)
	}
	return b, nil
}

// addSeen adds pairs with targets learnt from, twice: evaluated against their distances, and against
// bounds as loose as the paper's of a collection, if that is known.
func (b *material) addSeen(row, file string, in eval.Input) {
	b.sets = append(b.sets, &pairSet{name: seenPairs, file: file + "-seen", in: in})
	if loose, ok := published.Looseness()[row]; ok {
		in.Pairs = slices.Clone(in.Pairs)
		b.sets = append(b.sets, &pairSet{name: loosePairs, file: file + "-loose", in: in, loose: loose})
	}
}

// divide sets what b is trained on and returns the targets to test with.
func (x *examLab) divide(t targets, records collection, b *material) (test []*graph.Graph, err error) {
	if t.hops == 0 {
		parts, err := x.parts(t.name, dataset.IDs(records))
		if err != nil {
			return nil, err
		}
		of := func(part int) (list []*graph.Graph) {
			for _, i := range parts[part] {
				list = append(list, records[i].Graph)
			}
			return list
		}
		b.learn, b.check = of(0), of(1)
		b.plan = func(p *train.Plan) { p.Sampler, p.Rooted = t.queries, true }
		return of(2), nil
	}
	g := records[0].Graph
	ids := make([]string, g.N())
	for v := range ids {
		ids[v] = strconv.Itoa(v)
	}
	var parts [][]int
	if t.drawn {
		centres := newRand(splitSeed).Perm(g.N())
		parts = sample.SplitCount(min(drawnCentres, g.N()), []float64{0.8, 0.1, 0.1}, splitSeed)
		for _, part := range parts {
			for i, c := range part {
				part[i] = centres[c]
			}
		}
	} else if parts, err = x.parts(t.name, ids); err != nil {
		return nil, err
	}
	neighbourhoods := t.neighbourhoods()
	b.learn = []*graph.Graph{g}
	b.plan = func(p *train.Plan) {
		p.Sampler, p.Neighbourhoods, p.Learn, p.Check = t.queries, neighbourhoods, parts[0], parts[1]
	}
	return neighbourhoods.Of(g, parts[2]), nil
}

func (t targets) neighbourhoods() train.Neighbourhoods {
	h := train.DefaultNeighbourhoods()
	h.Hops = t.hops
	return h
}

// seen returns the targets used in training.
func (b *material) seen(t targets, records collection) []*graph.Graph {
	if t.hops == 0 {
		return b.learn
	}
	p := train.DefaultPlan(edit.SED, b.costs)
	b.plan(&p)
	return t.neighbourhoods().Of(records[0].Graph, p.Learn)
}

// parts reads the parts of a committed split and returns their positions in ids.
func (x *examLab) parts(name string, ids []string) ([][]int, error) {
	f, err := os.Open(filepath.Join(x.splits, name+".json"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	partition, err := sample.ReadPartition(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	var parts [][]int
	for _, part := range sample.PartNames() {
		at, err := partition.Positions(ids, part)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name(), err)
		}
		parts = append(parts, at)
	}
	return parts, nil
}

// solve computes the distances of a set, or reads them from its journal.
func (o *AccuracyOptions) solve(ctx context.Context, row string, b *material, s *pairSet) error {
	if s.solved {
		return nil
	}
	bounder := truth.Bounder{
		Task: s.in.Task, Costs: b.costs, Limits: ged.Options{Time: pairTime}, Workers: o.Workers,
		Progress: func(p truth.Progress) { o.Progress(Step{row + ", ground truth, " + s.name, 1, p.Done, p.Total}) },
	}
	job := truth.Job{
		Bounder: bounder,
		Queries: s.in.Queries, Targets: s.in.Targets, Pairs: s.in.Pairs,
		Journal: filepath.Join(o.Folder, s.file+".journal"),
	}
	var err error
	if s.loose > 0 {
		err = s.loosen(ctx, job)
	} else {
		_, err = job.Run(ctx)
	}
	s.solved = err == nil
	return err
}

// loosen gives the pairs the bounds that the solver has after so many search states, the
// same number for each, that their mean gap is just no more than what is wanted.
func (s *pairSet) loosen(ctx context.Context, job truth.Job) error {
	name := strings.TrimSuffix(job.Journal, ".journal")
	for states := int64(1); ; states += max(1, states/4) {
		job.Pairs = make([]truth.Pair, len(s.in.Pairs))
		for i, p := range s.in.Pairs {
			job.Pairs[i] = truth.NewPair(int(p.Query), int(p.Target))
		}
		job.Limits = ged.Options{States: states}
		job.Journal = fmt.Sprintf("%s-%d.journal", name, states)
		if _, err := job.Run(ctx); err != nil {
			return err
		}
		if sizeOf(job.Pairs).Gap <= s.loose {
			copy(s.in.Pairs, job.Pairs)
			return nil
		}
	}
}
