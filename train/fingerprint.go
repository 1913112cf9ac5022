package train

import (
	"encoding/binary"
	"encoding/hex"

	"github.com/greedgraph/greed/truth"
)

// Fingerprint identifies the training data: the graphs with their labels and numbering, and
// the bounds of all pairs.
func (d Data) Fingerprint() string {
	h := truth.NewHash()
	for _, g := range d.Graphs {
		h.Number(g.N())
		h.Number(g.M())
		for v := range g.N() {
			h.Text(g.LabelText(v))
		}
		for e := range g.Edges() {
			h.Number(e.From)
			h.Number(e.To)
			h.Text(g.Vocabulary().EdgeText(e.Label))
		}
	}
	for _, set := range [][]Block{d.Train, d.Valid} {
		h.Number(len(set))
		for _, b := range set {
			for _, part := range []any{b.Queries, b.Targets, b.Lower, b.Upper} {
				h.Number(binary.Size(part))
				binary.Write(h, binary.LittleEndian, part)
			}
		}
	}
	sum := h.Sum()
	return hex.EncodeToString(sum[:16])
}
