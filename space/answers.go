package space

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/edit"
)

// origin is a product by its place in the space. Components are at most maxComponents.
type origin struct {
	reaction int32
	synthons [maxComponents]int32
}

func (o *origin) compare(p *origin) int {
	return cmp.Or(cmp.Compare(o.reaction, p.reaction), slices.Compare(o.synthons[:], p.synthons[:]))
}

// hit is an answer with its origins.
type hit struct {
	key          string // of [worker.key]
	distance     int
	nodes, edges int
	nodeMap      edit.NodeMap // from the query to the atoms in the order of the key
	origins      []origin     // the first of the space first
}

// result says what is known of a product.
type result int8

const (
	undecided result = iota
	decided          // it is an answer or no molecule
	farther          // than the radius
)

// solve makes products, compares them with the query, and returns what is known of each.
func (x *searcher) solve(batch []origin, radius int) (results []result, err error) {
	results = make([]result, len(batch))
	err = x.parallel(len(batch), func(w *worker, i int) error {
		found, wrong, err := w.solve(batch[i], radius)
		if errors.Is(err, errOpen) {
			return nil
		} else if err != nil {
			return err
		}
		x.mu.Lock()
		defer x.mu.Unlock()
		results[i] = decided
		switch {
		case wrong:
			x.wrong[batch[i]] = true
		case found != nil:
			x.hits[batch[i]] = true
			if h := x.found[found.key]; h != nil { // the map is that of the first, whoever comes first
				if found.origins[0].compare(&h.origins[0]) > 0 {
					h, found = found, h
				}
				found.origins = append(found.origins, h.origins...)
			}
			x.found[found.key] = found
		default:
			results[i] = farther
		}
		return nil
	})
	if errors.Is(err, errLate) {
		err = nil
	}
	return results, err
}

// errOpen says that a product cannot be decided in time.
var errOpen = errors.New("undecided")

// solve makes a product and compares it with the query: it is a hit, no molecule at all, or farther away. The error
// may be [errOpen].
func (w *worker) solve(o origin, radius int) (h *hit, wrong bool, err error) {
	synthons := w.space.synthons(o)
	g, err := w.graph(synthons)
	if err != nil {
		return nil, true, nil
	}
	d, m, err := w.distance(synthons, g, radius)
	if err != nil || d > radius {
		return nil, false, err
	}
	key, order := w.key(synthons)
	return &hit{key, d, g.N(), g.M(), inOrder(m, order), []origin{o}}, false, nil
}

// inOrder returns a node map to atoms that come in another order; nil is the same.
func inOrder(m edit.NodeMap, order []int32) edit.NodeMap {
	if order == nil {
		return m
	}
	place := make([]int, len(order))
	for i, v := range order {
		place[v] = i
	}
	out := make(edit.NodeMap, len(m))
	for i, v := range m {
		if out[i] = v; v >= 0 {
			out[i] = place[v]
		}
	}
	return out
}

// conclude turns what was found into answers.
func (x *searcher) conclude(r *Result) {
	list := make([]*hit, 0, len(x.found))
	for _, h := range x.found {
		slices.SortFunc(h.origins, func(a, b origin) int { return a.compare(&b) })
		list = append(list, h)
	}
	slices.SortFunc(list, func(a, b *hit) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), a.origins[0].compare(&b.origins[0]))
	})
	if k := x.opt.K; k > 0 && len(list) > k {
		r.Tied = r.Tied || list[k].distance == list[k-1].distance
		list = list[:k]
	}
	w := x.workers[0]
	for _, h := range list {
		a := Answer{SMILES: h.key, Distance: float64(h.distance), Nodes: h.nodes, Edges: h.edges, Map: h.nodeMap}
		for _, o := range h.origins {
			r := &x.space.Reactions[o.reaction]
			a.Origins = append(a.Origins, Product{r, x.space.synthons(o), x.space.number(o)})
		}
		if strings.Contains(h.key, " ") { // with descriptors
			first := a.Origins[0].Synthons
			a.SMILES = w.maker.Text(first)
			if _, order := w.key(first); order != nil { // which the key has, and the text not
				for i, v := range a.Map {
					if v >= 0 {
						a.Map[i] = int(order[v])
					}
				}
			}
		}
		r.Answers = append(r.Answers, a)
	}
}

// key returns a text that is the same for equal products, and the order in which it has their atoms: the canonical
// SMILES and, where the synthons state any stereochemistry, a blank and the descriptors of its atoms and bonds. What
// has no canonical SMILES is equal to nothing else, and keeps its order, which is nil.
func (w *worker) key(synthons []*Synthon) (text string, order []int32) {
	m, err := w.maker.Molecule(synthons)
	if err == nil {
		text, order, err = w.maker.writer.Canonical(m)
	}
	if err != nil {
		return w.maker.Text(synthons) + " ", nil
	}
	if m.Notes&(chem.NoteChirality|chem.NoteCisTrans) == 0 {
		return text, order
	}
	stereo := m.Stereo()
	place := make([]int, len(m.Atoms))
	key := []byte(text + " ")
	for i, v := range order {
		place[v] = i
		key = append(key, stereo.Atoms[v]+' ')
	}
	var bonds []string
	for i, b := range m.Bonds {
		if d := stereo.Bonds[i]; d != 0 {
			from, to := place[b.From], place[b.To]
			bonds = append(bonds, fmt.Sprintf("%d-%d%c", min(from, to), max(from, to), d))
		}
	}
	slices.Sort(bonds)
	return string(key) + strings.Join(bonds, " "), order
}
