package server_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/server"
)

// rooted serves the collections of a folder, and a writable one that is not in it.
func rooted(t *testing.T, root string, change func(*server.Options)) *service {
	t.Helper()
	return start(t, func(o *server.Options) {
		created, unopened, err := server.OpenRoot(t.Context(), root)
		if err != nil {
			t.Fatal(err)
		}
		o.Root, o.Unopened = root, len(unopened)
		o.Hosted = append(o.Hosted, created...)
		if change != nil {
			change(o)
		}
	})
}

// TestRootWithADamagedIndex: a service starts without the collection that it cannot open,
// says so, and gives its name to no other.
func TestRootWithADamagedIndex(t *testing.T) {
	root := t.TempDir()
	first := rooted(t, root, nil)
	for _, name := range []string{"good", "bad"} {
		first.ask(t, "PUT", "/v1/collections/"+name, `{}`).want(t, 201)
	}
	database := filepath.Join(root, "bad.index", "collection.db")
	if err := os.Truncate(database, 100); err != nil {
		t.Fatal(err)
	}
	_, unopened, err := server.OpenRoot(t.Context(), root)
	if err != nil || len(unopened) != 1 || !strings.Contains(unopened[0].Error(), "bad.index") {
		t.Errorf("unopened %v, error %v, want one of bad.index", unopened, err)
	}
	s := rooted(t, root, nil)
	if r := s.whole(t, "GET", "/readyz", ""); r.status != 503 || !strings.Contains(string(r.body), "1 of 4 collections cannot be read") {
		t.Errorf("/readyz says %d %s", r.status, r.body)
	}
	s.ask(t, "PUT", "/v1/collections/good/graphs/1", `{"smiles":"C"}`).want(t, 200)
	s.ask(t, "GET", "/v1/collections/bad", "").want(t, 404)
	s.ask(t, "PUT", "/v1/collections/bad", `{}`).want(t, 409)
}

func TestCreateAndDrop(t *testing.T) {
	root := t.TempDir()
	s := rooted(t, root, nil)
	const path = "/v1/collections/steps"
	if creates := s.ask(t, "GET", "/v1/collections", "").want(t, 200).header.Get("Greed-Creates"); creates != "true" {
		t.Errorf("with a folder, Greed-Creates is %q", creates)
	}
	info := into[server.Info](t, s.ask(t, "PUT", path, `{}`).want(t, 201))
	if info.Name != "steps" || info.Graphs != 0 || !info.Writable || len(info.Models) != 0 {
		t.Errorf("created %+v", info)
	}
	s.ask(t, "PUT", path, "").want(t, 409, "already")
	s.ask(t, "PUT", "/v1/collections/STEPS", "").want(t, 409, "already")
	s.ask(t, "PUT", "/v1/collections/mols", "").want(t, 409)
	const directed = `{"graph":{"directed":true,"nodes":[{"id":0,"label":"read"},{"id":1,"label":"write"}],"edges":[{"source":0,"target":1}]}}`
	s.ask(t, "PUT", path+"/graphs/1", directed).want(t, 200)
	s.ask(t, "PUT", path+"/graphs/2", `{"smiles":"C"}`).want(t, 422, "directed")
	s.ask(t, "POST", path+"/search", `{"query":`+directed+`}`).want(t, 200, `"id":"1"`, `"status":"proven"`)
	s.ask(t, "GET", "/metrics", "").want(t, 200, `greed_graphs{collection="steps"} 1`)
	if m := into[server.Info](t, s.ask(t, "PUT", "/v1/collections/drugs", `{"models":"molecules"}`).want(t, 201)); len(m.Models) != 2 {
		t.Errorf("created %+v", m)
	}
	s.ask(t, "PUT", "/v1/collections/drugs/graphs/a", `{"smiles":"CCO"}`).want(t, 200)
	s.ask(t, "GET", "/v1/collections/drugs/search?smiles=CCN&mode=predicted", "").want(t, 200, `"id":"a"`)
	for _, part := range []string{"attributes", "attributes/x", "labels", "graphs", "map"} {
		s.ask(t, "GET", "/v1/collections/drugs/"+part, "").want(t, 200)
	}

	// A service that starts has what was created.
	again := rooted(t, root, nil)
	list := into[[]server.Info](t, again.ask(t, "GET", "/v1/collections", ""))
	if len(list) != 4 || list[2].Name != "drugs" || list[3].Name != "steps" || !list[3].Directed {
		t.Errorf("after the start there are %+v", list)
	}

	tag := s.ask(t, "GET", path, "").header.Get("ETag")
	s.ask(t, "PUT", path+"/graphs/3", directed).want(t, 200)
	s.ask(t, "DELETE", path, "", "If-Match", tag).want(t, 412)
	s.ask(t, "DELETE", path, "").want(t, 200, `"deleted":true`)
	s.ask(t, "DELETE", path, "").want(t, 404)
	s.ask(t, "GET", path+"/graphs/1", "").want(t, 404)
	s.ask(t, "DELETE", "/v1/collections/own", "").want(t, 403, "not in the folder")
	s.ask(t, "DELETE", "/v1/collections/mols", "").want(t, 403, "read-only")
	s.ask(t, "PUT", path, "").want(t, 201) // the name is free
	s.ask(t, "GET", path+"/graphs/1", "").want(t, 404)
	holdsOnly(t, root, "drugs.index", "steps.index")
}

// TestMostCollections: there can be 1,000 collections; to delete one makes room for another.
func TestMostCollections(t *testing.T) {
	root := t.TempDir()
	s := rooted(t, root, func(o *server.Options) {
		for i := len(o.Hosted); i < 999; i++ {
			c := greed.New()
			t.Cleanup(func() { c.Close() })
			o.Hosted = append(o.Hosted, server.Hosted{Name: fmt.Sprint("c", i), Collection: c})
		}
	})
	s.ask(t, "PUT", "/v1/collections/last", "").want(t, 201)
	s.ask(t, "PUT", "/v1/collections/more", "").want(t, 507, "there are already 1000 collections")
	s.ask(t, "GET", "/v1/collections/more", "").want(t, 404)
	holdsOnly(t, root, "last.index")
	s.ask(t, "DELETE", "/v1/collections/last", "").want(t, 200)
	s.ask(t, "PUT", "/v1/collections/more", "").want(t, 201)
}

// holdsOnly fails unless the folder comes to hold the entries and nothing else.
func holdsOnly(t *testing.T, root string, want ...string) {
	t.Helper()
	var names []string
	for range 6000 { // a minute, for what goes in the background
		entries, err := os.ReadDir(root)
		if err != nil {
			t.Fatal(err)
		}
		names = nil
		for _, e := range entries {
			names = append(names, e.Name())
		}
		if strings.Join(names, " ") == strings.Join(want, " ") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("the folder has %q, want %q", names, want)
}

func TestNamesOfCollections(t *testing.T) {
	root := t.TempDir()
	s := rooted(t, root, nil)
	for _, name := range []string{"..", "%2e%2e", "a%2Fb", "a%5Cb", ".a", "-a", "a.b", "a b", "%C3%A9", "a%00", "con", "NUL", "com1", strings.Repeat("a", 65), "%3Cscript%3E"} {
		r := s.whole(t, "PUT", "/v1/collections/"+name, `{}`)
		if r.status != 422 && r.status != 404 && r.status != 400 && r.status != 405 {
			t.Errorf("%s: %d, %s", name, r.status, r.body)
		}
	}
	s.ask(t, "PUT", "/v1/collections/"+strings.Repeat("a", 64), `{}`).want(t, 201)
	holdsOnly(t, root, strings.Repeat("a", 64)+".index")
}

// TestWhoCreates: those who may write, where there is a folder for it.
func TestWhoCreates(t *testing.T) {
	start(t, nil).ask(t, "PUT", "/v1/collections/a", `{}`).want(t, 403, "no folder")
	root := t.TempDir()
	s := rooted(t, root, func(o *server.Options) {
		o.Access.Read = func() []string { return []string{"r"} }
		o.Access.Write = func() []string { return []string{"w"} }
	})
	for _, method := range []string{"PUT", "DELETE"} {
		s.ask(t, method, "/v1/collections/a", "").want(t, 401)
		s.ask(t, method, "/v1/collections/a", "", "Authorization", "Bearer r").want(t, 403)
	}
	holdsOnly(t, root)
	s.ask(t, "PUT", "/v1/collections/a", "", "Authorization", "Bearer w").want(t, 201)
	s.ask(t, "DELETE", "/v1/collections/a", "", "Authorization", "Bearer w").want(t, 200)
}

// TestLinksInRoot: what a link in the folder leads to is served, and is never deleted,
// replaced or made where it leads to.
func TestLinksInRoot(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	real := filepath.Join(outside, "real.index")
	if err := collection(t).Save(real); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(outside, "dropped"), 0o777); err != nil {
		t.Fatal(err)
	}
	nowhere := filepath.Join(outside, "nowhere")
	for name, target := range map[string]string{
		"linked.index": real, "gone.index": nowhere, "etc.index": outside, "round.index": "round.index", ".dropped-1": filepath.Join(outside, "dropped"),
	} {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Skip(err)
		}
	}
	s := rooted(t, root, nil)
	var names []string
	for _, info := range into[[]server.Info](t, s.ask(t, "GET", "/v1/collections", "")) {
		names = append(names, info.Name)
	}
	if got := strings.Join(names, " "); got != "mols own linked" {
		t.Errorf("there are %s", got)
	}
	s.ask(t, "GET", "/v1/collections/linked/graphs/m0", "").want(t, 200)
	for _, name := range []string{"gone", "etc", "round"} {
		if r := s.ask(t, "PUT", "/v1/collections/"+name, ""); r.status < 400 || r.status >= 500 || strings.Contains(r.body, outside) {
			t.Errorf("%s: %d %s", name, r.status, r.body)
		}
	}
	s.ask(t, "DELETE", "/v1/collections/linked", "").want(t, 200)
	holdsOnly(t, root, "etc.index", "gone.index", "round.index")
	holdsOnly(t, outside, "dropped", "real.index")
	if c := open(t, real); c.Len() != len(molecules) {
		t.Errorf("%d graphs are left where the link led to", c.Len())
	}
}

// TestDropWhileUsed: requests that use a collection end as they would, however often it
// is created and dropped.
func TestDropWhileUsed(t *testing.T) {
	root := t.TempDir()
	s := rooted(t, root, func(o *server.Options) { o.RefreshEvery = time.Millisecond })
	go s.Refresh(t.Context())
	const path = "/v1/collections/a"
	stop := make(chan struct{})
	var all sync.WaitGroup
	for i := range 3 {
		all.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				var r reply
				switch i {
				case 0:
					r = s.whole(t, "PUT", path+"/graphs/1", `{"smiles":"CCO"}`)
				case 1:
					r = s.whole(t, "GET", path+"/search?smiles=CCN", "")
				case 2:
					r = s.whole(t, "GET", path+"/graphs", "")
				}
				if r.status != 200 && r.status != 404 {
					t.Errorf("%d: %s", r.status, r.body)
				}
			}
		})
	}
	for range 8 {
		s.ask(t, "PUT", path, "").want(t, 201)
		time.Sleep(10 * time.Millisecond)
		s.ask(t, "DELETE", path, "").want(t, 200)
	}
	close(stop)
	all.Wait()
	holdsOnly(t, root)
}

// TestLeftoversAreSwept: what a killed service had begun to delete or to create goes.
func TestLeftoversAreSwept(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{".dropped-1/a", ".dropped-2", "b.index.tmp", "c.index"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	s := rooted(t, root, nil)
	s.ask(t, "GET", "/v1/collections/c", "").want(t, 404) // no index
	s.ask(t, "PUT", "/v1/collections/c", "").want(t, 409)
	s.ask(t, "PUT", "/v1/collections/b", "").want(t, 201)
	holdsOnly(t, root, "b.index", "c.index")
}

// TestCreateCompared: a collection is created with what it compares, says so, and reads
// graphs and queries by it, also after the next start.
func TestCreateCompared(t *testing.T) {
	root := t.TempDir()
	s := rooted(t, root, nil)
	const path = "/v1/collections/ions"
	s.ask(t, "PUT", path, `{"compared":["smells"]}`).want(t, 422, "smells")
	s.ask(t, "PUT", path, `{"compared":["charges"],"models":"molecules"}`).want(t, 422, "were not trained on charges")
	s.ask(t, "PUT", path, `{"compared":["charges","isotopes"]}`).want(t, 201, `"compared":["charges","isotopes"]`)
	s.ask(t, "PUT", path+"/graphs/acid", `{"smiles":"CC(=O)O"}`).want(t, 200)
	for _, s := range []*service{s, rooted(t, root, nil)} {
		s.ask(t, "GET", path, "").want(t, 200, `"compared":["charges","isotopes"]`)
		s.ask(t, "POST", path+"/search", `{"query":{"smiles":"CC(=O)[O-]"}}`).want(t, 200, `"upper":1`, `"compared":["charges","isotopes"]`)
		pair := `{"query":{"smiles":"CC(=O)[O-]"},"target":{"smiles":"CC(=O)O"}`
		s.ask(t, "POST", "/v1/distance", pair+`}`).want(t, 200, `"upper":0`)
		s.ask(t, "POST", "/v1/distance", pair+`,"collection":"`+path[strings.LastIndex(path, "/")+1:]+`"}`).want(t, 200, `"upper":1`)
	}
	for _, c := range []struct{ name, compared, stored, same, other, distance string }{
		{"stereo", "stereochemistry", "C[C@H](N)C(=O)O", "OC(=O)[C@@H](N)C", "C[C@@H](N)C(=O)O", `"upper":1`},
		{"bonds", "stereochemistry", "C/C=C/C", "C\\\\C=C\\\\C", "C/C=C\\\\C", `"upper":1`},
		{"hydrogens", "hydrogens", "C=O", "O=C([H])[H]", "CO", `"upper":3`},
	} {
		path := "/v1/collections/" + c.name
		s.ask(t, "PUT", path, `{"compared":["`+c.compared+`"]}`).want(t, 201, c.compared)
		s.ask(t, "PUT", path+"/graphs/first", `{"smiles":"`+c.stored+`"}`).want(t, 200)
		for _, s := range []*service{s, rooted(t, root, nil)} {
			s.ask(t, "POST", path+"/search", `{"query":{"smiles":"`+c.same+`"}}`).want(t, 200, `"upper":0`, c.compared)
			s.ask(t, "POST", path+"/search", `{"query":{"smiles":"`+c.other+`"}}`).want(t, 200, c.distance, c.compared)
		}
	}
}

// TestNamesAreCores: over HTTP the core of a series may be a name, and one that is not known says so.
func TestNamesAreCores(t *testing.T) {
	s := rooted(t, t.TempDir(), nil)
	const path = "/v1/collections/acids"
	s.ask(t, "PUT", path, "").want(t, 201)
	s.ask(t, "PUT", path+"/graphs/toluic", `{"smiles":"Cc1ccccc1C(=O)O"}`).want(t, 200)
	s.ask(t, "POST", path+"/sar", `{"core":"benzoic acid"}`).want(t, 200, `"total":1`, "read as Benzoic acid")
	s.ask(t, "POST", path+"/sar", `{"core":"benzoic acit"}`).want(t, 422, "is it Benzoic acid?")
}

// TestCreateForms: a collection reads molecules in the standard forms that it was created with, queries too, and says
// so, also after the next start.
func TestCreateForms(t *testing.T) {
	root := t.TempDir()
	s := rooted(t, root, nil)
	const path = "/v1/collections/forms"
	s.ask(t, "PUT", path, `{"forms":["flat"]}`).want(t, 422, "flat")
	s.ask(t, "PUT", path, `{"forms":["tautomers"],"models":"molecules"}`).want(t, 422, "set models to none")
	const both = `"forms":["largest_fragment","tautomers"]`
	s.ask(t, "PUT", path, `{"forms":["tautomers","largest_fragment"]}`).want(t, 201, both)
	const neutral = "/v1/collections/neutral"
	s.ask(t, "PUT", neutral, `{"forms":["neutralise"],"models":"molecules"}`).want(t, 201, `"forms":["neutralise"]`)
	s.ask(t, "PUT", path+"/graphs/pyridone", `{"smiles":"O=c1cccc[nH]1.Cl"}`).want(t, 200)
	s.ask(t, "PUT", neutral+"/graphs/glycine", `{"smiles":"[NH3+]CC(=O)[O-]"}`).want(t, 200)
	for _, s := range []*service{s, rooted(t, root, nil)} {
		s.ask(t, "GET", path, "").want(t, 200, both)
		s.ask(t, "POST", path+"/search", `{"query":{"smiles":"Oc1ccccn1"}}`).want(t, 200, `"upper":0`, both,
			"tautomers are not compared", "largest fragments only, tautomers as one molecule")
		s.ask(t, "POST", neutral+"/search", `{"query":{"smiles":"NCC(=O)O"}}`).want(t, 200, `"upper":0`,
			"charges taken up by hydrogens")
	}
}
