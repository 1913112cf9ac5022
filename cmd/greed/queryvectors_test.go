package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	greed "github.com/greedgraph/greed"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/greedgraph/greed/embedding"
	"github.com/greedgraph/greed/operation"
)

// TestVectorsAnswerAsNorm compares query --vector and --like, on an index with
// empty places, with distances computed one by one.
func TestVectorsAnswerAsNorm(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and one query at a time")
	}
	const n, dim, queries = 60, 5, 4
	for _, form := range []string{"l1", "l2", "hinge-l1", "hinge-l2"} {
		t.Run(form, func(t *testing.T) {
			random := rand.New(rand.NewPCG(6, 1))
			dir := t.TempDir()
			rows := make([]float32, n*dim)
			for i := range rows {
				rows[i] = float32(random.IntN(5)) // small integers make ties
			}
			var ids []string
			for i := range n {
				ids = append(ids, fmt.Sprintf("g%d", i))
			}
			at := func(name string) string { return filepath.Join(dir, name) }
			writeNPY(t, at("z.npy"), rows, dim)
			writeNPY(t, at("q.npy"), rows[:queries*dim], dim)
			if err := os.WriteFile(at("ids"), []byte(strings.Join(ids, "\n")+"\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			build := indexBuild{Out: at("z.index"), Vectors: at("z.npy"), IDs: at("ids"), Norm: form}
			printed(t, build.Run)
			gone := []string{"g1", "g17", "g59"}
			printed(t, (&indexDelete{Index: build.Out, IDs: gone}).Run)

			distance, err := foreignNorm(form, dim)
			if err != nil {
				t.Fatal(err)
			}
			want := make([][]greed.NearVector, queries)
			for q := range want {
				for i, id := range ids {
					if !slices.Contains(gone, id) {
						d := distance.Distance(rows[q*dim:(q+1)*dim], rows[i*dim:(i+1)*dim])
						want[q] = append(want[q], greed.NearVector{ID: id, Distance: d})
					}
				}
				slices.SortStableFunc(want[q], func(a, b greed.NearVector) int { return cmp.Compare(a.Distance, b.Distance) })
			}
			ask := func(c searchCommand) []greed.NearVectors {
				t.Helper()
				c.Query = build.Out
				if c.K == nil && c.Radius == nil {
					c.K = new(7)
				}
				return answersOf(t, printed(t, c.Run))
			}
			radius := want[0][9].Distance
			byRow, wide := ask(searchCommand{searchFlags: searchFlags{Vector: at("q.npy")}}), searchCommand{searchFlags: searchFlags{Vector: at("q.npy")}}
			wide.Radius = &radius
			within := ask(wide)
			if len(byRow) != queries || len(within) != queries {
				t.Fatalf("%d and %d answers to %d rows", len(byRow), len(within), queries)
			}
			for q := range want {
				if got := byRow[q].Answers; !slices.Equal(got, want[q][:7]) {
					t.Errorf("row %d: %v, want %v", q, got, want[q][:7])
				}
				end := slices.IndexFunc(want[q], func(a greed.NearVector) bool { return a.Distance > radius })
				if got := within[q].Answers; !slices.Equal(got, want[q][:end]) {
					t.Errorf("row %d within %v: %v, want %v", q, radius, got, want[q][:end])
				}
			}
			wide.K = new(3)
			for q, a := range ask(wide) {
				end := slices.IndexFunc(want[q], func(a greed.NearVector) bool { return a.Distance > radius })
				if got := a.Answers; !slices.Equal(got, want[q][:min(3, end)]) {
					t.Errorf("row %d, 3 within %v: %v, want %v", q, radius, got, want[q][:min(3, end)])
				}
			}
			like := searchCommand{searchFlags: searchFlags{Compared: operation.Compared{Like: []string{"g3", "g0"}}}}
			like.Filter = []string{"id in g0,g2,g17,g40"}
			found := ask(like)
			if len(found) != 2 || found[0].Query != "g3" || found[1].Query != "g0" || found[0].Graphs != n-len(gone) {
				t.Fatalf("--like: %+v", found)
			}
			for i, q := range []int{3, 0} {
				fit := slices.DeleteFunc(want[q], func(a greed.NearVector) bool { return !slices.Contains([]string{"g0", "g2", "g40"}, a.ID) })
				if !slices.Equal(found[i].Answers, fit) {
					t.Errorf("--like g%d: %v, want %v", q, found[i].Answers, fit)
				}
			}
		})
	}
}

func TestVectorsThatDoNotFit(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	writeNPY(t, at("z.npy"), []float32{1, 2, 3, 4, 5, 6}, 3)
	if err := os.WriteFile(at("ids"), []byte("a\nb\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	build := indexBuild{Out: at("z.index"), Vectors: at("z.npy"), IDs: at("ids"), Norm: "l2"}
	printed(t, build.Run)
	for _, test := range []struct {
		rows []float32
		dim  int
		want string
	}{
		{[]float32{1, 2, 3, 4}, 2, "q.npy: " + build.Out + ": vectors cannot be compared: vector 0 has 2 coordinates, those of the embedding have 3"},
		{[]float32{1, 2, 3, 4, 5, float32(math.Inf(1))}, 3, "q.npy: " + build.Out + ": vectors cannot be compared: vector 1: coordinate 2 is +Inf: want a finite float32"},
	} {
		writeNPY(t, at("q.npy"), test.rows, test.dim)
		var b bytes.Buffer
		s := &session{ctx: t.Context(), out: newOutput(&b), workers: 1}
		err := (&searchCommand{Query: build.Out, searchFlags: searchFlags{Vector: at("q.npy")}}).Run(s)
		if closed := s.out.Close(); closed != nil {
			t.Fatal(closed)
		}
		if err == nil || !strings.HasSuffix(err.Error(), test.want) || b.Len() > 0 {
			t.Errorf("error %v and output %q, want %s", err, b.String(), test.want)
		}
	}
}

// printed runs a command and returns what it prints as JSON.
func printed(t *testing.T, run func(*session) error) []byte {
	t.Helper()
	var b bytes.Buffer
	s := &session{ctx: t.Context(), out: newOutput(&b), json: true, workers: 1}
	err := run(s)
	if closed := s.out.Close(); err == nil {
		err = closed
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func answersOf(t *testing.T, text []byte) []greed.NearVectors {
	t.Helper()
	var list []greed.NearVectors
	for line := range bytes.Lines(text) {
		var a vectorAnswers
		if err := json.Unmarshal(line, &a); err != nil {
			t.Fatal(err)
		}
		list = append(list, a.NearVectors)
	}
	return list
}

func writeNPY(t *testing.T, path string, rows []float32, dim int) {
	t.Helper()
	var b bytes.Buffer
	if err := embedding.WriteNPY(&b, rows, dim); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}
