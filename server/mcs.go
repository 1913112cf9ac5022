package server

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/operation"
)

// MCSRequest is the body of a request for what two graphs have in common.
type MCSRequest struct {
	Pair
	Among
	operation.MCS
}

// Overlap is what two graphs have in common.
type Overlap struct {
	operation.Overlap
	Notes []dataset.Note `json:"notes,omitempty" doc:"What was left out or chosen in reading the graphs of the request"`
}

func (s *Server) registerMCS(api huma.API) {
	answers(s, api, huma.Operation{
		OperationID: "mcs", Method: http.MethodPost, Path: "/v1/mcs", Summary: "The largest subgraph that two graphs have in common", Tags: []string{"distance"},
	}, toRead, func(ctx context.Context, in *body[MCSRequest]) (*Overlap, error) {
		sh, _, err := in.Body.in(s)
		if err != nil {
			return nil, err
		}
		find, err := in.Body.Resolve(s.limits(), greed.DefaultCheckedTime)
		if err != nil {
			return nil, err
		}
		limit, err := in.Body.Limit(greed.DefaultCheckedTime, s.limits())
		if err != nil {
			return nil, err
		}
		account := s.accountOf(ctx)
		account.limit(limit)
		query, target, err := s.readPair(ctx, &in.Body.Pair, sh)
		if err == nil {
			err = oneKind(query, target)
		}
		if err != nil {
			return nil, err
		}
		return withPermit(ctx, s, func(ctx context.Context) (*Overlap, error) {
			begin := time.Now()
			vocab := graph.NewVocabulary()
			query.Graph, target.Graph = graph.In(vocab, query.Graph), graph.In(vocab, target.Graph)
			inTime, cancel := context.WithDeadline(ctx, account.end.Add(-late))
			defer cancel()
			found, err := find(inTime, sh.rules(), &query, &target)
			if err == nil {
				err = ctx.Err()
			}
			s.metrics.stage("check", time.Since(begin))
			return &Overlap{found, dataset.NotesOf(query, target)}, err
		})
	})
}

// PartsRequest is the body of a search for the graphs that the query contains.
type PartsRequest struct {
	Query Query `json:"query"`
	operation.Contained
}

// Parts are the graphs that the query contains.
type Parts struct {
	greed.Parts
	Notes []dataset.Note `json:"notes,omitempty" doc:"What was left out or chosen in reading the query"`
}

func (s *Server) registerParts(api huma.API) {
	ofCollection(s, api, huma.Operation{
		OperationID: "findParts", Method: http.MethodPost, Path: "/v1/collections/{name}/parts",
		Summary: "The graphs that the query contains", Tags: []string{"search"},
		Description: "The graphs of the collection that are subgraphs of the query, largest first, and how many there are. A search by SED with radius 0 is the reverse: the graphs that contain the query.",
	}, func(ctx context.Context, sh *hosted, in *toCollection[PartsRequest]) (*Parts, error) {
		opt, err := in.Body.Resolve(s.limits())
		if err != nil {
			return nil, err
		}
		account := s.accountOf(ctx)
		account.limit(opt.Time)
		rec, err := s.compared(ctx, sh, &in.Body.Query)
		if err != nil {
			return nil, err
		}
		return withPermit(ctx, s, func(ctx context.Context) (*Parts, error) {
			opt.Time = account.rest(opt.Time)
			found, err := sh.Collection.Parts(ctx, rec.Graph, opt)
			if err != nil {
				return nil, err
			}
			return &Parts{*found, rec.Notes}, nil
		})
	})
}
