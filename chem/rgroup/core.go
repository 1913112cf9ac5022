// Package rgroup takes a series of molecules apart into a core that all have, or nearly have, and what is attached to
// it at each position, the R-groups. Where a core can be laid on a molecule in several ways, it chooses for the whole
// series at once.
package rgroup

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/chem/chemname"
	"github.com/greedgraph/greed/graph"
)

// Core is what the molecules of a series have in common.
type Core struct {
	pattern  string
	read     string       // what a name was read as
	skeleton *chem.SMARTS // without the places that are marked
	names    []string     // [atoms of the skeleton]
	marks    [][]int      // [atoms of the skeleton] numbers of positions
	bonded   map[[2]int]bool
}

// ParseCore reads a core: a MOL block, drawn as a query, a SMILES, the name of a compound, or a SMARTS. What could be
// several of these is the first of them, but a SMARTS if smarts is true. [*:1], [*:2] and so on, or R groups of a MOL
// block, mark positions; so does the class of another atom, such as [cH:1], at this atom. If it cannot be read, the
// error is a [*chem.FormatError], [*chem.SyntaxError] or [*chem.KekuleError], or wraps [chemname.ErrUnknown].
func ParseCore(text string, smarts bool) (*Core, error) {
	c := &Core{bonded: make(map[[2]int]bool)}
	var err error
	if c.pattern, c.read, err = patternOf(text, smarts); err != nil {
		return nil, err
	}
	s, err := chem.ParseSMARTS(c.pattern)
	if err != nil {
		return nil, err
	}
	classes, texts := s.Classes(), s.Atoms()
	degree := make([]int, s.Len())
	for _, b := range s.Bonds() {
		degree[b[0]]++
		degree[b[1]]++
	}
	gone := make([]bool, s.Len()) // marks a position, and is no atom of the core
	number := make([]int, s.Len())
	for i, class := range classes {
		gone[i] = class > 0 && degree[i] <= 1 && strings.HasPrefix(texts[i], "[*:")
		if number[i] = len(c.names); !gone[i] {
			c.names = append(c.names, name(texts[i]))
		}
	}
	if len(c.names) == 0 {
		return nil, errors.New("the core has no atoms beside the positions")
	}
	c.marks = make([][]int, len(c.names))
	placed := make(map[int]bool)
	mark := func(at, class int) error {
		if placed[class] {
			return fmt.Errorf("position %d of the core is marked twice", class)
		}
		placed[class] = true
		c.marks[at] = append(c.marks[at], class)
		return nil
	}
	for i, class := range classes {
		if class > 0 && !gone[i] {
			if err := mark(number[i], class); err != nil {
				return nil, err
			}
		}
	}
	for k, b := range s.Bonds() {
		for side, i := range b {
			other := b[1-side]
			if !gone[i] {
				continue
			}
			if gone[other] || s.Multiple(k) {
				return nil, fmt.Errorf("position %d of the core must be attached to an atom, by a single bond",
					classes[i])
			}
			if err := mark(number[other], classes[i]); err != nil {
				return nil, err
			}
		}
	}
	for i, class := range classes {
		if gone[i] && !placed[class] {
			return nil, fmt.Errorf("position %d of the core is attached to no atom", class)
		}
	}
	for _, list := range c.marks {
		slices.Sort(list)
	}
	c.skeleton = s.Without(gone)
	for _, b := range c.skeleton.Bonds() {
		c.bonded[b] = true
	}
	return c, nil
}

// patternOf returns the SMARTS of a core, and of a name what it was read as.
func patternOf(text string, smarts bool) (pattern, read string, err error) {
	switch {
	case chem.IsMolBlock(text):
		pattern, err = chem.MolSMARTS([]byte(text))
		return pattern, "", err
	case smarts:
		return text, "", nil
	}
	if pattern, err = chem.SMILESSMARTS(text); err == nil {
		return pattern, "", nil
	}
	named, err := chemname.Resolve(text, err)
	if err == nil {
		pattern, err = chem.SMILESSMARTS(named.SMILES)
		return pattern, named.Remark(text), err
	}
	if _, unread := chem.ParseSMARTS(text); unread == nil {
		return text, "", nil
	}
	return "", "", err
}

// Read says what a core that was given by a name was read as; "" of others.
func (c *Core) Read() string { return c.read }

// Pattern returns the core as a SMARTS, with its positions.
func (c *Core) Pattern() string { return c.pattern }

// Len returns the number of its atoms, without positions.
func (c *Core) Len() int { return len(c.names) }

// Atoms returns what each atom is: the symbol of an element, or a condition.
func (c *Core) Atoms() []string { return slices.Clone(c.names) }

// name shortens the text of an atom to the symbol of its element, if it asks for nothing else.
func name(text string) string {
	inside := strings.TrimSuffix(strings.TrimPrefix(text, "["), "]")
	inside, _, _ = strings.Cut(inside, ":")
	var number int
	if n, err := fmt.Sscanf(inside, "#%d", &number); n == 1 && err == nil && inside == fmt.Sprintf("#%d", number) &&
		number > 0 {
		return chem.Element(number).Symbol()
	}
	return text
}

// Graph returns a graph of the core without its positions that every molecule with the core contains: see
// [chem.SMARTS.Graph].
func (c *Core) Graph(vocab *graph.Vocabulary) (*graph.Graph, error) {
	return c.skeleton.Graph(vocab, true)
}
