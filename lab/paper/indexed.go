package paper

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/pivottree"
	"github.com/greedgraph/greed/report"
	"github.com/greedgraph/greed/train"
	"github.com/greedgraph/greed/vectorindex"
)

// Table 3c: what an index gains over a scan of all neighbourhoods of a large graph.

func indexed() Experiment {
	jobs := func(Settings) []job {
		var list []job
		for _, l := range larges() {
			list = append(list, job{Exam: l.exam, System: ourPaper}, job{Exam: l.exam, Kind: "index"})
		}
		return list
	}
	paper := map[string]map[string]float64{"sed/pubmed": {"10-NN, scan": 1.01, "10-NN, paper's tree": 0.49, "range 2, scan": 0.693, "range 2, paper's tree": 0.56}}
	columns := []string{"10-NN, scan", "10-NN, paper's tree", "10-NN, box tree", "range 2, scan", "range 2, paper's tree", "range 2, box tree", "build, paper's tree", "build, box tree"}
	return Experiment{
		Name: "index", Title: "Index against scan", Where: "Table 3c", jobs: jobs,
		show: func(r results) report.Section {
			t := &report.Table{Title: "Seconds a query, one core", Columns: append([]string{"collection", "neighbourhoods", "embedding one, ms"}, columns...)}
			for _, l := range larges() {
				out := r.of(job{Exam: l.exam, Kind: "index"})
				if out == nil {
					continue
				}
				row := []report.Cell{report.Text(titles[l.exam]), report.Number(out.Numbers["vectors"], 0), report.Short(1e3 * out.Numbers["embed"])}
				for _, c := range columns {
					cell := report.Short(out.Numbers[c])
					if x, ok := paper[l.exam][c]; ok {
						cell = cell.Beside(x)
					}
					row = append(row, cell)
				}
				t.Rows = append(t.Rows, row)
			}
			t.Note = "Medians over the queries, by the wall clock; the vectors are those of the paper's configuration. All three answer alike, which is checked. The paper's scan is a loop in Python."
			return report.Section{Text: standIns, Blocks: []report.Block{{Table: t}, {Text: r.absences(jobs(r.scale))}}}
		},
	}
}

// measureIndex embeds all neighbourhoods of a large graph, builds the indexes and asks them
// the same queries.
func measureIndex(ctx context.Context, w *worker, j job) (*outcome, error) {
	e, err := w.examinee(ctx, j.Exam)
	if err != nil {
		return nil, err
	}
	m := e.model
	var vectors []float32
	const atOnce = 2000
	begin, used := 0, time.Duration(0)
	limit := min(e.whole.N(), cmp.Or(w.Scale.Neighbourhoods, e.whole.N()))
	for begin < limit {
		w.report("embedding neighbourhoods", begin, limit)
		var centres []int
		for v := begin; v < min(begin+atOnce, limit); v++ {
			centres = append(centres, v)
		}
		part := e.neighbourhoods(centres)
		took, err := processor(func() error {
			z, err := m.Embed(ctx, part, w.Workers)
			vectors = append(vectors, z...)
			return err
		})
		if err != nil {
			return nil, err
		}
		used += took
		begin += len(part)
	}
	queries := e.exam.Sets[0].Input.Queries
	queries = queries[:min(len(queries), w.Scale.Queries)]
	zq, err := m.Embed(ctx, queries, 1)
	if err != nil {
		return nil, err
	}
	out := &outcome{Numbers: map[string]float64{"vectors": float64(limit), "embed": used.Seconds() / float64(limit)}}
	return out, out.ask(ctx, m.Norm().Dim(), zq, []build{
		{"scan", func() (vectorindex.Index, error) { return vectorindex.NewFlat(m.Norm(), vectors) }},
		{"paper's tree", func() (vectorindex.Index, error) { return pivottree.New(m.Norm(), vectors) }},
		{"box tree", func() (vectorindex.Index, error) { return vectorindex.NewBoxTree(m.Norm(), slices.Clone(vectors)) }},
	})
}

type build struct {
	name  string
	index func() (vectorindex.Index, error)
}

// ask puts the same queries to indexes and notes the medians.
func (out *outcome) ask(ctx context.Context, dim int, queries []float32, builds []build) error {
	var first [][]vectorindex.Result
	for k, b := range builds {
		var index vectorindex.Index
		took, err := processor(func() (err error) {
			index, err = b.index()
			return err
		})
		if err != nil {
			return err
		}
		out.Numbers["build, "+b.name] = took.Seconds()
		for a, question := range []struct {
			name string
			ask  func(q []vectorindex.Query) ([]vectorindex.Result, error)
		}{
			{"10-NN", func(q []vectorindex.Query) ([]vectorindex.Result, error) { return index.KNN(ctx, q, 10) }},
			{"range 2", func(q []vectorindex.Query) ([]vectorindex.Result, error) { return index.Range(ctx, q, 2) }},
		} {
			var times []float64
			for i := 0; i+dim <= len(queries); i += dim {
				begin := time.Now()
				got, err := question.ask([]vectorindex.Query{{Vector: queries[i : i+dim]}})
				times = append(times, time.Since(begin).Seconds())
				if err != nil {
					return err
				}
				at := 2*(i/dim) + a
				if k == 0 {
					for len(first) <= at {
						first = append(first, nil)
					}
					first[at] = got
				} else if !slices.Equal(got[0].Hits, first[at][0].Hits) {
					return fmt.Errorf("answers of %s and of the scan differ", b.name)
				}
			}
			slices.Sort(times)
			out.Numbers[question.name+", "+b.name] = times[len(times)/2]
		}
	}
	return nil
}

// neighbourhoods returns the neighbourhoods of some nodes.
func (e examinee) neighbourhoods(centres []int) []*graph.Graph {
	return train.Neighbourhoods{Hops: e.hops, Nodes: 1000}.Of(e.whole, centres)
}
