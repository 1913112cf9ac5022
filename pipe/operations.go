package pipe

// operations lists the requests there are.
func (s *server) operations() map[string]handler {
	return map[string]handler{
		"hello":    s.hello,
		"distance": s.distance,
		"edits":    s.edits,
		"expand":   s.expand,
		"read":     s.read,
		"matched":  s.matched,
	}
}

// hello tells the two sides whether they fit.
func (s *server) hello(*request) (*answer, error) {
	return &answer{result: map[string]int{"protocol": Protocol, "workers": s.opt.Workers}}, nil
}

// kept holds what lives longer than a request.
type kept struct{}
