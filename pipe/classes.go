package pipe

import (
	"encoding/binary"
	"math"
	"strconv"

	"github.com/greedgraph/greed/edit"
)

// elementCosts are the costs of the nodes, or of the edges, of one pair of
// graphs, element by element.
type elementCosts struct {
	substitute []float64 // [query, target], row-major
	delete     []float64 // [query]
	insert     []float64 // [target]
}

// labelled is what [elementCosts] amount to in costs by label: the label of each
// element, and either three numbers or a table.
type labelled struct {
	query, target        []string
	ins, del, substitute float64
	table                *edit.Table
}

// label gives elements with the same costs the same label, since the solver is
// the faster the more there are of those. Where every label of the query costs
// the same to delete, every one of the target the same to insert, and each
// becomes at most one of the others for nothing and all the rest for one price,
// no table is needed, and that is what the solver is made for.
func (c *elementCosts) label() labelled {
	var out labelled
	n, m := len(c.delete), len(c.insert)
	rows, firstRow := classes(n, func(i int, key []byte) []byte {
		key = appendFloat(key, c.delete[i])
		for _, x := range c.substitute[i*m : i*m+m] {
			key = appendFloat(key, x)
		}
		return key
	})
	cols, firstCol := classes(m, func(j int, key []byte) []byte {
		key = appendFloat(key, c.insert[j])
		for i := range n {
			key = appendFloat(key, c.substitute[i*m+j])
		}
		return key
	})
	cost := func(a, b int) float64 { return c.substitute[firstRow[a]*m+firstCol[b]] }
	if c.plain(&out, firstRow, firstCol, cost) {
		same := make([]string, len(firstRow)) // the label of each class of rows
		for a := range firstRow {
			same[a] = "q" + strconv.Itoa(a)
		}
		other := make([]string, len(firstCol))
		for b := range firstCol {
			other[b] = "t" + strconv.Itoa(b)
			for a := range firstRow {
				if cost(a, b) == 0 {
					other[b] = same[a]
				}
			}
		}
		out.query, out.target = pickAll(same, rows), pickAll(other, cols)
		return out
	}
	t := &edit.Table{
		Insert: make(map[string]float64), Delete: make(map[string]float64),
		Substitute: make(map[string]map[string]float64), Default: new(edit.Default),
	}
	query, target := make([]string, len(firstRow)), make([]string, len(firstCol))
	for b, j := range firstCol {
		target[b] = "t" + strconv.Itoa(b)
		t.Insert[target[b]] = c.insert[j]
	}
	for a, i := range firstRow {
		query[a] = "q" + strconv.Itoa(a)
		t.Delete[query[a]] = c.delete[i]
		row := make(map[string]float64, len(target))
		for b := range target {
			row[target[b]] = cost(a, b)
		}
		t.Substitute[query[a]] = row
	}
	out.query, out.target, out.table = pickAll(query, rows), pickAll(target, cols), t
	return out
}

// plain finds the three numbers if they say it all.
func (c *elementCosts) plain(out *labelled, rows, cols []int, cost func(a, b int) float64) bool {
	out.del, out.ins, out.substitute = 1, 1, 1
	for k, i := range rows {
		if k > 0 && c.delete[i] != out.del {
			return false
		}
		out.del = c.delete[i]
	}
	for k, j := range cols {
		if k > 0 && c.insert[j] != out.ins {
			return false
		}
		out.ins = c.insert[j]
	}
	taken := make([]bool, len(cols))
	seen := false
	for a := range rows {
		free := false
		for b := range cols {
			switch x := cost(a, b); {
			case x == 0 && (free || taken[b]):
				return false
			case x == 0:
				free, taken[b] = true, true
			case seen && x != out.substitute:
				return false
			default:
				out.substitute, seen = x, true
			}
		}
	}
	return true
}

// classes numbers the different keys of n elements and tells which element is
// the first of each.
func classes(n int, key func(i int, dst []byte) []byte) (of, first []int) {
	of = make([]int, n)
	number := make(map[string]int)
	var buf []byte
	for i := range n {
		buf = key(i, buf[:0])
		k, ok := number[string(buf)]
		if !ok {
			k = len(first)
			number[string(buf)] = k
			first = append(first, i)
		}
		of[i] = k
	}
	return of, first
}

func appendFloat(dst []byte, x float64) []byte {
	return binary.LittleEndian.AppendUint64(dst, math.Float64bits(x))
}

func pickAll(texts []string, of []int) []string {
	out := make([]string, len(of))
	for i, k := range of {
		out[i] = texts[k]
	}
	return out
}
