package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/certificate"
	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/operation"
)

// certifying writes certificates.
type certifying struct {
	file  string
	limit time.Duration // 0: none
}

// write writes a certificate. If the time limit ends before that, there is no file.
func (c *certifying) write(s *session, prove func(context.Context, io.Writer) error) error {
	ctx := s.ctx
	if c.limit > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, c.limit)
		defer stop()
	}
	err := atomicfile.Write(c.file, func(w io.Writer) error { return prove(ctx, w) })
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
func (p *pairTask) certify(d *greed.Comparison) error {
	q, t := p.pair(0)
	c := certifying{file: p.flags.Certificate}
	if p.plan.Time != greed.NoLimit {
		c.limit = p.plan.Time
	}
	return c.write(p.session, func(ctx context.Context, w io.Writer) error {
		return greed.Certify(ctx, w, q, t, p.plan.Costs[0], d)
	})
}

// certify writes a certificate of the bounds of two versions.
func (c *diffCommand) certify(s *session, d *difference, measure operation.Measure) error {
	file := certifying{file: c.Certificate, limit: measure.Time}
	return file.write(s, func(ctx context.Context, w io.Writer) error {
		return greed.CertifyDiff(ctx, w, d.old, d.new, measure.Costs, d.Difference)
	})
}

// certifySearch writes a certificate of the answers to a query.
func (c *searchCommand) certifySearch(s *session, in searched, q greed.Record, found *greed.Found,
	plan *operation.Planned) error {
	file := certifying{file: c.Certificate}
	if c.TimeLimit != "" && plan.Time != greed.NoLimit {
		file.limit = plan.Time
	}
	if len(found.Open.Unsearched) > 0 {
		return file.none(fmt.Errorf("%w: the answers are %s", greed.ErrNotProven, found.Verdict))
	}
	if !found.Certified {
		return file.none(fmt.Errorf("%w: the answers are not proven%s", greed.ErrNotProven, c.longer(s, found)))
	}
	filters, err := operation.Filters(c.Filter)
	if err != nil {
		return usage(err)
	}
	err = file.write(s, func(ctx context.Context, w io.Writer) error {
		return in.CertifyFound(ctx, w, &q, found, filters, s.workers)
	})
	if err == nil && in.Space() != nil {
		s.note("it proves the distances of the answers, and not that no other product of the synthon space is one: " +
			"for that there is the word of the search alone")
	}
	return err
}
