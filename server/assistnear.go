package server

import (
	"context"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/operation"
	"github.com/greedgraph/greed/search"
	"github.com/greedgraph/greed/search/cliffs"
)

type nearArgs struct {
	collectionArg
	Other string `json:"other,omitempty" jsonschema:"Another collection: pairs then have one graph of each"`
}

type joinArgs struct {
	nearArgs
	operation.Join
}

type cliffsArgs struct {
	nearArgs
	operation.Cliffs
}

// What the tools of near pairs return.
type (
	shownPair struct {
		Query        string `json:"query"`
		Target       string `json:"target"`
		QuerySMILES  string `json:"query_smiles,omitempty"`
		TargetSMILES string `json:"target_smiles,omitempty"`
		bounds
		Old             *float64 `json:"old,omitempty" jsonschema:"The attribute of the query"`
		New             *float64 `json:"new,omitempty" jsonschema:"And of the target"`
		Change          *float64 `json:"change,omitempty"`
		Transformations []string `json:"transformations,omitempty" jsonschema:"The fragments that are exchanged: in words and as SMIRKS"`
	}
	shownJoin struct {
		Status  string      `json:"status"`
		Verdict string      `json:"verdict" jsonschema:"What the pairs are worth"`
		Asked   string      `json:"asked" jsonschema:"How the question was understood"`
		Total   int         `json:"total" jsonschema:"How many pairs there are in all"`
		Pairs   []shownPair `json:"pairs" jsonschema:"Nearest first"`
	}
	shownCliffs struct {
		Status          string            `json:"status"`
		Verdict         string            `json:"verdict" jsonschema:"What the pairs are worth"`
		Asked           string            `json:"asked" jsonschema:"How the question was understood"`
		Total           greed.CliffsTotal `json:"total" jsonschema:"How long the lists are in all"`
		Known           int               `json:"known" jsonschema:"Pairs of which both graphs have a number for the attribute"`
		Pairs           []shownPair       `json:"pairs" jsonschema:"Pairs that differ, the greatest change of the attribute first"`
		Transformations []shownEffect     `json:"transformations" jsonschema:"Exchanges of fragments in pairs that differ by nothing else, those of most pairs first"`
		Duplicates      []shownPair       `json:"duplicates" jsonschema:"Pairs at distance 0"`
	}
	shownEffect struct {
		Text  string   `json:"text" jsonschema:"In words and as SMIRKS"`
		Pairs int      `json:"pairs"`
		Known int      `json:"known" jsonschema:"Of them, those with a number on both sides"`
		Mean  *float64 `json:"mean,omitempty" jsonschema:"The mean change of the attribute"`
		Error *float64 `json:"error,omitempty" jsonschema:"The standard error of the mean"`
	}
)

func (s *Server) addNearTools(to *mcp.Server) {
	addTool(s, to, tool{"join", "Find near pairs", "Finds all pairs of graphs of a collection within a distance, nearest first: duplicates (radius 0) and near duplicates. Pairs are proven unless the status is open."},
		func(p map[string]*jsonschema.Schema) {
			s.describeArgs(p, operation.Join{})
			between(p["radius"], 0, greatest)
		},
		func(ctx context.Context, in *joinArgs) (*shownJoin, error) {
			sh, err := s.chosen(in.Collection)
			if err != nil {
				return nil, err
			}
			in.K = atMost(in.K)
			found, err := s.join(ctx, sh, &JoinRequest{Between{in.Other}, in.Join})
			if err != nil {
				return nil, err
			}
			out := &shownJoin{string(found.Status), found.Verdict, found.Question.Text, found.Total, []shownPair{}}
			for _, p := range found.Pairs {
				out.Pairs = append(out.Pairs, shownPair{Query: p.Query, Target: p.Target, QuerySMILES: p.QuerySMILES, TargetSMILES: p.TargetSMILES, bounds: showBounds(p.Lower, p.Upper)})
			}
			return out, nil
		})
	addTool(s, to, tool{"cliffs", "Find activity cliffs", "Finds the pairs of graphs of a collection within a distance and says what they mean for an attribute: activity cliffs (near in structure, far in the attribute), " +
		"the mean change by each exchange of fragments of molecules, and duplicates."},
		func(p map[string]*jsonschema.Schema) {
			s.describeArgs(p, operation.Cliffs{})
			between(p["radius"], 0, greatest)
		},
		func(ctx context.Context, in *cliffsArgs) (*shownCliffs, error) {
			sh, err := s.chosen(in.Collection)
			if err != nil {
				return nil, err
			}
			in.K = atMost(in.K)
			found, err := s.cliffs(ctx, sh, &CliffsRequest{Between{in.Other}, in.Cliffs})
			if err != nil {
				return nil, err
			}
			out := &shownCliffs{
				string(found.Status), found.Verdict, found.Question.Text, found.Total, found.Known, showPairs(found.Pairs), []shownEffect{}, showPairs(found.Duplicates),
			}
			for i := range found.Effects {
				e := &found.Effects[i]
				out.Transformations = append(out.Transformations, shownEffect{fmt.Sprint(e), e.Pairs, e.Known, e.Mean, e.Error})
			}
			return out, nil
		})
}

// atMost returns how many answers an assistant gets that names no number.
func atMost(k *int) *int {
	if k == nil {
		usual := search.DefaultK
		return &usual
	}
	return k
}

func showPairs(list []cliffs.NearPair) []shownPair {
	out := []shownPair{}
	for _, p := range list {
		shown := shownPair{
			Query: p.Query, Target: p.Target, QuerySMILES: p.QuerySMILES, TargetSMILES: p.TargetSMILES, bounds: showBounds(p.Lower, p.Upper),
			Old: p.Old, New: p.New, Change: p.Change,
		}
		for _, t := range p.Transformations[:min(len(p.Transformations), mostEdits)] {
			shown.Transformations = append(shown.Transformations, t.String())
		}
		out = append(out, shown)
	}
	return out
}
