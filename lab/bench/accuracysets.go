package bench

import (
	"fmt"
	"math"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/eval"
	"github.com/greedgraph/greed/lab/published"
	"github.com/greedgraph/greed/sample"
)

// exam is a collection, how its models are trained, and what they are evaluated on.
type exam struct {
	name  string
	about string
	task  edit.Task
	// prepare reads the graphs and draws the pairs. If a file is missing, the error wraps
	// [fs.ErrNotExist].
	prepare  func(*examLab) (*material, error)
	criteria []criterion
}

// Names of the sets of pairs that models are evaluated on.
const (
	testTrain = "test × train"
	unseen    = "both unseen"
	random    = "random pairs" // an unseen target with a query drawn from another
	ranking   = "rankings"     // some queries with all, or some, unseen targets

	seenPairs  = "seen targets"               // a target learnt from with a query drawn from another, or a functional group
	loosePairs = "seen targets, loose bounds" // the same pairs, evaluated against bounds as loose as the paper's
)

// criterion is a figure with the paper's value and the target, NaN where there is none.
type criterion struct {
	pairs         string // set of pairs
	name          string
	of            func(*graded) eval.Figure
	paper, target float64
	least         bool // the target is a minimum, not a maximum
}

func none() float64 { return math.NaN() }

func rmse(r *graded) eval.Figure       { return r.All.RMSE }
func mae(r *graded) eval.Figure        { return r.All.MAE }
func provenRMSE(r *graded) eval.Figure { return r.All.ProvenRMSE }
func rounded(r *graded) eval.Figure    { return r.All.Rounded }
func roundedMAE(r *graded) eval.Figure { return r.All.RoundedMAE }
func kendall(r *graded) eval.Figure    { return r.All.Kendall }
func precision10(r *graded) eval.Figure {
	return r.All.PrecisionAt10
}
func similarity(r *graded) eval.Figure { return r.All.SimilarityMSE }

// rangeF1 returns the F1 of range search at one of [eval.RangeFractions], by the
// definition of the paper's code or by the standard one.
func rangeF1(at int, paper bool) func(*graded) eval.Figure {
	return func(r *graded) eval.Figure {
		if paper {
			return r.paperF1[at]
		}
		return r.All.Ranges[at].Standard.F1
	}
}

// nearF1 returns the F1 of range search at one of [eval.NearRadii].
func nearF1(at int) func(*graded) eval.Figure {
	return func(r *graded) eval.Figure { return r.All.Near[at].Standard.F1 }
}

func among50(r *graded) eval.Figure { return r.All.TenAmong50 }

// nearCriteria are those of searches for what is near.
func nearCriteria(pairs string) []criterion {
	list := []criterion{{pairs, "ten nearest among the first 50", among50, none(), none(), true}}
	for i, radius := range eval.NearRadii() {
		list = append(list, criterion{pairs, fmt.Sprintf("F1 within %v", radius), nearF1(i), none(), none(), true})
	}
	return list
}

// roundedF1 returns the F1 of range search by predictions rounded to integers.
func roundedF1(at int) func(*graded) eval.Figure {
	return func(r *graded) eval.Figure { return r.All.Ranges[at].Rounded.F1 }
}

// withoutCopies restricts a figure to pairs without copies of graphs used in training.
func withoutCopies(of func(*eval.Metrics) eval.Figure) func(*graded) eval.Figure {
	return func(r *graded) eval.Figure {
		if r.Copies == nil || r.Copies.Without == nil {
			return eval.Figure(math.NaN())
		}
		return of(r.Copies.Without)
	}
}

func maeOf(m *eval.Metrics) eval.Figure  { return m.MAE }
func rmseOf(m *eval.Metrics) eval.Figure { return m.RMSE }

// exams returns what is measured, beside figures of package published; those of F1 use
// the definition of the authors' code.
func exams() []exam {
	return []exam{
		gedExam("aids700nef", "", 0.42, 0.46),
		gedExam("linux", "", 0.05, 0.06),
		gedExam("imdb", "imdb", 1.5, 1.25),
		sedExam("aids", targets{file: "aids/aids.txt", queries: sample.BFS{Depth: 5, Keep: 0.8}}, 0.40, 0.36),
		groupsExam(0.40, 0.36),
		sedExam("protein", targets{file: "protein/protein.txt.gz", queries: sample.BFS{Depth: 5, Keep: 0.45}}, 0.60, 0.50),
		sedExam("cora_ml", targets{file: "cora_ml/cora_ml.txt", hops: 2, queries: sample.BFS{Depth: 2, Keep: 0.3}}, 0.50, 0.45),
		sedExam("citeseer", targets{file: "citeseer/citeseer.txt", hops: 4, queries: sample.BFS{Depth: 4, Keep: 0.5}, strangers: true}, 0.48, 0.43),
		sedExam("pubmed", targets{file: "pubmed/pubmed.txt", hops: 2, queries: sample.BFS{Depth: 2, Keep: 0.4}, strangers: true}, 0.45, 0.42),
		sedExam("wordnet", targets{file: "wordnet/wordnet.txt.gz", hops: 2, queries: sample.BFS{Depth: 2, Keep: 0.4}, drawn: true}, none(), none()),
		// Two edges from most packages is the C library, whose neighbourhood is most of the
		// graph.
		sedExam("debian", targets{file: "debian/debian_bookworm.txt.gz", hops: 1, queries: sample.BFS{Depth: 2, Keep: 0.4}, drawn: true}, none(), none()),
	}
}

// gedExam evaluates on all pairs of a test and a training graph, and on all pairs of test
// graphs. If list names files, it uses the pairs listed there.
func gedExam(name, list string, seen, both float64) exam {
	row := "ged/" + name
	p := published.Notebook(row)
	return exam{
		name: row, task: edit.GED, about: "GED, edit costs 1, edge labels ignored",
		prepare: func(x *examLab) (*material, error) { return x.ged(name, list) },
		criteria: append([]criterion{
			{testTrain, "RMSE", rmse, published.RMSE().At(published.GREED, row), none(), false},
			{testTrain, "MAE", mae, published.MAE().At(published.GREED, row), seen, false},
			{testTrain, "MAE without copies", withoutCopies(maeOf), none(), none(), false},
			{testTrain, "MAE after rounding", roundedMAE, none(), none(), false},
			{testTrain, "exact after rounding", rounded, none(), none(), true},
			{testTrain, "similarity MSE ×10⁻³", similarity, p.Similarity, none(), false},
			{testTrain, "Kendall's τ-b", kendall, p.Kendall, none(), true},
			{testTrain, "p@10", precision10, none(), none(), true},
			{testTrain, "range F1 at 1 %, the paper's", rangeF1(0, true), p.Ranges[0], none(), true},
			{testTrain, "range F1 at 5 %, the paper's", rangeF1(1, true), p.Ranges[1], none(), true},
			{testTrain, "range F1 at 1 %", rangeF1(0, false), none(), none(), true},
			{testTrain, "range F1 at 5 %", rangeF1(1, false), none(), none(), true},
			{testTrain, "range F1 at 5 %, rounded", roundedF1(1), none(), none(), true},
			{unseen, "RMSE", rmse, none(), none(), false},
			{unseen, "MAE", mae, none(), both, false},
			{unseen, "MAE after rounding", roundedMAE, none(), none(), false},
			{unseen, "MAE without copies", withoutCopies(maeOf), none(), none(), false},
		}, nearCriteria(testTrain)...),
	}
}

// sedCriteria are those of SED. Errors and ranks use different sets of pairs.
func sedCriteria(row, errors, ranks string, target, seen float64) []criterion {
	p := published.Notebook(row)
	paper := published.RMSE().At(published.GREED, row)
	return append([]criterion{
		{errors, "RMSE", rmse, paper, target, false},
		{errors, "RMSE, proven pairs", provenRMSE, none(), none(), false},
		{errors, "RMSE without copies", withoutCopies(rmseOf), none(), none(), false},
		{errors, "MAE", mae, published.MAE().At(published.GREED, row), none(), false},
		{errors, "exact after rounding", rounded, none(), none(), true},
		{seenPairs, "RMSE", rmse, none(), none(), false},
		{loosePairs, "RMSE", rmse, paper, seen, false},
		{ranks, "Kendall's τ-b", kendall, p.Kendall, p.Kendall, true},
		{ranks, "p@10", precision10, none(), none(), true},
		{ranks, "range F1 at 1 %, the paper's", rangeF1(0, true), p.Ranges[0], p.Ranges[0], true},
		{ranks, "range F1 at 5 %, the paper's", rangeF1(1, true), p.Ranges[1], p.Ranges[1], true},
		{ranks, "range F1 at 1 %", rangeF1(0, false), none(), p.Ranges[0], true},
		{ranks, "range F1 at 5 %", rangeF1(1, false), none(), p.Ranges[1], true},
		{ranks, "range F1 at 1 %, rounded", roundedF1(0), none(), p.Ranges[0], true},
		{ranks, "range F1 at 5 %, rounded", roundedF1(1), none(), p.Ranges[1], true},
	}, nearCriteria(ranks)...)
}

func sedExam(name string, t targets, target, seen float64) exam {
	t.name = name
	row := "sed/" + name
	e := exam{
		name: row, task: edit.SED, about: "SED of queries drawn as in the paper, edge labels ignored",
		prepare:  func(x *examLab) (*material, error) { return x.sed(t, "") },
		criteria: sedCriteria(row, random, ranking, target, seen),
	}
	if t.strangers {
		e.criteria = append(e.criteria, strangeCriteria(row)...)
	}
	return e
}

// groupsExam asks the AIDS model for functional groups.
func groupsExam(target, seen float64) exam {
	const row = "sed/groups"
	t := targets{name: "aids", file: "aids/aids.txt", queries: sample.BFS{Depth: 5, Keep: 0.8}}
	return exam{
		name: row, task: edit.SED, about: "SED of functional groups, the model of sed/aids",
		prepare:  func(x *examLab) (*material, error) { return x.sed(t, "aids/functional_groups.txt") },
		criteria: sedCriteria(row, ranking, ranking, target, seen),
	}
}
