package edit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/greedgraph/greed/graph"
)

// Table gives the costs of editing nodes, or edges, by label text.
// Substitute[a][b] is the cost of a becoming b; a label becomes itself at no
// cost unless the table says otherwise.
type Table struct {
	Insert     map[string]float64            `json:"insert,omitzero"`
	Delete     map[string]float64            `json:"delete,omitzero"`
	Substitute map[string]map[string]float64 `json:"substitute,omitzero"`

	// Default prices what the maps do not name; nil: all labels must be named.
	Default *Default `json:"default,omitempty"`

	// Parts price the substitutions that Substitute does not name by the attributes
	// that make up a label. They cost at most Most, if that is not 0, and otherwise as
	// much as deleting the one and inserting the other.
	Parts []Difference `json:"parts,omitempty"`
	Most  float64      `json:"most,omitempty"`

	// Ring, of edges, is what it costs besides that an edge in a ring becomes one that
	// is in none, or the other way round; see [graph.Graph.MarkRings]. For [SED], an
	// edge that is in none may become one in a ring at no extra cost: it is part of
	// what closes the ring.
	Ring float64 `json:"ring,omitempty"`

	cells *cells // if not nil, they alone count
}

// Default gives the costs of labels and pairs of labels that a [Table] does not
// name. Equal is the cost of a label becoming itself. In JSON what is not given
// is 1, and Equal 0.
type Default struct {
	Insert     float64 `json:"insert"`
	Delete     float64 `json:"delete"`
	Substitute float64 `json:"substitute"`
	Equal      float64 `json:"equal"`
}

// UnmarshalJSON fills in what is not given.
func (d *Default) UnmarshalJSON(text []byte) error {
	type plain Default
	x := plain{Insert: 1, Delete: 1, Substitute: 1}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&x); err != nil {
		return err
	}
	*d = Default(x)
	return nil
}

func (t *Table) insert(label string) float64 {
	if t.cells != nil {
		return t.cells.insert(label)
	}
	if x, ok := t.Insert[label]; ok || t.Default == nil {
		return x
	}
	return t.Default.Insert
}

func (t *Table) delete(label string) float64 {
	if t.cells != nil {
		return t.cells.delete(label)
	}
	if x, ok := t.Delete[label]; ok || t.Default == nil {
		return x
	}
	return t.Default.Delete
}

func (t *Table) substitute(a, b string) float64 {
	if t.cells != nil {
		return t.cells.substitute(a, b)
	}
	x, ok := t.Substitute[a][b]
	switch {
	case ok || t.Default == nil:
		return x
	case a == b:
		return t.Default.Equal
	}
	return t.Default.Substitute
}

// symmetric reports whether surely every edit costs as much as the one that takes it back.
// Without a table the weights of insertion and deletion decide.
func (t *Table) symmetric(insert, delete float64) bool {
	switch {
	case t == nil:
		return insert == delete
	case t.cells != nil || t.Default != nil && t.Default.Insert != t.Default.Delete:
		return false
	}
	for _, named := range []map[string]float64{t.Insert, t.Delete} {
		for label := range named {
			if t.insert(label) != t.delete(label) {
				return false
			}
		}
	}
	for a, row := range t.Substitute {
		for b, x := range row {
			_, named := t.Substitute[b][a]
			if !named && len(t.Parts) > 0 || t.substitute(b, a) != x { // parts would price it
				return false
			}
		}
	}
	return true
}

// values lists every cost that the table holds, in no order.
func (t *Table) values() []float64 {
	if t == nil {
		return nil
	}
	list := []float64{t.Ring, t.Most}
	if t.cells != nil {
		return t.cells.values(list)
	}
	if d := t.Default; d != nil {
		list = append(list, d.Insert, d.Delete, d.Substitute, d.Equal)
	}
	list = slices.AppendSeq(list, maps.Values(t.Insert))
	list = slices.AppendSeq(list, maps.Values(t.Delete))
	for _, row := range t.Substitute {
		list = slices.AppendSeq(list, maps.Values(row))
	}
	return list
}

// freeSubstitution returns the table with substitution at no cost.
func (t *Table) freeSubstitution() *Table {
	if t == nil {
		return nil
	}
	if t.cells != nil {
		panic("edit: costs by element have no edge labels to ignore")
	}
	free := *t
	free.Parts, free.Most = nil, 0
	free.Substitute = make(map[string]map[string]float64)
	if t.Default != nil {
		d := *t.Default
		d.Substitute, d.Equal = 0, 0
		free.Default = &d
		return &free
	}
	for a := range t.Delete {
		free.Substitute[a] = make(map[string]float64)
		for b := range t.Insert {
			free.Substitute[a][b] = 0
		}
	}
	return &free
}

func (t *Table) check(name string) error {
	if t == nil {
		return nil
	}
	// The error is always that of the first label in order, but tables without one are not sorted.
	one := func(op, from string, m map[string]float64) error {
		first, found := "", false
		for label, cost := range m {
			if usable("", cost) != nil && (!found || label < first) {
				first, found = label, true
			}
		}
		if !found {
			return nil
		}
		return usable(fmt.Sprintf("%s.%s%s of label %q", name, op, from, first), m[first])
	}
	if d := t.Default; d != nil {
		all := map[string]float64{"insert": d.Insert, "delete": d.Delete, "substitute": d.Substitute, "equal": d.Equal}
		for _, op := range slices.Sorted(maps.Keys(all)) {
			if err := usable(name+".default."+op, all[op]); err != nil {
				return err
			}
		}
	}
	if err := t.checkParts(name); err != nil {
		return err
	}
	if name == "nodes" && t.Ring != 0 {
		return fmt.Errorf("%w: nodes.ring: only edges have a cost for rings", ErrCosts)
	}
	if err := usable(name+".ring", t.Ring); err != nil {
		return err
	}
	if err := one("insert", "", t.Insert); err != nil {
		return err
	}
	if err := one("delete", "", t.Delete); err != nil {
		return err
	}
	var err error
	first := ""
	for a, costs := range t.Substitute {
		if bad := one("substitute of ", a, costs); bad != nil && (err == nil || a < first) {
			err, first = bad, a
		}
	}
	return err
}

// covers returns an error that names a label without a cost.
func (t *Table) covers(name string, labels map[graph.Label]bool, text func(graph.Label) string) error {
	if t == nil || t.Default != nil || t.cells != nil {
		return nil
	}
	var texts []string
	for l := range labels {
		texts = append(texts, text(l))
	}
	slices.Sort(texts)
	for _, a := range texts {
		if _, ok := t.Insert[a]; !ok {
			return fmt.Errorf("%w: %s.insert has no label %q", ErrCosts, name, a)
		}
		if _, ok := t.Delete[a]; !ok {
			return fmt.Errorf("%w: %s.delete has no label %q", ErrCosts, name, a)
		}
		for _, b := range texts {
			if _, ok := t.Substitute[a][b]; !ok && a != b && len(t.Parts) == 0 {
				return fmt.Errorf("%w: %s.substitute has no pair %q to %q", ErrCosts, name, a, b)
			}
		}
	}
	return nil
}

// Least returns the least costs that the table has, of which some may be too low: of
// inserting, of deleting, of substituting a label by itself, and by another. Lower
// bounds that do not look at labels use them.
func (t *Table) Least() (insert, delete, equal, differ float64) {
	if t.cells != nil {
		return t.cells.least()
	}
	// Without a default, a label that is not named becomes itself for nothing.
	insert, delete, differ = math.Inf(1), math.Inf(1), math.Inf(1)
	if d := t.Default; d != nil {
		insert, delete, equal, differ = d.Insert, d.Delete, d.Equal, d.Substitute
	}
	if len(t.Parts) > 0 {
		equal, differ = 0, 0
	}
	for _, x := range t.Insert {
		insert = min(insert, x)
	}
	for _, x := range t.Delete {
		delete = min(delete, x)
	}
	for a, row := range t.Substitute {
		for b, x := range row {
			if a == b {
				equal = min(equal, x)
			} else {
				differ = min(differ, x)
			}
		}
	}
	return insert, delete, equal, differ
}
