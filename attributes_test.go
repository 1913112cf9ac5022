package greed_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/search"
)

// TestAttributesOfAnIndex: the attributes of an index, which are counted as they are written, are those of its records in
// memory.
func TestAttributesOfAnIndex(t *testing.T) {
	rng := rand.New(rand.NewPCG(64, 3))
	values := []func() any{
		func() any { return rng.IntN(20000) - 5 },
		func() any { return rng.NormFloat64() },
		func() any { return fmt.Sprint(rng.IntN(30)) },
		func() any { return []string{"a", "<b>", "ü\t\"", "", " 7 ", "1e3", "null"}[rng.IntN(7)] },
		func() any { return rng.IntN(2) == 0 },
		func() any { return nil },
		func() any { return json.Number("12345678901234567890") },
		func() any { return map[string]any{"x": []any{1.5, "<"}} },
	}
	var records []greed.Record
	for i := range 8000 {
		a := make(map[string]any)
		for kind, value := range values {
			if rng.IntN(3) > 0 {
				a[fmt.Sprintf("<%d>", kind)] = value()
			}
		}
		if i%100 == 0 {
			a["any"], a["id"] = values[rng.IntN(len(values))](), float64(i/100)
		}
		records = append(records, greed.Record{ID: fmt.Sprint(i), Graph: nodes(1), Attributes: a})
	}
	c, err := greed.FromRecords(nil, records)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.index")
	if err := c.Save(path); err != nil {
		t.Fatal(err)
	}
	saved := openIndexes(t, path)
	for _, text := range []string{"any exists", "any=true", "any>0", "any in a,<b>", "id=300", "name exists", "attribute id<40", "none=1"} {
		f, err := greed.ParseFilter(text)
		if err != nil {
			t.Fatal(err)
		}
		var passes [2][]int
		for i, of := range []*greed.Collection{c, saved} {
			err := of.Read(func(in *search.Collection) error {
				for p := range in.Live() {
					if in.Passes(p, []greed.Filter{f}) {
						passes[i] = append(passes[i], p)
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(passes[0], passes[1]) || len(passes[0]) == 0 && text != "none=1" && text != "name exists" {
			t.Errorf("%s: %v pass, want %v", text, passes[1], passes[0])
		}
	}
	for _, most := range []int{10, 3000, 10000} {
		want, all, err := c.Attributes(t.Context(), most)
		if err != nil {
			t.Fatal(err)
		}
		got, seen, err := saved.Attributes(t.Context(), most)
		if err != nil || seen != all || !reflect.DeepEqual(got, want) {
			t.Errorf("of %d: %v\n%+v\nwant\n%+v", seen, err, got, want)
		}
		_, first, err := saved.AttributeValues(t.Context(), "<2>", most)
		for i, value := range first {
			if err != nil || value != records[i].Attributes["<2>"] {
				t.Fatalf("graph %d has %v: %v", i, value, err)
			}
		}
	}
}
