// Package bundle holds the collection that comes with the program: 4,999 molecules of the
// NCI Open Database, in the public domain, and models of their graph and subgraph edit
// distance, with bond orders and unit costs. go generate reproduces the models in some
// minutes. The vectors of the molecules are computed when they are needed, because they
// would be the larger half of the program's data.
package bundle

import (
	"bytes"
	_ "embed"
	"fmt"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
)

//go:generate go run ../cmd/greed train nci5k.smi.gz --task ged --norm l1 --max-pairs 100000 --steps 12000 -o ged.safetensors
//go:generate go run ../cmd/greed train nci5k.smi.gz --task sed --norm l1 --max-pairs 400000 --steps 12000 -o sed.safetensors
//go:generate go run ../cmd/greed calibrate nci5k.smi.gz --model ged.safetensors --radius 8
//go:generate go run ../cmd/greed calibrate nci5k.smi.gz --model sed.safetensors --radius 4 -n 1000

//go:embed nci5k.smi.gz
var collection []byte

//go:embed ged.safetensors
var gedModel []byte

//go:embed sed.safetensors
var sedModel []byte

// Name is what the collection is called in messages.
const Name = "the bundled NCI molecules"

// Records returns the molecules, as graphs over vocab.
func Records(vocab *graph.Vocabulary) ([]dataset.Record, error) { return Read(vocab, dataset.Rules{}) }

// Read returns the molecules as they are read by rules.
func Read(vocab *graph.Vocabulary, rules dataset.Rules) ([]dataset.Record, error) {
	r, err := dataset.NewReader(bytes.NewReader(collection), "nci5k.smi",
		dataset.Options{Vocabulary: vocab, Rules: rules, Format: "smiles", Header: dataset.HeaderAbsent})
	if err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	var records []dataset.Record
	for rec, err := range r.All() {
		if err != nil {
			return nil, fmt.Errorf("bundle: %w", err)
		}
		records = append(records, rec)
	}
	return records, r.Close()
}

// Model returns the model for a task.
func Model(task edit.Task) (*model.Model, error) {
	switch task {
	case edit.GED:
		return model.Parse(gedModel)
	case edit.SED:
		return model.Parse(sedModel)
	}
	return nil, fmt.Errorf("bundle: there is no model for %v", task)
}
