package search_test

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/graphtest"
	"github.com/greedgraph/greed/search"
)

func TestFilter(t *testing.T) {
	record := dataset.Record{ID: "7", Name: "aspirin", Attributes: map[string]any{
		"class": "a", "weight": 180.16, "atoms": int64(13), "text": "12.5", "number": json.Number("3"),
		"log P": " 1.2 ", "uid": "9007199254740993", "large": 1e300, "list": []any{"a", 1234567.0}, "code": "007", "none": nil, "formula": "C=O", "toxic": false, "id": "hidden",
		"endless": "inf", "hex": "0x10", "long": "1_000", "float": math.Inf(1), "odd": "odd, one", "said": `a "b", c`, "inch": `5" pipe`, "quoted": `"x", "y"`, "made": "2021-03-04T23:00:00Z", "day": "2021-03-04",
	}}
	for text, want := range map[string]bool{
		"id=7": true, "id = 7.0": false, "id in 07,7e0": false, "id<8": true, "id=hidden": false, "attribute id=hidden": true, "attribute id exists": true, "attribute id=7": false, "attribute name exists": false, "attribute class=a": false, "name=aspirin": true, "name exists": true,
		"class=a": true, "class=b": false, "class in b, a": true, "class in b,c": false, "class>0": false,
		"weight>=180.16": true, "weight>180.16": false, "weight<=180.16": true, "weight<180.17": true, "weight=180.160": true,
		"atoms in 1,13": true, "text<13": true, "text=12.5": true, "number>=3": true, "log P<2": true,
		"formula=C=O": true, "formula in N,C=O": true, "toxic=false": true,
		`odd in x,"odd, one"`: true, `odd in "odd, one"`: true, `odd in odd, one`: false, `said in "a ""b"", c" , d`: true, `inch in 5" pipe,y`: true,
		`inch in "5" pipe`: false, `quoted in "x", "y"`: false, `quoted in """x"", ""y"""`: true, `class in "a"`: true, `class in ",a`: true, `class in ""`: false,
		"uid>9007199254740992": true, "uid<9007199254740994": true, "uid<=9007199254740992": false, "uid>=9007199254740993.5": false, "uid>=9007199254740993": true, "uid=9007199254740993": true, "uid=9007199254740992": false, "uid in 9007199254740992,9007199254740993.0": true, "large=1e300": true, "code=7": true,
		"endless=inf": true, "endless>0": false, "hex=16": false, "hex=0x10": true, "long=1000": false, "long=1_000": true, "float>0": false,
		`list=["a",1234567]`: true,
		"made>2021-03-03":    true, "made>2021-03-04": false, "made<=2021-03-04": true, "made<2022-01-01": true, "made>2019": false, "day>=2021-03-04": true, "day<2021-03-04": false, "class<2021-03-04": false,
		"none exists": false, "absent exists": false, "absent=1": false, "absent<1": false, "toxic exists": true,
	} {
		f, err := search.ParseFilter(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if f.Match(&record) != want {
			t.Errorf("%q: %v, want %v", text, !want, want)
		}
	}
	for _, text := range []string{"", "class", "=a", " exists", "exists", "weight<heavy", "weight>=", "<3", "weight<NaN", "weight<inf", "weight<1_000", "weight>0x10", "made>2021-02-30", "made>2021-03", "made>2021-03-04T01:00", "class in ", " class in  "} {
		if _, err := search.ParseFilter(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

func FuzzParseFilter(f *testing.F) {
	for _, text := range []string{"a=b", "a in b,c", "a<=1", "a exists", " in "} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		filter, err := search.ParseFilter(text)
		if err != nil {
			return
		}
		r := dataset.Record{ID: "x", Attributes: map[string]any{filter.Attribute: "1"}}
		lack := search.Lack{Filter: filter}
		if lack.Add(&r) && filter.Match(&r) {
			t.Errorf("%q matches an attribute that is not there", text)
		}
	})
}

// TestKeep: a search limited to some graphs gives the answers of a collection
// of these alone.
func TestKeep(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	vocab := graph.NewVocabulary()
	list := records(rng, vocab, 40)
	keep := func(i int) bool { return i%3 == 1 }
	var some []dataset.Record
	for i, r := range list {
		if keep(i) {
			some = append(some, r)
		}
	}
	ctx := context.Background()
	whole, part := search.NewCollection(vocab, list), search.NewCollection(vocab, some)
	for _, c := range []*search.Collection{whole, part} {
		if err := c.Attach(ctx, untrained(edit.GED, vocab), nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	q := graphtest.Tree(rng, vocab, 5)
	for _, opt := range []search.Options{
		{K: 4, Mode: search.Predicted}, {Radius: new(30.0), Mode: search.Predicted}, {K: 4, Mode: search.Checked}, {K: 4},
		{Radius: new(4.0)}, {K: 4, NoModel: true}, {K: 100}, {Radius: new(4.0), NoModel: true}, {K: 2, Radius: new(4.0)},
	} {
		opt.Time, opt.Workers = time.Hour, 1
		want, err := part.Search(ctx, q, opt)
		if err != nil {
			t.Fatal(err)
		}
		opt.Accept = keep
		got, err := whole.Search(ctx, q, opt)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Answers) != len(want.Answers) || got.Proven() != want.Proven() {
			t.Fatalf("%+v: %d answers, proven %v; want %d, %v", opt, len(got.Answers), got.Proven(), len(want.Answers), want.Proven())
		}
		for i, a := range got.Answers {
			if a.Position != 3*want.Answers[i].Position+1 {
				t.Errorf("%+v: answer %d is graph %d", opt, i, a.Position)
			}
		}
	}
	r, err := whole.Search(ctx, q, search.Options{K: 3, Accept: func(int) bool { return false }})
	if err != nil || len(r.Answers) != 0 || !r.Proven() {
		t.Errorf("of no graphs: %+v, %v", r, err)
	}
}

// TestFilterNotEqual: what looks like another operator is not part of a name.
func TestFilterNotEqual(t *testing.T) {
	for _, text := range []string{"act!=5", "act != 5", "act!=a in b"} {
		if _, err := search.ParseFilter(text); err == nil || !strings.Contains(err.Error(), "!= is not supported") {
			t.Errorf("%q: error %v", text, err)
		}
	}
	if f, err := search.ParseFilter("act! =5"); err != nil || f.Attribute != "act!" {
		t.Errorf("a name that ends in !: %+v, %v", f.Attribute, err)
	}
	record := dataset.Record{Attributes: map[string]any{"a": 1}}
	if (search.Filter{Attribute: "a"}).Match(&record) {
		t.Error("a filter that was not parsed matches")
	}
}

// TestDoubledSign: ==, => and =< are refused with what to write, but a text may begin with these.
func TestDoubledSign(t *testing.T) {
	for text, want := range map[string]string{
		"logP == 1.69": `filter "logP == 1.69": == is not supported: write logP=1.69, or logP in "=1.69" for a text that begins with =`,
		"logP=>1":      `filter "logP=>1": => is not supported: write logP>=1, or logP in ">1" for a text that begins with >`,
		"logP=< 1":     `filter "logP=< 1": =< is not supported: write logP<=1, or logP in "<1" for a text that begins with <`,
	} {
		if _, err := search.ParseFilter(text); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	f, err := search.ParseFilter(`logP in "=1.69"`)
	if err != nil || !f.Match(&dataset.Record{Attributes: map[string]any{"logP": "=1.69"}}) {
		t.Errorf("the text =1.69 is not found, error %v", err)
	}
}

// TestFilterOfNames: a record without a name may have an attribute of that name.
func TestFilterOfNames(t *testing.T) {
	f, err := search.ParseFilter("name=7")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rec  dataset.Record
		want bool
	}{
		{dataset.Record{Name: "7"}, true},
		{dataset.Record{Attributes: map[string]any{"name": "7"}}, true},
		{dataset.Record{Attributes: map[string]any{"name": 7}}, true},
		{dataset.Record{Name: "8", Attributes: map[string]any{"name": "7"}}, false},
		{dataset.Record{Attributes: map[string]any{"name": "07"}}, false},
		{dataset.Record{}, false},
	} {
		if f.Match(&c.rec) != c.want {
			t.Errorf("%+v", c.rec)
		}
	}
}

// TestFilterOfOtherKind: a comparison that no graph can meet because of what its attribute holds
// is an error that shows a value.
func TestFilterOfOtherKind(t *testing.T) {
	vocab := graph.NewVocabulary()
	list := records(rand.New(rand.NewPCG(3, 1)), vocab, 2)
	for i := range list {
		list[i].Attributes = map[string]any{"made": "2021-03-04", "class": "toxic", "weight": i}
	}
	list[1].Attributes["mixed"] = 3
	c := search.NewCollection(vocab, list)
	for text, want := range map[string]string{
		"made>2019":         `no graph has the attribute "made" as a number; graph "g0" has "2021-03-04", which is compared with a date such as 2019-12-31`,
		"class<1":           `no graph has the attribute "class" as a number; graph "g0" has "toxic"`,
		"weight>2019-12-31": `no graph has the attribute "weight" as a date; graph "g0" has "0"`,
		"made>2029-12-31":   "", "weight>7": "", "mixed>4": "", "class=1": "", "id=g0": "",
	} {
		f, err := search.ParseFilter(text)
		if err != nil {
			t.Fatal(err)
		}
		if want != "" {
			want = `filter "` + text + `": ` + want
		}
		got := ""
		if err := c.CheckFilters([]search.Filter{f}); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("error %q, want %q", got, want)
		}
	}
}
