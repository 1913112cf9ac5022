package graph

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
)

// Label is a symbol of the label alphabet Σ of the paper, as its number in a
// [Vocabulary]. Node labels and edge labels are numbered separately.
type Label uint32

// Wildcard is the label of a query node or edge that matches any label of a
// target at no cost in subgraph edit distance. Everywhere else it is an
// ordinary label that equals only itself. No text read from a file becomes
// Wildcard unless the format says so (the atom * of SMILES).
const Wildcard Label = 0

const wildcardText = "*"

// Vocabulary numbers the labels of nodes and edges in the order in which they
// were first seen. Graphs can be compared only when they share a Vocabulary;
// models and indexes store theirs and translate.
//
// A Vocabulary only grows, and its methods may be called concurrently.
type Vocabulary struct {
	nodes, edges table
	base         *Vocabulary // what this one extends, or nil
}

// NewVocabulary returns a vocabulary that holds nothing but [Wildcard].
func NewVocabulary() *Vocabulary {
	v := new(Vocabulary)
	v.nodes.reset()
	v.edges.reset()
	return v
}

// Node returns the number of a node label, adding it if it is new.
func (v *Vocabulary) Node(text string) Label { return v.nodes.intern(text) }

// Edge returns the number of an edge label, adding it if it is new.
func (v *Vocabulary) Edge(text string) Label { return v.edges.intern(text) }

// FindNode returns the number of a node label and whether it is known.
func (v *Vocabulary) FindNode(text string) (Label, bool) { return v.nodes.find(text) }

// FindEdge returns the number of an edge label and whether it is known.
func (v *Vocabulary) FindEdge(text string) (Label, bool) { return v.edges.find(text) }

// NodeText returns the text of a node label. It panics if l is unknown.
func (v *Vocabulary) NodeText(l Label) string { return v.nodes.text(l) }

// EdgeText returns the text of an edge label; one with [InRing] says that the edge is in
// a ring. It panics if l is unknown.
func (v *Vocabulary) EdgeText(l Label) string {
	if l&InRing != 0 {
		return v.edges.text(l&^InRing) + ringText
	}
	return v.edges.text(l)
}

// Nodes returns the number of node labels, with [Wildcard]; all their numbers are below
// it. Labels that an extension adds do not count.
func (v *Vocabulary) Nodes() int { return v.nodes.len() }

// Edges returns how many edge labels are known, as [Vocabulary.Nodes] does.
func (v *Vocabulary) Edges() int { return v.edges.len() }

type vocabularyJSON struct {
	Nodes []string `json:"nodes"`
	Edges []string `json:"edges"`
}

// MarshalJSON writes the label texts in the order of their numbers, from
// number 1 ([Wildcard] is implied). An extension is not written: it is an error.
func (v *Vocabulary) MarshalJSON() ([]byte, error) {
	if v.base != nil {
		return nil, errors.New("graph: the extension of a vocabulary is not kept")
	}
	return json.Marshal(vocabularyJSON{v.nodes.list(), v.edges.list()})
}

// UnmarshalJSON replaces the vocabulary by one written by [Vocabulary.MarshalJSON].
func (v *Vocabulary) UnmarshalJSON(data []byte) error {
	var j vocabularyJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	v.base = nil
	v.nodes.reset()
	v.edges.reset()
	for i, s := range j.Nodes {
		if int(v.nodes.intern(s)) != i+1 {
			return fmt.Errorf("graph: vocabulary lists node label %q twice", s)
		}
	}
	for i, s := range j.Edges {
		if int(v.edges.intern(s)) != i+1 {
			return fmt.Errorf("graph: vocabulary lists edge label %q twice", s)
		}
	}
	return nil
}

// table numbers texts from 1; number 0 is Wildcard, which has no text. A table that
// extends base numbers the texts that base lacks from extension.
type table struct {
	mu      sync.RWMutex
	texts   []string
	numbers map[string]Label
	base    *table
}

func (t *table) reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.texts = []string{wildcardText}
	t.numbers = make(map[string]Label)
	t.base = nil
}

// find returns the number of a text. It looks here before base, because base may have
// added the text since.
func (t *table) find(text string) (Label, bool) {
	t.mu.RLock()
	l, ok := t.numbers[text]
	t.mu.RUnlock()
	if !ok && t.base != nil {
		return t.base.find(text)
	}
	return l, ok
}

func (t *table) intern(text string) Label {
	if l, ok := t.find(text); ok {
		return l
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if l, ok := t.numbers[text]; ok {
		return l
	}
	l := Label(len(t.texts))
	switch {
	case l >= extension/2: // the other half of an extension's numbers are bundles
		panic("graph: a vocabulary is full")
	case t.base != nil:
		l += extension
	}
	t.texts = append(t.texts, text)
	t.numbers[text] = l
	return l
}

func (t *table) text(l Label) string {
	if t.base != nil {
		if l < extension {
			return t.base.text(l)
		}
		l -= extension
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.texts[l]
}

// has reports whether a label has a text.
func (t *table) has(l Label) bool {
	if t.base != nil {
		if l < extension {
			return t.base.has(l)
		}
		l -= extension
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	return int(l) < len(t.texts)
}

// len returns how many labels are numbered in sequence.
func (t *table) len() int {
	if t.base != nil {
		return t.base.len()
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	return len(t.texts)
}

func (t *table) list() []string {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return append([]string{}, t.texts[1:]...)
}
