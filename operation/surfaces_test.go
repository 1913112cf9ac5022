package operation_test

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/internal/help"
	"github.com/greedgraph/greed/operation"
)

var update = flag.Bool("update", false, "write what is derived from the operations anew")

// operations are those that are described, by the name of their Python form.
var operations = []struct {
	name   string
	python bool // has such a form
	page   bool // asks for it
	about  string
	of     any
}{
	{"Search", true, true, "Find the graphs of a collection nearest to a query, or that contain it: `greed search`, `POST /v1/collections/{name}/search` and `…/searches`, `GET …/search`, the tool `search`, `Collection.search` in Python.", operation.Search{}},
	{"Contained", true, true, "Find the graphs of a collection that a query contains: `POST /v1/collections/{name}/parts`.", operation.Contained{}},
	{"Vectors", true, false, "Find the graphs whose vectors are nearest to others, without model or solver: `greed search --like` and `--vector FILE`, `POST /v1/collections/{name}/vectors`, `Collection.nearest` in Python.", operation.Vectors{}},
	{"Distances", true, true, "Compute the distance of two graphs or of many pairs: `greed ged`, `greed sed`, `POST /v1/distance`, `POST /v1/distances`, `POST /v1/collections/{name}/distances`, the tool `distance`, `ged`, `sed`, `pairs` and `matrix` in Python. On the command line, `task` is the name of the command. `fix` and `maps` are for a single pair.", distancesEverywhere{}},
	{"MCS", true, false, "Find the largest subgraph that two graphs have in common: `greed mcs`, `POST /v1/mcs`, `mcs` in Python.", operation.MCS{}},
	{"Differences", false, true, "Report what differs between two graphs or collections: `greed diff`, `POST /v1/diff`, the tool `diff`.", operation.Differences{}},
	{"Join", true, false, "Find all pairs of graphs within a distance: `greed join`, `POST /v1/collections/{name}/join`, the tool `join`, `Collection.Join` in Go, `Collection.join` in Python.", operation.Join{}},
	{"Cliffs", true, true, "Report what pairs within a distance mean for an attribute: activity cliffs, transformations, duplicates: `greed cliffs`, `POST /v1/collections/{name}/cliffs`, the tool `cliffs`, `Collection.Cliffs` in Go, `Collection.cliffs` in Python.", operation.Cliffs{}},
	{"SAR", true, true, "Take the molecules of a series apart into a core and R-groups: `greed sar`, `POST /v1/collections/{name}/sar`, the tool `sar`, `Collection.SAR` in Go, `Collection.sar` in Python.", operation.SAR{}},
	{"Truth", false, false, "Write the distances of many pairs: `greed truth`.", operation.Truth{}},
	{"Train", true, false, "Learn to predict the distances of a collection: `greed train`, `train` in Python.", operation.Train{}},
	{"Predict", true, false, "Predict the distances of pairs by a model: `greed predict`, `Model.predict` in Python. Predictions are kept within bounds that labels and degrees prove, unless `raw`.", operation.Predict{}},
	{"Eval", false, false, "Evaluate the predictions of a model, or of another program: `greed eval`.", operation.Eval{}},
	{"Embed", false, true, "Turn a graph into a vector: `POST /v1/collections/{name}/embed`.", operation.Embed{}},
	{"Read", false, false, "How graphs are read, wherever files are read; collections and models record it.", dataset.Rules{}},
	{"Parse", false, false, "Show how a graph is read: `POST /v1/parse`, the tool `parse`. On the command line `greed dataset convert GRAPH --to json` shows the graph, and what was left out or chosen on standard error.", operation.Parse{}},
	{"Put", false, false, "Store a graph: `PUT /v1/collections/{name}/graphs/{id}`, and each graph of a batch.", operation.Put{}},
	{"Change", true, false, "Store and delete graphs of a collection in one transaction: `POST /v1/collections/{name}/graphs`, `greed index add` and `greed index delete`, `Collection.Apply` in Go, `Collection.change`, `put` and `delete` in Python. The commands work in batches, so they have no `state`; `index add` has `new`. Assistants cannot change a collection.", operation.Change{}},
}

// byPosition names fields that are arguments of their own in Python, as k always is.
// distancesEverywhere has the fields of a single pair and of many.
type distancesEverywhere struct{ operation.Distance }

var byPosition = map[string][]string{"Change": {"delete"}, "Distances": {"task", "explain", "maps"}, "Join": {"radius"}, "Cliffs": {"attribute"}, "SAR": {"core"}, "Vectors": {"like", "vectors"}}

// TestReference: the reference of all fields, what Python takes and what the page sends are
// derived from the operations.
func TestReference(t *testing.T) {
	same(t, "../docs/reference.md", reference())
	same(t, "../python/greed/_operations.py", python())
	same(t, "../server/page/src/operations.ts", typescript())
}

func same(t *testing.T, path, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not what the operations say: go test ./operation -update writes it anew", path)
	}
}

// reference returns the fields of all operations as Markdown.
func reference() string {
	var b strings.Builder
	b.WriteString("# Reference of operations\n\nThis page is for readers who write commands, requests or programs: it lists the fields of every operation. They are the\n" +
		"same everywhere. A field `time_limit` is the flag `--time-limit` of a command, the member `time_limit` of a JSON body,\n" +
		"the parameter `time_limit` of an address, and the keyword `time_limit` in Python. [search.md](search.md) describes what\n" +
		"a search returns, [service.md](service.md) the HTTP service. A test generates this page from package `operation`.\n")
	texts := help.All()
	for _, o := range operations {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| field | takes | default | |\n|---|---|---|---|\n", strings.ToLower(o.name), o.about)
		for _, f := range operation.Fields(o.of) {
			takes := f.Kind()
			if f.Least != "" {
				takes += ", at least " + f.Least
			}
			if f.Most != "" {
				takes += ", at most " + f.Most
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", f.Name, takes, f.Default, strings.ReplaceAll(texts.Expand(f.Doc), "|", `\|`))
		}
	}
	return b.String()
}

// python returns the Python types of all operations.
func python() string {
	var b strings.Builder
	b.WriteString(`"""What operations take. Made from package operation by go test ./operation -update."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

from ._costs import CostsLike
from ._options import Fixed
`)
	for _, o := range operations {
		if !o.python {
			continue
		}
		fmt.Fprintf(&b, "\n\nclass %sOptions(TypedDict, total=False):\n    \"\"\"The fields of the operation %s; docs/reference.md says what they do.\"\"\"\n\n", o.name, strings.ToLower(o.name))
		for _, f := range operation.Fields(o.of) {
			if f.Name == "k" || slices.Contains(byPosition[o.name], f.Name) {
				continue
			}
			fmt.Fprintf(&b, "    %s: %s | None\n", f.Name, pythonType(f)) // None is what is not given
		}
	}
	return b.String()
}

func pythonType(f operation.Field) string {
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case len(f.Values) > 0:
		return `Literal["` + strings.Join(f.Values, `", "`) + `"]`
	case t == reflect.TypeFor[operation.Costs]():
		return "CostsLike"
	case t == reflect.TypeFor[operation.Pairs]():
		return "Fixed"
	case f.Name == "time_limit":
		return "float | str"
	case t == reflect.TypeFor[[]int]():
		return "Sequence[int]"
	case t.Kind() == reflect.Slice:
		return "str | Sequence[str]"
	}
	return map[reflect.Kind]string{reflect.Bool: "bool", reflect.Int: "int", reflect.Int64: "int", reflect.Uint64: "int", reflect.Float64: "float", reflect.String: "str"}[t.Kind()]
}

// typescript returns the types of what the page asks for.
func typescript() string {
	var b strings.Builder
	b.WriteString("// What operations take. Made from package operation by go test ./operation -update.\nimport type { EditCosts } from \"./costs\";\n")
	for _, o := range operations {
		if !o.page {
			continue
		}
		fmt.Fprintf(&b, "\nexport interface %sFields {\n", o.name)
		for _, f := range operation.Fields(o.of) {
			fmt.Fprintf(&b, "  %s?: %s;\n", f.Name, typescriptType(f))
		}
		b.WriteString("}\n")
	}
	return b.String()
}

func typescriptType(f operation.Field) string {
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case len(f.Values) > 0:
		return `"` + strings.Join(f.Values, `" | "`) + `"`
	case t == reflect.TypeFor[operation.Costs]():
		return "string | EditCosts"
	case t.Kind() == reflect.Slice:
		return "string[]"
	}
	return map[reflect.Kind]string{reflect.Bool: "boolean", reflect.Int: "number", reflect.Float64: "number", reflect.String: "string"}[t.Kind()]
}
