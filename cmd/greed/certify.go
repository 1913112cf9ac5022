package main

import (
	"context"
	"errors"
	"io"

	"github.com/greedgraph/greed/certificate"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/internal/atomicfile"
)

// writeCertificate proves the bounds of the only pair anew and writes the proof. Where the
// time limit ends before that, there is no file.
func writeCertificate(s *session, p *pairTask, r ged.Result) error {
	ctx := s.ctx
	if p.limits.Time > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, p.limits.Time)
		defer stop()
	}
	q, t := p.pair(0)
	claim := certificate.Claim{ID: t.ID, QueryID: q.ID, Query: q.Graph, Target: t.Graph, Lower: r.Lower, Map: r.Map}
	err := atomicfile.Write(p.certificate, func(w io.Writer) error {
		return certificate.Write(ctx, w, p.task, p.costs, []certificate.Claim{claim}, nil)
	})
	if s.ctx.Err() == nil && errors.Is(err, certificate.ErrOpen) {
		s.note("no certificate: %s", certificate.ErrOpen)
		return nil
	}
	return err
}
