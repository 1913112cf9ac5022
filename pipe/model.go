package pipe

import (
	"bytes"
	"fmt"
	"log/slog"

	"github.com/greedgraph/greed"
	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/operation"
	"github.com/greedgraph/greed/truth"
)

// modelJSON describes a model.
type modelJSON struct {
	Task        edit.Task          `json:"task"`
	Fingerprint string             `json:"fingerprint"`
	Norm        string             `json:"norm"`
	Dim         int                `json:"dim"`
	Costs       edit.Costs         `json:"costs"`
	Metrics     map[string]float64 `json:"metrics"`
	Indexable   bool               `json:"indexable"`
	Training    *model.Training    `json:"training,omitempty"`
}

func modelInfo(m *model.Model) modelJSON {
	meta := m.Metadata()
	return modelJSON{
		Task: meta.Task, Fingerprint: m.Fingerprint(), Norm: m.Norm().String(), Dim: m.Norm().Dim(),
		Costs: meta.Costs, Metrics: meta.Metrics, Indexable: m.CheckIndexable() == nil, Training: &meta.Training,
	}
}

// loadModel keeps a model: of a file, of the bytes of one (u1 "model"), or the
// bundled one of a task.
func (s *server) loadModel(r *request, args *struct {
	Key     string     `json:"key"`
	Path    string     `json:"path"`
	Bundled *edit.Task `json:"bundled"`
}) (*answer, error) {
	var m *model.Model
	var err error
	switch {
	case args.Bundled != nil && *args.Bundled == edit.MCS:
		err = fmt.Errorf("there is no bundled model for mcs")
	case args.Bundled != nil:
		m, err = bundle.Model(*args.Bundled)
	case args.Path != "":
		m, err = model.Load(args.Path)
	default:
		var data []byte
		if data, err = r.arrays.bytes("model"); err == nil {
			m, err = model.Parse(data)
		}
	}
	if err != nil {
		f := *describe(err)
		if f.Code == "error" {
			f.Code = "model"
		}
		return nil, &f
	}
	s.models.put(args.Key, m)
	return &answer{result: modelInfo(m)}, nil
}

type modelArgs struct {
	keyArgs
	sides
	Mode string `json:"mode"`
	operation.Predict
	work
}

// embed answers with the vectors of graphs, f4 [graphs, dim].
func (s *server) embed(r *request, m *model.Model, args *modelArgs) (*answer, error) {
	vectors, n, err := s.vectors(r, args, m, "queries", "query", &args.Queries)
	if err != nil {
		return nil, err
	}
	a := new(answer)
	dim := m.Norm().Dim()
	if n > 0 {
		dim = len(vectors) / n
	}
	add(a, "vectors", vectors, n, dim)
	return a, nil
}

func (s *server) vectors(r *request, args *modelArgs, m *model.Model, name, what string,
	set *graphSet) ([]float32, int, error) {
	list, _, err := r.graphs(name, what, set, graph.NewVocabulary())
	if err != nil || len(list) == 0 {
		return nil, 0, err
	}
	s.warn(m, list, what == "target")
	z, err := m.Embed(r.ctx, list, args.Workers)
	return z, len(list), err
}

// mostWarnings bounds how many graphs are looked at for warnings.
const mostWarnings = 100

// warn says how queries are unlike the training graphs, or which labels of targets the model does not know.
func (s *server) warn(m *model.Model, list []*graph.Graph, targets bool) {
	say := m.Warnings
	if targets {
		say = func(g *graph.Graph) []string { return m.LabelWarnings(g) }
	}
	said := make(map[string]bool)
	for _, g := range list[:min(len(list), mostWarnings)] {
		for _, text := range say(g) {
			if !said[text] {
				said[text] = true
				s.log(slog.LevelWarn, text)
			}
		}
	}
}

// predict answers with predicted distances, f8 [pairs] or [queries, targets].
func (s *server) predict(r *request, m *model.Model, args *modelArgs) (*answer, error) {
	opt, err := args.Resolve()
	if err != nil {
		return nil, err
	}
	vocab := graph.NewVocabulary()
	queries, _, err := r.graphs("queries", "query", &args.Queries, vocab)
	if err != nil {
		return nil, err
	}
	targets, _, err := r.graphs("targets", "target", &args.Targets, vocab)
	if err != nil {
		return nil, err
	}
	s.warn(m, queries, false)
	s.warn(m, targets, true)
	nq, nt := len(queries), len(targets)
	shape, pairs := []int{nq, nt}, truth.AllPairs(nq, nt)
	if args.Mode == modePairs {
		if err := paired(nq, nt); err != nil {
			return nil, err
		}
		shape, pairs = []int{nq}, make([]truth.Pair, nq)
		for i := range pairs {
			pairs[i] = truth.NewPair(i, i)
		}
	}
	opt.Workers = args.Workers
	p, err := greed.NewPredictor(r.ctx, m, queries, targets, opt)
	if err != nil {
		return nil, err
	}
	predicted, err := p.Predict(r.ctx, make([]float64, 0, len(pairs)), pairs)
	if err != nil {
		return nil, err
	}
	a := new(answer)
	add(a, "predicted", predicted, shape...)
	return a, nil
}

func (s *server) infoOfModel(_ *request, m *model.Model, _ *modelArgs) (*answer, error) {
	return &answer{result: modelInfo(m)}, nil
}

// modelBytes answers with the file of a model, u1.
func (s *server) modelBytes(_ *request, m *model.Model, _ *modelArgs) (*answer, error) {
	a := new(answer)
	return a, a.addModel(m)
}

func (a *answer) addModel(m *model.Model) error {
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		return err
	}
	add(a, "model", b.Bytes(), b.Len())
	return nil
}

type attachArgs struct {
	keyArgs
	Model string `json:"model"`
}

// attachModel makes a collection search by a model that is kept.
func (s *server) attachModel(r *request, c *greed.Collection, args *attachArgs) (*answer, error) {
	m, err := s.models.get(args.Model)
	if err != nil {
		return nil, err
	}
	if err := m.CheckIndexable(); err != nil {
		return nil, &failure{Code: "model", Message: err.Error()}
	}
	if err := c.AttachModel(r.ctx, m); err != nil {
		return nil, err
	}
	return &answer{result: c.Info()}, nil
}
