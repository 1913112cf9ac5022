// Package model implements the paper's siamese encoder with a norm as its head. It maps a
// graph to a vector, and predicts the edit distance of two graphs from their vectors. A
// configuration selects the paper's ablations: other kinds of message passing and pooling,
// two encoders, or an MLP in place of the norm.
package model

import (
	"errors"
	"fmt"
	"slices"

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
	GCN  Conv = "gcn"  // Kipf and Welling, 2017
	SAGE Conv = "sage" // GraphSAGE with means; Hamilton et al., 2017
	GAT  Conv = "gat"  // one attention head; Veličković et al., 2018
)

// Pool is how the states of a graph's nodes become one vector.
type Pool string

// The pools. The paper uses the sum. Attention is a mean weighted by the softmax of a linear
// function of the states (Li et al., 2016).
const (
	SumPool       Pool = ""
	MeanPool      Pool = "mean"
	MaxPool       Pool = "max"
	AttentionPool Pool = "attention"
)

// Head is what turns two embeddings into a distance.
type Head string

// The heads. With an MLP (GREED-NN) the prediction is not a metric, so its vectors cannot be
// searched or indexed.
const (
	NormHead Head = ""
	MLPHead  Head = "mlp"
)

// Config is the architecture of an encoder and its head.
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
	Direct int  `json:"direct,omitempty"`
	Pool   Pool `json:"pool,omitempty"`
	// NoPre omits the pre-MLP: the first round sees one-hot labels.
	NoPre bool `json:"no_pre,omitempty"`
	// Apart aggregates the in- and out-edges of directed graphs separately. Without it, only
	// GINE sees directions, through its edge table.
	Apart bool `json:"apart,omitempty"`
	// Dual gives queries and targets separate encoders (GREED-Dual).
	Dual bool `json:"dual,omitempty"`
	Head Head `json:"head,omitempty"`
}

// maxWidth and maxLayers limit what a model file may request.
const (
	maxWidth  = 4096
	maxLayers = 64
)

// Check returns an error unless the configuration can be built.
func (c Config) Check() error {
	if !slices.Contains([]Conv{GIN, GINE, GCN, SAGE, GAT}, c.Conv) {
		return fmt.Errorf("model: unknown convolution %q, want gin, gine, gcn, sage or gat", c.Conv)
	}
	if !slices.Contains([]Pool{SumPool, MeanPool, MaxPool, AttentionPool}, c.Pool) {
		return fmt.Errorf("model: unknown pool %q, want sum, mean, max or attention", c.Pool)
	}
	if c.Head != NormHead && c.Head != MLPHead {
		return fmt.Errorf("model: unknown head %q, want norm or mlp", c.Head)
	}
	if c.Layers < 0 || c.Layers > maxLayers {
		return fmt.Errorf("model: %d layers, want 0 to %d", c.Layers, maxLayers)
	}
	if c.Direct < 0 || c.Direct > c.Norm.Dim() || c.Direct%kernel.Lane != 0 || c.Direct > 0 && len(c.Counts) == 0 {
		return fmt.Errorf("model: %d direct coordinates for %d tallies, want a multiple of %d up to %d", c.Direct, len(c.Counts), kernel.Lane, c.Norm.Dim())
	}
	if c.Features && c.NoPre {
		return errors.New("model: features need the pre-MLP, which is omitted")
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

// inputs returns the width of the states before the first round.
func (c Config) inputs(nodeRows int) int {
	if c.NoPre {
		return kernel.Pad(nodeRows)
	}
	return c.Hidden
}
