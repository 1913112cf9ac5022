package pipe

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
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
func (s *server) loadModel(r *request) (*answer, error) {
	var args struct {
		Key     string     `json:"key"`
		Path    string     `json:"path"`
		Bundled *edit.Task `json:"bundled"`
	}
	if err := r.read(&args); err != nil {
		return nil, err
	}
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
	register(&s.registry, &s.registry.models, args.Key, m)
	return &answer{result: modelInfo(m)}, nil
}

type modelArgs struct {
	Model   string   `json:"model"`
	Queries graphSet `json:"queries"`
	Targets graphSet `json:"targets"`
	Mode    string   `json:"mode"`
	Side    string   `json:"side"` // query or target, of models that tell them apart
	Workers int      `json:"workers"`
}

// model reads the arguments and returns the model that they name.
func (s *server) model(r *request) (*model.Model, *modelArgs, error) {
	args := new(modelArgs)
	if err := r.read(args); err != nil {
		return nil, nil, err
	}
	m, err := find(&s.registry, &s.registry.models, args.Model)
	return m, args, err
}

// embed answers with the vectors of graphs, f4 [graphs, dim].
func (s *server) embed(r *request) (*answer, error) {
	m, args, err := s.model(r)
	if err != nil {
		return nil, err
	}
	vectors, n, err := s.vectors(r, args, m, "queries", &args.Queries, args.Side == "target")
	if err != nil {
		return nil, err
	}
	a := new(answer)
	dim := m.Norm().Dim()
	if n > 0 {
		dim = len(vectors) / n
	}
	a.addVectors("vectors", vectors, n, dim)
	return a, nil
}

func (s *server) vectors(r *request, args *modelArgs, m *model.Model, name string, set *graphSet, target bool) ([]float32, int, error) {
	side, what := model.Query, "query"
	if target {
		side, what = model.Target, "target"
	}
	list, _, err := r.graphs(name, what, set, graph.NewVocabulary())
	if err != nil || len(list) == 0 {
		return nil, 0, err
	}
	s.warn(m, list)
	workers, err := s.workers(args.Workers)
	if err != nil {
		return nil, 0, err
	}
	z, err := m.EmbedAs(r.ctx, side, list, workers)
	return z, len(list), err
}

// mostWarnings bounds how many graphs are looked at for warnings.
const mostWarnings = 100

func (s *server) warn(m *model.Model, list []*graph.Graph) {
	said := make(map[string]bool)
	for _, g := range list[:min(len(list), mostWarnings)] {
		for _, text := range m.Warnings(g) {
			if !said[text] {
				said[text] = true
				s.log.Warn(text)
			}
		}
	}
}

// predict answers with predicted distances, f8 [pairs] or [queries, targets].
func (s *server) predict(r *request) (*answer, error) {
	m, args, err := s.model(r)
	if err != nil {
		return nil, err
	}
	q, nq, err := s.vectors(r, args, m, "queries", &args.Queries, false)
	if err != nil {
		return nil, err
	}
	t, nt, err := s.vectors(r, args, m, "targets", &args.Targets, true)
	if err != nil {
		return nil, err
	}
	row := func(z []float32, n, i int) []float32 { d := len(z) / n; return z[i*d : i*d+d] }
	a := new(answer)
	if args.Mode == modePairs {
		if nq != nt {
			return nil, badRequest("%d queries and %d targets are no pairs", nq, nt)
		}
		out := make([]float64, nq)
		for i := range out {
			out[i] = m.Distance(row(q, nq, i), row(t, nt, i))
		}
		a.addFloats("predicted", out, nq)
		return a, nil
	}
	out := make([]float64, nq*nt)
	for i := range nq {
		if r.ctx.Err() != nil {
			return nil, r.ctx.Err()
		}
		for j := range nt {
			out[i*nt+j] = m.Distance(row(q, nq, i), row(t, nt, j))
		}
	}
	a.addFloats("predicted", out, nq, nt)
	return a, nil
}

func (s *server) infoOfModel(r *request) (*answer, error) {
	m, _, err := s.model(r)
	if err != nil {
		return nil, err
	}
	return &answer{result: modelInfo(m)}, nil
}

// modelBytes answers with the file of a model, u1.
func (s *server) modelBytes(r *request) (*answer, error) {
	m, _, err := s.model(r)
	if err != nil {
		return nil, err
	}
	a := new(answer)
	return a, a.addModel(m)
}

func (a *answer) addModel(m *model.Model) error {
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		return err
	}
	a.addBytes("model", b.Bytes(), b.Len())
	return nil
}

// attachModel makes a collection search by a model that is kept.
func (s *server) attachModel(r *request) (*answer, error) {
	var args struct {
		collectionArgs
		Model string `json:"model"`
	}
	c, err := s.collection(r, &args)
	if err != nil {
		return nil, err
	}
	m, err := find(&s.registry, &s.registry.models, args.Model)
	if err != nil {
		return nil, err
	}
	if err := m.CheckIndexable(); err != nil {
		return nil, &failure{Code: "model", Message: err.Error()}
	}
	dir, err := os.MkdirTemp("", "greed")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "model.safetensors")
	if err := m.Save(path); err != nil {
		return nil, err
	}
	if err := c.Attach(r.ctx, path); err != nil {
		return nil, err
	}
	return &answer{result: collectionInfo(c)}, nil
}
