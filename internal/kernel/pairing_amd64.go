//go:build !noasm

package kernel

func solvePairing(level Level, p *Pairing, need int) bool {
	if level == Generic {
		return solvePairingGeneric(p, need)
	}
	return solvePairingAVX2(&p.Profit[0][0], need)
}

func narrowPairing(level Level, p *Pairing, g *PairingGraphs, spare int16) (row int, lost bool) {
	if level == Generic {
		return narrowPairingGeneric(p, g, spare)
	}
	row, l := narrowPairingAVX2(&p.Profit[0][0], &g.RowNext[0][0], int(spare))
	return row, l != 0
}

func fixPairing(level Level, p, from *Pairing, g *PairingGraphs, i, j int) {
	if level == Generic {
		fixPairingGeneric(p, from, g, i, j)
		return
	}
	fixPairingAVX2(&p.Profit[0][0], &from.Profit[0][0], &g.RowNext[0][0], i, j)
}
