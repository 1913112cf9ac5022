package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/greedgraph/greed/eval"
	"github.com/greedgraph/greed/lab/baseline"
	"github.com/greedgraph/greed/lab/published"
	"github.com/greedgraph/greed/train"
	"github.com/greedgraph/greed/truth"
)

// BaselineOptions say what [Baselines] measures.
type BaselineOptions struct {
	Data, Splits, Folder string // as in [AccuracyOptions]
	Systems              []string
	Only                 []string // names of rows of [AccuracyNames]
	Scale                float64  // share of the pairs to evaluate on, in (0, 1]
	Seed                 uint64
	Steps, Pairs         int // training steps and pairs; 0 means the usual number
	Workers              int // for ground truth and predictions; 0 means one per core
	Progress             func(Step)
	Note                 func(text string)
}

// BaselineTable shows how well the systems of other papers predict.
type BaselineTable struct {
	Scale       float64       `json:"scale"`
	Seed        uint64        `json:"seed"`
	Interrupted bool          `json:"interrupted"`
	Rows        []BaselineRow `json:"rows"`
}

// BaselineRow is one system on one collection.
type BaselineRow struct {
	Name       string  `json:"name"`
	System     string  `json:"system"`
	Parameters int     `json:"parameters"`
	Steps      int     `json:"steps"`
	Seconds    float64 `json:"seconds"` // processor time of training, without its ground truth
	// Embed is the processor time for what is kept of a graph, Score that of a pair after,
	// in microseconds.
	Embed     float64      `json:"embed_us"`
	Score     float64      `json:"score_us"`
	Indexable bool         `json:"indexable"`
	Cached    string       `json:"cached"`
	Published *float64     `json:"published_rmse,omitempty"`
	Sets      []BaselineOf `json:"sets,omitempty"`
	Skipped   string       `json:"skipped,omitempty"`
}

// BaselineOf is a system evaluated on one set of pairs.
type BaselineOf struct {
	Pairs   string       `json:"pairs"`
	Size    SetSize      `json:"size"`
	Exact   int          `json:"exact,omitempty"` // pairs whose search was complete
	Metrics eval.Metrics `json:"metrics"`
	Without *float64     `json:"mae_without_copies,omitempty"`
}

// Baselines trains systems of other papers on the collections of [Accuracy] and evaluates
// them by the same pairs. It keeps ground truth and systems in the folder; the ground
// truth to evaluate on is that of Accuracy. Systems learn from pairs of the collection
// itself, without the edited copies that our models learn from. A row whose files or
// programs are missing, or whose system does not have the task, gives the reason. If the
// context ends, the table holds the rows measured so far.
func Baselines(ctx context.Context, opt BaselineOptions) (*BaselineTable, error) {
	if !(opt.Scale > 0 && opt.Scale <= 1) || opt.Workers < 0 {
		return nil, fmt.Errorf("bench: scale %v, %d workers: want a share above 0, at most 1, and workers or 0 for one per core", opt.Scale, opt.Workers)
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
	systems := opt.Systems
	if len(systems) == 0 {
		systems = baseline.Names()
	}
	for _, s := range systems {
		if !slices.Contains(baseline.Names(), s) {
			return nil, fmt.Errorf("bench: no system %q, want some of %s", s, strings.Join(baseline.Names(), ", "))
		}
	}
	if err := os.MkdirAll(opt.Folder, 0o777); err != nil {
		return nil, err
	}
	table := &BaselineTable{Scale: opt.Scale, Seed: opt.Seed}
	for _, c := range exams() {
		if len(opt.Only) > 0 && !slices.ContainsFunc(opt.Only, func(want string) bool { return named(want, c.name) }) {
			continue
		}
		rows, err := opt.collection(ctx, c, systems)
		table.Rows = append(table.Rows, rows...)
		switch {
		case ctx.Err() != nil:
			table.Interrupted = true
			return table, nil
		case errors.Is(err, fs.ErrNotExist):
			table.Rows = append(table.Rows, BaselineRow{Name: c.name, Skipped: err.Error()})
		case err != nil:
			return nil, fmt.Errorf("bench: %s: %w", c.name, err)
		}
	}
	return table, nil
}

// collection measures systems on one row.
func (o *BaselineOptions) collection(ctx context.Context, c exam, systems []string) (rows []BaselineRow, err error) {
	x := &examLab{lab: &lab{Options: Options{Data: o.Data, Scale: o.Scale}, collections: make(map[string][]collection)}, splits: o.Splits}
	b, err := c.prepare(x)
	if err != nil {
		return nil, err
	}
	truths := AccuracyOptions{Folder: o.Folder, Workers: o.Workers, Progress: o.Progress}
	for _, s := range b.sets {
		if err := truths.solve(ctx, c.name, b, s); err != nil {
			return nil, err
		}
	}
	var data *train.Data
	for _, name := range systems {
		row := BaselineRow{Name: c.name, System: name}
		s, err := baseline.New(name, c.task, b.costs)
		if err != nil {
			row.Skipped = err.Error()
			rows = append(rows, row)
			continue
		}
		if s.Info().Learns {
			path := filepath.Join(o.Folder, fmt.Sprintf("baseline-%s-%v-%s-%d-%d-%d.safetensors", name, c.task, b.model, o.Steps, o.Pairs, o.Seed))
			loaded, err := baseline.Load(path)
			if errors.Is(err, fs.ErrNotExist) {
				if data == nil {
					if data, err = o.learn(ctx, c, b); err != nil {
						return rows, err
					}
				}
				if err := s.Fit(ctx, *data, o.options(c.name+", "+name)); err != nil {
					return rows, err
				}
				err = s.Save(path)
			} else {
				s = loaded
			}
			if err != nil {
				return rows, err
			}
		}
		if err := o.fill(ctx, &row, s, b); err != nil {
			return rows, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// learn returns the pairs to learn from.
func (o *BaselineOptions) learn(ctx context.Context, c exam, b *material) (*train.Data, error) {
	plan := train.PaperRecipe(c.task, b.costs, b.learn).Plan
	b.plan(&plan)
	plan.Seed, plan.Workers = o.Seed, o.Workers
	if n := len(b.learn); c.task.Symmetric() {
		plan.Pairs = min(plan.Pairs, n*(n-1)) // all pairs, and as many again in blocks
	}
	if o.Pairs > 0 {
		plan.Pairs = o.Pairs
	}
	plan.Journals = filepath.Join(o.Folder, fmt.Sprintf("baseline-%v-%s-%d-%d.pairs", c.task, b.model, o.Pairs, o.Seed))
	if err := os.MkdirAll(plan.Journals, 0o777); err != nil {
		return nil, err
	}
	plan.Note = func(text string) { o.Note(c.name + ": " + text) }
	plan.Progress = func(stage string, p truth.Progress) {
		o.Progress(Step{c.name + ", ground truth for " + stage, 1, p.Done, p.Total})
	}
	learn, check := b.split(c.task, o.Seed)
	data, err := plan.Prepare(ctx, learn, check)
	return &data, err
}

func (o *BaselineOptions) options(name string) baseline.Options {
	opt := baseline.Options{
		Seed: o.Seed, Steps: o.Steps, Workers: o.Workers,
		Progress: func(p baseline.Progress) { o.Progress(Step{name + ", " + p.Stage, 1, p.Done, p.Total}) },
	}
	if processorTime() > 0 {
		opt.Clock = processorTime
	}
	return opt
}

// fill evaluates a system.
func (o *BaselineOptions) fill(ctx context.Context, row *BaselineRow, s baseline.System, b *material) error {
	var sets []eval.Input
	for _, set := range b.sets {
		sets = append(sets, set.in)
	}
	r, err := baseline.Run(ctx, s, train.Data{}, sets, o.options(row.Name+", "+row.System))
	if err != nil {
		return err
	}
	row.Parameters, row.Steps, row.Seconds = r.Parameters, r.Fitted.Steps, r.Fitted.Time.Seconds()
	row.Indexable, row.Cached = r.System.Indexable, r.System.Cached
	if p := published.RMSE().At(row.System, row.Name); !math.IsNaN(p) {
		row.Published = &p
	}
	var embed, score time.Duration
	graphs, pairs := 0, 0
	for i, j := range r.Sets {
		embed, score = embed+j.Work.Embed, score+j.Work.Score
		graphs, pairs = graphs+j.Work.Graphs, pairs+j.Work.Pairs
		of := BaselineOf{Pairs: b.sets[i].name, Size: sizeOf(j.Input.Pairs), Exact: j.Work.Exact, Metrics: j.Report.All}
		if c := j.Report.Copies; c != nil && c.Without != nil {
			mae := float64(c.Without.MAE)
			of.Without = &mae
		}
		row.Sets = append(row.Sets, of)
	}
	row.Embed = embed.Seconds() * 1e6 / float64(max(1, graphs))
	row.Score = score.Seconds() * 1e6 / float64(max(1, pairs))
	return nil
}

// Write writes the table in Markdown, aligned so that it can be read unrendered,
// followed by notes.
func (t *BaselineTable) Write(w io.Writer) error {
	lines := [][]string{{"row", "system", "numbers", "training s", "µs a graph", "µs a pair", "index", "pairs", "RMSE", "the paper's", "MAE", "τ-b", "p@10", "exact"}}
	notes := partial(t.Scale, t.Interrupted)
	for _, r := range t.Rows {
		if r.Skipped != "" {
			notes = append(notes, fmt.Sprintf("%s was skipped: %s", strings.TrimSuffix(r.Name+", "+r.System, ", "), r.Skipped))
			continue
		}
		for i, s := range r.Sets {
			line := []string{"", "", "", "", "", "", "", s.Pairs}
			if i == 0 {
				line = []string{r.Name, r.System, fmt.Sprint(r.Parameters), fmt.Sprintf("%.0f", r.Seconds), digits(r.Embed), digits(r.Score), yes(r.Indexable), s.Pairs}
			}
			paper := ""
			if i == 0 && r.Published != nil {
				paper = places(*r.Published)
			}
			m := s.Metrics
			line = append(line, places(float64(m.RMSE)), paper, places(float64(m.MAE)), places(float64(m.Kendall)), places(float64(m.PrecisionAt10)), cmp.Or(exactShare(s), "-"))
			lines = append(lines, line)
		}
	}
	return writeNoted(w, lines, notes)
}

// exactShare returns how many of the searches were complete, empty if there were none.
func exactShare(s BaselineOf) string {
	if s.Exact == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f %%", 100*float64(s.Exact)/float64(s.Size.Pairs))
}

func yes(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}
