package dataset_test

import (
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"github.com/greedgraph/greed/dataset"
)

// Any format is read alike; bad records say what is wrong and can be skipped.
func ExampleNewReader() {
	const text = "CCO ethanol\nC1CC broken\nc1ccccc1 benzene\n"
	r, err := dataset.NewReader(strings.NewReader(text), "mols.smi", dataset.Options{
		SkipBad: true,
		Rejects: func(b dataset.BadRecord) { fmt.Println("skipped:", b.Error()) },
	})
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(rec.ID, rec.Graph.N(), "atoms")
	}
	// Output:
	// ethanol 3 atoms
	// skipped: mols.smi:2: record 1 (id broken): SMILES "C1CC": column 2: ring bond 1 is not closed
	// benzene 6 atoms
}

// A collection is converted record by record.
func ExampleNewWriter() {
	r, err := dataset.NewReader(strings.NewReader("graph g { a [label=x]; b [label=y]; a -- b }"), "g.dot", dataset.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	w, err := dataset.NewWriter(os.Stdout, "tve")
	if err != nil {
		log.Fatal(err)
	}
	for rec, err := range r.All() {
		if err != nil {
			log.Fatal(err)
		}
		if err := w.Write(rec); err != nil {
			log.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// t # g
	// v 0 x
	// v 1 y
	// e 0 1 0
}
