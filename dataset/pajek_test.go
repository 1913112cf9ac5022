package dataset_test

import (
	"strings"
	"testing"

	"github.com/greedgraph/greed/dataset"
)

const waterPajek = "% made by hand\r\n*Network water\r\n*Vertices 3\r\n 1 \"O\" 0.5 0.5 ellipse ic Red\r\n 2 H\r\n 3 \"H\"\r\n*Edges\r\n1 2 1 l single\r\n1 3 1 l \"single\" c Blue\r\n"

func TestPajek(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"water", waterPajek, "O H H; 0-1:single 0-2:single"},
		{"arcs", "*vertices 3\n*arcs :1 \"knows\"\n1 2\n3 2 2.5\n", "0 0 0; 0>1:0 2>1:0"},
		{"lists", "*Vertices 4 2\n1 a\n4 b\n*Edgeslist\n1 2 3\n4 2\n", "a 0 0 b; 0-1:0 0-2:0 1-3:0"},
		{"lists of arcs", "*Vertices 3\n*Arcslist\n1 2 3\n", "0 0 0; 0>1:0 0>2:0"},
		{"names are numbers", "*Vertices 2\n1 \"1\"\n2 \"2\"\n*Edges\n2 1\n", "0 0; 0-1:0"},
		{"no vertices", "*Vertices 0\n", "; "},
		{"empty arcs beside edges", "*Vertices 2\n*Edges\n1 2\n*Arcs\n", "0 0; 0-1:0"},
	} {
		for _, opt := range []dataset.Options{{}, {Format: "pajek"}} {
			list, _ := mustRead(t, c.text, "x", opt)
			if len(list) != 1 || drawing(list[0].Graph) != c.want {
				t.Errorf("%s: %+v, want %s", c.name, list, c.want)
			}
		}
	}
	// Several networks, with and without their lines, and a partition.
	list, notes := mustRead(t, waterPajek+"*Partition colours\n*Vertices 3\n1\n2\n1\n*Network b\n*Vertices 1\n", "x.net", dataset.Options{})
	if len(list) != 2 || list[0].ID != "water" || list[0].Line != 2 || list[1].ID != "b" || list[1].Line != 15 {
		t.Errorf("%+v", list)
	}
	if !contains(notes, "1 partitions, vectors and others that are no networks were passed over") {
		t.Errorf("notes %q", notes)
	}
	if list, _ := mustRead(t, "*Vertices 1\n*Vertices 2\n*Edges\n1 2\n", "x.net", dataset.Options{}); len(list) != 2 || list[1].ID != "1" {
		t.Errorf("%+v", list)
	}
	// A network after a bad one is read.
	list, _, err := readText("*Vertices 1\n*Edges\n1 2\n*Vertices 1\n", "x.net", dataset.Options{SkipBad: true})
	if err != nil || len(list) != 1 || list[0].Line != 4 {
		t.Errorf("%+v, %v", list, err)
	}
}

// TestPajekVertices: those without a line are free up to a bound for a file.
func TestPajekVertices(t *testing.T) {
	if list, _ := mustRead(t, "*Vertices 5000\n*Edges\n1 5000\n", "x.net", dataset.Options{}); list[0].Graph.N() != 5000 || list[0].Graph.M() != 1 {
		t.Errorf("%d nodes", list[0].Graph.N())
	}
	_, _, err := readText(strings.Repeat("*Vertices 5000\n", 10), "x.net", dataset.Options{})
	if err == nil || !strings.Contains(err.Error(), `x.net:4: record 3: found "5000", expected the number of vertices`) {
		t.Errorf("error %v", err)
	}
}
