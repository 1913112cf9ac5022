package server

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/greedgraph/greed/lab/testing/growth"
	"github.com/greedgraph/greed/lab/testing/processor"
)

// A filler makes the JSON of a field with about n of something.
type filler func(n int) string

// quote returns a text as JSON.
func quote(text string) string {
	out, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(out)
}

// text fills a field with a text.
func text(make func(n int) string) filler { return func(n int) string { return quote(make(n)) } }

// series returns n pieces, which may have the number as their %d.
func series(piece, between string) func(n int) string {
	return func(n int) string {
		var b strings.Builder
		for i := range n {
			if i > 0 {
				b.WriteString(between)
			}
			if strings.Contains(piece, "%") {
				fmt.Fprintf(&b, piece, i)
			} else {
				b.WriteString(piece)
			}
		}
		return b.String()
	}
}

// repeat is series of one piece after another.
func repeat(piece string) func(n int) string { return series(piece, "") }

// listOf fills a field with an array.
func listOf(item string) filler {
	items := series(item, ",")
	return func(n int) string { return "[" + items(n) + "]" }
}

func around(before string, make func(n int) string, after string) func(n int) string {
	return func(n int) string { return before + make(n) + after }
}

// graphs are the elements of a graph in a request.
var graphs = map[string]filler{
	"smiles: chain":     text(repeat("C")),
	"smiles: branches":  text(around("C", repeat("(C)"), "")),
	"smiles: rings":     text(around("C", repeat("1CC1"), "C")),
	"smiles: pieces":    text(around("C", repeat(".C"), "")),
	"smiles: wildcards": text(repeat("*")),
	"smiles: aromatic":  text(around("C", repeat("c1ccc(cc1)"), "C")),
	"mol: lines":        text(repeat("a\n")),
	"mol: properties":   text(around("\n\n\n  0  0  0     0  0            999 V2000\nM  END\n", repeat("> <a>\n1\n\n"), "")),
	"tve: nodes":        text(around("t # 0\n", repeat("v %d C\n"), "")),
	"tve: labels":       text(around("t # 0\n", repeat("v %d L%[1]d\n"), "")),
	"tve: edges":        text(around("t # 0\nv 0 C\nv 1 C\n", repeat("e 0 1 x\n"), "")),
	"text: columns":     text(around("smiles,", repeat("c%d,"), "\nC\n")),
	"text: rows":        text(repeat("C\n")),
	"text: words":       text(repeat("a ")),
	"text: lines":       text(repeat("a b\n")),
	"text: braces":      text(repeat("{")),
	"text: brackets":    text(repeat("[")),
	"text: tags":        text(repeat("<a>")),
	"text: DOT":         text(around("graph{", repeat("n%d--"), "a}")),
	"graph: nodes":      func(n int) string { return `{"nodes":` + listOf(`{"id":%d,"label":"C"}`)(n) + `,"edges":[]}` },
	"graph: wildcards":  func(n int) string { return `{"nodes":` + listOf(`{"id":%d,"wildcard":true}`)(n) + `,"edges":[]}` },
	"graph: labels":     func(n int) string { return `{"nodes":` + listOf(`{"id":%d,"label":"L%[1]d"}`)(n) + `,"edges":[]}` },
	"graph: hub": func(n int) string {
		return `{"nodes":` + listOf(`{"id":%d,"label":"C"}`)(n+1) + `,"edges":[` + series(`{"source":%d,"target":`+fmt.Sprint(n)+`}`, ",")(n) + `]}`
	},
	"graph: edges": func(n int) string {
		return `{"nodes":[{"id":0},{"id":1}],"edges":` + listOf(`{"source":0,"target":1}`)(n) + `}`
	},
	"graph: names": func(n int) string { return `{"nodes":[{"id":0}],"edges":[],"names":` + listOf(`"n%d"`)(n) + `}` },
	"graph: attributes": func(n int) string {
		return `{"nodes":[{"id":0,` + series(`"k%d":1`, ",")(n) + `}],"edges":[]}`
	},
	"graph: properties": func(n int) string {
		return `{"graph":{` + series(`"k%d":1`, ",")(n) + `},"nodes":[{"id":0}],"edges":[]}`
	},
	"graph: nesting": func(n int) string {
		return `{"graph":{"a":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `},"nodes":[{"id":0}],"edges":[]}`
	},
	"id: length": text(repeat("a")),
}

// timeLimit is the time limit of requests that may have one.
const timeLimit = time.Millisecond

// aGraph is one in a request.
const aGraph = `{"id":"u1"}`

// fillers are the elements of fields, by their names.
var fillers = map[string]map[string]filler{
	"filter": {
		"conditions":     listOf(`"a>%d"`),
		"values":         func(n int) string { return "[" + quote("a in "+series("v%d", ",")(n)) + "]" },
		"length":         func(n int) string { return "[" + quote("a="+strings.Repeat("b", n)) + "]" },
		"on ids":         func(n int) string { return "[" + quote("id in "+series("u%d", ",")(n)) + "]" },
		"name of length": func(n int) string { return "[" + quote(strings.Repeat("b", n)+"=a") + "]" },
	},
	"show":        {"attributes": listOf(`"a%d"`), "length": func(n int) string { return "[" + quote(strings.Repeat("b", n)) + "]" }},
	"ids":         {"ids": listOf(`"u%d"`), "one id": listOf(`"u0"`), "length": func(n int) string { return "[" + quote(strings.Repeat("b", n)) + "]" }},
	"certificate": {"length": text(repeat("{")), "lines": text(repeat("{}\n"))},
	"like":        {"ids": listOf(`"u%d"`)}, "delete": {"ids": listOf(`"u%d"`), "one id": listOf(`"x"`)},
	"pairs": {
		"of ids":    listOf(`{"query":{"id":"u%d"},"target":{"id":"u0"}}`),
		"of SMILES": listOf(`{"query":{"smiles":"` + strings.Repeat("C", 400) + `"},"target":{"smiles":"` + strings.Repeat("C", 400) + `O"}}`),
		"wrong":     listOf(`{"query":{"smiles":"("},"target":{"id":"u0"}}`),
	},
	"queries": {"ids": listOf(`{"id":"u%d"}`), "SMILES": listOf(`{"smiles":"` + strings.Repeat("C", 900) + `"}`)},
	"put":     {"graphs": listOf(`{"id":"p%d","smiles":"C"}`), "one id": listOf(`{"id":"p","smiles":"C"}`)},
	"vectors": {"rows": listOf(`[1,2]`), "length": func(n int) string { return "[" + listOf("1")(n) + "]" }},
	"costs": {
		"name": text(repeat("a")),
		"node labels": func(n int) string {
			return `{"nodes":{"substitute":{` + series(`"a%d":{"b":1}`, ",")(n) + `}}}`
		},
		"members": func(n int) string { return `{` + series(`"m%d":1`, ",")(n) + `}` },
	},
	"fix": {"pairs": text(series("%d:%[1]d", ",")), "deleted": text(series("%d:-", ",")), "length": text(repeat("1"))},
	"smarts": {
		"atoms": text(repeat("C")), "branches": text(around("C", repeat("(C)"), "")), "rings": text(around("C", repeat("1CC1"), "C")),
		"lists": text(around("[", series("C", ","), "]")), "and": text(around("[", series("C", "&"), "]")), "not": text(around("[", repeat("!"), "C]")),
		"recursive": text(around("[C", repeat("$(CC)"), "]")), "nested": func(n int) string { return quote(strings.Repeat("[$(C", n) + strings.Repeat(")]", n)) },
		"pieces": text(series("C", ".")), "bonds": text(around("C", repeat("!-"), "C")), "any": text(repeat("*")), "ring sizes": text(repeat("[r5]")),
	},
	"core": {
		"atoms": text(repeat("C")), "rings": text(around("C", repeat("1CC1"), "C")), "positions": text(around("C", repeat("([*:1])"), "C")),
		"pieces": text(series("C", ".")), "any": text(repeat("*")), "recursive": text(around("[C", repeat("$(CC)"), "]")),
	},
	"compared":   {"rules": listOf(`"charges"`)},
	"forms":      {"rules": listOf(`"tautomers"`)},
	"attributes": {"number": func(n int) string { return `{` + series(`"k%d":1`, ",")(n) + `}` }},
	"text":       {},
}

// ofText are fields of free text, which are measured by their length.
var ofText = []string{"collection", "name", "id", "cursor", "file", "state", "embedding", "attribute", "other", "time_limit"}

// hostileBodies are requests without the field that grows, by operation.
var hostileBodies = map[string]string{
	"search": `"query":` + aGraph + `,"time_limit":"1ms"`, "searchMany": `"queries":[` + aGraph + `],"time_limit":"1ms"`, "contained": `"query":` + aGraph + `,"time_limit":"1ms"`,
	"distance": `"query":` + aGraph + `,"target":` + aGraph + `,"collection":"rings","time_limit":"1ms"`, "diff": `"query":` + aGraph + `,"target":` + aGraph + `,"collection":"rings","time_limit":"1ms"`,
	"mcs": `"query":` + aGraph + `,"target":` + aGraph + `,"collection":"rings","time_limit":"1ms"`, "distances": `"pairs":[{"query":` + aGraph + `,"target":` + aGraph + `}],"collection":"rings","time_limit":"1ms"`,
	"distancesTo": `"query":` + aGraph + `,"ids":["u0"],"time_limit":"1ms"`, "join": `"radius":1,"time_limit":"1ms"`, "cliffs": `"radius":1,"time_limit":"1ms","attribute":"a"`,
	"sar":   `"core":"C1CC1","time_limit":"1ms"`,
	"parse": "", "readRecords": `"text":"C"`, "writeSDF": `"ids":["u0"],"time_limit":"1ms"`, "embed": `"query":` + aGraph, "nearest": `"k":1`,
	"certify":       `"query":` + aGraph + `,"target":` + aGraph + `,"collection":"rings","time_limit":"1ms"`,
	"certifySearch": `"query":` + aGraph + `,"k":1,"time_limit":"1ms"`, "verify": `"certificate":"{}"`,
	"change": "", "putGraph": "", "createCollection": "",
}

// described is the part of the OpenAPI document that says what requests have.
type described struct {
	Paths map[string]map[string]struct {
		OperationID string
		RequestBody struct {
			Content map[string]struct{ Schema *schemaOf }
		}
		Parameters []struct {
			In, Name string
			Schema   *schemaOf
		}
	}
	Components struct{ Schemas map[string]*schemaOf }
}

type schemaOf struct {
	Ref        string `json:"$ref"`
	Type       any
	Enum       []any
	OneOf      []*schemaOf
	AllOf      []*schemaOf
	MaxItems   int
	MaxLength  int
	Properties map[string]*schemaOf
}

// follow returns what a reference names.
func (d *described) follow(s *schemaOf) *schemaOf {
	for s != nil && s.Ref != "" {
		s = d.Components.Schemas[s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]]
	}
	return s
}

// fields returns the fields of an object, of all its forms.
func (d *described) fields(s *schemaOf, into map[string]*schemaOf) {
	s = d.follow(s)
	maps.Copy(into, s.Properties)
	for _, form := range append(slices.Clone(s.OneOf), s.AllOf...) {
		d.fields(form, into)
	}
}

// TestGrowth: the work of every route grows in proportion to each element of each of its fields
// alone, and at its largest is over soon after the time limit.
func TestGrowth(t *testing.T) {
	s, ctx := bare(t, func(o *Options) {
		o.Hosted = []Hosted{{Name: "rings", Collection: rings(t, 1000, 300), Writable: true}}
	})
	send := func(method, path, kind, body string) (status int, used time.Duration) {
		r := httptest.NewRequestWithContext(ctx, method, path, strings.NewReader(body))
		r.Host = "localhost"
		if body != "" {
			r.Header.Set("Content-Type", kind)
		}
		w := &passing{header: make(http.Header)}
		begin := processor.Time()
		s.ServeHTTP(w, r)
		return w.status, processor.Time() - begin
	}
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(ctx, "GET", "/openapi.json", nil)
	r.Host = "localhost"
	s.ServeHTTP(w, r)
	var api described
	if err := json.Unmarshal(w.Body.Bytes(), &api); err != nil {
		t.Fatal(err)
	}
	var cases []growth.Case
	add := func(element string, most int, request func(n int) (method, path, kind, body string)) {
		// Of a body no more is read than a service accepts. Numbers of more digits take some room.
		size := func(n int) (address, bytes int) {
			_, path, _, body := request(n)
			return len(path), len(body)
		}
		const few, addresses = 64, 32 << 10
		address1, bytes1 := size(1)
		address2, bytes2 := size(few)
		if grows := address2 - address1; grows > 0 {
			most = min(most, addresses*few/2/grows)
		}
		if grows := bytes2 - bytes1; grows > 0 {
			most = min(most, int(s.opt.Limits.Body)*few*3/4/grows)
		}
		cases = append(cases, growth.Case{Element: element, Most: most, Make: func(n int) func() {
			method, path, kind, body := request(n)
			return func() { send(method, path, kind, body) }
		}})
	}
	for path, methods := range api.Paths {
		path = strings.NewReplacer("{name}", "rings", "{id}", "u0", "{attribute}", "a").Replace(path)
		for method, op := range methods {
			method = strings.ToUpper(method)
			for _, p := range op.Parameters {
				if p.In != "query" {
					continue
				}
				of, known := fillersOf(p.Name, api.follow(p.Schema))
				if !known {
					t.Errorf("%s: nothing makes the parameter %s grow", op.OperationID, p.Name)
				}
				for element, fill := range of {
					add(op.OperationID+", address: "+p.Name+": "+element, mostOf(api.follow(p.Schema)), func(n int) (string, string, string, string) {
						return method, path + "?" + addressed(p.Name, fill(n)) + "&smiles=C", "", ""
					})
				}
			}
			for kind, content := range op.RequestBody.Content {
				if kind == typeNDJSON {
					add(op.OperationID+": lines", 1<<20, func(n int) (string, string, string, string) {
						return method, path, kind, series(`{"id":"p%d","smiles":"C"}`+"\n", "")(n)
					})
					continue
				}
				base, known := hostileBodies[op.OperationID]
				if !known {
					t.Errorf("there is no request %s whose fields could grow", op.OperationID)
				}
				fields := make(map[string]*schemaOf)
				api.fields(content.Schema, fields)
				for name, field := range fields {
					of, known := fillersOf(name, api.follow(field))
					if !known {
						t.Errorf("%s: nothing makes the field %s grow", op.OperationID, name)
					}
					for element, fill := range of {
						add(op.OperationID+": "+name+": "+element, mostOf(api.follow(field)), func(n int) (string, string, string, string) {
							return method, path, kind, with(base, name, fill(n), element)
						})
					}
				}
			}
		}
	}
	growth.Run(t, cases)
	growth.Largest(t, cases, timeLimit+late+late)
}

// fillersOf returns what makes a field grow, by what grows.
func fillersOf(name string, schema *schemaOf) (map[string]filler, bool) {
	kind := strings.Trim(strings.TrimSuffix(fmt.Sprint(schema.Type), " null]"), "[")
	switch {
	case name == "query" || name == "target":
		return graphs, true
	case graphs[name+": length"] != nil:
		return map[string]filler{"length": graphs[name+": length"]}, true
	case fillers[name] != nil || name == "smiles" || name == "mol" || name == "tve" || name == "graph":
		of := maps.Clone(fillers[name])
		for element, fill := range graphs {
			if form, what, _ := strings.Cut(element, ": "); form == name {
				if of == nil {
					of = make(map[string]filler)
				}
				of[what] = fill
			}
		}
		return of, true
	case slices.Contains(ofText, name):
		return map[string]filler{"length": text(repeat("a"))}, true
	case len(schema.Enum) > 0 || kind == "boolean" || kind == "integer" || kind == "number":
		return nil, true
	}
	return nil, false
}

// mostOf returns how many items a field may have.
func mostOf(schema *schemaOf) int {
	if schema.MaxItems > 0 {
		return max(2, schema.MaxItems)
	}
	return 1 << 20
}

// with returns a body whose field has a value, in place of the one that it has. The value of a
// graph is that of the form that the element names.
func with(base, name, value, element string) string {
	body := make(map[string]json.RawMessage)
	if err := json.Unmarshal([]byte("{"+base+"}"), &body); err != nil {
		panic(err)
	}
	if form, _, ok := strings.Cut(element, ": "); ok && (name == "query" || name == "target") {
		value = `{` + quote(form) + `:` + value + `}`
	}
	if name == "smarts" {
		delete(body, "query")
	}
	body[name] = json.RawMessage(value)
	var b strings.Builder
	b.WriteByte('{')
	for i, key := range slices.Sorted(maps.Keys(body)) {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(quote(key) + ":" + string(body[key]))
	}
	return b.String() + "}"
}

// addressed returns a JSON value as a parameter of an address, repeated for each item of a list.
func addressed(name, value string) string {
	var v any
	if err := json.Unmarshal([]byte(value), &v); err != nil {
		panic(err)
	}
	values := make(url.Values)
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			values.Add(name, fmt.Sprint(item))
		}
	default:
		values.Add(name, fmt.Sprint(v))
	}
	return values.Encode()
}
