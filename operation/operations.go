package operation

import (
	"cmp"
	"context"
	"errors"
	"io"
	"strings"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/norm"
	"github.com/greedgraph/greed/search"
)

// pages are the members of searches that ask for a page of the answers.
var pages = []string{"limit", "cursor"}

// Table lists the operations. To add one: describe its request with tags, give it a method Plan, compute its
// result in package greed, and add a line here.
var Table = []Operation{
	describe[Search, greed.Found](Operation{
		Name: "search", Group: "search", Route: "POST /v1/collections/{name}/search", Command: "search", Takes: AQuery,
		Summary: "Search a collection by graph",
		Tools: []Tool{
			{Name: "search", Title: "Search a collection", Usual: map[string]any{"k": search.DefaultK}, Hidden: pages,
				About: "Finds the graphs of a collection nearest to a graph, by edit distance, nearest first. " +
					"Answers are proven unless mode says otherwise."},
			{Name: "contains", Title: "Find graphs that contain a fragment",
				Usual:  map[string]any{"task": "sed", "radius": 0, "k": search.DefaultK, "explain": true},
				Hidden: append([]string{"smarts", "task", "mode", "recall", "no_model", "explain"}, pages...),
				About: "Finds the graphs of a collection that contain a fragment, the query, whole or up to " +
					"edits of a cost within the radius. " +
					"The map says which node of a graph each node of the fragment is, -1 where it is missing."},
		},
	}),
	describe[Contained, greed.Parts](Operation{
		Name: "contained", Group: "search", Route: "POST /v1/collections/{name}/parts", Takes: AQuery,
		Summary: "The graphs that the query contains",
		About: "The graphs of the collection that are subgraphs of the query, largest first, and how many there are. " +
			"A search by SED with radius 0 is the reverse: the graphs that contain the query.",
	}),
	describe[Vectors, VectorAnswers](Operation{
		Name: "nearest", Group: "search", Route: "POST /v1/collections/{name}/vectors", Takes: NoGraph,
		Summary: "Search a collection by vectors",
		About: "The graphs whose vectors are nearest, by the norm of their embedding, to those of other graphs or to " +
			"given ones. No distances of graphs are computed.",
	}),
	describe[Distance, greed.Comparison](Operation{
		Name: "distance", Group: "distance", Route: "POST /v1/distance", Command: "ged", Takes: APair,
		Summary: "Distance of two graphs, with unit costs, those of a collection's model, or others",
		Tools: []Tool{{Name: "distance", Title: "Distance of two graphs", Usual: map[string]any{"explain": true},
			About: "Computes the edit distance of two graphs, their similarity, and the edits that turn the " +
				"first into the second. " +
				"The map says which node of the target each node of the query becomes, -1 where it is deleted."}},
	}),
	describe[Differences, greed.Difference](Operation{
		Name: "diff", Group: "distance", Route: "POST /v1/diff", Command: "diff", Takes: APair,
		Summary: "What was removed, renamed, moved and added between two graphs",
		About:   "In groups of connected changes. Nodes without labels are compared by their names.",
		Tools: []Tool{{Name: "diff", Title: "What differs between two graphs",
			About: "Says what was removed, renamed, moved and added between two graphs, or two versions of one, in " +
				"groups of connected changes. Nodes without labels are compared by their names."}},
	}),
	describe[MCS, greed.Overlap](Operation{
		Name: "mcs", Group: "distance", Route: "POST /v1/mcs", Command: "mcs", Takes: APair,
		Summary: "The largest subgraph that two graphs have in common",
		Tools: []Tool{{Name: "common", Title: "What two graphs have in common",
			About: "Finds the largest subgraph that two graphs have in common: by nodes, or by edges as " +
				"chemists compare molecules."}},
	}),
	describe[Join, greed.Joined](Operation{
		Name: "join", Group: "search", Route: "POST /v1/collections/{name}/join", Command: "join",
		Takes:   TwoCollections,
		Summary: "All pairs of graphs within a distance",
		Tools: []Tool{{Name: "join", Title: "Find near pairs", Usual: map[string]any{"k": search.DefaultK},
			About: "Finds all pairs of graphs of a collection within a distance, nearest first: duplicates (radius " +
				"0) and near duplicates. Pairs are proven unless the status is open."}},
	}),
	describe[Cliffs, greed.Cliffs](Operation{
		Name: "cliffs", Group: "search", Route: "POST /v1/collections/{name}/cliffs", Command: "cliffs",
		Takes: TwoCollections, Summary: "What near pairs mean for an attribute",
		About: "Activity cliffs, pairs that are near in structure and far in an attribute; the mean " +
			"change by each transformation of molecules; and duplicates.",
		Tools: []Tool{{Name: "cliffs", Title: "Find activity cliffs", Usual: map[string]any{"k": search.DefaultK},
			About: "Finds the pairs of graphs of a collection within a distance and says what they mean for an " +
				"attribute: activity cliffs (near in structure, far in the attribute), the mean change by each " +
				"exchange of fragments of molecules, and duplicates."}},
	}),
	describe[SAR, greed.SAR](Operation{
		Name: "sar", Group: "search", Route: "POST /v1/collections/{name}/sar", Command: "sar", Takes: NoGraph,
		Summary: "Take a series of molecules apart into R-groups",
		About: "A row for each molecule that has the core, exactly or nearly, and a column for each position. Where " +
			"the core can be laid on a molecule in several ways, the one is chosen that makes the series most alike.",
		Tools: []Tool{{Name: "sar", Title: "R-group table",
			About: "Takes the molecules of a collection that have a core apart: which groups they have at which " +
				"position of it, with attributes beside."}},
	}),
	describe[Certify, greed.Certified](Operation{
		Name: "certify", Group: "distance", Route: "POST /v1/certify", Takes: APair,
		Summary: "A certificate of the distance of two graphs",
		About:   "It proves the bounds, and greed verify checks it without the solver.",
	}),
	describe[CertifySearch, greed.Certified](Operation{
		Name: "certifySearch", Group: "search", Route: "POST /v1/collections/{name}/certify", Takes: AQuery,
		Summary: "A certificate of the answers to a search",
		About:   "It proves their distances, and that no other graph is an answer.",
	}),
	describe[Verify, greed.Proof](Operation{
		Name: "verify", Group: "distance", Route: "POST /v1/verify", Command: "verify", Takes: Nothing,
		Summary: "What a certificate proves",
	}),
	describe[Embed, Embedding](Operation{
		Name: "embed", Group: "search", Route: "POST /v1/collections/{name}/embed", Takes: AQuery,
		Summary: "Turn a graph into a vector",
	}),
	describe[Parse, greed.Parsed](Operation{
		Name: "parse", Group: "graphs", Route: "POST /v1/parse", Takes: AGraph, Summary: "Read a graph in any form",
		Tools: []Tool{{Name: "parse", Title: "Read a graph", Hidden: []string{"smiles", "mol", "tve", "graph", "id"},
			About: "Reads a graph and says what was understood: its nodes, which are numbered from 0, and its edges, " +
				"with their labels."}},
	}),
	describe[Change, greed.Outcome](Operation{
		Name: "change", Group: "graphs", Route: "POST /v1/collections/{name}/graphs", Takes: Graphs,
		Summary: "Store and delete many graphs",
		About: "One JSON object, or as application/x-ndjson one object a line. Deletions come first. The answer " +
			"comes when everything is on the disk; where a graph is wrong nothing is changed.",
	}),
	describe[Plane, greed.Plane](Operation{
		Name: "map", Group: "collections", Route: "GET /v1/collections/{name}/map", Takes: NoGraph,
		Summary: "The collection's vectors in two dimensions",
	}),
}

// Plan implements [Operation.Plan].
func (r *Search) Plan(allowed Limits, _ Usual) (*Planned, error) {
	opt, err := r.Resolve(allowed)
	if err != nil {
		return nil, err
	}
	p := &Planned{Costs: GivenCosts(opt.Costs), Time: opt.Time, Pattern: opt.SMARTS, Task: opt.Task}
	p.Run = func(ctx context.Context, in *Inputs) (any, error) {
		of := opt
		of.Time = cmp.Or(in.Time, opt.Time)
		found, err := r.search(ctx, of, in)
		if found == nil {
			return nil, err
		}
		if !in.Maps {
			r.Finish(found)
		}
		return found, err
	}
	return p, nil
}

// search runs a search. The context's error comes with what is known.
func (r *Search) search(ctx context.Context, opt greed.Options, in *Inputs) (*greed.Found, error) {
	var query *greed.Graph
	if q := in.Query; q != nil && opt.SMARTS == nil {
		query = q.Graph
		opt.For(q)
	}
	opt.Progress = in.Searching
	return in.Collection.Search(ctx, query, opt)
}

// Plan implements [Operation.Plan].
func (r *Contained) Plan(allowed Limits, _ Usual) (*Planned, error) {
	opt, err := r.Resolve(allowed)
	return &Planned{Time: opt.Time, Run: func(ctx context.Context, in *Inputs) (any, error) {
		of := opt
		of.Time = cmp.Or(in.Time, opt.Time)
		found, err := in.Collection.Parts(ctx, in.Query.Graph, of)
		if found != nil {
			found.Notes = in.Query.Notes
		}
		return found, err
	}}, err
}

// MostOfMany is how many times the answers of one search those of a request for many may be.
const MostOfMany = 10

// VectorAnswers are the answers to a search by vectors.
type VectorAnswers struct {
	Results []greed.NearVectors `json:"results" doc:"One for each graph or vector, in their order"`
}

// Plan implements [Operation.Plan].
func (r *Vectors) Plan(allowed Limits, _ Usual) (*Planned, error) {
	opt, err := r.Resolve(allowed)
	return &Planned{Time: greed.NoLimit, Run: func(ctx context.Context, in *Inputs) (any, error) {
		list, err := in.Collection.Nearest(ctx, opt)
		answers := 0
		for i := range list {
			answers += len(list[i].Answers)
		}
		if most := MostOfMany * allowed.Answers; err == nil && most > 0 && answers > most {
			err = wrong("radius", "%d graphs are within it; at most %d answers are returned: ask for a smaller "+
				"radius, or for "+
				"the nearest k", answers, most)
		}
		return &VectorAnswers{list}, err
	}}, err
}

// Plan implements [Operation.Plan].
func (r *Join) Plan(allowed Limits, _ Usual) (*Planned, error) {
	opt, err := r.Resolve(allowed)
	return &Planned{Costs: GivenCosts(opt.Costs), Task: opt.Task, Time: opt.Time,
		Run: func(ctx context.Context, in *Inputs) (any, error) {
			of := opt
			of.Other, of.Progress, of.Time = in.Other, in.Progress, cmp.Or(in.Time, opt.Time)
			found, err := in.Collection.Join(ctx, of)
			if err != nil {
				return nil, err
			}
			return found, allowed.rows("radius", len(found.Pairs))
		}}, err
}

// Plan implements [Operation.Plan].
func (r *Cliffs) Plan(allowed Limits, _ Usual) (*Planned, error) {
	opt, err := r.Resolve(allowed)
	costs := GivenCosts(opt.Costs)
	return &Planned{Costs: costs, Time: opt.Time, Run: func(ctx context.Context, in *Inputs) (any, error) {
		of := opt
		of.Other, of.Progress, of.Time, of.Pairs = in.Other, in.Progress, cmp.Or(in.Time, opt.Time), in.Pairs
		found, err := in.Collection.Cliffs(ctx, of)
		if err != nil {
			return nil, err
		}
		return found, allowed.rows("radius", max(len(found.Pairs), len(found.Effects), len(found.Duplicates)))
	}}, err
}

// Plan implements [Operation.Plan].
func (r *SAR) Plan(allowed Limits, _ Usual) (*Planned, error) {
	opt, err := r.Resolve(allowed)
	return &Planned{Time: opt.Time, Run: func(ctx context.Context, in *Inputs) (any, error) {
		of := opt
		of.Time = cmp.Or(in.Time, opt.Time)
		if in.Progress != nil {
			of.Progress = func(done, total int) { in.Progress(greed.StageGraphs, done, total) }
		}
		found, err := in.Collection.SAR(ctx, of)
		if err != nil {
			return nil, err
		}
		if most := allowed.Answers; most > 0 && len(found.Rows) > most {
			return nil, wrong("k", "%d molecules have the core; at most %d rows are returned: ask for the first k, "+
				"and skip those for the next", found.Total, most)
		}
		return found, nil
	}}, err
}

// Certify asks for a certificate of the distance of two graphs, or of its bounds where time runs out.
type Certify struct {
	Given
	Task string `json:"task,omitempty" enum:"ged,sed" default:"ged" doc:"${certify_task}"`
	Priced
	Timed
}

// Plan implements [Operation.Plan]. The time is for the search and the proof together.
func (r *Certify) Plan(allowed Limits, usual Usual) (*Planned, error) {
	one := Distance{Task: r.Task, Paired: Paired{r.Given, Measuring{Priced: r.Priced, Timed: r.Timed}}}
	m, err := one.Resolve(allowed, usual)
	return &Planned{Costs: []edit.Costs{m.Costs}, Time: cmp.Or(m.Time, greed.NoLimit),
		Run: func(ctx context.Context, in *Inputs) (any, error) {
			begin, of := time.Now(), m
			of.Time = cmp.Or(in.Time, m.Time)
			c, err := greed.NewComparer(m.Task, of.Options(in.Rules))
			if err != nil {
				return nil, err
			}
			known, err := c.Compare(ctx, in.Query, in.Target)
			if err != nil {
				return nil, err
			}
			return certified(ctx, of.Time, begin, func(ctx context.Context, w io.Writer) error {
				return greed.Certify(ctx, w, in.Query, in.Target, m.Costs, known)
			})
		}}, err
}

// CertifySearch asks for a certificate of the proven answers to a search.
type CertifySearch struct {
	Task   *string  `json:"task,omitempty" enum:"ged,sed" doc:"${certify_search_task}"`
	K      *int     `json:"k,omitempty" minimum:"1" doc:"${certify_search_k}"`
	Radius *float64 `json:"radius,omitempty" minimum:"0" doc:"${certify_search_radius}"`
	Matching
	Priced
}

// Plan implements [Operation.Plan].
func (r *CertifySearch) Plan(allowed Limits, _ Usual) (*Planned, error) {
	of := Search{Task: r.Task, K: r.K, Radius: r.Radius, Matching: r.Matching, Priced: r.Priced}
	opt, err := of.Resolve(allowed)
	if err != nil {
		return nil, err
	}
	costs := GivenCosts(opt.Costs)
	return &Planned{Costs: costs, Time: opt.Time, Run: func(ctx context.Context, in *Inputs) (any, error) {
		begin, within := time.Now(), opt
		within.Time = cmp.Or(in.Time, opt.Time)
		found, err := of.search(ctx, within, in)
		if err != nil {
			return nil, err
		}
		return certified(ctx, within.Time, begin, func(ctx context.Context, w io.Writer) error {
			return in.Collection.CertifyFound(ctx, w, in.Query, found, opt.Filters, max(1, opt.Workers))
		})
	}}, nil
}

// GivenCosts returns the costs that a request names, if it does.
func GivenCosts(costs *edit.Costs) []edit.Costs {
	if costs == nil {
		return nil
	}
	return []edit.Costs{*costs}
}

// certified returns the certificate that prove writes in what is left of a time; 0 is none.
func certified(ctx context.Context, limit time.Duration, begin time.Time,
	prove func(context.Context, io.Writer) error) (*greed.Certified, error) {
	if limit > 0 && limit != greed.NoLimit {
		var stop context.CancelFunc
		ctx, stop = context.WithDeadline(ctx, begin.Add(limit))
		defer stop()
	}
	return greed.NewCertified(ctx, func(w io.Writer) error { return prove(ctx, w) })
}

// Verify asks what a certificate proves.
type Verify struct {
	Certificate string `json:"certificate" required:"true" minLength:"1" doc:"The lines of a certificate"`
}

// Plan implements [Operation.Plan].
func (r *Verify) Plan(allowed Limits, _ Usual) (*Planned, error) {
	if r.Certificate == "" {
		return nil, wrong("certificate", "there is none")
	}
	return &Planned{Time: cmp.Or(allowed.Time, greed.NoLimit), Run: func(ctx context.Context, in *Inputs) (any, error) {
		if in.Time > 0 {
			var stop context.CancelFunc
			ctx, stop = context.WithTimeout(ctx, in.Time)
			defer stop()
		}
		proof, err := greed.Verify(ctx, strings.NewReader(r.Certificate))
		if errors.Is(err, context.DeadlineExceeded) {
			return nil, wrong("certificate", "the time is up before it is checked; greed verify has no limit")
		}
		if err != nil {
			return nil, &Error{"certificate", err.Error()}
		}
		return proof, nil
	}}, nil
}

// Plane asks for the map of a collection.
type Plane struct {
	Task string `json:"task,omitempty" enum:"ged,sed" default:"ged" doc:"${plane_task}"`
}

// Plan implements [Operation.Plan].
func (r *Plane) Plan(Limits, Usual) (*Planned, error) {
	task, err := Task(r.Task)
	return &Planned{Run: func(ctx context.Context, in *Inputs) (any, error) { return in.plane(ctx, task) }}, err
}

// Embedding is the vector that a model gives to a graph.
type Embedding struct {
	Task        greed.Task `json:"task" enum:"ged,sed"`
	Fingerprint string     `json:"fingerprint" doc:"Of the model"`
	Norm        norm.Norm  `json:"norm" doc:"Of the difference of two vectors: it predicts the distance"`
	Vector      []float32  `json:"vector"`
	// At is where the map of the collection shows the graph.
	At    [2]float32     `json:"at" doc:"x and y of the graph on the map of the collection"`
	Notes []dataset.Note `json:"notes,omitempty" doc:"${embedding_notes}"`
}

// Plan implements [Operation.Plan].
func (r *Embed) Plan(Limits, Usual) (*Planned, error) {
	task, err := Task(r.Task)
	return &Planned{Run: func(ctx context.Context, in *Inputs) (any, error) {
		e, err := in.Collection.Embed(ctx, task, in.Query.Graph)
		if err != nil {
			return nil, err
		}
		p, err := in.plane(ctx, task)
		if err != nil {
			return nil, err
		}
		return &Embedding{task, e.Fingerprint, e.Norm, e.Vector, p.Project(e.Vector),
				dataset.Merge(e.Notes, in.Query.Notes)},
			nil
	}}, err
}
