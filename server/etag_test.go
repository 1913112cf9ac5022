package server_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/server"
)

func TestETags(t *testing.T) {
	dir := folder(t)
	s := start(t, func(o *server.Options) {
		o.Hosted = []server.Hosted{{Name: "own", Collection: open(t, dir), Writable: true}, {Name: "memory", Collection: collection(t), Writable: true}}
	})
	for _, name := range []string{"own", "memory"} {
		base := "/v1/collections/" + name
		path := base + "/graphs/m1"
		r := s.ask(t, "GET", path, "").want(t, 200)
		tag := r.header.Get("ETag")
		if len(tag) < 3 || tag[0] != '"' || r.header.Get("Cache-Control") != "private, no-cache" {
			t.Fatalf("headers %v", r.header)
		}
		for _, read := range []string{path, base, base + "/graphs"} {
			for _, list := range []string{tag, `"other", ` + tag, "*", "W/" + tag, `W/"other" , W/` + tag} {
				if r := s.ask(t, "GET", read, "", "If-None-Match", list).want(t, 304); r.body != "" || r.header.Get("ETag") != tag {
					t.Errorf("%s: %v, %q", read, r.header, r.body)
				}
			}
			s.ask(t, "GET", read, "", "If-None-Match", `"other"`).want(t, 200)
			s.ask(t, "GET", read, "", "If-None-Match", `W/"other"`).want(t, 200)
		}
		if info := into[server.Info](t, s.ask(t, "GET", base, "")); etagOf(info.State) != tag {
			t.Errorf("the state is %q, the tag %s", info.State, tag)
		}
		s.ask(t, "PUT", path, `{"smiles":"CCS"}`, "If-Match", `"other"`).want(t, 412, "read it again")
		s.ask(t, "PUT", path, `{"smiles":"CCS"}`, "If-Match", "W/"+tag).want(t, 412)
		put := s.ask(t, "PUT", path, `{"smiles":"CCS"}`, "If-Match", `"other", `+tag).want(t, 200)
		next := put.header.Get("ETag")
		if now := s.ask(t, "GET", path, "").header.Get("ETag"); next == tag || next != now {
			t.Errorf("tags %s, %s, %s", tag, next, now)
		}
		for method, body := range map[string]string{"PUT": `{"smiles":"CCS"}`, "DELETE": ""} {
			if r := s.ask(t, method, path, body, "If-Match", tag).want(t, 412); r.header.Get("ETag") != next {
				t.Errorf("%s: the state now is %q", method, r.header.Get("ETag"))
			}
		}
		s.ask(t, "POST", base+"/graphs", `{"id":"a","smiles":"C"}`, "If-Match", tag).want(t, 412)
		s.ask(t, "POST", base+"/graphs", "\n", "If-Match", tag).want(t, 412)
		batch := s.ask(t, "POST", base+"/graphs", `{"id":"a","smiles":"C"}`, "If-Match", next).want(t, 200)
		gone := s.ask(t, "DELETE", base+"/graphs/a", "", "If-Match", batch.header.Get("ETag")).want(t, 200)
		if gone.header.Get("ETag") == next {
			t.Errorf("after a put and a deletion the tag is that before")
		}
		// What should be new, and what should be there.
		s.ask(t, "PUT", path, `{"smiles":"C"}`, "If-None-Match", "*").want(t, 412, "already")
		s.ask(t, "PUT", base+"/graphs/new", `{"smiles":"C"}`, "If-None-Match", "*").want(t, 200)
		s.ask(t, "PUT", base+"/graphs/none", `{"smiles":"C"}`, "If-Match", "*").want(t, 412, "If-Match: * asks for a graph that is there, but "+name+" has none of this id")
		s.ask(t, "DELETE", base+"/graphs/none", "", "If-Match", "*").want(t, 412, "asks for a graph that is there")
		s.ask(t, "DELETE", base+"/graphs/none", "", "If-Match", `W/"x", "y"`).want(t, 412, "read it again")
		s.ask(t, "PUT", base+"/graphs/new", `{"smiles":"CC"}`, "If-Match", "*").want(t, 200)
		s.ask(t, "PUT", path, `{"smiles":"C"}`, "If-None-Match", tag).want(t, 422)
	}
	// Another process changes the index: the tag is that of the disk.
	before := s.ask(t, "GET", "/v1/collections/own/graphs/m2", "").header.Get("ETag")
	other := open(t, dir)
	if _, err := other.Put(t.Context(), greed.Record{ID: "theirs", Graph: mustParse(t, other, "CCO")}); err != nil {
		t.Fatal(err)
	}
	s.ask(t, "PUT", "/v1/collections/own/graphs/m2", `{"smiles":"C"}`, "If-Match", before).want(t, 412)
}

func etagOf(state string) string { return `"` + state + `"` }

func mustParse(t testing.TB, c *greed.Collection, smiles string) *greed.Graph {
	t.Helper()
	g, err := c.ParseSMILES(smiles)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestOneOfManyWins: of clients that change the same state at once one is served, and
// no change is lost.
func TestOneOfManyWins(t *testing.T) {
	s := start(t, nil)
	const path, clients, rounds = "/v1/collections/own/graphs/counter", 4, 5
	s.ask(t, "PUT", path, `{"smiles":"C","name":"n0"}`).want(t, 200)
	var refused atomic.Int64
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for done := 0; done < rounds; {
				r := s.whole(t, "GET", path, "")
				var n int
				if _, err := fmt.Sscanf(into[server.Record](t, r).Name, "n%d", &n); err != nil {
					t.Error(err)
					return
				}
				put := s.whole(t, "PUT", path, fmt.Sprintf(`{"smiles":"C","name":"n%d"}`, n+1), "If-Match", r.header.Get("ETag"))
				switch put.status {
				case 200:
					done++
				case 412:
					refused.Add(1)
				default:
					t.Errorf("%d: %s", put.status, put.body)
					return
				}
			}
		})
	}
	all.Wait()
	s.ask(t, "GET", path, "").want(t, 200, fmt.Sprintf(`"name":"n%d"`, clients*rounds))
	t.Logf("%d refused", refused.Load())
}

func TestListGraphs(t *testing.T) {
	s := start(t, func(o *server.Options) {
		o.Hosted = append(o.Hosted, server.Hosted{Name: "empty", Collection: greed.New()})
	})
	const base = "/v1/collections/own/graphs"
	odd := []string{"", "a/b", "é", "z z", "\"", "a\x00b"}
	for _, id := range odd[1:] {
		s.ask(t, "POST", base, fmt.Sprintf(`{"put":[{"id":%q,"smiles":"CC"}]}`, strings.ReplaceAll(id, "\x00", "")), "Content-Type", "application/json").want(t, 200)
	}
	walk := func(query string, limit int) (ids []string) {
		for cursor, pages := "", 0; ; pages++ {
			address := fmt.Sprintf("%s?limit=%d%s", base, limit, query)
			if cursor != "" {
				address += "&cursor=" + cursor
			}
			p := into[server.Page](t, s.ask(t, "GET", address, "").want(t, 200))
			for _, g := range p.Graphs {
				ids = append(ids, g.ID)
			}
			if cursor = p.Next; cursor == "" {
				return ids
			}
			if len(p.Graphs) != limit && query == "" || pages > 100 {
				t.Fatalf("a part of %d graphs, limit %d, has a next", len(p.Graphs), limit)
			}
		}
	}
	all := walk("", 1000)
	if len(all) != len(molecules)+len(odd)-1 {
		t.Fatalf("ids %q", all)
	}
	for i := range all[1:] {
		if all[i] >= all[i+1] {
			t.Errorf("%q stands before %q", all[i], all[i+1])
		}
	}
	for _, limit := range []int{1, 3, 7} {
		if got := walk("", limit); fmt.Sprint(got) != fmt.Sprint(all) {
			t.Errorf("limit %d: %q", limit, got)
		}
	}
	if got := walk("&filter=number%3E%3D8", 2); fmt.Sprint(got) != "[m8 m9]" {
		t.Errorf("filtered %q", got)
	}
	p := into[server.Page](t, s.ask(t, "GET", base+"?limit=2&filter=id%3Dm4&whole=true", "").want(t, 200))
	if len(p.Graphs) != 1 || p.Graphs[0].Nodes != 7 || p.Graphs[0].Graph == nil || p.Graphs[0].Attributes["number"] != 4.0 || p.Graphs[0].SMILES != "c1ccccc1O" {
		t.Errorf("listed %+v", p)
	}
	// What stays is listed once while others come and go.
	first := into[server.Page](t, s.ask(t, "GET", base+"?limit=4", "").want(t, 200))
	s.ask(t, "POST", base, `{"id":"m9","delete":true}`+"\n"+`{"id":"m5","smiles":"CCCl"}`+"\n"+`{"id":"0","smiles":"C"}`).want(t, 200)
	rest := into[server.Page](t, s.ask(t, "GET", base+"?limit=1000&cursor="+first.Next, "").want(t, 200))
	if got := len(first.Graphs) + len(rest.Graphs); got != len(all)-1 || rest.Next != "" {
		t.Errorf("%d graphs are listed, want %d", got, len(all)-1)
	}
	if p := into[server.Page](t, s.ask(t, "GET", "/v1/collections/empty/graphs", "").want(t, 200)); p.Graphs == nil || len(p.Graphs) != 0 || p.Next != "" {
		t.Errorf("of nothing %+v", p)
	}
	for query, says := range map[string]string{"?limit=0": "limit", "?limit=1001": "limit", "?cursor=%2B": "cursor", "?filter=x": "filter", "?filter=nmuber%3C3": "no graph has the attribute", "?cursor=": "empty"} {
		s.ask(t, "GET", base+query, "").want(t, 422, says)
	}
}
