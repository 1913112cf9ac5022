// Command gen writes the assembly of package kernel and the Go declarations
// beside it: for each family of kernels ../<family>_amd64.s and
// ../<family>_stub_amd64.go. Run it in its own folder, as go generate does.
package main

import (
	"fmt"
	"log"
	"os"

	"github.com/mmcloughlin/avo/build"
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
	for name, emit := range families {
		if err := render(files, name, emit); err != nil {
			return nil, fmt.Errorf("gen: %s: %w", name, err)
		}
	}
	return files, nil
}

func render(files map[string][]byte, name string, emit func(*build.Context)) error {
	ctx := build.NewContext()
	ctx.ConstraintExpr("!noasm")
	emit(ctx)
	file, err := ctx.Result()
	if err != nil {
		return err
	}
	if err := pass.Compile.Execute(file); err != nil {
		return err
	}
	config := printer.Config{Argv: []string{"go", "generate"}, Name: "avo", Pkg: "kernel"}
	if files[fmt.Sprintf("../%s_amd64.s", name)], err = printer.NewGoAsm(config).Print(file); err != nil {
		return err
	}
	files[fmt.Sprintf("../%s_stub_amd64.go", name)], err = printer.NewStubs(config).Print(file)
	return err
}
