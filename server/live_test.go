package server_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/server"
)

// TestSnapshotsAreSwitchedWithoutDroppingRequests serves what a link leads to
// and turns the link to another index while requests run.
func TestSnapshotsAreSwitchedWithoutDroppingRequests(t *testing.T) {
	first, link := folder(t), filepath.Join(t.TempDir(), "current")
	larger := collection(t)
	g, err := larger.ParseSMILES("CCS")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := larger.Put(t.Context(), greed.Record{ID: "added", SMILES: "CCS", Graph: g}); err != nil {
		t.Fatal(err)
	}
	second := filepath.Join(t.TempDir(), "second.index")
	if err := larger.Save(second); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(first, link); err != nil {
		t.Skip(err)
	}
	address, stop := listen(t, func(o *server.Options, _ *server.Listener) {
		o.RefreshEvery = 10 * time.Millisecond
		o.Hosted = []server.Hosted{{Name: "mols", Collection: open(t, link)}}
	})
	defer stop()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	get := func(path string) int {
		answer, err := client.Get("http://" + address + path)
		if err != nil {
			t.Error(err)
			return 0
		}
		answer.Body.Close()
		return answer.StatusCode
	}
	var end atomic.Bool
	var askers sync.WaitGroup
	for range 4 {
		askers.Go(func() {
			for !end.Load() {
				if got := get("/v1/collections/mols/search?smiles=CCO"); got != 200 {
					t.Errorf("status %d during the switch", got)
				}
			}
		})
	}
	if err := os.Symlink(second, link+".new"); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(link+".new", link); err != nil {
		t.Fatal(err)
	}
	for get("/v1/collections/mols/graphs/added") != 200 { // until the new index is served
		time.Sleep(10 * time.Millisecond)
	}
	end.Store(true)
	askers.Wait()
}

// TestWritesOfOthersShow adds to an index that is being served, as greed index
// add does in another process.
func TestWritesOfOthersShow(t *testing.T) {
	dir := folder(t)
	address, stop := listen(t, func(o *server.Options, _ *server.Listener) {
		o.RefreshEvery = 10 * time.Millisecond
		o.Hosted = []server.Hosted{{Name: "mols", Collection: open(t, dir), Writable: true}}
	})
	defer stop()
	other := open(t, dir)
	g, err := other.ParseSMILES("CCS")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Put(t.Context(), greed.Record{ID: "added", SMILES: "CCS", Graph: g}); err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for ; ; time.Sleep(10 * time.Millisecond) {
		answer, err := client.Get(fmt.Sprintf("http://%s/v1/collections/mols/graphs/added", address))
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode == 200 {
			return
		}
	}
}
