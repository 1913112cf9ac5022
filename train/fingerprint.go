package train

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"
)

// Fingerprint identifies the training data: the graphs with their label texts
// and numbering, and the bounds of all pairs.
func (d Data) Fingerprint() string {
	h := sha256.New()
	w := bufio.NewWriter(h)
	for _, g := range d.Graphs {
		writeInts(w, g.N(), g.M())
		for v := range g.N() {
			writeText(w, g.LabelText(v))
		}
		for e := range g.Edges() {
			writeInts(w, e.From, e.To)
			writeText(w, g.Vocabulary().EdgeText(e.Label))
		}
	}
	for _, set := range [][]Block{d.Train, d.Valid} {
		writeInts(w, len(set))
		for _, b := range set {
			for _, part := range []any{b.Queries, b.Targets, b.Lower, b.Upper} {
				writeInts(w, binary.Size(part))
				binary.Write(w, binary.LittleEndian, part)
			}
		}
	}
	w.Flush()
	return hex.EncodeToString(h.Sum(nil)[:16])
}

func writeInts(w io.Writer, values ...int) {
	for _, x := range values {
		var buf [8]byte
		binary.LittleEndian.PutUint64(buf[:], uint64(x))
		w.Write(buf[:])
	}
}

func writeText(w io.Writer, s string) {
	writeInts(w, len(s))
	io.WriteString(w, s)
}
