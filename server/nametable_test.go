package server_test

import (
	"strings"
	"testing"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/server"
)

// TestNamesTable: queries are given by names and CAS numbers, and answers have the names,
// however their SMILES are written.
func TestNamesTable(t *testing.T) {
	table, err := server.ReadNames(strings.NewReader("\ufeffCAS,Name,SMILES,note\n64-17-5,Ethanol,OCC,\n,\"benzene, pure\",C1=CC=CC=C1,x\n"), "names.csv")
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, func(o *server.Options) { o.Names = table })
	for _, given := range []string{`{"text":"ethanol"}`, `{"smiles":"ETHANOL"}`, `{"text":" 64-17-5\n"}`} {
		p := into[greed.Parsed](t, s.ask(t, "POST", "/v1/parse", given).want(t, 200))
		if p.SMILES != "OCC" || p.Name != "Ethanol, CAS 64-17-5" {
			t.Errorf("%s is read as %+v", given, p)
		}
	}
	if p := into[greed.Parsed](t, s.ask(t, "POST", "/v1/parse", `{"text":"Benzene, Pure"}`).want(t, 200)); p.Nodes != 6 || p.Name != "benzene, pure" {
		t.Errorf("benzene is read as %+v", p)
	}
	s.ask(t, "PUT", "/v1/collections/own/graphs/x", `{"smiles":"CCO"}`).want(t, 200)
	s.ask(t, "PUT", "/v1/collections/own/graphs/y", `{"smiles":"c1ccccc1"}`).want(t, 200)
	s.ask(t, "PUT", "/v1/collections/own/graphs/z", `{"smiles":"c1ccccc1","name":"mine"}`).want(t, 200)
	found := into[greed.Found](t, s.ask(t, "POST", "/v1/collections/own/search", `{"query":{"text":"ethanol"},"k":100}`).want(t, 200))
	names := make(map[string]string)
	for _, a := range found.Answers {
		names[a.ID] = a.Name
	}
	if names["x"] != "Ethanol, CAS 64-17-5" || names["y"] != "benzene, pure" || names["z"] != "mine" {
		t.Errorf("answers are named %v", names)
	}
	// What neither reads nor is named is refused as ever.
	s.ask(t, "POST", "/v1/parse", `{"smiles":"methanole"}`).want(t, 422)
	for text, want := range map[string]string{
		"":                             "names.csv: the table",
		"a,b\n1,2\n":                   "needs a column name",
		"name,smiles\nx,C1CC\n":        "names.csv:2: ",
		"name\tid\nn\tx\n\"un\"q\tx\n": "",
		"name,smiles\n\"x,C\n":         "names.csv: ",
	} {
		if _, err := server.ReadNames(strings.NewReader(text), "names.csv"); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestNamesOfCompounds: a query may be the name of a drug as a SMILES or a text, an operator's table goes first, and
// what is not known says so.
func TestNamesOfCompounds(t *testing.T) {
	s := start(t, nil)
	for _, field := range []string{"smiles", "text"} {
		s.ask(t, "POST", "/v1/parse", `{"`+field+`":"acetylsalicylic acid"}`).
			want(t, 200, `"smiles":"CC(=O)Oc1ccccc1C(=O)O"`, `"name":"Acetylsalicylic acid, CAS 50-78-2"`, `is read as`)
		s.ask(t, "POST", "/v1/parse", `{"`+field+`":"asprin"}`).
			want(t, 422, `no name that is known here: is it Acetylsalicylic acid?`)
	}
	table, err := server.ReadNames(strings.NewReader("name,smiles\naspirin,CCO\nCC,CCN\n"), "t.csv")
	if err != nil {
		t.Fatal(err)
	}
	s = start(t, func(o *server.Options) { o.Names = table })
	s.ask(t, "POST", "/v1/parse", `{"text":"Aspirin"}`).want(t, 200, `"smiles":"CCO"`)
	s.ask(t, "POST", "/v1/parse", `{"text":"CC"}`).want(t, 200, `"smiles":"CC"`)
}
