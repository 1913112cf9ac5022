package operation

import (
	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// Search asks for the graphs of a collection nearest to a query, or for those that
// contain it.
type Search struct {
	Task   *string  `json:"task,omitempty" enum:"ged,sed" doc:"${search_task}"`
	SMARTS string   `json:"smarts,omitempty" minLength:"1" name:"smarts" placeholder:"PATTERN" doc:"${search_smarts}"`
	K      *int     `json:"k,omitempty" short:"k" minimum:"1" placeholder:"N" doc:"${search_k}"`
	Radius *float64 `json:"radius,omitempty" minimum:"0" placeholder:"X" doc:"${search_radius}"`

	Mode string `json:"mode,omitempty" enum:"proven,checked,predicted" default:"proven" placeholder:"MODE" doc:"${how}"`

	Recall float64 `json:"recall,omitempty" minimum:"0" maximum:"1" placeholder:"SHARE" doc:"${search_recall}"`
	Matching
	Priced
	NoModel bool `json:"no_model,omitempty" doc:"Use no model: bounds and the exact solver alone"`
	Explain bool `json:"explain,omitempty" doc:"${search_explain}"`
}

// Matching limits a search to some records, says what answers show of them, and how long
// it takes.
type Matching struct {
	Filter    []string `json:"filter,omitempty" sep:"none" maxItems:"20" placeholder:"COND" doc:"${matching_filter}"`
	Show      []string `json:"show,omitempty" maxItems:"50" placeholder:"ATTR" doc:"${matching_show}"`
	TimeLimit string   `json:"time_limit,omitempty" minLength:"1" placeholder:"TIME" doc:"${matching_time_limit}"`
}

// Resolve returns the options of a search, or an [Error] that names a field.
func (r *Search) Resolve(allowed Limits) (opt greed.Options, err error) {
	opt = greed.Options{NoModel: r.NoModel, Explain: r.Explain, Radius: r.Radius, Show: r.Show, Memory: allowed.Memory,
		Workers: allowed.Workers}
	if r.Task != nil {
		if opt.Task, err = Task(*r.Task); err != nil {
			return opt, err
		}
	}
	if opt.K, err = allowed.answers(r.K); err != nil {
		return opt, err
	}
	if err = checkDistance("radius", opt.Radius); err != nil {
		return opt, err
	}
	if r.Mode != "" {
		if err := opt.Mode.UnmarshalText([]byte(r.Mode)); err != nil {
			return opt, wrong("mode", "%q: want proven, checked or predicted", r.Mode)
		}
	}
	if opt.Mode == greed.Predicted && r.NoModel {
		return opt, wrong("mode", "predicted needs a model, but no_model excludes it")
	}
	usual := greed.DefaultTime
	if opt.Mode == greed.Checked {
		usual = greed.DefaultCheckedTime
	}
	if opt.Time, err = limit(r.TimeLimit, usual, allowed.Time); err != nil {
		return opt, err
	}
	if opt.Mode == greed.Predicted {
		if opt.Time = 0; r.TimeLimit != "" {
			return opt, wrong("time_limit", "predictions take none: leave it out, or choose another mode")
		}
	}
	if opt.Filters, err = Filters(r.Filter); err != nil {
		return opt, err
	}
	if err = r.recall(&opt); err != nil {
		return opt, err
	}
	if opt.Costs, err = r.Chosen(); err != nil || r.SMARTS == "" {
		return opt, err
	}
	return opt, r.pattern(&opt)
}

// recall takes up the share of answers to find.
func (r *Search) recall(opt *greed.Options) error {
	switch opt.Recall = r.Recall; {
	case r.Recall == 0:
	case !(r.Recall > 0 && r.Recall < 1):
		return wrong("recall", "%v: want a share below 1, such as 0.99; proven answers have all", r.Recall)
	case opt.Mode == greed.Proven:
		return wrong("recall", "goes with mode checked or predicted: proven answers have all")
	case r.Radius == nil:
		return wrong("recall", "is of what lies within a radius: give one")
	case r.K != nil:
		return wrong("recall", "is of all within the radius: leave out k")
	case len(r.Filter) > 0:
		return wrong("recall", "is known of all graphs, not of those that pass a filter: leave out one of them")
	case r.NoModel:
		return wrong("recall", "needs a model, but no_model excludes it")
	}
	return nil
}

// pattern takes up the SMARTS and what follows from it.
func (r *Search) pattern(opt *greed.Options) (err error) {
	for _, other := range []struct {
		field string
		given bool
	}{
		{"task", r.Task != nil && *r.Task == edit.GED.String()}, {"radius", r.Radius != nil && *r.Radius > 0},
		{"mode", opt.Mode != greed.Proven},
		{"costs", !r.Costs.IsZero()}, {"ignore_edge_labels", r.IgnoreEdgeLabels},
	} {
		if other.given {
			return wrong(other.field, "does not apply to a SMARTS, which is contained or not: leave it out")
		}
	}
	opt.SMARTS, err = pattern(r.SMARTS)
	opt.Task, opt.Radius, opt.NoModel = edit.SED, new(float64), true
	return err
}

// pattern reads a SMARTS, or a MOL file in its place.
func pattern(text string) (*greed.SMARTS, error) {
	s, err := greed.ParseSMARTS(text)
	switch {
	case err == nil:
	case chem.IsMolBlock(text):
		err = wrong("smarts", "%v", err)
	default:
		err = wrong("smarts", "%q: %v", text, err)
	}
	return s, err
}

// Alone returns an error if a request with a pattern has so many graphs as queries, too.
func Alone(pattern *greed.SMARTS, graphs int) error {
	if pattern != nil && graphs > 0 {
		return wrong("smarts", "it is the query: leave out the others")
	}
	return nil
}

// PatternRecord returns a graph that all matches of a pattern contain. Its nodes have the texts of the pattern's atoms
// as names.
func PatternRecord(pattern *greed.SMARTS) (rec dataset.Record, err error) {
	rec.NodeIDs = pattern.Atoms()
	rec.Graph, err = pattern.Graph(graph.NewVocabulary(), true)
	return rec, err
}

// Finish leaves in the result of a search what was requested: maps and edits only where
// they are to be explained.
func (r *Search) Finish(found *greed.Found) {
	if r.Explain {
		return
	}
	for i := range found.Answers {
		a := &found.Answers[i]
		a.Map, a.Nodes, a.Edits, a.Transformations = nil, nil, nil, nil
	}
}

// Vectors asks for the graphs of a collection whose vectors are nearest to others.
type Vectors struct {
	Compared
	Vectors [][]float32 `json:"vectors,omitempty" maxItems:"100" doc:"${vectors_vectors}"`
	K       *int        `json:"k,omitempty" minimum:"1" doc:"${vectors_k}"`
	Radius  *float64    `json:"radius,omitempty" minimum:"0" doc:"${vectors_radius}"`
	Filter  []string    `json:"filter,omitempty" maxItems:"20" doc:"${vectors_filter}"`
}

// Compared says which vectors are compared.
type Compared struct {
	Like      []string `json:"like,omitempty" sep:"none" maxItems:"100" placeholder:"ID" doc:"${compared_like}"`
	Embedding string   `json:"embedding,omitempty" minLength:"1" placeholder:"NAME" doc:"${compared_embedding}"`
}

// Resolve returns the options of the search, or an [Error] that names a field.
func (r *Vectors) Resolve(allowed Limits) (opt greed.VectorOptions, err error) {
	s := Search{K: r.K, Radius: r.Radius, Matching: Matching{Filter: r.Filter}}
	found, err := s.Resolve(allowed)
	switch {
	case err != nil:
		return opt, err
	case (len(r.Like) == 0) == (len(r.Vectors) == 0):
		return opt, wrong("like", "give like or vectors: the ids of graphs, or vectors")
	}
	return greed.VectorOptions{
		Like: r.Like, Vectors: r.Vectors, Embedding: r.Embedding, K: found.K, Radius: found.Radius,
		Filters: found.Filters,
	}, nil
}

// Contained asks for the graphs of a collection that a query contains.
type Contained struct {
	K *int `json:"k,omitempty" minimum:"1" placeholder:"N" doc:"How many to list, largest first; by default 10"`
	Matching
}

// Resolve returns the options of the search, or an [Error] that names a field.
func (r *Contained) Resolve(allowed Limits) (opt greed.PartsOptions, err error) {
	if opt.K, err = allowed.answers(r.K); err != nil {
		return opt, err
	}
	opt.Show = r.Show
	if opt.Time, err = limit(r.TimeLimit, greed.DefaultTime, allowed.Time); err != nil {
		return opt, err
	}
	opt.Filters, err = Filters(r.Filter)
	return opt, err
}
