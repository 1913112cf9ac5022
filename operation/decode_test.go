package operation_test

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/greedgraph/greed/operation"
)

// TestDecode: one pass fills several structs, and what none of them has is named.
func TestDecode(t *testing.T) {
	type pair struct {
		Query string `json:"query"`
		K     int    `json:"k"` // hides that of the search
	}
	var p pair
	var s operation.Search
	if err := operation.Decode([]byte(`{"query":"CCO","k":3,"radius":2.5,"filter":["a=1"]}`), &p, &s); err != nil {
		t.Fatal(err)
	}
	if p.Query != "CCO" || p.K != 3 || s.K != nil || *s.Radius != 2.5 || len(s.Filter) != 1 {
		t.Errorf("%+v %+v", p, s)
	}
	for text, want := range map[string]string{
		`{"radius":"far"}`:             "radius: a string, want a number",
		`{"raduis":1}`:                 "raduis: there is no such member",
		`{"Radius":1}`:                 `Radius: there is no such member; it is written "radius"`,
		`{"radius":1,"radius":2}`:      "radius: it is given twice; give it once",
		`{"k":1.5}`:                    "k: a number 1.5, want a whole number such as 3",
		`[1]`:                          "want an object",
		`{"radius":1}{"radius":1}`:     "there is more than one JSON object",
		`{"radius":1`:                  "unexpected EOF",
		`{"filter":[{"query":"CCO"}]}`: "filter: an object, want a text",
	} {
		err := operation.Decode([]byte(text), new(pair), new(operation.Search))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
		var field *operation.Error
		if strings.Contains(want, ": ") && !errors.As(err, &field) {
			t.Errorf("%s: %v names no field", text, err)
		}
	}
}

// TestPlansKeepTheLimitsOfTags: whatever surface a request comes from, lists and texts are as its tags say.
func TestPlansKeepTheLimitsOfTags(t *testing.T) {
	for name, fields := range map[string]string{
		"join":    `"radius":1,"filter":` + list(21),
		"cliffs":  `"filter":` + list(21),
		"nearest": `"like":` + list(101),
		"search":  `"show":` + list(51),
		"map":     `"task":"mcs"`,
		"embed":   `"task":"GED"`,
	} {
		o := operation.Find(name)
		request := o.New()
		if err := operation.Decode([]byte("{"+fields+"}"), request); err != nil {
			t.Fatal(err)
		}
		_, err := o.Plan(request, operation.Limits{}, nil)
		if field, ok := errors.AsType[*operation.Error](err); !ok || !strings.Contains(fields, `"`+field.Field+`"`) {
			t.Errorf("%s {%.40s: %v", name, fields, err)
		}
	}
}

// TestPlansTakeWhatTagsAllow: as many as the tags say, and texts that are empty, which are not given.
func TestPlansTakeWhatTagsAllow(t *testing.T) {
	for name, fields := range map[string]string{
		"join": `"radius":1,"filter":` + list(20), "nearest": `"like":` + list(100), "search": `"time_limit":"10s","show":` + list(50),
		"map": `"task":""`, "embed": `"task":"sed"`,
	} {
		o := operation.Find(name)
		request := o.New()
		if err := operation.Decode([]byte("{"+fields+"}"), request); err != nil {
			t.Fatal(err)
		}
		if _, err := o.Plan(request, operation.Limits{}, nil); err != nil {
			t.Errorf("%s {%.40s: %v", name, fields, err)
		}
	}
}

// list returns a JSON array of so many texts.
func list(n int) string { return "[" + strings.Repeat(`"a=1",`, n-1) + `"a=1"]` }

// TestFromAddress: parameters of an address become fields, others are left.
func TestFromAddress(t *testing.T) {
	var r operation.Search
	err := operation.FromAddress(&r, url.Values{"k": {"3"}, "radius": {"1.5"}, "filter": {"a=1", "b=2"}, "no_model": {"true"}, "smiles": {"C"}})
	if err != nil || *r.K != 3 || *r.Radius != 1.5 || len(r.Filter) != 2 || !r.NoModel || r.Mode != "" {
		t.Errorf("%+v, %v", r, err)
	}
	for name, text := range map[string]string{"k": "x", "radius": "near", "no_model": "perhaps"} {
		field, ok := errors.AsType[*operation.Error](operation.FromAddress(&r, url.Values{name: {text}}))
		if !ok || field.Field != name || !strings.Contains(field.Reason, text) {
			t.Errorf("%s=%s: %v", name, text, field)
		}
	}
}
