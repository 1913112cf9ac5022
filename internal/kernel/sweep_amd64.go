//go:build !noasm

package kernel

// sweepStars is SweepStars in AVX-512 for 32 or 64 lanes, and 3 or 4 slots.
func sweepStars(n *StarNet, s *StarState, w Sweep) int32 {
	f := sweepStars3x32AVX512
	switch {
	case n.Slots == 4 && n.Lanes == 64:
		f = sweepStars4x64AVX512
	case n.Slots == 4:
		f = sweepStars4x32AVX512
	case n.Lanes == 64:
		f = sweepStars3x64AVX512
	}
	raise, backwards := 0, 0
	if w.Raise {
		raise = 1
	}
	if w.Backwards {
		backwards = 1
	}
	return int32(f(first(s.Shares), first(n.Weight), &s.Node[0], &s.Profit[0], &s.V[0], &s.U[0], &s.Tight[0], &n.Start[0], &n.Split[0], first(n.To), first(n.Back), first(n.Kind), &n.Next[0], &n.Reverse[0], &n.Part[0], &n.RowPart[0], &n.masks[0], n.Rows, int(w.Bound), int(w.Need), raise, backwards, w.Spare, NoProfit, 2*StarLane))
}

// first returns where the values are, if there are any.
func first[T any](s []T) *T {
	if len(s) == 0 {
		return nil
	}
	return &s[0]
}
