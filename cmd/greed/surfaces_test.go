package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/internal/help"
	"github.com/greedgraph/greed/lab/testing/sweep"
	"github.com/greedgraph/greed/operation"
	"github.com/greedgraph/greed/server"
)

// TestFlagsAreTheOperations: every field of an operation is a flag of its name, with its
// help, of the commands that carry it out.
func TestFlagsAreTheOperations(t *testing.T) {
	described := map[string]any{
		"search": operation.Search{}, "mcs": operation.MCS{}, "join": operation.Join{}, "cliffs": operation.Cliffs{}, "sar": operation.RGroups{}, "truth": operation.Truth{},
		"train": operation.Train{}, "diff": operation.Differences{}, "eval": operation.Eval{}, "embed": dataset.Rules{}, "ged": operation.Paired{}, "sed": operation.Paired{},
	}
	var cli commands
	described["index add"] = operation.Storing{}
	leaves, texts := newParser(&cli).Model.Leaves(false), help.All()
	for _, node := range leaves {
		of, is := described[strings.TrimPrefix(node.Path(), "greed ")]
		if !is {
			continue
		}
		delete(described, strings.TrimPrefix(node.Path(), "greed "))
		flags := make(map[string]string)
		for _, f := range node.Flags {
			flags[f.Name] = f.Help
		}
		for _, f := range operation.Fields(of) {
			shown, is := flags[f.Flag]
			if !is || !strings.HasPrefix(strings.ToLower(shown), strings.ToLower(texts.Expand(f.Doc))) {
				t.Errorf("%s --%s: %q, want %q", node.Name, f.Flag, shown, texts.Expand(f.Doc))
			}
		}
	}
	for name := range described {
		t.Errorf("there is no command %s", name)
	}
}

// asked is a request as a JSON object, of which every surface gets its form.
type asked struct {
	smiles string
	text   []byte // of an operation.Search
}

// smallIndex returns an index of 60 molecules with models and attributes, and its records.
func smallIndex(t *testing.T) (dir string, records []greed.Record) {
	t.Helper()
	all, err := molecules()
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range all {
		if i := len(records); i < 60 && rec.Graph.N() <= 9 { // quickly proven
			rec.Attributes = map[string]any{"weight": i, "class": string(rune('a' + i%3))}
			records = append(records, rec)
		}
	}
	dir = filepath.Join(t.TempDir(), "mols.index")
	saveIndex(t, dir, records)
	return dir, records
}

// TestSurfacesAgree: 200 searches, wrong ones among them, have the same JSON by the command
// line, by HTTP in a body and in an address, and by the pipe.
func TestSurfacesAgree(t *testing.T) {
	dir, records := smallIndex(t)
	surfaces := map[string]func(asked) (object, error){"command line": byCommand(t, dir), "pipe": byPipe(t, dir)}
	surfaces["body"], surfaces["address"] = byHTTP(t, dir)
	rng := rand.New(rand.NewPCG(31, 1))
	trials, agreed, refused := sweep.Trials(200), 0, 0
	for i := range trials {
		a := drawn(rng, records[rng.IntN(len(records))].SMILES)
		want, wrong := surfaces["command line"](a)
		if wrong != nil {
			refused++
		} else {
			agreed++
		}
		for name, ask := range surfaces {
			got, err := ask(a)
			if (err == nil) != (wrong == nil) {
				t.Errorf("%d, %s: %s: error %v, by the command line %v", i, name, a.text, err, wrong)
			} else if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%d, %s: %s: not as by the command line:\n%s", i, name, a.text, diff)
			}
		}
	}
	if agreed < trials/2 || refused < trials/10 {
		t.Errorf("%d answers and %d refusals", agreed, refused)
	}
}

type object = map[string]any

// drawn returns a random request.
func drawn(rng *rand.Rand, smiles string) asked {
	r := object{}
	one := func(name string, chance float64, values ...any) {
		if rng.Float64() < chance {
			r[name] = values[rng.IntN(len(values))]
		}
	}
	one("task", .5, "ged", "sed")
	one("k", .6, 1, 3, 12, 100)
	one("radius", .3, 0, 1.5, 3)
	one("mode", .5, "proven", "checked", "predicted")
	one("filter", .3, []string{"weight<40"}, []string{"class in a,b", "weight>=10"}, []string{"id exists"})
	one("show", .3, []string{"class"}, []string{"weight", "class"})
	one("costs", .25, "uniform", "chem2", "mces", object{"node_insert": 2, "node_delete": 2})
	one("ignore_edge_labels", .15, true)
	one("no_model", .2, true)
	if rng.IntN(6) == 0 {
		delete(r, "costs")
		delete(r, "ignore_edge_labels")
		if rng.IntN(4) > 0 {
			delete(r, "radius")
			delete(r, "mode")
		}
		if one("smarts", 1, "[O,S;H1]-C", "[N;!H0]", "[R]", "[Zn]", "[C"); rng.IntN(5) > 0 {
			smiles = "" // else there are two queries
		}
	}
	one("explain", .4, true)
	switch r["mode"] {
	case "checked", "proven", nil:
		// The usual time does not prove all on a busy machine. How many are as far away as the last of k, which
		// are tried once only, depends on each pair's share of it.
		if one("time_limit", .2, "20s", "30s"); r["mode"] == "checked" || r["k"] != 100 && (r["k"] != nil || r["radius"] == nil) {
			r["time_limit"] = "1h"
		}
	}
	switch rng.IntN(6) {
	case 0: // something is wrong
		wrong := []func(){
			func() { r["k"] = 0 }, func() { r["mode"] = "guessed" }, func() { r["radius"] = -1 }, func() { r["task"] = "mcs" },
			func() { r["filter"] = []string{"wieght<3"} }, func() { r["filter"] = []string{"odd"} }, func() { r["show"] = []string{"wieght"} },
			func() { r["costs"] = "none" }, func() { r["time_limit"] = "soon" }, func() { r["mode"], r["no_model"] = "predicted", true },
		}
		wrong[rng.IntN(len(wrong))]()
	}
	text, err := json.Marshal(r)
	if err != nil {
		panic(err)
	}
	return asked{smiles, text}
}

// plain leaves of the JSON of a search what is the same each time. By which bound graphs were
// excluded is not: it depends on whether vectors were read before.
func plain(text []byte) (object, error) {
	var found object
	if err := json.Unmarshal(text, &found); err != nil {
		return nil, err
	}
	for _, name := range []string{"seconds", "query", "smiles", "collection", "graphs"} {
		delete(found, name)
	}
	if question, ok := found["question"].(object); ok { // a service takes off what reading took, if that was long
		delete(question, "time_limit")
	}
	if stats, ok := found["stats"].(object); ok {
		maps.DeleteFunc(stats, func(name string, _ any) bool { return name == "excluded" || name == "solved" || name == "calls" })
	}
	return found, nil
}

func (a asked) search() (s operation.Search, err error) {
	err = json.Unmarshal(a.text, &s)
	return s, err
}

func byCommand(t *testing.T, dir string) func(asked) (object, error) {
	return func(a asked) (object, error) {
		search, err := a.search()
		if err != nil {
			return nil, err
		}
		c := searchCommand{Query: a.smiles, Collection: dir, searchFlags: searchFlags{Search: search}}
		if a.smiles == "" {
			c.Query, c.Collection = dir, ""
		}
		text, err := commanded(t, c.Run)
		if err != nil {
			return nil, err
		}
		return plain(text)
	}
}

// commanded returns what a command prints with --json.
func commanded(t *testing.T, command func(*session) error) ([]byte, error) {
	var b bytes.Buffer
	s := &session{ctx: t.Context(), out: newOutput(&b), json: true, workers: 1}
	err := command(s)
	if closed := s.out.Close(); err == nil {
		err = closed
	}
	return b.Bytes(), err
}

// TestSurfacesAgreeOnInfo: what is in memory, an index, several and a synthon space is described by the same JSON in Go,
// by the command line, over HTTP and by the pipe, beside the names that each gives it. Clients are told no paths.
func TestSurfacesAgreeOnInfo(t *testing.T) {
	index, records := smallIndex(t)
	folder := filepath.Dir(index)
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	charged := filepath.Join(folder, "charged.index")
	build := indexBuild{Graphs: write("some.smi", "CC[NH3+] a\nCCO b\n"), Out: charged}
	build.Header, build.Charge, build.Tautomers = "auto", true, true
	if _, err := commanded(t, build.Run); err != nil {
		t.Fatal(err)
	}
	second := filepath.Join(folder, "second.index")
	saveIndex(t, second, records[:9])
	if _, err := commanded(t, (&indexDelete{Index: second, IDs: []string{records[3].ID}}).Run); err != nil {
		t.Fatal(err)
	}
	space, err := greed.Open(t.Context(), greed.Source{Path: filepath.Join("..", "..", "examples", "spaces", "space.txt")})
	if err != nil {
		t.Fatal(err)
	}
	if err := space.Save(filepath.Join(folder, "space.index")); err != nil {
		t.Fatal(err)
	}
	ask := startPipe(t)
	for i, path := range []string{index, charged, second, index + "," + second,
		write("lost.indexes", "second.index\nlost.index\n"), filepath.Join(folder, "space.index")} {
		described := func(text []byte, err error) object {
			t.Helper()
			var d object
			if err == nil {
				err = json.Unmarshal(text, &d)
			}
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			return d
		}
		c, err := greed.Open(t.Context(), greed.Source{Path: path})
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(c.Info())
		if strings.Contains(string(text), folder) {
			t.Errorf("%s: %s tells paths", path, text)
		}
		want := described(text, errors.Join(err, c.Close()))
		got := make(map[string]object)
		got["command line"] = described(commanded(t, (&indexInfo{Index: []string{path}}).Run))
		got["HTTP"] = described(sent(t, hosting(t, path), "GET", "/v1/collections/mols", nil))
		key := fmt.Sprint(i)
		if _, err := ask("collection.open", object{"key": key, "path": path}); err != nil {
			t.Fatal(err)
		}
		got["pipe"] = described(ask("collection.info", object{"key": key}))
		own := map[string][]string{"command line": {"index", "notes", "repeated", "repeated_first"},
			"HTTP": {"name", "writable", "generation", "max_time_limit"}}
		for surface, d := range got {
			for _, name := range own[surface] {
				delete(d, name)
			}
			delete(d, "$schema")
			if diff := cmp.Diff(want, d); diff != "" {
				t.Errorf("%s: the %s describes it otherwise than Go:\n%s", path, surface, diff)
			}
		}
	}
}

// TestSurfacesAgreeOnChanges: the same change of the same collection has the same outcome in Go,
// over HTTP, by the pipe and by the command line, which deletes and adds by two commands, and what is refused is
// refused everywhere and changes nothing.
func TestSurfacesAgreeOnChanges(t *testing.T) {
	var dirs [4]string
	for i := range dirs {
		dirs[i], _ = smallIndex(t)
	}
	collection, err := greed.Open(t.Context(), greed.Source{Path: dirs[0]})
	if err != nil {
		t.Fatal(err)
	}
	defer collection.Close()
	s, ask := hosting(t, dirs[1]), startPipe(t)
	if _, err := ask("collection.open", object{"key": "c", "path": dirs[2]}); err != nil {
		t.Fatal(err)
	}
	ids := []string{"a", "b", "c", "d"}
	rng := rand.New(rand.NewPCG(31, 6))
	state, last, agreed, refused := "", "", 0, 0
	for i := range 60 {
		var change operation.Change
		var put []any
		var records []greed.Record
		packed := object{}
		var smiles []string
		var about []any
		for range rng.IntN(3) {
			id, molecule := ids[rng.IntN(len(ids))], []string{"CCO", "CCN", "c1ccccc1"}[rng.IntN(3)]
			if rng.IntN(20) == 0 {
				id = []string{"", strings.Repeat("x", 5000)}[rng.IntN(2)]
			}
			if slices.ContainsFunc(records, func(r greed.Record) bool { return r.ID == id }) {
				continue // the pipe wants every graph of a request to have an id of its own
			}
			put = append(put, object{"id": id, "smiles": molecule, "attributes": object{"round": i}})
			smiles, about = append(smiles, molecule), append(about, object{"id": id, "attributes": object{"round": i}})
			g, err := collection.ParseSMILES(molecule)
			if err != nil {
				t.Fatal(err)
			}
			records = append(records, greed.Record{ID: id, SMILES: molecule, Graph: g, Attributes: object{"round": i}})
		}
		if packed["smiles"], packed["about"] = smiles, about; len(smiles) == 0 {
			packed = object{}
		}
		for range rng.IntN(3) {
			change.Delete = append(change.Delete, ids[rng.IntN(len(ids))])
		}
		change.New = rng.IntN(4) == 0
		if rng.IntN(4) == 0 {
			change.State = &[]string{state, "another"}[rng.IntN(2)]
		}
		outcomes := make(map[string]*greed.Outcome)
		for surface, carryOut := range map[string]func() (greed.Outcome, error){
			"Go": func() (greed.Outcome, error) {
				c, err := change.Resolve(records)
				if err != nil {
					return greed.Outcome{}, err
				}
				return collection.Apply(t.Context(), c)
			},
			"body": func() (out greed.Outcome, err error) {
				text, err := posted(t, s, "/v1/collections/mols/graphs", struct {
					Put []any `json:"put,omitempty"`
					operation.Change
				}{put, change})
				if err == nil {
					err = json.Unmarshal(text, &out)
				}
				return out, err
			},
			"pipe": func() (out greed.Outcome, err error) {
				text, err := ask("collection.change", struct {
					Key    string `json:"key"`
					Graphs object `json:"graphs"`
					operation.Change
				}{"c", packed, change})
				if err == nil {
					err = json.Unmarshal(text, &out)
				}
				return out, err
			},
		} {
			if out, err := carryOut(); err == nil {
				outcomes[surface] = &out
			}
		}
		for _, out := range outcomes {
			out.State = "" // each index has its own
		}
		want := outcomes["Go"]
		for _, surface := range []string{"body", "pipe"} {
			if diff := cmp.Diff(want, outcomes[surface]); diff != "" && change.State == nil {
				t.Errorf("%d, %s: %+v %v: not as in Go:\n%s", i, surface, change, put, diff)
			} else if change.State != nil && *change.State == "another" && outcomes[surface] != nil {
				t.Errorf("%d, %s: another state was changed", i, surface)
			}
		}
		if state = collection.State(); want == nil {
			refused++
			continue
		}
		agreed++
		commands := []func(*session) error{(&indexDelete{Index: dirs[3], IDs: change.Delete}).Run}
		if len(change.Delete) == 0 {
			commands = nil
		}
		if len(records) > 0 {
			file := filepath.Join(t.TempDir(), "put.smi")
			text := ""
			for _, rec := range records {
				text += rec.SMILES + " " + rec.ID + "\n"
			}
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			add := indexAdd{Index: dirs[3], Graphs: file, Storing: change.Storing}
			add.Header = "auto"
			commands = append(commands, add.Run)
		}
		var sum greed.Outcome
		for _, command := range commands {
			var one greed.Outcome
			text, err := commanded(t, command)
			if err == nil {
				err = json.Unmarshal(text, &one)
			}
			if err != nil {
				t.Fatal(err)
			}
			sum = greed.Outcome{Put: sum.Put + one.Put, Replaced: sum.Replaced + one.Replaced,
				Deleted: sum.Deleted + one.Deleted, Notes: one.Notes}
			last = one.State
		}
		if diff := cmp.Diff(want, &sum); diff != "" {
			t.Errorf("%d, command line: %+v %v: not as in Go:\n%s", i, change, put, diff)
		}
	}
	reopened, err := greed.Open(t.Context(), greed.Source{Path: dirs[3]})
	if err != nil {
		t.Fatal(err)
	}
	defer reopened.Close()
	if last != reopened.State() {
		t.Errorf("the command line said that the state was %s, and it is %s", last, reopened.State())
	}
	if agreed < 20 || refused < 5 {
		t.Errorf("%d changes and %d refusals", agreed, refused)
	}
}

// posted sends a request to a service.
func posted(t *testing.T, s *server.Server, path string, body any) ([]byte, error) {
	return sent(t, s, "POST", path, body)
}

func sent(t *testing.T, s *server.Server, method, path string, body any) ([]byte, error) {
	text, err := json.Marshal(body)
	switch {
	case err != nil:
		return nil, err
	case body == nil:
		text = nil
	}
	r := httptest.NewRequestWithContext(t.Context(), method, "http://127.0.0.1"+path, bytes.NewReader(text))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		return nil, fmt.Errorf("%d: %s", w.Code, w.Body)
	}
	return w.Body.Bytes(), nil
}

// hosting returns a service of an index, called mols, which anyone may change.
func hosting(t *testing.T, dir string) *server.Server {
	t.Helper()
	c, err := greed.Open(t.Context(), greed.Source{Path: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	opt := server.Defaults()
	opt.Hosted = []server.Hosted{{Name: "mols", Collection: c, Writable: true}}
	opt.Access.Open, opt.Limits.Time = true, time.Hour
	s, err := server.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func byHTTP(t *testing.T, dir string) (body, address func(asked) (object, error)) {
	s := hosting(t, dir)
	ask := func(r *http.Request) (object, error) {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != http.StatusOK {
			return nil, fmt.Errorf("%d: %s", w.Code, w.Body)
		}
		return plain(w.Body.Bytes())
	}
	const path = "http://127.0.0.1/v1/collections/mols/search"
	body = func(a asked) (object, error) {
		text := string(a.text)
		if a.smiles != "" {
			text = fmt.Sprintf(`{"query":{"smiles":%q},%s`, a.smiles, a.text[1:])
		}
		text = strings.Replace(text, ",}", "}", 1) // of a request that asks for nothing else
		r := httptest.NewRequestWithContext(t.Context(), "POST", path, strings.NewReader(text))
		r.Header.Set("Content-Type", "application/json")
		return ask(r)
	}
	address = func(a asked) (object, error) {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(a.text, &fields); err != nil {
			return nil, err
		}
		values := make(url.Values)
		if a.smiles != "" {
			values.Set("smiles", a.smiles)
		}
		for name, value := range fields {
			var one string
			var list []string
			switch {
			case json.Unmarshal(value, &one) == nil:
				values[name] = []string{one}
			case json.Unmarshal(value, &list) == nil:
				values[name] = list
			default:
				values[name] = []string{string(value)}
			}
		}
		return ask(httptest.NewRequestWithContext(t.Context(), "GET", path+"?"+values.Encode(), nil))
	}
	return body, address
}

// startPipe starts the program behind Python and returns what asks it.
func startPipe(t *testing.T) func(op string, args any) (json.RawMessage, error) {
	p := newPiped(t)
	return func(op string, args any) (json.RawMessage, error) {
		result, _, err := p.ask(op, args)
		return result, err
	}
}

func byPipe(t *testing.T, dir string) func(asked) (object, error) {
	ask := startPipe(t)
	if _, err := ask("collection.open", object{"key": "c", "path": dir}); err != nil {
		t.Fatal(err)
	}
	return func(a asked) (object, error) {
		var args object
		if err := json.Unmarshal(a.text, &args); err != nil {
			return nil, err
		}
		if args["key"], args["workers"] = "c", 1; a.smiles != "" {
			args["queries"] = object{"smiles": []string{a.smiles}}
		}
		result, err := ask("collection.search", args)
		if err != nil {
			return nil, err
		}
		var list []json.RawMessage
		if err := json.Unmarshal(result, &list); err != nil || len(list) != 1 {
			return nil, fmt.Errorf("%d results: %w", len(list), err)
		}
		return plain(list[0])
	}
}

// TestSurfacesAgreeOnVectors: a search by vectors has the same answers by the command line,
// which reads the index on the disk, and over HTTP and by the pipe, where it is in memory.
func TestSurfacesAgreeOnVectors(t *testing.T) {
	dir, records := smallIndex(t)
	s, ask := hosting(t, dir), startPipe(t)
	if _, err := ask("collection.open", object{"key": "c", "path": dir}); err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(31, 3))
	file := filepath.Join(t.TempDir(), "queries.npy")
	agreed, refused := 0, 0
	for i := range 60 {
		var asked operation.Vectors
		asked.Embedding = []string{"ged", "sed", "ged", "sed", "", "none"}[rng.IntN(6)]
		if k := rng.IntN(20); rng.IntN(2) == 0 {
			asked.K = &k
		}
		if radius := rng.Float64()*6 - .5; rng.IntN(2) == 0 {
			asked.Radius = &radius
		}
		if rng.IntN(3) == 0 {
			asked.Filter = []string{[]string{"weight<30", "class in a,b", "wieght<3"}[rng.IntN(3)]}
		}
		c := searchCommand{Query: dir}
		if rng.IntN(2) == 0 {
			asked.Like = []string{records[rng.IntN(60)].ID, records[rng.IntN(60)].ID}
			if rng.IntN(6) == 0 {
				asked.Like[1] = "nobody"
			}
		} else {
			dim := 64 - rng.IntN(9)/8 // seldom a wrong one
			row := make([]float32, dim)
			for j := range row {
				row[j] = rng.Float32()
			}
			writeNPY(t, file, row, dim)
			c.Vector, asked.Vectors = file, [][]float32{row}
		}
		c.Compared, c.K, c.Radius, c.Filter = asked.Compared, asked.K, asked.Radius, asked.Filter
		printed, wrong := commanded(t, c.Run)
		text, err := posted(t, s, "/v1/collections/mols/vectors", asked)
		piped, failed := ask("collection.nearest", struct {
			Key string `json:"key"`
			operation.Vectors
		}{"c", asked})
		if (err == nil) != (wrong == nil) || (failed == nil) != (wrong == nil) {
			t.Errorf("%d: %+v: %v over HTTP, %v by the pipe, %v by the command line", i, asked, err, failed, wrong)
		}
		if err != nil || wrong != nil || failed != nil {
			refused++
			continue
		}
		agreed++
		var got operation.VectorAnswers
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		var third operation.VectorAnswers
		if err := json.Unmarshal(piped, &third); err != nil {
			t.Fatal(err)
		}
		for j, a := range answersOf(t, printed) {
			want := a
			want.Seconds, got.Results[j].Seconds, third.Results[j].Seconds = 0, 0, 0
			if diff := cmp.Diff(third.Results[j], got.Results[j]); diff != "" {
				t.Errorf("%d: %+v: HTTP is not as the pipe:\n%s", i, asked, diff)
			}
			if c.Vector != "" {
				want.Query = "0"
			}
			if diff := cmp.Diff(want, got.Results[j]); diff != "" {
				t.Errorf("%d: %+v: not as by the command line:\n%s", i, asked, diff)
			}
		}
	}
	if agreed < 10 || refused < 10 {
		t.Errorf("%d answers and %d refusals", agreed, refused)
	}
}
