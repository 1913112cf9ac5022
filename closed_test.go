package greed_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/greedgraph/greed"
)

// TestClosed: of a closed collection, what returns an error returns one, and nothing panics.
func TestClosed(t *testing.T) {
	ctx, dir := t.Context(), filepath.Join(t.TempDir(), "index")
	memory := greed.New()
	q := parse(t, memory, "CCO")
	record := greed.Record{ID: "q", Graph: q}
	if _, err := memory.Put(ctx, record); err != nil {
		t.Fatal(err)
	}
	if err := memory.Save(dir); err != nil {
		t.Fatal(err)
	}
	index, err := greed.Open(ctx, greed.Source{Path: dir})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []*greed.Collection{memory, index} {
		for range 2 {
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		}
		if n, _ := c.Get("q"); c.Len() != 0 || len(c.Models()) != 0 || c.Molecules() || n.Graph != nil {
			t.Error("a closed collection has graphs")
		}
		if _, err := c.ParseSMILES("CCO"); err != nil {
			t.Error(err)
		}
		c.State()
		for range c.All() {
			t.Error("a closed collection has a record")
		}
		for name, do := range map[string]func() error{
			"Search":          func() error { _, err := c.Search(ctx, q, greed.Options{}); return err },
			"Join":            func() error { _, err := c.Join(ctx, greed.JoinOptions{}); return err },
			"Cliffs":          func() error { _, err := c.Cliffs(ctx, greed.CliffOptions{}); return err },
			"Parts":           func() error { _, err := c.Parts(ctx, q, greed.PartsOptions{}); return err },
			"Nearest":         func() error { _, err := c.Nearest(ctx, greed.VectorOptions{}); return err },
			"Attributes":      func() error { _, _, err := c.Attributes(ctx, 1); return err },
			"AttributeValues": func() error { _, _, err := c.AttributeValues(ctx, "a", 1); return err },
			"CheckFilters":    func() error { return c.CheckFilters(nil) },
			"Apply":           func() error { _, err := c.Apply(ctx, greed.Change{}); return err },
			"Put":             func() error { _, err := c.Put(ctx, record); return err },
			"Delete":          func() error { _, err := c.Delete(ctx, "q"); return err },
			"Refresh":         func() error { _, err := c.Refresh(ctx); return err },
			"Save":            func() error { return c.Save(filepath.Join(t.TempDir(), "other")) },
			"AttachBundled":   func() error { return c.AttachBundled(ctx, greed.GED) },
			"Embed":           func() error { _, err := c.Embed(ctx, greed.GED, q); return err },
			"Sample":          func() error { _, _, _, err := c.Sample(ctx, greed.GED, 1); return err },
			"After": func() error {
				for _, err := range c.After("") {
					return err
				}
				return nil
			},
		} {
			if err := do(); err == nil || !strings.Contains(err.Error(), "the collection was closed") {
				t.Errorf("%s: error %v", name, err)
			}
		}
	}
}

// TestUnusableRadius: a radius that JSON cannot have, or that is no distance, is refused everywhere.
func TestUnusableRadius(t *testing.T) {
	c := collect(t, weighed(t, 3))
	q := parse(t, c, "CCO")
	for _, radius := range []float64{math.Inf(1), math.NaN(), -1} {
		_, search := c.Search(t.Context(), q, greed.Options{Radius: &radius})
		_, join := c.Join(t.Context(), greed.JoinOptions{Near: greed.Near{Radius: radius}})
		_, cliffs := c.Cliffs(t.Context(), greed.CliffOptions{Near: greed.Near{Radius: radius}})
		_, nearest := c.Nearest(t.Context(), greed.VectorOptions{Radius: &radius})
		for _, err := range []error{search, join, cliffs, nearest} {
			if err == nil || !strings.Contains(err.Error(), "radius") {
				t.Errorf("radius %v: error %v", radius, err)
			}
		}
	}
}
