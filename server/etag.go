package server

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/store"
)

// ReadCondition is part of requests that read: what the client has already.
type ReadCondition struct {
	IfNoneMatch string `header:"If-None-Match" doc:"An ETag: the answer is 304 while the collection is in that state"`
}

// WriteCondition is part of requests that change a collection.
type WriteCondition struct {
	IfMatch string `header:"If-Match" doc:"An ETag: nothing is changed, and the answer is 412, if the collection is in another state"`
}

// StateHeaders is part of answers about a collection in some state.
type StateHeaders struct {
	ETag         string `header:"ETag" doc:"The state of the collection"`
	CacheControl string `header:"Cache-Control"`
}

// ask is what caches must do before they answer with what they have.
const ask = "private, no-cache"

// inState returns the headers of an answer about a state, and whether they are all that
// the client needs.
func inState(state string, in ReadCondition) (out StateHeaders, known bool) {
	list := tags(in.IfNoneMatch)
	return StateHeaders{ETag: etag(state), CacheControl: ask}, slices.Contains(list, "*") || slices.Contains(list, state)
}

// etag returns a state as an entity tag.
func etag(state string) string { return `"` + state + `"` }

// tags returns the states of a list of entity tags, and * as it stands. Weak ones are
// of no state.
func tags(list string) []string {
	var states []string
	for part := range strings.SplitSeq(list, ",") {
		part = strings.TrimSpace(part)
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
	if strings.TrimSpace(in.IfMatch) == "" {
		return "", nil
	}
	state = s.Collection.State()
	switch list := tags(in.IfMatch); {
	case slices.Contains(list, state):
		return state, nil
	case slices.Contains(list, "*") && exists():
		return "", nil
	}
	return "", s.isOther()
}

// isOther says that a change was for another state.
func (s *hosted) isOther() error {
	return huma.ErrorWithHeaders(problem(http.StatusPreconditionFailed, "the collection %q is not in the state that the change is for: read it again, and decide anew", s.Name),
		http.Header{"ETag": {etag(s.Collection.State())}})
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
	s.changed()
	return out, nil
}

// etagHeader describes the header of answers whose handlers write themselves.
var etagHeader = map[string]*huma.Header{"ETag": {Description: "The state of the collection after the change", Schema: &huma.Schema{Type: huma.TypeString}}}

// notModified describes the answer that a client has what it asks for.
var notModified = &huma.Response{Description: "The collection is in the state that If-None-Match names"}
