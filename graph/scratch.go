package graph

// Scratch is memory in which one graph is built after another, for programs that look at many and keep none. The
// zero value is ready for use.
type Scratch struct {
	builder Builder
	graph   Graph
}

// Builder returns the builder of the next graph, which is empty.
func (s *Scratch) Builder(vocab *Vocabulary, directed bool) *Builder {
	s.builder.Reset()
	s.builder.vocab, s.builder.directed = vocab, directed
	return &s.builder
}

// Build is [Builder.Build] of that builder. The graph is valid until the next call: nothing may keep it.
func (s *Scratch) Build() (*Graph, error) { return s.builder.buildIn(&s.graph) }
