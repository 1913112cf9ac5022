package vectorindex_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/lab/testing/indextest"
	"github.com/greedgraph/greed/norm"
	"github.com/greedgraph/greed/vectorindex"
)

// saved returns a tree and its bytes.
func saved(t testing.TB, n norm.Norm, vectors []float32) (*vectorindex.BoxTree, []byte) {
	tree, err := vectorindex.NewBoxTree(n, vectors)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	size, err := tree.WriteTo(&b)
	if err != nil || size != int64(b.Len()) {
		t.Fatalf("%d of %d bytes: %v", size, b.Len(), err)
	}
	return tree, b.Bytes()
}

// TestSavedBoxTree: a tree that was saved passes for one that was built.
func TestSavedBoxTree(t *testing.T) {
	indextest.Quick(t, func(n norm.Norm, vectors []float32) (vectorindex.Index, error) {
		built, err := vectorindex.NewBoxTree(n, vectors)
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		if _, err := built.WriteTo(&b); err != nil {
			return nil, err
		}
		return vectorindex.OpenBoxTree(n, vectors, b.Bytes())
	})
}

// FuzzOpenBoxTree: data that are not a tree's are refused, or found out by
// Check, or answered from without a panic.
func FuzzOpenBoxTree(f *testing.F) {
	n := norm.Single(norm.L1, 16, true)
	rng := rand.New(rand.NewPCG(1, 2))
	vectors := make([]float32, 200*16)
	for i := range vectors {
		vectors[i] = float32(rng.NormFloat64())
	}
	_, data := saved(f, n, vectors)
	f.Add(data)
	f.Add(data[:len(data)-64])
	f.Add(append(bytes.Clone(data), make([]byte, 64)...))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		tree, err := vectorindex.OpenBoxTree(n, vectors, b)
		if err != nil {
			if !errors.Is(err, vectorindex.ErrTree) {
				t.Fatal(err)
			}
			return
		}
		if len(b) != len(data) {
			t.Fatalf("%d bytes taken for a tree of %d", len(b), len(data))
		}
		_ = tree.Check()
		if _, err := tree.KNN(t.Context(), []vectorindex.Query{{Vector: vectors[:16]}}, 3); err != nil {
			t.Fatal(err)
		}
	})
}
