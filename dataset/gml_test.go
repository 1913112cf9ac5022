package dataset_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/greedgraph/greed/dataset"
)

const waterGML = `Creator "a program"
Version 1
graph
[
  directed 0
  id 7
  comment "water &amp; more"
  node [ id 10 label "O" graphics [ x 1.5 y 2 type "circle" ] ]
  node [ id 11 label "H" ]
  node [ id 12 label "H" ]
  # the bonds
  edge [ source 10 target 11 label "single" value 1.5 ]
  edge [ source 10 target 12 label "single" ]
]
`

func TestGML(t *testing.T) {
	for name, opt := range map[string]dataset.Options{"water": {}, "water.gml": {}, "x": {Format: "gml"}} {
		list, _ := mustRead(t, waterGML+waterGML, name, opt)
		if len(list) != 2 || list[1].ID != "7" || drawing(list[1].Graph) != "O H H; 0-1:single 0-2:single" || list[1].Attributes["comment"] != "water & more" {
			t.Fatalf("%s: %+v", name, list)
		}
		if diff := cmp.Diff([]string{"10", "11", "12"}, list[0].NodeIDs); diff != "" {
			t.Error(diff)
		}
		if list[1].Line != 17 {
			t.Errorf("line %d", list[1].Line)
		}
	}
	list, _ := mustRead(t, "graph [ directed 1 node [ id 1 ] node [ id 2 ] edge [ source 2 target 1 ] ]", "x", dataset.Options{})
	if got := drawing(list[0].Graph); got != "0 0; 1>0:0" {
		t.Errorf("directed: %s", got)
	}
}

// TestNamedEdges: edges between names, by the ending of the file.
func TestNamedEdges(t *testing.T) {
	for _, name := range []string{"x.ncol", "x.edges"} {
		list, _ := mustRead(t, "ann bob 1.5\nbob cyd 2\n", name, dataset.Options{})
		if got := drawing(list[0].Graph); got != "0 0 0; 0-1:0 1-2:0" || list[0].NodeIDs[2] != "cyd" {
			t.Errorf("%s: %s, nodes %q", name, got, list[0].NodeIDs)
		}
	}
}
