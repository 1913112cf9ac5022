package server_test

import (
	"fmt"
	"reflect"
	"testing"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/server"
)

// TestBatchOrder: deletions come first, and of graphs with one id the last is kept.
func TestBatchOrder(t *testing.T) {
	s := start(t, nil)
	const path = "/v1/collections/own/graphs"
	s.ask(t, "POST", path, `{"id":"x","smiles":"C"}`+"\n"+`{"id":"x","smiles":"N"}`).want(t, 200, `"put":2`)
	s.ask(t, "GET", path+"/x", "").want(t, 200, `"smiles":"N"`)
	s.ask(t, "POST", path, `{"id":"x","smiles":"O"}`+"\n"+`{"id":"x","delete":true}`).want(t, 200)
	s.ask(t, "GET", path+"/x", "").want(t, 200, `"smiles":"O"`)
}

// TestNumbers: attributes keep the digits of numbers that no float64 holds, and numbers that a field
// does not take are refused in plain words.
func TestNumbers(t *testing.T) {
	s := start(t, nil)
	const path = "/v1/collections/own"
	s.ask(t, "PUT", path+"/graphs/big", `{"smiles":"CCO","attributes":{"uid":9007199254740993}}`).want(t, 200)
	s.ask(t, "POST", path+"/graphs", `{"id":"bigger","smiles":"CCO","attributes":{"uid":9007199254740995}}`).want(t, 200)
	s.ask(t, "GET", path+"/graphs/big", "").want(t, 200, `"uid":9007199254740993`)
	s.ask(t, "POST", path+"/search", `{"query":{"smiles":"CCO"},"filter":["uid>9007199254740993"],"show":["uid"]}`).want(t, 200, `"uid":9007199254740995`, `"answers":[{"id":"bigger"`)
	s.ask(t, "POST", path+"/search", `{"query":{"smiles":"CCO"},"k":3.0}`).want(t, 422, "k: a number 3.0, want a whole number such as 3")
	s.ask(t, "POST", path+"/search", `{"query":{"smiles":"CCO"},"radius":1e400}`).want(t, 400, "the number 1e400 is too large")
}

// TestBatchOfOneObject is the batch that generated clients send.
func TestBatchOfOneObject(t *testing.T) {
	s := start(t, func(o *server.Options) { o.Limits.Batch = 4 })
	const path = "/v1/collections/own/graphs"
	json := []string{"Content-Type", "application/json; charset=utf-8"}
	r := into[greed.Outcome](t, s.ask(t, "POST", path, `{"put":[{"id":"a","smiles":"CCS"},{"id":"m2","graph":{"nodes":[{"id":0,"label":"C"}],"edges":[]},"name":"methane"}],"delete":["m1","none"]}`, json...).want(t, 200))
	if r.State == "" || !reflect.DeepEqual(r, greed.Outcome{Put: 2, Replaced: 1, Deleted: 1, State: r.State}) {
		t.Errorf("result %+v", r)
	}
	s.ask(t, "GET", path+"/m2", "").want(t, 200, `"name":"methane"`)
	if r := into[greed.Outcome](t, s.ask(t, "POST", path, `{}`, json...).want(t, 200)); !reflect.DeepEqual(r, greed.Outcome{State: r.State}) {
		t.Errorf("nothing did %+v", r)
	}
	for _, c := range []struct{ body, says string }{
		{`{"put":[{"id":"c","smiles":"C"},{"id":"d","smiles":"C1"}]}`, "put[1]: the graph cannot be read"},
		{`{"put":[{"smiles":"C"}]}`, "put[0]: id: there is no id"},
		{`{"put":[{"id":"c","smiles":"C","tve":"t"}]}`, "2 graphs are given"},
		{`{"put":[{"id":"c","SMILES":"C"}]}`, `there is no member \"SMILES\"`},
		{`{"delete":["m3",""]}`, "delete[1]: id: there is no id"},
		{`{"id":"c","smiles":"C"}`, "x-ndjson"},
		{`{"put":[]}{}`, "more than one"},
		{`[]`, "an array, want an object"},
		{`{"put":[{"id":"c","smiles":"C","name":7}]}`, "name: a number, want a text"},
		{`{"put":[{"id":"c","graph":{"directed":true,"nodes":[{"id":0}],"edges":[]}}]}`, "directed"},
	} {
		s.ask(t, "POST", path, c.body, json...).want(t, 422, c.says)
	}
	// Labels that are numbers would be none; however a graph is sent, it is refused.
	for graph, says := range map[string]string{
		`{"nodes":[{"id":0,"label":1},{"id":1,"label":1.5}],"edges":[]}`:                   `\"label\" is of the type number, and not string`,
		`{"nodes":[{"id":0},{"id":1}],"edges":[{"source":0,"target":1,"label":true}]}`:     `\"label\" is of the type boolean, and not string`,
		`{"nodes":[{"id":0},{"id":1}],"edges":[{"source":0,"target":1,"wildcard":"yes"}]}`: `\"wildcard\" is of the type string, and not boolean`,
		`{"nodes":{"id":0,"label":"C"},"edges":[]}`:                                        `\"nodes\" is of the type object, and not array`,
	} {
		s.ask(t, "POST", path, `{"put":[{"id":"c","graph":`+graph+`}]}`, json...).want(t, 422, says)
		s.ask(t, "POST", path, `{"id":"c","graph":`+graph+`}`).want(t, 422, "line 1: ", says)
		s.ask(t, "PUT", path+"/c", `{"graph":`+graph+`}`).want(t, 422, says)
	}
	s.ask(t, "POST", path, `{"put":[{"id":"null","graph":{"nodes":[{"id":0,"label":null,"x":1}],"edges":[]}}],"delete":["null"]}`, json...).want(t, 200)
	s.ask(t, "DELETE", path+"/null", "").want(t, 200)
	// The graphs of a file have its ids and attributes; one that is wrong keeps all out.
	r = into[greed.Outcome](t, s.ask(t, "POST", path, `{"put":[{"id":"f1","smiles":"C"}],"text":"smiles,name,pKa\nCCO,f1,16\nCCN,f2,10.7\n","file":"two.csv"}`, json...).want(t, 200))
	if !reflect.DeepEqual(r, greed.Outcome{Put: 3, State: r.State, Notes: r.Notes}) {
		t.Errorf("a file did %+v", r)
	}
	s.ask(t, "GET", path+"/f1", "").want(t, 200, `"smiles":"CCO"`, `"pKa":"16"`)
	s.ask(t, "GET", path+"/f2", "").want(t, 200, `"smiles":"CCN"`, `"pKa":"10.7"`)
	// Graphs without an id replace no other.
	before := into[server.Info](t, s.ask(t, "GET", "/v1/collections/own", "").want(t, 200)).Graphs
	taken := fmt.Sprint(before + 2)
	r = into[greed.Outcome](t, s.ask(t, "POST", path, `{"put":[{"id":"`+taken+`","smiles":"O"}],"text":"CCCCO\nCCCCN\n","file":"new.smi"}`, json...).want(t, 200))
	again := into[greed.Outcome](t, s.ask(t, "POST", path, `{"text":"CCCCO\nCCCCN\n","file":"new.smi"}`, json...).want(t, 200))
	after := into[server.Info](t, s.ask(t, "GET", "/v1/collections/own", "").want(t, 200)).Graphs
	if r.Put != 3 || r.Replaced+again.Replaced != 0 || after != before+5 {
		t.Errorf("%d graphs, then %+v, %+v, %d", before, r, again, after)
	}
	s.ask(t, "GET", path+"/"+taken, "").want(t, 200, `"smiles":"O"`)
	s.ask(t, "POST", path, `{"text":"CCO c\nCC1 d\n"}`, json...).want(t, 422, "text: the graph cannot be read: line 2")
	s.ask(t, "POST", path, `{"text":"C\nC\nC\nC\nC\n"}`, json...).want(t, 413, "in parts")
	s.ask(t, "POST", path, `{"delete":["a","b","c","d","e"]}`, json...).want(t, 413, "in parts")
	s.ask(t, "POST", path, `{}`, "Content-Type", "///").want(t, 415)
	s.ask(t, "GET", path+"/c", "").want(t, 404)
	s.ask(t, "GET", path+"/m3", "").want(t, 200)
}
