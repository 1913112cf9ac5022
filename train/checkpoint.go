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

// checkpointVersion is the version of the checkpoint format. 1 was the first; 2 added whether
// training has diverged.
const checkpointVersion = 2

const (
	checkpointVersionKey = "greed.checkpoint.version"
	checkpointKey        = "greed.checkpoint"
)

// ErrCheckpoint means that training cannot resume from a checkpoint; the error says why.
var ErrCheckpoint = errors.New("unusable checkpoint")

// checkpoint is the part of a checkpoint other than tensors.
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

// Save writes everything needed to resume training. Resumed on the same data, training ends
// with the same model as if it had not been stopped.
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
	f.Tensors = t.tensors()
	return atomicfile.Write(path, func(w io.Writer) error { return safetensors.Write(w, f) })
}

// describe returns what must match for a checkpoint to be usable.
func (t *Trainer) describe() checkpoint {
	opt := t.opt
	opt.Workers = 0
	return checkpoint{Options: opt, Data: t.fingerprint(), Model: fmt.Sprintf("%+v", t.model.Metadata().Config)}
}

func (t *Trainer) tensors() (list []safetensors.Tensor) {
	add := func(name string, data []float32) {
		list = append(list, safetensors.Tensor{Name: name, Shape: []int{len(data)}, Data: data})
	}
	add("values", t.model.Params().Flat())
	add("adam.first", t.state.adam.First)
	add("adam.second", t.state.adam.Second)
	add("muon", t.state.muon.Momentum)
	add("average", t.state.average)
	if t.state.best != nil {
		add("best", t.state.best)
	}
	return list
}

// Resume restores the state saved at path and reports whether there was one. If it was saved
// with other data, other options or another model, the error wraps [ErrCheckpoint].
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
		return false, fmt.Errorf("%s: %w: it belongs to other data, other options or another model; remove it to "+
			"start over", path, ErrCheckpoint)
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
		if len(have[s.Name]) != len(s.Data) {
			return false, fmt.Errorf("%s: %w: %s has %d values, want %d", path, ErrCheckpoint, s.Name,
				len(have[s.Name]), len(s.Data))
		}
		copy(s.Data, have[s.Name])
	}
	t.state.step, t.state.since, t.state.adam.Step = c.Step, c.Since, c.Updates
	t.state.slow = c.Slow
	if err := t.source.UnmarshalBinary(bytes.Clone(c.Random)); err != nil {
		return false, fmt.Errorf("%s: %w: %w", path, ErrCheckpoint, err)
	}
	return true, nil
}
