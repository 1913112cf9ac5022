// Package greed searches collections of graphs by graph edit distance (GED)
// and subgraph edit distance (SED), after the paper "GREED: A Neural Framework
// for Learning Graph Distance Functions" (Ranjan et al., NeurIPS 2022).
//
// This file is the contract: what goes in and what comes out. Five functions begin everything, and each has an
// example: [Open] a collection; [Collection.Search] it; compute the [Distance] of two graphs; find all near pairs
// by [Collection.Join]; change it by [Collection.Apply], or [Collection.Put] and [Collection.Delete].
//
// Open a collection, or take the bundled one, and search it:
//
//	c, err := greed.Bundled(ctx)
//	q, err := c.ParseSMILES("CC(=O)Oc1ccccc1C(=O)O")
//	found, err := c.Search(ctx, q, greed.Options{K: 10})
//
// The answers are proven: complete and exact. If time runs out first, found says
// what is open. A model predicts the distance of two graphs from their vectors
// alone, which puts the graphs in a good order. Bounds exclude most of them, and
// the exact solver decides the rest and explains every answer by its edits. The
// modes [Checked] and [Predicted] give answers sooner, without a proof.
//
// # Stability
//
// From version 1.0 on, this package, the JSON of its types, the formats that
// the commands print for programs and the files they write follow semantic
// versioning. Until then CHANGELOG.md lists what changes. Packages below this
// one may change in any release, except for those of their types that
// declarations of this package name.
package greed

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/chem/rgroup"
	"github.com/greedgraph/greed/chem/transform"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/diff"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/live"
	"github.com/greedgraph/greed/mcs"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/search"
	"github.com/greedgraph/greed/search/cliffs"
	"github.com/greedgraph/greed/space"
	"github.com/greedgraph/greed/store"
	"github.com/greedgraph/greed/truth"
)

// Graphs, and what is read.

// Collection is a list of graphs to search. It is safe for concurrent use: a
// search sees the collection as it was when the search began.
type Collection struct {
	live   *live.Collection
	parsed atomic.Pointer[graph.Vocabulary] // of what ParseSMILES read
	notes  []dataset.Note                   // of its reading
	space  *space.Space                     // nil: graphs are kept in live
}

// Space describes a synthon space: a collection of products that are made on the fly, see docs/spaces.md. Its
// products are searched, and neither listed nor changed.
type Space struct {
	Reactions []Reaction `json:"reactions"`
	Synthons  int        `json:"synthons" doc:"Each counted in every component that has it"`
	// Products is at most 2⁶⁴-1.
	Products uint64 `json:"products" doc:"Those that several reactions make are counted for each"`
}

// Reaction is a reaction of a synthon space.
type Reaction struct {
	ID       string `json:"id"`
	Synthons []int  `json:"synthons" doc:"How many there are for each component"`
	Products uint64 `json:"products"`
}

// Origin is a way to make a product of a synthon space: a reaction, and a synthon for each of its components.
type Origin struct {
	Reaction string    `json:"reaction"`
	Synthons []Synthon `json:"synthons"`
}

// Synthon is a fragment, with its attachment points as they are written.
type Synthon struct {
	ID     string `json:"id"`
	SMILES string `json:"smiles"`
}

// Note is a remark on how something was read or answered, and a part of the result.
type Note = dataset.Note

// Graph is a labelled graph; see package graph for how to build one.
type Graph = graph.Graph

// Record is a graph with its id, its name and its attributes.
type Record = dataset.Record

// Task is a distance: [GED] or [SED].
type Task = edit.Task

// The tasks: the least cost of edits that turn the query into the target, or
// into a subgraph of the target.
const (
	GED = edit.GED
	SED = edit.SED
)

// Source names graphs, in exactly one of several ways, and says how they are read. A copy is independent
// of the original.
type Source struct {
	// Path is a file, a folder, - for standard input, an index, or the address of a database.
	Path string
	// Text holds graphs themselves, in any format.
	Text string
	// Bundled are the molecules that come with the program.
	Bundled bool
	// Records are graphs that have been read, of the vocabulary of the options, by the rules As. It may be
	// empty but not nil.
	Records []Record

	// Options say how files and texts are read. Format [FormatIndex] makes whatever else Path is an error.
	dataset.Options
	// Costs are those by which the graphs will be compared: the attributes that they compare become labels.
	Costs edit.Costs
	// As are the rules of graphs that these are compared with, by which they are read; nil: those of the
	// options. Options that ask for other rules are an error.
	As *dataset.Rules
	// Of is what messages call the graphs whose rules As are.
	Of string
}

// Reading is what was read from a [Source].
type Reading struct {
	Records []Record // unless they were passed on one by one
	// Rules are those by which the graphs were read, with the choices made that depend on their labels.
	Rules dataset.Rules
	Notes []dataset.Note
	// Origin is the state of the database that was read, if it was one.
	Origin store.Source
}

// Parsed is a graph as it was read.
type Parsed struct {
	Graph *dataset.NodeLink `json:"graph"`
	// SMILES is that of a molecule. Its atoms are in the order of the nodes
	// only if it is the text that was read.
	SMILES string `json:"smiles,omitempty"`
	Name   string `json:"name,omitempty" doc:"What it is called by the service, by greed or in the text"`
	Nodes  int    `json:"nodes"`
	Edges  int    `json:"edges"`

	Notes []dataset.Note `json:"notes,omitempty" doc:"What was left out or chosen in reading"`
}

// Errors of readings, which callers add advice to.
var (
	// ErrIndex is wrapped if graphs were to be read one by one, and they are in an index.
	ErrIndex = errors.New("it is an index")
	// ErrReadAs is wrapped if graphs were, or would have to be, read by other rules than the options ask for.
	ErrReadAs = errors.New("the graphs are not read so")
)

// SkippableError is the error of a bad record after which reading could go on.
type SkippableError struct{ Err error }

// ErrMixed is wrapped if a directed graph is put to an undirected
// collection, or the reverse.
var ErrMixed = dataset.ErrMixed

// ErrParts is wrapped if a collection of several indexes is to be changed. Change one of them.
var ErrParts = live.ErrSeveral

// ErrRepeated is wrapped if an id is to name a graph, and several indexes of the collection have it.
var ErrRepeated = live.ErrRepeated

// ErrLacking is wrapped if a question needs all graphs of a collection, an index of which is missing or damaged.
var ErrLacking = search.ErrLacking

// ErrDirection is wrapped if two graphs have no distance because one is
// directed and the other is not.
var ErrDirection = ged.ErrDirection

// ErrCalibration is wrapped if a recall is requested that is not known: the model was not calibrated on the
// collection, or not for such a query or radius.
var ErrCalibration = model.ErrCalibration

// ErrNoGraph is wrapped if a graph is nil.
var ErrNoGraph = errors.New("there is no graph")

// Searches.

// Options say what [Collection.Search] looks for and how. The zero value asks for
// the 10 nearest graphs, proven, within 10 s.
type Options = search.Options

// Filter is a condition on the id, the name or another attribute of a record.
type Filter = search.Filter

// SMARTS is a pattern of atoms and bonds, read by [ParseSMARTS].
type SMARTS = chem.SMARTS

// Progress says how far a search is.
type Progress = search.Progress

// Mode says what the answers of a search rest on.
type Mode = search.Mode

// The modes.
const (
	// Proven answers are complete and exact. If time runs out first,
	// [Found.Open] says what is open.
	Proven = search.Proven
	// Checked answers are a model's candidates with computed distances; others
	// may be missed. Without a model, Checked is [Proven] with less time.
	Checked = search.Checked
	// Predicted answers are a model's predictions from vectors alone, not
	// distances. Without a model the error wraps [ErrNoModel].
	Predicted = search.Predicted
)

// Found is the result of a search, in JSON the same for the commands and the service: the terms, the
// answers, and what is known beside them.
type Found struct {
	FoundTerms
	// Answers are sorted by upper bound, which is the distance where that is
	// known, then by lower bound; with [StatusPredicted], by prediction. Equals are in the
	// order of [search.Result].
	Answers []Answer `json:"answers" doc:"Nearest first"`
	FoundRest
}

// FoundTerms say how a search was understood and what its answers are worth. In JSON they stand before the
// answers.
type FoundTerms struct {
	Question Question `json:"question" doc:"How the search was understood"`
	// Unmatched are the labels of the query that the collection lacks; nil if it has all.
	Unmatched *Unmatched `json:"unmatched,omitempty" doc:"Labels of the query that no graph of the collection has"`
	Task      Task       `json:"task" enum:"ged,sed"`
	Mode      Mode       `json:"mode" enum:"proven,checked,predicted" doc:"The mode requested"`
	Status    Status     `json:"status" enum:"proven,open,checked,predicted" doc:"${found_terms_status}"`
	Certified bool       `json:"certified" doc:"The status is proven"`
	// Verdict says in a sentence what is known about the answers: that they are proven, or what
	// is missing.
	Verdict string `json:"verdict" doc:"What is known about the answers, in a sentence"`
	// K is the maximum number of answers requested, 0 for all within the radius.
	K int `json:"k,omitempty" doc:"The maximum number of answers requested"`
	// Radius is the one requested, nil if none was.
	Radius *float64 `json:"radius,omitempty" doc:"The radius requested"`
	// Recall is the one requested, nil if none was.
	Recall *Recall    `json:"recall,omitempty" doc:"${found_terms_recall}"`
	Model  bool       `json:"model" doc:"Candidates were ordered or found by a model's vectors"`
	Costs  edit.Costs `json:"costs"`
	// Notes are those of reading the query, and how it differs from what the model was trained on.
	Notes []dataset.Note `json:"notes,omitempty" doc:"${found_terms_notes}"`
}

// Recall says what share of the graphs within a radius a search by predictions finds at least.
type Recall = search.Recall

// FoundRest says what is known beside the answers. In JSON it stands behind them.
type FoundRest struct {
	// Unexplained is set by a service if edits were requested.
	Unexplained int `json:"unexplained,omitempty" doc:"${found_rest_unexplained}"`
	// Total and Next are of a service that gives the answers within a radius in parts.
	Total *int      `json:"total,omitempty" doc:"How many answers there are in all, if they are given in parts"`
	Next  string    `json:"next,omitempty" doc:"The cursor of the next part, if there is one"`
	Open  Undecided `json:"open,omitzero" doc:"What may still change"`
	// Tied are the graphs as far away as the last of K answers that are none.
	Tied    Tied    `json:"tied,omitzero" doc:"${found_rest_tied}"`
	Made    *Made   `json:"made,omitempty" doc:"Of a search in a synthon space: what is known of its products"`
	Stats   Stats   `json:"stats"`
	Seconds Seconds `json:"seconds"`
}

// Made says what a search in a synthon space has found out beside its answers.
type Made struct {
	Within   *float64 `json:"within,omitempty" doc:"${made_within}"`
	Contain  *Contain `json:"contain,omitempty" doc:"${made_contain}"`
	Synthons int      `json:"synthons" doc:"How many synthons were compared with the query"`
	Wrong    int      `json:"wrong,omitempty" doc:"How many products turned out to be no molecules"`
}

// Contain is a number of products: it is from Least to Most.
type Contain struct {
	Least uint64 `json:"least"`
	Most  uint64 `json:"most"`
}

// Question says how a search was understood.
type Question struct {
	Text        string   `json:"text" doc:"The question in a sentence"`
	Task        Task     `json:"task" enum:"ged,sed"`
	Costs       string   `json:"costs" doc:"The name of the edit costs, or own"`
	Labels      string   `json:"labels,omitempty" doc:"What the labels of nodes and edges are, where that is known"`
	Compared    []string `json:"compared,omitempty" doc:"${question_compared}"`
	NotCompared []string `json:"not_compared,omitempty" doc:"What the graphs may differ in without any distance"`
	Forms       []string `json:"forms,omitempty" enum:"largest_fragment,neutralise,tautomers" doc:"${forms}"`
	Filter      []string `json:"filter,omitempty" doc:"The conditions on records, all of which hold"`
	TimeLimit   string   `json:"time_limit,omitempty" doc:"The time for the search, or none"`
	State       string   `json:"state,omitempty" doc:"The state of the collection that was searched"`

	forms []string // in words
}

// Unmatched are the labels of a query that no graph of the collection has.
type Unmatched struct {
	Nodes      []string `json:"nodes,omitempty" doc:"Labels of nodes, in their order in the query"`
	Edges      []string `json:"edges,omitempty" doc:"Labels of edges, in their order in the query"`
	QueryNodes int      `json:"query_nodes" doc:"How many nodes of the query have such labels"`
	QueryEdges int      `json:"query_edges" doc:"How many edges of the query have such labels"`
	NoNode     bool     `json:"no_node,omitempty" doc:"No node of the query has a label that occurs"`
	NoEdge     bool     `json:"no_edge,omitempty" doc:"No edge of the query has a label that occurs"`
}

// Status says what the answers of a search are, which the mode alone does not: a
// proof may have run out of time.
type Status string

// The statuses.
const (
	// StatusProven: all distances are exact, and no other graph that was
	// searched is nearer than the last of K, or within the radius. Graphs that
	// tie with the last of K may be left out, those that come last in the order
	// of equals ([search.Result]): [Found.Tied].
	StatusProven Status = "proven"
	// StatusOpen: every graph was looked at, but the time, the memory or the
	// context ended before the proof, or an index of the collection is missing or
	// damaged. All bounds hold; [Found.Open] says what may still change.
	StatusOpen Status = "open"
	// StatusChecked: the bounds of all answers hold, but only a model's
	// candidates were looked at; other graphs may be nearer, or within the
	// radius too.
	StatusChecked Status = "checked"
	// StatusPredicted: the answers are a model's predictions, which may be too
	// high or too low, and in the wrong order.
	StatusPredicted Status = "predicted"
)

// Answer is one graph found. One that was only predicted has no Lower, Upper, GED, SED and
// NGED.
type Answer struct {
	ID   string `json:"id"`
	Name string `json:"name,omitempty" doc:"Absent where it is the id"`
	// SMILES is that of a molecule.
	SMILES   string `json:"smiles,omitempty"`
	Position int    `json:"position" doc:"The number of the graph in the collection"`
	// Attributes has the attributes of the record that [Options].Show names.
	Attributes map[string]any `json:"attributes,omitempty" doc:"The attributes that the request names"`
	Predicted  *float64       `json:"predicted,omitempty" doc:"What the model predicts"`
	Lower      *float64       `json:"lower,omitempty" doc:"The distance is this or more"`
	Upper      *float64       `json:"upper,omitempty" doc:"The distance is this or less"`
	Exact      bool           `json:"exact" doc:"The bounds meet"`
	GED        *float64       `json:"ged,omitempty" doc:"The distance, where it is known exactly"`
	SED        *float64       `json:"sed,omitempty" doc:"The distance, where it is known exactly"`
	// NGED is the upper bound of the GED divided by (n₁+n₂)/2.
	NGED *float64 `json:"nged,omitempty" doc:"The upper bound of the GED, divided by the mean number of nodes"`
	// Similarity is exp(−GED / ((n₁+n₂)/2)) or, for SED, 1 − SED/(n+m) of the
	// query: 1 for copies, 0 or little for graphs that have nothing in common.
	// It uses the upper bound or, where there are no bounds, the prediction.
	Similarity float64 `json:"similarity" doc:"${answer_similarity}"`
	// Map gives for every query node its node in the graph found, or -1. The
	// edits that it implies cost the upper bound. It is nil where only a
	// prediction is known.
	Map edit.NodeMap `json:"map,omitzero" doc:"For every query node the node of the graph found, or -1"`
	// Nodes and Edits are nil unless [Options].Explain asks for them.
	Nodes []string `json:"nodes,omitempty" doc:"${answer_nodes}"`
	// Edits are in an order in which they can be carried out.
	Edits []edit.Operation `json:"edits,omitzero" doc:"What turns the query into the graph found, or into a part of it"`
	// Transformations says the same of two molecules, charges and all. It is nil unless
	// [Options].SMILES is given, too.
	Transformations []transform.Transformation `json:"transformations,omitzero" doc:"${answer_transformations}"`
	// Origins are all ways to make a product of a synthon space. ID and Position are those of the first.
	Origins []Origin `json:"origins,omitempty" doc:"${answer_origins}"`
}

// Undecided says what a search left open. It is zero if nothing is open.
type Undecided struct {
	// Missing is the number of graphs that may yet be answers: nearer than the
	// last of K, or within the radius. With [StatusChecked] only candidates count.
	Missing int `json:"missing"`
	// Undecidable is how many of those missing more time does not decide.
	Undecidable int `json:"undecidable,omitempty" doc:"${undecided_undecidable}"`
	// Inexact is the number of answers whose distance lies between two bounds.
	Inexact int `json:"inexact"`
	// Graphs are those missing, at most 100, sorted by lower bound.
	Graphs []OpenGraph `json:"graphs,omitempty"`
	// Unsearched are the indexes of a collection of several that are missing or damaged.
	Unsearched []Unsearched `json:"unsearched,omitempty" doc:"${undecided_unsearched}"`
}

// Unsearched is an index of a collection of several that is missing or damaged.
type Unsearched = search.Unsearched

// OpenGraph is a graph that may be an answer. Its distance is Lower or more.
type OpenGraph struct {
	ID       string  `json:"id"`
	Position int     `json:"position"`
	Lower    float64 `json:"lower"`
}

// Tied says which graphs are as far away as the last of K answers but come after it.
type Tied = search.Tied

// Stats count what a search looked at.
type Stats = search.Stats

// Seconds is how long each part of a search took.
type Seconds struct {
	Embed float64 `json:"embed"` // the query
	Scan  float64 `json:"scan"`  // for candidates
	Check float64 `json:"check"` // by the exact solver
}

// ErrCosts is wrapped if a search asks for predictions with edit costs that the model
// was not trained with.
var ErrCosts = search.ErrCosts

// ErrAttribute is wrapped if a search names an attribute, in a filter or to show,
// that no graph of the collection has.
var ErrAttribute = search.ErrAttribute

// ErrNoModel is wrapped if a search asks for predictions and no model is
// attached for its task.
var ErrNoModel = search.ErrNoModel

// Distances of pairs.

// DistanceOptions say how [Distance] and a [Comparer] compute. The zero value means unit costs and
// 10 s.
type DistanceOptions struct {
	Costs *edit.Costs // nil: unit costs
	// Matrices, if not nil, are costs of this pair by element: of every node and edge,
	// and of every two of them. What they leave out has the costs above.
	Matrices *edit.Matrices
	// Within, if not nil, only asks whether the distance is at most this, which is sooner known.
	Within *float64
	// Fixed are pairs of nodes given in advance, query and target, [edit.Deleted] where there is no
	// node. The bounds are those of the least cost with these pairs.
	Fixed [][2]int
	// Maps, if above 0, is how many node maps of least cost are given at most.
	Maps int
	// Explain adds the edits, the transformations of molecules and both graphs.
	Explain bool
	// Affords, if not nil, says whether so many edits may be held. Without them nothing is explained.
	Affords func(edits int) bool
	// Rules are those by which the graphs were read. They say what is not compared.
	Rules dataset.Rules
	// Time is the limit; 0 means 10 s, and [NoLimit] is none.
	Time time.Duration
	// Memory is how many bytes the solver may hold; 0 means 1 GiB.
	Memory int64
}

// Comparison is what is known of the distance of two graphs.
type Comparison struct {
	Task Task `json:"task" enum:"ged,sed"`
	// Query and Target are the ids of the graphs, if they have any.
	Query  string     `json:"query" doc:"The id of the query"`
	Target string     `json:"target" doc:"The id of the target"`
	Costs  NamedCosts `json:"costs" doc:"The edit costs: their name, or an object of weights if they have none"`
	// Fixed are the pairs that the request gives in advance.
	Fixed [][2]int `json:"fixed,omitempty" doc:"${comparison_fixed}"`
	// Lower and Upper bound the distance, in the units of the costs; where they meet, Exact is
	// true.
	Lower float64 `json:"lower" doc:"The distance is this or more"`
	Upper float64 `json:"upper" doc:"The distance is this or less"`
	Exact bool    `json:"exact" doc:"The bounds meet"`
	// Stopped says why not.
	Stopped ged.Stop `json:"stopped,omitempty" enum:"time,states,memory,size,interrupted,rounding" doc:"${stopped}"`
	// Within is the answer to [DistanceOptions].Within.
	Within string `json:"within,omitempty" enum:"yes,no,unknown" doc:"${comparison_within}"`
	// Map gives for every query node its target node, or -1; the edits it implies
	// cost Upper.
	Map edit.NodeMap `json:"map" doc:"For every query node its target node, or -1"`
	// Maps are all maps that cost no more, as far as they are given; MoreMaps says that there may be others.
	Maps     []edit.NodeMap `json:"maps,omitempty" doc:"${comparison_maps}"`
	MoreMaps bool           `json:"more_maps,omitempty" doc:"There may be others of the same cost"`
	// Common is what the graphs share under the map, and Johnson's similarity of them by that.
	Common      mcs.Common     `json:"common" doc:"What the graphs share under the map"`
	NotCompared []string       `json:"not_compared,omitempty" doc:"${comparison_not_compared}"`
	Notes       []dataset.Note `json:"notes,omitempty" doc:"${comparison_notes}"`
	QueryNodes  []string       `json:"query_nodes,omitempty" doc:"The names of the query's nodes, where they have any"`
	TargetNodes []string       `json:"target_nodes,omitempty" doc:"${comparison_target_nodes}"`
	// Edits are those of the map, in an order in which they can be carried out. Not nil: where none
	// are needed, that is known.
	Edits []edit.Operation `json:"edits,omitzero" doc:"${comparison_edits}"`
	// Transformations say the same of two molecules, charges and all.
	Transformations []transform.Transformation `json:"transformations,omitzero" doc:"${comparison_transformations}"`
	QueryGraph      *dataset.NodeLink          `json:"query_graph,omitempty" doc:"${comparison_query_graph}"`
	TargetGraph     *dataset.NodeLink          `json:"target_graph,omitempty" doc:"${comparison_target_graph}"`
	Seconds         float64                    `json:"seconds"`
}

// CommonOptions say which common subgraph [CommonSubgraph] finds.
type CommonOptions struct {
	Edges            bool // count edges, not nodes; the subgraph need not be induced
	Connected        bool
	Rings            bool // with Edges: what is in a ring is mapped to what is in a ring, and only that
	AtLeast          int  // with Edges: only decide whether so many are in common and, if so, how many
	IgnoreEdgeLabels bool
	Rules            dataset.Rules // by which the graphs were read
	Time             time.Duration // 0 means 10 s, and [NoLimit] is none
}

// Overlap is what is known of the largest common subgraph of two graphs: it has at least Size nodes, or
// edges, and at most Upper.
type Overlap struct {
	Query  string       `json:"query" doc:"The id of the query"`
	Target string       `json:"target" doc:"The id of the target"`
	Size   int          `json:"size" doc:"Nodes, or edges if these are counted, of the subgraph that was found"`
	Upper  int          `json:"upper" doc:"Upper bound: no common subgraph is larger"`
	Exact  bool         `json:"exact" doc:"Both are the same"`
	Map    edit.NodeMap `json:"map" doc:"For every query node its target node, or -1"`

	NotCompared []string       `json:"not_compared,omitempty" doc:"${overlap_not_compared}"`
	Notes       []dataset.Note `json:"notes,omitempty" doc:"${overlap_notes}"`
	Seconds     float64        `json:"seconds"`
}

// Difference is what differs between two versions of a graph. Of a graph that is in only one of two
// collections, the other version is absent, and so is what compares them.
type Difference struct {
	Old   *Version `json:"old,omitempty" doc:"The query; absent for a graph that was added"`
	New   *Version `json:"new,omitempty" doc:"The target; absent for a graph that was removed"`
	Same  bool     `json:"same" doc:"Nothing that is compared differs"`
	Lower *float64 `json:"lower,omitempty" doc:"The edits of least cost cost this or more"`
	Upper *float64 `json:"upper,omitempty" doc:"The edits that were found cost this"`
	Exact bool     `json:"exact,omitempty" doc:"Both are the same"`

	Stopped ged.Stop `json:"stopped,omitempty" enum:"time,states,memory,size,interrupted,rounding" doc:"${unproven}"`

	Match   diff.Match   `json:"match,omitempty" enum:"names,cost" doc:"${difference_match}"`
	Fixed   [][2]int     `json:"fixed,omitempty" doc:"${difference_fixed}"`
	Summary []string     `json:"summary,omitempty" doc:"${difference_summary}"`
	Groups  []diff.Group `json:"groups" doc:"Changes that belong together, the dearest first"`

	NotCompared     []string                   `json:"not_compared,omitempty" doc:"${difference_not_compared}"`
	Notes           []dataset.Note             `json:"notes,omitempty" doc:"${difference_notes}"`
	Transformations []transform.Transformation `json:"transformations,omitzero" doc:"${difference_transformations}"`
	Map             edit.NodeMap               `json:"map,omitempty" doc:"For every query node its target node, or -1"`
}

// Version is one of the graphs of a [Difference].
type Version struct {
	ID    string   `json:"id"`
	File  string   `json:"file,omitempty"`
	Nodes int      `json:"nodes"`
	Edges int      `json:"edges"`
	Names []string `json:"names,omitempty" doc:"The names of the nodes, where they have any"`
}

// Near pairs.

// Near says which pairs of graphs are near each other, and how they are found.
type Near struct {
	// Other is a second collection: pairs then have one graph of each. nil: pairs are of the
	// collection alone.
	Other   *Collection
	Radius  float64       // the greatest distance of a pair
	Costs   *edit.Costs   // nil means those of the collection's model or, without one, unit costs
	Filters []Filter      // only graphs whose records pass all of them
	Time    time.Duration // for all pairs; 0 or [NoLimit] is none
	Memory  int64         // of the solver for a pair, in bytes; 0 means 1 GiB
	Workers int           // 0 means one per core
	// Most is how many pairs are held at most; with more, the error wraps [ErrPairs]. 0: any.
	Most int
	// Progress, if not nil, is called with the number of graphs that were searched for and of
	// all, and later of pairs that were compared, one call at a time.
	Progress func(stage string, done, total int)
}

// Nearby is what is known of near pairs, whatever they are wanted for.
type Nearby struct {
	Question Question   `json:"question" doc:"How the request was understood"`
	K        int        `json:"k,omitempty" doc:"The maximum length of each list that was requested"`
	Status   Status     `json:"status,omitempty" enum:"proven,open" doc:"${nearby_status}"`
	Verdict  string     `json:"verdict" doc:"What the pairs are worth, in a sentence"`
	Costs    edit.Costs `json:"costs"`
	// Notes are those of reading the collections.
	Notes []dataset.Note `json:"notes,omitempty" doc:"How the graphs were read"`
	// Graphs counts those that pass the filters, and Others those of the other collection.
	Graphs  int       `json:"graphs" doc:"Graphs that were compared"`
	Others  int       `json:"others,omitempty" doc:"Graphs of the other collection"`
	Open    OpenPairs `json:"open,omitzero" doc:"What may still change"`
	Seconds float64   `json:"seconds"`
}

// OpenPairs says what time left open about near pairs. It is zero if nothing is open.
type OpenPairs struct {
	Graphs  int `json:"graphs" doc:"Graphs whose pairs were not looked for"`
	Pairs   int `json:"pairs" doc:"Pairs that may yet be within the radius"`
	Inexact int `json:"inexact" doc:"Pairs within the radius whose distance lies between two bounds"`
	// Unmatched reports that more pairs may exchange a fragment.
	Unmatched bool `json:"unmatched,omitempty" doc:"Time ended before all molecules were matched by fragments"`
}

// JoinOptions say which pairs [Collection.Join] finds.
type JoinOptions struct {
	Near
	Task Task
	// K is how many pairs are returned at most, the nearest; 0: all.
	K int
}

// Joined are the pairs of graphs within a distance.
type Joined struct {
	Nearby
	Task   Task    `json:"task" enum:"ged,sed"`
	Radius float64 `json:"radius" doc:"The greatest distance of a pair"`
	Total  int     `json:"total" doc:"Pairs in all"`
	// Pairs are in the order of their upper bounds, equals in that of the collections. Within one
	// collection a pair comes once if the distance is the same both ways, and otherwise in each
	// order that is near.
	Pairs []JoinedPair `json:"pairs" doc:"Nearest first"`
}

// JoinedPair is two graphs that are near.
type JoinedPair struct {
	Query        string  `json:"query"`
	Target       string  `json:"target"`
	QuerySMILES  string  `json:"query_smiles,omitempty"`
	TargetSMILES string  `json:"target_smiles,omitempty"`
	Lower        float64 `json:"lower"`
	Upper        float64 `json:"upper"`
}

// CliffOptions say which pairs [Collection.Cliffs] compares.
type CliffOptions struct {
	Near
	// Attribute names a number by which graphs are compared; "" compares by none.
	Attribute string
	// Environment is the radius around its places of attachment within which a transformation is told apart from
	// others: 1 for the atoms there, at most [MostEnvironment]; 0: not at all.
	Environment int
	// K is how many of each list are returned at most; 0: all.
	K int
	// Pairs are those to compare, by the positions of their graphs, in place of all within the
	// radius.
	Pairs []truth.Pair
	// Fragments, if positive, asks for matched pairs in place of those within the radius: molecules that exchange one
	// fragment, of at most so many atoms, for another (see [transform.Matcher]).
	Fragments int
}

// MostEnvironment is the greatest radius of [CliffOptions.Environment].
const MostEnvironment = transform.MostRadius

// Cliffs are what near pairs of graphs mean for an attribute.
type Cliffs struct {
	Nearby
	Attribute string `json:"attribute,omitempty" doc:"The attribute requested"`
	// Fragments is 0 where pairs are within a radius, which is nil where they were given or matched.
	Fragments int         `json:"fragments,omitempty" doc:"${cliffs_matched}"`
	Radius    *float64    `json:"radius,omitempty" doc:"The greatest distance of a pair"`
	Known     int         `json:"known" doc:"Pairs in which both graphs have a number for the attribute"`
	Censored  int         `json:"censored,omitempty" doc:"${cliffs_censored}"`
	Total     CliffsTotal `json:"total" doc:"How long the lists are in all"`
	cliffs.Findings
}

// CliffsTotal says how long the lists of [Cliffs] are in all.
type CliffsTotal struct {
	Pairs           int `json:"pairs"`
	Transformations int `json:"transformations"`
	Duplicates      int `json:"duplicates"`
}

// Core is what the molecules of a series have in common.
type Core = rgroup.Core

// SAROptions say what [Collection.SAR] takes apart.
type SAROptions struct {
	Core *Core // from [ParseCore]
	// Radius is how many atoms and bonds of the core may be missing, or others: a subgraph edit distance.
	Radius int
	// OnlyMarked leaves out molecules with groups at positions that the core does not mark.
	OnlyMarked bool
	Filters    []Filter
	Show       []string      // the attributes that rows carry
	K          int           // how many rows are returned at most; 0: all
	Skip       int           // how many rows are left out before the first that is returned
	Time       time.Duration // 0 means [NoLimit]
	Most       int           // ways to lay the core on the molecules, more than which are [ErrWays]; 0: no limit
	Progress   func(done, total int)
}

// ErrWays is wrapped if there are more ways to lay a core on molecules than [SAROptions.Most].
var ErrWays = errors.New("the core can be laid on the molecules in too many ways")

// SAR is a series of molecules taken apart into a core and R-groups.
type SAR struct {
	Core      string         `json:"core" doc:"The core as a SMARTS; atoms are numbered from 0 in its order"`
	Radius    int            `json:"radius" doc:"How many atoms and bonds of the core may be missing, or others"`
	Status    Status         `json:"status" enum:"proven,open" doc:"${sar_status}"`
	Verdict   string         `json:"verdict" doc:"What was found, in a sentence"`
	Columns   []SARColumn    `json:"columns" doc:"The positions"`
	Rows      []SARRow       `json:"rows" doc:"The molecules that have the core, in the order of the collection"`
	Total     int            `json:"total" doc:"Rows in all"`
	Graphs    int            `json:"graphs" doc:"Molecules that pass the filters"`
	Without   int            `json:"without" doc:"Molecules that do not have the core"`
	Undecided []string       `json:"undecided,omitempty" doc:"${sar_undecided}"`
	Open      SAROpen        `json:"open,omitzero" doc:"What time left open"`
	Notes     []dataset.Note `json:"notes,omitempty" doc:"How the graphs were read"`
	Seconds   float64        `json:"seconds"`
}

// SAROpen says what time left open of a series. It is zero if nothing is open.
type SAROpen struct {
	Molecules int  `json:"molecules" doc:"Molecules that were not looked at"`
	Unstable  bool `json:"unstable" doc:"It was not clear which of equal positions groups stand in"`
}

// SARColumn is a position.
type SARColumn struct {
	Name   string `json:"name" doc:"R1, R2 and so on"`
	Atom   int    `json:"atom" doc:"The atom of the core"`
	Marked bool   `json:"marked,omitempty" doc:"The core marks it"`
}

// SARRow is a molecule.
type SARRow struct {
	ID     string `json:"id"`
	SMILES string `json:"smiles"`
	// Groups has the R-groups, one for each column.
	Groups     []string       `json:"groups" doc:"${sar_row_groups}"`
	Distance   int            `json:"distance" doc:"How many atoms and bonds of the core are missing, or others"`
	Edits      []string       `json:"edits,omitempty" doc:"Which"`
	Bonds      []string       `json:"bonds,omitempty" doc:"Bonds between atoms of the core that the core does not have"`
	Rest       string         `json:"rest,omitempty" doc:"${sar_row_rest}"`
	Map        edit.NodeMap   `json:"map" doc:"For every atom of the core the atom of the molecule, or -1"`
	Attributes map[string]any `json:"attributes,omitempty" doc:"The attributes that the request names"`
}

// ErrConditions is wrapped if a graph that is searched for or compared was read of a query molecule, whose conditions
// it does not have: what is near the graph need not be what was asked for.
var ErrConditions = errors.New("the query is drawn with lists of elements, query atoms or bonds, or counts, which a " +
	"distance does not compare: " +
	"search for it as a pattern (smarts), or draw plain atoms and bonds; * is any atom, and ~ any bond")

// ErrPairs is wrapped if more pairs are near than [Near.Most].
var ErrPairs = errors.New("too many pairs are within the radius")

// ErrRules is wrapped if pairs are wanted of collections whose labels have other parts, or of which one
// compares more of molecules than the other, such as charges: a graph would not equal itself.
var ErrRules = errors.New("the graphs of two collections are not read by the same rules")

// Changes.

// Change is one change of a collection, which is applied whole or not at all: records to put,
// of which each replaces one with the same id, and ids to delete. Graphs of another vocabulary
// are translated.
type Change = live.Change

// Outcome says what a change did.
type Outcome struct {
	Put      int    `json:"put" doc:"Graphs that were put"`
	Replaced int    `json:"replaced" doc:"Graphs that others replaced"`
	Deleted  int    `json:"deleted" doc:"Graphs that were deleted"`
	State    string `json:"state" doc:"The state after the change"` // as [Collection.State] gives it

	Notes []dataset.Note `json:"notes,omitempty" doc:"What was left out or chosen in reading"`
}

// Synced says what [SyncIndex] did.
type Synced struct {
	Put     int // records that are new or replaced others
	Deleted int
	Graphs  int // in the index now
}

// ErrExists is wrapped if an id should be new and is not.
var ErrExists = store.ErrExists

// ErrChanged is wrapped if a change is for another state of the collection.
var ErrChanged = store.ErrChanged
