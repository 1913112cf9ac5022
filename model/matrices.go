package model

import (
	"strings"

	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/nn"
)

// Matrices returns the weights of the hidden linear maps whose dimensions are multiples of a
// register and which may be negative.
func (m *Model) Matrices() []*nn.Param {
	var list []*nn.Param
	for _, p := range m.params.All() {
		if strings.HasSuffix(p.Name, ".weight") && !p.Grows && !isTable(p) && p.Rows%kernel.Lane == 0 &&
			p.Cols%kernel.Lane == 0 {
			list = append(list, p)
		}
	}
	return list
}
