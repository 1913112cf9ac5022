package chem_test

import (
	"errors"
	"fmt"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/graph"
)

// Phenol in Kekulé form: the graph has aromatic bonds all the same.
func ExampleMolecule_Graph() {
	m, err := chem.ParseSMILES("OC1=CC=CC=C1")
	if err != nil {
		fmt.Println(err)
		return
	}
	g, err := m.Graph(graph.NewVocabulary(), chem.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for e := range g.Edges() {
		fmt.Println(g.LabelText(e.From), e.From, g.Vocabulary().EdgeText(e.Label), g.LabelText(e.To), e.To)
	}
	s, err := chem.WriteSMILES(g)
	fmt.Println(s, err)
	// Output:
	// O 0 1 C 1
	// C 1 ar C 2
	// C 1 ar C 6
	// C 2 ar C 3
	// C 3 ar C 4
	// C 4 ar C 5
	// C 5 ar C 6
	// Oc1ccccc1 <nil>
}

func ExampleParseSMILES_errors() {
	_, err := chem.ParseSMILES("C1CC")
	fmt.Println(err)
	_, err = chem.ParseSMILES("[#6]C")
	fmt.Println(errors.Is(err, chem.ErrSMARTS))
	// Output:
	// column 2: ring bond 1 is not closed
	// true
}
