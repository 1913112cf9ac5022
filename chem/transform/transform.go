// Package transform describes the difference between two molecules as chemists do: as
// transformations, each of which exchanges a fragment and keeps the atoms it is attached to.
// It writes them in the notation of matched molecular pairs, such as [*:1]Cl>>[*:1]OC.
package transform

import (
	"cmp"
	"encoding/binary"
	"slices"
	"sync"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// Transformation is a fragment of a molecule that becomes another. It is attached to the
// rest, which stays the same, by single bonds outside rings: rings are exchanged whole, and
// so are functional groups.
type Transformation struct {
	// Text says it in words.
	Text string `json:"text" doc:"What changed, in words, such as Cl → OMe, methyl added or 6-ring opened"`
	// From and To are SMILES, the same for the same transformation wherever it occurs.
	// [*:1], [*:2] and so on are the places of attachment; a hydrogen at one is written.
	// Both are empty where only a configuration, a charge, an isotope or hydrogens differ.
	From string `json:"from" doc:"${transformation_from}"`
	To   string `json:"to" doc:"The fragment of the target that takes its place, with the same attachments"`
	// At are the atoms that [*:1], [*:2] and so on stand for, of the query and of the target.
	At [][2]int `json:"at" doc:"The atoms that [*:1], [*:2] stand for, each of the query and of the target"`
	// Query and Target are the atoms of the fragments, ascending.
	Query  []int `json:"query" doc:"The atoms of the fragment of the query"`
	Target []int `json:"target" doc:"The atoms of the fragment of the target"`

	alike   [][]int // orders of At by which both fragments are written the same
	against bool    // its reverse is how it is written where both are one; only where there are no fragments
}

// SMIRKS returns the transformation as From>>To, "" if it has no fragments.
func (t Transformation) SMIRKS() string {
	if t.From == "" && t.To == "" {
		return ""
	}
	return t.From + ">>" + t.To
}

// Backward reports whether the reverse of a transformation is the one that stands for both: from the fragment with
// fewer atoms to that with more, or as R → S.
func (t *Transformation) Backward() bool {
	return t.against || cmp.Or(cmp.Compare(len(t.Query), len(t.Target)), cmp.Compare(t.From, t.To)) > 0
}

// String says the transformation in words and as SMIRKS.
func (t Transformation) String() string {
	if t.SMIRKS() == "" || t.Text == t.From+" → "+t.To {
		return t.Text // which has no better words
	}
	return t.Text + "  " + t.SMIRKS()
}

// Molecule is a molecule and the graph that is compared with others. It may be shared, and keeps what was written of
// it.
type Molecule struct {
	mol       *chem.Molecule
	graph     *graph.Graph
	hydrogens []int
	ring      []bool  // [bonds] is in a ring
	near      [][]arc // [atoms]

	mu    sync.Mutex
	texts map[string]part // what was written, by its atoms and places
}

// arc is a bond as seen from one of its atoms.
type arc struct{ to, bond int32 }

func newMolecule(mol *chem.Molecule) *Molecule {
	m := &Molecule{mol: mol, hydrogens: mol.Hydrogens(), ring: mol.RingBonds(), near: make([][]arc, len(mol.Atoms))}
	for i, b := range mol.Bonds {
		m.near[b.From] = append(m.near[b.From], arc{b.To, int32(i)})
		m.near[b.To] = append(m.near[b.To], arc{b.From, int32(i)})
	}
	return m
}

// Read returns the molecule of a SMILES whose atoms are the nodes of g, in their order, and
// whether there is one.
func Read(smiles string, g *graph.Graph) (*Molecule, bool) {
	if smiles == "" || g.Directed() {
		return nil, false
	}
	m, err := chem.ParseSMILES(smiles)
	if err != nil || len(m.Atoms) != g.N() || len(m.Bonds) != g.M() {
		return nil, false
	}
	for _, b := range m.Bonds {
		if _, ok := g.Edge(int(b.From), int(b.To)); !ok {
			return nil, false
		}
	}
	out := newMolecule(m)
	out.graph = g
	return out, true
}

// Graph returns the graph that is compared with others.
func (m *Molecule) Graph() *graph.Graph { return m.graph }

func ends(u, v int32) [2]int32 { return [2]int32{min(u, v), max(u, v)} }

// Between returns the transformations that turn q into t by a node map of their graphs:
// every atom and bond that differs is in one, and together they make t of q. Fragments that
// share a place of attachment are one. They come in the order of the atoms of q, then of t.
// The error wraps [chem.ErrNotWritable] if a fragment has no SMILES. It panics unless m is a
// node map.
func Between(q, t *Molecule, m edit.NodeMap) ([]Transformation, error) {
	if err := m.Check(q.graph, t.graph); err != nil {
		panic("transform: " + err.Error())
	}
	return newBoard(q, t, m).exchanges()
}

// Differences returns what [Between] does, and behind it how atoms differ that no fragment has: the configuration of
// centres and double bonds (see [chem.Turns]), charges, isotopes and hydrogens, whether or not the graphs say them.
// Such a transformation has no fragments; its places are the atoms themselves.
func Differences(q, t *Molecule, m edit.NodeMap) ([]Transformation, error) {
	if err := m.Check(q.graph, t.graph); err != nil {
		panic("transform: " + err.Error())
	}
	b := newBoard(q, t, m)
	list, err := b.exchanges()
	if err != nil {
		return nil, err
	}
	return append(list, b.besides()...), nil
}

// exchanges returns the fragments that are exchanged.
func (b *board) exchanges() ([]Transformation, error) {
	b.grow()
	list := []Transformation{}
	for _, p := range b.pieces() {
		x, err := b.transformation(p)
		if err != nil {
			return nil, err
		}
		if x.From == x.To { // of labels that say more than fragments do, or by a map of more than the least cost
			for _, node := range p.nodes {
				b.varies[node] = false
			}
			continue
		}
		list = append(list, x)
	}
	slices.SortFunc(list, func(x, y Transformation) int {
		return cmp.Or(slices.Compare(x.first(), y.first()), slices.Compare(x.Query, y.Query),
			slices.Compare(x.Target, y.Target))
	})
	return list, nil
}

// first orders transformations: the least atom of the query that takes part, if any.
func (t *Transformation) first() []int {
	least := slices.Clone(t.Query)
	for _, at := range t.At {
		least = append(least, at[0])
	}
	if len(least) == 0 {
		return []int{1 << 30}
	}
	return []int{slices.Min(least)}
}

// board is both molecules laid on each other. Its nodes are the atoms of the query, and
// behind them those of the target that are inserted.
type board struct {
	q, t   *Molecule
	atoms  [][2]int32 // [nodes] of the query and of the target, -1 for none
	links  []link
	at     [][]int // [nodes] their links
	varies []bool  // [nodes] is in a fragment
}

// link is a bond of either molecule, or of both. Its bonds are numbered as in theirs, -1 for
// none.
type link struct {
	from, to int
	bond     [2]int
}

func (l *link) other(node int) int { return l.from + l.to - node }

// sides returns both molecules.
func (b *board) sides() [2]*Molecule { return [2]*Molecule{b.q, b.t} }

func newBoard(q, t *Molecule, m edit.NodeMap) *board {
	b := &board{q: q, t: t}
	node := make([]int, t.graph.N()) // by atom of the target
	for v, w := range m {
		b.atoms = append(b.atoms, [2]int32{int32(v), int32(w)})
		if w != edit.Deleted {
			node[w] = v
		}
	}
	for w, v := range m.Inverse(t.graph) {
		if v == edit.Deleted {
			node[w] = len(b.atoms)
			b.atoms = append(b.atoms, [2]int32{-1, int32(w)})
		}
	}
	b.at, b.varies = make([][]int, len(b.atoms)), make([]bool, len(b.atoms))
	known := make(map[[2]int32]int) // links by their nodes
	add := func(side, bond, u, v int) {
		key := ends(int32(u), int32(v))
		i, ok := known[key]
		if !ok {
			i = len(b.links)
			known[key] = i
			b.links = append(b.links, link{from: int(key[0]), to: int(key[1]), bond: [2]int{-1, -1}})
			b.at[u], b.at[v] = append(b.at[u], i), append(b.at[v], i)
		}
		b.links[i].bond[side] = bond
	}
	for i, x := range q.mol.Bonds {
		add(0, i, int(x.From), int(x.To))
	}
	for i, x := range t.mol.Bonds {
		add(1, i, node[x.From], node[x.To])
	}
	return b
}

// kept reports whether a node is an atom of both molecules.
func (b *board) kept(node int) bool { return b.atoms[node][0] >= 0 && b.atoms[node][1] >= 0 }

// exchanged reports whether a node is an atom of both molecules, and not the same.
func (b *board) exchanged(node int) bool {
	if !b.kept(node) {
		return false
	}
	x, y := b.atoms[node][0], b.atoms[node][1]
	if b.q.graph.Label(int(x)) == graph.Wildcard || b.t.graph.Label(int(y)) == graph.Wildcard {
		return false
	}
	return b.q.mol.Atoms[x].Element != b.t.mol.Atoms[y].Element ||
		b.q.graph.LabelText(int(x)) != b.t.graph.LabelText(int(y))
}

// changed reports whether the molecules have different bonds between two kept atoms.
func (b *board) changed(l *link) bool {
	if !b.kept(l.from) || !b.kept(l.to) {
		return false
	}
	if l.bond[0] < 0 || l.bond[1] < 0 {
		return true
	}
	if b.q.order(l.bond[0]) == chem.AnyOrder || b.t.order(l.bond[1]) == chem.AnyOrder {
		return false
	}
	return b.q.order(l.bond[0]) != b.t.order(l.bond[1]) || b.q.label(l.bond[0]) != b.t.label(l.bond[1])
}

func (m *Molecule) order(bond int) chem.Order { return m.mol.Bonds[bond].Order }

// label returns the label of the edge that a bond is.
func (m *Molecule) label(bond int) string {
	x := m.mol.Bonds[bond]
	l, _ := m.graph.Edge(int(x.From), int(x.To))
	return m.graph.Vocabulary().EdgeText(l)
}

// grow finds the atoms of the fragments: what differs, and what cannot be cut off from it.
func (b *board) grow() {
	var work []int
	vary := func(node int) {
		if !b.varies[node] {
			b.varies[node] = true
			work = append(work, node)
		}
	}
	for node := range b.atoms {
		if !b.kept(node) || b.exchanged(node) {
			vary(node)
		}
	}
	for i := range b.links {
		if l := &b.links[i]; b.changed(l) {
			vary(l.from)
			vary(l.to)
		}
	}
	for len(work) > 0 {
		node := work[len(work)-1]
		work = work[:len(work)-1]
		for _, i := range b.at[node] {
			l := &b.links[i]
			if rest := l.other(node); !b.varies[rest] && (!b.cuttable(l) || !b.holds(rest)) {
				vary(rest)
			}
		}
	}
}

// holds reports whether an atom that stays can be where fragments are attached: it holds one
// of each molecule at most, and is charged the same.
func (b *board) holds(node int) bool {
	count := [2]int{}
	for _, i := range b.at[node] {
		if l := &b.links[i]; b.varies[l.other(node)] {
			for side, bond := range l.bond {
				if bond >= 0 {
					count[side]++
				}
			}
		}
	}
	x, y := b.atoms[node][0], b.atoms[node][1]
	return max(count[0], count[1]) <= 1 && b.q.mol.Atoms[x].Charge == b.t.mol.Atoms[y].Charge
}

// cuttable reports whether fragments end at a bond, in both molecules: whether it is single,
// in no ring, and at one end a carbon of no functional group.
func (b *board) cuttable(l *link) bool {
	for side, m := range b.sides() {
		if bond := l.bond[side]; bond >= 0 && !m.cuttable(bond) {
			return false
		}
	}
	return true
}

func (m *Molecule) cuttable(bond int) bool {
	x := m.mol.Bonds[bond]
	return x.Order == chem.Single && !m.ring[bond] && (m.plain(x.From) || m.plain(x.To))
}

// plain reports whether an atom is an uncharged carbon without a multiple bond to another
// element. These are the ends of bonds that RDKit's matched pairs cut by default.
func (m *Molecule) plain(v int32) bool {
	a := &m.mol.Atoms[v]
	if a.Element.Symbol() != "C" || a.Charge != 0 {
		return false
	}
	for _, x := range m.near[v] {
		o := m.order(int(x.bond))
		if (o == chem.Double || o == chem.Triple) && m.mol.Atoms[x.to].Element.Symbol() != "C" {
			return false
		}
	}
	return true
}

// pieces returns the nodes of every transformation, those that are linked or attached to the
// same atom, and the atoms that stay to which they are attached.
func (b *board) pieces() (list []piece) {
	seen := make([]bool, len(b.atoms))
	for root := range b.atoms {
		if !b.varies[root] || seen[root] {
			continue
		}
		nodes := []int{root}
		seen[root] = true
		var p piece
		for i := 0; i < len(nodes); i++ {
			node := nodes[i]
			if b.varies[node] {
				p.nodes = append(p.nodes, node)
			} else {
				p.anchors = append(p.anchors, node)
			}
			for _, k := range b.at[node] {
				rest := b.links[k].other(node)
				if !seen[rest] && (b.varies[node] || b.varies[rest]) {
					seen[rest] = true
					nodes = append(nodes, rest)
				}
			}
		}
		slices.Sort(p.nodes)
		slices.Sort(p.anchors)
		list = append(list, p)
	}
	return list
}

// piece is the nodes of a transformation.
type piece struct{ nodes, anchors []int }

// fragment is what a transformation is on one side: atoms, and for every anchor the position
// among them of the one that is attached to it, -1 for none.
type fragment struct{ atoms, at []int }

// fragments returns both sides of a piece.
func (b *board) fragments(p piece) (f [2]fragment) {
	for side := range f {
		for _, node := range p.nodes {
			if v := b.atoms[node][side]; v >= 0 {
				f[side].atoms = append(f[side].atoms, int(v))
			}
		}
		slices.Sort(f[side].atoms)
		for _, node := range p.anchors {
			at := -1
			for _, k := range b.at[node] {
				l := &b.links[k]
				if rest := l.other(node); b.varies[rest] && l.bond[side] >= 0 {
					at, _ = slices.BinarySearch(f[side].atoms, int(b.atoms[rest][side]))
				}
			}
			f[side].at = append(f[side].at, at)
		}
	}
	return f
}

// mostNumbered is up to how many places of attachment are numbered so that the SMILES come
// first among all numberings; more are numbered as the atoms of the query are.
const mostNumbered = 4

// transformation writes a piece. The numbering of the attachments is the same for a
// transformation and its reverse.
func (b *board) transformation(p piece) (Transformation, error) {
	f := b.fragments(p)
	out := Transformation{Query: append([]int{}, f[0].atoms...), Target: append([]int{}, f[1].atoms...), At: [][2]int{}}
	order := make([]int, len(p.anchors))
	for i := range order {
		order[i] = i
	}
	best := slices.Clone(order)
	for first := true; first || len(order) <= mostNumbered && permute(order); first = false {
		var text [2]string
		for side, m := range b.sides() {
			at := make([]int, len(order))
			for i, k := range order {
				at[i] = f[side].at[k]
			}
			var err error
			if text[side], err = m.write(f[side].atoms, at); err != nil {
				return out, err
			}
		}
		less := slices.Compare(inOrder(text[0], text[1]), inOrder(out.From, out.To)) < 0
		if first || less {
			out.From, out.To = text[0], text[1]
			copy(best, order)
			out.alike = nil
		}
		if text == [2]string{out.From, out.To} {
			out.alike = append(out.alike, slices.Clone(order))
		}
	}
	place := make([]int, len(best))
	for i, k := range best {
		place[k] = i
	}
	for _, order := range out.alike {
		for i, k := range order {
			order[i] = place[k]
		}
	}
	for _, k := range best {
		x := b.atoms[p.anchors[k]]
		out.At = append(out.At, [2]int{int(x[0]), int(x[1])})
	}
	out.Text = b.words(p, &out)
	return out, nil
}

func inOrder(x, y string) []string { return []string{min(x, y), max(x, y)} }

// write returns the SMILES of a fragment, "" of none.
func (m *Molecule) write(atoms, at []int) (string, error) {
	if len(atoms)+len(at) == 0 {
		return "", nil
	}
	p, err := m.once('f', atoms, at, func() (text string, order []int32, err error) {
		return new(chem.SMILESWriter).Canonical(m.mol.Fragment(atoms, at))
	})
	return p.text, err
}

// once writes something, unless something of the same kind with these atoms and places was written before: a pair is
// laid in several ways, and told in both directions, and a molecule is in many pairs.
func (m *Molecule) once(kind byte, atoms, at []int, write func() (string, []int32, error)) (part, error) {
	key := make([]byte, 0, 2*(len(atoms)+len(at))+2)
	key = append(key, kind)
	for _, list := range [2][]int{at, atoms} {
		key = binary.AppendVarint(key, int64(len(list)))
		for _, v := range list {
			key = binary.AppendVarint(key, int64(v))
		}
	}
	m.mu.Lock()
	p, known := m.texts[string(key)]
	m.mu.Unlock()
	if known {
		return p, nil
	}
	text, order, err := write()
	if err != nil {
		return part{}, err
	}
	p.text = text
	for _, i := range order {
		if int(i) < len(atoms) { // and not a place where it was cut
			p.atoms = append(p.atoms, atoms[i])
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.texts == nil {
		m.texts = make(map[string]part)
	}
	m.texts[string(key)] = p
	return p, nil
}

// permute makes the next permutation of order, in the order of their numbers, and reports
// whether there is one.
func permute(order []int) bool {
	i := len(order) - 2
	for i >= 0 && order[i] > order[i+1] {
		i--
	}
	if i < 0 {
		return false
	}
	j := len(order) - 1
	for order[j] < order[i] {
		j--
	}
	order[i], order[j] = order[j], order[i]
	slices.Reverse(order[i+1:])
	return true
}

// Of returns the transformations that turn q into t by a node map, or nil unless both are
// molecules of these SMILES, see [Read], whose fragments can be written. Where nothing
// differs, the list is empty and not nil.
func Of(querySMILES string, q *graph.Graph, targetSMILES string, t *graph.Graph, m edit.NodeMap) []Transformation {
	a, ok := Read(querySMILES, q)
	if !ok {
		return nil
	}
	b, ok := Read(targetSMILES, t)
	if !ok {
		return nil
	}
	list, err := Between(a, b, m)
	if err != nil {
		return nil
	}
	return list
}
