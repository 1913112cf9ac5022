package dataset

import "slices"

// repeat is a range of edges that may be the same as others: those of a strict graph, where the
// ends decide, and those with a key, where the key does, too. The attributes of the edges are
// those of the statement on top of the defaults base.
type repeat struct {
	edgeRange
	base, key uint32
}

// noKey is the number of no key.
const noKey = ^uint32(0)

// mayRepeat keeps edges for mergeRepeats. Only a key that the statement itself states counts.
func (p *dotParser) mayRepeat(r edgeRange, base uint32) {
	if p.strict || p.key != noKey {
		p.repeats = add(p.repeats, repeat{r, base, p.key})
	}
}

// mergeRepeats makes one edge of those that are the same. It has the attributes of the first, and of
// later ones what their statements state, without the defaults.
func (p *dotParser) mergeRepeats() {
	if p.err != nil || len(p.repeats) == 0 {
		return
	}
	of := make([]uint32, len(p.raw.edges)) // the repeat of an edge, plus 1
	for k, r := range p.repeats {
		for i := r.from; i < r.to; i++ {
			of[i] = uint32(k + 1)
		}
	}
	drop := make([]bool, len(p.raw.edges))
	dropped := 0
	for same := range p.raw.bundles() {
		same = slices.DeleteFunc(same, func(i uint32) bool { return of[i] == 0 })
		if !p.strict {
			slices.SortStableFunc(same,
				func(i, j uint32) int { return int(p.repeats[of[i]-1].key) - int(p.repeats[of[j]-1].key) })
		}
		for k, i := range same {
			r := p.repeats[of[i]-1]
			if k == 0 || !p.strict && r.key != p.repeats[of[same[k-1]]-1].key {
				same[0] = i // the first of its kind
				continue
			}
			first := &p.raw.edges[same[0]]
			first.attrs = p.copyAttributes(&p.raw.edgeAttrs, first.attrs, p.raw.edges[i].attrs, r.base)
			drop[i] = true
			dropped++
		}
	}
	if dropped == 0 {
		return
	}
	p.raw.dropEdges(drop, nil)
	if p.strict {
		p.raw.env.notes.count(dropped, "repeated edge of a strict graph was dropped",
			"repeated edges of strict graphs were dropped")
	} else {
		p.raw.env.notes.count(dropped, "repeated edge with the same key was dropped",
			"repeated edges with the same keys were dropped")
	}
}

// copyAttributes returns chain with the entries of from that lie on top of base. Copies are limited by
// the length of the text.
func (p *dotParser) copyAttributes(a *attrs, chain, from, base uint32) uint32 {
	const perEntry = 8 // of the limit
	var own []uint32
	for from != base && from != noAttrs {
		own = append(own, from)
		p.copied += perEntry + len(a.value(from))
		if p.copied > len(p.lex.text)+fewJoined {
			p.fail(errAt(p.tok.line, "attributes are repeated for too many nodes or edges"))
			return chain
		}
		from = a.entries[from].before
	}
	for _, entry := range slices.Backward(own) {
		chain = a.add(chain, string(a.names.at(a.name(entry))), string(a.value(entry)), a.kind(entry))
	}
	return chain
}
