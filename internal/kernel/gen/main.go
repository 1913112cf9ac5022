// Command gen writes the assembly of package kernel and the Go declarations
// beside it: for each family of kernels ../<family>_amd64.s, and for all of them
// ../stub_amd64.go. Run it in its own folder, as go generate does.
package main

import (
	"fmt"
	"log"
	"maps"
	"os"
	"slices"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
)

func main() {
	log.SetFlags(0)
	files, err := generate()
	if err != nil {
		log.Fatal(err)
	}
	for path, text := range files {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// generate returns the files by path.
func generate() (map[string][]byte, error) {
	families := map[string]func(*build.Context){
		"gemm":        gemm,
		"sum":         sums,
		"elementwise": elementwise,
		"distance":    distances,
		"coded":       codes,
		"prefetch":    prefetch,
		"counts":      counts,
		"stars":       stars,
		"sweep":       sweeps,
		"program":     program,
		"pairing":     pairings,
	}
	files := map[string][]byte{}
	config := printer.Config{Argv: []string{"go", "generate"}, Name: "avo", Pkg: "kernel"}
	all := ir.NewFile()
	for _, name := range slices.Sorted(maps.Keys(families)) {
		file, err := compile(families[name])
		if err != nil {
			return nil, fmt.Errorf("gen: %s: %w", name, err)
		}
		if files[fmt.Sprintf("../%s_amd64.s", name)], err = printer.NewGoAsm(config).Print(file); err != nil {
			return nil, err
		}
		all.Constraints, all.Sections = file.Constraints, append(all.Sections, file.Sections...)
	}
	var err error
	files["../stub_amd64.go"], err = printer.NewStubs(config).Print(all)
	return files, err
}

func compile(emit func(*build.Context)) (*ir.File, error) {
	ctx := build.NewContext()
	ctx.ConstraintExpr("!noasm")
	emit(ctx)
	file, err := ctx.Result()
	if err != nil {
		return nil, err
	}
	return file, pass.Compile.Execute(file)
}
