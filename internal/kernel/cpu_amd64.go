//go:build !noasm

package kernel

import "golang.org/x/sys/cpu"

//go:generate go run -C ../../lab/kernels .

// best is the fastest level that this machine runs.
var best = detect()

func detect() Level {
	switch x := &cpu.X86; {
	case !x.HasAVX2 || !x.HasFMA:
		return Generic
	case !x.HasAVX512F || !x.HasAVX512BW || !x.HasAVX512DQ || !x.HasAVX512VL:
		return AVX2
	}
	return AVX512
}
