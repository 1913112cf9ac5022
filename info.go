package greed

import (
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/norm"
)

// Info says what a collection holds.
type Info struct {
	Graphs    int  `json:"graphs"`
	Molecules bool `json:"molecules" doc:"All graphs are of molecules and have a SMILES"`
	Directed  bool `json:"directed" doc:"The graphs are directed"`

	Compared []string `json:"compared,omitempty" enum:"charges,isotopes,hydrogens,stereochemistry" doc:"${compared}"`
	Forms    []string `json:"forms,omitempty" enum:"largest_fragment,neutralise,tautomers" doc:"${forms}"`

	State      string      `json:"state" doc:"${info_state}"`
	Models     []ModelInfo `json:"models"`
	NodeLabels int         `json:"node_labels" doc:"How many there are"`
	EdgeLabels int         `json:"edge_labels" doc:"How many there are"`
	// Unsearched is [Collection.Unsearched].
	Unsearched []Unsearched `json:"unsearched,omitempty" doc:"${undecided_unsearched}"`
	Space      *SpaceSize   `json:"space,omitempty" doc:"${info_space}"`
}

// SpaceSize is the size of a synthon space.
type SpaceSize struct {
	Reactions int    `json:"reactions"`
	Synthons  int    `json:"synthons" doc:"Each counted in every component that has it"`
	Products  uint64 `json:"products" doc:"Those that several reactions make are counted for each"`
}

// ModelInfo describes a model of a collection.
type ModelInfo struct {
	Task        Task               `json:"task" enum:"ged,sed"`
	Fingerprint string             `json:"fingerprint"`
	Norm        norm.Norm          `json:"norm" doc:"Of the difference of two vectors: it predicts the distance"`
	Dim         int                `json:"dim"`
	Costs       edit.Costs         `json:"costs"`
	Metrics     map[string]float64 `json:"metrics" doc:"Errors for graphs that the model had not seen"`
	Calibrated  *float64           `json:"calibrated,omitempty" doc:"${info_calibrated}"`
}

// Info describes the collection.
func (c *Collection) Info() Info {
	vocab := c.Vocabulary()
	i := Info{
		State:  c.State(), // before the rest, which may be newer
		Graphs: c.Len(), Molecules: c.Molecules(), Directed: c.Direction().Directed(), Models: []ModelInfo{},
		NodeLabels: vocab.Nodes() - 1, EdgeLabels: vocab.Edges() - 1, // it counts the wildcard, too
	}
	i.Unsearched = c.Unsearched()
	if x := c.Space(); x != nil {
		i.Space = &SpaceSize{len(x.Reactions), x.Synthons, x.Products}
	}
	rules, _ := c.Rules()
	i.Compared, _ = rules.Compared()
	i.Forms, _ = rules.Forms()
	in := c.live.Acquire()
	defer in.Release()
	for _, task := range []Task{GED, SED} {
		if m := in.Model(task); m != nil {
			meta := m.Metadata()
			i.Models = append(i.Models,
				ModelInfo{task, in.Fingerprint(task), m.Norm(), m.Norm().Dim(), meta.Costs, meta.Metrics,
					m.Calibration().Reach(i.Graphs)})
		}
	}
	return i
}
