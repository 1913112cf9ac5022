package greed_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
)

// TestCalibrateAnIndex: an index keeps the calibration of its model, searches use it at once and when the index is
// opened again, graphs that are put then do no harm, and compacting keeps it.
func TestCalibrateAnIndex(t *testing.T) {
	vocab := graph.NewVocabulary()
	records, err := bundle.Records(vocab)
	if err != nil {
		t.Fatal(err)
	}
	records = records[:900]
	memory, err := greed.Open(t.Context(), greed.Source{Records: records, Options: dataset.Options{Vocabulary: vocab}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := bundle.Model(greed.GED)
	if err != nil {
		t.Fatal(err)
	}
	if err := memory.AttachModel(t.Context(), m.Calibrated(nil)); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "index")
	if err := memory.Save(dir); err != nil {
		t.Fatal(err)
	}
	var queries []*greed.Graph
	for _, r := range records[:200] {
		queries = append(queries, r.Graph)
	}
	state := memory.State() // which a calibration changes in memory, too
	if _, err := memory.Calibrate(t.Context(), greed.CalibrateOptions{Queries: queries[:20], Radius: 1}); err != nil || memory.State() == state {
		t.Errorf("calibrated in memory, in the state %s, was %s: %v", memory.State(), state, err)
	}
	radius := 4.0
	opt := greed.Options{Radius: &radius, Mode: greed.Predicted, Recall: .9}
	find := func(c *greed.Collection) []string {
		t.Helper()
		q, err := c.ParseSMILES("CC(=O)Nc1ccccc1")
		if err != nil {
			t.Fatal(err)
		}
		f, err := c.Search(t.Context(), q, opt)
		if err != nil {
			t.Fatal(err)
		}
		if f.Recall == nil || f.Recall.Queries != 200 || f.Recall.Of != "some" || !strings.Contains(f.Verdict, "90 % or more") || f.Certified {
			t.Fatalf("%+v: %s", f.Recall, f.Verdict)
		}
		var ids []string
		for _, a := range f.Answers {
			ids = append(ids, a.ID)
		}
		return ids
	}
	c, err := greed.Open(t.Context(), greed.Source{Path: dir})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Search(t.Context(), queries[0], opt); !errors.Is(err, greed.ErrCalibration) {
		t.Errorf("before the calibration: %v", err)
	}
	done, err := c.Calibrate(t.Context(), greed.CalibrateOptions{Of: "some", Queries: queries, Radius: 5})
	if err != nil || done.Late > 0 || done.Unsure {
		t.Fatalf("%+v, %v", done, err)
	}
	if _, err := c.Calibrate(t.Context(), greed.CalibrateOptions{Task: greed.SED, Queries: queries, Radius: 5}); !errors.Is(err, greed.ErrNoModel) {
		t.Errorf("without a model: %v", err)
	}
	want := find(c)
	if len(want) == 0 || done.Model.Fingerprint() != m.Fingerprint() {
		t.Errorf("%d answers; the fingerprint is %s, was %s", len(want), done.Model.Fingerprint(), m.Fingerprint())
	}
	extra := records[0]
	extra.ID = "extra"
	if _, err := c.Put(t.Context(), extra); err != nil {
		t.Fatal(err)
	}
	find(c)
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := greed.Open(t.Context(), greed.Source{Path: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if got := find(again); !slices.Equal(slices.DeleteFunc(got, func(id string) bool { return id == "extra" }), want) {
		t.Errorf("opened again it finds %v, before %v", got, want)
	}
}
