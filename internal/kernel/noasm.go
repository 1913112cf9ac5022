//go:build !amd64 || noasm

package kernel

const best = Generic

func gemm(_ Level, p *Product) { gemmGeneric(p) }

func sumRows(_ Level, dst, src Matrix, width, rows int, lists Lists, self float32, accumulate bool) bool {
	return sumRowsGeneric(dst, src, width, rows, lists, self, accumulate)
}

func sumMessages(_ Level, dst Matrix, m *Messages) bool { return sumMessagesGeneric(dst, m) }

func sumMessagesGrad(_ Level, dSrc, dTable, grad Matrix, m *Messages, labels int) bool {
	return sumMessagesGradGeneric(dSrc, dTable, grad, m, labels)
}

func add(_ Level, dst, src []float32) { addGeneric(dst, src) }

func axpy(_ Level, dst []float32, a float32, src []float32) { axpyGeneric(dst, a, src) }

func scale(_ Level, dst []float32, a float32) { scaleGeneric(dst, a) }

func relu(_ Level, dst, src []float32) { reluGeneric(dst, src) }

func reluGrad(_ Level, dst, mask []float32) { reluGradGeneric(dst, mask) }

func adamW(_ Level, w, m, v, g []float32, s *AdamW) { adamWGeneric(w, m, v, g, s) }

func dot(_ Level, sums *[Lane]float64, a, b []float32) int { return dotGeneric(sums, a, b) }

func exact(_ Level, dst []float64, q, groups []float32, n *Norm) { exactGeneric(dst, q, groups, n) }

func screen(_ Level, dst, q, groups []float32, n *Norm) { screenGeneric(dst, q, groups, n) }

func find(_ Level, values []float32, limit float32) int { return findGeneric(values, limit) }

func screenCodes(_ Level, dst, q []float32, c *Codes, n *Norm) { screenCodesGeneric(dst, q, c, n) }

func compareCounts(_ Level, over, under, q, low, high []uint8, widths []int) {
	compareCountsGeneric(over, under, q, low, high, widths)
}

func fewEdits(_ Level, over, under, use []uint8, most uint8) uint64 {
	return fewEditsGeneric(over, under, use, most)
}

func prefetch(*byte, int) {}

func stepProgram(_ Level, p *Program, keep, pace, long float32) {
	stepProgramGeneric(p, keep, pace, long)
}

func boundStars(_ Level, b *StarBounds, s *Stars, base, less []int16) int16 {
	return boundStarsGeneric(b, s, base, less)
}

func raiseStars(_ Level, s *Stars, most []int16, b *StarBounds, less, part []int16, u, rowPart int16) {
	raiseStarsGeneric(s, most, b, less, part, u, rowPart)
}

func nearestLanes(_ Level, near, from, open, length, gain []int16, line, origin int16) (lanes uint64, distance int16) {
	return nearestLanesGeneric(near, from, open, length, gain, line, origin)
}
func sweepStars(*StarNet, *StarState, Sweep) int32 { panic("kernel: there is no assembly") }

func solvePairing(_ Level, p *Pairing, need int) bool { return solvePairingGeneric(p, need) }

func narrowPairing(_ Level, p *Pairing, g *PairingGraphs, spare int16) (row int, lost bool) {
	return narrowPairingGeneric(p, g, spare)
}

func fixPairing(_ Level, p, from *Pairing, g *PairingGraphs, i, j int) {
	fixPairingGeneric(p, from, g, i, j)
}
