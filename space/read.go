package space

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/graph"
)

// columns are the columns of a space, with the names that files give them, without case and punctuation.
var columns = [...]struct {
	name  string
	found []string
}{
	{"SMILES", []string{"smiles", "smile", "synthonsmiles", "syntonsmiles"}},
	{"synton_id", []string{"syntonid", "synthonid", "syntonidd", "synthonidd", "id"}},
	{"synton#", []string{"synton", "synthon", "syntonnumber", "synthonnumber", "syntonrole", "synthonrole", "position",
		"component"}},
	{"reaction_id", []string{"reactionid", "reaction", "reactionname", "rxnid"}},
}

// maxLine is the greatest length of a line.
const maxLine = 1 << 20

// header finds the columns in the first line of a file: its separator and where each column is, or false if it is
// no header of a space.
func header(line string) (separator byte, at [len(columns)]int, ok bool) {
	separator = ' '
	for _, c := range []byte{',', '\t'} {
		if strings.IndexByte(line, c) >= 0 {
			separator = c
		}
	}
	fields, err := fieldsOf(line, separator, nil)
	if err != nil {
		return separator, at, false
	}
	for i, c := range columns {
		at[i] = slices.IndexFunc(fields, func(f string) bool {
			plain := strings.Map(func(r rune) rune {
				if r >= 'a' && r <= 'z' {
					return r
				}
				return -1
			}, strings.ToLower(f))
			return slices.Contains(c.found, plain)
		})
		if at[i] < 0 {
			return separator, at, false
		}
	}
	return separator, at, true
}

// IsHeader reports whether a line is the header of a space.
func IsHeader(line string) bool {
	_, _, ok := header(line)
	return ok
}

// fieldsOf returns the fields of a line. Tabs and blanks may be repeated.
func fieldsOf(line string, separator byte, fields []string) ([]string, error) {
	fields = fields[:0]
	switch {
	case separator == ' ':
		return append(fields, strings.Fields(line)...), nil
	case separator == ',' && strings.IndexByte(line, '"') >= 0:
		return csv.NewReader(strings.NewReader(line)).Read()
	}
	for field := range strings.SplitSeq(line, string(separator)) {
		if field = strings.TrimSpace(field); field != "" || separator == ',' {
			fields = append(fields, field)
		}
	}
	return fields, nil
}

// Read reads a space in the text format of RDKit, synthonor and others: a line a synthon, with columns SMILES,
// synton_id, synton# (the component) and reaction_id, which the first line names, separated by tabs, commas or
// blanks. Attachment points are [1*] to [9*], or [U], [Np], [Pu] and [Am]; isotopes count before atom classes.
// Errors name the file as given, and the line.
func Read(ctx context.Context, r io.Reader, name string) (*Space, error) {
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 64<<10), maxLine)
	b := &builder{reactions: map[string]*Reaction{}, templates: map[string]*template{}, hash: sha256.New()}
	line := 0
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("%s:%d: %s", name, max(line, 1), fmt.Sprintf(format, args...))
	}
	var separator byte
	var at [len(columns)]int
	found := false
	var fields []string
	for in.Scan() {
		text := in.Text()
		line++
		if strings.TrimSpace(text) == "" {
			continue
		}
		if !found {
			if separator, at, found = header(strings.TrimPrefix(text, "\ufeff")); !found {
				break
			}
			continue
		}
		if line%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var err error
		if fields, err = fieldsOf(text, separator, fields); err != nil {
			return nil, wrong("%v", err)
		}
		if most := slices.Max(at[:]); most >= len(fields) {
			return nil, wrong("found %d fields, expected %d or more", len(fields), most+1)
		}
		if err := b.add(fields[at[0]], fields[at[1]], fields[at[2]], fields[at[3]], line); err != nil {
			return nil, wrong("%v", err)
		}
	}
	switch err := in.Err(); {
	case err != nil:
		return nil, wrong("%v", err)
	case !found:
		return nil, wrong("found no header of a synthon space, expected columns SMILES, synton_id, synton# and " +
			"reaction_id")
	case len(b.list) == 0:
		return nil, wrong("found no synthons after the header")
	}
	s := &Space{vocab: graph.NewVocabulary(), tag: hex.EncodeToString(b.hash.Sum(nil)[:16])}
	for o := chem.Single; o <= chem.Aromatic; o++ { // products may have any
		s.vocab.Edge(o.Label())
	}
	analyser := newAnalyser(s.vocab)
	for _, r := range b.list {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if at, err := r.finish(analyser); err != nil {
			line = at
			return nil, wrong("%v", err)
		}
		s.Reactions = append(s.Reactions, *r)
	}
	s.parts = slices.SortedFunc(maps.Values(analyser.parts),
		func(a, b *part) int { return cmp.Compare(a.index, b.index) })
	return s, nil
}

// builder collects reactions.
type builder struct {
	reactions map[string]*Reaction
	list      []*Reaction // in the order of the file
	templates map[string]*template
	hash      hash.Hash // of the columns of all synthons
}

// add adds a synthon.
func (b *builder) add(smiles, id, component, reaction string, line int) error {
	digits := component[len(strings.TrimRight(component, "0123456789")):]
	number, err := strconv.Atoi(digits)
	if err != nil {
		return fmt.Errorf("found %q as number of a component, expected one such as 1 or synton_1", component)
	}
	x := b.templates[smiles]
	if x == nil {
		if x, err = parseTemplate(smiles, nil); err != nil {
			return err
		}
		b.templates[smiles] = x
	}
	r := b.reactions[reaction]
	if r == nil {
		r = &Reaction{ID: reaction}
		b.reactions[reaction] = r
		b.list = append(b.list, r)
	}
	i := slices.IndexFunc(r.Components, func(c Component) bool { return c.Number == number })
	if i < 0 {
		if i = len(r.Components); i == maxComponents {
			return fmt.Errorf("reaction %s has more than %d components, which are not supported", reaction,
				maxComponents)
		}
		r.Components = append(r.Components, Component{Number: number})
	}
	fmt.Fprintf(b.hash, "%q %q %d %q\n", smiles, id, number, reaction)
	c := &r.Components[i]
	c.Synthons = append(c.Synthons, Synthon{ID: id, SMILES: smiles, Line: line, part: &part{template: x}})
	return nil
}

// maxComponents is the greatest number of components of a reaction.
const maxComponents = 4

// finish checks that the components of a reaction fit together and analyses its synthons. An error comes with its
// line.
func (r *Reaction) finish(a *analyser) (line int, err error) {
	slices.SortFunc(r.Components, func(a, b Component) int { return cmp.Compare(a.Number, b.Number) })
	var owner [maxPort + 1][]int // the components with each point
	for i := range r.Components {
		c := &r.Components[i]
		for _, p := range c.Synthons[0].part.ports {
			c.ports = append(c.ports, p.number)
			owner[p.number] = append(owner[p.number], i)
		}
		if len(c.ports) == 0 && len(r.Components) > 1 {
			return c.Synthons[0].Line, fmt.Errorf("found no attachment point such as [1*] or [U] in %s",
				c.Synthons[0].SMILES)
		}
		for _, s := range c.Synthons {
			if !slices.EqualFunc(s.part.ports, c.ports, func(p port, n int) bool { return p.number == n }) {
				return s.Line, fmt.Errorf("synthon %s has other attachment points than %s of the same component", s.ID,
					c.Synthons[0].ID)
			}
		}
	}
	for n, list := range owner {
		switch len(list) {
		case 0:
		case 1:
			r.Open = append(r.Open, n)
		case 2:
			if line, err := r.checkOrders(n, list); err != nil {
				return line, err
			}
		default:
			return r.Components[list[2]].Synthons[0].Line, fmt.Errorf("attachment point %d of reaction %s is in %d "+
				"components, "+
				"expected two", n, r.ID, len(list))
		}
	}
	if len(r.Open) > 0 {
		if line, err := r.keepOpen(); err != nil {
			return line, err
		}
	}
	for i := range r.Components {
		groups := r.groups(i, owner)
		for j := range r.Components[i].Synthons {
			s := &r.Components[i].Synthons[j]
			if s.part, err = a.analyse(s, groups); err != nil {
				return s.Line, fmt.Errorf("synthon %s: %w", s.ID, err)
			}
		}
	}
	for n, list := range owner {
		if len(list) == 2 {
			if line, err := r.addJoin(n, list); err != nil {
				return line, err
			}
		}
	}
	return 0, nil
}

// addJoin adds the bond between two components. The one that may have a hydrogen in its place counts it.
func (r *Reaction) addJoin(number int, list []int) (line int, err error) {
	j := join{number: number, at: [2]int{list[0], list[1]}}
	folding := [2]int{}
	for i, k := range j.at {
		c := &r.Components[k]
		at := slices.Index(c.ports, number)
		for _, s := range c.Synthons {
			j.loose = j.loose || s.part.joins[at] == graph.Wildcard
			if s.part.joins[at] == none {
				folding[i] = s.Line
			}
		}
	}
	if folding[1] > 0 {
		if folding[0] > 0 {
			return folding[1], fmt.Errorf("attachment point %d of reaction %s joins hydrogens", number, r.ID)
		}
		j.at[0], j.at[1] = j.at[1], j.at[0]
	}
	r.joins = append(r.joins, j)
	return 0, nil
}

// keepOpen leaves attachment points without partners what they are written as.
func (r *Reaction) keepOpen() (line int, err error) {
	for i := range r.Components {
		c := &r.Components[i]
		had := len(c.ports)
		c.ports = slices.DeleteFunc(c.ports, func(n int) bool { return slices.Contains(r.Open, n) })
		for j := range c.Synthons {
			s := &c.Synthons[j]
			if len(c.ports) == had {
				break
			}
			x, err := parseTemplate(s.SMILES, r.Open)
			if err != nil {
				return s.Line, err
			}
			s.part = &part{template: x}
		}
	}
	return 0, nil
}

// checkOrders returns an error unless the bonds to an attachment point have the same order in all synthons.
func (r *Reaction) checkOrders(number int, components []int) (line int, err error) {
	var first *Synthon
	for _, i := range components {
		c := &r.Components[i]
		at := slices.Index(c.ports, number)
		for j := range c.Synthons {
			s := &c.Synthons[j]
			if first == nil {
				first = s
			}
			if a, b := first.part.port(number).order(), s.part.ports[at].order(); a != b {
				return s.Line, fmt.Errorf("the bond to attachment point %d is %q in synthon %s and %q in %s", number, b,
					s.ID, a, first.ID)
			}
		}
	}
	return 0, nil
}

// order returns the symbol of the bond to a point, without marks of geometry.
func (p port) order() byte {
	switch p.symbol {
	case 0, '/', '\\':
		return '-'
	}
	return p.symbol
}

// groups returns, for the points of a component, numbers that are equal where the other components join them: a
// ring of the product goes through them. Points that no other one meets have -1.
func (r *Reaction) groups(component int, owner [maxPort + 1][]int) []int {
	to := make([]int, len(r.Components)) // the least component that one is joined to without this one
	for i := range to {
		to[i] = i
	}
	for range to {
		for _, list := range owner {
			if len(list) == 2 && list[0] != component && list[1] != component {
				least := min(to[list[0]], to[list[1]])
				to[list[0]], to[list[1]] = least, least
			}
		}
	}
	count := make([]int, len(to))
	groups := make([]int, len(r.Components[component].ports))
	for i, n := range r.Components[component].ports {
		other := owner[n][0] + owner[n][1] - component
		groups[i] = to[other]
		count[to[other]]++
	}
	for i, g := range groups {
		if count[g] < 2 {
			groups[i] = -1
		}
	}
	return groups
}
