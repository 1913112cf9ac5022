package bound

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/greedgraph/greed/lab/testing/gedtest"
)

// TestSignatures: together in one piece of memory, signatures are those of each
// graph, also after they were saved.
func TestSignatures(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 0))
	var all Signatures
	var want []Signature
	for range 50 {
		x := gedtest.RandomInstance(r, 8)
		all.Append(x.Q)
		all.Append(x.T)
		want = append(want, Sign(x.Q), Sign(x.T))
	}
	words, starts := all.Words()
	opened := SignaturesOf(slices.Clone(words), slices.Clone(starts), nil)
	if opened == nil || opened.Len() != len(want) {
		t.Fatalf("%v signatures, want %d", opened, len(want))
	}
	for i := range want {
		if !reflect.DeepEqual(opened.At(i), want[i]) {
			t.Errorf("%d: %v, want %v", i, opened.At(i), want[i])
		}
	}
}

// TestSignaturesOfDamaged: no word may lead out of its signature.
func TestSignaturesOfDamaged(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 0))
	var all Signatures
	for range 20 {
		all.Append(gedtest.RandomInstance(r, 8).Q)
	}
	words, starts := all.Words()
	refused := 0
	for range 5000 {
		w, s := slices.Clone(words), slices.Clone(starts)
		w[r.IntN(len(w))] = int32(r.IntN(200) - 100)
		if r.IntN(2) == 0 {
			s[r.IntN(len(s))] += int64(r.IntN(7) - 3)
		}
		damaged := SignaturesOf(w, s, nil)
		if damaged == nil {
			refused++
			continue
		}
		for i := range damaged.Len() {
			damaged.At(i)
		}
		damaged.Labels()
	}
	if refused == 0 || SignaturesOf(words[1:], starts, nil) != nil || SignaturesOf(words, nil, nil) != nil {
		t.Error("damaged signatures were taken")
	}
}
