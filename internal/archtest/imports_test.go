package archtest

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// labOnly lists modules that only the laboratory may import.
var labOnly = []string{"github.com/valyala/fasthttp"}

// core packages import nothing but the standard library and golang.org/x/sys.
var core = []string{"graph", "edit", "norm", "sample", "chem", "ged", "mcs", "mces", "nn", "vectorindex", "internal"}

// testSupport holds the packages that only tests import.
const testSupport = "lab/testing"

// apart lists pairs of packages that never meet, not even through a third.
var apart = []struct{ from, to, why string }{
	{"model", "ged", "truth travels from the solver to the model as data"},
	{"ged", "model", "the solver does not know what will be learnt"},
	{"certificate", "ged", "what proves a distance does not rest on the solver"},
	{"nn", "model", "operations do not know what is built of them"},
	{"vectorindex", "graph", "a vector index knows vectors, not graphs; search joins them"},
	{"vectorindex", "model", "a vector index knows vectors, not models; search joins them"},
}

// order returns the packages of the tables in ARCHITECTURE.md, "." for the root, with the number of
// the line in which each stands. A line stands for the packages below those that it names, too.
func order(t *testing.T) map[string]int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, tables, _ := strings.Cut(string(text), "| package | owns |\n")
	tables, _, _ = strings.Cut(tables, "\n## ")
	lines := map[string]int{}
	for i, line := range strings.Split(tables, "\n") {
		cells := strings.Split(line, "|")
		if len(cells) < 3 {
			continue
		}
		for _, name := range strings.Split(cells[1], ",") {
			name = strings.Trim(strings.TrimSpace(name), "`")
			if name == "root" {
				name = "."
			}
			lines[name] = i
		}
	}
	if len(lines) < 40 {
		t.Fatalf("ARCHITECTURE.md names only %d packages", len(lines))
	}
	return lines
}

// placeOf returns the line of a package, or of the nearest one above it.
func placeOf(lines map[string]int, pkg string) (line int, found bool) {
	for name := pkg; ; name = path.Dir(name) {
		if line, found = lines[name]; found || name == "." {
			return line, found && (name != "." || pkg == ".")
		}
	}
}

// TestImportsPointUp: a package imports only what stands above it in ARCHITECTURE.md, and packages of
// internal.
func TestImportsPointUp(t *testing.T) {
	lines := order(t)
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		internal := under(s.pkg, "internal")
		place, found := placeOf(lines, s.pkg)
		if !internal && !found {
			t.Errorf("%s: package %s has no line in ARCHITECTURE.md", s.name, s.pkg)
			continue
		}
		for _, imported := range s.imports {
			pkg, ok := own(imported)
			switch {
			case !ok:
			case under(pkg, testSupport) && !under(s.pkg, testSupport):
				t.Errorf("%s imports %s, which is for tests", s.name, pkg)
			case under(pkg, "internal"):
			case internal:
				t.Errorf("%s imports %s: internal packages import none of the others", s.name, pkg)
			default:
				if above, _ := placeOf(lines, pkg); above > place {
					t.Errorf("%s imports %s, which stands below it in ARCHITECTURE.md", s.name, pkg)
				}
			}
		}
	}
}

// TestProductStandsAlone: what users run and import needs nothing of the laboratory, and its
// tests nothing but what tests share.
func TestProductStandsAlone(t *testing.T) {
	for _, s := range sources(t) {
		if under(s.pkg, "lab") || under(s.pkg, "cmd/greed-lab") {
			continue
		}
		for _, imported := range s.imports {
			if pkg, ok := own(imported); ok && under(pkg, "lab") && !(s.test && under(pkg, testSupport)) {
				t.Errorf("%s imports %s, which is of the laboratory", s.name, pkg)
			}
			if slices.ContainsFunc(labOnly, func(m string) bool { return under(imported, m) }) {
				t.Errorf("%s imports %s, which only the laboratory needs", s.name, imported)
			}
		}
	}
}

func TestNothingImportsCommands(t *testing.T) {
	for _, s := range sources(t) {
		for _, imported := range s.imports {
			pkg, ok := own(imported)
			if ok && under(pkg, "cmd") && !under(s.pkg, "cmd") {
				t.Errorf("%s imports %s", s.name, pkg)
			}
			if ok && under(pkg, "server") && !under(s.pkg, "server") && !under(s.pkg, "cmd") {
				t.Errorf("%s imports %s", s.name, pkg)
			}
		}
	}
}

func TestCoreStandsAlone(t *testing.T) {
	for _, s := range sources(t) {
		isCore := slices.ContainsFunc(core, func(c string) bool { return under(s.pkg, c) })
		if s.test || !isCore {
			continue
		}
		for _, imported := range s.imports {
			if _, ok := own(imported); !ok && !standard(imported) && !strings.HasPrefix(imported, "golang.org/x/sys/") {
				t.Errorf("%s imports %s: core packages use the standard library and golang.org/x/sys", s.name, imported)
			}
		}
	}
}

func TestPackagesKeptApart(t *testing.T) {
	imports := make(map[string]map[string]bool)
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		if imports[s.pkg] == nil {
			imports[s.pkg] = make(map[string]bool)
		}
		for _, imported := range s.imports {
			if pkg, ok := own(imported); ok {
				imports[s.pkg][pkg] = true
			}
		}
	}
	for _, rule := range apart {
		for from := range imports {
			if !under(from, rule.from) {
				continue
			}
			if way := wayTo(imports, from, rule.to); way != nil {
				t.Errorf("%s: %s", strings.Join(way, " imports "), rule.why)
			}
		}
	}
}

// wayTo returns a chain of imports from a package to one at or below to.
func wayTo(imports map[string]map[string]bool, from, to string) []string {
	before := map[string]string{from: ""}
	queue := []string{from}
	for len(queue) > 0 {
		pkg := queue[0]
		queue = queue[1:]
		if under(pkg, to) {
			way := []string{pkg}
			for pkg != from {
				pkg = before[pkg]
				way = append(way, pkg)
			}
			slices.Reverse(way)
			return way
		}
		for next := range imports[pkg] {
			if _, seen := before[next]; !seen {
				before[next] = pkg
				queue = append(queue, next)
			}
		}
	}
	return nil
}
