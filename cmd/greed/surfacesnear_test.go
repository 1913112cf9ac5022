package main

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSurfacesAgreeOnNear: near pairs, and what they mean, are the same JSON by the command
// line, over HTTP and by the pipe, between two collections too, and what is refused is refused
// everywhere.
func TestSurfacesAgreeOnNear(t *testing.T) {
	dir, _ := smallIndex(t)
	s, ask := hosting(t, dir), startPipe(t)
	for _, key := range []string{"c", "d"} {
		if _, err := ask("collection.open", object{"key": key, "path": dir}); err != nil {
			t.Fatal(err)
		}
	}
	rng := rand.New(rand.NewPCG(31, 5))
	agreed, refused := 0, 0
	for i := range 60 {
		fields, op := object{"time_limit": "20s"}, []string{"join", "cliffs"}[i%2]
		one := func(name string, chance float64, values ...any) {
			if rng.Float64() < chance {
				fields[name] = values[rng.IntN(len(values))]
			}
		}
		one("radius", .9, 0, 1, 1.5, 2, 3, 3, -1)
		one("k", .4, 1, 4, 500, 0)
		one("filter", .4, []string{"weight<40"}, []string{"class in a,b", "weight>=10"}, []string{"id exists"}, []string{"wieght<40"}, []string{"odd"})
		one("costs", .3, "uniform", "chem2", "mces", object{"node_insert": 2, "node_delete": 2}, "none")
		one("ignore_edge_labels", .15, true)
		one("time_limit", .1, "soon", "-1s")
		if op == "join" {
			one("task", .5, "ged", "sed", "mcs")
		} else {
			one("attribute", .7, "weight", "class", "wieght")
		}
		two := rng.IntN(4) == 0
		text, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		answers := make(map[string]object)
		for surface, ask := range map[string]func() ([]byte, error){
			"command line": func() ([]byte, error) {
				of := nearFlags{Collection: dir}
				if two {
					of.Other = dir
				}
				if op == "join" {
					c := joinCommand{nearFlags: of}
					if err := json.Unmarshal(text, &c.Join); err != nil {
						return nil, err
					}
					return commanded(t, c.Run)
				}
				c := cliffsCommand{nearFlags: of}
				if err := json.Unmarshal(text, &c.Cliffs); err != nil {
					return nil, err
				}
				return commanded(t, c.Run)
			},
			"body": func() ([]byte, error) {
				body := maps.Clone(fields)
				if two {
					body["other"] = "mols"
				}
				return posted(t, s, "/v1/collections/mols/"+op, body)
			},
			"pipe": func() ([]byte, error) {
				args := maps.Clone(fields)
				if args["key"] = "c"; two {
					args["other"] = "d"
				}
				return ask("collection."+op, args)
			},
		} {
			text, err := ask()
			var got object
			if err == nil {
				err = json.Unmarshal(text, &got)
				delete(got, "seconds")
			}
			if question, ok := got["question"].(object); ok { // a service takes off what reading took, if that was long
				delete(question, "time_limit")
			}
			if answers[surface] = got; err != nil {
				answers[surface] = nil
			}
		}
		if answers["command line"] == nil {
			refused++
		} else {
			agreed++
		}
		for surface, got := range answers {
			if diff := cmp.Diff(answers["command line"], got); diff != "" {
				t.Errorf("%d, %s: %s %s: not as by the command line:\n%s", i, surface, op, text, diff)
			}
		}
	}
	if agreed < 20 || refused < 15 {
		t.Errorf("%d answers and %d refusals", agreed, refused)
	}
}
