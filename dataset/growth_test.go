package dataset_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/graphtest"
	"github.com/greedgraph/greed/lab/testing/growth"
)

// readThrough reads all of a collection, bad records too.
func readThrough(r *dataset.Reader, err error) {
	for err == nil {
		_, err = r.Next()
		if bad := (*dataset.BadRecord)(nil); errors.As(err, &bad) && !errors.Is(err, dataset.ErrEmpty) {
			err = nil
		}
	}
	if r != nil {
		r.Notes()
		r.Close()
	}
}

// elements are what a record may have many of, or much of, by the field of a record.
var elements = map[string]map[string]func(n int) []dataset.Record{
	"ID":   {"length": func(n int) []dataset.Record { return one(dataset.Record{ID: letters(n), Graph: path(1)}) }},
	"Name": {"length": func(n int) []dataset.Record { return one(dataset.Record{ID: "a", Name: letters(n), Graph: path(1)}) }},
	"Graph": {
		"nodes": func(n int) []dataset.Record { return one(dataset.Record{ID: "a", Graph: path(n)}) },
		"hub": func(n int) []dataset.Record {
			return one(dataset.Record{ID: "a", Graph: grown(n, hubEnd, sameLabel, sameLabel)})
		},
		"edges": func(n int) []dataset.Record { return one(dataset.Record{ID: "a", Graph: dense(n)}) },
		"node labels": func(n int) []dataset.Record {
			return one(dataset.Record{ID: "a", Graph: grown(n, lastEnd, ownLabel, sameLabel)})
		},
		"edge labels": func(n int) []dataset.Record {
			return one(dataset.Record{ID: "a", Graph: grown(n, lastEnd, sameLabel, ownLabel)})
		},
		"length of a label": func(n int) []dataset.Record {
			return one(dataset.Record{ID: "a", Graph: grown(2, lastEnd, func(int) string { return letters(n) }, sameLabel)})
		},
		"pieces": func(n int) []dataset.Record {
			return one(dataset.Record{ID: "a", Graph: grown(n, noEnd, sameLabel, sameLabel)})
		},
		"records": func(n int) (list []dataset.Record) {
			return many(n, func(i int) dataset.Record { return dataset.Record{Graph: path(2)} })
		},
	},
	"SMILES": {
		"chain":    molecule(func(n int) string { return strings.Repeat("C", n) }),
		"star":     molecule(func(n int) string { return "C" + strings.Repeat("(*)", n) }),
		"pieces":   molecule(func(n int) string { return "C" + strings.Repeat(".C", n) }),
		"rings":    molecule(func(n int) string { return "C" + strings.Repeat("1CC1", n/3) + "C" }),
		"aromatic": molecule(func(n int) string { return "C" + strings.Repeat("c1ccc(cc1)", n/6) + "C" }),
		"fused":    molecule(func(n int) string { return "C1C" + strings.Repeat("C2C1C1C2", n/4) + "CC1" }),
		"branches": molecule(func(n int) string { return strings.Repeat("C(", n) + "C" + strings.Repeat(")", n) }),
		"charges":  molecule(func(n int) string { return strings.Repeat("[N+](C)(C)", n/3) + "C" }),
		"centres":  molecule(func(n int) string { return strings.Repeat("[C@H](O)", n/2) + "C" }),
		"double":   molecule(func(n int) string { return strings.Repeat("C=C", n/2) + "C" }),
		"records": func(n int) []dataset.Record {
			return many(n, func(int) dataset.Record { return molecule(func(int) string { return "CCO" })(1)[0] })
		},
	},
	"NodeIDs": {
		"names": func(n int) []dataset.Record { return one(dataset.Record{ID: "a", Graph: path(n), NodeIDs: texts(n)}) },
		"length of a name": func(n int) []dataset.Record {
			return one(dataset.Record{ID: "a", Graph: path(2), NodeIDs: []string{letters(n), "b"}})
		},
	},
	"Attributes": {
		"number": func(n int) []dataset.Record {
			rec := dataset.Record{ID: "a", Graph: path(2), Attributes: make(map[string]any, n)}
			for i, name := range texts(n) {
				rec.Attributes[name] = float64(i)
			}
			return one(rec)
		},
		"length of a text": func(n int) []dataset.Record {
			return one(dataset.Record{ID: "a", Graph: path(2), Attributes: map[string]any{"a": letters(n)}})
		},
		"lines of a text": func(n int) []dataset.Record {
			return one(dataset.Record{ID: "a", Graph: path(2), Attributes: map[string]any{"a": strings.Repeat("b\n", n)}})
		},
		"list": func(n int) []dataset.Record {
			return one(dataset.Record{ID: "a", Graph: path(2), Attributes: map[string]any{"a": make([]any, n)}})
		},
		"of records": func(n int) []dataset.Record {
			return many(n, func(i int) dataset.Record {
				return dataset.Record{Graph: path(1), Attributes: map[string]any{fmt.Sprint("k", i): "x"}}
			})
		},
	},
	// What readers say of a record is not written.
	"Block": nil, "File": nil, "Line": nil, "Unread": nil, "Notes": nil,
}

func one(r dataset.Record) []dataset.Record { return []dataset.Record{r} }

func many(n int, make func(i int) dataset.Record) (list []dataset.Record) {
	for i := range n {
		r := make(i)
		r.ID = fmt.Sprint(i)
		list = append(list, r)
	}
	return list
}

func molecule(smiles func(n int) string) func(n int) []dataset.Record {
	return func(n int) []dataset.Record {
		rec, err := dataset.ReadOne(smiles(n), dataset.Options{Format: "smiles"})
		if err != nil {
			panic(err)
		}
		rec.ID = "a"
		return one(rec)
	}
}

func letters(n int) string { return strings.Repeat("a", n) }

func texts(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprint("n", i)
	}
	return list
}

var (
	sameLabel = func(int) string { return "x" }
	ownLabel  = func(i int) string { return fmt.Sprint("l", i) }
	lastEnd   = func(v int) int { return v - 1 }
	hubEnd    = func(int) int { return 0 }
	noEnd     = func(int) int { return -1 }
)

// grown returns a graph of n nodes, each joined to another before it.
func grown(n int, end func(v int) int, node, edge func(i int) string) *graph.Graph {
	b := graph.NewBuilder(graph.NewVocabulary(), false)
	for v := range n {
		b.AddNode(node(v))
		if u := end(v); v > 0 && u >= 0 {
			if err := b.AddEdge(u, v, edge(v)); err != nil {
				panic(err)
			}
		}
	}
	return b.MustBuild()
}

func path(n int) *graph.Graph { return grown(n, lastEnd, sameLabel, sameLabel) }

// dense returns the complete graph of about n edges.
func dense(n int) *graph.Graph {
	b := graph.NewBuilder(graph.NewVocabulary(), false)
	for v := 0; b.M() < n; v++ {
		b.AddNode("x")
		for u := range v {
			if err := b.AddEdge(u, v, "x"); err != nil {
				panic(err)
			}
		}
	}
	return b.MustBuild()
}

// TestGrowth: reading and writing every format grows in proportion to each element alone.
func TestGrowth(t *testing.T) {
	if underRace {
		t.Skip("the race detector takes most of the time")
	}
	var cases []growth.Case
	read := make(map[string]bool)
	const longest = 1 << 25
	add := func(format, element string, most int, text func(n int) string) {
		read[format] = true
		cases = append(cases, growth.Case{Element: format + ": " + element, Most: most, Make: func(n int) func() {
			s := text(n)
			return func() {
				readThrough(dataset.NewReader(strings.NewReader(s), "x", dataset.Options{Format: format}))
			}
		}})
	}
	for format, texts := range graphtest.HostileTexts(1) {
		for element := range texts {
			add(format, "hostile "+element, longest, func(n int) string { return graphtest.HostileTexts(n)[format][element]() })
		}
	}
	for element, h := range hostileMolecules() {
		add(h.format, "hostile "+element, longest, h.text)
	}
	for field := range reflect.TypeFor[dataset.Record]().Fields() {
		if _, known := elements[field.Name]; !known {
			t.Errorf("no element makes %s of a record grow", field.Name)
		}
	}
	for _, f := range dataset.Formats() {
		for field, of := range elements {
			for element, make := range of {
				if !f.Writes {
					continue
				}
				write := func(records []dataset.Record) string {
					var text bytes.Buffer
					w, err := dataset.NewWriter(&text, f.Name)
					if err != nil {
						t.Fatal(err)
					}
					for _, r := range records {
						err = w.Write(r)
						if bad := (*dataset.UnwritableRecord)(nil); err != nil && !errors.As(err, &bad) {
							t.Fatal(err)
						}
					}
					if err := w.Close(); err != nil {
						t.Fatal(err)
					}
					return text.String()
				}
				most := 1 << 19
				if field == "SMILES" && element != "records" {
					most = chem.MaxSMILES / 8
				}
				if write(make(4)) != write(nil) { // the format can hold it
					add(f.Name, field+", "+element, most, func(n int) string { return write(make(n)) })
				}
				cases = append(cases, growth.Case{Element: f.Name + ", written: " + field + ", " + element, Most: most, Make: func(n int) func() {
					records := make(n)
					return func() { write(records) }
				}})
			}
		}
	}
	folder(&cases, read)
	for _, f := range dataset.Formats() {
		if f.Reads && !read[f.Name] {
			t.Errorf("format %s has no element that grows", f.Name)
		}
	}
	growth.Run(t, cases)
}

// folder adds the elements of formats that are folders.
func folder(cases *[]growth.Case, read map[string]bool) {
	add := func(format, element string, files func(n int) map[string]string) {
		read[format] = true
		*cases = append(*cases, growth.Case{Element: format + ": " + element, Most: 1 << 17, Make: func(n int) func() {
			dir, err := os.MkdirTemp("", "growth")
			if err != nil {
				panic(err)
			}
			for name, text := range files(n) {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
					panic(err)
				}
			}
			return func() { readThrough(dataset.Open(dir, dataset.Options{Format: format})) }
		}})
	}
	rows := func(n int, form string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, form, i+1, max(1, i))
		}
		return b.String()
	}
	ones := func(n int) string { return strings.Repeat("1\n", n) }
	add("tudataset", "nodes", func(n int) map[string]string {
		return map[string]string{"X_A.txt": "", "X_graph_indicator.txt": ones(n)}
	})
	add("tudataset", "edges", func(n int) map[string]string {
		return map[string]string{"X_A.txt": rows(n, "%d, %d\n"), "X_graph_indicator.txt": ones(n + 1)}
	})
	add("tudataset", "graphs", func(n int) map[string]string {
		return map[string]string{"X_A.txt": "", "X_graph_indicator.txt": rows(n, "%[1]d\n")}
	})
	add("tudataset", "labels", func(n int) map[string]string {
		return map[string]string{"X_A.txt": "", "X_graph_indicator.txt": ones(n), "X_node_labels.txt": rows(n, "%[1]d\n")}
	})
	add("tudataset", "attributes", func(n int) map[string]string {
		return map[string]string{"X_A.txt": "", "X_graph_indicator.txt": "1\n", "X_node_attributes.txt": strings.Repeat("0,", n) + "\n"}
	})
	add("cxl", "graphs", func(n int) map[string]string {
		n = min(n, 1<<12)
		files := map[string]string{"a.cxl": "<GraphCollection><graphs>" + rows(n, `<print file="a.gxl" class="c%[1]d"/>`) + "</graphs></GraphCollection>"}
		files["a.gxl"] = `<gxl><graph id="g"><node id="a"/></graph></gxl>`
		return files
	})
}
