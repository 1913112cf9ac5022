package certificate_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/greedgraph/greed/certificate"
	"github.com/greedgraph/greed/certificate/verify"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
)

// TestEndsWithItsContext: thousands of parallel edges take the checker minutes; both it and the prover end with their
// context.
func TestEndsWithItsContext(t *testing.T) {
	vocab := graph.NewVocabulary()
	bundle := func(n int, label string) *graph.Graph {
		b := graph.NewBuilder(vocab, false)
		b.AddNode("a")
		b.AddNode("b")
		for range n {
			if err := b.AddEdge(0, 1, label); err != nil {
				t.Fatal(err)
			}
		}
		return b.MustBuild()
	}
	const edges = 2000
	claims := []certificate.Claim{{ID: "a", QueryID: "q", Query: bundle(edges, "x"), Target: bundle(edges, "y"), Lower: 1, Map: edit.NodeMap{0, 1}}}
	const limit = 50 * time.Millisecond
	late := gedtest.Late(t, limit, 2*time.Second, func() {
		ctx, stop := context.WithTimeout(t.Context(), limit)
		defer stop()
		var text bytes.Buffer
		if err := certificate.Write(ctx, &text, edit.GED, edit.Uniform(), claims, nil, 1); !errors.Is(err, certificate.ErrOpen) {
			t.Errorf("writing ends with %v", err)
		}
	})
	t.Log("writing is late by", late)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	var nothing bytes.Buffer
	if err := certificate.Write(over, &nothing, edit.GED, edit.Uniform(), claims, nil, 1); !errors.Is(err, certificate.ErrOpen) || nothing.Len() > 0 {
		t.Errorf("of a context that is over %d bytes are written: %v", nothing.Len(), err)
	}
	few := claims
	few[0].Query, few[0].Target = bundle(2, "x"), bundle(2, "y")
	var text bytes.Buffer
	if err := certificate.Write(t.Context(), &text, edit.GED, edit.Uniform(), few, nil, 1); err != nil {
		t.Fatal(err)
	}
	many := strings.ReplaceAll(text.String(), `"edges":[[0,1,0],[0,1,0]]`, `"edges":[`+strings.TrimSuffix(strings.Repeat("[0,1,0],", edges), ",")+`]`)
	many = strings.ReplaceAll(many, `"edges":[[0,1,1],[0,1,1]]`, `"edges":[`+strings.TrimSuffix(strings.Repeat("[0,1,1],", edges), ",")+`]`)
	late = gedtest.Late(t, limit, 2*time.Second, func() {
		ctx, stop := context.WithTimeout(t.Context(), limit)
		defer stop()
		if _, _, err := certificate.Read(ctx, strings.NewReader(many)); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, verify.ErrRefused) {
			t.Errorf("reading ends with %v", err)
		}
	})
	t.Log("reading is late by", late)
}
