package server

import (
	"cmp"
	"context"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/diff"
	"github.com/greedgraph/greed/mcs"
	"github.com/greedgraph/greed/operation"
	"github.com/greedgraph/greed/search"
)

// pairArgs are two graphs.
type pairArgs struct {
	collectionArg
	Query    string `json:"query,omitempty" jsonschema:"The first graph: a SMILES, or the text of a file"`
	QueryID  string `json:"query_id,omitempty" jsonschema:"Or the id of a graph of the collection"`
	Target   string `json:"target,omitempty" jsonschema:"The second graph: a SMILES, or the text of a file"`
	TargetID string `json:"target_id,omitempty" jsonschema:"Or the id of a graph of the collection"`
}

type distanceArgs struct {
	pairArgs
	operation.Distance
}

type diffArgs struct {
	pairArgs
	operation.Differences
}

type commonArgs struct {
	pairArgs
	operation.MCS
}

// What the tools of two graphs return. The graphs are not among it: whoever asked has them,
// and parse shows them.
type (
	// sizes count nodes.
	sizes struct {
		Query  int `json:"query_nodes"`
		Target int `json:"target_nodes"`
	}
	shownDistance struct {
		Task string `json:"task"`
		bounds
		Within string `json:"within,omitempty" jsonschema:"Whether the distance is within what was asked for: yes, no or unknown"`
		changes
		Common      mcs.Common `json:"common" jsonschema:"The nodes and edges that the graphs have in common under the map, and Johnson's similarity by them, from 0 to 1"`
		NotCompared []string   `json:"not_compared,omitempty" jsonschema:"What does not count, such as the charges of molecules"`
		sizes
	}
	shownDiff struct {
		bounds
		Groups []shownGroup `json:"groups" jsonschema:"Connected changes, the dearest first"`
		More   int          `json:"more_groups,omitempty" jsonschema:"How many more groups there are, which are not listed"`
		sizes
	}
	shownGroup struct {
		Cost    float64  `json:"cost"`
		Changes []string `json:"changes" jsonschema:"Each is removed, renamed, moved or added, and by which edits"`
		More    int      `json:"more_changes,omitempty" jsonschema:"How many more changes there are, which are not listed"`
	}
	shownCommon struct {
		Counts string `json:"counts" jsonschema:"What is counted: nodes or edges"`
		Size   int    `json:"size" jsonschema:"So many are in common"`
		Upper  int    `json:"upper" jsonschema:"And no more than these; the same where that is proven"`
		Map    []int  `json:"map" jsonschema:"For every query node the target node that it is, or -1"`
		sizes
	}
)

func (s *Server) addPairTools(to *mcp.Server) {
	addTool(s, to, tool{"distance", "Distance of two graphs", "Computes the edit distance of two graphs, their similarity, and the edits that turn the first into the second. " +
		"The map says which node of the target each node of the query becomes, -1 where it is deleted."},
		func(p map[string]*jsonschema.Schema) { s.describeArgs(p, operation.Distance{}) },
		func(ctx context.Context, in *distanceArgs) (*shownDistance, error) {
			m, err := in.Resolve(s.limits(), nil, search.DefaultCheckedTime)
			if err != nil {
				return nil, err
			}
			d, n, err := s.assistDistance(ctx, &in.pairArgs, false, m)
			if err != nil {
				return nil, err
			}
			return &shownDistance{d.Task.String(), showBounds(d.Lower, d.Upper), d.Within, showChanges(d.Map, d.Edits, d.Transformations), d.Common, d.NotCompared, n}, nil
		})
	addTool(s, to, tool{"diff", "What differs between two graphs", "Says what was removed, renamed, moved and added between two graphs, or two versions of one, in groups of connected changes. Nodes without labels are compared by their names."},
		func(p map[string]*jsonschema.Schema) { s.describeArgs(p, operation.Differences{}) },
		func(ctx context.Context, in *diffArgs) (*shownDiff, error) {
			m, err := in.Resolve(s.limits())
			if err != nil {
				return nil, err
			}
			d, n, err := s.assistDistance(ctx, &in.pairArgs, true, m)
			if err != nil {
				return nil, err
			}
			return showDiff(d, n), nil
		})
	addTool(s, to, tool{"common", "What two graphs have in common", "Finds the largest subgraph that two graphs have in common: by nodes, or by edges as chemists compare molecules."},
		func(p map[string]*jsonschema.Schema) { s.describeArgs(p, operation.MCS{}) },
		func(ctx context.Context, in *commonArgs) (*shownCommon, error) {
			_, query, target, err := s.pair(ctx, &in.pairArgs, false)
			if err != nil {
				return nil, err
			}
			found, err := s.overlap(ctx, &in.MCS, query, target)
			if err != nil {
				return nil, err
			}
			out := &shownCommon{"nodes", found.Size, found.Upper, found.Map, sizesOf(query, target)}
			if in.Edges {
				out.Counts = "edges"
			}
			return out, nil
		})
}

// pair reads the two graphs of a tool, by the rules of the collection that it names. named
// compares nodes without labels by their names.
func (s *Server) pair(ctx context.Context, in *pairArgs, named bool) (sh *hosted, query, target dataset.Record, err error) {
	if err = cmp.Or(either("query", in.Query, "query_id", in.QueryID), either("target", in.Target, "target_id", in.TargetID)); err != nil {
		return
	}
	if in.QueryID != "" || in.TargetID != "" || in.Collection != "" {
		if sh, err = s.chosen(in.Collection); err != nil {
			return
		}
	}
	if query, err = s.read(ctx, &Query{Text: in.Query, ID: in.QueryID, named: named}, sh); err == nil {
		target, err = s.read(ctx, &Query{Text: in.Target, ID: in.TargetID, named: named}, sh)
	}
	return
}

func sizesOf(query, target dataset.Record) sizes { return sizes{query.Graph.N(), target.Graph.N()} }

func (s *Server) assistDistance(ctx context.Context, in *pairArgs, named bool, m operation.Measure) (*measurement, sizes, error) {
	sh, query, target, err := s.pair(ctx, in, named)
	if err != nil {
		return nil, sizes{}, err
	}
	d, err := s.compare(ctx, m, sh, query, target)
	return d, sizesOf(query, target), err
}

func showDiff(d *measurement, n sizes) *shownDiff {
	groups := diff.Groups(d.Edits, d.a, d.b, d.Map)
	listed := groups[:min(len(groups), mostEdits)]
	out := &shownDiff{bounds: showBounds(d.Lower, d.Upper), Groups: []shownGroup{}, More: len(groups) - len(listed), sizes: n}
	left := mostEdits // of all groups together
	for _, g := range listed {
		shown := shownGroup{Cost: g.Cost, Changes: []string{}}
		for _, c := range g.Changes[:min(len(g.Changes), left)] {
			text := string(c.Kind) + ":"
			for _, e := range c.Edits {
				text += " " + e.String()
			}
			shown.Changes = append(shown.Changes, text)
		}
		left -= len(shown.Changes)
		shown.More = len(g.Changes) - len(shown.Changes)
		out.Groups = append(out.Groups, shown)
	}
	return out
}
