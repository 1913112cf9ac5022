package bench

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/eval"
	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/lab/published"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/norm"
	"github.com/greedgraph/greed/train"
	"github.com/greedgraph/greed/truth"
)

// AccuracyOptions say what [Accuracy] measures.
type AccuracyOptions struct {
	Data   string   // folder with the collections; docs/benchmarks.md describes its layout
	Splits string   // folder with the committed splits and lists of pairs
	Folder string   // keeps ground truth and models, so that a run can be resumed
	Only   []string // names of rows, or the part before a slash; empty means all
	Paper  bool     // train the configuration of the paper in place of the default
	Seeds  int      // models trained for a row
	Counts int      // models of SED learn from so many counts in place of message passing; 0: they do not
	Direct int      // and have so many coordinates that only grow with the graph
	Near   *float64 // how much more near pairs weigh in training, as [train.Options] has it; nil: as usual
	Free   bool     // fit vectors to the pairs of each set without an encoder: what the norm allows
	Scale  float64  // share of the pairs to evaluate on, in (0, 1]

	Steps, Pairs int               // training steps, and pairs to learn from whatever they cost; 0 means the usual number
	Workers      int               // 0 means one per core
	Progress     func(Step)        // is called a few times a second; may be nil
	Note         func(text string) // receives warnings; may be nil
}

// AccuracyNames returns the names of the rows that [Accuracy] measures.
func AccuracyNames() []string {
	var names []string
	for _, c := range exams() {
		names = append(names, c.name)
	}
	return names
}

// Accuracy trains a model for every row and seed, and evaluates it on pairs of graphs that
// it was not trained on. It keeps what it has done in the folder. A row whose files are
// missing gives the reason instead of figures. If the context ends, the table holds the
// rows measured so far.
func Accuracy(ctx context.Context, opt AccuracyOptions) (*AccuracyTable, error) {
	if !(opt.Scale > 0 && opt.Scale <= 1) || opt.Seeds < 1 || opt.Workers < 0 {
		return nil, fmt.Errorf("bench: scale %v, %d seeds, %d workers: want a share above 0, at most 1, at least one seed, and workers or 0 for one per core", opt.Scale, opt.Seeds, opt.Workers)
	}
	if opt.Progress == nil {
		opt.Progress = func(Step) {}
	}
	if opt.Note == nil {
		opt.Note = func(string) {}
	}
	for _, want := range opt.Only {
		if !slices.ContainsFunc(AccuracyNames(), func(name string) bool { return named(want, name) }) {
			return nil, fmt.Errorf("bench: no row %q, want some of %s", want, strings.Join(AccuracyNames(), ", "))
		}
	}
	if err := os.MkdirAll(opt.Folder, 0o777); err != nil {
		return nil, err
	}
	table := &AccuracyTable{Scale: opt.Scale, Preset: opt.preset(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if opt.Steps > 0 || opt.Pairs > 0 {
		table.Notes = append(table.Notes, "Trained on other numbers of steps or pairs than the default.")
	}
	for _, c := range exams() {
		if len(opt.Only) > 0 && !slices.ContainsFunc(opt.Only, func(want string) bool { return named(want, c.name) }) {
			continue
		}
		row, err := opt.measure(ctx, c)
		switch {
		case ctx.Err() != nil:
			table.Interrupted = true
			return table, nil
		case errors.Is(err, fs.ErrNotExist):
			row = &AccuracyRow{Name: c.name, About: c.about, Skipped: err.Error()}
		case err != nil:
			return nil, fmt.Errorf("bench: %s: %w", c.name, err)
		}
		table.Rows = append(table.Rows, *row)
	}
	return table, nil
}

func (o *AccuracyOptions) preset() string {
	if o.Paper {
		return "paper"
	}
	return "default"
}

// measure fills in a row.
func (o *AccuracyOptions) measure(ctx context.Context, c exam) (*AccuracyRow, error) {
	// Every row gets a lab of its own, so that memory is freed between rows.
	x := &examLab{lab: &lab{Options: Options{Data: o.Data, Scale: o.Scale}, collections: make(map[string][]collection)}, splits: o.Splits, seen: true}
	b, err := c.prepare(x)
	if err != nil {
		return nil, err
	}
	row := &AccuracyRow{Name: c.name, About: c.about, Sets: make(map[string]SetSize)}
	for _, s := range b.sets {
		if err := o.solve(ctx, c.name, b, s); err != nil {
			return nil, err
		}
		row.Sets[s.name] = sizeOf(s.in.Pairs)
	}
	values := make([][]float64, len(c.criteria))
	var strata []Stratum
	for seed := range o.Seeds {
		reports, err := o.reports(ctx, c, b, row, uint64(seed+1))
		if err != nil {
			return nil, err
		}
		for i, g := range c.criteria {
			x := none() // without the set
			if r := reports[g.pairs]; r != nil {
				x = float64(g.of(r))
			}
			values[i] = append(values[i], x)
		}
		for _, s := range b.sets {
			strata = append(strata, strataOf(s.name, reports[s.name].Errors)...)
		}
	}
	row.Strata = meanStrata(strata, o.Seeds)
	for i, g := range c.criteria {
		row.Figures = append(row.Figures, g.figure(values[i]))
	}
	return row, nil
}

// reports returns the figures of the sets of pairs, by name: those of a model of that seed or, if
// vectors are fitted without one, of these.
func (o *AccuracyOptions) reports(
	ctx context.Context, c exam, b *material, row *AccuracyRow, seed uint64,
) (map[string]*graded, error) {
	reports := make(map[string]*graded)
	if o.Free {
		n := norm.Single(norm.L1, freeWidth, c.task == edit.SED)
		row.Dim, row.Norms = n.Dim(), append(row.Norms, n.String())
		weight := train.DefaultRecipe(c.task, b.costs, b.learn).Options.Near
		if o.Near != nil {
			weight = *o.Near
		}
		for _, s := range b.sets {
			predicted, err := free(ctx, s.in, n, train.NewNear(b.costs, weight), seed)
			if err != nil {
				return nil, err
			}
			in := s.in
			in.Predicted = predicted
			if reports[s.name], err = grade(in); err != nil {
				return nil, err
			}
		}
		return reports, nil
	}
	m, seconds, err := o.model(ctx, c, b, seed)
	if err != nil {
		return nil, err
	}
	row.Fingerprints = append(row.Fingerprints, m.Fingerprint())
	row.Seconds = append(row.Seconds, seconds)
	row.Dim = m.Norm().Dim()
	row.Norms = append(row.Norms, m.Norm().String())
	for _, s := range b.sets {
		if reports[s.name], err = evaluate(ctx, m, s.in, o.Workers); err != nil {
			return nil, err
		}
	}
	return reports, nil
}

// evaluate predicts the pairs and computes all figures.
func evaluate(ctx context.Context, m *model.Model, in eval.Input, workers int) (*graded, error) {
	if err := in.Predict(ctx, m, workers); err != nil {
		return nil, err
	}
	return grade(in)
}

// graded is the figures of predictions, and the F1 of range searches as the paper's code counts.
type graded struct {
	*eval.Report
	paperF1 []eval.Figure // at each of [eval.RangeFractions]
}

func grade(in eval.Input) (*graded, error) {
	r, err := eval.Evaluate(in)
	return &graded{r, published.RangeF1(in)}, err
}

// model trains a model, or reads it from the folder if the same one is there. It
// returns the seconds that training and its ground truth took, or 0 if training was
// interrupted and resumed, or the ground truth was there from another model.
func (o *AccuracyOptions) model(ctx context.Context, c exam, b *material, seed uint64) (*model.Model, float64, error) {
	r := train.DefaultRecipe(c.task, b.costs, b.learn)
	if o.Paper {
		r = train.PaperRecipe(c.task, b.costs, b.learn)
	}
	b.plan(&r.Plan)
	if c.task == edit.SED && o.Counts > 0 {
		r.Count(o.Counts, o.Direct)
	}
	r.Options.Seed = seed
	if o.Near != nil {
		r.Options.Near = *o.Near
	}
	if o.Steps > 0 {
		r.Options.Steps = o.Steps
		r.Options.Validate = min(r.Options.Validate, o.Steps)
	}
	if o.Pairs > 0 {
		r.Plan.Pairs, r.Plan.Work = o.Pairs, 0
	}
	path := filepath.Join(o.Folder, fmt.Sprintf("%v-%s-%s-%d-%s.safetensors", c.task, b.model, o.preset(), seed, keyOf(r)))
	if m, err := model.Load(path); err == nil {
		return m, secondsOf(path), nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, 0, err
	}
	r.Folder = path + ".train"
	// Ground truth depends neither on the encoder nor on its starting values, and costs more than
	// training: models of one plan share it.
	r.Plan.Journals = filepath.Join(o.Folder, fmt.Sprintf("truth-%v-%s-%s", c.task, b.model, hashOf(settingsOf(r.Plan))))
	resumed := false
	for _, folder := range []string{r.Folder, r.Plan.Journals} {
		_, err := os.Stat(folder)
		resumed = resumed || err == nil
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return nil, 0, err
		}
	}
	name := fmt.Sprintf("%s, seed %d", c.name, seed)
	r.Plan.Workers, r.Options.Workers = o.Workers, o.Workers
	r.Plan.Note = func(text string) { o.Note(name + ": " + text) }
	r.Plan.Progress = func(stage string, p truth.Progress) {
		o.Progress(Step{name + ", ground truth for " + stage, 1, p.Done, p.Total})
	}
	r.Progress = func(p train.Progress) { o.Progress(Step{stageOf(name, p), 1, p.Step, p.Steps}) }
	begin := time.Now()
	m, err := train.Fit(ctx, b.learn, b.check, r)
	if err != nil {
		return nil, 0, err
	}
	seconds := 0.0
	if !resumed {
		seconds = time.Since(begin).Seconds()
	}
	if err := m.Save(path); err != nil {
		return nil, 0, err
	}
	text, err := json.Marshal(seconds)
	if err == nil {
		err = atomicfile.WriteBytes(path+".seconds", text)
	}
	if err == nil {
		err = os.RemoveAll(r.Folder)
	}
	return m, seconds, err
}

// stageOf returns the text shown for a stage of training.
func stageOf(name string, p train.Progress) string {
	if p.Trial != "" {
		return name + ", trial of " + p.Trial
	}
	return name + ", training"
}

func secondsOf(path string) float64 {
	text, err := os.ReadFile(path + ".seconds")
	seconds := 0.0
	if err != nil || json.Unmarshal(text, &seconds) != nil {
		return 0
	}
	return seconds
}

// keyOf returns a short name for everything in a recipe that affects the model.
func keyOf(r train.Recipe) string {
	return hashOf(struct {
		Config  model.Config
		Norms   []norm.Norm
		Options train.Options
		Counts  []int `json:",omitempty"`
		Plan    []any
	}{r.Config, r.Norms, r.Options, slices.DeleteFunc([]int{r.Counts, r.Direct}, func(n int) bool { return r.Counts == 0 }), settingsOf(r.Plan)})
}

// settingsOf returns everything in a plan that affects the ground truth, but the seed, which
// is the same for all.
func settingsOf(p train.Plan) []any {
	return []any{
		p.Pairs, p.Work, p.Edits, p.Validation, p.Sampler, p.Limits, p.Rooted, p.Neighbourhoods, p.Solver, len(p.Learn),
	}
}

// hashOf returns a short name for settings.
func hashOf(settings any) string {
	text, err := json.Marshal(settings)
	if err != nil {
		panic("bench: " + err.Error()) // only numbers and texts, which can be encoded
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:4])
}

// figure returns the mean and the spread of the values of a criterion.
func (g criterion) figure(values []float64) AccuracyFigure {
	f := AccuracyFigure{Pairs: g.pairs, Name: g.name, Values: nullable(values)}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	mean := sum / float64(len(values))
	if math.IsNaN(mean) {
		return f
	}
	spread := slices.Max(values) - slices.Min(values)
	f.Mean, f.Spread = &mean, &spread
	if !math.IsNaN(g.paper) {
		f.Paper = &g.paper
	}
	if !math.IsNaN(g.target) {
		relation, met := AtMost, mean <= g.target
		if g.least {
			relation, met = AtLeast, mean >= g.target
		}
		f.Target, f.Met = &Target{relation, g.target}, &met
	}
	return f
}

func nullable(values []float64) []eval.Figure {
	list := make([]eval.Figure, len(values))
	for i, v := range values {
		list[i] = eval.Figure(v)
	}
	return list
}
