package ged

// SetPatience sets how many states the plain search may take before the strong
// one is called.
func (s *Solver) SetPatience(states int64) { s.search.patience = states }
