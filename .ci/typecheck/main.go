// Command typecheck says what does not compile in packages, tests included, for the system and the
// processor that GOOS and GOARCH name. It reads the sources of all that is imported, which takes a
// tenth of the time of compiling and linking that.
package main

import (
	"fmt"
	"go/ast"
	"os"

	"golang.org/x/tools/go/packages"
)

func main() {
	list, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Tests: true}, os.Args[1:]...)
	if err != nil || len(list) == 0 {
		fmt.Fprintln(os.Stderr, "typecheck: no packages:", err)
		os.Exit(1)
	}
	wrong := packages.PrintErrors(list)
	for _, p := range list {
		for _, file := range p.Syntax {
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && f.Body == nil && len(p.OtherFiles) == 0 {
					fmt.Fprintf(os.Stderr, "%s: there is no assembly with the body of %s\n", p.Fset.Position(f.Pos()), f.Name)
					wrong++
				}
			}
		}
	}
	if wrong > 0 {
		os.Exit(1)
	}
}
