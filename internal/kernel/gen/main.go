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
	families := []struct {
		name string
		emit func(*build.Context)
	}{
		{"gemm", gemm},
		{"sum", sums},
		{"elementwise", elementwise},
	}
	for _, f := range families {
		if err := write(f.name, f.emit); err != nil {
			log.Fatalf("gen: %s: %v", f.name, err)
		}
	}
}

func write(name string, emit func(*build.Context)) error {
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
	outputs := map[string]printer.Printer{
		fmt.Sprintf("../%s_amd64.s", name):       printer.NewGoAsm(config),
		fmt.Sprintf("../%s_stub_amd64.go", name): printer.NewStubs(config),
	}
	for path, p := range outputs {
		text, err := p.Print(file)
		if err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
