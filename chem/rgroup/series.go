package rgroup

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/greedgraph/greed/chem"
)

// Options say which molecules belong to a series.
type Options struct {
	// Radius is how many atoms and bonds of the core a molecule may lack, or have others in their place: the greatest
	// subgraph edit distance.
	Radius int
	// OnlyMarked leaves out molecules with groups at positions that the core does not mark.
	OnlyMarked bool
}

// Series is molecules that have a core. It belongs to one goroutine.
type Series struct {
	core    *Core
	opt     Options
	matcher *chem.SMARTSMatcher
	writer  chem.SMILESWriter
	members []member
	ways    int
}

// NewSeries returns a series without molecules.
func NewSeries(c *Core, opt Options) *Series {
	return &Series{core: c, opt: opt, matcher: chem.NewSMARTSMatcher(c.skeleton)}
}

// member is a molecule and the ways to lay the core on it.
type member struct {
	cost int
	ways []way
}

// way is one of them, as far as R-groups tell them apart.
type way struct {
	key         string // by which ways are sorted
	atoms       []int  // those of the molecule that the core is laid on
	groups      [][]group
	hydrogens   []int    // [atoms of the core]
	differences []string // from the core
	extra       []string
	rest        string
}

// group is an end of a piece of the molecule that is attached to an atom of the core.
type group struct {
	piece *piece
	end   end
}

// piece is a part of a molecule beyond the core.
type piece struct {
	text string // classes are atoms of the core, from 1; that of an only end is 1
	ends []end
}

// end is where a piece is attached to an atom of the core: for the nth time, as in the text.
type end struct{ atom, nth int }

// like returns what groups that count as the same share.
func (g *group) like() string {
	if len(g.piece.ends) == 1 {
		return g.piece.text
	}
	return fmt.Sprint(g.piece.text, " ", g.end.atom, " ", g.end.nth)
}

// ErrTime means that time was over before all ways to lay the core on a molecule were known.
var ErrTime = errors.New("time is over")

// mostVisits limits the work for a molecule: atoms that are looked at, for all ways to lay the core on it.
const mostVisits = 1 << 21

// Add adds a molecule if it has the core, and reports whether it has. The error wraps [chem.ErrSMARTSLimit],
// [chem.ErrNotWritable] if a group has no SMILES, or [ErrTime] once over says so; then the molecule is not part of the
// series.
func (s *Series) Add(m *chem.Molecule, over func() bool) (has bool, err error) {
	cutter := &cutter{s: s, m: m, hydrogens: m.Hydrogens(), texts: make(map[string]*piece)}
	cutter.link()
	var here member
	known := make(map[string]bool)
	marked := s.opt.OnlyMarked
	var failed error
	visits := 0
	err = s.matcher.Occurrences(m, s.opt.Radius, func(o *chem.Occurrence) bool {
		var w way
		if visits += len(m.Atoms); visits > mostVisits {
			failed = chem.ErrSMARTSLimit
			return false
		}
		if over() {
			failed = ErrTime
			return false
		}
		if w, failed = cutter.cut(o); failed != nil {
			return false
		}
		for i, groups := range w.groups {
			if marked && len(groups) > len(s.core.marks[i]) {
				return true
			}
		}
		if !known[w.key] {
			known[w.key] = true
			here.cost = o.Cost
			here.ways = append(here.ways, w)
		}
		return true
	})
	if err = cmp.Or(err, failed); err != nil || len(here.ways) == 0 {
		return false, err
	}
	slices.SortFunc(here.ways, func(a, b way) int { return cmp.Compare(a.key, b.key) })
	s.members = append(s.members, here)
	s.ways += len(here.ways)
	return true, nil
}

// Ways returns in how many ways the core can be laid on the molecules, all together.
func (s *Series) Ways() int { return s.ways }

// cutter takes the core out of one molecule.
type cutter struct {
	s         *Series
	m         *chem.Molecule
	hydrogens []int
	near      [][]int           // [atoms] bonds
	texts     map[string]*piece // by their atoms and ends
}

func (c *cutter) link() {
	c.near = make([][]int, len(c.m.Atoms))
	for i, b := range c.m.Bonds {
		c.near[b.From], c.near[b.To] = append(c.near[b.From], i), append(c.near[b.To], i)
	}
}

// cut returns what is left of the molecule without an occurrence of the core.
func (c *cutter) cut(o *chem.Occurrence) (way, error) {
	core := c.s.core
	w := way{atoms: slices.Clone(o.Atoms), groups: make([][]group, core.Len()), hydrogens: make([]int, core.Len())}
	place := make([]int, len(c.m.Atoms)) // in the core, -1 for none
	for v := range place {
		place[v] = -1
	}
	for i, v := range o.Atoms {
		if v >= 0 {
			place[v], w.hydrogens[i] = i, c.hydrogens[v]
		}
	}
	c.differ(o, &w)
	for _, b := range c.m.Bonds {
		from, to := place[b.From], place[b.To]
		if from >= 0 && to >= 0 && !core.bonded[[2]int{min(from, to), max(from, to)}] {
			w.extra = append(w.extra, fmt.Sprintf("atoms %d and %d are bonded", min(from, to), max(from, to)))
		}
	}
	slices.Sort(w.extra)
	seen := make([]bool, len(c.m.Atoms))
	var rest []string
	for root := range c.m.Atoms {
		if seen[root] || place[root] >= 0 {
			continue
		}
		p, err := c.piece(root, place, seen)
		if err != nil {
			return w, err
		}
		if len(p.ends) == 0 {
			rest = append(rest, p.text)
		}
		for _, e := range p.ends {
			w.groups[e.atom] = append(w.groups[e.atom], group{p, e})
		}
	}
	slices.Sort(rest)
	w.rest = strings.Join(rest, ".")
	var key strings.Builder
	for i, groups := range w.groups {
		slices.SortStableFunc(groups, func(a, b group) int { return cmp.Compare(a.like(), b.like()) })
		for k := range groups {
			key.WriteString(groups[k].like())
			key.WriteByte(' ')
		}
		fmt.Fprintf(&key, "~%d\n", w.hydrogens[i]) // after groups, so that these come first
	}
	for _, list := range [][]string{w.differences, w.extra} {
		key.WriteString(strings.Join(list, ";"))
		key.WriteByte('\n')
	}
	w.key = key.String()
	return w, nil
}

// piece returns the part beyond the core that holds an atom.
func (c *cutter) piece(root int, place []int, seen []bool) (*piece, error) {
	atoms := []int{root}
	seen[root] = true
	var cuts []chem.Attachment
	p := &piece{}
	count := make(map[int]int) // ends at an atom of the core
	for i := 0; i < len(atoms); i++ {
		v := atoms[i]
		for _, b := range c.near[v] {
			to := int(c.m.Bonds[b].From+c.m.Bonds[b].To) - v
			if at := place[to]; at >= 0 {
				cuts = append(cuts, chem.Attachment{Atom: v, Bond: b, Class: at + 1})
				p.ends = append(p.ends, end{at, count[at]})
				count[at]++
			} else if !seen[to] {
				seen[to] = true
				atoms = append(atoms, to)
			}
		}
	}
	if len(cuts) == 1 {
		cuts[0].Class = 1
	}
	slices.Sort(atoms)
	key := fmt.Sprint(atoms, cuts)
	if known, ok := c.texts[key]; ok {
		return &piece{known.text, p.ends}, nil
	}
	for i, form := range c.m.Piece(atoms, cuts) {
		text, _, err := c.s.writer.Canonical(form)
		if err != nil {
			return nil, err
		}
		if i == 0 || text < p.text {
			p.text = text
		}
	}
	c.texts[key] = p
	return p, nil
}

// differ says in words what an occurrence has in place of the core.
func (c *cutter) differ(o *chem.Occurrence, w *way) {
	core := c.s.core
	if o.Cost == 0 {
		return
	}
	for _, d := range c.s.matcher.Differences(o) {
		switch {
		case d.Atom >= 0 && d.Missing:
			w.differences = append(w.differences, fmt.Sprintf("atom %d (%s) missing", d.Atom, core.names[d.Atom]))
		case d.Atom >= 0:
			w.differences = append(w.differences, fmt.Sprintf("atom %d (%s) is %s", d.Atom, core.names[d.Atom],
				c.symbol(o.Atoms[d.Atom], core.names[d.Atom])))
		case d.Missing && o.Atoms[d.Bond[0]] >= 0 && o.Atoms[d.Bond[1]] >= 0:
			w.differences = append(w.differences, fmt.Sprintf("bond %d–%d missing", d.Bond[0], d.Bond[1]))
		case !d.Missing:
			w.differences = append(w.differences, fmt.Sprintf("bond %d–%d is %s", d.Bond[0], d.Bond[1],
				c.order(o.Atoms[d.Bond[0]], o.Atoms[d.Bond[1]])))
		}
	}
}

// symbol names an atom, with all that a pattern may ask for if its element does not tell it from what is wanted.
func (c *cutter) symbol(v int, wanted string) string {
	a := &c.m.Atoms[v]
	text := a.Element.Symbol()
	if text != wanted && !strings.HasPrefix(wanted, "[") && len(wanted) <= 2 && a.Charge == 0 {
		return text
	}
	if a.Aromatic {
		text = strings.ToLower(text)
	}
	switch h := c.hydrogens[v]; h {
	case 0:
	case 1:
		text += "H"
	default:
		text += "H" + strconv.Itoa(h)
	}
	if a.Charge != 0 {
		text += fmt.Sprintf("%+d", a.Charge)
	}
	return text
}

func (c *cutter) order(u, v int) string {
	for _, b := range c.near[u] {
		if x := c.m.Bonds[b]; int(x.From+x.To)-u == v {
			return map[chem.Order]string{
				chem.AnyOrder: "of any order", chem.Single: "single", chem.Double: "double", chem.Triple: "triple",
				chem.Quadruple: "quadruple",
				chem.Aromatic:  "aromatic",
			}[x.Order]
		}
	}
	return "none"
}
