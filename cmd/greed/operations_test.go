package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/operation"
	"github.com/greedgraph/greed/server"
)

// values are what fields of requests have in TestOperationsAgree, wrong ones among them.
var values = map[string][]any{
	"task": {"ged", "sed"}, "within": {0, 2, 7.5, -1}, "fix": {"0:0", "0:-,1:1", "-:0", "0:99", "0;0"}, "maps": {1, 3, 50, -1},
	"costs":              {"uniform", "chem2", "mces", map[string]any{"node_insert": 2, "node_delete": 2}, "none"},
	"ignore_edge_labels": {true}, "time_limit": {"1h", "30s", "soon"}, "explain": {true}, "edges": {true}, "connected": {true}, "rings": {true},
	"at_least": {1, 5, -1}, "k": {1, 3, 100, 0}, "radius": {0, 1, 2, -1}, "mode": {"proven", "checked", "predicted", "guessed"},
	"filter": {[]string{"weight<12"}, []string{"class in a,b", "weight>=10"}, []string{"wieght<3"}, []string{"odd"}, []string{"reaction_id=amide"}},
	"show":   {[]string{"class"}, []string{"wieght"}, []string{"reaction_id"}}, "no_model": {true}, "recall": {.99, 1, -.5}, "attribute": {"weight", "wieght"},
	"embedding": {"ged", "sed"}, "like": {[]string{"16"}, []string{"16", "91"}, []string{"91"}, []string{"nobody"}}, "certificate": {"", "{}"},
	"core": {"c1ccccc1", "CO", "[*:1]CC[*:2]", "[F,Cl]C", "C1", "[*:1]"}, "only_marked": {true}, "skip": {1, 4, 999, -1},
}

// ours is a request for an operation, as a JSON object, with what it takes.
type ours struct {
	o             *operation.Operation
	fields        object
	query, target string
}

// draw returns a random request. Searches that are not proven may take what they need.
func draw(rng *rand.Rand, o *operation.Operation, molecules []string, certificates []string) ours {
	a := ours{o, object{}, molecules[rng.IntN(len(molecules))], molecules[rng.IntN(len(molecules))]}
	for _, f := range operation.Fields(o.New()) {
		list := values[f.Name]
		if f.Name == "certificate" {
			list = append(slices.Clone(list), anys(certificates)...)
		}
		chance := .25
		if f.Name == "certificate" || f.Name == "core" || f.Name == "radius" && (o.Name == "join" || o.Name == "cliffs") || f.Name == "like" || f.Name == "embedding" {
			chance = .95
		} else if f.Name == "k" { // without which assistants give no more than 10
			chance = .5
		}
		if len(list) > 0 && rng.Float64() < chance {
			a.fields[f.Name] = list[rng.IntN(len(list))]
		}
	}
	return a
}

func anys(texts []string) (list []any) {
	for _, text := range texts {
		list = append(list, text)
	}
	return list
}

// with returns the fields of a request with others.
func (a ours) with(more object) object {
	all := maps.Clone(a.fields)
	maps.Copy(all, more)
	return all
}

// TestOperationsAgree: requests for all operations of the table, wrong ones among them, have the same JSON in Go,
// on the command line, over HTTP, by the pipe and, as far as its answers go, for assistants.
func TestOperationsAgree(t *testing.T) {
	dir, records := smallIndex(t)
	records = records[:16] // whose pairs are soon proven
	dir = filepath.Join(filepath.Dir(dir), "few.index")
	saveIndex(t, dir, records)
	molecules := []string{"c1ccccc1CCO", "CC(=O)Oc1ccccc1C(=O)O", "[Na+].[Cl-]", "C1", records[3].SMILES, records[7].SMILES, records[9].SMILES}
	all := surfacesOf(t, dir)
	rng := rand.New(rand.NewPCG(57, 2))
	each, agreed, refused := 24, 0, 0
	certificates := someCertificates(t, records)
	for i := range operation.Table {
		o := &operation.Table[i]
		if o.Takes == operation.Graphs {
			continue // TestSurfacesAgreeOnChanges
		}
		good, answers := 0, make(map[string]int)
		for range each {
			if agree(t, all, draw(rng, o, molecules, certificates), answers) {
				good++
			}
		}
		for _, surface := range []string{"Go", "command line", "HTTP", "pipe", "assistants"} {
			has := surface != "command line" || o.Command != ""
			if has = has && (surface != "assistants" || len(o.Tools) > 0); has && answers[surface] == 0 {
				t.Errorf("%s: %s gave no answer, and all %v", o.Name, surface, answers)
			}
		}
		if agreed, refused = agreed+good, refused+each-good; good < each/5 {
			t.Errorf("%s: %d answers of %d", o.Name, good, each)
		}
	}
	t.Logf("%d answers and %d refusals", agreed, refused)
}

// agree compares what all surfaces answer to a request, counts their answers, and reports whether it is one.
func agree(t *testing.T, all map[string]func(*testing.T, ours) (object, error), a ours, answers map[string]int) bool {
	t.Helper()
	of := fmt.Sprintf("%s: %s %s %v", a.o.Name, a.query, a.target, a.fields)
	want, wrong := all["Go"](t, a)
	for name, ask := range all {
		got, err := ask(t, a)
		if err == nil {
			answers[name]++
		}
		switch {
		case err == errNoSurface:
		case (err == nil) != (wrong == nil):
			t.Errorf("%s: %s: error %v, in Go %v", name, of, err, wrong)
		case err == nil && name == "assistants":
			sameShort(t, of, want, got)
		case err == nil:
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Errorf("%s: %s: not as in Go:\n%s", name, of, diff)
			}
		}
	}
	return wrong == nil
}

// TestSpacesAgree: searches in the index of a synthon space have the same JSON everywhere, and what would list its
// products is refused everywhere.
func TestSpacesAgree(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "space.index")
	c, err := greed.Open(t.Context(), greed.Source{Path: filepath.Join("..", "..", "examples", "spaces", "space.txt")})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Save(dir); err != nil {
		t.Fatal(err)
	}
	molecules := []string{"O=C(NCC1CC1)c1ccccc1", "OCc1cn(C)nn1", "CCO", "C1"}
	all := surfacesOf(t, dir)
	rng := rand.New(rand.NewPCG(65, 1))
	answered := 0
	for i := range operation.Table {
		o := &operation.Table[i]
		each := 2
		if o.Name == "search" {
			each = 80
		}
		for range each {
			good := agree(t, all, draw(rng, o, molecules, nil), make(map[string]int))
			switch {
			case good && o.Name == "search":
				answered++
			case good && o.Takes.InCollection() && o.Name != "certifySearch" && o.Name != "change":
				t.Errorf("%s is answered in a space", o.Name)
			}
		}
	}
	if answered < 12 {
		t.Errorf("%d searches answered", answered)
	}
}

// errNoSurface says that a surface does not have an operation.
var errNoSurface = fmt.Errorf("the surface has no such operation")

// surfacesOf returns what asks each surface.
func surfacesOf(t *testing.T, dir string) map[string]func(*testing.T, ours) (object, error) {
	c, err := greed.Open(t.Context(), greed.Source{Path: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	s, ask := hosting(t, dir), startPipe(t)
	if _, err := ask("collection.open", object{"key": "c", "path": dir}); err != nil {
		t.Fatal(err)
	}
	client := assistant(t, s)
	return map[string]func(*testing.T, ours) (object, error){
		"Go":           func(t *testing.T, a ours) (object, error) { return inGo(t.Context(), c, a) },
		"command line": func(t *testing.T, a ours) (object, error) { return onCommandLine(t, dir, a) },
		"HTTP":         func(t *testing.T, a ours) (object, error) { return overHTTP(t, s, a) },
		"pipe":         func(_ *testing.T, a ours) (object, error) { return byThePipe(ask, a) },
		"assistants":   func(t *testing.T, a ours) (object, error) { return asAssistant(t, client, a) },
	}
}

// steady leaves of an answer what is the same each time.
func steady(text []byte, err error) (object, error) {
	if err != nil {
		return nil, err
	}
	var found object
	if err := json.Unmarshal(text, &found); err != nil {
		return nil, err
	}
	withoutTimes(found)
	if stats, ok := found["stats"].(object); ok { // depends on whether vectors were read before
		maps.DeleteFunc(stats, func(name string, _ any) bool { return name == "excluded" || name == "solved" || name == "calls" })
	}
	return found, nil
}

func withoutTimes(v any) {
	switch v := v.(type) {
	case object:
		delete(v, "seconds")
		if q, ok := v["question"].(object); ok {
			delete(q, "state")
			delete(q, "time_limit")
		}
		for _, inner := range v {
			withoutTimes(inner)
		}
	case []any:
		for _, inner := range v {
			withoutTimes(inner)
		}
	}
}

// inGo plans a request and runs it.
func inGo(ctx context.Context, c *greed.Collection, a ours) (object, error) {
	text, err := json.Marshal(a.fields)
	if err != nil {
		return nil, err
	}
	request := a.o.New()
	if err := operation.Decode(text, request); err != nil {
		return nil, err
	}
	plan, err := a.o.Plan(request, operation.Limits{Workers: 1}, nil)
	if err != nil {
		return nil, err
	}
	in := &operation.Inputs{}
	if a.o.Takes.InCollection() {
		in.Collection = c
	}
	read := func(smiles string) *dataset.Record {
		opt := dataset.Options{Vocabulary: graph.NewVocabulary(), Format: "smiles"}
		rec, failed := dataset.ReadOne(smiles, opt)
		if failed != nil {
			err = failed
		}
		return &rec
	}
	switch a.o.Takes {
	case operation.APair:
		in.Query, in.Target = read(a.query), read(a.target)
	case operation.AQuery, operation.AGraph:
		in.Query = read(a.query)
	}
	if err != nil {
		return nil, err
	}
	result, err := plan.Run(ctx, in)
	if err != nil {
		return nil, err
	}
	text, err = json.Marshal(result)
	return steady(text, err)
}

// overHTTP posts a request, or puts it into an address.
func overHTTP(t *testing.T, s *server.Server, a ours) (object, error) {
	method, path, _ := strings.Cut(a.o.Route, " ")
	path = strings.Replace(path, "{name}", "mols", 1)
	if method == "GET" {
		values := make(url.Values)
		for name, v := range a.fields {
			values.Set(name, fmt.Sprint(v))
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "http://127.0.0.1"+path+"?"+values.Encode(), nil))
		if w.Code != 200 {
			return nil, fmt.Errorf("%d: %s", w.Code, w.Body)
		}
		return steady(w.Body.Bytes(), nil)
	}
	more := object{}
	switch a.o.Takes {
	case operation.APair:
		more = object{"query": object{"smiles": a.query}, "target": object{"smiles": a.target}}
	case operation.AQuery:
		more = object{"query": object{"smiles": a.query}}
	case operation.AGraph:
		more = object{"smiles": a.query}
	}
	return steady(posted(t, s, path, a.with(more)))
}

// byThePipe asks the program behind Python.
func byThePipe(ask func(string, any) (json.RawMessage, error), a ours) (object, error) {
	name, more := a.o.Name, object{}
	if a.o.Takes.InCollection() {
		name, more["key"], more["workers"] = "collection."+name, "c", 1
	}
	each := a.o.Takes == operation.APair || a.o.Takes == operation.AQuery || a.o.Takes == operation.AGraph
	if each {
		more["queries"] = object{"smiles": []string{a.query}}
	}
	if a.o.Takes == operation.APair {
		more["targets"] = object{"smiles": []string{a.target}}
	}
	text, err := ask(name, a.with(more))
	if err == nil && each {
		var list []json.RawMessage
		if err = json.Unmarshal(text, &list); err == nil {
			text = list[0]
		}
	}
	return steady(text, err)
}

// onCommandLine runs a command with its flags.
func onCommandLine(t *testing.T, dir string, a ours) (object, error) {
	args, file := []string{a.o.Command}, ""
	switch a.o.Name {
	case "search":
		args = append(args, "--", a.query, dir)
	case "distance":
		if task, ok := a.fields["task"]; ok {
			args[0] = task.(string)
		}
		args = append(args, "--", a.query, a.target)
	case "diff", "mcs":
		args = append(args, "--", a.query, a.target)
	case "join", "cliffs":
		args = append(args, "--", dir)
	case "nearest":
		if a.fields["vectors"] != nil || a.fields["like"] == nil { // it reads vectors of a file
			return nil, errNoSurface
		}
		args = []string{"search", "--", dir}
	case "sar":
		args = append(args, "--", fmt.Sprint(a.fields["core"]), dir)
	case "certify", "certifySearch":
		file = filepath.Join(t.TempDir(), "proof.json")
		args = []string{"search", "--certificate=" + file, "--", a.query, dir}
		if a.o.Takes == operation.APair {
			args = []string{"ged", "--certificate=" + file, "--", a.query, a.target}
			if task, ok := a.fields["task"]; ok {
				args[0] = task.(string)
			}
		}
	case "verify":
		file := filepath.Join(t.TempDir(), "given.json")
		if err := os.WriteFile(file, []byte(fmt.Sprint(a.fields["certificate"])), 0o666); err != nil {
			t.Fatal(err)
		}
		args = append(args, file)
	default:
		return nil, errNoSurface
	}
	var flags []string
	for name, v := range a.fields {
		flag := "--" + strings.ReplaceAll(name, "_", "-")
		switch v := v.(type) {
		case bool:
			flags = append(flags, flag)
		case []string:
			for _, one := range v {
				flags = append(flags, flag+"="+one)
			}
		case object:
			text, _ := json.Marshal(v)
			costs := filepath.Join(t.TempDir(), "costs.json")
			if err := os.WriteFile(costs, text, 0o666); err != nil {
				t.Fatal(err)
			}
			flags = append(flags, flag+"="+costs)
		default:
			if name != "certificate" && name != "core" && (name != "task" || args[0] != "ged" && args[0] != "sed") {
				flags = append(flags, fmt.Sprintf("%s=%v", flag, v))
			}
		}
	}
	args = slices.Insert(args, 1, flags...)
	text, err := shelled(t, args)
	if a.o.Name == "nearest" && err == nil { // an answer for each graph
		var list []object
		for line := range bytes.Lines(text) {
			var one object
			if err := json.Unmarshal(line, &one); err != nil {
				return nil, err
			}
			delete(one, "collection") // of which there may be many
			list = append(list, one)
		}
		text, err = json.Marshal(object{"results": list})
	}
	if file == "" || err != nil {
		found, err := steady(text, err)
		for _, name := range []string{"query", "smiles", "collection", "graphs"} {
			if a.o.Name == "search" { // of which there may be many
				delete(found, name)
			}
		}
		return found, err
	}
	proof, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	certified, err := greed.NewCertified(t.Context(), func(w io.Writer) error { _, err := w.Write(proof); return err })
	if err != nil {
		return nil, err
	}
	text, err = json.Marshal(certified)
	return steady(text, err)
}

// shelled returns what a command line prints with --json.
func shelled(t *testing.T, args []string) ([]byte, error) {
	var cli commands
	command, err := newParser(&cli, args...).Parse(args)
	if err != nil {
		return nil, err
	}
	return commanded(t, func(s *session) error {
		err := cmp.Or(notEmpty(command), keepInputs(command), notZero(command))
		if err == nil {
			err = command.Run(s)
		}
		if status, ok := errors.AsType[*exitStatus](err); ok {
			err = status.error // diff says by its code that graphs differ
		}
		return err
	})
}

// assistant returns a client of the tools of a service.
func assistant(t *testing.T, s *server.Server) *mcp.ClientSession {
	here, there := mcp.NewInMemoryTransports()
	if _, err := s.Assistants().Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

// asAssistant calls the tool of an operation.
func asAssistant(t *testing.T, client *mcp.ClientSession, a ours) (object, error) {
	few := a.o.Takes == operation.APair || a.o.Takes == operation.AGraph
	if len(a.o.Tools) == 0 || a.fields["k"] == nil && !few { // of which tools give no more than 10
		return nil, errNoSurface
	}
	args := a.with(object{"query": a.query})
	if a.o.Takes == operation.APair {
		args["target"] = a.target
	} else if a.o.Takes != operation.AQuery {
		delete(args, "query")
	}
	if a.o.Takes == operation.AGraph {
		args["text"] = a.query
	}
	out, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: a.o.Tools[0].Name, Arguments: args})
	if err != nil {
		return nil, err
	}
	text := out.Content[0].(*mcp.TextContent).Text
	if out.IsError {
		return nil, errors.New(text)
	}
	return steady([]byte(text), nil)
}

// sameShort compares the numbers, texts and truth values of a short answer with those of the whole one.
func sameShort(t *testing.T, of string, want, got object) {
	for name, v := range got {
		switch v.(type) {
		case string, float64, bool:
			if !strings.HasPrefix(name, "more_") && want[name] != v && name != "question" {
				t.Errorf("%s: assistants are given %s %v, and others %v", of, name, v, want[name])
			}
		}
	}
	for _, name := range []string{"lower", "upper", "exact", "size", "status", "total", "same"} {
		if want[name] != nil && got[name] == nil {
			t.Errorf("%s: assistants lack %s", of, name)
		}
	}
}

// someCertificates returns certificates of pairs, the last of which is damaged.
func someCertificates(t *testing.T, records []greed.Record) (list []string) {
	c, err := greed.NewComparer(greed.GED, greed.DistanceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		q, target := &records[i], &records[i+3]
		known, err := c.Compare(t.Context(), q, target)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := greed.Certify(t.Context(), &b, q, target, edit.Uniform(), known); err != nil {
			t.Fatal(err)
		}
		list = append(list, b.String())
	}
	return append(list, strings.Replace(list[0], `"lower":`, `"lower":1`, 1))
}
