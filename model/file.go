package model

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/internal/safetensors"
	"github.com/greedgraph/greed/nn"
)

// Version is the newest version of the model format. 1 was the first; 2 added configurations
// beyond convolution, layers, width and norm; 3 features; 4 counts.
const Version = 4

const (
	versionKey  = "greed.model.version"
	metadataKey = "greed.model"
	checkKey    = "greed.model.fingerprint"

	unseenKey      = "greed.model.unseen"
	calibrationKey = "greed.model.calibration"
)

// Errors that callers branch on.
var (
	// ErrFormat means that a file is not a complete model.
	ErrFormat = errors.New("not a greed model")
	// ErrVersion means that a model is of a version, newer or older, that this program cannot
	// read.
	ErrVersion = errors.New("model of another version")
	// ErrMismatch means that a model is used for something that it was not trained for.
	ErrMismatch = errors.New("the model does not fit")
)

// Write writes the model in safetensors format. The metadata is JSON under "greed.model".
// Weights of linear maps are [out, in] and biases [out], so that they load into PyTorch's
// Linear; tables are [rows, width], for its Embedding. docs/formats.md lists the names.
func (m *Model) Write(w io.Writer) error {
	text, err := json.Marshal(m.meta)
	if err != nil {
		return fmt.Errorf("model: %w", err)
	}
	f := safetensors.File{Metadata: map[string]string{
		versionKey: strconv.Itoa(Version), metadataKey: string(text), checkKey: m.Fingerprint(),
	}}
	if m.unseen != nil {
		f.Metadata[unseenKey] = m.unseen.text()
	}
	if m.calibration != nil {
		if text, err = json.Marshal(m.calibration); err != nil {
			return fmt.Errorf("model: %w", err)
		}
		f.Metadata[calibrationKey] = string(text)
	}
	for _, p := range m.params.All() {
		f.Tensors = append(f.Tensors, tensorOf(p, m.params.Value(p)))
	}
	return safetensors.Write(w, f)
}

// Save writes the model to a file, atomically.
func (m *Model) Save(path string) error {
	return atomicfile.Write(path, m.Write)
}

// Load reads a model file. Errors wrap [ErrFormat] or [ErrVersion].
func Load(path string) (*Model, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// LoadIndexable is [Load] for search and indexing. If the model supports neither, the error
// wraps [ErrNotIndexable].
func LoadIndexable(path string) (*Model, error) {
	m, err := Load(path)
	if err != nil {
		return nil, err
	}
	if err := m.CheckIndexable(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// Parse reads a model from the contents of a file.
func Parse(data []byte) (*Model, error) {
	f, err := safetensors.Parse(data)
	if err != nil {
		if !errors.Is(err, safetensors.ErrForeign) {
			err = fmt.Errorf("%w; was it copied whole?", err)
		}
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	version, err := strconv.Atoi(f.Metadata[versionKey])
	if err != nil || version < 1 {
		return nil, fmt.Errorf("%w: no %s in its metadata", ErrFormat, versionKey)
	}
	if version > Version {
		return nil, fmt.Errorf("%w: it has version %d, this program reads up to %d; use a newer greed", ErrVersion,
			version, Version)
	}
	meta := Metadata{Vocabulary: graph.NewVocabulary()}
	if err := json.Unmarshal([]byte(f.Metadata[metadataKey]), &meta); err != nil {
		return nil, fmt.Errorf("%w: metadata: %w", ErrFormat, err)
	}
	if err := meta.Check(); err != nil {
		return nil, fmt.Errorf("%w: metadata: %w", ErrFormat, err)
	}
	m := build(meta)
	tensors, have := make(map[string]safetensors.Tensor), 0
	for _, t := range f.Tensors {
		tensors[t.Name] = t
		have += len(t.Data)
	}
	// Do not allocate memory for numbers that the file does not have.
	if need := m.params.Count(); need > have {
		return nil, fmt.Errorf("%w: it has %d numbers, but its metadata call for %d", ErrFormat, have, need)
	}
	m.furnish()
	for _, p := range m.params.All() {
		t, ok := tensors[p.Name]
		if !ok {
			return nil, fmt.Errorf("%w: no tensor %s", ErrFormat, p.Name)
		}
		if err := load(m.params.Value(p), p, t); err != nil {
			return nil, err
		}
	}
	if err := m.params.Check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	if m.unseen, err = parseUnseen(f.Metadata[unseenKey]); err != nil {
		return nil, err
	}
	if text, ok := f.Metadata[calibrationKey]; ok {
		m.calibration = new(Calibration)
		if err := json.Unmarshal([]byte(text), m.calibration); err != nil {
			return nil, fmt.Errorf("%w: calibration: %w", ErrFormat, err)
		}
		if err := m.calibration.Check(); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrFormat, err)
		}
	}
	if want, ok := f.Metadata[checkKey]; ok && want != m.Fingerprint() {
		return nil, fmt.Errorf("%w: its contents do not match its fingerprint %s: it is damaged, or was changed "+
			"without "+
			"removing %s", ErrFormat, want, checkKey)
	}
	return m, nil
}

// isTable reports whether p is a lookup table rather than a matrix to multiply with.
func isTable(p *nn.Param) bool {
	return strings.HasSuffix(p.Name, ".weight") && (strings.Contains(p.Name, "pre.") ||
		strings.Contains(p.Name, ".edge."))
}

func tensorOf(p *nn.Param, values []float32) safetensors.Tensor {
	t := safetensors.Tensor{Name: p.Name, Data: make([]float32, len(values))}
	switch {
	case p.Rows == 1 && !isTable(p):
		t.Shape = []int{p.Cols}
		copy(t.Data, values)
	case isTable(p):
		t.Shape = []int{p.Rows, p.Cols}
		copy(t.Data, values)
	default:
		t.Shape = []int{p.Cols, p.Rows}
		nn.Transpose(t.Data, values, p.Rows, p.Cols)
	}
	return t
}

func load(dst []float32, p *nn.Param, t safetensors.Tensor) error {
	want := tensorOf(p, dst).Shape
	if fmt.Sprint(want) != fmt.Sprint(t.Shape) {
		return fmt.Errorf("%w: tensor %s has shape %v, want %v", ErrFormat, p.Name, t.Shape, want)
	}
	if len(want) == 2 && !isTable(p) {
		nn.Transpose(dst, t.Data, p.Cols, p.Rows)
	} else {
		copy(dst, t.Data)
	}
	return nil
}

func writeFloats(w io.Writer, values []float32) {
	buf := make([]byte, 4*len(values))
	for i, x := range values {
		binary.LittleEndian.PutUint32(buf[4*i:], math.Float32bits(x))
	}
	w.Write(buf)
}
