package chem

// normalise makes charge-separated forms of neutral hypervalent atoms, as
// RDKit's clean-up does before anything else:
//
//	nitrogen of valence 5: N(=O)=O to [N+](=O)[O-], N#N to [N+]=[N-]
//	phosphorus of valence 5 and three neighbours, C=P=O to C=[P+][O-]
//	Cl, Br or I of valence 3, 5 or 7 among oxygens: each =O to [O-]
func (w *workspace) normalise() {
	for v := range w.m.Atoms {
		a := &w.m.Atoms[v]
		if a.Charge != 0 {
			continue
		}
		switch a.Element {
		case nitrogen:
			w.normaliseNitrogen(int32(v))
		case phosphorus:
			w.normalisePhosphorus(int32(v))
		case chlorine, bromine, iodine:
			w.normaliseHalogen(int32(v))
		}
	}
}

func (w *workspace) normaliseNitrogen(v int32) {
	if w.writtenValence(v) != 5 {
		return
	}
	for _, a := range w.at(v) {
		b, other := &w.m.Bonds[a.bond], &w.m.Atoms[a.to]
		switch {
		case other.Charge != 0:
		case other.Element == oxygen && b.Order == Double:
			w.separate(v, a, Single)
			return
		case other.Element == nitrogen && b.Order == Triple:
			w.separate(v, a, Double)
			return
		}
	}
}

func (w *workspace) normalisePhosphorus(v int32) {
	arcs := w.at(v)
	if len(arcs) != 3 || w.writtenValence(v) != 5 {
		return
	}
	var oxo *arc
	ylide := false
	for i, a := range arcs {
		if w.m.Bonds[a.bond].Order != Double {
			continue
		}
		switch other := &w.m.Atoms[a.to]; {
		case other.Element == oxygen && other.Charge == 0:
			oxo = &arcs[i]
		case other.Element == carbon || other.Element == nitrogen:
			ylide = ylide || len(w.at(a.to)) >= 2
		}
	}
	if oxo != nil && ylide {
		w.separate(v, *oxo, Single)
	}
}

func (w *workspace) normaliseHalogen(v int32) {
	switch w.writtenValence(v) {
	case 3, 5, 7:
	default:
		return
	}
	for _, a := range w.at(v) {
		if w.m.Atoms[a.to].Element != oxygen {
			return
		}
	}
	for _, a := range w.at(v) {
		if w.m.Bonds[a.bond].Order == Double {
			w.separate(v, a, Single)
		}
	}
}

// separate lowers the order of a bond of v, raises the charge of v by one and sets that of
// the other atom to -1.
func (w *workspace) separate(v int32, a arc, order Order) {
	w.m.Bonds[a.bond].Order = order
	w.m.Atoms[v].Charge++
	w.m.Atoms[a.to].Charge = -1
	w.m.Notes |= NoteNormalised
}
