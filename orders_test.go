package greed_test

import (
	"cmp"
	"path/filepath"
	"slices"
	"testing"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/graph"
)

// placed is an answer of a collection, with what orders it.
type placed struct {
	greed.Answer
	greed.Order
}

func ordered(t *testing.T, c *greed.Collection, q *greed.Graph, opt greed.Options) (list []placed) {
	t.Helper()
	f, err := c.Find(t.Context(), q, opt)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	orders, err := f.Orders()
	if err != nil || len(orders) != f.Len() {
		t.Fatalf("%d orders of %d answers: %v", len(orders), f.Len(), err)
	}
	for i, o := range orders {
		a, err := f.Answer(i)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, placed{a, o})
	}
	return list
}

// TestOrders: the answers of two collections of several indexes each, put together by their orders, are those of all
// indexes.
func TestOrders(t *testing.T) {
	records, err := bundle.Records(graph.NewVocabulary())
	if err != nil {
		t.Fatal(err)
	}
	records = slices.DeleteFunc(records, func(r greed.Record) bool { return r.Graph.N() > 20 })[:300]
	dir := t.TempDir()
	saveParts(t, dir, records, 7, true)
	const second = 3 // the number of the first index of the second collection
	all := openIndexes(t, filepath.Join(dir, "part-*.index"))
	halves := []*greed.Collection{openIndexes(t, filepath.Join(dir, "part-[1-3].index")),
		openIndexes(t, filepath.Join(dir, "part-[4-7].index"))}
	if names := all.Indexes(); len(names) != 7 || filepath.Base(names[second]) != "part-4.index" {
		t.Fatalf("the indexes are %q", names)
	}
	for i, opt := range []greed.Options{
		{K: 10}, {K: 10, Task: greed.SED}, {Radius: new(4.0)}, {K: 3, Radius: new(5.0)}, {K: 8, Mode: greed.Predicted},
		{Task: greed.SED, Radius: new(1.0), NoModel: true},
	} {
		opt.Time = greed.NoLimit
		for _, q := range records[i*20 : i*20+20] {
			want := ordered(t, all, q.Graph, opt)
			var got []placed
			for h, c := range halves {
				for _, a := range ordered(t, c, q.Graph, opt) {
					a.Index += h * second
					got = append(got, a)
				}
			}
			if opt.Mode == greed.Predicted {
				slices.SortFunc(got, func(a, b placed) int { return cmp.Or(cmp.Compare(a.Raw, b.Raw), place(a, b)) })
				got = got[:min(len(got), opt.K)]
				slices.SortFunc(got, func(a, b placed) int {
					return cmp.Or(cmp.Compare(*a.Predicted, *b.Predicted), tie(a, b))
				})
			} else {
				slices.SortFunc(got, func(a, b placed) int {
					return cmp.Or(cmp.Compare(*a.Upper, *b.Upper), tie(a, b))
				})
				if opt.K > 0 {
					got = got[:min(len(got), opt.K)]
				}
			}
			same := slices.EqualFunc(got, want, func(a, b placed) bool {
				return a.ID == b.ID && a.Order == b.Order && (opt.NoModel || *a.Predicted == *b.Predicted)
			})
			if !same || len(want) == 0 {
				t.Fatalf("%+v of %s: together\n%+v\nof all\n%+v", opt, q.ID, got, want)
			}
		}
	}
}

func tie(a, b placed) int {
	return cmp.Or(cmp.Compare(a.Size, b.Size), cmp.Compare(a.Apart, b.Apart), place(a, b))
}

func place(a, b placed) int { return cmp.Or(cmp.Compare(a.Index, b.Index), cmp.Compare(a.At, b.At)) }
