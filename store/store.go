// Package store keeps a collection in a folder: its graphs, its models and
// their embeddings, so that it can be searched again without reading, learning
// or embedding anew.
package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/embedding"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
)

// Version is the version of the layout written. History: 1, the first.
const Version = 1

// Errors that callers branch on.
var (
	// ErrFormat is wrapped where a folder is not a whole store.
	ErrFormat = errors.New("not a greed index")
	// ErrVersion is wrapped where a store is of a later version.
	ErrVersion = errors.New("index of a newer version")
	// ErrExists is wrapped where a store would replace something.
	ErrExists = errors.New("it exists already")
)

const (
	manifestFile = "manifest.json"
	graphsFile   = "graphs.ndjson.gz"
)

type manifest struct {
	Version int         `json:"version"`
	Graphs  int         `json:"graphs"`
	Tasks   []edit.Task `json:"tasks"`
}

// Engine is a model and its embeddings of the collection, [n, dim] row-major.
type Engine struct {
	Model   *model.Model
	Vectors []float32
}

// Store is the content of a folder.
type Store struct {
	Vocabulary *graph.Vocabulary
	Records    []dataset.Record
	Engines    []Engine // at most one for a task
}

// Exists tells whether path is a folder that claims to be a store.
func Exists(path string) bool {
	_, err := os.Stat(filepath.Join(path, manifestFile))
	return err == nil
}

// Create writes a new store to dir, which must not exist. The folder appears
// whole or not at all.
func Create(dir string, s Store) (err error) {
	if _, err := os.Lstat(dir); err == nil {
		return fmt.Errorf("%s: %w", dir, ErrExists)
	}
	dir = filepath.Clean(dir)
	temp := dir + ".tmp"
	if err := os.Mkdir(temp, 0o777); err != nil {
		return fmt.Errorf("%w (left by a run that was stopped? remove it)", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(temp))
		}
	}()
	m := manifest{Version: Version, Graphs: len(s.Records), Tasks: []edit.Task{}}
	err = dataset.Create(filepath.Join(temp, graphsFile), "ndjson", func(w *dataset.Writer) error {
		for _, rec := range s.Records {
			if err := w.Write(rec); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, e := range s.Engines {
		task := e.Model.Metadata().Task
		m.Tasks = append(m.Tasks, task)
		if err := e.Model.Save(filepath.Join(temp, modelFile(task))); err != nil {
			return err
		}
		set := embedding.Set{Model: e.Model.Fingerprint(), Norm: e.Model.Norm(), Vectors: e.Vectors}
		for i := range s.Records {
			set.IDs = append(set.IDs, fmt.Sprint(i))
		}
		if err := set.Save(filepath.Join(temp, vectorsFile(task))); err != nil {
			return err
		}
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(temp, manifestFile), text, 0o666); err != nil {
		return err
	}
	return os.Rename(temp, dir)
}

func modelFile(task edit.Task) string   { return task.String() + ".safetensors" }
func vectorsFile(task edit.Task) string { return task.String() + ".embedding" }

// Open reads the store at dir. Errors wrap [ErrFormat] or [ErrVersion], or
// those of the files inside.
func Open(dir string) (*Store, error) {
	text, err := os.ReadFile(filepath.Join(dir, manifestFile))
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", dir, ErrFormat, err)
	}
	var m manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", filepath.Join(dir, manifestFile), ErrFormat, err)
	}
	if m.Version > Version {
		return nil, fmt.Errorf("%s: %w: it has version %d, this program reads up to %d; use a newer greed", dir, ErrVersion, m.Version, Version)
	}
	s := &Store{Vocabulary: graph.NewVocabulary()}
	if s.Records, err = dataset.ReadAll(filepath.Join(dir, graphsFile), dataset.Options{Vocabulary: s.Vocabulary}); err != nil {
		return nil, err
	}
	if len(s.Records) != m.Graphs {
		return nil, fmt.Errorf("%s: %w: %d graphs, the manifest says %d", dir, ErrFormat, len(s.Records), m.Graphs)
	}
	slices.Sort(m.Tasks)
	for _, task := range slices.Compact(m.Tasks) {
		e, err := openEngine(dir, task, len(s.Records))
		if err != nil {
			return nil, err
		}
		s.Engines = append(s.Engines, e)
	}
	return s, nil
}

func openEngine(dir string, task edit.Task, graphs int) (Engine, error) {
	m, err := model.Load(filepath.Join(dir, modelFile(task)))
	if err != nil {
		return Engine{}, err
	}
	set, err := embedding.Load(filepath.Join(dir, vectorsFile(task)))
	if err != nil {
		return Engine{}, err
	}
	if set.Model != m.Fingerprint() {
		return Engine{}, fmt.Errorf("%s: %w: the %v embeddings are of another model than the one beside them", dir, embedding.ErrMismatch, task)
	}
	if set.Len() != graphs {
		return Engine{}, fmt.Errorf("%s: %w: %d %v embeddings for %d graphs", dir, ErrFormat, set.Len(), task, graphs)
	}
	return Engine{m, set.Vectors}, nil
}
