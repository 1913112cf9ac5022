package bench

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/greedgraph/greed"
	"github.com/greedgraph/greed/edit"
)

// ContainmentOptions say what [Containment] measures.
type ContainmentOptions struct {
	Index   string // a collection of molecules, as [greed.Open] opens it
	Queries string // a file with a pattern a line; what follows a space or a tab is ignored
	SMARTS  bool   // patterns are SMARTS; otherwise SMILES, searched as fragments within radius 0
	NoModel bool   // search without the models of the index
	Rounds  int    // how often all queries are asked
}

// Contained is what [Containment] measured.
type Contained struct {
	Graphs  int `json:"graphs"`
	Queries int `json:"queries"`
	Answers int `json:"answers"` // of all queries together
	// Milliseconds of processor time of a query, on average: the median of the rounds, and the least.
	Milliseconds float64 `json:"milliseconds"`
	Least        float64 `json:"least"`
	// Digest is a hash of the answers' ids, bounds, maps and proofs: equal where two programs answer the same.
	Digest string `json:"digest"`
}

// Containment searches an index, with one worker and default options, for the molecules that contain each of many
// patterns.
func Containment(ctx context.Context, o ContainmentOptions) (r Contained, err error) {
	c, err := greed.Open(ctx, greed.Source{Path: o.Index})
	if err != nil {
		return r, err
	}
	defer c.Close()
	text, err := os.ReadFile(o.Queries)
	if err != nil {
		return r, err
	}
	var asks []func() (*greed.Found, error)
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		pattern, _, _ := strings.Cut(strings.ReplaceAll(strings.TrimSpace(line), "\t", " "), " ")
		opt := greed.Options{Task: greed.SED, Mode: greed.Proven, Radius: new(float64), Workers: 1, NoModel: o.NoModel}
		var q *greed.Graph
		if o.SMARTS {
			opt.SMARTS, err = greed.ParseSMARTS(pattern)
		} else {
			q, err = c.ParseSMILES(pattern)
		}
		if err != nil {
			return r, fmt.Errorf("%s:%d: %w", o.Queries, i+1, err)
		}
		asks = append(asks, func() (*greed.Found, error) { return c.Search(ctx, q, opt) })
	}
	r.Graphs, r.Queries = c.Len(), len(asks)
	var times []float64
	for round := range max(1, o.Rounds) {
		begin := processorTime()
		found := make([]*greed.Found, len(asks))
		for i, ask := range asks {
			if found[i], err = ask(); err != nil {
				return r, err
			}
		}
		times = append(times, (processorTime()-begin).Seconds()*1e3/float64(len(asks)))
		if round == 0 {
			r.Answers, r.Digest, err = digest(found, true)
		}
		if err != nil {
			return r, err
		}
	}
	slices.Sort(times)
	r.Milliseconds, r.Least = times[len(times)/2], times[0]
	return r, nil
}

// digest returns the number of answers and a hash of what they say, with their node maps or without.
func digest(found []*greed.Found, maps bool) (answers int, sum string, err error) {
	type answer struct {
		ID           string
		Lower, Upper *float64
		Map          edit.NodeMap
	}
	hash := sha256.New()
	out := json.NewEncoder(hash)
	for _, f := range found {
		answers += len(f.Answers)
		if err := out.Encode([]any{f.Status, f.Open.Missing, len(f.Answers)}); err != nil {
			return 0, "", err
		}
		for i := range f.Answers {
			a := f.Answers[i]
			if !maps {
				a.Map = nil
			}
			if err := out.Encode(answer{a.ID, a.Lower, a.Upper, a.Map}); err != nil {
				return 0, "", err
			}
		}
	}
	return answers, hex.EncodeToString(hash.Sum(nil)[:8]), nil
}
