// Package model is the siamese encoder of the paper with a norm on top. It turns graphs into
// vectors, one at a time, and predicts the edit distance of two graphs from their vectors
// alone. A configuration selects the paper's ablations: other message passing and pooling,
// two encoders, an MLP in place of the norm.
package model

import (
	"errors"
	"fmt"
	"slices"

	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/nn"
	"github.com/greedgraph/greed/norm"
)

// Conv names the message passing of the encoder's rounds.
type Conv string

// The convolutions. GINE alone sees edge labels.
const (
	GIN  Conv = "gin"  // Xu et al., 2019
	GINE Conv = "gine" // Hu et al., 2020
	GCN  Conv = "gcn"  // Kipf and Welling, 2017
	SAGE Conv = "sage" // GraphSAGE with means; Hamilton et al., 2017
	GAT  Conv = "gat"  // one attention head; Veličković et al., 2018
)

// Pool names how the states of a graph's nodes become one.
type Pool string

// The pools, of which the sum is the paper's. Attention is a mean, weighted
// with the softmax of a linear function of the states (Li et al., 2016).
const (
	SumPool       Pool = ""
	MeanPool      Pool = "mean"
	MaxPool       Pool = "max"
	AttentionPool Pool = "attention"
)

// Head names what makes a distance of two embeddings.
type Head string

// The heads. With an MLP (GREED-NN) the prediction is not a metric, and vectors
// cannot be searched or indexed by a norm.
const (
	NormHead Head = ""
	MLPHead  Head = "mlp"
)

// Config is the shape of an encoder and its distance.
type Config struct {
	Conv   Conv      `json:"conv"`
	Layers int       `json:"layers"` // k of the paper
	Hidden int       `json:"hidden"` // width of node states and of the readout's hidden layer
	Norm   norm.Norm `json:"norm"`   // its dimension is that of the embedding
	// Skip adds to the embedding a linear map of the pooled states: counts of
	// labels and of neighbourhoods reach the norm without passing a ReLU.
	Skip bool `json:"skip,omitempty"`
	// Features adds to the state of a node before the first round embeddings of
	// its degree and of the cycles through it ([nn.Feature]), which the paper does
	// not have.
	Features bool `json:"features,omitempty"`
	// Counts are of a whole graph, and stand beside the pooled states ([nn.Tally]), or
	// alone if Layers is 0.
	Counts []nn.Tally `json:"counts,omitempty"`
	// Direct is the number of coordinates, the last of the embedding, that are sums of
	// Counts with weights that are not negative. None is less for a graph than for its
	// subgraphs, so that under a hinge these are at distance 0.
	Direct int  `json:"direct,omitempty"`
	Pool   Pool `json:"pool,omitempty"`
	// NoPre leaves out the pre-MLP: the first round sees one-hot labels.
	NoPre bool `json:"no_pre,omitempty"`
	// Apart aggregates in- and out-edges of directed graphs apart. Without it
	// GINE sees directions by its edge table, and others do not.
	Apart bool `json:"apart,omitempty"`
	// Dual gives queries and targets an encoder each (GREED-Dual).
	Dual bool `json:"dual,omitempty"`
	Head Head `json:"head,omitempty"`
}

// maxWidth and maxLayers bound what a model file may ask for.
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
		return errors.New("model: features are part of the pre-MLP, which is left out")
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

// States reports whether nodes have states. Without rounds of message passing they would
// be sums of labels, which counts have, too, but capped.
func (c Config) States() bool { return c.Layers > 0 || len(c.Counts) == 0 }

// Encoder names what embeddings are made of, for people.
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
