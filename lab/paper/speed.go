package paper

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/greedgraph/greed/eval"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/lab/baseline"
	"github.com/greedgraph/greed/lab/bench"
	"github.com/greedgraph/greed/train"
	"github.com/greedgraph/greed/truth"
)

// speed says what the parts of the jobs of a collection cost on this machine, in processor
// seconds.
type speed struct {
	Open    float64                `json:"open"`    // reading it, and drawing its queries
	Prepare float64                `json:"prepare"` // drawing pairs to learn from
	Learn   float64                `json:"learn"`   // the distance of such a pair
	Sets    []setSpeed             `json:"sets"`
	Systems map[string]systemSpeed `json:"systems"`
}

// setSpeed is what a set of pairs to evaluate on costs.
type setSpeed struct {
	Pairs  int     `json:"pairs"`
	Graphs int     `json:"graphs"` // in them
	Solve  float64 `json:"solve"`  // the distance of a pair
}

// systemSpeed is what a system costs on a collection.
type systemSpeed struct {
	Start float64 `json:"start"` // of a training, before its first step
	Step  float64 `json:"step"`  // of training
	Graph float64 `json:"graph"` // what is kept of a graph
	Pair  float64 `json:"pair"`  // predicted from that
	// Learns, Searches and Steps are what it says of itself; Ours, that it trains on all cores.
	Learns   bool `json:"learns"`
	Searches bool `json:"searches"`
	Steps    int  `json:"steps"`
	Ours     bool `json:"ours"`
}

// How much is measured.
const (
	probePairs = 4000 // to learn from, without distances: they fill the largest batch, 192 graphs
	probeValid = 300  // to validate with
	probeSteps = 3    // of training at first, and four times as many until they take probeTime
	probeTime  = 0.25 // processor seconds: what takes less is lost in noise
	probeMost  = probeSteps << 12
	probeSide  = 3  // queries, and targets, to validate with
	probeSome  = 20 // pairs that are solved or predicted
	probeSlow  = 4  // pairs of each set that are solved, for up to [bench.PairTime]
)

// speeds measures what is not known of this machine yet, and keeps it. A collection that
// cannot be read has none.
func (w *worker) speeds(ctx context.Context, all []job) (map[string]*speed, error) {
	path := w.folder("speeds3-" + w.Scale.Name + ".json") // shares decide how many pairs there are
	known := make(map[string]*speed)
	if data, err := os.ReadFile(path); err == nil && json.Unmarshal(data, &known) != nil {
		known = make(map[string]*speed) // measured anew
	}
	var exams []string
	missing := make(map[string][]string)
	for _, j := range all {
		name := j.probed()
		if _, err := w.read(j); err == nil || name == "" {
			continue
		}
		if s := known[j.Exam]; s != nil {
			if _, ok := s.Systems[name]; ok {
				continue
			}
		}
		if slices.Contains(missing[j.Exam], name) {
			continue
		}
		if missing[j.Exam] == nil {
			exams = append(exams, j.Exam)
		}
		missing[j.Exam] = append(missing[j.Exam], name)
	}
	for i, exam := range exams {
		w.job, w.jobs, w.all = job{Exam: exam, Kind: "speed"}, i, len(exams)
		w.report("measuring how fast this machine is", 0, 0)
		s, err := w.probe(ctx, exam, known[exam], missing[exam])
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			continue // the jobs will say what is wrong
		}
		known[exam] = s
		err = atomicfile.Write(path, func(f io.Writer) error { return json.NewEncoder(f).Encode(known) })
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errFolder, err)
		}
	}
	return known, nil
}

// probed returns the name by which the speed of the job's system is known, or nothing if
// the job trains none. Ablations are systems of their own.
func (j job) probed() string {
	switch {
	case j.Kind != "":
		return ""
	case j.Variant != "" && j.Variant != largerQueries:
		return baseline.AblationPrefix + j.Variant
	}
	return j.System
}

// probe measures systems on a collection.
func (w *worker) probe(ctx context.Context, exam string, s *speed, systems []string) (*speed, error) {
	begin := bench.ProcessorTime()
	x, err := w.open(exam)
	if err != nil {
		return nil, err
	}
	if s == nil {
		s = &speed{Open: (bench.ProcessorTime() - begin).Seconds(), Systems: make(map[string]systemSpeed)}
	}
	begin = bench.ProcessorTime()
	// Distances do not matter for the time of a step: one search state gives bounds.
	p := x.Plan()
	usual := p.Solver
	p.Pairs, p.Valid, p.Work, p.Seed, p.Edits, p.Workers, p.Solver = probePairs, probeValid, 0, w.Scale.Seed, 0, w.Workers, ged.Options{States: 1}
	learn, check := x.Split(p.Seed)
	data, err := p.Prepare(ctx, learn, check)
	if err != nil {
		return nil, err
	}
	s.Prepare = (bench.ProcessorTime() - begin).Seconds()
	some := eval.Input{Task: x.Task, Queries: data.Graphs, Targets: data.Graphs}
	for i := range probeSome {
		b := data.Train[i%len(data.Train)]
		some.Pairs = append(some.Pairs, truth.NewPair(int(b.Queries[i*7%len(b.Queries)]), int(b.Targets[i*11%len(b.Targets)])))
	}
	if s.Learn, err = solving(ctx, x, some, usual); err != nil {
		return nil, err
	}
	list, err := w.sets(x)
	if err != nil {
		return nil, err
	}
	s.Sets = nil
	for _, set := range list {
		sp := setSpeed{Pairs: len(set.Input.Pairs), Graphs: graphsOf(set.Input.Pairs)}
		if in := *set.Input; !in.Pairs[0].Exact() {
			in.Pairs = slices.Clone(in.Pairs[:min(probeSlow, len(in.Pairs))])
			if sp.Solve, err = solving(ctx, set.exam, in, ged.Options{Time: bench.PairTime}); err != nil {
				return nil, err
			}
		}
		s.Sets = append(s.Sets, sp)
	}
	for _, name := range systems {
		// A system that fails, such as for a solver that is not there, costs nothing.
		s.Systems[name], _ = w.probeSystem(ctx, x, name, data, some)
	}
	return s, ctx.Err()
}

// graphsOf returns how many graphs pairs have, counting queries and targets apart.
func graphsOf(pairs []truth.Pair) int {
	queries, targets := make(map[int32]bool), make(map[int32]bool)
	for _, p := range pairs {
		queries[p.Query], targets[p.Target] = true, true
	}
	return len(queries) + len(targets)
}

// solving returns the processor seconds for the distance of a pair.
func solving(ctx context.Context, x *bench.Exam, in eval.Input, limits ged.Options) (float64, error) {
	took, err := processor(func() error {
		b := truth.Bounder{Task: x.Task, Costs: x.Costs, Limits: limits, Workers: 1}
		return b.BoundAll(ctx, in.Queries, in.Targets, in.Pairs)
	})
	return took.Seconds() / float64(len(in.Pairs)), err
}

// probeSystem trains for one step and for so many more that the time of a step can be told, and predicts a few pairs.
func (w *worker) probeSystem(ctx context.Context, x *bench.Exam, name string, data train.Data, some eval.Input) (systemSpeed, error) {
	s, err := newSystem(x, job{Exam: x.Name, System: name})
	if err != nil {
		return systemSpeed{}, err
	}
	opt := baseline.Options{Steps: probeSteps, Validations: 1, Clock: bench.ProcessorTime, Progress: func(baseline.Progress) {}}
	y := systemSpeed{Learns: s.Info().Learns, Searches: s.Info().Searches, Steps: s.Info().Steps}
	if o, ok := s.(*ours); ok {
		o.workers = w.Workers
		y.Ours, y.Steps = true, o.recipe.Options.Steps
	}
	data.Valid = []train.Block{corner(data.Valid[0])}
	fit := func(steps int) (float64, error) {
		opt.Steps = steps
		took, err := processor(func() error { return s.Fit(ctx, data, opt) })
		return took.Seconds(), err
	}
	first, err := fit(1)
	if err != nil {
		return systemSpeed{}, err
	}
	for steps := probeSteps; y.Learns && steps <= probeMost; steps *= 4 {
		all, err := fit(1 + steps)
		if err != nil {
			return systemSpeed{}, err
		}
		if y.Step = max(0, all-first) / float64(steps); all-first >= probeTime {
			break
		}
	}
	if s.Info().Searches {
		some.Pairs = some.Pairs[:probeSlow]
	}
	work, err := s.Predict(ctx, &some, opt)
	if err != nil {
		return systemSpeed{}, err
	}
	y.Start = max(0, first-y.Step)
	y.Graph, y.Pair = work.Embed.Seconds()/float64(max(1, work.Graphs)), work.Score.Seconds()/float64(work.Pairs)
	return y, nil
}

// corner returns the block of the first few queries and targets.
func corner(b train.Block) train.Block {
	n, m := min(probeSide, len(b.Queries)), min(probeSide, len(b.Targets))
	c := train.Block{Queries: b.Queries[:n], Targets: b.Targets[:m]}
	for i := range n {
		from := i * len(b.Targets)
		c.Lower, c.Upper = append(c.Lower, b.Lower[from:from+m]...), append(c.Upper, b.Upper[from:from+m]...)
	}
	return c
}

// planner estimates jobs one after the other: what the first job of a collection computes
// the others find there.
type planner struct {
	scale  Settings
	cores  float64
	speeds map[string]*speed
	done   map[string]bool
}

// once returns x the first time that it is asked with this key.
func (p *planner) once(key string, x float64) float64 {
	if p.done[key] {
		return 0
	}
	p.done[key] = true
	return x
}

// ownValid is how many pairs trainings of our models are validated with where settings leave it open, at most.
const ownValid = 10_000

// largerCost is how many times as long the distance of a larger query takes, about: 8
// times on CiteSeer, 25 on PubMed.
const largerCost = 10

// unknown is the estimate of a job where nothing was measured: a smoke test's, or one that
// will fail.
const unknown = 3

// estimate returns about how many seconds the job takes if nothing else runs.
func (p *planner) estimate(j job) float64 {
	s := p.speeds[j.Exam]
	if s == nil {
		return unknown
	}
	took := p.once("open "+j.Exam, s.Open)
	ours := s.Systems[ourPaper]
	exact := 0.0
	if len(s.Sets) > 0 {
		exact = s.Sets[0].Solve
	}
	neighbourhoods := float64(cmp.Or(p.scale.Neighbourhoods, 60_000)) // all: between PubMed's and WordNet's
	switch j.Kind {
	case "sizes":
		return took + 1
	case "index":
		return took + neighbourhoods*ours.Graph + float64(p.scale.Queries)
	case "graph sizes":
		return took + 10*float64(min(5, p.scale.Queries))
	case "alignment":
		return took + min(20_000, neighbourhoods)*ours.Graph + 10*float64(min(5, p.scale.Queries))*p.scale.Limit
	case "node maps":
		return took + 25*float64(p.scale.Queries)*exact
	case "matches":
		return took + 5
	}
	y, ok := s.Systems[j.probed()]
	if !ok {
		return took + unknown
	}
	for i, set := range s.Sets {
		took += p.once(fmt.Sprint(j.Exam, i), float64(set.Pairs)*set.Solve/p.cores)
	}
	steps, validations, cores := cmp.Or(p.scale.Steps, y.Steps), 0, p.cores
	if !y.Ours {
		steps, validations, cores = cmp.Or(p.scale.Baseline, y.Steps), cmp.Or(p.scale.Validations, baseline.Validations), 1
	}
	for _, set := range s.Sets {
		n, graphs := set.Pairs, set.Graphs
		if y.Searches {
			n, graphs = min(n, p.scale.SlowPairs), 0
		}
		took += float64(n)*y.Pair + float64(graphs)*y.Graph
	}
	if y.Learns {
		pairs, valid := p.scale.learnt(j)
		learn := s.Learn
		if j.Variant == largerQueries {
			learn *= largerCost
		}
		took += p.once(fmt.Sprint(j.Exam, " to learn ", j.Pairs, j.Variant == largerQueries), s.Prepare+float64(pairs+cmp.Or(valid, ownValid))*learn/p.cores)
	}
	if !y.Learns {
		return took
	}
	// Pairs to validate with are of about as many graphs.
	return took + y.Start + float64(steps)*y.Step/cores + float64(baseline.ValidPairs*validations)*(y.Pair+y.Graph)
}

// measured reports whether it is worth measuring before the start: not for settings that
// themselves take as long as that.
func (s Settings) measured() bool { return s.Baseline == 0 || s.Baseline > 10*probeSteps }
