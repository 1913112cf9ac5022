//go:build !noasm

package kernel

import "unsafe"

// stepProgram has one form for both levels: a group is a vector of eight lanes.
func stepProgram(level Level, p *Program, keep, pace, long float32) {
	if level == Generic {
		stepProgramGeneric(p, keep, pace, long)
		return
	}
	stepProgramAVX2((*byte)(unsafe.Pointer(p)), &p.columns[0], len(p.Groups), keep, 1-keep, pace, pace/4, long)
}
