// Package model is the siamese encoder of the paper with a norm on top: it
// turns graphs into vectors, one at a time, and predicts the edit distance of
// two graphs from their vectors alone.
package model

import (
	"fmt"

	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/norm"
)

// Conv names the message passing of the encoder's layers.
type Conv string

// The convolutions: GIN sees node labels only, GINE edge labels too.
const (
	GIN  Conv = "gin"
	GINE Conv = "gine"
)

// Config is the shape of an encoder and its distance.
type Config struct {
	Conv   Conv      `json:"conv"`
	Layers int       `json:"layers"` // k of the paper
	Hidden int       `json:"hidden"` // width of node states
	Norm   norm.Norm `json:"norm"`   // its dimension is that of the embedding
	// Skip adds to the embedding a linear map of the pooled states: counts of
	// labels and of neighbourhoods reach the norm without passing a ReLU.
	Skip bool `json:"skip,omitempty"`
}

// maxWidth and maxLayers bound what a model file may ask for.
const (
	maxWidth  = 4096
	maxLayers = 64
)

// Check returns an error unless the configuration can be built.
func (c Config) Check() error {
	if c.Conv != GIN && c.Conv != GINE {
		return fmt.Errorf("model: unknown convolution %q, want gin or gine", c.Conv)
	}
	if c.Layers < 1 || c.Layers > maxLayers {
		return fmt.Errorf("model: %d layers, want 1 to %d", c.Layers, maxLayers)
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
