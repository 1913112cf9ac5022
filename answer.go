package greed

import (
	"math"
	"strconv"
	"strings"

	"github.com/greedgraph/greed/chem/transform"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/internal/csvcell"
	"github.com/greedgraph/greed/search"
)

// Bounds returns bounds of the distance: lower ≤ distance ≤ upper. An answer
// that was only predicted has 0 and +Inf.
func (a Answer) Bounds() (lower, upper float64) {
	if a.Lower == nil || a.Upper == nil {
		return 0, math.Inf(1)
	}
	return *a.Lower, *a.Upper
}

// Distance returns the distance, and whether it is known exactly. Where it is not,
// it returns the upper bound.
func (a Answer) Distance() (distance float64, exact bool) {
	lower, upper := a.Bounds()
	return upper, lower == upper
}

// newAnswer returns an answer without its edits. The record is that of the graph found, which has so many nodes.
func newAnswer(rec *Record, nodes int, q *Graph, opt Options, a *search.Answer) Answer {
	out := Answer{
		ID: rec.ID, SMILES: rec.SMILES, Position: a.Position, Attributes: shown(rec, opt.Show), Predicted: a.Predicted,
		Map: a.Map,
	}
	if rec.Name != rec.ID { // else it says nothing more
		out.Name = rec.Name
	}
	best := 0.0
	switch {
	case a.Map != nil:
		out.Lower, out.Upper, out.Exact = &a.Lower, &a.Upper, a.Exact
		best = a.Upper
	case a.Predicted != nil:
		best = *a.Predicted
	}
	if opt.Task == SED {
		if out.Exact {
			out.SED = out.Upper
		}
		out.Similarity = 1 - share(best, float64(q.N()+q.M()))
		return out
	}
	nged := share(best, float64(q.N()+nodes)/2)
	out.Similarity = math.Exp(-nged)
	if a.Map != nil {
		out.NGED = &nged
	}
	if out.Exact {
		out.GED = out.Upper
	}
	return out
}

// explain adds the edits and transformations of an answer, whose record is given, and the names of its nodes, unless
// only a prediction is known.
func (a *Answer) explain(rec *Record, q *Graph, opt Options, prices *edit.Pricing) {
	if a.Map == nil {
		return
	}
	// Not nil: where none are needed, that is known.
	a.Edits = edit.WithNames(edit.Edits(prices, q, rec.Graph, a.Map), opt.Names, rec.NodeNames(), q.Directed())
	a.Nodes = rec.NodeIDs
	a.Transformations = transform.Of(opt.SMILES, q, rec.SMILES, rec.Graph, a.Map)
}

// share returns distance / size, and 0 of graphs without nodes.
func share(distance, size float64) float64 {
	if size == 0 {
		return 0
	}
	return distance / size
}

// shown returns the attributes with some names that a record has.
func shown(rec *Record, names []string) (attributes map[string]any) {
	for _, name := range names {
		if v, ok := rec.Attributes[name]; ok {
			if attributes == nil {
				attributes = make(map[string]any)
			}
			attributes[name] = v
		}
	}
	return attributes
}

// Columns returns the header of the CSV of answers that show the named attributes, which
// are the last columns; if answers are explained, edits and transformations come before them, and before these, of
// products of a synthon space, all ways to make them.
func (f *Found) Columns(show []string, explained bool) []string {
	header := []string{"rank", "id", "name", "smiles", "predicted", "lower", "upper", "exact", "similarity", "status"}
	if f.Made != nil {
		header = append(header, "origins")
	}
	if explained {
		header = append(header, "edits", "transformations", "smirks")
	}
	for _, key := range show {
		header = append(header, csvcell.Guard(key))
	}
	return header
}

// Row returns an answer, with its rank, from 1, as a row of texts for [Found.Columns]. Unknown
// values are empty, and no text is a formula.
func (f *Found) Row(rank int, a *Answer, show []string, explained bool) []string {
	row := []string{
		strconv.Itoa(rank), csvcell.Guard(a.ID), csvcell.Guard(a.Name), csvcell.Guard(a.SMILES), decimal(a.Predicted),
		decimal(a.Lower), decimal(a.Upper),
		strconv.FormatBool(a.Exact), decimal(&a.Similarity), string(f.Status),
	}
	if f.Made != nil {
		row = append(row, csvcell.Guard(a.Ways()))
	}
	if explained {
		edits, texts, smirks := a.Explained()
		row = append(row, csvcell.Guard(edits), csvcell.Guard(texts), csvcell.Guard(smirks))
	}
	for _, key := range show {
		text := ""
		if v, ok := a.Attributes[key]; ok && v != nil {
			text = csvcell.Guard(dataset.AttributeText(v))
		}
		row = append(row, text)
	}
	return row
}

// Ways returns the ids of all ways to make a product, divided by semicolons.
func (a *Answer) Ways() string {
	ids := make([]string, len(a.Origins))
	for i := range ids {
		ids[i] = a.Origins[i].ID()
	}
	return strings.Join(ids, "; ")
}

// Explained returns the edits of an answer and its transformations, in words and as SMIRKS, each as one text: those of
// a kind are divided by semicolons, and SMIRKS by blanks.
func (a *Answer) Explained() (edits, transformations, smirks string) {
	var each, texts, patterns []string
	for _, op := range a.Edits {
		each = append(each, op.String())
	}
	for _, t := range a.Transformations {
		texts, patterns = append(texts, t.Text), append(patterns, t.SMIRKS())
	}
	return strings.Join(each, "; "), strings.Join(texts, "; "), strings.Join(patterns, " ")
}

// Table returns the answers as rows of text for CSV, with a header first.
func (f *Found) Table(show []string, explained bool) [][]string {
	rows := [][]string{f.Columns(show, explained)}
	for i := range f.Answers {
		rows = append(rows, f.Row(i+1, &f.Answers[i], show, explained))
	}
	return rows
}

func decimal(x *float64) string {
	if x == nil {
		return ""
	}
	return strconv.FormatFloat(*x, 'g', -1, 64)
}
