package part_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
	"github.com/greedgraph/greed/part"
	"github.com/greedgraph/greed/search"
	"github.com/greedgraph/greed/search/join"
	"github.com/greedgraph/greed/truth"
)

// TestStoppedPartsResume stops every part of a join again and again, leaves what a kill
// leaves, and compares the union with one run.
func TestStoppedPartsResume(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	vocab := graph.NewVocabulary()
	var list []dataset.Record
	var ids []string
	for i := range 70 {
		ids = append(ids, fmt.Sprint("g", i))
		list = append(list, dataset.Record{ID: ids[i], Graph: gedtest.Graph(rng, vocab, gedtest.Shape{MaxNodes: 5, Density: 0.4, NodeLabels: 2, EdgeLabels: 2})})
	}
	job := join.Job{Queries: search.NewCollection(vocab, list), Radius: 2, Costs: edit.Uniform()}
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole.csv")
	if _, err := job.RunFile(t.Context(), whole); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	stops := 0
	for i := range 3 {
		h := part.Header{Job: part.Join, Share: part.Share{Part: i + 1, Of: 3}, Units: len(list), Inputs: part.InputsOf(slices.Values(list)), Settings: []byte("{}")}
		job.Only = h.Share.Units(len(list))
		path := filepath.Join(dir, fmt.Sprint(i, ".part"))
		files = append(files, path)
		for {
			ctx, stop := context.WithCancel(t.Context())
			job.Progress = func(p join.Progress) {
				if p.Done%9 == 0 {
					stop()
				}
			}
			inputs, read := part.NewInputs(), 0
			job.Read = func() { read++ }
			job.Inputs = inputs
			_, err := job.RunTo(ctx, path, func(rows truth.Rows, w io.Writer) error {
				return h.WritePairs(w, rows, func(query int) int { return query })
			})
			stop()
			if inputs.Sum() != h.Inputs || inputs.Len() != len(list) || read != len(list) {
				t.Fatalf("the job was given inputs %s of %d graphs, want %s", inputs.Sum(), inputs.Len(), h.Inputs)
			}
			if err == nil {
				break
			}
			if stops++; !errors.Is(err, context.Canceled) || stops > 60 {
				t.Fatal(err)
			}
			f, err := os.OpenFile(path+".journal", os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.Write([]byte{9, 0, 0, 0, 1}); err != nil || f.Close() != nil {
				t.Fatal(err)
			}
		}
	}
	if stops < 5 {
		t.Errorf("stopped %d times only", stops)
	}
	got, err := csv(files)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal([]byte(got), want) {
		t.Errorf("the union of the parts is another file:\n%s\nwant\n%s", got, want)
	}
}
