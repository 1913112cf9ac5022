package rgroup

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Table is a series taken apart: a row for each molecule, in the order in which they were added, and a column for each
// position.
type Table struct {
	Columns []Column
	Rows    []Row
}

// Column is a position.
type Column struct {
	Number int // of R1, R2 and so on
	Atom   int // of the core that it is at
	Marked bool
}

// Row is a molecule.
type Row struct {
	// Cost is the number of atoms and bonds of the core that are missing or others, and Differences say which.
	Cost        int
	Differences []string
	// Groups has for each column the SMILES of what is there, attached by [*:n] where n is the number of the column: a
	// hydrogen is [*:1][H], and a group that is attached at several positions is in the columns of all. It is "" where
	// the atom of the core has no bond left, or is missing.
	Groups []string
	// Atoms are those of the molecule that the core is laid on, -1 for none.
	Atoms []int
	// Bonds names bonds between atoms of the core that the core does not have.
	Bonds []string
	// Rest has the SMILES of pieces that are not attached to the core.
	Rest string
}

// mostWays is how many assignments of groups to positions are compared for one molecule, and mostChoices for all
// together, beyond one for each way to lay the core on them.
const (
	mostWays    = 4096
	mostChoices = 1 << 18
)

// slot is one of the positions at an atom of the core.
type slot struct {
	atom, at int
	mark     int // its number, 0 for none
}

// cell is a group in a slot, or a difference from the core, which has none.
type cell struct {
	slot int
	like string
}

// choice is a way to lay the core on a molecule, with the groups of each atom divided among its slots.
type choice struct {
	way    *way
	slots  [][]int // [atoms of the core][groups] the slot
	cells  []cell
	beyond int // cells at positions that are not marked
}

// Table chooses how the core is laid on each molecule, and returns the R-groups. What is chosen has, in this order, as
// few groups at positions that the core does not mark, in as few columns, and as many pairs of molecules with the same
// group in the same column, as no other choice for a single molecule would improve on. If over says before that time is
// over, stable is false.
func (s *Series) Table(over func() bool) (t *Table, stable bool) {
	a := &alignment{core: s.core, known: make([]map[string]int, 0)}
	a.number(s.members)
	a.list = make([][]choice, len(s.members))
	for i := range s.members {
		a.list[i] = a.choices(&s.members[i])
	}
	best, stable := a.align(over)
	return a.table(s.members, best), stable
}

type alignment struct {
	core  *Core
	slots []slot
	first []int // [atoms of the core] their first slot
	width []int // [atoms of the core] how many they have
	list  [][]choice

	marked bool
	known  []map[string]int // [slots] how often a group is in it; the last is of differences
	total  []int            // [slots]
}

// number makes the slots.
func (a *alignment) number(members []member) {
	a.width = make([]int, a.core.Len())
	for i, marks := range a.core.marks {
		a.width[i] = len(marks)
		a.marked = a.marked || len(marks) > 0
	}
	for _, m := range members {
		for _, w := range m.ways {
			for i, groups := range w.groups {
				a.width[i] = max(a.width[i], len(groups))
			}
		}
	}
	a.first = make([]int, len(a.width))
	for i, n := range a.width {
		a.first[i] = len(a.slots)
		for k := range n {
			mark := 0
			if k < len(a.core.marks[i]) {
				mark = a.core.marks[i][k]
			}
			a.slots = append(a.slots, slot{i, k, mark})
		}
	}
}

// choices lists the ways of a molecule with all divisions of groups among slots.
func (a *alignment) choices(m *member) (list []choice) {
	for i := range m.ways {
		w := &m.ways[i]
		most := min(mostWays, max(1, mostChoices/max(1, len(a.list))))
		divided := [][][]int{nil}
		for at, groups := range w.groups {
			each := injections(len(groups), a.width[at])
			if len(divided)*len(each)*len(m.ways) > most {
				each = each[:1]
			}
			var next [][][]int
			for _, one := range divided {
				for _, slots := range each {
					placed := make([]int, len(slots))
					for k, x := range slots {
						placed[k] = a.first[at] + x
					}
					next = append(next, append(slices.Clone(one), placed))
				}
			}
			divided = next
		}
		for _, slots := range divided {
			list = append(list, a.choice(w, slots))
		}
	}
	return list
}

func (a *alignment) choice(w *way, slots [][]int) choice {
	c := choice{way: w, slots: slots}
	for at, groups := range w.groups {
		for k := range groups {
			c.cells = append(c.cells, cell{slots[at][k], groups[k].like()})
			if a.slots[slots[at][k]].mark == 0 {
				c.beyond++
			}
		}
	}
	for _, text := range w.differences {
		c.cells = append(c.cells, cell{len(a.slots), text})
	}
	return c
}

// injections lists the ways to give k things different places of n, the first one in order.
func injections(k, n int) (list [][]int) {
	var place func(chosen []int)
	place = func(chosen []int) {
		if len(chosen) == k {
			list = append(list, slices.Clone(chosen))
			return
		}
		for x := range n {
			if !slices.Contains(chosen, x) && len(list) < mostWays {
				place(append(chosen, x))
			}
		}
	}
	place(nil)
	return list
}

// score is what is made small, the first number first.
type score struct{ beyond, columns, unlike int }

func (s score) compare(t score) int {
	return cmp.Or(cmp.Compare(s.beyond, t.beyond), cmp.Compare(s.columns, t.columns), cmp.Compare(s.unlike, t.unlike))
}

// align returns the choice for each molecule. It begins in several orders, which depend only on what the molecules are.
func (a *alignment) align(over func() bool) (best []int, stable bool) {
	size := func(i int) int { return len(a.list[i][0].cells) }
	key := func(i int) string { return a.list[i][0].way.key }
	orders := []func(i, j int) int{
		func(i, j int) int {
			return cmp.Or(cmp.Compare(len(a.list[i]), len(a.list[j])), cmp.Compare(size(j), size(i)))
		},
		func(i, j int) int { return cmp.Compare(size(j), size(i)) },
		func(i, j int) int { return cmp.Compare(size(i), size(j)) },
	}
	stable = true
	var least score
	for i, order := range orders {
		if i > 0 && over() {
			return best, false
		}
		turn := make([]int, len(a.list))
		for i := range turn {
			turn[i] = i
		}
		slices.SortFunc(turn, func(i, j int) int {
			return cmp.Or(order(i, j), cmp.Compare(key(i), key(j)),
				cmp.Compare(i, j))
		})
		chosen, score, ended := a.descend(turn, over)
		if stable = stable && ended; best == nil || score.compare(least) < 0 {
			best, least = chosen, score
		}
	}
	return best, stable
}

// mostRounds limits how often every molecule is looked at again.
const mostRounds = 64

// descend chooses for one molecule after the other, and again until nothing changes.
func (a *alignment) descend(turn []int, over func() bool) (chosen []int, whole score, stable bool) {
	a.known, a.total = make([]map[string]int, len(a.slots)+1), make([]int, len(a.slots)+1)
	for i := range a.known {
		a.known[i] = make(map[string]int)
	}
	chosen = make([]int, len(a.list))
	for i := range chosen {
		chosen[i] = -1
	}
	for round := range mostRounds {
		changed := false
		if round > 0 && over() {
			break
		}
		for _, i := range turn {
			if chosen[i] >= 0 {
				a.count(&a.list[i][chosen[i]], -1)
			}
			best, least := -1, score{}
			if chosen[i] >= 0 {
				best, least = chosen[i], a.adds(&a.list[i][chosen[i]])
			}
			for k := range a.list[i] {
				if s := a.adds(&a.list[i][k]); best < 0 || s.compare(least) < 0 {
					best, least = k, s
				}
			}
			changed = changed || best != chosen[i]
			chosen[i] = best
			a.count(&a.list[i][best], 1)
		}
		if stable = !changed; stable {
			break
		}
	}
	for i, k := range chosen {
		whole.beyond += a.list[i][k].beyond
	}
	for i, groups := range a.known {
		for _, n := range groups {
			whole.unlike -= n * (n - 1) / 2
		}
		if i < len(a.slots) && a.total[i] > 0 {
			whole.columns++
		}
	}
	return chosen, whole, stable
}

func (a *alignment) count(c *choice, by int) {
	for _, x := range c.cells {
		a.known[x.slot][x.like] += by
		a.total[x.slot] += by
	}
}

// adds returns what a choice adds to the score.
func (a *alignment) adds(c *choice) (s score) {
	if a.marked {
		s.beyond = c.beyond
	}
	for _, x := range c.cells {
		s.unlike -= a.known[x.slot][x.like]
		if x.slot < len(a.slots) && a.total[x.slot] == 0 {
			s.columns++
		}
	}
	return s
}

// table writes what was chosen.
func (a *alignment) table(members []member, chosen []int) *Table {
	used := make([]bool, len(a.slots))
	for i, k := range chosen {
		for _, slots := range a.list[i][k].slots {
			for _, x := range slots {
				used[x] = true
			}
		}
	}
	t := &Table{}
	next := 0
	for _, marks := range a.core.marks {
		for _, mark := range marks {
			next = max(next, mark)
		}
	}
	number := make([]int, len(a.slots))
	for i, s := range a.slots {
		if s.mark > 0 {
			number[i] = s.mark
		} else if used[i] {
			next++
			number[i] = next
		}
		if number[i] > 0 {
			t.Columns = append(t.Columns, Column{number[i], s.atom, s.mark > 0})
		}
	}
	slices.SortFunc(t.Columns, func(x, y Column) int { return cmp.Compare(x.Number, y.Number) })
	column := make(map[int]int) // by number
	for i, c := range t.Columns {
		column[c.Number] = i
	}
	for i, k := range chosen {
		c := &a.list[i][k]
		row := Row{
			Cost: members[i].cost, Differences: c.way.differences, Groups: make([]string, len(t.Columns)),
			Atoms: c.way.atoms, Bonds: c.way.extra, Rest: c.way.rest,
		}
		numbers := make(map[*piece]map[end]int)
		for at, groups := range c.way.groups {
			for g := range groups {
				p := groups[g].piece
				if numbers[p] == nil {
					numbers[p] = make(map[end]int)
				}
				numbers[p][groups[g].end] = number[c.slots[at][g]]
			}
		}
		filled := make([]bool, len(a.slots))
		for at, groups := range c.way.groups {
			for g := range groups {
				x := c.slots[at][g]
				filled[x] = true
				row.Groups[column[number[x]]] = groups[g].piece.numbered(numbers[groups[g].piece])
			}
		}
		for at, hydrogens := range c.way.hydrogens {
			for x := a.first[at]; x < a.first[at]+a.width[at] && hydrogens > 0; x++ {
				if !filled[x] && number[x] > 0 {
					row.Groups[column[number[x]]] = fmt.Sprintf("[*:%d][H]", number[x])
					hydrogens--
				}
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// numbered returns the SMILES with the numbers of columns in place of atoms of the core.
func (p *piece) numbered(numbers map[end]int) string {
	if len(p.ends) == 1 {
		return strings.Replace(p.text, "[*:1]", "[*:"+strconv.Itoa(numbers[p.ends[0]])+"]", 1)
	}
	var b strings.Builder
	count := make(map[int]int) // of the atoms of the core so far
	const opens = "[*:"
	for rest := p.text; ; {
		before, after, found := strings.Cut(rest, opens)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		class, behind, _ := strings.Cut(after, "]")
		n, err := strconv.Atoi(class)
		if err != nil {
			panic("rgroup: " + p.text + " has no numbers")
		}
		fmt.Fprintf(&b, "%s%d]", opens, numbers[end{n - 1, count[n-1]}])
		count[n-1]++
		rest = behind
	}
}
