package bench

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
)

// collection holds the graphs of a file.
type collection []dataset.Record

// lab is what the rows of one run share.
type lab struct {
	Options
	known       *known
	collections map[string][]collection // by file name
	exact       map[string][]pair       // pairs with their distances, by collection
}

// read reads files of the data folder over one vocabulary.
func (x *lab) read(names ...string) ([]collection, error) {
	key := strings.Join(names, "\n")
	if read, ok := x.collections[key]; ok {
		return read, nil
	}
	vocab := graph.NewVocabulary()
	var all []collection
	for _, name := range names {
		path := filepath.Join(x.Data, filepath.FromSlash(name))
		if _, err := os.Stat(path); err != nil {
			return nil, err
		}
		records, err := dataset.ReadAll(path, dataset.Options{Vocabulary: vocab})
		if err != nil {
			return nil, err
		}
		all = append(all, records)
	}
	x.collections[key] = all
	return all, nil
}

// benchmark reads the two parts of a GED benchmark.
func (x *lab) benchmark(name string) (test, train collection, err error) {
	parts, err := x.read(name+"/test.txt", name+"/train.txt")
	if err != nil {
		return nil, nil, err
	}
	return parts[0], parts[1], nil
}

// scaled returns how many of count things are measured, at least one.
func (x *lab) scaled(count int) int { return max(1, int(x.Scale*float64(count)+0.5)) }

// newRand returns a random generator. Those of one row differ by stream.
func newRand(stream uint64) *rand.Rand { return rand.New(rand.NewPCG(1, stream)) }

// pair is two graphs and their ids.
type pair struct {
	q, t          *graph.Graph
	query, target string
	exact         float64 // distance, if it was computed before
}

func newPair(q, t dataset.Record) pair {
	return pair{q: q.Graph, t: t.Graph, query: q.ID, target: t.ID}
}

// product returns all pairs of a query and a target. If the scale is below 1, it
// returns a random share in random order.
func (x *lab) product(queries, targets collection) []pair {
	pairs := make([]pair, 0, len(queries)*len(targets))
	for _, q := range queries {
		for _, t := range targets {
			pairs = append(pairs, newPair(q, t))
		}
	}
	if x.Scale < 1 {
		newRand(0).Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
		pairs = pairs[:x.scaled(len(pairs))]
	}
	return pairs
}

// maxDraws is how many pairs are drawn for each one wanted before random gives up.
const maxDraws = 1_000_000

// random draws count pairs, scaled, of a query and a target that fit each other.
func (x *lab) random(queries, targets collection, count int, fit func(q, t *graph.Graph) bool) ([]pair, error) {
	rng := newRand(0)
	count = x.scaled(count)
	pairs := make([]pair, 0, count)
	for range maxDraws * count {
		p := newPair(queries[rng.IntN(len(queries))], targets[rng.IntN(len(targets))])
		if !fit(p.q, p.t) {
			continue
		}
		if pairs = append(pairs, p); len(pairs) == count {
			return pairs, nil
		}
	}
	return nil, fmt.Errorf("found %d of %d pairs of the sizes wanted", len(pairs), count)
}

// anyPair accepts every pair.
func anyPair(_, _ *graph.Graph) bool { return true }
