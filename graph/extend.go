package graph

// extension is the first number of the labels of an extension. It lies beyond the labels
// of any collection and fits an int32.
const extension Label = 1 << 30

// Extend returns a vocabulary that has the labels of v under their numbers and keeps new
// labels to itself, so that v does not grow. A label that v lacks when the extension
// adds it never equals one of v, even if v adds the same text later. Queries use
// extensions. Extend panics if v is an extension.
func (v *Vocabulary) Extend() *Vocabulary {
	if v.base != nil {
		panic("graph: the extension of a vocabulary cannot be extended")
	}
	e := NewVocabulary()
	e.base, e.nodes.base, e.edges.base = v, &v.nodes, &v.edges
	return e
}

// Extends reports whether v extends another vocabulary.
func (v *Vocabulary) Extends() bool { return v.base != nil }

// Common returns the one of two vocabularies that has the labels of both, if they are
// the same or one extends the other, and nil otherwise. Only graphs with a common
// vocabulary can be compared.
func Common(a, b *Vocabulary) *Vocabulary {
	switch {
	case a == b || a.base == b:
		return a
	case b.base == a:
		return b
	}
	return nil
}

// Adopt returns g with its labels translated to vocab by their texts, to compare it with
// graphs of vocab. Labels that vocab lacks become labels of an extension, so that vocab
// does not grow. It returns g itself if its vocabulary is vocab, and panics if vocab is
// an extension.
func Adopt(vocab *Vocabulary, g *Graph) *Graph {
	if g.vocab == vocab {
		return g
	}
	return In(vocab.Extend(), g)
}
