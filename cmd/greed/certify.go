package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/certificate"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/atomicfile"
)

// certifying writes certificates.
type certifying struct {
	file  string
	limit time.Duration // 0: none
	task  edit.Task
	costs edit.Costs
}

// write proves claims anew and writes the proof. If the time limit ends before that, there
// is no file.
func (c *certifying) write(s *session, claims []certificate.Claim, set *certificate.Set) error {
	ctx := s.ctx
	if c.limit > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, c.limit)
		defer stop()
	}
	err := atomicfile.Write(c.file, func(w io.Writer) error {
		return certificate.Write(ctx, w, c.task, c.costs, claims, set, s.workers)
	})
	switch {
	case err == nil:
		s.note("%[1]s proves it: greed verify %[1]s checks it without the solver", c.file)
		return nil
	case s.ctx.Err() != nil:
		return err
	case errors.Is(err, certificate.ErrOpen):
		err = fmt.Errorf("no certificate was written: %w", certificate.ErrOpen)
	}
	return c.none(err)
}

// begins is how certificates begin.
const begins = `{"greed_certificate"`

// none returns the error why no certificate is written. One of an earlier run, which would be taken for it,
// is removed from its place.
func (c *certifying) none(why error) error {
	if at, err := os.Stat(c.file); err == nil && at.Mode().IsRegular() {
		old, err := os.Open(c.file)
		if err != nil {
			return err
		}
		head := make([]byte, len(begins))
		n, _ := io.ReadFull(old, head) // fewer are no certificate
		if err := old.Close(); err != nil {
			return err
		}
		if string(head[:n]) == begins {
			if err := os.Remove(c.file); err != nil {
				return err
			}
			why = fmt.Errorf("%w; %s held one of an earlier run, which was removed", why, c.file)
		}
	}
	return why
}

// certify writes a certificate of the bounds of the only pair.
func (p *pairTask) certify(r ged.Result) error {
	q, t := p.pair(0)
	claim := certificate.Claim{ID: t.ID, QueryID: q.ID, Query: q.Graph, Target: t.Graph, Lower: r.Lower, Map: r.Map}
	c := certifying{p.flags.Certificate, p.Time, p.Task, p.Costs}
	return c.write(p.session, []certificate.Claim{claim}, nil)
}

// certifySearch writes a certificate of the answers to a query: of their distances, and that
// no other graph in the scope of the search is one.
func (c *searchCommand) certifySearch(s *session, in searched, q greed.Record, found *greed.Found, opt greed.Options) error {
	file := certifying{file: c.Certificate, task: found.Task, costs: found.Costs}
	if c.TimeLimit != "" && opt.Time != greed.NoLimit {
		file.limit = opt.Time
	}
	if !found.Certified {
		return file.none(errors.New("no certificate was written: the answers are not proven" + c.longer(s, found)))
	}
	query := graph.Adopt(in.Vocabulary(), q.Graph)
	answers := make(map[int]*greed.Answer)
	for i := range found.Answers {
		answers[found.Answers[i].Position] = &found.Answers[i]
	}
	var claims []certificate.Claim
	for position, rec := range in.Listing() {
		if slices.ContainsFunc(opt.Filters, func(f greed.Filter) bool { return !f.Match(&rec) }) {
			continue
		}
		claim := certificate.Claim{ID: rec.ID, QueryID: q.ID, Query: query, Target: in.Record(position).Graph}
		if a := answers[position]; a != nil {
			claim.Answer, claim.Map = true, a.Map
			claim.Lower, _ = a.Bounds()
		}
		claims = append(claims, claim)
	}
	if len(claims) == 0 {
		return file.none(errors.New("no certificate was written: no graph was searched"))
	}
	set := &certificate.Set{Nearest: len(answers)}
	if found.K == 0 || len(answers) < found.K && found.Radius != nil || len(answers) == 0 {
		set = &certificate.Set{Radius: math.Inf(1)}
		if found.Radius != nil {
			set.Radius = *found.Radius
		}
	}
	return file.write(s, claims, set)
}
