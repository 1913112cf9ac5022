package archtest

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const (
	module = "github.com/greedgraph/greed"
	root   = "../.."
)

// source is one Go file, whatever its build constraints.
type source struct {
	name    string // slash-separated, from the root of the module
	pkg     string // folder of name; "." is the root package
	test    bool
	imports []string
	syntax  *ast.File
}

// sources returns all Go files of the module; nested modules are not of it.
func sources(t *testing.T) []source {
	t.Helper()
	all, err := parsed()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var parsed = sync.OnceValues(func() (all []source, err error) {
	fset := token.NewFileSet()
	err = visitFiles(func(name string) error {
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		file, err := parser.ParseFile(fset, filepath.Join(root, name), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		s := source{name: name, pkg: path.Dir(name), test: strings.HasSuffix(name, "_test.go"), syntax: file}
		for _, spec := range file.Imports {
			p, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			s.imports = append(s.imports, p)
		}
		all = append(all, s)
		return nil
	})
	if err == nil && len(all) == 0 {
		err = errors.New("no Go files found")
	}
	return all, err
})

// walk calls visit with the name of every file of the module.
func walk(t *testing.T, visit func(name string)) {
	t.Helper()
	if err := visitFiles(func(name string) error { visit(name); return nil }); err != nil {
		t.Fatal(err)
	}
}

func visitFiles(visit func(name string) error) error {
	return filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		if !d.IsDir() {
			return visit(filepath.ToSlash(name))
		}
		if name == "." {
			return nil
		}
		if base := d.Name(); strings.HasPrefix(base, ".") || base == "testdata" || base == "vendor" || base == "node_modules" {
			return filepath.SkipDir
		}
		if _, err := os.Stat(filepath.Join(p, "go.mod")); err == nil {
			return filepath.SkipDir
		}
		return nil
	})
}

// own returns the package of this module that an import path names.
func own(importPath string) (pkg string, ok bool) {
	if importPath == module {
		return ".", true
	}
	return strings.CutPrefix(importPath, module+"/")
}

// standard reports whether an import path is of the standard library.
func standard(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return !strings.Contains(first, ".")
}

// under reports whether pkg is prefix or lies below it.
func under(pkg, prefix string) bool {
	return pkg == prefix || strings.HasPrefix(pkg, prefix+"/")
}
