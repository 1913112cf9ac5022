package server

import (
	"iter"

	greed "github.com/greedgraph/greed"
)

// result is what a search found. Its answers are made one by one when they are written.
type result struct {
	*greed.Finding
	job      *job
	account  *account
	from, to int // the answers that the request gets
}

// each yields the answers. Their edits are those that the account affords; the others are
// counted.
func (r *result) each() iter.Seq2[greed.Answer, error] {
	return func(yield func(greed.Answer, error) bool) {
		r.Found.Unexplained = 0
		for i := r.from; i < r.to; i++ {
			a, err := r.Answer(i)
			if err == nil && (a.Name == "" || a.Name == a.ID) {
				a.Name = r.job.hosted.names.of(a.ID, a.SMILES)
			}
			switch {
			case err != nil || a.Map == nil:
			case !r.job.opt.Explain:
				a.Map = nil
			case r.account.affords(r.Size(i)):
				err = r.Explain(i, &a)
			default:
				r.Found.Unexplained++
			}
			if !yield(a, err) || err != nil {
				return
			}
		}
	}
}

// count returns how many answers the request gets.
func (r *result) count() int { return r.to - r.from }

// bytes returns about what the result holds.
func (r *result) bytes() int {
	const each = 200 // a search's answer but for its node map
	return r.Len() * (each + 8*r.job.record.Graph.N())
}
