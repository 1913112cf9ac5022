package greed

import (
	"context"

	"github.com/greedgraph/greed/search"
)

// NoLimit is the time of work that ends only when it is done.
const NoLimit = search.NoLimit

// The times of searches and distances that name none.
const (
	DefaultTime        = search.DefaultTime
	DefaultCheckedTime = search.DefaultCheckedTime // in mode [Checked]
)

// ParseFilter reads a filter: ATTR=VALUE, ATTR in A,B, ATTR<X, ATTR<=X, ATTR>X,
// ATTR>=X or ATTR exists. X is a number or a date.
func ParseFilter(text string) (Filter, error) { return search.ParseFilter(text) }

// Search finds the graphs nearest to q. A query of another vocabulary is
// translated; labels that the collection lacks equal none of its labels and are
// not added to it. If the context ends before the answers are proven, Search
// returns the context's error together with what it has found; found is nil if
// that is nothing. Other errors wrap [ErrNoGraph], [ErrDirection], [ErrCosts]
// or [ErrNoModel].
func (c *Collection) Search(ctx context.Context, q *Graph, opt Options) (found *Found, err error) {
	f, cut := c.Find(ctx, q, opt)
	if f == nil {
		return nil, cut
	}
	defer f.Close()
	for i := range f.Len() {
		a, err := f.Answer(i)
		if err == nil && opt.Explain {
			err = f.Explain(i, &a)
		}
		if err != nil {
			return nil, err
		}
		f.Found.Answers = append(f.Found.Answers, a)
	}
	return f.Found, cut
}
