package within

import "github.com/greedgraph/greed/internal/kernel"

// Use takes the kernels of a level.
func (d *Decider) Use(level kernel.Level) { d.ops = kernel.At(level) }
