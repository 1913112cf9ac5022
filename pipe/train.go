package pipe

import (
	"errors"
	"log/slog"
	"math"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/operation"
	"github.com/greedgraph/greed/train"
	"github.com/greedgraph/greed/truth"
)

type trainArgs struct {
	Graphs recordSet `json:"graphs"`
	Key    string    `json:"key"`
	operation.Train
	NoTrials bool `json:"no_trials"` // of norms: the first is taken
	work
}

func (a *trainArgs) setDefaults() { operation.SetDefaults(&a.Train) }

// stepJSON is a point of a learning curve, or how far ground truth is.
type stepJSON struct {
	Stage  string  `json:"stage"`
	Done   int     `json:"done"`
	Total  int     `json:"total"`
	Loss   float64 `json:"loss"`
	RMSE   float64 `json:"rmse"`
	MAE    float64 `json:"mae"`
	Rate   float64 `json:"rate"`
	Second float64 `json:"seconds"`
}

func finite(x float64) float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return math.MaxFloat64
	}
	return x
}

// trained is what training answers.
type trained struct {
	Model modelJSON  `json:"model"`
	Curve []stepJSON `json:"curve"`
	// Stopped says that training was cancelled, or that it diverged, and that the
	// model is the best until then.
	Stopped string `json:"stopped,omitempty"`
}

// train learns a model of the graphs, keeps it, and answers with its file and
// learning curve. Cancelling keeps the best model so far; before there is one the
// answer is an error.
func (s *server) train(r *request, args *trainArgs) (*answer, error) {
	measure, err := args.Resolve()
	if err != nil {
		return nil, err
	}
	graphs, _, err := r.graphs("graphs", "", &args.Graphs.graphSet, graph.NewVocabulary())
	if err != nil {
		return nil, err
	}
	out := trained{Curve: []stepJSON{}}
	recipe, err := s.recipe(r, args, measure, graphs, &out.Curve)
	recipe.Options.Workers, recipe.Plan.Workers = args.Workers, args.Workers
	if err != nil {
		return nil, &failure{Code: "model", Message: err.Error()} // before the minutes of ground truth
	}
	m, err := train.Fit(r.ctx, graphs, nil, recipe)
	if m == nil {
		if errors.Is(err, train.ErrTooEarly) || err == nil {
			return nil, &failure{Code: "model", Message: "training was stopped before there was a model"}
		}
		return nil, err
	}
	switch {
	case r.ctx.Err() != nil:
		out.Stopped = "interrupted"
	case err != nil:
		out.Stopped = err.Error()
	}
	s.models.put(args.Key, m)
	out.Model = modelInfo(m)
	a := &answer{result: out}
	return a, a.addModel(m)
}

func (s *server) recipe(r *request, args *trainArgs, measure operation.Measure, graphs []*graph.Graph,
	curve *[]stepJSON) (train.Recipe, error) {
	recipe, err := args.Recipe(measure, graphs)
	if err != nil {
		return recipe, err
	}
	if args.NoTrials {
		recipe.Norms = nil
	}
	recipe.Options.Validate = min(recipe.Options.Validate, max(1, recipe.Options.Steps))
	recipe.Plan.Note = func(text string) { s.log(slog.LevelInfo, text) }
	recipe.Plan.Progress = func(stage string, p truth.Progress) {
		r.progress(stepJSON{Stage: "ground truth for " + stage, Done: p.Done, Total: p.Total})
	}
	recipe.Progress = func(p train.Progress) {
		stage := "training"
		if p.Trial != "" {
			stage = "trial of " + p.Trial
		}
		if p.Diverged {
			s.log(slog.LevelWarn, "training diverged and continues from the best model at a tenth of the rate")
			return
		}
		step := stepJSON{
			stage, p.Step, p.Steps, finite(p.Loss), finite(p.Valid.RMSE), finite(p.Valid.MAE), p.Rate,
			p.Elapsed.Seconds(),
		}
		*curve = append(*curve, step)
		r.progress(step)
	}
	return recipe, nil
}
