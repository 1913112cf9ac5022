package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/greedgraph/greed/internal/kernel"
)

type versionCommand struct{}

// Help shows below the usage of the command.
func (versionCommand) Help() string {
	return "Prints the version of the program, the Go release that built it, the platform, and the fastest vector instructions that it found on this machine."
}

// Run prints the version.
func (versionCommand) Run(s *session) error {
	levels := kernel.Levels()
	v := struct {
		Version string `json:"version"`
		Go      string `json:"go"`
		OS      string `json:"os"`
		Arch    string `json:"arch"`
		SIMD    string `json:"simd"`
	}{"(devel)", runtime.Version(), runtime.GOOS, runtime.GOARCH, levels[len(levels)-1].String()}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		v.Version = info.Main.Version
	}
	if s.json {
		return s.out.printJSON(v)
	}
	_, err := fmt.Fprintf(s.out, "greed %s, %s %s/%s, %s kernels\n", v.Version, v.Go, v.OS, v.Arch, v.SIMD)
	return err
}
