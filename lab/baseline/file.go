package baseline

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/safetensors"
)

// ErrFormat is wrapped if a file is not a whole system.
var ErrFormat = errors.New("not a baseline system of greed")

const metadataKey = "greed.baseline"

// metadata is what a file says beside the numbers.
type metadata struct {
	Version    int               `json:"version"`
	System     string            `json:"system"`
	Task       edit.Task         `json:"task"`
	Costs      edit.Costs        `json:"costs"`
	Vocabulary *graph.Vocabulary `json:"vocabulary"`
	Shape      shape             `json:"shape"`
	Fitted     Fitted            `json:"fitted"`
}

const fileVersion = 2

// write writes the system in safetensors form, padding included.
func (l *learner) write(w io.Writer) error {
	text, err := json.Marshal(metadata{fileVersion, l.design.Name, l.task, l.costs, l.vocab, l.shape, l.fitted})
	if err != nil {
		return fmt.Errorf("baseline: %w", err)
	}
	f := safetensors.File{Metadata: map[string]string{metadataKey: string(text)}}
	for _, p := range l.ps.All() {
		f.Tensors = append(f.Tensors, safetensors.Tensor{Name: p.Name, Shape: []int{p.Rows, p.Cols}, Data: l.ps.Value(p)})
	}
	return safetensors.Write(w, f)
}

// Load reads a system that was saved. The error wraps [ErrFormat] where the file is
// not whole.
func Load(path string) (System, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path, ErrFormat, err)
	}
	return s, nil
}

func parse(data []byte) (System, error) {
	f, err := safetensors.Parse(data)
	if err != nil {
		return nil, err
	}
	m := metadata{Vocabulary: graph.NewVocabulary()}
	if err := json.Unmarshal([]byte(f.Metadata[metadataKey]), &m); err != nil {
		return nil, err
	}
	if m.Version != fileVersion {
		return nil, fmt.Errorf("version %d, this program reads %d", m.Version, fileVersion)
	}
	s, err := New(m.System, m.Task, m.Costs)
	if err != nil {
		return nil, err
	}
	l, ok := s.(*learner)
	if !ok {
		return nil, fmt.Errorf("%s learns nothing", m.System)
	}
	// Tables have as many rows as there are labels, which the file's size bounds.
	if m.Vocabulary == nil || m.Shape.Nodes != m.Vocabulary.Nodes() {
		return nil, fmt.Errorf("tables of %d rows do not fit the vocabulary", m.Shape.Nodes)
	}
	numbers := 0
	for _, t := range f.Tensors {
		numbers += len(t.Data)
	}
	if numbers < m.Shape.Nodes { // a few bytes of text must not ask for much memory
		return nil, fmt.Errorf("%d numbers for %d labels", numbers, m.Shape.Nodes)
	}
	l.prepare(m.Vocabulary, m.Shape, 0)
	l.fitted = m.Fitted
	all := l.ps.All()
	if len(f.Tensors) != len(all) {
		return nil, fmt.Errorf("%d tensors, want %d", len(f.Tensors), len(all))
	}
	byName := make(map[string]safetensors.Tensor)
	for _, t := range f.Tensors {
		byName[t.Name] = t
	}
	for _, p := range all {
		t := byName[p.Name]
		if len(t.Data) != p.Rows*p.Cols {
			return nil, fmt.Errorf("tensor %s has %d numbers, want %d", p.Name, len(t.Data), p.Rows*p.Cols)
		}
		copy(l.ps.Value(p), t.Data)
	}
	return l, l.ps.Check()
}
