package postgres

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/greedgraph/greed/norm"
)

// maxDim is the greatest number of dimensions of a cube, and norm.MaxBlock.
const maxDim = 100

// far is beyond every coordinate: cube measures the distance to the orthant above a point
// as that to a box that reaches so far.
const far = 1e38

// columns are the cubes that hold the vectors of an embedding: one for each block of its
// norm, or one for all where their distances simply add up.
type columns struct {
	name   string
	norm   norm.Norm
	widths []int
}

func columnsOf(name string, n norm.Norm) columns {
	c := columns{name, n, n.Widths}
	if n.Kind == norm.L1 && n.Combine == norm.Sum && n.Dim() <= maxDim {
		c.widths = []int{n.Dim()}
	}
	return c
}

// column returns the name of the i-th column.
func (c columns) column(i int) string {
	return `"vector ` + strings.ReplaceAll(c.name, `"`, `""`) + " " + strconv.Itoa(i+1) + `"`
}

// each calls what for every column with its part of a vector.
func (c columns) each(vector []float32, what func(i int, part []float32)) {
	for i, w := range c.widths {
		what(i, vector[:w])
		vector = vector[w:]
	}
}

// distance returns the SQL of the distance of a query to a row.
func (c columns) distance(query []float32) string {
	operator := "<->"
	if c.norm.Kind == norm.L1 {
		operator = "<#>"
	}
	var parts []string
	c.each(query, func(i int, q []float32) {
		parts = append(parts, fmt.Sprintf("(%s %s %s)", c.column(i), operator, c.around(q, 0)))
	})
	switch {
	case len(parts) == 1:
		return parts[0]
	case c.norm.Combine == norm.Max:
		return "greatest(" + strings.Join(parts, ", ") + ")"
	}
	return "(" + strings.Join(parts, " + ") + ")"
}

// around returns what lies within a radius of a part of a query in every coordinate: a
// point or box, or for a hinge an orthant.
func (c columns) around(q []float32, radius float64) string {
	low, high := make([]float64, len(q)), make([]float64, len(q))
	for i, x := range q {
		low[i], high[i] = float64(x)-radius, float64(x)+radius
		if c.norm.Hinge {
			high[i] = far
		}
	}
	return box(low, high) + "::cube"
}

// within returns a condition that holds for all rows within a radius of a query. A GiST
// index finds them by the boxes, which it does not by the distance alone.
func (c columns) within(query []float32, radius float64) string {
	conditions := []string{fmt.Sprintf("%s <= %s", c.distance(query), number(radius))}
	c.each(query, func(i int, q []float32) {
		if len(q) <= treeWidth {
			conditions = append(conditions, fmt.Sprintf("%s <@ %s", c.column(i), c.around(q, radius)))
		}
	})
	return strings.Join(conditions, " and ")
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// point returns a point as the type cube reads it.
func point(b []byte, x []float32) []byte {
	b = append(b, '(')
	for i, v := range x {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendFloat(b, float64(v), 'g', -1, 64)
	}
	return append(b, ')')
}

func box(low, high []float64) string {
	corner := func(x []float64) string {
		text := make([]string, len(x))
		for i, v := range x {
			text[i] = number(v)
		}
		return "(" + strings.Join(text, ",") + ")"
	}
	return "'" + corner(low) + "," + corner(high) + "'"
}

// parsePoint reads a point that PostgreSQL wrote. Its coordinates are those of float32
// and so are exact.
func parsePoint(dst []float32, text string) ([]float32, error) {
	inner, ok := strings.CutPrefix(text, "(")
	inner, ok2 := strings.CutSuffix(inner, ")")
	if !ok || !ok2 {
		return dst, fmt.Errorf("%.40q is no point", text)
	}
	for part := range strings.SplitSeq(inner, ",") {
		x, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil {
			return dst, fmt.Errorf("%.40q is no point", text)
		}
		dst = append(dst, float32(x))
	}
	return dst, nil
}
