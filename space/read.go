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
		if err := b.finish(r, analyser); err != nil {
			line = err.line
			return nil, wrong("%s", err.text)
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
	list      []*Reaction          // in the order of the file
	templates map[string]*template // by SMILES
	hash      hash.Hash            // of the columns of all synthons
}

// add adds a synthon.
func (b *builder) add(smiles, id, component, reaction string, line int) error {
	digits := component[len(strings.TrimRight(component, "0123456789")):]
	number, err := strconv.Atoi(digits)
	if err != nil {
		return fmt.Errorf("found %q as number of a component, expected one such as 1 or synton_1", component)
	}
	if b.templates[smiles] == nil {
		if b.templates[smiles], err = parseTemplate(smiles, nil); err != nil {
			return err
		}
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
	c.Synthons = append(c.Synthons, Synthon{ID: id, SMILES: smiles, Line: line})
	return nil
}

// maxComponents is the greatest number of components of a reaction.
const maxComponents = 4

// fault is what is wrong with a synthon.
type fault struct {
	line int
	text string
}

func (s *Synthon) wrong(format string, args ...any) *fault {
	return &fault{s.Line, fmt.Sprintf(format, args...)}
}

// finish checks that the components of a reaction fit together and analyses its synthons.
func (b *builder) finish(r *Reaction, a *analyser) *fault {
	slices.SortFunc(r.Components, func(a, b Component) int { return cmp.Compare(a.Number, b.Number) })
	var owner [maxPort + 1][]int // the components with each point
	for i := range r.Components {
		c := &r.Components[i]
		first := &c.Synthons[0]
		for _, p := range b.templates[first.SMILES].ports {
			c.ports = append(c.ports, p.number)
			owner[p.number] = append(owner[p.number], i)
		}
		if len(c.ports) == 0 && len(r.Components) > 1 {
			return first.wrong("found no attachment point such as [1*] or [U] in %s", first.SMILES)
		}
		for k := range c.Synthons {
			s := &c.Synthons[k]
			same := func(p port, n int) bool { return p.number == n }
			if !slices.EqualFunc(b.templates[s.SMILES].ports, c.ports, same) {
				return s.wrong("synthon %s has other attachment points than %s of the same component", s.ID, first.ID)
			}
		}
	}
	for n, list := range owner {
		switch {
		case len(list) == 1:
			r.Open = append(r.Open, n)
		case len(list) > 2:
			return r.Components[list[2]].Synthons[0].wrong(
				"attachment point %d of reaction %s is in %d components, expected two", n, r.ID, len(list))
		}
	}
	for i := range r.Components {
		if f := b.analyse(r, i, owner, a); f != nil {
			return f
		}
	}
	for n, list := range owner {
		if len(list) == 2 {
			if f := r.addJoin(n, list); f != nil {
				return f
			}
		}
	}
	return nil
}

// analyse makes the parts of a component, in which points without partners stay what they are written as.
func (b *builder) analyse(r *Reaction, component int, owner [maxPort + 1][]int, a *analyser) *fault {
	c := &r.Components[component]
	had := len(c.ports)
	c.ports = slices.DeleteFunc(c.ports, func(n int) bool { return slices.Contains(r.Open, n) })
	groups := r.groups(component, owner)
	for k := range c.Synthons {
		s := &c.Synthons[k]
		x, err := b.templates[s.SMILES], error(nil)
		if len(c.ports) < had {
			x, err = parseTemplate(s.SMILES, r.Open)
		}
		if err == nil {
			s.part, err = a.analyse(x, s.SMILES, groups)
		}
		if err != nil {
			return s.wrong("synthon %s: %v", s.ID, err)
		}
	}
	return nil
}

// addJoin adds the bond between two components, which must have the same order in all synthons. The component that
// may have a hydrogen in its place counts it.
func (r *Reaction) addJoin(number int, list []int) *fault {
	j := join{number: number, at: [2]int{list[0], list[1]}}
	var first, folding [2]*Synthon
	for i, k := range j.at {
		c := &r.Components[k]
		at := slices.Index(c.ports, number)
		first[i] = &c.Synthons[0]
		for m := range c.Synthons {
			s := &c.Synthons[m]
			p, one := &s.part.ports[at], first[0].part
			if a, b := one.ports[one.port(number)].order(), p.order(); a != b {
				return s.wrong("the bond to attachment point %d is %q in synthon %s and %q in %s", number, b, s.ID, a,
					first[0].ID)
			}
			if p.folds {
				folding[i] = s
			}
			j.loose = j.loose || !p.folds && p.label == graph.Wildcard
		}
	}
	if folding[1] != nil {
		if folding[0] != nil {
			return folding[1].wrong("attachment point %d of reaction %s joins hydrogens", number, r.ID)
		}
		j.at[0], j.at[1] = j.at[1], j.at[0]
	}
	r.joins = append(r.joins, j)
	return nil
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
	to := newUnion(len(r.Components)) // those that are joined without this one
	for _, list := range owner {
		if len(list) == 2 && !slices.Contains(list, component) {
			to.join(int32(list[0]), int32(list[1]))
		}
	}
	count := make([]int, len(to))
	groups := make([]int, len(r.Components[component].ports))
	for i, n := range r.Components[component].ports {
		other := owner[n][0] + owner[n][1] - component
		groups[i] = int(to.find(int32(other)))
		count[groups[i]]++
	}
	for i, g := range groups {
		if count[g] < 2 {
			groups[i] = -1
		}
	}
	return groups
}
