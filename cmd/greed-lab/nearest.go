package main

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/greedgraph/greed/lab/bench"
)

type nearestCommand struct {
	Collection string        `arg:"" help:"A collection of graphs, best an index."`
	Queries    int           `default:"200" placeholder:"N" help:"Number of members that are queries (default 200)."`
	Skip       int           `default:"0" placeholder:"N" help:"Members to pass over first (default 0)."`
	K          int           `short:"k" default:"10" placeholder:"N" help:"Number of answers (default 10)."`
	NoModel    bool          `help:"Search without the models of the collection."`
	TimeLimit  time.Duration `default:"60s" placeholder:"TIME" help:"Time for each query (default 60s)."`
	Cut        time.Duration `default:"500ms" placeholder:"TIME" help:"Time of a search cut short (default 500ms)."`
}

// Help is printed below the usage of the command.
func (nearestCommand) Help() string {
	return `
Searches for the graphs nearest to members of a collection, which are left out themselves, one query at a time, on
one thread. It prints the processor time of a query, how many queries have all answers with their distances
when they are cut short, and a digest of all answers: two programs with the same digest found the same graphs,
distances and proofs. Members are drawn once and for all, so --queries 100 --skip 100 measures the second hundred.

    greed-lab nearest aids42k.txt.gz
    greed-lab nearest molecules.index --queries 1000 --cut 0s
`
}

// Run measures and prints.
func (c *nearestCommand) Run(s *session) error {
	switch {
	case c.Queries < 1 || c.Skip < 0:
		return usageError("--queries and --skip: want at least one query, and no fewer than 0 passed over")
	case c.K < 1:
		return usageError(fmt.Sprintf("-k %d: want at least one answer", c.K))
	case c.TimeLimit <= 0 || c.Cut < 0:
		return usageError("--time-limit and --cut: want some time")
	}
	opt := bench.NearestOptions{
		Collection: c.Collection, Queries: c.Queries, Skip: c.Skip, K: c.K, NoModel: c.NoModel,
		Time: c.TimeLimit, Cut: c.Cut,
	}
	out := json.NewEncoder(s.out)
	if s.json {
		opt.Query = func(q bench.NearestQuery) { _ = out.Encode(q) }
	}
	r, err := bench.Nearest(s.ctx, opt)
	if err != nil {
		return err
	}
	if s.json {
		return out.Encode(r)
	}
	_, err = fmt.Fprintf(s.out, "%d queries among %d graphs, %d proven, digest %s\n"+
		"processor time: mean %.3f s, median %.3f, p95 %.3f, greatest %.3f\n",
		r.Queries, r.Graphs, r.Proven, r.Digest, r.Mean, r.Median, r.P95, r.Greatest)
	if err == nil && c.Cut > 0 {
		_, err = fmt.Fprintf(s.out, "cut after %v, %.3f s of processor time on average: "+
			"%d of %d proven queries have all answers\n", c.Cut, r.CutMean, r.InTime, r.Proven)
	}
	return err
}
