package graph

// extension is the number from which on the labels of an extension lie. It is
// beyond those of any collection, and fits an int32.
const extension Label = 1 << 30

// Extend returns a vocabulary that has the labels of v, under their numbers, and
// that keeps those it is asked to add to itself: v does not grow by them. A label
// that v lacks when the extension adds it never equals one of v, not even if v
// adds the same text later. Queries are labelled so: what they ask for stays
// theirs. It panics if v is an extension itself.
func (v *Vocabulary) Extend() *Vocabulary {
	if v.base != nil {
		panic("graph: the extension of a vocabulary cannot be extended")
	}
	e := NewVocabulary()
	e.base, e.nodes.base, e.edges.base = v, &v.nodes, &v.edges
	return e
}

// Common returns the vocabulary that has the labels of both: one of the two if
// they are the same or one extends the other, nil otherwise. Only graphs with a
// common vocabulary can be compared.
func Common(a, b *Vocabulary) *Vocabulary {
	switch {
	case a == b || a.base == b:
		return a
	case b.base == a:
		return b
	}
	return nil
}

// Adopt returns g with its labels, by their texts, numbered as in vocab, for
// comparisons with graphs of vocab. Labels that vocab lacks become labels of an
// extension, so that vocab does not grow. It returns g itself if vocab is its own,
// and panics if vocab is an extension.
func Adopt(vocab *Vocabulary, g *Graph) *Graph {
	if g.vocab == vocab {
		return g
	}
	return In(vocab.Extend(), g)
}
