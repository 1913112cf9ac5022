package edit

import (
	"math"
	"strconv"
)

// cells are the costs of classes of elements of one pair of graphs, out of
// [ElementCosts]. Class a of the query is labelled q and its number, class b of the
// target t and its number. What concerns the other side costs nothing; nobody asks.
type cells struct {
	of         *ElementCosts
	rows, cols []int // the first element of every class
}

func rowLabel(a int) string { return "q" + strconv.Itoa(a) }
func colLabel(b int) string { return "t" + strconv.Itoa(b) }

// class returns the number of a class of the side, or -1.
func class(side byte, label string) int {
	if len(label) < 2 || label[0] != side {
		return -1
	}
	k, err := strconv.Atoi(label[1:])
	if err != nil {
		return -1
	}
	return k
}

func (c *cells) insert(label string) float64 {
	if b := class('t', label); b >= 0 {
		return c.of.Insert[c.cols[b]]
	}
	return 0
}

func (c *cells) delete(label string) float64 {
	if a := class('q', label); a >= 0 {
		return c.of.Delete[c.rows[a]]
	}
	return 0
}

func (c *cells) substitute(from, to string) float64 {
	a, b := class('q', from), class('t', to)
	if a < 0 || b < 0 {
		return 0
	}
	return c.at(a, b)
}

// at returns the cost of class a of the query becoming class b of the target.
func (c *cells) at(a, b int) float64 {
	return c.of.Substitute[c.rows[a]*len(c.of.Insert)+c.cols[b]]
}

// values appends every cost to list.
func (c *cells) values(list []float64) []float64 {
	for _, i := range c.rows {
		list = append(list, c.of.Delete[i])
	}
	for _, j := range c.cols {
		list = append(list, c.of.Insert[j])
	}
	for a := range c.rows {
		for b := range c.cols {
			list = append(list, c.at(a, b))
		}
	}
	return list
}

// least returns what [Table.Least] does.
func (c *cells) least() (insert, delete, equal, differ float64) {
	insert, delete, differ = math.Inf(1), math.Inf(1), math.Inf(1)
	for _, x := range c.of.Insert {
		insert = min(insert, x)
	}
	for _, x := range c.of.Delete {
		delete = min(delete, x)
	}
	for _, x := range c.of.Substitute {
		differ = min(differ, x)
	}
	return insert, delete, differ, differ
}
