package server

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/store"
)

// ReadOf is part of requests that read a collection: which, and what the client has already.
type ReadOf struct {
	CollectionPath
	IfNoneMatch string `header:"If-None-Match" doc:"An ETag: the answer is 304 while the collection is in that state"`
}

func (r *ReadOf) readOf() *ReadOf { return r }

// WriteCondition is part of requests that change a collection.
type WriteCondition struct {
	IfMatch string `header:"If-Match" doc:"${write_condition_if_match}"`
}

// stated is an answer about a collection in some state, without a body if the client has
// it already.
type stated[T any] struct {
	Status       int
	ETag         string `header:"ETag" doc:"The state of the collection"`
	CacheControl string `header:"Cache-Control"`
	Body         *T
}

// ask makes caches validate what they have before they answer with it.
const ask = "private, no-cache"

// reads is operate for what depends on the state of a collection. The handler is not called while the
// client has that state, unless what others have changed cannot be read.
func reads[I, T any, P interface {
	ofOne[I]
	readOf() *ReadOf
}](s *Server, api huma.API, op huma.Operation, handler func(context.Context, *hosted, *I) (*T, error)) {
	op.Method = http.MethodGet
	op.Responses = map[string]*huma.Response{"304": {Description: "The collection is in the state that If-None-Match " +
		"names"}}
	inCollection[I, stated[T], P](s, api, op, toRead,
		func(ctx context.Context, sh *hosted, in *I) (_ *stated[T], err error) {
			state := sh.Collection.State() // before the rest is read: a state that comes meanwhile has another tag
			out := &stated[T]{Status: http.StatusNotModified, ETag: etag(state), CacheControl: ask}
			if list := tags(P(in).readOf().IfNoneMatch, true); (slices.Contains(list, "*") ||
				slices.Contains(list, state)) &&
				sh.unreadable.text() == "" {
				return out, nil
			}
			out.Status = http.StatusOK
			out.Body, err = handler(ctx, sh, in)
			return out, err
		})
}

// etag returns a state as an entity tag.
func etag(state string) string { return `"` + state + `"` }

// tags returns the states of a list of entity tags, and * as it stands. Weak tags are of no state
// unless weak says that they are compared as others are (RFC 9110, 8.8.3.2).
func tags(list string, weak bool) []string {
	var states []string
	for part := range strings.SplitSeq(list, ",") {
		part = strings.TrimSpace(part)
		if weak {
			part = strings.TrimPrefix(part, "W/")
		}
		if state, ok := strings.CutPrefix(part, `"`); ok && strings.HasSuffix(state, `"`) {
			states = append(states, strings.TrimSuffix(state, `"`))
		} else if part == "*" {
			states = append(states, part)
		}
	}
	return states
}

// expect returns the state that a change is for, "" for any, or a problem if the
// collection is in another. exists reports whether what is to be changed is there.
func (s *hosted) expect(in WriteCondition, exists func() bool) (state string, err error) {
	if in.IfMatch == "" {
		return "", nil
	}
	state = s.Collection.State()
	switch list := tags(in.IfMatch, false); {
	case slices.Contains(list, state):
		return state, nil
	case !slices.Contains(list, "*"):
		return "", s.isOther()
	case !exists():
		return "", problem(http.StatusPreconditionFailed, "If-Match: * asks for a graph that is there, but %s has "+
			"none of "+
			"this id", s.Name)
	}
	return "", nil
}

// isOther reports that a change was for another state.
func (s *hosted) isOther() error {
	return huma.ErrorWithHeaders(problem(http.StatusPreconditionFailed,
		"the collection %q has changed since the state "+
			"that the request names: read it again and decide whether the change still applies", s.Name),
		http.Header{"ETag": {etag(s.Collection.State())}})
}

// changed is the answer to a change.
type changed struct {
	ETag string `header:"ETag" doc:"The state of the collection after the change"`
	Body greed.Outcome
}

// applyIf carries out a change when its turn comes, if the collection is in the state that the
// client expects. exists reports whether what is to be changed is there.
func (s *hosted) applyIf(ctx context.Context, only WriteCondition, exists func() bool,
	change greed.Change) (*changed, error) {
	leave, err := s.change(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	state, err := s.expect(only, exists)
	switch {
	case err != nil:
		return nil, err
	case state != "" && change.If != "" && state != change.If:
		return nil, problem(http.StatusUnprocessableEntity, "If-Match names another state than the body")
	case state != "":
		change.If = state
	}
	dataset.Number(change.Put, s.Collection.Len(), s.Collection.Has)
	out, err := s.apply(ctx, change)
	return &changed{etag(out.State), out}, err
}

// apply changes the collection.
func (s *hosted) apply(ctx context.Context, change greed.Change) (greed.Outcome, error) {
	out, err := s.Collection.Apply(ctx, change)
	var there *store.DuplicateError
	switch {
	case errors.Is(err, greed.ErrChanged):
		return out, s.isOther()
	case errors.As(err, &there):
		return out, problem(http.StatusPreconditionFailed, "there is a graph %q already in %s", there.ID, s.Name)
	case err != nil:
		return out, explain(err)
	}
	s.generation.Add(1)
	return out, nil
}
