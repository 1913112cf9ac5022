package bench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged/bound"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/sample"
	"github.com/greedgraph/greed/search"
)

// CertifyOptions are options of [Certify].
type CertifyOptions struct {
	Data     string // folder with the collections; docs/benchmarks.md describes its layout
	Queries  int
	Time     time.Duration // time of a proven query
	Models   []string      // model files for AIDS, at most one for each task
	Copies   int           // molecules of the rows copies/…; 0: none
	Only     []string      // names of rows, or the part before a slash; empty means all
	Progress func(Step)
}

// Certify measures proven searches, with and without models, on all cores that the Go
// runtime has. It skips collections that are not in the data folder and models that are
// not named, and gives the reason. If the context ends, the table holds the rows
// measured so far.
func Certify(ctx context.Context, opt CertifyOptions) (*Table, error) {
	if opt.Queries < 1 || opt.Time <= 0 {
		return nil, fmt.Errorf("bench: %d queries, %v each, want at least one and some time", opt.Queries, opt.Time)
	}
	for _, want := range opt.Only {
		if !slices.ContainsFunc(CertifyNames(), func(name string) bool { return named(want, name) }) {
			return nil, fmt.Errorf("bench: no row %q, want some of %s", want, strings.Join(CertifyNames(), ", "))
		}
	}
	table := &Table{Scale: 1, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, counted: "queries"}
	for _, a := range arenas {
		if !slices.ContainsFunc(a.names(), opt.wants) {
			continue
		}
		in, err := a.open(ctx, &opt)
		switch {
		case ctx.Err() != nil:
		case errors.Is(err, fs.ErrNotExist):
			table.Rows = append(table.Rows, Row{Name: a.name, About: a.about, Skipped: err.Error()})
			continue
		case err != nil:
			return nil, fmt.Errorf("bench: %s: %w", a.name, err)
		default:
			err = opt.measure(ctx, table, a, in)
		}
		if ctx.Err() != nil {
			table.Interrupted = true
			return table, nil
		}
		if err != nil {
			return nil, fmt.Errorf("bench: %s: %w", a.name, err)
		}
	}
	return table, nil
}

func (o *CertifyOptions) wants(name string) bool {
	return len(o.Only) == 0 || slices.ContainsFunc(o.Only, func(want string) bool { return named(want, name) })
}

// CertifyNames returns the names of the rows that Certify measures.
func CertifyNames() []string {
	var names []string
	for _, a := range arenas {
		names = append(names, a.names()...)
	}
	return names
}

// arena is a collection with the queries put to it.
type arena struct {
	name, about string
	task        edit.Task
	open        func(context.Context, *CertifyOptions) (*contest, error)
	radii       []int // nil: 1 to 6
	filter      bool  // the plain search is measured too
}

// The methods of a search.
const (
	byModel  = "model"
	bySolver = "bounds"
	byFilter = "filter" // the plain search: a bound of every graph, then the solver
)

func (a arena) methods() []string {
	if a.filter {
		return []string{byModel, bySolver, byFilter}
	}
	return []string{byModel, bySolver}
}

func (a arena) names() []string {
	var names []string
	for _, method := range a.methods() {
		for _, g := range a.goals() {
			names = append(names, a.name+"/"+method+"/"+g.name)
		}
	}
	return names
}

// goal is what a search asks for.
type goal struct {
	name   string
	k      int
	radius float64
}

func (a arena) goals() []goal {
	list := []goal{{"10-nn", nearest, 0}}
	radii := a.radii
	if radii == nil {
		radii = []int{1, 2, 3, 4, 5, 6}
	}
	for _, tau := range radii {
		list = append(list, goal{fmt.Sprintf("range-%d", tau), 0, float64(tau)})
	}
	return list
}

// contest is an arena that was read.
type contest struct {
	collection *search.Collection
	costs      edit.Costs
	queries    []question
	signs      []bound.Signature // of all positions, for the plain search
}

// question is a query and its position in the collection, or -1.
type question struct {
	graph    *graph.Graph
	position int
}

var arenas = []arena{
	{"aids/ged", "GED on AIDS with bond labels; queries are graphs of it, left out themselves", edit.GED, openAIDS, nil, false},
	{"aids42k/ged", "GED on the AIDS screen, 42,689 molecules with bond labels; queries are some of them, left out themselves", edit.GED, openScreen("aids42k", edit.Uniform()), screenRadii(), true},
	{"aids42k/plain", "the same, bond labels ignored", edit.GED, openScreen("aids42k", edit.Uniform().IgnoreEdgeLabels()), screenRadii(), true},
	{"aids42k/sed", "SED from rings and chains of the AIDS screen to all of it, with bond labels", edit.SED, openRings, []int{0, 2}, false},
	{"pubchem/ged", "GED on 22,794 larger molecules of PubChem with bond labels; queries are some of them, left out themselves", edit.GED, openScreen("pubchem", edit.Uniform()), screenRadii(), false},
	{"copies/ged", "GED on the bundled molecules and copies of them after 0 to 9 random edits; queries are such copies", edit.GED, openCopies, copiesRadii(), false},
	{"aids/sed", "SED from the functional groups to AIDS, edge labels ignored", edit.SED, openGroups, nil, false},
	{"nci/ged", "GED on the bundled molecules; queries are some of them, left out themselves", edit.GED, openMolecules, nil, false},
	{"nci/sed", "SED from fragments of bundled molecules, which are left out themselves, to the others", edit.SED, openFragments, nil, false},
}

// read reads files of the data folder over one vocabulary.
func (o *CertifyOptions) read(vocab *graph.Vocabulary, name string) (collection, error) {
	path := filepath.Join(o.Data, filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	return dataset.ReadAll(path, dataset.Options{Vocabulary: vocab})
}

// heldOut draws records as queries.
func (o *CertifyOptions) heldOut(records collection) []question {
	var list []question
	for _, i := range newRand(40).Perm(len(records))[:min(o.Queries, len(records))] {
		list = append(list, question{records[i].Graph, i})
	}
	return list
}

func openAIDS(ctx context.Context, o *CertifyOptions) (*contest, error) {
	vocab := graph.NewVocabulary()
	records, err := o.read(vocab, "aids/aids.txt")
	if err != nil {
		return nil, err
	}
	c := &contest{collection: search.NewCollection(vocab, records), costs: edit.Uniform(), queries: o.heldOut(records)}
	return c, o.attach(ctx, c, edit.GED)
}

// screenRadii are those of published tables.
func screenRadii() []int { return []int{2, 4, 6, 8, 10, 12} }

func openScreen(name string, costs edit.Costs) func(context.Context, *CertifyOptions) (*contest, error) {
	return func(ctx context.Context, o *CertifyOptions) (*contest, error) {
		vocab := graph.NewVocabulary()
		records, err := o.readScreen(vocab, name)
		if err != nil {
			return nil, err
		}
		c := &contest{collection: search.NewCollection(vocab, records), costs: costs, queries: o.heldOut(records)}
		for _, r := range records {
			c.signs = append(c.signs, bound.Sign(r.Graph))
		}
		return c, o.attach(ctx, c, edit.GED)
	}
}

// readScreen reads the AIDS screen or another file of that kind, packed or not.
func (o *CertifyOptions) readScreen(vocab *graph.Vocabulary, name string) (collection, error) {
	path := name + "/" + name + ".txt"
	records, err := o.read(vocab, path+".gz")
	if errors.Is(err, fs.ErrNotExist) {
		records, err = o.read(vocab, path)
	}
	return records, err
}

func openGroups(ctx context.Context, o *CertifyOptions) (*contest, error) {
	vocab := graph.NewVocabulary()
	records, err := o.read(vocab, "aids/aids.txt")
	if err != nil {
		return nil, err
	}
	groups, err := o.read(vocab, "aids/functional_groups.txt")
	if err != nil {
		return nil, err
	}
	c := &contest{collection: search.NewCollection(vocab, records), costs: edit.Uniform().IgnoreEdgeLabels()}
	for _, g := range groups[:min(o.Queries, len(groups))] {
		c.queries = append(c.queries, question{g.Graph, -1})
	}
	return c, o.attach(ctx, c, edit.SED)
}

// attach attaches the model for a task and the costs if one was named.
func (o *CertifyOptions) attach(ctx context.Context, c *contest, task edit.Task) error {
	for _, path := range o.Models {
		m, err := model.LoadIndexable(path)
		if err != nil {
			return err
		}
		if m.Metadata().Task == task && reflect.DeepEqual(m.Metadata().Costs, c.costs) {
			return c.collection.Attach(ctx, m, nil, nil)
		}
	}
	return nil
}

func openMolecules(ctx context.Context, o *CertifyOptions) (*contest, error) {
	c, records, err := bundled(ctx, edit.GED)
	if err == nil {
		c.queries = o.heldOut(records)
	}
	return c, err
}

func openFragments(ctx context.Context, o *CertifyOptions) (*contest, error) {
	c, records, err := bundled(ctx, edit.SED)
	if err != nil {
		return nil, err
	}
	var all sample.Whole
	for _, r := range records {
		all = append(all, r.Graph)
	}
	drawn, err := sample.Queries(newRand(41), all, sample.BFS{Depth: 5, Keep: 0.8}, sample.PaperLimits(), o.Queries)
	for _, q := range drawn {
		c.queries = append(c.queries, question{q.Graph, q.Target})
	}
	return c, err
}

func bundled(ctx context.Context, task edit.Task) (*contest, collection, error) {
	vocab := graph.NewVocabulary()
	records, err := bundle.Records(vocab)
	if err != nil {
		return nil, nil, err
	}
	m, err := bundle.Model(task)
	if err != nil {
		return nil, nil, err
	}
	c := &contest{collection: search.NewCollection(vocab, records), costs: edit.Uniform()}
	return c, records, c.collection.Attach(ctx, m, nil, nil)
}
