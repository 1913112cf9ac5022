package archtest

import (
	"go/ast"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// deep is how many loops within each other need to look at the clock.
const deep = 3

// looks are functions and methods that look at the clock or the context, or that end work that does.
var looks = []string{"Spend", "Look", "Ended", "Err", "late", "stop", "over", "spend"}

// noRequest are packages whose work no request begins: training and measuring.
var noRequest = []string{"train", "eval", "nn", "report", "sample", "cmd", "lab", "bundle", "internal/kernel"}

// TestDeepLoopsLookAtTheClock holds that loops within loops end with their request: a function with three or more looks
// at the clock or the context, passes the context on, or is listed with what bounds its work.
func TestDeepLoopsLookAtTheClock(t *testing.T) {
	const name = "testdata/loops.txt"
	text, err := os.ReadFile(filepath.FromSlash(name))
	if err != nil {
		t.Fatal(err)
	}
	bounded := make(map[string]bool) // function: whether it was found
	for line := range strings.Lines(string(text)) {
		f, why, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || why == "" {
			t.Errorf("%s: %q is not a function and what bounds it", name, line)
		}
		bounded[f] = false
	}
	for _, s := range sources(t) {
		if strings.HasSuffix(s.name, "_test.go") || slices.ContainsFunc(noRequest, func(p string) bool { return under(s.pkg, p) }) {
			continue
		}
		for _, d := range s.syntax.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Body == nil || depth(f.Body) < deep || looksAtClock(f.Body) {
				continue
			}
			key := strings.TrimLeft(s.pkg+"."+receiver(f)+f.Name.Name, ".")
			if _, listed := bounded[key]; !listed {
				t.Errorf("%s: %s has %d loops within each other and looks at no clock; let it, or say in %s what bounds it",
					s.name, key, depth(f.Body), name)
			}
			bounded[key] = true
		}
	}
	for f, found := range bounded {
		if !found {
			t.Errorf("%s: %s needs no reason", name, f)
		}
	}
}

// receiver returns the type of a method and a dot, or nothing.
func receiver(f *ast.FuncDecl) (text string) {
	if f.Recv != nil {
		ast.Inspect(f.Recv.List[0].Type, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && text == "" {
				text = id.Name + "."
			}
			return true
		})
	}
	return text
}

// depth returns how many loops are within each other.
func depth(n ast.Node) (most int) {
	ast.Inspect(n, func(x ast.Node) bool {
		var body *ast.BlockStmt
		switch l := x.(type) {
		case *ast.ForStmt:
			body = l.Body
		case *ast.RangeStmt:
			body = l.Body
		default:
			return true
		}
		most = max(most, 1+depth(body))
		return false
	})
	return most
}

func looksAtClock(n ast.Node) (found bool) {
	ast.Inspect(n, func(x ast.Node) bool {
		call, ok := x.(*ast.CallExpr)
		if !ok {
			return true
		}
		switch f := call.Fun.(type) {
		case *ast.Ident:
			found = found || slices.Contains(looks, f.Name)
		case *ast.SelectorExpr:
			found = found || slices.Contains(looks, f.Sel.Name)
		}
		for _, arg := range call.Args {
			if id, ok := arg.(*ast.Ident); ok && id.Name == "ctx" {
				found = true
			}
		}
		return true
	})
	return found
}
