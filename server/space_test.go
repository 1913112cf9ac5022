package server_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/server"
)

// TestSpace: a synthon space is a collection that is searched, whose products are got by their ids, and all else is
// refused with the reason.
func TestSpace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "space.index")
	text := open(t, filepath.Join("..", "examples", "spaces", "space.txt"))
	if err := text.Save(path); err != nil {
		t.Fatal(err)
	}
	s := start(t, func(opt *server.Options) {
		opt.RefreshEvery = time.Hour
		opt.Hosted = append(opt.Hosted, server.Hosted{Name: "space", Collection: open(t, path)})
	})
	const of = "/v1/collections/space"
	info := into[server.Info](t, s.ask(t, "GET", of, "").want(t, 200))
	if x := info.Space; x == nil || *x != (greed.SpaceSize{Reactions: 4, Synthons: 25, Products: 50}) ||
		info.Graphs != 50 || !info.Molecules || info.Writable {
		t.Errorf("%+v, %+v", info, x)
	}
	const query = `{"query": {"smiles": "O=C(NCC1CC1)c1ccccc1"}, "radius": 3, "explain": true}`
	found := into[greed.Found](t, s.ask(t, "POST", of+"/search", query).want(t, 200))
	if a := found.Answers; !found.Certified || len(a) != 5 || len(a[0].Origins) != 2 || a[1].Edits == nil || found.Made == nil {
		t.Errorf("%+v", found)
	}
	for _, accept := range []string{"application/x-ndjson", "text/csv", "chemical/x-mdl-sdfile"} {
		s.ask(t, "POST", of+"/search", query, "Accept", accept).want(t, 200, "amide:isonicotinoyl+cyclopropylmethylamine")
	}
	for _, accept := range []string{"text/csv", "chemical/x-mdl-sdfile"} {
		s.ask(t, "POST", of+"/search", query, "Accept", accept).want(t, 200,
			"amide:benzoyl+cyclopropylmethylamine; acylation:benzoylchloride+aminomethylcyclopropane")
	}
	s.ask(t, "GET", of+"/search?smarts=NC(=O)N&k=1", "").want(t, 200, "urea:", `"contain":{`)
	s.ask(t, "GET", of+"/graphs/amide:benzoyl+cyclopropylmethylamine", "").want(t, 200, "O=C(NCC1CC1)c1ccccc1")
	s.ask(t, "GET", of+"/attributes", "").want(t, 200, `"name":"reaction_id","count":50`, `{"value":"amide","count":36}`)
	s.ask(t, "GET", of+"/graphs/amide:nobody", "").want(t, 404)
	const why = "the products of a synthon space are searched, and neither listed nor changed"
	for _, r := range [][3]string{
		{"GET", of + "/graphs", ""}, {"GET", of + "/attributes/weight", ""}, {"POST", of + "/join", `{"radius": 1}`},
		{"POST", of + "/sar", `{"core": "CC"}`}, {"POST", of + "/parts", `{"query": {"smiles": "CCO"}}`},
		{"POST", of + "/cliffs", `{"attribute": "weight"}`}, {"POST", of + "/vectors", `{"like": ["1"]}`},
	} {
		s.ask(t, r[0], r[1], r[2]).want(t, 409, why)
	}
	s.ask(t, "GET", of+"/map", "").want(t, 409)
	s.ask(t, "PUT", of+"/graphs/x", `{"smiles": "CCO"}`).want(t, 403)

	// What is read ahead of other collections a space does not have.
	ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	if s.Refresh(ctx); strings.Contains(s.log.String(), "cannot be read") {
		t.Error(s.log.String())
	}
}
