package train

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"

	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/internal/safetensors"
)

// checkpointVersion is the version of the checkpoint format. History: 1, the
// first; 2, knows whether training has diverged.
const checkpointVersion = 2

const (
	checkpointVersionKey = "greed.checkpoint.version"
	checkpointKey        = "greed.checkpoint"
)

// ErrCheckpoint is wrapped by errors that say why training cannot resume from a
// checkpoint.
var ErrCheckpoint = errors.New("unusable checkpoint")

// checkpoint is the part of a checkpoint that is not tensors.
type checkpoint struct {
	Options Options `json:"options"`
	Data    string  `json:"data"`  // fingerprint of the training data
	Model   string  `json:"model"` // shape of the model
	Step    int     `json:"step"`
	Since   int     `json:"since"`
	Best    Metrics `json:"best"`
	HasBest bool    `json:"has_best"`
	Slow    bool    `json:"slow"`    // it has diverged once
	Updates int     `json:"updates"` // of the weights since
	Random  []byte  `json:"random"`
}

// Save writes everything that training needs to resume. Resumed on the same
// data, it ends with the same model as a run that was never stopped.
func (t *Trainer) Save(path string) error {
	random, err := t.source.MarshalBinary()
	if err != nil {
		return err
	}
	c := t.describe()
	c.Step, c.Since, c.Random, c.HasBest = t.state.step, t.state.since, random, t.state.best != nil
	c.Slow, c.Updates = t.state.slow, t.state.adam.Step
	if c.HasBest {
		c.Best = t.state.metrics
	}
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	f := safetensors.File{Metadata: map[string]string{
		checkpointVersionKey: strconv.Itoa(checkpointVersion), checkpointKey: string(text),
	}}
	for _, s := range t.tensors() {
		f.Tensors = append(f.Tensors, safetensors.Tensor{Name: s.name, Shape: []int{len(s.data)}, Data: s.data})
	}
	return atomicfile.Write(path, func(w io.Writer) error { return safetensors.Write(w, f) })
}

// describe returns what must be the same for a checkpoint to fit.
func (t *Trainer) describe() checkpoint {
	opt := t.opt
	opt.Workers = 0
	return checkpoint{Options: opt, Data: t.fingerprint(), Model: fmt.Sprintf("%+v", t.model.Metadata().Config)}
}

type namedSlice struct {
	name string
	data []float32
}

func (t *Trainer) tensors() []namedSlice {
	list := []namedSlice{
		{"values", t.model.Params().Flat()},
		{"adam.first", t.state.adam.First},
		{"adam.second", t.state.adam.Second},
		{"muon", t.state.muon.Momentum},
		{"average", t.state.average},
	}
	if t.state.best != nil {
		list = append(list, namedSlice{"best", t.state.best})
	}
	return list
}

// Resume restores the state saved at path and reports whether there was one.
// If it belongs to other data, other options or another model, the error wraps
// [ErrCheckpoint].
func (t *Trainer) Resume(path string) (bool, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	f, err := safetensors.Parse(data)
	if err != nil {
		return false, fmt.Errorf("%s: %w: %w", path, ErrCheckpoint, err)
	}
	if v := f.Metadata[checkpointVersionKey]; v != strconv.Itoa(checkpointVersion) {
		return false, fmt.Errorf("%s: %w: version %q, want %d", path, ErrCheckpoint, v, checkpointVersion)
	}
	var c checkpoint
	if err := json.Unmarshal([]byte(f.Metadata[checkpointKey]), &c); err != nil {
		return false, fmt.Errorf("%s: %w: %w", path, ErrCheckpoint, err)
	}
	if want := t.describe(); c.Options != want.Options || c.Data != want.Data || c.Model != want.Model {
		return false, fmt.Errorf("%s: %w: it belongs to other data, other options or another model; remove it to start over", path, ErrCheckpoint)
	}
	if c.HasBest {
		t.state.best = make([]float32, len(t.state.average))
		t.state.metrics = c.Best
	}
	have := make(map[string][]float32)
	for _, x := range f.Tensors {
		have[x.Name] = x.Data
	}
	for _, s := range t.tensors() {
		if len(have[s.name]) != len(s.data) {
			return false, fmt.Errorf("%s: %w: %s has %d values, want %d", path, ErrCheckpoint, s.name, len(have[s.name]), len(s.data))
		}
		copy(s.data, have[s.name])
	}
	t.state.step, t.state.since, t.state.adam.Step = c.Step, c.Since, c.Updates
	t.state.slow = c.Slow
	if err := t.source.UnmarshalBinary(bytes.Clone(c.Random)); err != nil {
		return false, fmt.Errorf("%s: %w: %w", path, ErrCheckpoint, err)
	}
	return true, nil
}
