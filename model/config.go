// Package model implements the paper's siamese encoder with a norm as its head. It maps a
// graph to a vector, and predicts the edit distance of two graphs from their vectors.
package model

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/nn"
	"github.com/greedgraph/greed/norm"
)

// Conv is the kind of message passing in the encoder's rounds.
type Conv string

// The convolutions. Only GINE sees edge labels.
const (
	GIN  Conv = "gin"  // Xu et al., 2019
	GINE Conv = "gine" // Hu et al., 2020
)

// Config is the architecture of an encoder and the norm of its distances.
type Config struct {
	Conv   Conv      `json:"conv"`
	Layers int       `json:"layers"` // k of the paper
	Hidden int       `json:"hidden"` // width of node states and of the readout's hidden layer
	Norm   norm.Norm `json:"norm"`   // its dimension is that of the embedding
	// Skip adds a linear map of the pooled states to the embedding, so that counts of labels
	// and neighbourhoods reach the norm without passing a ReLU.
	Skip bool `json:"skip,omitempty"`
	// Features adds embeddings of a node's degree and of the cycles through it ([nn.Feature])
	// to its initial state. The paper does not have them.
	Features bool `json:"features,omitempty"`
	// Counts are counts of a whole graph ([nn.Tally]). They are concatenated to the pooled
	// states, or replace them if Layers is 0.
	Counts []nn.Tally `json:"counts,omitempty"`
	// Direct is the number of coordinates, at the end of the embedding, that are sums of
	// Counts with non-negative weights. Each is at least as large for a graph as for any of
	// its subgraphs, so that under a hinge subgraphs are at distance 0.
	Direct int `json:"direct,omitempty"`
	// Apart aggregates the in- and out-edges of directed graphs separately. Without it, only
	// GINE sees directions, through its edge table.
	Apart bool `json:"apart,omitempty"`
}

// UnmarshalJSON implements [json.Unmarshaler]. Members that it does not know are an error that
// wraps [ErrVersion], because the numbers mean something else with them: those of the paper's
// ablations, which greed had once.
func (c *Config) UnmarshalJSON(text []byte) error {
	type plain Config
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode((*plain)(c)); err != nil {
		return fmt.Errorf("%w: %w", ErrVersion, err)
	}
	return nil
}

// maxWidth and maxLayers limit what a model file may request.
const (
	maxWidth  = 4096
	maxLayers = 64
)

// Check returns an error unless the configuration can be built.
func (c Config) Check() error {
	if c.Conv != GIN && c.Conv != GINE {
		return fmt.Errorf("model: unknown convolution %q, want gin or gine", c.Conv)
	}
	if c.Layers < 0 || c.Layers > maxLayers {
		return fmt.Errorf("model: %d layers, want 0 to %d", c.Layers, maxLayers)
	}
	if c.Direct < 0 || c.Direct > c.Norm.Dim() || c.Direct%kernel.Lane != 0 || c.Direct > 0 && len(c.Counts) == 0 {
		return fmt.Errorf("model: %d direct coordinates for %d tallies, want a multiple of %d up to %d", c.Direct,
			len(c.Counts), kernel.Lane, c.Norm.Dim())
	}
	if err := c.Norm.Check(); err != nil {
		return fmt.Errorf("model: %w", err)
	}
	for _, width := range []int{c.Hidden, c.Norm.Dim()} {
		if width < 1 || width > maxWidth || width%kernel.Lane != 0 {
			return fmt.Errorf("model: width %d, want a multiple of %d up to %d", width, kernel.Lane, maxWidth)
		}
	}
	return nil
}

// States reports whether the encoder computes node states. Without message passing they would
// be sums of labels, which the counts already have, up to their caps.
func (c Config) States() bool { return c.Layers > 0 || len(c.Counts) == 0 }

// Encoder describes for people what embeddings are computed from.
func (c Config) Encoder() string {
	n := 0
	for _, t := range c.Counts {
		n += len(t.Caps)
	}
	switch {
	case n == 0:
		return string(c.Conv)
	case c.Layers == 0:
		return fmt.Sprintf("%d counts", n)
	}
	return fmt.Sprintf("%s and %d counts", c.Conv, n)
}
