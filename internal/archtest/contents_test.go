package archtest

import (
	"go/ast"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// unsafeAllowed names the files outside internal/kernel that import unsafe,
// each with the reason.
var unsafeAllowed = map[string]string{}

func TestAssemblyAndUnsafeLiveInKernel(t *testing.T) {
	walk(t, func(name string) {
		switch filepath.Ext(name) {
		case ".s", ".S", ".c", ".h", ".syso":
			if !strings.HasPrefix(name, "internal/kernel/") {
				t.Errorf("%s: assembly lives in internal/kernel", name)
			}
		}
	})
	for _, s := range sources(t) {
		if slices.Contains(s.imports, "C") {
			t.Errorf("%s: the module builds without cgo", s.name)
		}
		if _, allowed := unsafeAllowed[s.name]; allowed || under(s.pkg, "internal/kernel") {
			continue
		}
		if slices.Contains(s.imports, "unsafe") {
			t.Errorf("%s imports unsafe: it lives in internal/kernel", s.name)
		}
		for _, group := range s.syntax.Comments {
			for _, c := range group.List {
				if strings.HasPrefix(c.Text, "//go:linkname") {
					t.Errorf("%s: go:linkname lives in internal/kernel", s.name)
				}
			}
		}
	}
}

func TestNoWorkAtImport(t *testing.T) {
	for _, s := range sources(t) {
		for _, decl := range s.syntax.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
				t.Errorf("%s: func init: packages do no work at import", s.name)
			}
		}
	}
}

// TestNoticeNamesWhatIsLinked keeps NOTICE true: every module that is in the program has
// a line there, and no other has one.
func TestNoticeNamesWhatIsLinked(t *testing.T) {
	notice, err := os.ReadFile(filepath.Join(root, "NOTICE"))
	if err != nil {
		t.Fatal(err)
	}
	list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "./cmd/greed")
	list.Dir = root
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	linked := strings.Fields(string(out))
	slices.Sort(linked)
	linked = slices.Compact(linked)
	for _, m := range linked {
		if m != module && !slices.Contains(strings.Fields(string(notice)), m) {
			t.Errorf("NOTICE does not name %s, which is linked into the program", m)
		}
	}
	for line := range strings.Lines(string(notice)) {
		name, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if strings.HasPrefix(line, "    ") && strings.Contains(name, "/") && !slices.Contains(linked, name) {
			t.Errorf("NOTICE names %s, which is not linked into the program", name)
		}
	}
}
