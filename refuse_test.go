package greed_test

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/greedgraph/greed"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// TestOptionsThatMeanNothing: what no search can do is refused, with and without a
// model, and so are distances.
func TestOptionsThatMeanNothing(t *testing.T) {
	ctx, c := context.Background(), bundled(t)
	q := parse(t, c, "CCO")
	for want, opt := range map[string]greed.Options{
		"there is no task 9":             {Task: 9},
		"the memory is -1 bytes":         {Memory: -1},
		"1 names of the query's 3 nodes": {Names: []string{"a"}, Explain: true},
		"filter 0 is empty":              {Filters: []greed.Filter{{}}},
		"filter 1 is empty":              {Filters: []greed.Filter{filter(t, "id exists"), {Attribute: "id"}}},
	} {
		for _, opt.NoModel = range []bool{false, true} {
			if found, err := c.Search(ctx, q, opt); found != nil || err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%+v: %v, error %v, want %q", opt, found, err, want)
			}
		}
	}
	for want, opt := range map[string]greed.DistanceOptions{"the memory is -1 bytes": {Memory: -1}, "the time is -1ns": {Time: -1}} {
		if _, err := greed.Distance(ctx, greed.GED, q, q, opt); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want %q", opt, err, want)
		}
	}
	if err := c.AttachBundledLazily(edit.MCS); err == nil {
		t.Error("a model for mcs is attached")
	}
	if _, err := c.Embed(ctx, 9, q); !errors.Is(err, greed.ErrNoModel) || !strings.Contains(err.Error(), "Task(9)") {
		t.Errorf("vector of task 9: error %v", err)
	}
	if _, err := greed.Distance(ctx, 9, q, q, greed.DistanceOptions{}); err == nil || !strings.Contains(err.Error(), "there is no task 9") {
		t.Errorf("distance of task 9: error %v", err)
	}
}

func filter(t *testing.T, text string) greed.Filter {
	t.Helper()
	f, err := greed.ParseFilter(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestRecordBeyond: to ask for a record that cannot be is a bug, which says so.
func TestRecordBeyond(t *testing.T) {
	c := greed.New()
	if _, err := c.Put(t.Context(), greed.Record{ID: "a", Graph: labelled(t, graph.NewVocabulary(), "C")}); err != nil {
		t.Fatal(err)
	}
	for i, want := range map[int]string{-1: "search: there is no position -1 in a collection of 1", 1: "search: there is no position 1 in a collection of 1"} {
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("%v, want %q", got, want)
				}
			}()
			c.Record(i)
		}()
	}
}

// TestVectorsThatMeanNothing: of vectors, too; an empty index has none to be like.
func TestVectorsThatMeanNothing(t *testing.T) {
	ctx, c, dir, nan := t.Context(), greed.New(), filepath.Join(t.TempDir(), "x.index"), math.NaN()
	if err := errors.Join(c.AttachBundled(ctx), c.Save(dir)); err != nil {
		t.Fatal(err)
	}
	for want, opt := range map[string]greed.VectorOptions{
		`graph "x": not found`: {Like: []string{"x"}},
		"k is -1":              {K: -1},
		"the radius NaN":       {K: 5, Radius: &nan},
	} {
		opt.Embedding = "ged"
		_, inMemory := c.Nearest(ctx, opt)
		_, onDisk := greed.NearestInIndex(ctx, dir, opt)
		for _, err := range []error{inMemory, onDisk} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%+v: error %v, want %q", opt, err, want)
			}
		}
	}
}
