package greed

import (
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/live"
	"github.com/greedgraph/greed/norm"
	"github.com/greedgraph/greed/store"
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

	Rules   *dataset.Rules `json:"rules,omitempty" doc:"By which the graphs were read, and queries are, where known"`
	Indexes []IndexInfo    `json:"indexes,omitempty" doc:"Those on the disk that are searched, in their order"`
}

// IndexInfo describes an index of a collection.
type IndexInfo struct {
	Path    string `json:"-"`
	Index   string `json:"index" doc:"The end of its path, by which it differs from the others"`
	Version int    `json:"version" doc:"Of its format"`
	Graphs  int    `json:"graphs"`
	Empty   int    `json:"empty" doc:"Slots of deleted and replaced graphs, which compacting frees"`
	Segment int    `json:"segment" doc:"Slots that are mapped when it is opened"`

	Neighbourhoods *Neighbourhoods `json:"neighbourhoods,omitempty" doc:"${info_neighbourhoods}"`
	Embeddings     []EmbeddingInfo `json:"embeddings"`
}

// Neighbourhoods says that graphs are the neighbourhoods of the nodes of one large graph.
type Neighbourhoods struct {
	Hops      int `json:"hops"`
	MaxNodes  int `json:"max_nodes" doc:"How many nodes one has at most, 0 if there is no limit"`
	Truncated int `json:"truncated" doc:"How many were cut at so many nodes"`
}

// EmbeddingInfo describes vectors of the graphs of an index.
type EmbeddingInfo struct {
	Name   string    `json:"name"`
	Task   Task      `json:"task" enum:"ged,sed"`
	Model  string    `json:"model,omitempty" doc:"The fingerprint of the model; absent if they are of another program"`
	Norm   norm.Norm `json:"norm"`
	Serves bool      `json:"serves" doc:"Searches use them"`
	Rows   int       `json:"rows" doc:"One for each slot"`
}

// DescribeIndex describes an index in a state.
func DescribeIndex(known store.Known, path, name string) IndexInfo {
	i := IndexInfo{Path: path, Index: name, Version: store.Version, Graphs: known.Len(),
		Empty: known.Slots() - known.Len(), Segment: known.SegmentSlots(),
		Neighbourhoods: (*Neighbourhoods)(known.Neighbourhoods()), Embeddings: []EmbeddingInfo{}}
	for _, e := range known.Embeddings() {
		i.Embeddings = append(i.Embeddings, EmbeddingInfo{e.Name, e.Task, e.Model, e.Norm, e.Serves, e.Rows})
	}
	return i
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
	rules, known := c.Rules()
	if i.Compared, _ = rules.Compared(); known {
		i.Rules = &rules
	}
	i.Forms, _ = rules.Forms()
	in := c.live.Acquire()
	defer in.Release()
	paths := c.Indexes()
	names := live.Ends(paths)
	for n, known := range in.Known() {
		i.Indexes = append(i.Indexes, DescribeIndex(known, paths[n], names[n]))
	}
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
