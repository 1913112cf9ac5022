package greed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/postgres"
	"github.com/greedgraph/greed/space"
	"github.com/greedgraph/greed/store"
)

// FormatIndex as the format of a [Source] stands for an index.
const FormatIndex = "index"

// Error implements error.
func (e *SkippableError) Error() string { return e.Err.Error() }

// Unwrap returns the error of the record.
func (e *SkippableError) Unwrap() error { return e.Err }

// HasRules reports whether a place is an index, a database or a synthon space, which have the rules by which their
// graphs are read.
func HasRules(path string) bool { return IsIndex(path) || postgres.IsAddress(path) || IsSpace(path) }

// name is what messages call the source.
func (src *Source) name() string {
	switch {
	case src.Bundled:
		return bundle.Name
	case src.Path != "":
		return postgres.Shown(src.Path)
	}
	return "text"
}

// Follow makes the source be read by the rules of other graphs, if they are known. The error wraps
// [ErrReadAs] if its options ask for others.
func (src *Source) Follow(name string, rules *dataset.Rules) error {
	if rules == nil {
		return nil
	}
	if !rules.Fits(src.Rules) {
		return &readAsError{fmt.Sprintf("the graphs of %s were read by other rules (%s) than the options ask for "+
			"(%s): leave these out, "+
			"what is compared with them is read as they were", name, described(*rules), src.Rules)}
	}
	src.As, src.Of = rules, name
	return nil
}

// FollowModel makes the source be read as the graphs were that a model has learnt, if that is known, and
// with the attributes that its costs compare.
func (src *Source) FollowModel(name string, m *model.Model) error {
	meta := m.Metadata()
	src.Compare(meta.Costs)
	rules := meta.Training.Rules
	if rules != nil && src.As != nil && !src.As.Equal(*rules) {
		return &readAsError{fmt.Sprintf("the models were trained on graphs that were read by different rules: %s, "+
			"and %s", described(*src.As), described(*rules))}
	}
	return src.Follow(name, rules)
}

// Compare makes labels of the attributes that costs compare. The first costs that compare any decide.
func (src *Source) Compare(costs edit.Costs) {
	if src.Costs.Nodes.Attributes() == nil && src.Costs.Edges.Attributes() == nil {
		src.Costs = costs
	}
}

// readAsError is an [ErrReadAs] with its own text.
type readAsError struct{ text string }

func (e *readAsError) Error() string        { return e.text }
func (e *readAsError) Is(target error) bool { return target == ErrReadAs }

// described says rules in words.
func described(rules dataset.Rules) string {
	return cmp.Or(rules.String(), "those of docs/inputs.md")
}

// options returns the options of a reader.
func (src *Source) options(ctx context.Context) dataset.Options {
	opt := src.Options
	opt.Context = ctx
	if src.As != nil {
		opt.Rules, opt.Adopted = *src.As, true
	} else {
		opt.NodeParts, opt.EdgeParts = src.Costs.Nodes.Attributes(), src.Costs.Edges.Attributes()
	}
	return opt
}

// Read reads all graphs of a source.
func Read(ctx context.Context, src Source) (*Reading, error) {
	var list []Record
	r, err := src.Each(ctx, func(rec Record) error {
		list = append(list, rec)
		return nil
	})
	if err != nil {
		return nil, err
	}
	r.Records = list
	return r, nil
}

// Each calls what with the graphs of a source one by one, in their order, and returns what else was read.
// A bad record that could be skipped ends it with a [SkippableError].
func (src Source) Each(ctx context.Context, what func(Record) error) (*Reading, error) {
	each := func(all iter.Seq2[Record, error]) error {
		for rec, err := range all {
			if err == nil {
				err = ctx.Err()
			}
			if err == nil {
				err = what(rec)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	switch {
	case src.Records != nil || src.Bundled:
		return src.eachHeld(each)
	case src.Text == "" && IsIndex(src.Path):
		return nil, fmt.Errorf("%s: %w", src.Path, ErrIndex)
	case src.Text == "" && postgres.IsAddress(src.Path):
		return src.eachOfDatabase(ctx, each)
	}
	if src.Text != "" && src.Format == "smiles" && !strings.Contains(src.Text, "\n") {
		return src.molecule(ctx, what)
	}
	r, err := src.reader(ctx)
	if err != nil {
		return nil, err
	}
	if err := each(r.All()); err != nil {
		err = skippable(r, err)
		_ = r.Close() // the first error counts
		return nil, err
	}
	out := &Reading{Rules: r.Rules(), Notes: r.Notes()}
	if err := r.Close(); err != nil {
		return nil, err
	}
	return out, out.Rules.CheckCosts(src.Costs)
}

// molecule passes on the molecule of a SMILES, which has a name after a blank and no header.
func (src *Source) molecule(ctx context.Context, what func(Record) error) (*Reading, error) {
	opt := src.options(ctx)
	rec, err := dataset.ReadOne(src.Text, opt)
	if err != nil {
		return nil, err
	}
	return &Reading{Rules: opt.Rules, Notes: rec.Notes}, what(rec)
}

// reader opens a file, a folder or a text.
func (src *Source) reader(ctx context.Context) (*dataset.Reader, error) {
	if src.Text != "" {
		return dataset.NewReader(strings.NewReader(src.Text), src.name(), src.options(ctx))
	}
	return dataset.Open(src.Path, src.options(ctx))
}

// skippable marks the error for a bad record after which there are others.
func skippable(r *dataset.Reader, err error) error {
	var bad *dataset.BadRecord
	if !errors.As(err, &bad) {
		return err
	}
	if _, next := r.Next(); next != nil && !errors.As(next, &bad) {
		return err
	}
	return &SkippableError{err}
}

// eachHeld passes on the records that are in memory.
func (src *Source) eachHeld(each func(iter.Seq2[Record, error]) error) (*Reading, error) {
	list, out := src.Records, &Reading{}
	if src.Bundled {
		var err error
		out.Rules = src.Rules.OfMolecules()
		if src.As != nil {
			out.Rules = src.As.OfMolecules()
		}
		if list, err = bundle.Read(cmp.Or(src.Vocabulary, graph.NewVocabulary()), out.Rules); err != nil {
			return nil, err
		}
	}
	if src.As != nil {
		out.Rules = *src.As
	}
	return out, each(func(yield func(Record, error) bool) {
		for _, rec := range list {
			if !yield(rec, nil) {
				return
			}
		}
	})
}

// eachOfDatabase passes on the records of a database, which have the rules by which they were put there.
func (src *Source) eachOfDatabase(ctx context.Context, each func(iter.Seq2[Record, error]) error) (*Reading, error) {
	db, err := postgres.Open(ctx, src.Path)
	if err != nil {
		return nil, err
	}
	out := &Reading{Rules: src.options(ctx).Rules}
	return out, db.View(ctx, func(from *postgres.Snapshot) error {
		if from.Rules != nil {
			if src.As != nil && !src.As.Equal(*from.Rules) {
				return &readAsError{fmt.Sprintf("the graphs of %s were read by other rules (%s) than those of %s "+
					"(%s): give "+
					"options by which these are read in the same way",
					src.name(), described(*from.Rules), cmp.Or(src.Of, "the others"), described(*src.As))}
			}
			if err := src.Follow(src.name(), from.Rules); err != nil {
				return err
			}
			out.Rules = *from.Rules
		}
		out.Origin = store.Source{ID: from.ID, Generation: from.Generation}
		return each(sequence(func(yield func(Record) error) error {
			return from.Since(ctx, 0, cmp.Or(src.Vocabulary, graph.NewVocabulary()), yield)
		}))
	})
}

// errStopped ends an iteration whose caller wants no more.
var errStopped = errors.New("stopped")

// sequence returns the records that a function calls another with, and its error.
func sequence(visit func(each func(Record) error) error) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		err := visit(func(rec Record) error {
			if !yield(rec, nil) {
				return errStopped
			}
			return nil
		})
		if err != nil && err != errStopped {
			yield(Record{}, err)
		}
	}
}

// Open opens the collection of a source. That of an index has the models it holds:
// [Collection.Apply] returns when its changes are on the disk, [Collection.Refresh] reads what other
// processes have written since, and it is to be closed after use. Of any other source the graphs are read
// into memory, and later changes of the source do not affect them. Bundled molecules come without models.
func Open(ctx context.Context, src Source) (*Collection, error) {
	if src.Records == nil && !src.Bundled && src.Text == "" && (src.Format == FormatIndex || IsIndex(src.Path)) {
		return openIndex(ctx, &src)
	}
	if src.Path != "" && src.Text == "" && !src.Bundled && src.Format == "" && IsSpace(src.Path) {
		return openSpace(ctx, &src)
	}
	if src.Records != nil {
		c, err := FromRecords(src.Vocabulary, src.Records)
		if err == nil && src.As != nil {
			c.setRules(*src.As)
		}
		return c, err
	}
	if src.Vocabulary == nil {
		src.Vocabulary = graph.NewVocabulary()
	}
	r, err := Read(ctx, src)
	if err != nil {
		return nil, err
	}
	c, err := FromRecords(src.Vocabulary, r.Records)
	if err != nil {
		return nil, err
	}
	c.setRules(r.Rules)
	c.notes = r.Notes
	return c, nil
}

// ungiven returns an error if options say how files are read, but the source is read in one way only.
func (src *Source) ungiven(what string) error {
	for _, given := range src.Given() {
		if given != (dataset.Setting{Option: "format", Value: FormatIndex}) {
			return dataset.Errorf("%v says how files are read, but %s is %s: leave it out",
				dataset.Setting{Option: given.Option}, src.Path, what)
		}
	}
	return nil
}

// opened opens the index of graphs or of a synthon space.
func opened(ctx context.Context, path string) (*Collection, error) {
	if space.IsFile(path) {
		return openSpaceFile(ctx, path)
	}
	c, err := openLive(ctx, path)
	if err != nil {
		return nil, err
	}
	out := &Collection{live: c}
	for _, u := range c.Lacking() {
		out.notes = append(out.notes, dataset.Remark("%s was not searched, so no answer is proven: %s", u.Index,
			u.Reason))
	}
	return out, nil
}

// openIndex opens an index, whose graphs have been read: options of reading may only say what its rules say.
func openIndex(ctx context.Context, src *Source) (*Collection, error) {
	if err := src.ungiven("an index"); err != nil {
		return nil, err
	}
	out, err := opened(ctx, src.Path)
	if err != nil {
		return nil, err
	}
	rules, _ := out.Rules()
	if err := src.Follow(src.name(), &rules); err != nil {
		_ = out.Close()
		return nil, err
	}
	return out, nil
}
