package bench

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/vectorindex"
)

const (
	nearest   = 10
	batchSize = 50
)

// shares are the shares of the vectors that ranges hold.
var shares = []struct {
	name  string
	share float64
}{{"range 0.001 %", 1e-5}, {"range 0.1 %", 1e-3}, {"range 5 %", 0.05}}

// sitting asks several indexes the same questions in turns.
type sitting struct {
	*vectorSet
	subjects []*subject
	progress func(Step)

	reads    []time.Duration // reading all vectors once
	atZero   int             // answers of 10-NN at distance 0
	answered int             // answers of 10-NN
	hits     []int           // answers of ranges
}

func (s *sitting) run(ctx context.Context) error {
	s.hits = make([]int, len(shares))
	total := s.queryCount()
	for i := range total {
		if s.progress != nil {
			s.progress(Step{fmt.Sprintf("%s, %d vectors", s.name, s.len()), 1, i, total})
		}
		begin := time.Now()
		kernel.Best().Find(s.vectors, -math.MaxFloat32)
		s.reads = append(s.reads, time.Since(begin))
		if err := s.single(ctx, i); err != nil {
			return err
		}
	}
	for from := 0; from+batchSize <= total || from == 0; from += batchSize {
		var batch []vectorindex.Query
		for i := from; i < min(from+batchSize, total); i++ {
			batch = append(batch, s.query(i))
		}
		err := s.ask("batch", len(batch), func(x vectorindex.Index) ([]vectorindex.Result, error) { return x.KNN(ctx, batch, nearest) })
		if err != nil {
			return err
		}
	}
	if s.progress != nil {
		s.progress(Step{fmt.Sprintf("%s, %d vectors", s.name, s.len()), 1, total, total})
	}
	return nil
}

// single asks all questions about query i.
func (s *sitting) single(ctx context.Context, i int) error {
	q := []vectorindex.Query{s.query(i)}
	all, err := s.subjects[0].index.KNN(ctx, q, max(1, s.len()/20))
	if err != nil {
		return err
	}
	sorted := all[0].Hits // those that agree within 5 %
	for _, h := range sorted[:min(nearest, len(sorted))] {
		s.answered++
		if h.Distance == 0 {
			s.atZero++
		}
	}
	err = s.ask("10-NN", 1, func(x vectorindex.Index) ([]vectorindex.Result, error) { return x.KNN(ctx, q, nearest) })
	for j, share := range shares {
		if err != nil {
			return err
		}
		at := min(max(1, int(share.share*float64(s.len()))), len(sorted)) - 1
		theta := sorted[at].Distance
		err = s.ask(share.name, 1, func(x vectorindex.Index) ([]vectorindex.Result, error) {
			r, err := x.Range(ctx, q, theta)
			if x == s.subjects[0].index && err == nil {
				s.hits[j] += len(r[0].Hits)
			}
			return r, err
		})
	}
	return err
}

// ask puts a question to every index, times it and compares the answers.
func (s *sitting) ask(question string, queries int, f func(vectorindex.Index) ([]vectorindex.Result, error)) error {
	var want []vectorindex.Result
	for i, x := range s.subjects {
		begin := time.Now()
		got, err := f(x.index)
		took := time.Since(begin)
		if err != nil {
			return err
		}
		x.times[question] = append(x.times[question], took/time.Duration(queries))
		if i == 0 {
			want = got
			continue
		}
		for j := range want {
			if !slices.Equal(got[j].Hits, want[j].Hits) {
				return fmt.Errorf("%s: answers of %s and of the scan differ", question, x.name)
			}
		}
	}
	return nil
}

// figures returns the figures of an index. Targets refer to 1.66 million vectors.
func (s *sitting) figures(x *subject) []Figure {
	var list []Figure
	scan := s.subjects[0]
	add := func(name, unit string, value float64, relation Relation, target float64) {
		f := Figure{Name: name, Unit: unit, Value: value}
		if relation != "" && s.len() == FullIndex {
			f.Target = &Target{relation, target}
			met := f.Target.met(value)
			f.Met = &met
		}
		list = append(list, f)
	}
	millis := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }
	ours := x.name == "boxtree"
	only := func(apply bool, r Relation) Relation {
		if apply {
			return r
		}
		return ""
	}
	if x == scan {
		bytes := float64(4 * len(s.vectors))
		read := bytes / quantile(s.reads, 0.5).Seconds()
		speed := bytes / quantile(x.times["10-NN"], 0.5).Seconds()
		add("memory read", unitGigabytes, read/1e9, "", 0)
		add("10-NN reads", unitGigabytes, speed/1e9, "", 0)
		add("by memory read", unitShare, speed/read, AtLeast, 0.8)
		add("duplicates", unitShare, s.duplicates(), "", 0)
		add("10-NN at distance 0", unitShare, float64(s.atZero)/float64(max(1, s.answered)), "", 0)
		for j, share := range shares {
			add(share.name+", answers a query", "", float64(s.hits[j])/float64(s.queryCount()), "", 0)
		}
	}
	questions := []string{"10-NN"}
	for _, share := range shares {
		questions = append(questions, share.name)
	}
	for _, question := range questions {
		wide := question == shares[len(shares)-1].name
		median := quantile(x.times[question], 0.5)
		add(question+", median", unitMillis, millis(median), only(ours && !wide, AtMost), 3)
		add(question+", p95", unitMillis, millis(quantile(x.times[question], 0.95)), "", 0)
		if x != scan {
			ratio := float64(quantile(scan.times[question], 0.5)) / float64(median)
			add(question+", times as fast as the scan", "", ratio, only(ours && !wide, AtLeast), 10)
		}
	}
	add(fmt.Sprintf("batch of %d, a query", min(batchSize, s.queryCount())), unitMillis, millis(quantile(x.times["batch"], 0.5)), only(ours, AtMost), 1.5)
	add("build", unitSeconds, x.build.Seconds(), only(ours, AtMost), 20)
	add("memory by that of the vectors", "", x.memory, only(ours, AtMost), 1.3)
	return list
}

// quantile returns the least value that a share of all values do not exceed.
func quantile(times []time.Duration, share float64) time.Duration {
	if len(times) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(times))
	return sorted[min(len(sorted)-1, int(math.Ceil(share*float64(len(sorted))))-1)]
}

// Units of the figures of indexes and searches.
const (
	unitGigabytes = "GB/s"
	unitSeconds   = "s"
)
