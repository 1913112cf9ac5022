package baseline

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/internal/safetensors"
	"github.com/greedgraph/greed/train"
)

// progress is what a stopped training continues from, besides numbers. It begins with what must be the same.
type progress struct {
	System string `json:"system"`
	Data   string `json:"data"` // fingerprint
	Seed   uint64 `json:"seed"`
	Steps  int    `json:"steps"`

	Step   int           `json:"step"`
	Draws  int           `json:"draws"` // of networks
	Later  bool          `json:"later"`
	Best   train.Metrics `json:"best"`
	Has    bool          `json:"has"` // a best network
	Time   time.Duration `json:"time"`
	Fitted Fitted        `json:"fitted"`
	Random []byte        `json:"random"`
	Update int           `json:"update"`
}

const progressKey = "greed.baseline.checkpoint"

// errCheckpoint means that a checkpoint is of another training, or damaged.
var errCheckpoint = errors.New("not a checkpoint of this training; remove it to start over")

// save writes where the training is.
func (f *fitting) save(path string, p progress, kept []float32) error {
	var err error
	if p.Random, err = f.source.MarshalBinary(); err != nil {
		return err
	}
	p.Update = f.adam.Step
	if p.Has = kept != nil; !p.Has {
		p.Best = train.Metrics{} // JSON has no infinity
	}
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	file := safetensors.File{Metadata: map[string]string{progressKey: string(text)}, Tensors: f.tensors(kept)}
	return atomicfile.Write(path, func(w io.Writer) error { return safetensors.Write(w, file) })
}

// tensors lists what a checkpoint holds: the network, the averages of Adam, and the best network if there is one.
func (f *fitting) tensors(kept []float32) []safetensors.Tensor {
	list := []safetensors.Tensor{
		{Name: "values", Data: f.ps.Flat()}, {Name: "adam.first", Data: f.adam.First}, {Name: "adam.second", Data: f.adam.Second},
	}
	if kept != nil {
		list = append(list, safetensors.Tensor{Name: "best", Data: kept})
	}
	for i := range list {
		list[i].Shape = []int{len(list[i].Data)}
	}
	return list
}

// resume restores what was saved at path, and returns nil if there is nothing. p has what must be the same.
func (f *fitting) resume(path string, p progress) (*progress, []float32, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	file, err := safetensors.Parse(data)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w: %w", path, errCheckpoint, err)
	}
	saved := new(progress)
	if err := json.Unmarshal([]byte(file.Metadata[progressKey]), saved); err != nil {
		return nil, nil, fmt.Errorf("%s: %w: %w", path, errCheckpoint, err)
	}
	if saved.System != p.System || saved.Data != p.Data || saved.Seed != p.Seed || saved.Steps != p.Steps {
		return nil, nil, fmt.Errorf("%s: %w", path, errCheckpoint)
	}
	var kept []float32
	if saved.Has {
		kept = make([]float32, len(f.ps.Flat()))
	}
	have := make(map[string][]float32)
	for _, t := range file.Tensors {
		have[t.Name] = t.Data
	}
	for _, t := range f.tensors(kept) {
		if len(have[t.Name]) != len(t.Data) {
			return nil, nil, fmt.Errorf("%s: %w: %s has %d numbers, want %d", path, errCheckpoint, t.Name, len(have[t.Name]), len(t.Data))
		}
		copy(t.Data, have[t.Name])
	}
	f.adam.Step = saved.Update
	return saved, kept, f.source.UnmarshalBinary(saved.Random)
}
