package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"

	"github.com/alecthomas/kong"

	"github.com/greedgraph/greed/internal/kernel"
)

// release, commit and date are set by the linker for releases (-X main.release=1.2.3)
// and never changed. Elsewhere they are empty, and the build information of Go is used.
var release, commit, date string

// version describes the program and the machine.
type version struct {
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	Date    string `json:"date,omitempty"` // of the commit
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
	SIMD    string `json:"simd"`
}

func newVersion() version {
	levels := kernel.Levels()
	v := version{
		Version: release, Commit: commit, Date: date,
		Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, SIMD: levels[len(levels)-1].String(),
	}
	info, ok := debug.ReadBuildInfo()
	if v.Version == "" {
		v.Version = "(devel)"
		if ok && info.Main.Version != "" {
			v.Version = info.Main.Version
		}
	}
	if !ok || v.Commit != "" {
		return v
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Commit = s.Value
		case "vcs.time":
			v.Date = s.Value
		}
	}
	return v
}

func (v version) String() string {
	source := ""
	if v.Commit != "" {
		source = fmt.Sprintf(" (commit %.12s of %s)", v.Commit, v.Date)
	}
	return fmt.Sprintf("greed %s%s, %s %s/%s, %s kernels", v.Version, source, v.Go, v.OS, v.Arch, v.SIMD)
}

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run(s *session) error {
	v := newVersion()
	return s.answer(v, "%v\n", v)
}

// versionFlag is --version, which does what greed version does and nothing else.
type versionFlag bool

// BeforeReset prints the version before anything else is parsed.
func (versionFlag) BeforeReset(app *kong.Kong, command *kong.Context) error {
	s := newSession(context.Background(), globals{JSON: slices.Contains(command.Args, "--json")})
	if err := errors.Join(versionCommand{}.Run(s), s.out.Close()); err != nil {
		return err
	}
	app.Exit(0)
	return nil
}
