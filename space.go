package greed

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"time"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/live"
	"github.com/greedgraph/greed/search"
	"github.com/greedgraph/greed/space"
	"github.com/greedgraph/greed/store"
)

// IsSpace reports whether a file begins as a synthon space does.
func IsSpace(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	in, err := dataset.OpenText(path)
	if err != nil {
		return false
	}
	line, _ := bufio.NewReader(in).ReadSlice('\n')
	header := space.IsHeader(strings.TrimRight(string(line), "\r\n"))
	return in.Close() == nil && header
}

// attributeReaction is the attribute that products have, and attributeSynthon that of their synthons, which filters
// know.
const (
	attributeReaction = "reaction_id"
	attributeSynthon  = "synton_id"
)

// errUnlisted says what a collection cannot do that is a synthon space. It is nothing that time would change.
var errUnlisted = fmt.Errorf("%w: the products of a synthon space are searched, and neither listed nor changed",
	store.ErrKind)

// openSpace reads the file of a synthon space.
func openSpace(ctx context.Context, src *Source) (c *Collection, err error) {
	if err := src.ungiven("a synthon space"); err != nil {
		return nil, err
	}
	in, err := dataset.OpenText(src.Path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	s, err := space.Read(ctx, in, src.Path)
	if err != nil {
		return nil, err
	}
	return ofSpace(s), nil
}

// openSpaceFile opens the index of a synthon space.
func openSpaceFile(ctx context.Context, path string) (*Collection, error) {
	s, err := space.ReadFile(ctx, path)
	switch {
	case errors.Is(err, space.ErrDamaged):
		err = fmt.Errorf("%w: %w", store.ErrDamaged, err)
	case errors.Is(err, space.ErrVersion):
		err = fmt.Errorf("%w: %w", store.ErrVersion, err)
	}
	if err != nil {
		return nil, err
	}
	return ofSpace(s), nil
}

// saveSpace writes the index of a synthon space to a new file.
func saveSpace(s *space.Space, path string) error {
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s: %w: name another file, or remove this one first", path, store.ErrExists)
	}
	return atomicfile.Write(path, s.Write)
}

// ofSpace returns the collection of the products of a space.
func ofSpace(s *space.Space) *Collection {
	in := search.NewCollection(s.Vocabulary(), nil)
	in.Rules = new(dataset.Rules)
	c := &Collection{live: live.Unlisted(in, s.Tag(), errUnlisted), space: s}
	for _, r := range s.Reactions {
		for _, n := range r.Open {
			c.notes = append(c.notes, dataset.Remarks(fmt.Sprintf("reaction %s: only one component has the attachment "+
				"point %d, so products keep it", r.ID, n))...)
		}
	}
	return c
}

// Space describes the synthon space that a collection is; nil: it is none.
func (c *Collection) Space() *Space {
	if c.space == nil {
		return nil
	}
	info := &Space{}
	info.Synthons, info.Products = c.space.Size()
	for i := range c.space.Reactions {
		r := &c.space.Reactions[i]
		about := Reaction{ID: r.ID, Products: r.Size()}
		for _, c := range r.Components {
			about.Synthons = append(about.Synthons, len(c.Synthons))
		}
		info.Reactions = append(info.Reactions, about)
	}
	return info
}

// Listable returns an error if the graphs of the collection cannot be listed, because they are products of a synthon
// space.
func (c *Collection) Listable() error {
	if c.space != nil {
		return errUnlisted
	}
	return nil
}

// product returns the record of a product.
func product(p space.Product) (rec Record, err error) {
	o := newOrigin(p)
	rec = Record{ID: o.ID(), Attributes: dataset.Attributes{attributeReaction: o.Reaction}}
	vocab := graph.NewVocabulary()
	if rec.SMILES, err = space.NewMaker(vocab).SMILES(p.Synthons); err != nil {
		return rec, err
	}
	mol, err := chem.ParseSMILES(rec.SMILES)
	if err == nil {
		rec.Graph, err = mol.Graph(vocab, chem.Options{})
	}
	return rec, err
}

func newOrigin(p space.Product) Origin {
	var o Origin
	if p.Reaction != nil {
		o.Reaction = p.Reaction.ID
	}
	for _, x := range p.Synthons {
		o.Synthons = append(o.Synthons, Synthon{x.ID, x.SMILES})
	}
	return o
}

// ID returns the id of the product that is made so: the reaction and the synthons, as in amide:acetyl+benzylamine.
func (o *Origin) ID() string {
	ids := make([]string, len(o.Synthons))
	for i, x := range o.Synthons {
		ids[i] = x.ID
	}
	return o.Reaction + ":" + strings.Join(ids, "+")
}

// positionOf returns the position of a product, which is its number, and -1 if that is too large.
func positionOf(p space.Product) int {
	if p.Number > math.MaxInt64 {
		return -1
	}
	return int(p.Number)
}

// checkProducts returns an error unless a search can be one of products.
func checkProducts(opt *Options) error {
	switch {
	case opt.Mode == Predicted:
		return fmt.Errorf("search: %w for the products of a synthon space", ErrNoModel)
	case opt.Recall > 0:
		return fmt.Errorf("search: %w for the products of a synthon space, whose answers are proven", ErrCalibration)
	case opt.Costs != nil && CostsName(*opt.Costs) != "uniform":
		return fmt.Errorf("search: %w: products of a synthon space are searched by unit costs alone", ErrCosts)
	case opt.Accept != nil || opt.First > 0:
		return errors.New("search: products of a synthon space are chosen by reactions and synthons, not by position")
	}
	var names []string
	for _, f := range opt.Filters {
		if f.Attribute != attributeSynthon {
			names = append(names, f.Attribute)
		}
	}
	for _, name := range append(names, opt.Show...) {
		if name != attributeReaction {
			return fmt.Errorf("%w %q; products have %s, and filters know the %s of their synthons", ErrAttribute, name,
				attributeReaction, attributeSynthon)
		}
	}
	return nil
}

// findProducts is [Collection.Find] in a synthon space.
func (c *Collection) findProducts(ctx context.Context, in *live.State, q *Graph, opt Options) (*Finding, error) {
	begin := time.Now()
	opt, err := opt.Complete()
	if err == nil {
		err = checkProducts(&opt)
	}
	if err != nil {
		return nil, err
	}
	of := space.Options{Task: opt.Task, SMARTS: opt.SMARTS, Radius: opt.Radius, K: opt.K, Time: opt.Time,
		Memory: opt.Memory, Workers: opt.Workers}
	if opt.Time == NoLimit {
		of.Time = 0
	}
	var byReaction []Filter
	for _, f := range opt.Filters {
		if f.Attribute != attributeSynthon {
			byReaction = append(byReaction, f)
			continue
		}
		of.Having = append(of.Having, func(x *space.Synthon) bool {
			return f.Match(&Record{Attributes: dataset.Attributes{attributeSynthon: x.ID}})
		})
	}
	of.Accept = func(r *space.Reaction) bool {
		return search.Pass(&Record{Attributes: dataset.Attributes{attributeReaction: r.ID}}, byReaction)
	}
	found, cut := c.space.Search(ctx, q, of)
	if found == nil {
		return nil, cut
	}
	r := &search.Result{Mode: opt.Mode, K: opt.K, Complete: true, Costs: edit.Uniform()}
	if r.Pricing, err = edit.Price(opt.Task, r.Costs); err != nil {
		return nil, err
	}
	for _, a := range found.Answers {
		r.Answers = append(r.Answers, search.Answer{
			Position: positionOf(a.Origins[0]), Lower: a.Distance, Upper: a.Distance, Exact: true, Map: a.Map,
		})
	}
	products := int(min(found.Stats.Products, math.MaxInt64))
	r.Stats = Stats{Graphs: products, Candidates: products, Solved: found.Stats.Made}
	if n := len(r.Answers); found.Tied {
		r.Tied = Tied{Distance: r.Answers[n-1].Upper, Open: true}
	}
	if !found.Complete {
		if r.Unreached = int(found.Open); found.Open < 0 { // not counted
			r.Unreached = products - len(r.Answers)
		}
		r.Unreached = max(1, r.Unreached)
	}
	r.Check = time.Since(begin)
	f := &Finding{newFound(in.Collection, opt, r, 0), in, q, opt, r, found.Answers}
	f.Found.Made = &Made{Synthons: found.Stats.Synthons, Wrong: found.Stats.Wrong}
	if found.Radius >= 0 {
		f.Found.Made.Within = &found.Radius
	}
	if n := found.Contain; n != nil {
		f.Found.Made.Contain = &Contain{n[0], n[1]}
	}
	f.Found.Verdict = f.Found.verdict(len(r.Answers)) + f.Found.Made.verdict(f.Found)
	return f, cut
}

// verdict adds to what is known of answers.
func (m *Made) verdict(f *Found) string {
	switch n := m.Contain; {
	case f.Status != StatusProven && m.Within != nil:
		return fmt.Sprintf("; none other is within %v", *m.Within)
	case f.Tied == Tied{} || n == nil || f.Tied.Distance > 0:
		return ""
	case n.Least == n.Most:
		return fmt.Sprintf("; %d products contain the query, each way to make one counted", n.Most)
	case n.Least == 0:
		return fmt.Sprintf("; at most %d products contain the query, each way to make one counted", n.Most)
	default:
		return fmt.Sprintf("; %d to %d products contain the query, each way to make one counted", n.Least, n.Most)
	}
}

// madeAnswer is [Finding.Answer] in a synthon space.
func (f *Finding) madeAnswer(i int) Answer {
	a := &f.products[i]
	var origins []Origin
	for _, o := range a.Origins {
		origins = append(origins, newOrigin(o))
	}
	rec := Record{ID: origins[0].ID(), SMILES: a.SMILES,
		Attributes: dataset.Attributes{attributeReaction: origins[0].Reaction}}
	out := newAnswer(&rec, a.Nodes, f.query, f.opt, &f.result.Answers[i])
	out.Origins = origins
	return out
}

// numbered returns a product by its number.
func (c *Collection) numbered(i int) Record {
	p, found := c.space.Product(uint64(i))
	if !found || i < 0 {
		panic(fmt.Sprintf("greed: there is no product %d", i))
	}
	rec, _ := product(p) // without a graph where it is no molecule
	return rec
}

// productAt returns the product with a number if it has an id.
func (c *Collection) productAt(number int, id string) (rec Record, same bool) {
	if number < 0 {
		return c.product(id)
	}
	p, found := c.space.Product(uint64(number))
	if o := newOrigin(p); !found || o.ID() != id {
		return rec, false
	}
	rec, err := product(p)
	return rec, err == nil
}

// product returns the product with an id, and whether there is one.
func (c *Collection) product(id string) (Record, bool) {
	for i := range c.space.Reactions {
		r := &c.space.Reactions[i]
		rest, of := strings.CutPrefix(id, r.ID+":")
		if !of {
			continue
		}
		p := space.Product{Reaction: r, Synthons: make([]*space.Synthon, len(r.Components))}
		if !named(&p, 0, rest, map[[2]int]bool{}) {
			continue
		}
		if rec, err := product(p); err == nil {
			return rec, true
		}
	}
	return Record{}, false
}

// named finds the synthons of the components from one on whose ids, divided by +, are a text. It has failed for those
// in vain.
func named(p *space.Product, component int, ids string, vain map[[2]int]bool) bool {
	here := [2]int{component, len(ids)}
	if vain[here] {
		return false
	}
	list := p.Reaction.Components[component].Synthons
	last := component == len(p.Synthons)-1
	for i := range list {
		rest, of := strings.CutPrefix(ids, list[i].ID)
		if !last && of {
			rest, of = strings.CutPrefix(rest, "+")
		}
		p.Synthons[component] = &list[i]
		if of && (last && rest == "" || !last && named(p, component+1, rest, vain)) {
			return true
		}
	}
	vain[here] = true
	return false
}
